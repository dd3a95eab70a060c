//! The moves of a variant compiled to shifts of the index, by state of the General.
//!
//! For a fixed state every step of a Rebel, and every move of the General with a fixed choice of captured pairs, changes the index of
//! the Rebel set by a constant. This is the only place where the analysis of the whole board reads the rules.
//!
//! Of two mirror images one is solved; a move that leads to the other reads the image of the planes of the first.

use std::sync::Arc;

use crate::states::{GeneralState, States, are_disjoint, mirror};
use privy_rules::board::{Point, PointSet};
use privy_rules::{CompiledRules, MoveKind, Side, Template, Variant, choices};

use super::mirrored_planes::MirroredPlanes;
use super::plane_index::PlaneIndex;
use super::shifts::PlaneShift;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum MoveEnd {
    /// In a solved state, by its number, or the image of one.
    State(usize),
    GeneralWins,
    RebelsWin,
}

/// What the source of a move's shift is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Target {
    /// Where the move ends, with the Rebels that the source has.
    End(MoveEnd),
    /// The General arrives in a state, by its number, and takes the pairs around it.
    Arrival(usize),
    /// The General has jumped and continues if it can; by the number of the landing.
    Landing(usize),
    /// Any arrival of a group, but that on the General's own point.
    FreeJumps { group: usize, own: Option<usize> },
}

#[derive(Debug)]
pub(super) struct GeneralMove {
    pub(super) target: Target,
    pub(super) shift: PlaneShift,
    /// Pairs that must not both hold Rebels.
    pub(super) not_held: Vec<PointSet>,
    pub(super) captures: bool,
}

/// The General in the middle of a chain of jumps.
#[derive(Debug)]
pub(super) struct Landing {
    /// Where the landing is its own image.
    pub(super) own_image: Option<Arc<MirroredPlanes>>,
    /// Where the move ends if the General does not continue.
    pub(super) end: MoveEnd,
    /// The move may end here though the General could continue.
    pub(super) may_stop: bool,
    pub(super) jumps: Vec<(usize, PlaneShift)>,
    /// The jumps that lead here: by the number of a landing, and that among its jumps.
    pub(super) before: Vec<(usize, usize)>,
}

/// The captures when the General arrives in a state.
#[derive(Debug)]
pub(super) struct Arrival {
    pub(super) state: GeneralState,
    pub(super) pairs: Vec<PointSet>,
    /// For each choice of pairs that hold Rebels, to the set without them.
    pub(super) shifts: Vec<PlaneShift>,
}

#[derive(Debug)]
pub(super) struct CompiledState {
    pub(super) state: GeneralState,
    pub(super) times: u64,
    /// Where the state is its own image.
    own_image: Option<Arc<MirroredPlanes>>,
    pub(super) steps: Vec<PlaneShift>,
    pub(super) custodial: Vec<PlaneShift>,
    /// The points from which Rebels close in the General, if they can.
    pub(super) closing: Option<PointSet>,
    pub(super) moves: Vec<GeneralMove>,
}

#[derive(Debug)]
pub(super) struct GeneralStates {
    pub(super) states: Vec<CompiledState>,
    /// The planes of mirror images, where there are any.
    pub(super) mirrored: Option<Arc<MirroredPlanes>>,
    /// By state; empty where the captures do not depend on the arrival alone.
    pub(super) arrivals: Vec<Arrival>,
    /// The landings of chains of jumps, of two mirror images one; empty where jumps do not continue.
    pub(super) landings: Vec<Landing>,
    /// The arrivals of free jumps from anywhere, in groups; true for the image of one.
    pub(super) groups: Vec<Vec<(usize, bool)>>,
}

