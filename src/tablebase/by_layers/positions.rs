//! What is known of a layer while it is solved, by state of the General.

use crate::huge_pages::vec_of;
use crate::tablebase::compression::compress;
use crate::tablebase::layout::{Coding, MOST_LAPS};

use super::marks::Marks;

/// Bits that a position of the layer that is being solved takes, both sides to move together, where no value has laps, the General
/// has at most so many quiet moves, and a custodial capture of it may be possible or not.
pub(super) fn bits_of_position(coding: Coding, quiet: usize, custodial: bool) -> u64 {
    // With the Rebels to move a byte, and whether it is decided; with the General to move what captures are worth, and a count.
    let known = 8 + 1 + 8 + SmallNumbers::bits(most_left(quiet));
    // What a ply decided with the Rebels to move, and this one and the last with the General to move.
    let decided = 3 * if coding.ply_tells_winner() { 1 } else { 2 };
    known + decided + u64::from(custodial)
}

/// In place of what captures are worth: the position is decided.
pub(super) const DECIDED: u8 = u8::MAX;

/// What a ply decided, for one side to move.
#[derive(Debug, Default)]
pub(super) struct Decided {
    pub(super) won: Marks,
    pub(super) lost: Marks,
}

impl Decided {
    pub(super) fn new(positions: usize) -> Decided {
        Decided { won: Marks::new(positions), lost: Marks::new(positions) }
    }

    pub(super) fn clear(&mut self) {
        self.won.clear();
        self.lost.clear();
    }

    pub(super) fn count(&self) -> u64 {
        self.won.count() + self.lost.count()
    }
}

/// The most that is counted with the General to move who has at most so many quiet moves: these, and a capture that draws.
fn most_left(quiet: usize) -> usize {
    quiet + 1
}

/// Small numbers by rank, side by side.
#[derive(Debug)]
pub(super) struct SmallNumbers {
    bytes: Vec<u8>,
    /// A byte holds 1, 2 or 4 of them: two to the power of this.
    in_byte: u32,
}

impl SmallNumbers {
    /// So many zeros, for numbers up to `most`.
    pub(super) fn new(numbers: usize, most: usize) -> SmallNumbers {
        let in_byte = (8 / SmallNumbers::bits(most)).ilog2();
        SmallNumbers { bytes: vec_of(0, (numbers >> in_byte) + 1), in_byte }
    }

    /// How many bits each takes.
    fn bits(most: usize) -> u64 {
        match most {
            0..4 => 2,
            4..16 => 4,
            _ => 8,
        }
    }

    /// The byte of a number, where it begins in it, and its bits.
    #[inline(always)]
    fn place(&self, rank: usize) -> (usize, usize, u8) {
        let bits = 8 >> self.in_byte;
        (rank >> self.in_byte, (rank & ((1 << self.in_byte) - 1)) * bits, u8::MAX >> (8 - bits))
    }

    #[inline(always)]
    pub(super) fn get(&self, rank: usize) -> u8 {
        let (byte, shift, bits) = self.place(rank);
        self.bytes[byte] >> shift & bits
    }

    /// Sets a number that is zero.
    #[inline(always)]
    pub(super) fn set(&mut self, rank: usize, number: u8) {
        let (byte, shift, bits) = self.place(rank);
        debug_assert!(number <= bits, "the most numbers were told before");
        self.bytes[byte] |= number << shift;
    }

    /// Takes one off a number above zero, and says what is left.
    #[inline(always)]
    pub(super) fn count_down(&mut self, rank: usize) -> u8 {
        let (byte, shift, bits) = self.place(rank);
        self.bytes[byte] -= 1 << shift;
        self.bytes[byte] >> shift & bits
    }
}

/// The laps of the values of a layer and state, two bits each; no memory while there are none.
#[derive(Debug, Default)]
pub(super) struct Laps(Vec<u8>);

impl Laps {
    #[inline(always)]
    pub(super) fn get(&self, rank: usize) -> u8 {
        self.0.get(rank / 4).map_or(0, |byte| byte >> (rank % 4 * 2) & MOST_LAPS)
    }

