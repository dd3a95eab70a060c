//! The passes of a ply for one state of the General: Rebels to move, arrivals of the General, General to move.
//!
//! A set is won when a move leads to one that the other side lost a ply earlier. It is lost when some move leads to one that the other
//! side won a ply earlier, and none to one that is not won by then.

use privy_base::best_instructions;
use privy_base::huge_pages::zeros;
use privy_rules::CompiledRules;

use super::block::{
    BLOCK_SETS, Bits, Block, Decided, EMPTY, FULL, Found, Rows, StateResults, and, dispatch_add_up, is_empty_row,
    minus, minus_row, or, write_value,
};
use super::compiled_states::{Arrival, CompiledState, GeneralMove, MoveEnd, Target};
use super::free_jumps::FreeJumps;
use super::jump_chains::{JumpChains, LOST, NOT_WON};
use super::plane_index::PlaneIndex;
use super::shifts::PlaneShift;

/// The ply of a pass, and what all passes read.
#[derive(Clone, Copy)]
pub(super) struct PlyContext<'a> {
    pub(super) index: &'a PlaneIndex,
    pub(super) rules: &'a CompiledRules,
    pub(super) ply: u32,
}

#[derive(Debug)]
pub(super) struct RebelsToMove {
    /// Legal and not decided yet.
    pub(super) open: OpenSets,
    /// Decided in this ply.
    pub(super) won: Decided,
    pub(super) lost: Decided,
    pub(super) values: StateValues,
}

#[derive(Debug)]
pub(super) struct GeneralToMove {
    pub(super) open: OpenSets,
    /// Not won for the General yet.
    pub(super) not_won: Bits,
    pub(super) won: Decided,
    pub(super) lost: Decided,
    pub(super) over: Decided,
}

/// Legal and not decided yet.
#[derive(Debug)]
pub(super) struct OpenSets {
    pub(super) blocks: Bits,
    /// By block, the nonempty rows.
    pub(super) rows: Vec<Rows>,
}

impl OpenSets {
    /// What a ply has decided is no longer open.
    #[inline(always)]
    fn decide(&mut self, block: usize, decided: &Found) {
        let open = &mut self.blocks[block];
        for row in decided.rows {
            minus_row(&mut open[row], &decided.sets[row]);
            if is_empty_row(&open[row]) {
                self.rows[block] = self.rows[block].without(row);
            }
        }
    }
}

/// The values of the positions with the Rebels to move as `Coding` writes them, 0 while open; only blocks with legal positions.
#[derive(Debug)]
pub(super) struct StateValues {
    /// By block, its place among these.
    places: Vec<Option<u32>>,
    bytes: Vec<u8>,
}

impl StateValues {
    pub(super) fn new(open: &Bits) -> StateValues {
        let mut blocks = 0;
        let place = |block: &Block| {
            let place = (*block != EMPTY).then_some(blocks);
            blocks += u32::from(place.is_some());
            place
        };
        let places = open.iter().map(place).collect();
        StateValues { places, bytes: zeros(blocks as usize * BLOCK_SETS) }
    }

    /// The value of a legal position, by the number of its set.
    #[inline(always)]
    pub(super) fn of_set(&self, set: u32) -> u8 {
        self.place(set).map_or(0, |place| self.bytes[place])
    }

    #[inline(always)]
    pub(super) fn set(&mut self, set: u32, value: u8) {
        if let Some(place) = self.place(set) {
            self.bytes[place] = value;
        }
    }

    #[inline(always)]
    fn place(&self, set: u32) -> Option<usize> {
        let place = self.places[set as usize / BLOCK_SETS]?;
        Some(place as usize * BLOCK_SETS + set as usize % BLOCK_SETS)
    }

    /// The values of a block with legal positions.
    #[inline(always)]
    pub(super) fn block(&self, block: usize) -> Option<&[u8]> {
        self.places[block].map(|place| &self.bytes[place as usize * BLOCK_SETS..][..BLOCK_SETS])
    }

    #[inline(always)]
    pub(super) fn block_mut(&mut self, block: usize) -> Option<&mut [u8]> {
        self.places[block].map(|place| &mut self.bytes[place as usize * BLOCK_SETS..][..BLOCK_SETS])
    }
}

