//! The layer that is being solved, by state of the General: sets of positions, small numbers and laps by rank.
use privy_protocol::Stop;

use std::io;

use crate::coding::{Coding, MOST_LAPS, Section};
use crate::numbering::Numbering;
use privy_base::huge_pages::{advise, zeros};
use privy_rules::board::{Point, PointSet};

/// Bits of memory of a position, both sides to move together, without laps; with the most quiet moves of the General, and whether a
/// custodial capture is possible.
pub(super) fn bits_of_position(coding: Coding, quiet: usize, custodial: bool) -> u64 {
    // With the Rebels to move a byte and whether it is decided; with the General to move the value of captures and a count.
    let values = 8 + 1 + 8 + SmallNumbers::bits(most_left(quiet));
    // The positions decided in a ply with the Rebels to move, and in this one and the last with the General to move.
    let decided = 3 * if coding.has_flag { 2 } else { 1 };
    values + decided + u64::from(custodial)
}

/// In place of the value of captures: the position is decided.
pub(super) const DECIDED: u8 = u8::MAX;

/// The positions that a ply decided, for one side to move.
#[derive(Debug, Default)]
pub(super) struct Decisions {
    pub(super) won: Marks,
    pub(super) lost: Marks,
}

impl Decisions {
    pub(super) fn new(positions: usize) -> Decisions {
        Decisions { won: Marks::new(positions), lost: Marks::new(positions) }
    }

    pub(super) fn set(&mut self, rank: usize, wins: bool) {
        (if wins { &mut self.won } else { &mut self.lost }).set(rank);
    }

    pub(super) fn clear(&mut self) {
        self.won.clear();
        self.lost.clear();
    }

    pub(super) fn count(&self) -> u64 {
        self.won.count() + self.lost.count()
    }
}

/// The highest count of moves left to the General: quiet moves, and a capture that draws.
fn most_left(quiet: usize) -> usize {
    quiet + 1
}

#[derive(Debug)]
pub struct SmallNumbers {
    bytes: Vec<u8>,
    /// Log2 of the numbers in a byte: 0, 1 or 2.
    in_byte: u32,
}

impl SmallNumbers {
    /// Zeros, for numbers up to `most`.
    pub fn new(numbers: usize, most: usize) -> SmallNumbers {
        let in_byte = (8 / SmallNumbers::bits(most)).ilog2();
        SmallNumbers { bytes: zeros((numbers >> in_byte) + 1), in_byte }
    }

    fn bits(most: usize) -> u64 {
        match most {
            0..4 => 2,
            4..16 => 4,
            _ => 8,
        }
    }

    /// The byte of a number, its lowest bit in it, and the mask of its bits.
    #[inline(always)]
    fn place(&self, rank: usize) -> (usize, usize, u8) {
        let bits = 8 >> self.in_byte;
        (rank >> self.in_byte, (rank & ((1 << self.in_byte) - 1)) * bits, u8::MAX >> (8 - bits))
    }

    #[inline(always)]
    pub fn get(&self, rank: usize) -> u8 {
        let (byte, shift, bits) = self.place(rank);
        self.bytes[byte] >> shift & bits
    }

    #[inline(always)]
    pub fn set(&mut self, rank: usize, number: u8) {
        let (byte, shift, bits) = self.place(rank);
        debug_assert!(number <= bits, "a number is at most the bound of its kind");
        self.bytes[byte] |= number << shift;
    }

    /// Decrements a number above zero, and returns it.
    #[inline(always)]
    pub fn count_down(&mut self, rank: usize) -> u8 {
        let (byte, shift, bits) = self.place(rank);
        self.bytes[byte] -= 1 << shift;
        self.bytes[byte] >> shift & bits
    }
}

/// The laps of values by rank, two bits each; no memory while all are zero.
#[derive(Debug, Default)]
pub(super) struct Laps(Vec<u8>);

impl Laps {
    #[inline(always)]
    pub(super) fn get(&self, rank: usize) -> u8 {
        self.0.get(rank / 4).map_or(0, |byte| byte >> (rank % 4 * 2) & MOST_LAPS)
    }

    #[inline(always)]
    pub(super) fn set(&mut self, rank: usize, positions: usize, laps: u8) {
        if laps > 0 {
            if self.0.is_empty() {
                self.0 = vec![0; positions.div_ceil(4)];
            }
            self.0[rank / 4] |= laps << (rank % 4 * 2);
        }
    }
}