    /// Sets those of one of so many positions, which had none.
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

/// The layer of one state with the Rebels to move.
#[derive(Debug)]
pub(super) struct RebelsToMove {
    /// While a position is open, how many steps do not lead to a win of the General, as far as is known; then its value, as
    /// [`Coding`] writes it without laps.
    known: Vec<u8>,
    decided: Marks,
    laps: Laps,
    /// Won at once, by a custodial capture.
    pub(super) captures: Marks,
}

impl RebelsToMove {
    pub(super) fn new(positions: usize) -> RebelsToMove {
        let (decided, captures) = (Marks::new(positions), Marks::new(positions));
        RebelsToMove { known: vec_of(0, positions), decided, laps: Laps::default(), captures }
    }

    /// Sets how many steps there are.
    pub(super) fn set_steps(&mut self, rank: usize, steps: u8) {
        self.known[rank] = steps;
    }

    #[inline(always)]
    pub(super) fn is_open(&self, rank: usize) -> bool {
        !self.decided.contains(rank)
    }

    /// One more step of an open position leads to a win of the General. Is it the last?
    #[inline(always)]
    pub(super) fn lose_step(&mut self, rank: usize) -> bool {
        self.known[rank] -= 1;
        self.known[rank] == 0
    }

    /// An open position has the value that a code says.
    #[inline(always)]
    pub(super) fn decide(&mut self, rank: usize, code: u16) {
        let [value, laps] = code.to_le_bytes();
        self.decided.set(rank);
        self.laps.set(rank, self.known.len(), laps);
        self.known[rank] = value;
    }

    /// The values without laps, 0 where the position is still open, compressed.
    pub(super) fn compressed(&self) -> Vec<u8> {
        compress(self.known.len(), |rank| if self.is_open(rank) { 0 } else { self.known[rank] })
    }

    /// The laps, compressed.
    pub(super) fn compressed_laps(&self) -> Vec<u8> {
        compress(self.known.len(), |rank| self.laps.get(rank))
    }
}

/// The layer of one state with the General to move.
#[derive(Debug)]
pub(super) struct GeneralToMove {
    /// What the best capture is worth, as [`Coding`] writes it without laps; 0 where there is none that decides, and [`DECIDED`] once
    /// the position is.
    pub(super) captures: Vec<u8>,
    /// Of what captures are worth.
    pub(super) laps: Laps,
    /// Quiet moves that do not lead to a win of the Rebels, as far as is known, and one more for a capture that draws.
    pub(super) left: SmallNumbers,
    pub(super) decided: Decided,
    pub(super) next: Decided,
    /// Won, lost, and over.
    pub(super) counts: [u64; 3],
    /// The most plies that a capture is worth.
    pub(super) longest: u32,
}

impl GeneralToMove {
    /// With at most so many quiet moves.
    pub(super) fn new(positions: usize, quiet: usize) -> GeneralToMove {
        GeneralToMove {
            captures: vec_of(0, positions),
            laps: Laps::default(),
            left: SmallNumbers::new(positions, most_left(quiet)),
            decided: Decided::new(positions),
            next: Decided::new(positions),
            counts: [0; 3],
            longest: 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn small_numbers_are_what_was_set_less_what_was_counted(
            (most, numbers) in (1..200usize).prop_flat_map(|most| (Just(most), proptest::collection::vec(0..=most as u8, 1..50))),
        ) {
            let mut small = SmallNumbers::new(numbers.len(), most);
            numbers.iter().enumerate().for_each(|(rank, number)| small.set(rank, *number));
            for (rank, number) in numbers.iter().enumerate().filter(|(rank, _)| rank % 2 == 0) {
                (0..*number).for_each(|taken| assert_eq!(small.count_down(rank), number - taken - 1));
            }
            for (rank, number) in numbers.into_iter().enumerate() {
                prop_assert_eq!(small.get(rank), if rank % 2 == 0 { 0 } else { number });
            }
        }
    }
}
