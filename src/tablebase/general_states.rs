//! The states of the General, and the moves of a variant compiled to shifts of the index.
//!
//! A state is the General's point with the flags. For a fixed state every step of a Rebel, and every move of the General for
//! a fixed choice of pairs that fall, changes the index of the Rebel set by a constant. All raw rules that retrograde analysis
//! needs are read here.

use crate::board::{Point, PointSet};
use crate::rules::{CompiledRules, MoveKind, Outcome, Position, Side, Variant, choices};

use super::index::{Index, Shift};
use super::layout::are_disjoint;

/// The General's point and the flags of a position with the Rebels to move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct GeneralState {
    pub(super) general: Point,
    pub(super) apex_visited: bool,
    pub(super) free_jumps: u8,
}

impl GeneralState {
    /// The state of a position.
    #[inline(always)]
    pub(super) fn of(position: &Position) -> GeneralState {
        let (general, apex_visited) = (position.general(), position.apex_visited());
        GeneralState { general, apex_visited, free_jumps: position.free_jumps() }
    }

    /// A number of the state among all combinations of flags and points.
    #[inline(always)]
    pub(super) fn slot(self, variant: &Variant) -> usize {
        let flags = usize::from(self.free_jumps) * 2 + usize::from(self.apex_visited);
        flags * variant.board().len() + self.general.index()
    }

    /// All combinations of flags and points, by slot.
    pub(super) fn slots(variant: &Variant) -> impl Iterator<Item = GeneralState> {
        let flags = (0..=variant.rule_set().free_jumps).flat_map(|jumps| [(jumps, false), (jumps, true)]);
        flags.flat_map(|(free_jumps, apex_visited)| {
            variant.board().all().into_iter().map(move |general| GeneralState { general, apex_visited, free_jumps })
        })
    }

    /// The states from which a game goes on when the Rebels are to move and many are left, in the order of their slots.
    pub(super) fn all(variant: &Variant) -> Vec<GeneralState> {
        let rules = variant.rules();
        let is_remembered = |state: &GeneralState| match state.apex_visited {
            true => !rules.return_apex().is_empty(),
            false => !rules.return_apex().contains(state.general),
        };
        GeneralState::slots(variant).filter(|state| is_remembered(state) && state.winner(variant).is_none()).collect()
    }

    /// The position with a set of Rebels and a side to move.
    #[inline(always)]
    pub(super) fn position(self, rebels: PointSet, side: Side) -> Position {
        Position::new(rebels, self.general, side, self.apex_visited, self.free_jumps)
    }

    /// The mirror image, where the variant is mirrored; else the state itself.
    pub(super) fn image(self, variant: &Variant) -> GeneralState {
        match variant.board().mirror() {
            Some(mirror) if variant.is_mirrored() => GeneralState { general: mirror.point(self.general), ..self },
            _ => self,
        }
    }

    /// Who has won by where the General stands.
    fn winner(self, variant: &Variant) -> Option<Side> {
        let many = variant.rules().ground().without(self.general);
        variant.rules().goal_after_general(&self.position(many, Side::Rebels)).and_then(Outcome::winner)
    }
}

/// Where a move of the General ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    /// In a state, by its number.
    State(usize),
    /// The General has won, whatever Rebels are left.
    GeneralWins,
    /// The General has lost.
    RebelsWin,
}

/// What the source of a move's shift says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Target {
    /// Where the move ends, with the Rebels that the source has.
    End(End),
    /// The General arrives in a state, by its number, and takes the pairs around it.
    Arrival(usize),
    /// The General has landed after a jump and goes on if it can; by the number of the landing.
    Landing(usize),
}

/// A move of the General for all Rebel sets that allow it.
#[derive(Debug)]
pub(super) struct GeneralMove {
    pub(super) target: Target,
    pub(super) shift: Shift,
    /// Pairs that must not both hold Rebels.
    pub(super) not_held: Vec<PointSet>,
    pub(super) captures: bool,
}

/// The General in the middle of a chain of jumps.
#[derive(Debug)]
pub(super) struct Landing {
    /// Where the move ends if the General can't go on, or does not.
    pub(super) end: End,
    /// The move may end here though the General could go on.
    pub(super) may_stop: bool,
    /// Its jumps from here: landing and shift.
    pub(super) jumps: Vec<(usize, Shift)>,
}

/// What falls when the General arrives in a state.
#[derive(Debug)]
pub(super) struct Arrival {
    /// The pairs around it.
    pub(super) pairs: Vec<PointSet>,
    /// For each choice of pairs that hold Rebels, to what is left of them.
    pub(super) shifts: Vec<Shift>,
}

/// What is particular to a state.
#[derive(Debug)]
pub(super) struct CompiledState {
    pub(super) state: GeneralState,
    /// The steps of the Rebels.
    pub(super) steps: Vec<Shift>,
    /// The steps of the Rebels by which they capture the General.
    pub(super) custodial: Vec<Shift>,
    /// The points with which Rebels close in the General; none where they can't.
    pub(super) closing: Option<PointSet>,
    /// The moves of the General.
    pub(super) moves: Vec<GeneralMove>,
}

