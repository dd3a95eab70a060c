//! The rules of a game for all positions at once: what each state's moves lead to, and in which sets of Rebels they are
//! legal.
//!
//! A *state* is all of a position except the Rebels on the board, and the kernel knows it by a number. It brings its
//! place in the index, moves of the Rebels as flips of places, and moves of the General, which keep the set and change
//! the state. A move that leaves the layer, or ends the game, is a [`Capture`]: its value is known before the layer is
//! solved.

use std::collections::BTreeSet;

use privy_rules::board::{Point, PointSet};
use privy_rules::rule_set::{JumpRule, LeapRule, NoMove};
use privy_rules::{MoveKind, Side, Template, Variant, choices};

use crate::numbering::Numbering;
use crate::sets::OCCUPIED;
use crate::states::{GeneralState, mirror};

use super::cells::Cell;
use super::index::Row;
use super::light::{LightMap, LowSets};
use super::places::Places;
use super::plane::{LowMoves, index_of_low};

/// Sets of Rebels by places that hold Rebels and places that hold none.
#[derive(Debug, Clone)]
pub(super) struct Condition {
    held: u64,
    empty: u64,
    /// The low parts; `None`: all.
    low: Option<Box<LowSets>>,
    /// None of these may hold.
    unless: Vec<Condition>,
}

impl Condition {
    /// The sets in which the places of `held` hold Rebels, and those of `empty` none.
    fn new(places: &Places, held: u64, empty: u64) -> Condition {
        let low_places = (1 << places.low) - 1;
        let [held_low, empty_low] = [held, empty].map(|bits| bits & low_places);
        let low = || places.low_sets(|low| low & (held_low | empty_low) == held_low);
        let low = (held_low | empty_low != 0).then(|| Box::new(low()));
        Condition { held: held >> places.low, empty: empty >> places.low, low, unless: Vec::new() }
    }

    /// True if some low part goes with a high part.
    #[inline(always)]
    pub(super) fn admits(&self, high: u64) -> bool {
        high & (self.held | self.empty) == self.held
    }

    /// The sets of a row that the condition admits.
    #[inline(always)]
    pub(super) fn of<C: Cell>(&self, sets: C, row: Row) -> C {
        if !self.admits(row.high) {
            return C::EMPTY;
        }
        let admitted = match &self.low {
            Some(low) => sets & C::low(low, row.low),
            None => sets,
        };
        if self.unless.is_empty() { admitted } else { self.without_exceptions(admitted, row) }
    }

    fn without_exceptions<C: Cell>(&self, sets: C, row: Row) -> C {
        self.unless.iter().fold(sets, |left, exception| left.minus(exception.of(sets, row)))
    }

    /// True if it admits all sets.
    fn is_always(&self) -> bool {
        self.held | self.empty == 0 && self.low.is_none() && self.unless.is_empty()
    }
}

/// Steps of the Rebels, or drops, wherever the General stands: no position has a Rebel on its point.
#[derive(Debug, Default)]
pub(super) struct RebelMoves {
    /// Moves on low places, by parity of the low part before.
    pub(super) low: [LowMoves; 2],
    /// The same for light cells, by column, as maps from after the moves to before. Drops have none.
    pub(super) light: Vec<LightMap>,
    pub(super) high: Vec<HighMove>,
    pub(super) mixed: Vec<MixedMoves>,
}

/// A move on high places.
#[derive(Debug, Clone, Copy)]
pub(super) struct HighMove {
    /// The places that change.
    pub(super) flip: u64,
    /// What they may hold before.
    before: [u64; 2],
}

impl HighMove {
    #[inline(always)]
    pub(super) fn is_legal(self, high: u64) -> bool {
        let held = high & self.flip;
        (held == self.before[0]) | (held == self.before[1])
    }

    /// The high parts before the move, of the 64 that share all but their first places.
    pub(super) fn legal_in_word(self, number: u64) -> u64 {
        let before = |held: u64| {
            PointSet(self.flip).into_iter().map(|place| place.index()).fold(!0, |sets, place| {
                let occupied = match OCCUPIED.get(place) {
                    Some(occupied) => *occupied,
                    None => (number >> (place - OCCUPIED.len()) & 1).wrapping_neg(),
                };
                sets & if held >> place & 1 != 0 { occupied } else { !occupied }
            })
        };
        before(self.before[0]) | before(self.before[1])
    }
}

/// The steps between a high place and low ones.
#[derive(Debug)]
pub(super) struct MixedMoves {
    /// The high place.
    pub(super) place: u64,
    /// Those to it, and those from it, by parity of the low part before.
    pub(super) steps: [[LowMoves; 2]; 2],
}