#[derive(Debug)]
pub(super) struct RebelsLayer {
    /// Of an open position the number of steps not yet found to lead to a win of the General; of a decided one the value, as [`Coding`]
    /// writes it without laps.
    values: Vec<u8>,
    decided: Marks,
    laps: Laps,
    /// Won in one ply by a custodial capture.
    pub(super) captures: Marks,
}

impl RebelsLayer {
    pub(super) fn new(positions: usize) -> RebelsLayer {
        let (decided, captures) = (Marks::new(positions), Marks::new(positions));
        RebelsLayer { values: zeros(positions), decided, laps: Laps::default(), captures }
    }

    pub(super) fn positions(&self) -> usize {
        self.values.len()
    }

    pub(super) fn decided(&self) -> u64 {
        self.decided.count()
    }

    pub(super) fn set_steps(&mut self, rank: usize, steps: u8) {
        self.values[rank] = steps;
    }

    #[inline(always)]
    pub(super) fn is_open(&self, rank: usize) -> bool {
        !self.decided.contains(rank)
    }

    /// Counts one more step of an open position that leads to a win of the General; true if it is the last.
    #[inline(always)]
    pub(super) fn lose_step(&mut self, rank: usize) -> bool {
        self.values[rank] -= 1;
        self.values[rank] == 0
    }

    #[inline(always)]
    pub(super) fn decide(&mut self, rank: usize, code: u16) {
        let [value, laps] = code.to_le_bytes();
        self.decided.set(rank);
        self.laps.set(rank, self.values.len(), laps);
        self.values[rank] = value;
    }

    /// The values, those of open positions draws.
    pub(super) fn section(&self, coding: Coding) -> Section {
        let values = self.values.iter().enumerate();
        let values: Vec<u8> =
            values.map(|(rank, value)| if self.decided.contains(rank) { *value } else { 0 }).collect();
        let laps = if self.laps.0.is_empty() { 0 } else { self.values.len() };
        let laps: Vec<u8> = (0..laps).map(|rank| self.laps.get(rank)).collect();
        Section::new(coding, &values, &laps, &Stop::default())
    }
}

#[derive(Debug)]
pub(super) struct GeneralLayer {
    /// The value of the best capture, as [`Coding`] writes it without laps; 0 where none decides, [`DECIDED`] once the position is decided.
    pub(super) captures: Vec<u8>,
    pub(super) laps: Laps,
    /// Quiet moves not yet found to lead to a win of the Rebels, and one more for a capture that draws.
    pub(super) left: SmallNumbers,
    pub(super) decided: Decisions,
    pub(super) next: Decisions,
    /// Won before the ply from which a run goes on.
    pub(super) won_before: Marks,
    /// Won, lost, and over.
    pub(super) counts: [u64; 3],
    /// The most plies of the value of a capture.
    pub(super) longest: u32,
}

impl GeneralLayer {
    pub(super) fn new(positions: usize, quiet: usize) -> GeneralLayer {
        GeneralLayer {
            captures: zeros(positions),
            laps: Laps::default(),
            left: SmallNumbers::new(positions, most_left(quiet)),
            decided: Decisions::new(positions),
            next: Decisions::new(positions),
            won_before: Marks::new(positions),
            counts: [0; 3],
            longest: 0,
        }
    }

    /// Notes a position as decided, by the last ply or before it.
    pub(super) fn decide(&mut self, rank: usize, wins: bool, is_last: bool) {
        self.captures[rank] = DECIDED;
        if is_last {
            self.decided.set(rank, wins);
        } else if wins {
            self.won_before.set(rank);
        }
    }
}

/// A set of ranks of a state's layer. It takes memory only while it is nonempty.
#[derive(Debug, Default, Clone)]
pub struct Marks {
    /// A bit for each rank, or empty.
    pub words: Vec<u64>,
    pub enough: usize,
}

/// Nonempty words between two looks at the stop flag: some milliseconds.
const WORDS_BETWEEN_LOOKS: u32 = 1 << 10;

/// Words with more marks than this are sent whole.
const MOST_SINGLE: u32 = 7;
/// The mark is not the last of its word.
const MORE: u8 = 0x80;

impl Marks {
    pub fn new(positions: usize) -> Marks {
        Marks { words: Vec::new(), enough: positions.div_ceil(64) }
    }