best_instructions! {
    /// The Rebels' pass; `values` are the bytes of won and lost.
    pub(super) fn dispatch_rebels_pass(
        rebels: &mut RebelsToMove,
        general: &GeneralToMove,
        compiled: &CompiledState,
        ply: PlyContext<'_>,
        values: [u8; 2],
    ) {
        if ply.ply > 1 && general.won.is_empty() && general.lost.is_empty() {
            return;
        }
        let (mut won, mut lost) = (Found::NONE, Found::NONE);
        for (block, image) in compiled.blocks(ply.index.blocks()) {
            (won.rows, lost.rows) = (Rows::NONE, Rows::NONE);
            match ply.ply {
                0 => rebels.find_stuck(compiled, ply, block, &mut lost),
                _ => rebels.find_decided(general, compiled, ply, block, &mut won, &mut lost),
            }
            won.trim();
            lost.trim();
            rebels.decide(block, &won, &lost, values);
            if let Some((image, planes)) = image.filter(|_| !won.rows.or(lost.rows).is_empty()) {
                rebels.decide(image, &planes.found(&won), &planes.found(&lost), values);
            }
        }
    }
}

best_instructions! {
    /// The arrivals' pass, from the results of the Rebels, to move in the state where the General arrives.
    pub(super) fn dispatch_arrivals_pass(
        arrivals: &mut StateResults,
        results: &StateResults,
        compiled: &Arrival,
        index: &PlaneIndex,
    ) {
        spread(compiled, &results.won, &mut arrivals.won, index);
        spread(compiled, &results.lost, &mut arrivals.lost, index);
        dispatch_add_up(arrivals);
    }
}

best_instructions! {
    pub(super) fn dispatch_general_pass(
        general: &mut GeneralToMove,
        sources: &MoveSources<'_>,
        compiled: &CompiledState,
        ply: PlyContext<'_>,
    ) {
        let (mut won, mut lost, mut scratch) = (Found::NONE, Found::NONE, Scratch { found: Found::NONE, jumps: EMPTY });
        for (block, image) in compiled.blocks(ply.index.blocks()) {
            (won.rows, lost.rows) = (Rows::NONE, Rows::NONE);
            match ply.ply {
                0 => general.find_over(sources, compiled, ply, block, &mut lost, &mut scratch),
                _ => general.find_decided(sources, compiled, ply, block, [&mut won, &mut lost], &mut scratch),
            }
            won.trim();
            lost.trim();
            general.decide(block, &won, &lost);
            if let Some((image, planes)) = image.filter(|_| !won.rows.or(lost.rows).is_empty()) {
                general.decide(image, &planes.found(&won), &planes.found(&lost));
            }
        }
    }
}

impl RebelsToMove {
    /// The sets of a block in which the Rebels have no step, or are too few.
    #[inline(always)]
    fn find_stuck(&self, compiled: &CompiledState, ply: PlyContext, block: usize, stuck: &mut Found) {
        let mut saved = Found::NONE;
        reach(&compiled.steps, block, &mut saved);
        let mut saved = saved.sets;
        if let Some(most) = ply.rules.rebels_at_most() {
            minus(&mut saved, &ply.index.counted(block, 0, most), Rows::ALL);
        }
        *stuck = Found { sets: self.open.blocks[block], rows: Rows::ALL };
        minus(&mut stuck.sets, &saved, Rows::ALL);
    }

    /// The sets of a block that the last ply of the General makes won and lost.
    #[inline(always)]
    fn find_decided(
        &self,
        general: &GeneralToMove,
        compiled: &CompiledState,
        ply: PlyContext,
        block: usize,
        won: &mut Found,
        lost: &mut Found,
    ) {
        let of_open = self.open.rows[block];
        gather(&compiled.steps, block, &general.lost, of_open, won);
        if ply.ply == 1 {
            reach(&compiled.custodial, block, won);
        }
        gather(&compiled.steps, block, &general.won, of_open, lost);
        if won.rows.or(lost.rows).is_empty() {
            return;
        }
        let open = &self.open.blocks[block];
        and(&mut won.sets, open, won.rows);
        and(&mut lost.sets, open, lost.rows);
        minus(&mut lost.sets, &won.sets, lost.rows.and(won.rows));
        // A step to a position that the General has not won saves the Rebels.
        for row in lost.rows {
            for step in &compiled.steps {
                if is_empty_row(&lost.sets[row]) {
                    break;
                }
                let Some(source) = step.source(block) else { continue };
                let rows = step.rows(Rows::ALL).and(Rows::one(row));
                step.subtract(block, &general.not_won[source], rows, &mut lost.sets);
            }
        }
    }