impl RebelMoves {
    fn new(variant: &Variant, places: &Places, are_drops: bool) -> RebelMoves {
        let (rules, mut moves) = (variant.rules(), RebelMoves::default());
        let place = |point: Point| places.bits(PointSet::of(point));
        if are_drops {
            (rules.rebel_drops & rules.ground).into_iter().for_each(|to| moves.add(places, 0, place(to)));
        } else {
            for from in rules.ground {
                (rules.rebel_steps[from] & rules.ground)
                    .into_iter()
                    .for_each(|to| moves.add(places, place(from), place(to)));
            }
            moves.light = places.light_maps(|parity, after| moves.low[parity].before(&after));
        }
        moves
    }

    /// Adds a step between places, or a drop, from none.
    fn add(&mut self, places: &Places, from: u64, to: u64) {
        let low_places = (1 << places.low) - 1;
        let ([low, high], is_to_low) = ([(from | to) & low_places, (from | to) >> places.low], to & low_places != 0);
        if high == 0 {
            (0..).zip(&mut self.low).for_each(|(parity, moves)| moves.add(parity, low, from));
        } else if low == 0 {
            let before = from >> places.low;
            match self.high.iter_mut().find(|known| known.flip == high) {
                Some(known) => known.before[1] = before,
                None => self.high.push(HighMove { flip: high, before: [before; 2] }),
            }
        } else {
            let number = self.mixed.iter().position(|known| known.place == high).unwrap_or_else(|| {
                self.mixed.push(MixedMoves { place: high, steps: Default::default() });
                self.mixed.len() - 1
            });
            let steps = &mut self.mixed[number].steps[usize::from(is_to_low)];
            (0..).zip(steps).for_each(|(parity, steps)| steps.add(parity, low, from & low_places));
        }
    }
}

/// A move of the General that keeps the set of Rebels.
#[derive(Debug)]
pub(super) struct GeneralMove {
    pub(super) target: usize,
    pub(super) mirrored: bool,
    /// True if pairs of Rebels around the target fall: the move is to the arrival there, and no position of this layer
    /// where there are any.
    pub(super) arrives: bool,
    /// When it is legal: of the sets, and of their mirror images.
    pub(super) when: [Condition; 2],
}

/// A move of the General whose value is known before the layer is solved.
#[derive(Debug)]
pub(super) struct Capture {
    pub(super) when: Condition,
    /// The number of Rebels that fall.
    pub(super) fallen: u32,
    /// Their high places, and their part of the index of a low part.
    pub(super) high: u64,
    pub(super) low: usize,
    pub(super) value: CaptureValue,
}

