//! Where the General can be, flags included, and how his moves lead from place to place.

use crate::board::{Point, PointSet};
use crate::rules::{CompiledRules, Variant};

use super::header::are_disjoint;
use super::index::{Index, Shift};

/// The General's point and the flags of a position with the Rebels to move that is not over by them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct GeneralState {
    pub(super) general: Point,
    pub(super) apex_visited: bool,
    pub(super) free_jumps: u8,
}

/// Where a move of the General leads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Target {
    /// To a place, by its number.
    GeneralState(usize),
    /// He has won, whatever Rebels are left.
    GeneralWins,
    /// He has lost.
    RebelsWin,
}

/// How the target is looked up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reading {
    /// He takes the pairs between whom he arrives.
    Arrival,
    /// The Rebels stand as the shift says.
    Plain,
    /// He has landed after a jump and goes on if he can; the number is that of a landing.
    Landing(usize),
}

/// A move of the General for all Rebel sets that allow it.
#[derive(Debug)]
pub(super) struct GeneralMove {
    pub(super) target: Target,
    pub(super) reading: Reading,
    pub(super) shift: Shift,
    /// Pairs that must not both hold Rebels.
    pub(super) not_held: Vec<PointSet>,
    pub(super) captures: bool,
}

/// Where he is in the middle of a chain of jumps.
#[derive(Debug)]
pub(super) struct Landing {
    /// Where the move ends if he can't go on.
    pub(super) end: Target,
    /// His jumps from here.
    pub(super) jumps: Vec<(usize, Shift)>,
}

/// All places of a variant, and the moves that join them.
#[derive(Debug)]
pub(super) struct GeneralStates {
    pub(super) places: Vec<GeneralState>,
    pub(super) moves: Vec<Vec<GeneralMove>>,
    pub(super) landings: Vec<Landing>,
    /// Do arrivals have tables of their own?
    pub(super) arrivals: bool,
}

impl GeneralStates {
    pub(super) fn new(variant: &Variant, space: &Index) -> GeneralStates {
        let rules = variant.rules();
        let words = variant.rule_set();
        let board = variant.board();
        let remembers = !rules.return_apex.is_empty();
        let over = rules.winning_apex | rules.losing_apex | rules.winning_bottom;
        let mut places = Vec::new();
        for free_jumps in 0..=words.free_jumps {
            for apex_visited in [false, true] {
                for general in board.all().minus(over) {
                    let possible = match (remembers, apex_visited) {
                        (false, visited) => !visited,
                        (true, false) => !rules.return_apex.contains(general),
                        (true, true) => !rules.field.contains(general),
                    };
                    if possible {
                        places.push(GeneralState { general, apex_visited, free_jumps });
                    }
                }
            }
        }
        // An own table for arrivals serves where nothing but the arrival decides what falls, and each pair by itself.
        let apart = |to: Point| are_disjoint(rules.interventions[to.index()].as_slice().iter().copied());
        let arrivals = words.intervention && !words.deferred && !words.compulsory && board.all().into_iter().all(apart);
        let builder = Builder { variant, rules, space, places: &places, arrivals };
        let landings = if rules.chains { builder.landings() } else { Vec::new() };
        let moves = places.iter().map(|place| builder.moves(place)).collect();
        GeneralStates { moves, landings, arrivals, places }
    }
}

struct Builder<'a> {
    variant: &'a Variant,
    rules: &'a CompiledRules,
    space: &'a Index,
    places: &'a [GeneralState],
    arrivals: bool,
}