    #[inline(always)]
    pub fn contains(&self, rank: usize) -> bool {
        self.words.get(rank / 64).is_some_and(|word| word >> (rank % 64) & 1 != 0)
    }

    #[inline(always)]
    pub(super) fn set(&mut self, rank: usize) {
        if self.words.is_empty() {
            self.make_room();
        }
        self.words[rank / 64] |= 1 << (rank % 64);
    }

    #[cold]
    fn make_room(&mut self) {
        self.words = vec![0; self.enough];
        advise(&mut self.words);
    }

    pub(super) fn clear(&mut self) {
        self.words = Vec::new();
    }

    pub(super) fn count(&self) -> u64 {
        self.words.iter().map(|word| u64::from(word.count_ones())).sum()
    }

    /// Calls `each` with the set of every marked rank, until `stop` is set.
    #[inline(always)]
    pub(super) fn for_each(
        &self,
        numbering: &Numbering,
        general: Point,
        rebels: u32,
        stop: &Stop,
        mut each: impl FnMut(PointSet),
    ) {
        let mut visited = 0u32;
        for (number, word) in self.words.iter().enumerate().filter(|(_, word)| **word != 0) {
            visited += 1;
            if visited.is_multiple_of(WORDS_BETWEEN_LOOKS) && stop.is_set() {
                return;
            }
            let first = number * 64 + word.trailing_zeros() as usize;
            let mut rest = word >> word.trailing_zeros();
            for set in numbering.sets_from(general, rebels, first) {
                if rest & 1 != 0 {
                    each(set);
                }
                rest >>= 1;
                if rest == 0 {
                    break;
                }
            }
        }
    }

    /// Appends the marks to a message: for each nonempty word, the number of empty ones before it, and the word itself or, where the marks
    /// are few, their numbers in it.
    pub fn write(&self, message: &mut Vec<u8>) {
        let with_marks = self.words.iter().enumerate().filter(|(_, word)| **word != 0);
        message.extend((with_marks.clone().count() as u64).to_le_bytes());
        let mut next = 0;
        for (number, word) in with_marks {
            let is_whole = word.count_ones() > MOST_SINGLE;
            write_short((number - next) as u64 * 2 + u64::from(is_whole), message);
            next = number + 1;
            if is_whole {
                message.extend(word.to_le_bytes());
                continue;
            }
            let mut rest = *word;
            while rest != 0 {
                let mark = rest.trailing_zeros() as u8;
                rest &= rest - 1;
                message.push(if rest == 0 { mark } else { mark | MORE });
            }
        }
    }

    /// Reads marks off a message, in place of the present ones.
    pub fn read(&mut self, message: &mut &[u8]) -> io::Result<()> {
        self.clear();
        let mut next = 0usize;
        for _ in 0..u64::from_le_bytes(*take_first(message)?) {
            let head = read_short(message)?;
            let number = next.saturating_add((head / 2) as usize);
            if number >= self.enough {
                return Err(io::ErrorKind::InvalidData.into());
            }
            if self.words.is_empty() {
                self.make_room();
            }
            let word = &mut self.words[number];
            next = number + 1;
            if head % 2 == 1 {
                *word = u64::from_le_bytes(*take_first(message)?);
                continue;
            }
            loop {
                let [mark] = *take_first(message)?;
                *word |= 1 << (mark & 63);
                if mark & MORE == 0 {
                    break;
                }
            }
        }
        Ok(())
    }
}

/// A variable-length number: seven bits a byte, the lowest first.
fn write_short(mut number: u64, message: &mut Vec<u8>) {
    while number >= 0x80 {
        message.push(number as u8 | 0x80);
        number >>= 7;
    }
    message.push(number as u8);
}

fn read_short(message: &mut &[u8]) -> io::Result<u64> {
    let mut number = 0;
    for shift in (0..64).step_by(7) {
        let [byte] = *take_first(message)?;
        number |= u64::from(byte & 0x7f) << shift;
        if byte & 0x80 == 0 {
            return Ok(number);
        }
    }
    Err(io::ErrorKind::InvalidData.into())
}

/// Takes bytes off a message.
pub(super) fn take_first<'a, const N: usize>(message: &mut &'a [u8]) -> io::Result<&'a [u8; N]> {
    let (taken, rest) = message.split_first_chunk().ok_or(io::ErrorKind::UnexpectedEof)?;
    *message = rest;
    Ok(taken)
}