    /// Records the decisions of a ply in a block; `values` are the bytes of won and lost.
    #[inline(always)]
    pub(super) fn decide(&mut self, block: usize, won: &Found, lost: &Found, values: [u8; 2]) {
        // A block without values has no legal position.
        let Some(bytes) = self.values.block_mut(block) else { return };
        for (decided, value) in [won, lost].into_iter().zip(values) {
            self.open.decide(block, decided);
            write_value(&decided.sets, decided.rows, value, bytes);
        }
        self.won.put(block, won);
        self.lost.put(block, lost);
    }
}

/// Adds the sets from which a step leads to a decided one, in open rows.
#[inline(always)]
fn gather(steps: &[PlaneShift], block: usize, decided: &Decided, of_open: Rows, into: &mut Found) {
    if decided.is_empty() || of_open.is_empty() {
        return;
    }
    for step in steps {
        let Some(source) = step.source(block) else { continue };
        let rows = of_open.and(step.rows(decided.rows(source)));
        if !rows.is_empty() {
            into.include(rows);
            step.add(block, decided.block(source), rows, &mut into.sets);
        }
    }
}

/// Adds the sets that have a step.
#[inline(always)]
fn reach(steps: &[PlaneShift], block: usize, into: &mut Found) {
    for step in steps.iter().filter(|step| step.source(block).is_some()) {
        let rows = step.rows(Rows::ALL);
        into.include(rows);
        step.add(block, &FULL, rows, &mut into.sets);
    }
}

/// From sets that are left after an arrival to those before it.
#[inline(always)]
fn spread(arrival: &Arrival, from: &Decided, into: &mut Decided, index: &PlaneIndex) {
    if from.is_empty() {
        return;
    }
    let (mut found, mut unheld) = (Found::NONE, EMPTY);
    for block in 0..index.blocks() {
        found.rows = Rows::NONE;
        for shift in &arrival.shifts {
            let Some(source) = shift.source(block) else { continue };
            let rows = from.rows(source);
            if shift.rows(rows).is_empty() {
                continue;
            }
            let sets = from.block(source);
            for row in rows {
                unheld[row] = sets[row];
            }
            for pair in &arrival.pairs {
                index.without_held(*pair, source, rows, &mut unheld);
            }
            found.include(shift.rows(rows));
            shift.add(block, &unheld, shift.rows(rows), &mut found.sets);
        }
        found.trim();
        into.put(block, &found);
    }
}

impl GeneralToMove {
    /// Records the decisions of a ply in a block.
    #[inline(always)]
    fn decide(&mut self, block: usize, won: &Found, lost: &Found) {
        self.open.decide(block, won);
        self.open.decide(block, lost);
        minus(&mut self.not_won[block], &won.sets, won.rows);
        self.won.put(block, won);
        self.lost.put(block, lost);
    }

    /// The sets of a block in which the General is closed in.
    #[inline(always)]
    fn find_over(
        &self,
        sources: &MoveSources,
        compiled: &CompiledState,
        ply: PlyContext,
        block: usize,
        over: &mut Found,
        Scratch { found, jumps }: &mut Scratch,
    ) {
        let moves = &compiled.moves;
        let conditions = Conditions::new(ply, moves, block, Rows::ALL, found);
        let mut saved = EMPTY;
        for move_ in moves.iter().filter(|move_| move_.shift.source(block).is_some()) {
            let legal = match move_.target {
                // The Rebels have not won yet.
                Target::FreeJumps { .. } => sources.not_won(move_, block, Rows::ALL, jumps).unwrap_or(&EMPTY),
                _ => &FULL,
            };
            conditions.read(move_, legal, Rows::ALL, found);
            or(&mut saved, &found.sets, found.rows);
        }
        if let Some(closing) = compiled.closing {
            ply.index.without_held(closing, block, Rows::ALL, &mut saved);
        }
        *over = Found { sets: self.open.blocks[block], rows: Rows::ALL };
        minus(&mut over.sets, &saved, Rows::ALL);
    }