impl Capture {
    fn new(places: &Places, when: Condition, captured: PointSet, value: CaptureValue) -> Capture {
        let captured = places.bits(captured);
        let low = index_of_low(captured & ((1 << places.low) - 1));
        Capture { when, fallen: captured.count_ones(), high: captured >> places.low, low, value }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum CaptureValue {
    /// The game is over.
    End(Side),
    /// The position with the Rebels left, who are to move, or of a General that has landed there and may jump on.
    Below { section: usize, mirrored: bool },
}

/// A state with its moves.
#[derive(Debug, Default)]
pub(super) struct State {
    /// The state after a move of the Rebels: another one if they drop.
    pub(super) target: usize,
    /// Their moves on high places.
    pub(super) high: Vec<HighMove>,
    pub(super) general_moves: Vec<GeneralMove>,
    /// Its free jumps, by their number, and the arrival among them at its own point, to which it does not jump.
    pub(super) free_jumps: Option<(usize, Option<usize>)>,
    /// The states to which its other quiet moves lead, and whether mirrored.
    pub(super) general_targets: Vec<(usize, bool)>,
    /// Moves that end the game without a capture.
    pub(super) ends: Vec<(Condition, Side)>,
    pub(super) captures: Vec<Capture>,
    /// The pairs around the General that fall as it arrives.
    pub(super) pairs: Vec<Condition>,
    /// What an arrival among them takes.
    pub(super) arrivals: Vec<Capture>,
    /// The General has a move where one of these holds.
    pub(super) can_move: Vec<Condition>,
    /// The Rebels have won where one of these holds, with the General to move.
    pub(super) rebels_won: Vec<Condition>,
    /// The General has won where this holds.
    pub(super) general_won: Option<Condition>,
    /// Moves with which the Rebels win.
    pub(super) custody: Vec<Condition>,
}

/// The states of a game with all their moves.
#[derive(Debug)]
pub(super) struct Moves {
    /// Steps of the Rebels, and drops.
    rebels: [RebelMoves; 2],
    pub(super) states: Vec<State>,
    /// Of Generals in the middle of a chain of jumps: the end of the move, which takes nothing more, then the jumps.
    pub(super) landings: Vec<Vec<Capture>>,
    /// The states, then those of the landings.
    pub(super) sections: Vec<GeneralState>,
    /// The states where free jumps arrive, and whether mirrored: equal for all points from which these may be made.
    pub(super) free_jumps: Vec<Vec<(usize, bool)>>,
    /// The value of captured pairs belongs to the arrival, whatever move led there.
    pub(super) have_arrivals: bool,
    /// A move may keep the General from the pairs where it ends, so that positions are read beside arrivals.
    pub(super) reads_positions: bool,
    pub(super) is_compulsory: bool,
    /// After a jump the General may stop though it can jump on.
    pub(super) may_stop: bool,
    pub(super) rebels_stuck: NoMove,
    pub(super) general_stuck: NoMove,
}

/// True if the kernel knows the rules of a variant.
pub fn knows(variant: &Variant) -> bool {
    const KNOWN: &str = "intervention deferred static orthogonal jump jump_lines leap slide free_jumps jump_rows \
                         orthogonal_steps compulsory forward enter_privy rebels_never_on general_drops_on \
                         rebels_drop_on general_waits custodial apex bottom general_loses_on goal goal_on_return \
                         past_rebels rebels_goal no_move repetition rebels_at_most close_privy";
    let words = variant.rule_set();
    words.uses_only(KNOWN) && !(words.past_rebels && variant.opening().hand() > 0)
}

/// What compiles the moves of a game.
struct Compiler<'a> {
    variant: &'a Variant,
    places: &'a Places,
    numbering: &'a Numbering,
    moves: Moves,
}

impl Moves {
    pub(super) fn new(numbering: &Numbering, places: &Places) -> Moves {
        let variant: &Variant = &numbering.variant;
        let (rules, words) = (variant.rules(), variant.rule_set());
        let have_arrivals = words.intervention && !words.compulsory;
        let may_stay = words.leap != LeapRule::None || rules.general_waits || rules.no_move.general == NoMove::Pass;
        let moves = Moves {
            rebels: [false, true].map(|are_drops| RebelMoves::new(variant, places, are_drops)),
            states: Vec::new(),
            landings: Vec::new(),
            sections: numbering.states.clone(),
            free_jumps: Vec::new(),
            have_arrivals,
            reads_positions: have_arrivals && may_stay,
            is_compulsory: words.compulsory,
            may_stop: words.jump == JumpRule::Free,
            rebels_stuck: words.no_move.rebels,
            general_stuck: words.no_move.general,
        };
        let mut compiler = Compiler { variant, places, numbering, moves };
        for (number, state) in numbering.states.iter().enumerate() {
            let mut state = compiler.state(*state);
            let pass = Some((number, false)).filter(|_| words.no_move.general == NoMove::Pass);
            let targets = state.general_moves.iter().map(|to| (to.target, to.mirrored)).chain(pass);
            state.general_targets = targets.collect::<BTreeSet<_>>().into_iter().collect();
            compiler.moves.states.push(state);
        }
        // Landings are found as jumps lead to them.
        let mut number = 0;
        while let Some(state) = compiler.moves.sections.get(numbering.states.len() + number).copied() {
            let jumps = rules.templates[state.general].iter().filter(|template| template.kind == MoveKind::Jump);
            let jumps: Vec<Capture> = jumps.filter_map(|template| compiler.jump(state, template)).collect();
            compiler.moves.landings[number].extend(jumps);
            number += 1;
        }
        compiler.moves
    }

    /// The Rebels' moves in a state.
    #[inline(always)]
    pub(super) fn rebels(&self, state: usize) -> &RebelMoves {
        &self.rebels[usize::from(self.states[state].target != state)]
    }

    pub(super) fn rebels_may_pass(&self) -> bool {
        self.rebels_stuck == NoMove::Pass
    }
}

impl Compiler<'_> {
    /// `None` where one of the points of `held` never holds a Rebel.
    fn condition(&self, general: Point, held: PointSet, empty: PointSet) -> Option<Condition> {
        let may_hold = self.variant.rules().ground.without(general).contains_all(held);
        let [held, empty] = [held, empty.without(general)].map(|points| self.places.bits(points));
        may_hold.then(|| Condition::new(self.places, held, empty))
    }

    fn when(&self, general: Point, held: PointSet, empty: PointSet, unless: &[PointSet]) -> Option<Condition> {
        let unless = unless.iter().filter_map(|pair| self.condition(general, *pair, PointSet::EMPTY)).collect();
        Some(Condition { unless, ..self.condition(general, held, empty)? })
    }

