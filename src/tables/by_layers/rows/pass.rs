//! A pass of a ply for one side to move: row by row, in pieces for the threads.

use privy_base::best_instructions;
use privy_base::huge_pages::{vec_of, zeros};
use privy_base::threads::{each, map, try_map};
use privy_protocol::Stop;
use privy_rules::Side;

use crate::error::TableError;

use super::captures::Near;
use super::moves::{Fresh, From, Geometry, Moves, WordSet, folded, keep, take_word};
use super::ply_records::{PlyRecords, PlySource, record_row};
use super::split::{Class, Layout};

/// Words of a piece: some milliseconds of work.
const PIECE_WORDS: usize = 1 << 14;
/// More than the words of any row.
const MOST_WORDS: usize = 128;

/// A side to move in a layer, by state.
pub(super) struct SideLayer {
    /// Not won for this side yet: a bit for each set, by class and row.
    pub(super) not_won: Vec<Vec<u64>>,
    /// PlySource by the last ply.
    pub(super) fresh: Vec<Fresh>,
    /// For each bit the General's best capture, [`Near::HELD`] in a lost position.
    captures: Vec<Vec<u8>>,
    /// By row of the General, the bits of its captures.
    dues: Vec<Vec<u64>>,
}

impl Layout {
    /// Bytes of a layer of a state: a bit for what each side has not won and for the fresh sets of the Rebels and of two plies of the
    /// General; a byte for a capture; and what rows have beside.
    pub(super) fn bytes(&self) -> u64 {
        self.words as u64 * (5 * 8 + 64) + self.rows as u64 * 4 * 8
    }

    /// Bytes of a layer of a state whose positions with the Rebels to move are read alone.
    pub(super) fn bytes_read(&self) -> u64 {
        self.words as u64 * 2 * 8 + self.rows as u64 * 8
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
    /// Empty for the Rebels, as the next.
    pub(super) captures: &'a mut [u8],
    pub(super) dues: &'a mut [u64],
    not_won: &'a mut [u64],
    fresh: &'a mut [u64],
    nonempty: &'a mut [u64],
}

fn take<'a, T>(rest: &mut &'a mut [T], len: usize) -> &'a mut [T] {
    let (taken, left) = std::mem::take(rest).split_at_mut_checked(len).unwrap_or_default();
    *rest = left;
    taken
}

impl SideLayer {
    /// Without memory for the states that are not held.
    pub(super) fn new(geometry: &Geometry<'_>, side: Side, is_held: &[bool]) -> SideLayer {
        let layouts = || geometry.layouts.iter().zip(is_held);
        let of_general = |is_held: &bool| usize::from(side == Side::General && *is_held);
        SideLayer {
            not_won: map(layouts(), |(layout, held)| if *held { layout.full() } else { Vec::new() }),
            fresh: Fresh::of_states(geometry, is_held),
            captures: map(layouts(), |(layout, held)| zeros(layout.words * 64 * of_general(held))),
            dues: map(layouts(), |(layout, held)| vec![0; layout.rows * of_general(held)]),
        }
    }

    /// Cuts the states of this process into pieces, with rows of fresh sets.
    pub(super) fn cut<'a>(&'a mut self, geometry: &Geometry<'_>, fresh: &'a mut [Fresh]) -> Vec<Piece<'a>> {
        let mut pieces = Vec::new();
        let SideLayer { not_won, captures, dues, .. } = self;
        let states = not_won.iter_mut().zip(captures).zip(dues).zip(fresh).zip(&geometry.layouts).enumerate();
        let own = states.filter(|(state, _)| geometry.is_own[*state]);
        for (state, ((((not_won, captures), dues), Fresh { words, nonempty, .. }), layout)) in own {
            let mut rest = (not_won.as_mut_slice(), captures.as_mut_slice(), dues.as_mut_slice());
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
                        captures: take(&mut rest.1, words * 64),
                        dues: take(&mut rest.2, rows),
                        fresh: take(&mut rest_of_fresh.0, words),
                        nonempty: take(&mut rest_of_fresh.1, rows),
                    });
                }
            }
        }
        pieces
    }

    /// Takes what a ply decided with the Rebels to move in some states, as it was recorded, instead of computing it; returns the number of
    /// positions.
    pub(super) fn take_ply(
        &mut self,
        geometry: &Geometry<'_>,
        ply: u32,
        decided: &PlySource<'_>,
    ) -> Result<u64, TableError> {
        let states = self.not_won.iter_mut().zip(&mut self.fresh).enumerate();
        let states = states.filter(|(state, _)| decided.is_of(*state, geometry));
        let counts = try_map(states, |(state, (not_won, fresh))| -> Result<u64, TableError> {
            let (layout, mut count) = (&geometry.layouts[state], 0);
            fresh.nonempty.fill(0);
            decided.for_each(state, layout, ply, |class, number, word, sets| {
                let (row, words) = class.place(number);
                let decided = &mut fresh.words[words.clone()];
                if fresh.nonempty[row] == 0 {
                    decided.fill(0);
                }
                decided[word] = sets;
                fresh.nonempty[row] |= folded(1 << word);
                if ply % 2 == 1 {
                    not_won[words.start + word] &= !sets;
                }
                count += u64::from(sets.count_ones());
            })?;
            fresh.note_rows(geometry.split, &geometry.shapes[state], layout);
            Ok(count)
        });
        Ok(counts?.into_iter().sum())
    }
}