    /// The sets of a block that the last ply of the Rebels makes won and lost.
    #[inline(always)]
    fn find_decided(
        &self,
        sources: &MoveSources,
        compiled: &CompiledState,
        ply: PlyContext,
        block: usize,
        [won, lost]: [&mut Found; 2],
        Scratch { found, jumps }: &mut Scratch,
    ) {
        let (open, of_open) = (&self.open.blocks[block], self.open.rows[block]);
        if of_open.is_empty() {
            return;
        }
        let moves = || compiled.moves.iter().filter_map(|move_| Some((move_, move_.shift.source(block)?)));
        // Rows that may have moves to sets lost and to sets won for the Rebels.
        let ends_are_new = ply.ply == 1;
        let (mut winning, mut losing) = (Rows::NONE, if ends_are_new { Rows::ALL } else { Rows::NONE });
        for (move_, source) in moves().filter(|_| ends_are_new || sources.any_lost) {
            winning = winning.or(move_.shift.rows(sources.rows_lost(move_, source, ply.ply)));
        }
        for (move_, source) in moves().filter(|_| sources.any_won) {
            losing = losing.or(move_.shift.rows(sources.rows_won(move_, source)));
        }
        (winning, losing) = (winning.and(of_open), losing.and(of_open));
        if winning.or(losing).is_empty() {
            return;
        }
        sources.fetch(moves(), losing);
        let conditions = Conditions::new(ply, &compiled.moves, block, winning.or(losing), found);
        won.include(winning);
        for (move_, source) in moves() {
            let rows = winning.and(move_.shift.rows(sources.rows_lost(move_, source, ply.ply)));
            if !rows.is_empty() {
                conditions.read(move_, sources.lost(move_, source, rows, jumps), rows, found);
                or(&mut won.sets, &found.sets, found.rows);
            }
        }
        and(&mut won.sets, open, winning);
        lost.include(losing);
        or(&mut lost.sets, open, losing);
        minus(&mut lost.sets, &won.sets, losing.and(winning));
        for (move_, source) in moves() {
            let Some(from) = sources.not_won(move_, source, lost.rows, jumps) else { continue };
            conditions.read(move_, from, lost.rows, found);
            minus(&mut lost.sets, &found.sets, found.rows);
            lost.trim();
            if lost.rows.is_empty() {
                break;
            }
        }
    }
}

/// The results that the General's moves lead to.
pub(super) struct MoveSources<'a> {
    pub(super) states: &'a [StateResults],
    pub(super) arrivals: &'a [StateResults],
    pub(super) chains: &'a JumpChains,
    pub(super) free_jumps: &'a [FreeJumps],
    /// The last ply made sets won, or lost, for the Rebels.
    pub(super) any_won: bool,
    pub(super) any_lost: bool,
}