    /// The state after a move of the General.
    fn after(&self, state: GeneralState, template: &Template) -> GeneralState {
        let apex_visited = state.apex_visited || self.variant.rules().return_apex.contains(template.to);
        let free_jumps = state.free_jumps - u8::from(template.kind == MoveKind::FreeJump);
        GeneralState { general: template.to, apex_visited, free_jumps, ..state }
    }

    /// The value of a move to a state of a layer below.
    fn value_below(&self, after: GeneralState) -> CaptureValue {
        match (after.winner(self.variant), self.numbering.state(after)) {
            (Some(winner), _) => CaptureValue::End(winner),
            (None, Some((section, mirrored))) => CaptureValue::Below { section, mirrored },
            (None, None) => unreachable!("a game that continues is in a solved state"),
        }
    }

    /// A jump, to a landing where it may continue.
    fn jump(&mut self, state: GeneralState, template: &Template) -> Option<Capture> {
        let when = self.condition(state.general, template.rebels, template.empty)?;
        let stop = self.value_below(self.after(state, template));
        let goes_on = self.variant.rules().jumps_go_on;
        let value = if goes_on { self.landing(GeneralState { general: template.to, ..state }, stop) } else { stop };
        Some(Capture::new(self.places, when, template.captured, value))
    }

    /// The landing of a General with the flags from before the jump.
    fn landing(&mut self, state: GeneralState, stop: CaptureValue) -> CaptureValue {
        let image = state.image(self.variant);
        let (state, mirrored) = if image.general < state.general { (image, true) } else { (state, false) };
        let stop = match stop {
            CaptureValue::Below { section, .. } => CaptureValue::Below { section, mirrored: false },
            end => end,
        };
        let states = self.numbering.states.len();
        let known = self.moves.sections[states..].iter().position(|known| *known == state);
        let number = known.unwrap_or_else(|| {
            self.moves.sections.push(state);
            let when = Condition::new(self.places, 0, 0);
            self.moves.landings.push(vec![Capture::new(self.places, when, PointSet::EMPTY, stop)]);
            self.moves.landings.len() - 1
        });
        CaptureValue::Below { section: states + number, mirrored }
    }

    fn state(&mut self, state: GeneralState) -> State {
        let (variant, at) = (self.variant, state.general);
        let rules = variant.rules();
        let number = self.numbering.state(state).expect("a solved state has a slot").0;
        let after_drop = state.hand.checked_sub(1).map(|hand| {
            self.numbering.state(GeneralState { hand, ..state }).expect("a drop keeps the General in a solved state")
        });
        let at_high = self.places.bits(PointSet::of(at)) >> self.places.low;
        let high = self.moves.rebels[usize::from(after_drop.is_some())].high.iter().copied();
        let mut made = State {
            target: after_drop.map_or(number, |(target, _)| target),
            high: high.filter(|step| step.flip & at_high == 0).collect(),
            custody: self.custody(state),
            ..State::default()
        };
        if rules.general_waits && state.hand > 0 && variant.board().has(at) {
            let when = Condition::new(self.places, 0, 0);
            made.can_move.push(when.clone());
            let wait = GeneralMove { target: number, mirrored: false, arrives: false, when: [when.clone(), when] };
            made.general_moves.push(wait);
        } else {
            let mut jumps = Vec::new();
            for template in &rules.templates[at] {
                if template.kind != MoveKind::FreeJump || state.free_jumps > 0 {
                    self.general_move(state, template, &mut made, &mut jumps);
                }
            }
            made.free_jumps = self.free_jumps(state, jumps);
        }
        if self.moves.have_arrivals && variant.board().has(at) {
            let pairs = rules.arrival_pairs(at);
            made.pairs = pairs.iter().filter_map(|pair| self.condition(at, *pair, PointSet::EMPTY)).collect();
            for (held, not_held) in choices(pairs).filter(|(held, _)| !held.is_empty()) {
                if let Some(when) = self.when(at, held, PointSet::EMPTY, &not_held) {
                    let value = CaptureValue::Below { section: number, mirrored: false };
                    made.arrivals.push(Capture::new(self.places, when, held, value));
                }
            }
        }
        if let Some(gate) = rules.gate(at) {
            let escapes = rules.escapes.iter();
            let unless = escapes.filter_map(|hop| self.condition(at, hop.over, PointSet::of(hop.to))).collect();
            let closed = self.condition(at, gate, PointSet::EMPTY).map(|closed| Condition { unless, ..closed });
            made.rebels_won.extend(closed);
        }
        if !rules.rebels_goal.is_empty() {
            made.rebels_won.extend(self.condition(at, rules.rebels_goal, PointSet::EMPTY));
        }
        if rules.wins_past_rebels && state.hand == 0 && variant.board().has(at) {
            let below = rules.rows_below[at];
            made.general_won = self.condition(at, PointSet::EMPTY, below);
        }
        made
    }