impl GeneralStates {
    pub(super) fn new(variant: &Variant, index: &PlaneIndex) -> GeneralStates {
        let (rules, words) = (variant.rules(), variant.rule_set());
        let solved = States::of(variant).solved;
        let pairs = |general: Point| rules.arrival_pairs(general);
        // Arrivals have separate results where the arrival alone decides the captures, pair by pair.
        let apart = |general: Point| are_disjoint(pairs(general).iter().copied());
        let has_arrivals =
            words.intervention && !words.deferred && !words.compulsory && variant.board().all().into_iter().all(apart);
        let mirrored = mirror(variant).map(|mirror| Arc::new(MirroredPlanes::new(index, mirror)));
        let (landings, groups) = (Vec::new(), Vec::new());
        let mut compiler = Compiler { variant, rules, index, solved, mirrored, landings, groups, has_arrivals };
        let states = compiler.solved.clone().into_iter().map(|state| compiler.state(state)).collect();
        let mut landings = Vec::new();
        // A landing may lead to new ones.
        while let Some(state) = compiler.landings.get(landings.len()) {
            landings.push(compiler.landing(*state));
        }
        for number in 0..landings.len() {
            for jump in 0..landings[number].jumps.len() {
                let (onto, _) = landings[number].jumps[jump];
                landings[onto].before.push((number, jump));
            }
        }
        let Compiler { solved, mirrored, groups, .. } = compiler;
        let arrivals = solved.iter().filter(|_| has_arrivals).map(|state| {
            let pairs = pairs(state.general).to_vec();
            let shifts = choices(&pairs).map(|(held, _)| PlaneShift::new(index, held, PointSet::EMPTY, held)).collect();
            Arrival { state: *state, pairs, shifts }
        });
        GeneralStates { states, arrivals: arrivals.collect(), mirrored, landings, groups }
    }
}

impl CompiledState {
    /// The blocks that are to be computed, each with the one that follows as its image, if there is one.
    #[inline(always)]
    pub(super) fn blocks(&self, blocks: usize) -> impl Iterator<Item = (usize, Option<(usize, &MirroredPlanes)>)> {
        let image = |block: usize| self.own_image.as_deref().map(|planes| (planes.block(block), planes));
        let blocks = (0..blocks).map(move |block| (block, image(block).filter(|(image, _)| *image != block)));
        blocks.filter(|(block, image)| image.is_none_or(|(image, _)| image > *block))
    }
}

/// Compiles states, and numbers the landings that they lead to.
struct Compiler<'a> {
    variant: &'a Variant,
    rules: &'a CompiledRules,
    index: &'a PlaneIndex,
    solved: Vec<GeneralState>,
    mirrored: Option<Arc<MirroredPlanes>>,
    landings: Vec<GeneralState>,
    groups: Vec<Vec<(usize, bool)>>,
    has_arrivals: bool,
}

/// The place in a list; what is new is added.
fn number_in<T: PartialEq>(list: &mut Vec<T>, new: T) -> usize {
    list.iter().position(|other| *other == new).unwrap_or_else(|| {
        list.push(new);
        list.len() - 1
    })
}

