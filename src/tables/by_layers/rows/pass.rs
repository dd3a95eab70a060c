//! A pass of a ply for one side to move: row by row, in pieces for the threads.

use privy_base::best_instructions;
use privy_base::huge_pages::vec_of;
use privy_protocol::Stop;
use rayon::prelude::*;

use super::captures::Near;
use super::moves::{Fresh, From, Geometry, Moves, WordSet, take_word};
use super::split::{Class, Layout};

/// Words of a piece: some milliseconds of work.
const PIECE_WORDS: usize = 1 << 14;
/// More than the words of any row.
const MOST_WORDS: usize = 128;

/// A side to move in a layer, by state.
pub(super) struct SideLayer {
    /// Not won for this side yet: a bit for each set, by class and row.
    pub(super) not_won: Vec<Vec<u64>>,
    /// Decided by the last ply.
    pub(super) fresh: Vec<Fresh>,
    /// A byte for each bit. With the Rebels to move the value, 0 while open; with the General to move the best capture, [`Near::HELD`]
    /// for a lost position.
    pub(super) bytes: Vec<Vec<u8>>,
    /// The laps of the Rebels' values, two bits each; empty while all are 0.
    pub(super) laps: Vec<Vec<u8>>,
    /// By row of the General, the bits of its captures.
    dues: Vec<Vec<u64>>,
}

impl Layout {
    /// Bytes of a layer of a state: a bit for what each side has not won and for the fresh sets of the Rebels and of two plies of the
    /// General, two bytes, and what rows have beside.
    pub(super) fn bytes(&self) -> u64 {
        let rows = self.rows as u64 * (3 * size_of::<WordSet>() + 2 * size_of::<u64>()) as u64;
        self.words as u64 * (5 * 8 + 2 * 64) + rows
    }

    /// All sets.
    fn full(&self) -> Vec<u64> {
        let mut words = vec_of(!0, self.words);
        for class in self.classes.iter().filter(|class| class.sets % 64 != 0) {
            for row in 0..class.rows {
                words[class.place(row).1.end - 1] = (1 << (class.sets % 64)) - 1;
            }
        }
        words
    }
}

/// Some rows of a class, to be changed by one thread.
pub(super) struct Piece<'a> {
    pub(super) state: usize,
    pub(super) class: Class,
    /// The first row in the class.
    pub(super) first: usize,
    pub(super) bytes: &'a mut [u8],
    pub(super) dues: &'a mut [u64],
    laps: &'a mut [u8],
    not_won: &'a mut [u64],
    fresh: &'a mut [u64],
    nonempty: &'a mut [WordSet],
}

fn take<'a, T>(rest: &mut &'a mut [T], len: usize) -> &'a mut [T] {
    let (taken, left) = std::mem::take(rest).split_at_mut_checked(len).unwrap_or_default();
    *rest = left;
    taken
}

impl SideLayer {
    pub(super) fn new(geometry: &Geometry<'_>) -> SideLayer {
        let layouts = geometry.layouts.iter();
        SideLayer {
            not_won: layouts.clone().map(Layout::full).collect(),
            fresh: layouts.clone().map(|layout| Fresh::new(geometry.split, layout)).collect(),
            bytes: layouts.clone().map(|layout| vec_of(0, layout.words * 64)).collect(),
            laps: layouts.clone().map(|_| Vec::new()).collect(),
            dues: layouts.map(|layout| vec![0; layout.rows]).collect(),
        }
    }

    pub(super) fn make_room_for_laps(&mut self, geometry: &Geometry<'_>) {
        for (laps, layout) in self.laps.iter_mut().zip(&geometry.layouts).filter(|(laps, _)| laps.is_empty()) {
            *laps = vec_of(0, layout.words * 16);
        }
    }

    /// Cuts all states into pieces, with rows of fresh sets.
    pub(super) fn cut<'a>(&'a mut self, geometry: &Geometry<'_>, fresh: &'a mut [Fresh]) -> Vec<Piece<'a>> {
        let mut pieces = Vec::new();
        let SideLayer { not_won, bytes, laps, dues, .. } = self;
        let states = not_won.iter_mut().zip(bytes).zip(laps).zip(dues).zip(fresh).zip(&geometry.layouts).enumerate();
        for (state, (((((not_won, bytes), laps), dues), Fresh { words, nonempty, .. }), layout)) in states {
            let mut rest = (not_won.as_mut_slice(), bytes.as_mut_slice(), laps.as_mut_slice(), dues.as_mut_slice());
            let mut rest_of_fresh = (words.as_mut_slice(), nonempty.as_mut_slice());
            for class in layout.classes.iter().filter(|class| class.rows > 0) {
                let at_a_time = (PIECE_WORDS / class.words).max(1);
                for first in (0..class.rows).step_by(at_a_time) {
                    let rows = at_a_time.min(class.rows - first);
                    let words = rows * class.words;
                    pieces.push(Piece {
                        state,
                        class: *class,
                        first,
                        not_won: take(&mut rest.0, words),
                        bytes: take(&mut rest.1, words * 64),
                        laps: take(&mut rest.2, words * 16),
                        dues: take(&mut rest.3, rows),
                        fresh: take(&mut rest_of_fresh.0, words),
                        nonempty: take(&mut rest_of_fresh.1, rows),
                    });
                }
            }
        }
        pieces
    }
}

/// A ply of a side.
#[derive(Debug, Clone, Copy)]
pub(super) struct Ply {
    pub(super) number: u32,
    /// The last ply of the other side decided so many positions that all open ones are asked for a loss.
    pub(super) is_dense: bool,
    /// The last ply of the other side decided any.
    pub(super) follows: bool,
    /// With the General to move, the captures that decide in this ply.
    pub(super) due: Option<Near>,
    /// With the Rebels to move, what is written.
    pub(super) value: u16,
}

