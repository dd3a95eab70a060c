//! Chains of jumps.
//!
//! In the middle of a chain the General must continue if it can, so the result there follows from the landings with a Rebel less, in the
//! same ply. Where it can't continue, or chooses not to, the move ends and the Rebels are to move.

use rayon::prelude::*;

use privy_base::best_instructions;
use privy_base::huge_pages::{vec_of, zeros};

use super::block::{BitRow, Block, EMPTY, FULL, ROWS, Rows, StateResults, minus_row, or_row};
use super::compiled_states::{Landing, MoveEnd};
use super::shifts::PlaneShift;

/// The planes of a landing: not every way on is won for the Rebels; a way on is lost for them.
pub(super) const NOT_WON: usize = 0;
pub(super) const LOST: usize = 1;

/// In the middle of chains; empty where there are none.
#[derive(Debug)]
pub(super) struct JumpChains {
    landings: usize,
    /// The blocks by the number of ones of their numbers, and by block its place among them.
    blocks: Vec<usize>,
    places: Vec<usize>,
    /// By plane, then by place of a block, then by landing.
    planes: [Vec<Block>; 2],
    /// The rows that the last ply changed.
    changed: [Vec<Rows>; 2],
}

impl JumpChains {
    pub(super) fn new(landings: usize, blocks: usize) -> JumpChains {
        let mut blocks: Vec<usize> = (0..if landings == 0 { 0 } else { blocks }).collect();
        let mut places = blocks.clone();
        blocks.sort_by_key(|block| block.count_ones());
        blocks.iter().enumerate().for_each(|(place, block)| places[*block] = place);
        let all = landings * blocks.len();
        let (planes, changed) = ([vec_of(FULL, all), zeros(all)], [0, 1].map(|_| vec![Rows::NONE; all]));
        JumpChains { landings, blocks, places, planes, changed }
    }

    /// A plane of a landing.
    #[inline(always)]
    pub(super) fn plane<const PLANE: usize>(&self, block: usize, landing: usize) -> &Block {
        &self.planes[PLANE][self.places[block] * self.landings + landing]
    }

    /// The rows of a plane that the last ply changed.
    #[inline(always)]
    pub(super) fn changed<const PLANE: usize>(&self, block: usize, landing: usize) -> Rows {
        self.changed[PLANE][self.places[block] * self.landings + landing]
    }

    /// Carries a ply of the Rebels into the middle of chains; `results` are by state and image, `is_new` tells for each plane whether any of them
    /// has changed, and `ends_are_new` as long as landings that end the game count as changed.
    pub(super) fn pass(
        &mut self,
        landings: &[Landing],
        ends_are_new: bool,
        is_new: [bool; 2],
        results: &[StateResults],
    ) {
        let JumpChains { blocks, places, planes: [not_won, lost], changed: [fewer, more], .. } = self;
        let context = ChainContext { blocks, places, landings, ends_are_new, results };
        fewer.fill(Rows::NONE);
        more.fill(Rows::NONE);
        if ends_are_new || is_new[NOT_WON] {
            context.pass::<NOT_WON>(not_won, fewer);
        }
        if ends_are_new || is_new[LOST] {
            context.pass::<LOST>(lost, more);
        }
    }
}

/// What a pass reads.
#[derive(Clone, Copy)]
struct ChainContext<'a> {
    blocks: &'a [usize],
    places: &'a [usize],
    landings: &'a [Landing],
    ends_are_new: bool,
    results: &'a [StateResults],
}

impl ChainContext<'_> {
    /// A jump takes a Rebel, so it reads a lower index: blocks whose numbers have as many ones do not depend on each other, those with fewer
    /// come before.
    fn pass<const PLANE: usize>(&self, planes: &mut [Block], changed: &mut [Rows]) {
        let landings = self.landings.len();
        let mut below: usize = 0;
        for level in self.blocks.chunk_by(|a, b| a.count_ones() == b.count_ones()) {
            let (planes_below, planes) = planes.split_at_mut(below * landings);
            let (changed_below, changed) = changed.split_at_mut(below * landings);
            let of_level = planes.par_chunks_mut(landings).zip(changed.par_chunks_mut(landings)).zip(level);
            of_level.for_each(|((planes, changed), block)| {
                let pass = BlockPass { context: self, block: *block, planes: planes_below, changed: changed_below };
                dispatch_block(&pass, PLANE, planes, changed);
            });
            below += level.len();
        }
    }
}

/// The landings for which a row is to be looked at: by row, a bit for each.
struct DueByRow {
    words: usize,
    bits: Vec<u64>,
}

impl DueByRow {
    #[inline(always)]
    fn new(due: &[Rows]) -> DueByRow {
        let words = due.len().div_ceil(64);
        let mut by_row = DueByRow { words, bits: vec![0; ROWS * words] };
        for (landing, rows) in due.iter().enumerate() {
            rows.for_each(|row| by_row.add(row, landing));
        }
        by_row
    }

    #[inline(always)]
    fn add(&mut self, row: usize, landing: usize) {
        self.bits[row * self.words + landing / 64] |= 1 << (landing % 64);
    }

    /// Takes a landing out of a row.
    #[inline(always)]
    fn take(&mut self, row: usize) -> Option<usize> {
        let of_row = &mut self.bits[row * self.words..][..self.words];
        let word = of_row.iter().position(|bits| *bits != 0)?;
        let landing = word * 64 + of_row[word].trailing_zeros() as usize;
        of_row[word] &= of_row[word] - 1;
        Some(landing)
    }
}

