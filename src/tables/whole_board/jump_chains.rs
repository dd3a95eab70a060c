//! Chains of jumps.
//!
//! In the middle of a chain the General must continue if it can, so the result there follows from the landings with a Rebel less, in the
//! same ply. Where it can't continue, or chooses not to, the move ends and the Rebels are to move.

use privy_base::best_instructions;
use privy_base::huge_pages::{vec_of, zeros};
use privy_base::threads;

use super::block::{BitRow, Block, EMPTY, FULL, LANES, ROWS, Rows, StateResults, minus_row, or_row};
use super::compiled_states::{Landing, MoveEnd};
use super::mirrored_planes::MirroredPlanes;

/// The planes of a landing: not every way on is won for the Rebels; a way on is lost for them.
pub(super) const NOT_WON: usize = 0;
pub(super) const LOST: usize = 1;

/// In the middle of chains; empty where there are none.
#[derive(Debug)]
pub(super) struct JumpChains {
    landings: usize,
    /// The levels, each of units of so many blocks: a block that is its own image, or two that are images of each other.
    levels: Vec<(usize, Vec<usize>)>,
    /// By block, its place in the levels.
    places: Vec<usize>,
    /// By plane, then by place of a block, then by landing.
    planes: [Vec<Block>; 2],
    /// The rows that the last ply changed.
    changed: [Vec<Rows>; 2],
}

impl JumpChains {
    pub(super) fn new(landings: usize, blocks: usize, mirrored: Option<&MirroredPlanes>) -> JumpChains {
        let mut blocks: Vec<usize> = (0..if landings == 0 { 0 } else { blocks }).collect();
        let mut places = blocks.clone();
        let image = |block: usize| mirrored.map_or(block, |mirrored| mirrored.block(block));
        let level = |block: usize| (block.count_ones(), image(block) != block);
        blocks.sort_by_key(|block| (level(*block), image(*block).min(*block)));
        blocks.iter().enumerate().for_each(|(place, block)| places[*block] = place);
        let all = landings * blocks.len();
        let levels = blocks.chunk_by(|a, b| level(*a) == level(*b));
        let levels = levels.map(|blocks| (1 + usize::from(level(blocks[0]).1), blocks.to_vec())).collect();
        let (planes, changed) = ([vec_of(FULL, all), zeros(all)], [0, 1].map(|_| vec![Rows::NONE; all]));
        JumpChains { landings, levels, places, planes, changed }
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

    /// Carries a ply of the Rebels into the middle of chains; `results` are by state, `is_new` tells for each plane whether any of them
    /// has changed, and `ends_are_new` as long as landings that end the game count as changed.
    pub(super) fn pass(
        &mut self,
        landings: &[Landing],
        ends_are_new: bool,
        is_new: [bool; 2],
        results: &[StateResults],
    ) {
        let JumpChains { levels, places, planes: [not_won, lost], changed: [fewer, more], .. } = self;
        let context = ChainContext { levels, places, landings, ends_are_new, results };
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
    levels: &'a [(usize, Vec<usize>)],
    places: &'a [usize],
    landings: &'a [Landing],
    ends_are_new: bool,
    results: &'a [StateResults],
}

impl ChainContext<'_> {
    /// A jump takes a Rebel, so it reads a block whose number has fewer ones, or the same block, or the image of one of these: units of blocks
    /// with as many ones do not depend on each other, those with fewer come before.
    fn pass<const PLANE: usize>(&self, planes: &mut [Block], changed: &mut [Rows]) {
        let landings = self.landings.len();
        let mut below: usize = 0;
        for (unit, level) in self.levels {
            let (planes_below, planes) = planes.split_at_mut(below * landings);
            let (changed_below, changed) = changed.split_at_mut(below * landings);
            let size = unit * landings;
            let tasks = planes.chunks_mut(size * UNITS_OF_TASK).zip(changed.chunks_mut(size * UNITS_OF_TASK));
            threads::each(tasks.zip(level.chunks(unit * UNITS_OF_TASK)), |((planes, changed), blocks)| {
                let units = planes.chunks_mut(size).zip(changed.chunks_mut(size)).zip(blocks.chunks(*unit));
                for ((planes, changed), blocks) in units {
                    let pass = UnitPass { context: self, blocks, planes: planes_below, changed: changed_below };
                    dispatch_unit(&pass, PLANE, planes, changed);
                }
            });
            below += level.len();
        }
    }
}

/// The rows to be looked at, each by the place of its block in the unit and its number, and for which landings: a bit for each.
struct DueByRow {
    words: usize,
    bits: Vec<u64>,
    /// A bit for each row with any, the lower rows of all blocks first.
    rows: u64,
}

/// Blocks of a unit at most.
const UNIT: usize = 2;

/// Units that a thread takes at a time.
const UNITS_OF_TASK: usize = 16;

impl DueByRow {
    #[inline(always)]
    fn new(due: &[Rows], landings: usize) -> DueByRow {
        let words = landings.div_ceil(64);
        let mut by_row = DueByRow { words, bits: vec![0; UNIT * ROWS * words], rows: 0 };
        for (place, due) in due.chunks_exact(landings).enumerate() {
            for (landing, rows) in due.iter().enumerate() {
                rows.for_each(|row| by_row.add(place, row, landing));
            }
        }
        by_row
    }