/// Finds the positions of a side that a ply decides, from those of the other side; returns their number by state. Once `stop` is set the
/// result is incomplete.
pub(super) fn pass(
    geometry: &Geometry<'_>,
    moves: &[Moves],
    other: &SideLayer,
    own: &mut SideLayer,
    into: &mut [Fresh],
    ply: Ply,
    stop: &Stop,
) -> Vec<u64> {
    let states = moves.par_iter().enumerate();
    let highs = states.map(
        |(state, moves)| if ply.follows { moves.highs_to(geometry.split, state, &other.fresh) } else { Vec::new() },
    );
    let highs: Vec<Vec<u64>> = highs.collect();
    let decided = own.cut(geometry, into).into_par_iter().map(|mut piece| {
        let highs = &highs[piece.state];
        let found = if stop.is_set() { 0 } else { dispatch_piece(geometry, moves, other, &mut piece, highs, ply) };
        (piece.state, found)
    });
    let add = |mut counts: Vec<u64>, (state, found): (usize, u64)| {
        counts[state] += found;
        counts
    };
    let none = || vec![0; geometry.shapes.len()];
    let counts = decided.fold(none, add).reduce(none, |a, b| a.iter().zip(b).map(|(a, b)| a + b).collect());
    let layouts = geometry.shapes.par_iter().zip(&geometry.layouts);
    into.par_iter_mut()
        .zip(layouts)
        .for_each(|(fresh, (shape, layout))| fresh.note_rows(geometry.split, shape, layout));
    counts
}

best_instructions! {
    /// The pass of the rows of a piece; returns how many positions it decides. `highs` are those of rows from which a move leads to fresh sets.
    fn dispatch_piece(
        geometry: &Geometry<'_>,
        moves: &[Moves],
        other: &SideLayer,
        piece: &mut Piece<'_>,
        highs: &[u64],
        ply: Ply,
    ) -> u64 {
        let (width, wins) = (piece.class.words, ply.number % 2 == 1);
        let all: WordSet = (1 << width) - 1;
        let shape = &geometry.shapes[piece.state];
        let mut buffer = [0; MOST_WORDS];
        let (sets, mut count) = (&mut buffer[..width], 0);
        for row in 0..piece.nonempty.len() {
            let due = ply.due.filter(|due| piece.dues[row] & due.bit() != 0 && *due > Near::NONE);
            let is_dense = ply.is_dense && !wins;
            let high = geometry.split.high(shape, &piece.class, piece.first + row);
            let follows = highs.get(high as usize / 64).is_some_and(|bits| bits >> (high % 64) & 1 != 0);
            if !is_dense && !follows && due.is_none() {
                piece.nonempty[row] = 0;
                continue;
            }
            let from = From { geometry, moves: &moves[piece.state], state: piece.state, high };
            let not_won = &mut piece.not_won[row * width..][..width];
            let bytes = &mut piece.bytes[row * width * 64..][..width * 64];
            let mut reached = if follows && !is_dense { from.reach(&other.fresh, sets) } else { 0 };
            if is_dense {
                sets.fill(!0);
                reached = all;
            } else if let Some(due) = due {
                for (set, bytes) in sets.iter_mut().zip(bytes.as_chunks::<64>().0) {
                    *set |= due.among(bytes);
                }
                reached = all;
            }
            let (mut words, mut rest) = (0, reached);
            while let Some(word) = take_word(&mut rest) {
                sets[word] &= not_won[word];
                words |= WordSet::from(sets[word] != 0) << word;
            }
            if !wins && words != 0 {
                words = from.keep_lost(&other.not_won, sets, words);
                words = keep_open(sets, words, bytes, ply.due);
            }
            piece.nonempty[row] = words;
            if words != 0 {
                piece.fresh[row * width..][..width].copy_from_slice(sets);
                let laps = &mut piece.laps;
                let mut rest = words;
                while let Some(word) = take_word(&mut rest) {
                    let mut bits = sets[word];
                    count += u64::from(bits.count_ones());
                    if wins {
                        not_won[word] &= !bits;
                    }
                    if ply.due.is_some() && wins {
                        continue;
                    }
                    let [value, lap] = if ply.due.is_some() { [Near::HELD.0, 0] } else { ply.value.to_le_bytes() };
                    while bits != 0 {
                        let set = word * 64 + bits.trailing_zeros() as usize;
                        bytes[set] = value;
                        if lap != 0 {
                            laps[row * width * 16 + set / 4] |= lap << (set % 4 * 2);
                        }
                        bits &= bits - 1;
                    }
                }
            }
            while let Some(word) = take_word(&mut reached) {
                sets[word] = 0;
            }
        }
        count
    }
}

/// Leaves the sets that are not lost already and, with the General to move, have no capture that leads on; returns the nonempty words.
#[inline(always)]
fn keep_open(sets: &mut [u64], words: WordSet, bytes: &[u8], due: Option<Near>) -> WordSet {
    let most = due.unwrap_or(Near::NONE);
    let (mut open, mut rest) = (0, words);
    while let Some(word) = take_word(&mut rest) {
        let mut bits = sets[word];
        while bits != 0 {
            if Near(bytes[word * 64 + bits.trailing_zeros() as usize]) > most {
                sets[word] &= !(bits & bits.wrapping_neg());
            }
            bits &= bits - 1;
        }
        open |= WordSet::from(sets[word] != 0) << word;
    }
    open
}