/// A ply of a side.
#[derive(Debug, Clone, Copy)]
pub(super) struct Ply<'a> {
    pub(super) number: u32,
    /// The last ply of the other side decided so many positions that all open ones are asked for a loss.
    pub(super) is_dense: bool,
    /// The last ply of the other side decided any.
    pub(super) follows: bool,
    /// With the General to move, the captures that decide in this ply, and whether it must capture where it can.
    pub(super) due: Option<Near>,
    pub(super) is_compulsory: bool,
    /// With the Rebels to move, what records the positions that are decided.
    pub(super) records: Option<&'a PlyRecords>,
}

/// Finds the positions of a side that a ply decides in the states of this process, from those of the other side; returns their number by
/// state. Once `stop` is set the result is incomplete.
pub(super) fn pass(
    geometry: &Geometry<'_>,
    moves: &[Moves],
    other: &SideLayer,
    own: &mut SideLayer,
    into: &mut [Fresh],
    ply: Ply<'_>,
    stop: &Stop,
) -> Vec<u64> {
    let highs = map(moves.iter().enumerate(), |(state, moves)| match ply.follows && geometry.is_own[state] {
        true => moves.highs_to(geometry.split, state, &other.fresh),
        false => Vec::new(),
    });
    let decided = map(own.cut(geometry, into), |mut piece| {
        let highs = &highs[piece.state];
        if stop.is_set() {
            return (piece.state, 0);
        }
        let mut decided = Vec::new();
        let found = dispatch_piece(geometry, moves, other, &mut piece, highs, ply, &mut decided);
        if let Some(records) = ply.records {
            records.add(piece.state, piece.class.place(piece.first).0, ply.number, decided);
        }
        (piece.state, found)
    });
    let mut counts = vec![0; geometry.shapes.len()];
    decided.into_iter().for_each(|(state, found)| counts[state] += found);
    let own = into.iter_mut().enumerate().filter(|(state, _)| geometry.is_own[*state]);
    each(own, |(state, fresh)| fresh.note_rows(geometry.split, &geometry.shapes[state], &geometry.layouts[state]));
    counts
}

best_instructions! {
    /// The pass of the rows of a piece; returns how many positions it decides. `highs` are those of rows from which a move leads to fresh sets.
    /// `record` gets what is decided with the Rebels to move.
    fn dispatch_piece(
        geometry: &Geometry<'_>,
        moves: &[Moves],
        other: &SideLayer,
        piece: &mut Piece<'_>,
        highs: &[u64],
        ply: Ply<'_>,
        record: &mut Vec<u8>,
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
            let captures = piece.captures.get_mut(row * width * 64..).unwrap_or_default();
            let mut reached = if follows && !is_dense { from.reach(&other.fresh, sets) } else { 0 };
            if is_dense {
                sets.fill(!0);
                reached = all;
            }
            if ply.is_compulsory {
                let mut rest = reached;
                while let Some(word) = take_word(&mut rest) {
                    sets[word] &= Near::NONE.among(&captures[word * 64..][..64]);
                }
            }
            if let Some(due) = due.filter(|_| !is_dense && (wins || !ply.is_compulsory)) {
                for (set, captures) in sets.iter_mut().zip(captures.as_chunks::<64>().0) {
                    *set |= due.among(captures);
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
                if let Some(due) = ply.due {
                    words = keep(sets, words, |word, sets| without_captures(sets, &captures[word * 64..][..64], due));
                } else if is_dense && ply.number > 0 {
                    // From positions that were lost before no move leads to a fresh one.
                    words = from.keep_reaching(&other.fresh, sets, words);
                }
            }
            if let Some(due) = due.filter(|_| !wins && ply.is_compulsory) {
                // Whatever the other moves are.
                for (word, captures) in captures.as_chunks::<64>().0.iter().enumerate().take(width) {
                    let lost = not_won[word] & due.among(captures);
                    sets[word] |= lost;
                    words |= WordSet::from(lost != 0) << word;
                }
                reached = all;
            }
            piece.nonempty[row] = folded(words);
            if words != 0 {
                piece.fresh[row * width..][..width].copy_from_slice(sets);
                if ply.due.is_none() {
                    record_row(record, row, words, sets);
                }
                let mut rest = words;
                while let Some(word) = take_word(&mut rest) {
                    let mut bits = sets[word];
                    count += u64::from(bits.count_ones());
                    if wins {
                        not_won[word] &= !bits;
                    } else if ply.due.is_some() {
                        while bits != 0 {
                            captures[word * 64 + bits.trailing_zeros() as usize] = Near::HELD.0;
                            bits &= bits - 1;
                        }
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

/// The sets of a word from which no capture leads on, and whose positions are not lost already.
#[inline(always)]
fn without_captures(sets: u64, captures: &[u8], due: Near) -> u64 {
    let (mut kept, mut bits) = (sets, sets);
    while bits != 0 {
        if Near(captures[bits.trailing_zeros() as usize]) > due {
            kept &= !(bits & bits.wrapping_neg());
        }
        bits &= bits - 1;
    }
    kept
}