/// A variant compiled for retrograde analysis.
#[derive(Debug)]
pub(super) struct GeneralStates {
    pub(super) states: Vec<CompiledState>,
    /// By state; empty where arrivals have no tables of their own.
    pub(super) arrivals: Vec<Arrival>,
    /// By slot; empty where jumps do not go on.
    pub(super) landings: Vec<Landing>,
}

impl GeneralStates {
    pub(super) fn new(variant: &Variant, index: &Index) -> GeneralStates {
        let (rules, words) = (variant.rules(), variant.rule_set());
        let states = GeneralState::all(variant);
        let pairs = |general: Point| rules.arrival_pairs(general);
        // A table of arrivals serves where nothing but the arrival decides what falls, and each pair by itself.
        let apart = |general: Point| are_disjoint(pairs(general).iter().copied());
        let has_arrivals =
            words.intervention && !words.deferred && !words.compulsory && variant.board().all().into_iter().all(apart);
        let compiler = Compiler { variant, rules, index, states: &states, has_arrivals };
        let arrivals = if has_arrivals { states.as_slice() } else { &[] }.iter().map(|state| {
            let pairs = pairs(state.general).to_vec();
            let shifts = choices(&pairs).map(|(held, _)| Shift::new(index, held, PointSet::EMPTY, held)).collect();
            Arrival { pairs, shifts }
        });
        let landings =
            GeneralState::slots(variant).filter(|_| rules.jumps_go_on()).map(|state| compiler.landing(state));
        GeneralStates {
            arrivals: arrivals.collect(),
            landings: landings.collect(),
            states: states.iter().map(|state| compiler.state(*state)).collect(),
        }
    }
}

struct Compiler<'a> {
    variant: &'a Variant,
    rules: &'a CompiledRules,
    index: &'a Index,
    states: &'a [GeneralState],
    has_arrivals: bool,
}

impl Compiler<'_> {
    fn state(&self, state: GeneralState) -> CompiledState {
        let (rules, general) = (self.rules, state.general);
        let (mut steps, mut custodial) = (Vec::new(), Vec::new());
        for from in rules.ground().without(general) {
            for to in rules.rebel_steps(from).without(general) {
                let (a, b) = (PointSet::of(from), PointSet::of(to));
                steps.push(Shift::new(self.index, a, b, a | b));
                for pair in rules.custody(general).iter().filter(|pair| pair.contains(to)) {
                    let other = pair.without(to);
                    if !other.contains(from) {
                        custodial.push(Shift::new(self.index, other | a, b, PointSet::EMPTY));
                    }
                }
            }
        }
        let closing = rules.gate(general);
        CompiledState { state, steps, custodial, closing, moves: self.moves(state) }
    }

    /// Where a move ends that leads to a point. Flags without a meaning lead to states that no game has; these do not matter.
    fn end(&self, general: Point, flags: GeneralState) -> End {
        let apex_visited = flags.apex_visited || self.rules.return_apex().contains(general);
        let state = GeneralState { general, apex_visited, ..flags };
        match state.winner(self.variant) {
            Some(Side::Rebels) => End::RebelsWin,
            Some(Side::General) => End::GeneralWins,
            None => self.states.iter().position(|other| *other == state).map_or(End::GeneralWins, End::State),
        }
    }

    fn moves(&self, state: GeneralState) -> Vec<GeneralMove> {
        let mut moves = Vec::new();
        for template in self.rules.templates(state.general) {
            let spent = u8::from(template.kind == MoveKind::FreeJump);
            let Some(free_jumps) = state.free_jumps.checked_sub(spent) else { continue };
            let after = GeneralState { general: template.to, free_jumps, ..state };
            let end = self.end(template.to, after);
            if self.has_arrivals && matches!(template.kind, MoveKind::Walk | MoveKind::FreeJump) {
                // What falls is looked up where the move leads.
                let shift = Shift::new(self.index, template.rebels, template.empty, PointSet::EMPTY);
                let target = if let End::State(state) = end { Target::Arrival(state) } else { Target::End(end) };
                moves.push(GeneralMove { target, shift, not_held: Vec::new(), captures: false });
                continue;
            }
            let goes_on = template.kind == MoveKind::Jump && self.rules.jumps_go_on();
            let target = if goes_on { Target::Landing(after.slot(self.variant)) } else { Target::End(end) };
            moves.extend(template.choices().map(|choice| GeneralMove {
                target,
                shift: Shift::new(self.index, choice.rebels, template.empty, choice.captured),
                captures: !choice.captured.is_empty(),
                not_held: choice.not_held,
            }));
        }
        moves
    }

    fn landing(&self, state: GeneralState) -> Landing {
        let jumps = self.rules.jumps(state.general).iter().map(|hop| {
            let over = PointSet::of(hop.over);
            let landing = GeneralState { general: hop.to, ..state }.slot(self.variant);
            (landing, Shift::new(self.index, over, PointSet::of(hop.to), over))
        });
        Landing { end: self.end(state.general, state), may_stop: self.rules.jumps_may_stop(), jumps: jumps.collect() }
    }
}