impl Compiler<'_> {
    fn state(&mut self, state: GeneralState) -> CompiledState {
        let (rules, general) = (self.rules, state.general);
        let (mut steps, mut custodial) = (Vec::new(), Vec::new());
        for from in rules.ground().without(general) {
            for to in rules.rebel_steps[from].without(general) {
                let (a, b) = (PointSet::of(from), PointSet::of(to));
                steps.push(PlaneShift::new(self.index, a, b, a | b));
                for pair in rules.custody(general).iter().filter(|pair| pair.contains(to)) {
                    let other = pair.without(to);
                    if !other.contains(from) {
                        custodial.push(PlaneShift::new(self.index, other | a, b, PointSet::EMPTY));
                    }
                }
            }
        }
        let times = state.times(self.variant);
        let own_image = self.own_image(state);
        let (closing, moves) = (rules.gate(general), self.moves(state));
        CompiledState { state, times, own_image, steps, custodial, closing, moves }
    }

    /// Of two mirror images the one that is solved; true if it is not the state itself.
    fn original(&self, state: GeneralState) -> (GeneralState, bool) {
        let image = state.image(self.variant);
        if image.general < state.general { (image, true) } else { (state, false) }
    }

    /// The planes from which a move is read that leads to the image of a state.
    fn planes(&self, is_image: bool) -> Option<&Arc<MirroredPlanes>> {
        self.mirrored.as_ref().filter(|_| is_image)
    }

    /// The planes of images, where a state is its own.
    fn own_image(&self, state: GeneralState) -> Option<Arc<MirroredPlanes>> {
        self.mirrored.clone().filter(|_| state.image(self.variant) == state)
    }

    /// The end of a move to a point; true if it is the image of that state. Meaningless flags lead to states that no game has, where the end does
    /// not matter.
    fn end(&self, general: Point, flags: GeneralState) -> (MoveEnd, bool) {
        let apex_visited = flags.apex_visited || self.rules.return_apex().contains(general);
        let state = GeneralState { general, apex_visited, ..flags };
        let (original, is_image) = self.original(state);
        match (state.winner(self.variant), self.solved.iter().position(|solved| *solved == original)) {
            (Some(Side::Rebels), _) => (MoveEnd::RebelsWin, false),
            (None, Some(number)) => (MoveEnd::State(number), is_image),
            _ => (MoveEnd::GeneralWins, false),
        }
    }

    fn moves(&mut self, state: GeneralState) -> Vec<GeneralMove> {
        let (mut moves, mut free) = (Vec::new(), Vec::new());
        for template in self.rules.templates(state.general) {
            let spent = u8::from(template.kind == MoveKind::FreeJump);
            let Some(free_jumps) = state.free_jumps.checked_sub(spent) else { continue };
            let after = GeneralState { general: template.to, free_jumps, ..state };
            if template.kind == MoveKind::Jump && self.rules.jumps_go_on {
                let (landing, is_image) = self.original(after);
                let landing = Target::Landing(number_in(&mut self.landings, landing));
                moves.extend(self.choices(template, landing, is_image));
                continue;
            }
            let (end, is_image) = self.end(template.to, after);
            if self.has_arrivals && matches!(template.kind, MoveKind::Walk | MoveKind::FreeJump) {
                // The captures follow from the arrival.
                let shift = PlaneShift::new(self.index, template.rebels, template.empty, PointSet::EMPTY);
                let target = match end {
                    MoveEnd::State(arrival) if template.kind == MoveKind::FreeJump => {
                        free.push((arrival, is_image));
                        continue;
                    }
                    MoveEnd::State(arrival) => Target::Arrival(arrival),
                    end => Target::End(end),
                };
                let shift = shift.mirrored(self.planes(is_image));
                moves.push(GeneralMove { target, shift, not_held: Vec::new(), captures: false });
                continue;
            }
            moves.extend(self.choices(template, Target::End(end), is_image));
        }
        if let Some(own) = state.free_jumps.checked_sub(1).filter(|_| !free.is_empty()) {
            let (own, _) = self.end(state.general, GeneralState { free_jumps: own, ..state });
            moves.push(self.free_jumps(free, own));
        }
        // Free jumps come last, and refute most losses.
        moves.reverse();
        moves
    }

    /// The free jumps to all of these arrivals; `own` would be the end of one onto the General's own point.
    fn free_jumps(&mut self, mut arrivals: Vec<(usize, bool)>, own: MoveEnd) -> GeneralMove {
        let none = PointSet::EMPTY;
        let (shift, not_held) = (PlaneShift::new(self.index, none, none, none), Vec::new());
        let jumps = |group: usize, own: Option<usize>| {
            let target = Target::FreeJumps { group, own };
            GeneralMove { target, shift, not_held, captures: false }
        };
        arrivals.sort_unstable();
        if let Some(group) = self.groups.iter().position(|group| *group == arrivals) {
            return jumps(group, None);
        }
        // Others jump onto this point too.
        let mut group = arrivals;
        let own = if let MoveEnd::State(own) = own { Some(own) } else { None };
        group.extend(own.map(|own| (own, false)));
        group.sort_unstable();
        jumps(number_in(&mut self.groups, group), own)
    }

    fn choices(&self, template: &Template, target: Target, is_image: bool) -> impl Iterator<Item = GeneralMove> {
        let (index, mirrored) = (self.index, self.planes(is_image));
        template.choices().map(move |choice| GeneralMove {
            target,
            shift: PlaneShift::new(index, choice.rebels, template.empty, choice.captured).mirrored(mirrored),
            captures: !choice.captured.is_empty(),
            not_held: choice.not_held,
        })
    }

    fn landing(&mut self, state: GeneralState) -> Landing {
        let rules = self.rules;
        let jumps = rules.jumps(state.general).iter().map(|hop| {
            let over = hop.over;
            let (landing, is_image) = self.original(GeneralState { general: hop.to, ..state });
            let shift = PlaneShift::new(self.index, over, PointSet::of(hop.to), over);
            let shift = shift.mirrored(self.planes(is_image));
            (number_in(&mut self.landings, landing), shift)
        });
        let jumps = jumps.collect();
        let (end, _) = self.end(state.general, state);
        Landing { own_image: self.own_image(state), end, may_stop: rules.jumps_may_stop, jumps, before: Vec::new() }
    }
}