/// A pass through a block, from those below.
struct BlockPass<'a> {
    context: &'a ChainContext<'a>,
    block: usize,
    planes: &'a [Block],
    changed: &'a [Rows],
}

impl BlockPass<'_> {
    /// The planes, or changed rows, of the landings in the block or one below.
    #[inline(always)]
    fn of_block<'b, T>(&self, block: usize, own: &'b [T], below: &'b [T]) -> &'b [T] {
        let landings = self.context.landings.len();
        if block == self.block { own } else { &below[self.context.places[block] * landings..][..landings] }
    }

    /// The jumps of a landing from sets of a row, with the block that each of them reads.
    #[inline(always)]
    fn jumps<'b>(&self, landing: &'b Landing, row: usize) -> impl Iterator<Item = (usize, &'b PlaneShift, usize)> {
        let block = self.block;
        let jumps = landing.jumps.iter().filter(move |(_, shift)| shift.rows(Rows::ALL).contains(row));
        jumps.filter_map(move |(onto, shift)| Some((*onto, shift, shift.source(block)?)))
    }

    /// Where the move ends at a landing, if it can end there.
    #[inline(always)]
    fn end<const PLANE: usize>(&self, landing: &Landing) -> &Block {
        match (landing.end, PLANE) {
            (MoveEnd::State(state), NOT_WON) => &self.context.results[state].not_won[self.block],
            (MoveEnd::State(state), _) => &self.context.results[state].all_lost[self.block],
            (MoveEnd::GeneralWins, _) => &FULL,
            (MoveEnd::RebelsWin, _) => &EMPTY,
        }
    }

    /// A row of a landing.
    #[inline(always)]
    fn row<const PLANE: usize>(&self, row: usize, planes: &[Block], landing: &Landing) -> BitRow {
        let mut result = self.end::<PLANE>(landing)[row];
        if !landing.may_stop {
            self.jumps(landing, row).for_each(|(_, shift, _)| minus_row(&mut result, shift.admitted(self.block, row)));
        }
        for (onto, shift, source) in self.jumps(landing, row) {
            let from = &self.of_block(source, planes, self.planes)[onto][shift.source_row(row)];
            or_row(&mut result, &shift.read_row(self.block, row, from));
        }
        result
    }

    /// By landing, the rows for which the blocks below or the ends of the moves have changed.
    #[inline(always)]
    fn due<const PLANE: usize>(&self) -> Vec<Rows> {
        let ChainContext { landings, ends_are_new, results, .. } = *self.context;
        let due = landings.iter().map(|landing| {
            let at_end = match (landing.end, PLANE) {
                (MoveEnd::State(state), NOT_WON) => results[state].won.rows(self.block),
                (MoveEnd::State(state), _) => results[state].lost.rows(self.block),
                _ if ends_are_new => Rows::ALL,
                _ => Rows::NONE,
            };
            landing.jumps.iter().fold(at_end, |rows, (onto, shift)| match shift.source(self.block) {
                Some(source) if source != self.block => {
                    rows.or(shift.rows(self.of_block(source, &[], self.changed)[*onto]))
                }
                _ => rows,
            })
        });
        due.collect()
    }

    /// Reads from all rows that will be read. The processor fetches them side by side; each row alone would be waited for, since what is done
    /// next depends on it.
    #[inline(always)]
    fn fetch<const PLANE: usize>(&self, due: &[Rows], planes: &[Block]) {
        let mut read = 0;
        for ((due, landing), known) in due.iter().zip(self.context.landings).zip(planes) {
            let end = self.end::<PLANE>(landing);
            for row in *due {
                read ^= known[row][0] ^ end[row][0];
            }
            for (onto, shift) in &landing.jumps {
                if let Some(source) = shift.source(self.block).filter(|source| *source != self.block) {
                    let from = &self.of_block(source, planes, self.planes)[*onto];
                    read ^= shift.fetch(from, *due);
                }
            }
        }
        std::hint::black_box(read);
    }

    /// Carries a ply into a plane of all landings: only the rows for which anything has changed, the lowest first, since jumps read no higher
    /// ones.
    #[inline(always)]
    fn advance<const PLANE: usize>(&self, planes: &mut [Block], changed: &mut [Rows]) {
        let landings = self.context.landings;
        let due = self.due::<PLANE>();
        self.fetch::<PLANE>(&due, planes);
        let mut due = DueByRow::new(&due);
        for row in 0..ROWS {
            while let Some(number) = due.take(row) {
                let found = self.row::<PLANE>(row, planes, &landings[number]);
                if planes[number][row] == found {
                    continue;
                }
                planes[number][row] = found;
                changed[number] = changed[number].or(Rows::one(row));
                for (before, jump) in &landings[number].before {
                    let (_, shift) = &landings[*before].jumps[*jump];
                    if shift.source(self.block) == Some(self.block) {
                        shift.rows(Rows::one(row)).for_each(|row| due.add(row, *before));
                    }
                }
            }
        }
    }
}

best_instructions! {
    fn dispatch_block(pass: &BlockPass<'_>, plane: usize, planes: &mut [Block], changed: &mut [Rows]) {
        match plane {
            NOT_WON => pass.advance::<NOT_WON>(planes, changed),
            _ => pass.advance::<LOST>(planes, changed),
        }
    }
}