impl Builder<'_> {
    fn target(&self, general: Point, apex_visited: bool, free_jumps: u8) -> Target {
        let rules = self.rules;
        let apex_visited = apex_visited || rules.return_apex.contains(general);
        if rules.losing_apex.contains(general) && !rules.winning_apex.contains(general) {
            return Target::RebelsWin;
        }
        let place = GeneralState { general, apex_visited, free_jumps };
        self.places.iter().position(|other| *other == place).map_or(Target::GeneralWins, Target::GeneralState)
    }

    fn moves(&self, place: &GeneralState) -> Vec<GeneralMove> {
        let (rules, at) = (self.rules, place.general.index());
        let mut moves = Vec::new();
        for to in rules.neighbours[at] {
            self.push_walks(place, to, PointSet::EMPTY, place.free_jumps, &mut moves);
        }
        for ray in &rules.rays[at] {
            let mut between = PointSet::EMPTY;
            for to in ray {
                if !rules.neighbours[at].contains(*to) {
                    self.push_walks(place, *to, between, place.free_jumps, &mut moves);
                }
                between = between.with(*to);
            }
        }
        if let Some(left) = place.free_jumps.checked_sub(1) {
            for to in rules.field.without(place.general) {
                self.push_arrivals(place, to, PointSet::EMPTY, PointSet::EMPTY, left, &mut moves);
            }
        }
        let landings = rules.chains;
        for hop in &rules.jumps[at] {
            let over = PointSet::of(hop.over);
            let reading = if landings { Reading::Landing(self.landing(hop.to, place)) } else { Reading::Plain };
            moves.push(GeneralMove {
                target: self.target(hop.to, place.apex_visited, place.free_jumps),
                reading,
                shift: Shift::new(self.space, over, PointSet::of(hop.to), over),
                not_held: Vec::new(),
                captures: true,
            });
        }
        for hop in &rules.leaps[at] {
            moves.push(GeneralMove {
                target: self.target(hop.to, place.apex_visited, place.free_jumps),
                reading: Reading::Plain,
                shift: Shift::new(self.space, PointSet::of(hop.over), PointSet::of(hop.to), PointSet::EMPTY),
                not_held: Vec::new(),
                captures: false,
            });
        }
        for &pair in rules.statics[at].as_slice() {
            let around = if rules.static_surrounded { rules.neighbours[at] } else { PointSet::EMPTY };
            moves.push(GeneralMove {
                target: self.target(place.general, place.apex_visited, place.free_jumps),
                reading: Reading::Plain,
                shift: Shift::new(self.space, pair | around, PointSet::EMPTY, pair),
                not_held: Vec::new(),
                captures: true,
            });
        }
        moves
    }

    /// A walk to a point across empty points, with what he takes by leaving.
    fn push_walks(
        &self,
        place: &GeneralState,
        to: Point,
        between: PointSet,
        free_jumps: u8,
        moves: &mut Vec<GeneralMove>,
    ) {
        let departures = &self.rules.departures[place.general.index()];
        let left = departures.iter().find(|(towards, _)| *towards == to).map_or(&[][..], |(_, pairs)| pairs.as_slice());
        if left.is_empty() {
            return self.push_arrivals(place, to, between, PointSet::EMPTY, free_jumps, moves);
        }
        let arrived = self.rules.interventions[to.index()].as_slice();
        let pairs: Vec<PointSet> = left.iter().chain(arrived).copied().collect();
        self.push_pairs(place, to, between, &pairs, free_jumps, moves);
    }

    /// A move that takes what stands around its end.
    fn push_arrivals(
        &self,
        place: &GeneralState,
        to: Point,
        between: PointSet,
        set: PointSet,
        free_jumps: u8,
        moves: &mut Vec<GeneralMove>,
    ) {
        let pairs = self.rules.interventions[to.index()].as_slice();
        if !self.arrivals {
            return self.push_pairs(place, to, between, pairs, free_jumps, moves);
        }
        moves.push(GeneralMove {
            target: self.target(to, place.apex_visited, free_jumps),
            reading: Reading::Arrival,
            shift: Shift::new(self.space, set, between.with(to), PointSet::EMPTY),
            not_held: Vec::new(),
            captures: false,
        });
    }

    /// A move for each choice of pairs that hold Rebels at both ends, these and no others.
    fn push_pairs(
        &self,
        place: &GeneralState,
        to: Point,
        between: PointSet,
        pairs: &[PointSet],
        free_jumps: u8,
        moves: &mut Vec<GeneralMove>,
    ) {
        for choice in 0..1u32 << pairs.len() {
            let chosen = |n: usize| choice >> n & 1 != 0;
            let held = pairs
                .iter()
                .enumerate()
                .filter(|(n, _)| chosen(*n))
                .fold(PointSet::EMPTY, |all, (_, pair)| all | *pair);
            if held.meets(between.with(to)) {
                continue;
            }
            moves.push(GeneralMove {
                target: self.target(to, place.apex_visited, free_jumps),
                reading: Reading::Plain,
                shift: Shift::new(self.space, held, between.with(to), held),
                not_held: pairs.iter().enumerate().filter(|(n, _)| !chosen(*n)).map(|(_, pair)| *pair).collect(),
                captures: !held.is_empty(),
            });
        }
    }

    /// The number of a landing: flags do not change before the move ends.
    fn landing(&self, at: Point, place: &GeneralState) -> usize {
        let flags = usize::from(place.free_jumps) * 2 + usize::from(place.apex_visited);
        flags * self.variant.board().len() + at.index()
    }

    fn landings(&self) -> Vec<Landing> {
        let mut landings = Vec::new();
        for free_jumps in 0..=self.variant.rule_set().free_jumps {
            for apex_visited in [false, true] {
                for general in self.variant.board().all() {
                    let place = GeneralState { general, apex_visited, free_jumps };
                    let jumps = self.rules.jumps[general.index()].iter().map(|hop| {
                        let over = PointSet::of(hop.over);
                        (self.landing(hop.to, &place), Shift::new(self.space, over, PointSet::of(hop.to), over))
                    });
                    landings
                        .push(Landing { end: self.target(general, apex_visited, free_jumps), jumps: jumps.collect() });
                }
            }
        }
        landings
    }
}