    /// The General's move that a template makes, for every choice of the pairs that fall.
    fn general_move(
        &mut self,
        state: GeneralState,
        template: &Template,
        made: &mut State,
        jumps: &mut Vec<(usize, bool)>,
    ) {
        let (rules, at) = (self.variant.rules(), state.general);
        made.can_move.extend(self.condition(at, template.rebels, template.empty));
        if template.kind == MoveKind::Jump {
            let jump = self.jump(state, template);
            made.captures.extend(jump);
            return;
        }
        let after = self.after(state, template);
        // Pairs that fall as the General leaves, and where it arrives.
        let leaving = if template.kind == MoveKind::Walk { rules.departure_pairs(at, template.to).len() } else { 0 };
        let arrives = self.moves.have_arrivals && matches!(template.kind, MoveKind::Walk | MoveKind::FreeJump);
        let is_over = after.winner(self.variant);
        for choice in template.choices() {
            let Some(when) = self.when(at, choice.rebels, template.empty, &choice.not_held) else { continue };
            let leaves_pairs = template.pairs[..leaving].iter().any(|pair| !choice.not_held.contains(pair));
            match is_over {
                _ if !choice.captured.is_empty() && (!arrives || leaves_pairs || is_over.is_some()) => {
                    let value = self.value_below(after);
                    made.captures.push(Capture::new(self.places, when, choice.captured, value));
                }
                _ if !choice.captured.is_empty() => {}
                Some(winner) => made.ends.push((when, winner)),
                None => {
                    let (target, mirrored) =
                        self.numbering.state(after).expect("a game that continues is in a solved state");
                    let not_held = if arrives { &template.pairs[..leaving] } else { &choice.not_held[..] };
                    // The target holds no Rebel, which its own planes say.
                    let empty = template.empty.without(template.to);
                    let when = [false, true].map(|is_image| {
                        let image = |points: PointSet| match mirror(self.variant).filter(|_| is_image) {
                            Some(mirror) => mirror.set(points),
                            None => points,
                        };
                        let from = if is_image { self.variant.image(at) } else { at };
                        let not_held: Vec<PointSet> = not_held.iter().copied().map(image).collect();
                        let when = self.when(from, image(choice.rebels), image(empty), &not_held);
                        when.expect("it is legal with more conditions")
                    });
                    if when[0].is_always() && template.kind == MoveKind::FreeJump {
                        jumps.push((target, mirrored));
                        continue;
                    }
                    made.general_moves.push(GeneralMove { target, mirrored, arrives, when });
                }
            }
        }
    }

    /// The free jumps of a state that are legal wherever their target is empty.
    fn free_jumps(&mut self, state: GeneralState, mut jumps: Vec<(usize, bool)>) -> Option<(usize, Option<usize>)> {
        let free_jumps = state.free_jumps.checked_sub(1).filter(|_| !jumps.is_empty())?;
        // With one to its own point, they are those of other points.
        let is_target = self.variant.rules().field.contains(state.general);
        let own = self.numbering.state(GeneralState { free_jumps, ..state }).filter(|_| is_target);
        jumps.extend(own);
        jumps.sort_unstable_by_key(|(state, mirrored)| (*mirrored, *state));
        let number = self.moves.free_jumps.iter().position(|known| *known == jumps).unwrap_or_else(|| {
            self.moves.free_jumps.push(jumps);
            self.moves.free_jumps.len() - 1
        });
        Some((number, own.map(|(state, _)| state)))
    }

    /// The sets in which a Rebel can move so that it captures the General.
    fn custody(&self, state: GeneralState) -> Vec<Condition> {
        let rules = self.variant.rules();
        let mut captures = Vec::new();
        for pair in if self.variant.board().has(state.general) { rules.custody(state.general) } else { &[] } {
            for to in *pair & rules.ground {
                let other = pair.without(to);
                let mut add = |held: PointSet| captures.extend(self.condition(state.general, held, PointSet::of(to)));
                if state.hand == 0 {
                    let from = rules.rebel_origins[to].minus(other);
                    from.into_iter().for_each(|from| add(other.with(from)));
                } else if rules.rebel_drops.contains(to) {
                    add(other);
                }
            }
        }
        captures
    }
}