impl<'a> MoveSources<'a> {
    /// None for landings and where the game is over.
    #[inline(always)]
    fn of(&self, target: Target) -> Option<&'a StateResults> {
        match target {
            Target::Arrival(state) => Some(&self.arrivals[state]),
            Target::End(MoveEnd::State(state)) => Some(&self.states[state]),
            _ => None,
        }
    }

    /// The rows in which the last ply may have made sets lost for the Rebels.
    #[inline(always)]
    fn rows_lost(&self, move_: &GeneralMove, block: usize, ply: u32) -> Rows {
        match move_.target {
            Target::FreeJumps { group, .. } => self.free_jumps[group].rows_lost(block),
            Target::Landing(_) | Target::End(MoveEnd::GeneralWins) if ply == 1 => Rows::ALL,
            Target::Landing(landing) => self.chains.changed::<LOST>(block, landing),
            target => self.of(target).map_or(Rows::NONE, |results| results.lost.rows(block)),
        }
    }

    /// The sets in such rows that the last ply made lost for the Rebels; `jumps` takes those of free jumps.
    #[inline(always)]
    fn lost<'b>(&self, move_: &GeneralMove, block: usize, rows: Rows, jumps: &'b mut Block) -> &'b Block
    where
        'a: 'b,
    {
        match move_.target {
            Target::FreeJumps { group, own } => {
                let own = own.and_then(|own| self.arrivals[own].lost.get(block));
                self.free_jumps[group].lost(block, own, rows, jumps);
                jumps
            }
            Target::Landing(landing) => self.chains.plane::<LOST>(block, landing),
            Target::End(MoveEnd::GeneralWins) => &FULL,
            target => self.of(target).map_or(&EMPTY, |results| results.lost.block(block)),
        }
    }

    /// The rows in which the last ply made sets won for the Rebels.
    #[inline(always)]
    fn rows_won(&self, move_: &GeneralMove, block: usize) -> Rows {
        match move_.target {
            Target::FreeJumps { group, .. } => self.free_jumps[group].changed(block),
            Target::Landing(landing) => self.chains.changed::<NOT_WON>(block, landing),
            target => self.of(target).map_or(Rows::NONE, |results| results.won.rows(block)),
        }
    }

    /// Reads from the rows in which [`not_won`](MoveSources::not_won) will be asked for, but those of free jumps, side by side: which of them
    /// are asked for next depends on each.
    #[inline(always)]
    fn fetch<'b>(&self, moves: impl Iterator<Item = (&'b GeneralMove, usize)>, rows: Rows) {
        let mut read = 0;
        for (move_, block) in moves {
            let from = match move_.target {
                Target::Landing(landing) => Some(self.chains.plane::<NOT_WON>(block, landing)),
                target => self.of(target).map(|results| &results.not_won[block]),
            };
            read ^= from.map_or(0, |from| move_.shift.fetch(from, rows));
        }
        std::hint::black_box(read);
    }

    /// The sets not won for the Rebels; `jumps` takes those of free jumps, in some rows.
    #[inline(always)]
    fn not_won<'b>(&self, move_: &GeneralMove, block: usize, rows: Rows, jumps: &'b mut Block) -> Option<&'b Block>
    where
        'a: 'b,
    {
        match move_.target {
            Target::FreeJumps { group, own } => {
                let own = own.map(|own| &self.arrivals[own].not_won[block]);
                self.free_jumps[group].not_won(block, own, rows, jumps);
                Some(jumps)
            }
            Target::Landing(landing) => Some(self.chains.plane::<NOT_WON>(block, landing)),
            Target::End(MoveEnd::GeneralWins) => Some(&FULL),
            target => self.of(target).map(|results| &results.not_won[block]),
        }
    }
}

/// What the General's pass needs for a move: the sets that it leads to, and those of free jumps.
struct Scratch {
    found: Found,
    jumps: Block,
}

/// Where in a block the General's moves are legal.
struct Conditions<'a> {
    index: &'a PlaneIndex,
    block: usize,
    must_capture: Option<Block>,
}

impl<'a> Conditions<'a> {
    #[inline(always)]
    fn new(ply: PlyContext<'a>, moves: &[GeneralMove], block: usize, rows: Rows, found: &mut Found) -> Conditions<'a> {
        let mut conditions = Conditions { index: ply.index, block, must_capture: None };
        if ply.rules.capture_is_compulsory {
            let mut all = EMPTY;
            for move_ in moves.iter().filter(|move_| move_.captures && move_.shift.source(block).is_some()) {
                conditions.read(move_, &FULL, rows, found);
                or(&mut all, &found.sets, found.rows);
            }
            conditions.must_capture = Some(all);
        }
        conditions
    }

    /// Finds the sets in some rows in which a move is legal and its source set.
    #[inline(always)]
    fn read(&self, move_: &GeneralMove, source: &Block, rows: Rows, found: &mut Found) {
        let rows = rows.and(move_.shift.rows(Rows::ALL));
        found.rows = Rows::NONE;
        found.include(rows);
        move_.shift.add(self.block, source, rows, &mut found.sets);
        for pair in &move_.not_held {
            self.index.without_held(*pair, self.block, rows, &mut found.sets);
        }
        if let Some(forbidden) = self.must_capture.as_ref().filter(|_| !move_.captures) {
            minus(&mut found.sets, forbidden, rows);
        }
    }
}