    #[inline(always)]
    fn add(&mut self, place: usize, row: usize, landing: usize) {
        let slot = row * UNIT + place;
        self.bits[slot * self.words + landing / 64] |= 1 << (landing % 64);
        self.rows |= 1 << slot;
    }

    /// Takes a landing out of the lowest row.
    #[inline(always)]
    fn take(&mut self) -> Option<(usize, usize, usize)> {
        loop {
            let slot = (self.rows != 0).then(|| self.rows.trailing_zeros() as usize)?;
            let of_row = &mut self.bits[slot * self.words..][..self.words];
            if let Some(word) = of_row.iter().position(|bits| *bits != 0) {
                let landing = word * 64 + of_row[word].trailing_zeros() as usize;
                of_row[word] &= of_row[word] - 1;
                return Some((slot % UNIT, slot / UNIT, landing));
            }
            self.rows &= self.rows - 1;
        }
    }
}

/// A pass through a unit of blocks, from those below.
struct UnitPass<'a> {
    context: &'a ChainContext<'a>,
    blocks: &'a [usize],
    planes: &'a [Block],
    changed: &'a [Rows],
}

impl UnitPass<'_> {
    /// The place of a block in the unit.
    #[inline(always)]
    fn place(&self, block: usize) -> Option<usize> {
        match *self.blocks {
            [own, ..] if own == block => Some(0),
            [_, image] if image == block => Some(1),
            _ => None,
        }
    }

    /// The planes, or changed rows, of the landings in a block of the unit or one below.
    #[inline(always)]
    fn of_block<'b, T>(&self, block: usize, own: &'b [T], below: &'b [T]) -> &'b [T] {
        let landings = self.context.landings.len();
        match self.place(block) {
            Some(place) => &own[place * landings..][..landings],
            None => &below[self.context.places[block] * landings..][..landings],
        }
    }

    /// Where the move ends at a landing, if it can end there.
    #[inline(always)]
    fn end<const PLANE: usize>(&self, landing: &Landing, block: usize) -> &Block {
        match (landing.end, PLANE) {
            (MoveEnd::State(state), NOT_WON) => &self.context.results[state].not_won[block],
            (MoveEnd::State(state), _) => &self.context.results[state].all_lost[block],
            (MoveEnd::GeneralWins, _) => &FULL,
            (MoveEnd::RebelsWin, _) => &EMPTY,
        }
    }

    /// A row of a landing.
    #[inline(always)]
    fn row<const PLANE: usize>(&self, block: usize, row: usize, planes: &[Block], landing: &Landing) -> BitRow {
        let (mut goes_on, mut result) = ([0; LANES], [0; LANES]);
        for (onto, shift) in &landing.jumps {
            let Some(source) = shift.source(block).filter(|_| shift.admits(row)) else { continue };
            or_row(&mut goes_on, shift.admitted(block, row));
            let from = &self.of_block(source, planes, self.planes)[*onto];
            or_row(&mut result, &shift.read_row(block, row, from));
        }
        let mut end = self.end::<PLANE>(landing, block)[row];
        if !landing.may_stop {
            minus_row(&mut end, &goes_on);
        }
        or_row(&mut result, &end);
        result
    }

    /// The planes that make the second block of a landing from the first, where the landing is its own image.
    #[inline(always)]
    fn copied(landing: &Landing, place: usize) -> Option<&MirroredPlanes> {
        landing.own_image.as_deref().filter(|_| place == 1)
    }

    /// By place and landing, the rows for which the blocks below or the ends of the moves have changed.
    #[inline(always)]
    fn due<const PLANE: usize>(&self) -> Vec<Rows> {
        let ChainContext { landings, ends_are_new, results, .. } = *self.context;
        let mut due = Vec::with_capacity(self.blocks.len() * landings.len());
        for (place, block) in self.blocks.iter().enumerate() {
            for landing in landings {
                if Self::copied(landing, place).is_some() {
                    due.push(Rows::NONE);
                    continue;
                }
                let mut rows = match (landing.end, PLANE) {
                    (MoveEnd::State(state), NOT_WON) => results[state].won.rows(*block),
                    (MoveEnd::State(state), _) => results[state].lost.rows(*block),
                    _ if ends_are_new => Rows::ALL,
                    _ => Rows::NONE,
                };
                for (onto, shift) in &landing.jumps {
                    if let Some(source) = shift.source(*block).filter(|source| self.place(*source).is_none()) {
                        rows = rows.or(shift.rows(self.of_block(source, &[], self.changed)[*onto]));
                    }
                }
                due.push(rows);
            }
        }
        due
    }

    /// Reads from all rows that will be read. The processor fetches them side by side; each row alone would be waited for, since what is done
    /// next depends on it.
    #[inline(always)]
    fn fetch<const PLANE: usize>(&self, due: &[Rows], planes: &[Block]) {
        let landings = self.context.landings;
        let of_blocks = due.chunks_exact(landings.len()).zip(planes.chunks_exact(landings.len()));
        let mut read = 0;
        for (block, (due, planes)) in self.blocks.iter().zip(of_blocks) {
            for ((due, landing), known) in due.iter().zip(landings).zip(planes) {
                let end = self.end::<PLANE>(landing, *block);
                for row in *due {
                    read ^= known[row][0] ^ end[row][0];
                }
                for (onto, shift) in &landing.jumps {
                    if let Some(source) = shift.source(*block).filter(|source| self.place(*source).is_none()) {
                        let from = &self.of_block(source, &[], self.planes)[*onto];
                        read ^= shift.fetch(from, *due);
                    }
                }
            }
        }
        std::hint::black_box(read);
    }

    /// Carries a ply into a plane of all landings: only the rows for which anything has changed, the lowest first, since most jumps read no
    /// higher ones. As every jump takes a Rebel, rows that are looked at again come to an end.
    #[inline(always)]
    fn advance<const PLANE: usize>(&self, planes: &mut [Block], changed: &mut [Rows]) {
        let landings = self.context.landings;
        let due = self.due::<PLANE>();
        self.fetch::<PLANE>(&due, planes);
        let mut due = DueByRow::new(&due, landings.len());
        while let Some((place, row, number)) = due.take() {
            let landing = &landings[number];
            let found = self.row::<PLANE>(self.blocks[place], row, planes, landing);
            let known = &mut planes[place * landings.len() + number][row];
            if *known == found {
                continue;
            }
            *known = found;
            self.follow(place, Rows::one(row), number, changed, &mut due);
            if let (Some(mirrored), [_, _]) = (Self::copied(landing, 1), self.blocks) {
                let (first, second) = planes.split_at_mut(landings.len());
                let rows = mirrored.rows(Rows::one(row));
                for row in rows {
                    second[number][row] = mirrored.row(&first[number], row);
                }
                self.follow(1, rows, number, changed, &mut due);
            }
        }
    }

    /// Notes rows of a landing that have changed, and which others of the unit are due.
    #[inline(always)]
    fn follow(&self, place: usize, rows: Rows, number: usize, changed: &mut [Rows], due: &mut DueByRow) {
        let landings = self.context.landings;
        let changed = &mut changed[place * landings.len() + number];
        *changed = changed.or(rows);
        for (before, jump) in &landings[number].before {
            let (before, (_, shift)) = (*before, &landings[*before].jumps[*jump]);
            for (other, block) in self.blocks.iter().enumerate() {
                if Self::copied(&landings[before], other).is_none() && shift.source(*block) == Some(self.blocks[place])
                {
                    shift.rows(rows).for_each(|row| due.add(other, row, before));
                }
            }
        }
    }
}

best_instructions! {
    fn dispatch_unit(pass: &UnitPass<'_>, plane: usize, planes: &mut [Block], changed: &mut [Rows]) {
        match plane {
            NOT_WON => pass.advance::<NOT_WON>(planes, changed),
            _ => pass.advance::<LOST>(planes, changed),
        }
    }
}
