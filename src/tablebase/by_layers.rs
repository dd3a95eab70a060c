//! Retrograde analysis of one number of Rebels after the other, position by position: for boards of any size.
//!
//! Captures lead from more Rebels to fewer, and all other moves keep their number. So a layer, the positions with so many
//! Rebels, is solved when those below it are: what the General's captures are worth is known before the first ply, and the
//! rest is the usual analysis backwards from the ends of games (K. Thompson, Retrograde Analysis of Certain Endgames, 1986).
//! A position is won when a move leads to one that was lost a ply earlier. It is lost when all its moves have turned out to be won
//! for the other side; how many have not is counted down.
//!
//! The positions of a state of the General (its point and flags) are numbered by the rank of their set of Rebels. Steps of Rebels
//! keep the state, so a thread has its states for itself in the Rebels' pass; in the General's, it reads what the last
//! ply decided in the states that its own lead to. Of two states that are mirror images one is solved.

use std::sync::atomic::{AtomicBool, Ordering};

use rayon::prelude::*;

use crate::board::{Point, PointSet, PointTable};
use crate::rules::family::for_family;
use crate::rules::{Family, MoveKind, Outcome, Position, Side, Variant};

use super::error::TableError;
use super::general_states::GeneralState;
use super::layout::{Coding, Counts, Coverage};
use super::ranking::{Ranking, binomial};
use super::table::over;
use super::value::Value;

/// Bytes that a position of the layer that is being solved takes, both sides to move together: two counts, what captures are
/// worth, and eight bits of what was decided. The value is kept, for all layers.
const BYTES_OF_LAYER: u64 = 4;

/// In place of what captures are worth: the position is decided.
const DECIDED: u8 = u8::MAX;

/// A move of the General that captures nothing, into a state that was solved or is the mirror image of one.
#[derive(Debug)]
struct Quiet {
    target: usize,
    mirrored: bool,
    /// It can be made where one of these holds.
    ways: Vec<Way>,
}

/// What a quiet move asks of the set of Rebels.
#[derive(Debug)]
struct Way {
    rebels: PointSet,
    empty: PointSet,
    not_held: Vec<PointSet>,
}

impl Way {
    #[inline(always)]
    fn admits(&self, rebels: PointSet) -> bool {
        rebels.contains_all(self.rebels)
            && !rebels.meets(self.empty)
            && !self.not_held.iter().any(|pair| rebels.contains_all(*pair))
    }
}

/// A state of the General that is solved.
#[derive(Debug)]
struct Compiled {
    state: GeneralState,
    /// 2 with its mirror image.
    times: u64,
    quiet: Vec<Quiet>,
    /// By slot of the state that a move leads to, the number among the quiet moves.
    quiet_of_slot: Vec<u8>,
}

/// A bit for each position of a layer and state.
#[derive(Debug, Default)]
struct Marks(Vec<u64>);

impl Marks {
    fn new(positions: usize) -> Marks {
        Marks(vec![0; positions.div_ceil(64)])
    }

    #[inline(always)]
    fn set(&mut self, rank: usize) {
        self.0[rank / 64] |= 1 << (rank % 64);
    }

    fn clear(&mut self) {
        self.0.fill(0);
    }

    fn count(&self) -> u64 {
        self.0.iter().map(|word| u64::from(word.count_ones())).sum()
    }

    /// Calls `each` with every set that is marked.
    #[inline(always)]
    fn for_each(&self, ranking: &Ranking, general: Point, rebels: u32, mut each: impl FnMut(PointSet)) {
        for (number, word) in self.0.iter().enumerate().filter(|(_, word)| **word != 0) {
            let first = number * 64 + word.trailing_zeros() as usize;
            let mut rest = word >> word.trailing_zeros();
            for set in ranking.sets_from(general, ranking.set_of_rank(general, rebels, first)) {
                if rest & 1 != 0 {
                    each(set);
                }
                rest >>= 1;
                if rest == 0 {
                    break;
                }
            }
        }
    }
}

/// What a ply decided, for one side to move.
#[derive(Debug, Default)]
struct Decided {
    won: Marks,
    lost: Marks,
}

impl Decided {
    fn new(positions: usize) -> Decided {
        Decided { won: Marks::new(positions), lost: Marks::new(positions) }
    }

    fn clear(&mut self) {
        self.won.clear();
        self.lost.clear();
    }

    fn count(&self) -> u64 {
        self.won.count() + self.lost.count()
    }
}

/// The layer of one state with the Rebels to move.
#[derive(Debug)]
struct RebelsToMove {
    /// Steps that do not lead to a win of the General, as far as is known.
    left: Vec<u8>,
    /// Won at once, by a custodial capture.
    captures: Marks,
    decided: Decided,
    next: Decided,
}

/// The layer of one state with the General to move.
#[derive(Debug)]
struct GeneralToMove {
    /// Quiet moves that do not lead to a win of the Rebels, as far as is known; a capture that draws is one more.
    left: Vec<u8>,
    /// What the best capture is worth, as [`Coding`] writes it for the side to move; 0 where there is none that decides. [`DECIDED`]
    /// once the position is.
    captures: Vec<u8>,
    decided: Decided,
    next: Decided,
    /// Won, lost, and over.
    counts: [u64; 3],
    /// The most plies that a capture is worth.
    longest: u32,
}

/// How far the analysis is.
#[derive(Debug, Clone, Copy)]
pub(super) struct LayerProgress {
    pub(super) ply: u32,
    /// Positions decided in all layers, both sides to move.
    pub(super) decided: u64,
}

/// The layers that have been solved.
pub(super) struct ByLayers<'a> {
    variant: &'a Variant,
    coding: Coding,
    coverage: Coverage,
    pub(super) ranking: Ranking,
    states: Vec<Compiled>,
    /// By slot, the state that was solved for it, and whether it is the mirror image; none where no game goes on.
    solved: Vec<Option<(usize, bool)>>,
    /// By state, the values of all positions with the Rebels to move, as [`Coding`] writes them.
    values: Vec<Vec<u8>>,
    /// By layer, how the positions with the General to move are decided.
    general: Vec<Counts>,
    /// From where a Rebel can step to a point.
    origins: PointTable<PointSet>,
    decided: u64,
}

/// The states that are solved: of two mirror images the one whose General stands on the lower point.
fn solved_states(variant: &Variant) -> Vec<GeneralState> {
    let mut states = GeneralState::all(variant);
    states.retain(|state| state.image(variant).general >= state.general);
    states
}

/// Memory that the analysis of a variant takes, in bytes.
pub(super) fn bytes(variant: &Variant, coverage: Coverage) -> u64 {
    let ground = variant.rules().ground();
    let states = solved_states(variant);
    let of_states = |on_ground: bool| {
        let count = states.iter().filter(|state| ground.contains(state.general) == on_ground).count() as u64;
        let places = ground.len() - u32::from(on_ground && !ground.is_empty());
        let layers = coverage.layers().map(|rebels| binomial(places, rebels));
        let (sum, most) = layers.fold((0u64, 0), |(sum, most), sets| (sum.saturating_add(sets), sets.max(most)));
        sum.saturating_add(BYTES_OF_LAYER.saturating_mul(most)).saturating_mul(count)
    };
    of_states(true).saturating_add(of_states(false))
}

impl<'a> ByLayers<'a> {
    /// Nothing is solved yet. None where a number of Rebels has more sets than 32 bits count.
    pub(super) fn new(variant: &'a Variant, coverage: Coverage) -> Option<ByLayers<'a>> {
        let ranking = Ranking::new(variant, coverage)?;
        let rules = variant.rules();
        let states = solved_states(variant);
        let solved: Vec<Option<(usize, bool)>> = GeneralState::slots(variant)
            .map(|slot| {
                let find = |wanted: GeneralState| states.iter().position(|state| *state == wanted);
                find(slot).map(|state| (state, false)).or_else(|| Some((find(slot.image(variant))?, true)))
            })
            .collect();
        let values = states.iter().map(|state| vec![0; ranking.entries(state.general)]).collect();
        let compile = |state: &GeneralState| {
            let (quiet, quiet_of_slot) = quiet_moves(variant, *state, &solved);
            let times = if state.image(variant) == *state { 1 } else { 2 };
            Compiled { state: *state, times, quiet, quiet_of_slot }
        };
        let states = states.iter().map(compile).collect();
        let all = rules.ground();
        let origins = PointTable::of(all, |to| {
            all.into_iter().filter(|from| rules.rebel_steps(*from).contains(to)).collect::<PointSet>()
        });
        let coding = Coding::of(variant);
        let general = Vec::new();
        Some(ByLayers { variant, coding, coverage, ranking, states, solved, values, general, origins, decided: 0 })
    }

    /// Positions of all layers with one side to move, of mirror images one.
    pub(super) fn positions(&self) -> u64 {
        self.values.iter().map(|values| values.len() as u64).sum()
    }

    /// The numbers of Rebels that are still to be solved, fewest first.
    pub(super) fn layers_left(&self) -> impl Iterator<Item = u32> + use<> {
        self.coverage.layers().skip(self.general.len())
    }

    /// Takes over the lowest layers of an earlier run: by state the values of all their positions with the Rebels to move, and how those
    /// with the General to move are decided. False, and nothing is taken, where they do not fit.
    pub(super) fn resume(&mut self, values: &[Vec<u8>], general: Vec<Counts>) -> bool {
        let last = self.coverage.layers().take(general.len()).last();
        let layers = |state: &Compiled| Some(self.ranking.layer(state.state.general, last?)?.end);
        let fits = values.len() == self.states.len()
            && self.states.iter().zip(values).all(|(state, values)| layers(state) == Some(values.len()));
        if fits {
            for (into, values) in self.values.iter_mut().zip(values) {
                into[..values.len()].copy_from_slice(values);
            }
            self.general = general;
        }
        fits
    }

    /// The states that were solved, each with the values of the layers that have been.
    pub(super) fn values(&self) -> impl Iterator<Item = (GeneralState, &[u8])> {
        let last = self.coverage.layers().take(self.general.len()).last();
        self.states.iter().zip(&self.values).map(move |(state, values)| {
            let layer = last.and_then(|rebels| self.ranking.layer(state.state.general, rebels));
            (state.state, &values[..layer.map_or(0, |layer| layer.end)])
        })
    }

    /// By layer that has been solved, how the positions with the General to move are decided.
    pub(super) fn general_counts(&self) -> &[Counts] {
        &self.general
    }

    /// Solves the next layer.
    ///
    /// # Errors
    /// When `stop` was set, or a win takes more plies than can be written: then nothing of the layer counts.
    pub(super) fn solve_layer(
        &mut self,
        progress: &mut (dyn FnMut(LayerProgress) + Send),
        stop: &AtomicBool,
    ) -> Result<(), TableError> {
        let Some(rebels) = self.layers_left().next() else { return Ok(()) };
        for_family!(self.variant.family(), F => self.solve_layer_of::<F>(rebels, progress, stop))
    }

    fn solve_layer_of<F: Family>(
        &mut self,
        rebels: u32,
        progress: &mut (dyn FnMut(LayerProgress) + Send),
        stop: &AtomicBool,
    ) -> Result<(), TableError> {
        let numbers: Vec<usize> = (0..self.states.len()).collect();
        let ready = numbers.par_iter().map(|state| self.prepare::<F>(*state, rebels, stop));
        let (mut of_rebels, mut of_general): (Vec<RebelsToMove>, Vec<GeneralToMove>) = ready.unzip();
        let longest = of_general.iter().map(|general| general.longest).max().unwrap_or(0);
        let mut values = std::mem::take(&mut self.values);
        let mut decided = 0;
        let mut result = Ok(());
        for ply in 0.. {
            if stop.load(Ordering::Relaxed) {
                result = Err(TableError::Interrupted);
                break;
            }
            if ply > self.coding.most_plies() {
                result = Err(TableError::too_long(self.variant));
                break;
            }
            if ply == 0 {
                self.lost_at_once(&mut values, &of_rebels, rebels);
            } else {
                let pass = (&mut of_rebels, &of_general, &self.states, &mut values);
                pass.into_par_iter().for_each(|(of_rebels, of_general, compiled, values)| {
                    self.rebels_pass(of_rebels, &of_general.decided, compiled, values, rebels, ply);
                });
                let pass = (&mut of_general, &self.states);
                pass.into_par_iter().for_each(|(of_general, compiled)| {
                    self.general_pass(of_general, &of_rebels, compiled, rebels, ply);
                });
                of_rebels.iter_mut().for_each(|state| std::mem::swap(&mut state.decided, &mut state.next));
                of_general.iter_mut().for_each(|state| std::mem::swap(&mut state.decided, &mut state.next));
            }
            let of_ply: u64 = of_rebels.iter().map(|state| state.decided.count()).sum::<u64>()
                + of_general.iter().map(|state| state.decided.count()).sum::<u64>();
            decided += of_ply;
            progress(LayerProgress { ply, decided: self.decided + decided });
            if ply > 0 && of_ply == 0 && ply >= longest {
                break;
            }
        }
        self.values = values;
        result?;
        let mut counts = Counts::default();
        for (compiled, general) in self.states.iter().zip(&of_general) {
            let [won, lost, over] = general.counts;
            let all = self.layer(compiled, rebels).len() as u64;
            counts.add(Counts { won, drawn: all - won - lost - over, lost }, compiled.times);
        }
        self.general.push(counts);
        self.decided += decided;
        Ok(())
    }

    /// The entries of a layer.
    fn layer(&self, compiled: &Compiled, rebels: u32) -> std::ops::Range<usize> {
        self.ranking.layer(compiled.state.general, rebels).expect("a layer that is solved is covered")
    }

    /// What a layer knows of a state before the first ply: how many moves there are, and what captures are worth.
    fn prepare<F: Family>(&self, number: usize, rebels: u32, stop: &AtomicBool) -> (RebelsToMove, GeneralToMove) {
        let compiled = &self.states[number];
        let general = compiled.state.general;
        let positions = self.layer(compiled, rebels).len();
        let new = || Decided::new(positions);
        let captures = Marks::new(positions);
        let mut of_rebels = RebelsToMove { left: vec![0; positions], captures, decided: new(), next: new() };
        let mut of_general = GeneralToMove {
            left: vec![0; positions],
            captures: vec![0; positions],
            decided: new(),
            next: new(),
            counts: [0; 3],
            longest: 0,
        };
        let sets = self.ranking.sets_from(general, self.ranking.set_of_rank(general, rebels, 0));
        for (rank, set) in (0..positions).zip(sets) {
            if rank % (1 << 16) == 0 && stop.load(Ordering::Relaxed) {
                break;
            }
            let (steps, captures) = self.count_steps(&compiled.state.position(set, Side::Rebels));
            of_rebels.left[rank] = steps;
            if captures {
                of_rebels.captures.set(rank);
            }
            if steps == 0 {
                of_rebels.decided.lost.set(rank);
            }
            let position = compiled.state.position(set, Side::General);
            match self.look_at_moves::<F>(&position, compiled) {
                None => {
                    of_general.captures[rank] = DECIDED;
                    of_general.decided.lost.set(rank);
                    of_general.counts[2] += 1;
                }
                Some((quiet, best)) => {
                    of_general.left[rank] = quiet + u8::from(best == Some(Value::Draw));
                    if let Some(best @ (Value::Win(plies) | Value::Loss(plies))) = best {
                        of_general.captures[rank] = self.coding.write(plies, matches!(best, Value::Win(_)));
                        of_general.longest = of_general.longest.max(plies);
                    }
                }
            }
        }
        (of_rebels, of_general)
    }

    /// How many steps the Rebels have, and whether one of them captures the General.
    #[inline(always)]
    fn count_steps(&self, position: &Position) -> (u8, bool) {
        let rules = self.variant.rules();
        let steps = rules.count_rebel_steps(position.rebels(), rules.empty(position)) as u8;
        if rules.custody(position.general()).is_empty() {
            return (steps, false);
        }
        let mut captures = false;
        rules.rebel_bundles(position, |from, targets| {
            captures = captures
                || targets
                    .into_iter()
                    .any(|to| rules.play_rebel_step(position, from, to).1 == Some(Outcome::RebelsCustodial));
        });
        (steps, captures)
    }

    /// How many states the General's quiet moves lead to, and what the best of its other moves is worth; none where the game is over.
    #[inline(always)]
    fn look_at_moves<F: Family>(&self, position: &Position, compiled: &Compiled) -> Option<(u8, Option<Value>)> {
        let rules = self.variant.rules();
        if rules.goal_after_rebels(position, None).is_some() {
            return None;
        }
        let (mut any, mut quiet, mut best) = (false, 0u128, None);
        rules.general_actions::<F>(position, |action, _| {
            any = true;
            let (next, goal) = rules.play_general_move(position, &action);
            let value = match goal {
                Some(outcome) => over(outcome, Side::Rebels),
                None if action.captured.is_empty() => {
                    let slot = GeneralState::of(&next).slot(self.variant);
                    quiet |= 1 << compiled.quiet_of_slot[slot];
                    return;
                }
                None => self.value_below(&next),
            };
            best = best.max(Some(value.before()));
        });
        any.then_some((quiet.count_ones() as u8, best))
    }

    /// The value of a position with the Rebels to move in a layer that has been solved.
    #[inline(always)]
    fn value_below(&self, position: &Position) -> Value {
        let (general, rebels) = (position.general(), position.rebels());
        let found = self.solved[GeneralState::of(position).slot(self.variant)];
        let (state, mirrored) = found.expect("a game that goes on is in a state that was solved");
        let (general, rebels) =
            if mirrored { (self.states[state].state.general, self.mirrored(rebels)) } else { (general, rebels) };
        let entry = self.ranking.entry(general, rebels).expect("captures lead to numbers of Rebels that are covered");
        self.coding.value(self.values[state][entry])
    }

    #[inline(always)]
    fn mirrored(&self, rebels: PointSet) -> PointSet {
        self.variant.board().mirror().expect("only mirrored variants have mirrored states").set(rebels)
    }

    /// Rebels without a step have lost.
    fn lost_at_once(&self, values: &mut [Vec<u8>], of_rebels: &[RebelsToMove], rebels: u32) {
        for ((values, of_rebels), compiled) in values.iter_mut().zip(of_rebels).zip(&self.states) {
            let (values, at) = (&mut values[self.layer(compiled, rebels)], compiled.state.general);
            of_rebels.decided.lost.for_each(&self.ranking, at, rebels, |set| {
                values[self.ranking.rank(at, set)] = self.coding.write(0, false);
            });
        }
    }

    /// The Rebels are to move.
    fn rebels_pass(
        &self,
        of_rebels: &mut RebelsToMove,
        general: &Decided,
        compiled: &Compiled,
        values: &mut [u8],
        rebels: u32,
        ply: u32,
    ) {
        let values = &mut values[self.layer(compiled, rebels)];
        let RebelsToMove { left, captures, next, .. } = of_rebels;
        next.clear();
        let (won, lost) = (self.coding.write(ply, true), self.coding.write(ply, false));
        let at = compiled.state.general;
        if ply == 1 {
            captures.for_each(&self.ranking, at, rebels, |set| {
                let rank = self.ranking.rank(at, set);
                values[rank] = won;
                next.won.set(rank);
            });
        }
        general.lost.for_each(&self.ranking, at, rebels, |set| {
            self.for_each_origin(set, at, |before| {
                let rank = self.ranking.rank(at, before);
                if values[rank] == 0 {
                    values[rank] = won;
                    next.won.set(rank);
                }
            });
        });
        general.won.for_each(&self.ranking, at, rebels, |set| {
            self.for_each_origin(set, at, |before| {
                let rank = self.ranking.rank(at, before);
                if values[rank] == 0 {
                    left[rank] -= 1;
                    if left[rank] == 0 {
                        values[rank] = lost;
                        next.lost.set(rank);
                    }
                }
            });
        });
    }

    /// Calls `each` with the sets from which a step leads to a set.
    #[inline(always)]
    fn for_each_origin(&self, set: PointSet, general: Point, mut each: impl FnMut(PointSet)) {
        let occupied = set.with(general);
        for to in set {
            for from in self.origins[to].minus(occupied) {
                each(set.without(to).with(from));
            }
        }
    }

    /// The General is to move.
    fn general_pass(
        &self,
        of_general: &mut GeneralToMove,
        of_rebels: &[RebelsToMove],
        compiled: &Compiled,
        rebels: u32,
        ply: u32,
    ) {
        let GeneralToMove { left, captures, next, counts, longest, .. } = of_general;
        next.clear();
        let at = compiled.state.general;
        let (won, lost) = (self.coding.write(ply, true), self.coding.write(ply, false));
        let compulsory = self.variant.rules().capture_is_compulsory();
        let mut decide = |rank: usize, captures: &mut u8, wins: bool| {
            *captures = DECIDED;
            if wins {
                next.won.set(rank)
            } else {
                next.lost.set(rank)
            }
            counts[usize::from(!wins)] += 1;
        };
        if ply <= *longest {
            let due = captures.iter_mut().enumerate().filter(|(_, captures)| **captures == won || **captures == lost);
            for (rank, captures) in due {
                let wins = matches!(self.coding.value(*captures), Value::Win(_));
                if wins || left[rank] == 0 {
                    decide(rank, captures, wins);
                }
            }
        }
        // The positions of this state from which a quiet move leads to those that a ply decided, by rank.
        let for_each_before = |quiet: &Quiet, marks: &Marks, each: &mut dyn FnMut(usize)| {
            marks.for_each(&self.ranking, self.states[quiet.target].state.general, rebels, |set| {
                let set = if quiet.mirrored { self.mirrored(set) } else { set };
                let may_move = !set.contains(at) && quiet.ways.iter().any(|way| way.admits(set));
                if may_move && !(compulsory && self.must_capture(&compiled.state, set)) {
                    each(self.ranking.rank(at, set));
                }
            });
        };
        for quiet in &compiled.quiet {
            for_each_before(quiet, &of_rebels[quiet.target].decided.lost, &mut |rank| {
                if captures[rank] != DECIDED {
                    decide(rank, &mut captures[rank], true);
                }
            });
        }
        for quiet in &compiled.quiet {
            for_each_before(quiet, &of_rebels[quiet.target].decided.won, &mut |rank| {
                if captures[rank] == DECIDED {
                    return;
                }
                left[rank] -= 1;
                let may_wait = match self.coding.value(captures[rank]) {
                    Value::Win(_) => true,
                    Value::Loss(plies) => plies > ply,
                    Value::Draw => false,
                };
                if left[rank] == 0 && !may_wait {
                    decide(rank, &mut captures[rank], false);
                }
            });
        }
    }

    /// Must the General capture? Asked where captures are compulsory.
    fn must_capture(&self, state: &GeneralState, rebels: PointSet) -> bool {
        let position = state.position(rebels, Side::General);
        for_family!(self.variant.family(), F => {
            let mut must = false;
            self.variant.rules().general_actions::<F>(&position, |action, _| must = must || !action.captured.is_empty());
            must
        })
    }
}

/// The General's moves from a state that may capture nothing, by the state that they lead to; and by slot their number.
fn quiet_moves(variant: &Variant, state: GeneralState, solved: &[Option<(usize, bool)>]) -> (Vec<Quiet>, Vec<u8>) {
    let rules = variant.rules();
    let mut quiet: Vec<Quiet> = Vec::new();
    let mut quiet_of_slot = vec![u8::MAX; solved.len()];
    for template in rules.templates(state.general) {
        let spent = u8::from(template.kind == MoveKind::FreeJump);
        let Some(free_jumps) = state.free_jumps.checked_sub(spent) else { continue };
        let apex_visited = state.apex_visited || rules.return_apex().contains(template.to);
        let slot = GeneralState { general: template.to, apex_visited, free_jumps }.slot(variant);
        let Some((target, mirrored)) = solved[slot] else { continue };
        for choice in template.choices().filter(|choice| choice.captured.is_empty()) {
            let way = Way { rebels: choice.rebels, empty: template.empty, not_held: choice.not_held };
            match quiet.get_mut(usize::from(quiet_of_slot[slot])) {
                Some(known) => known.ways.push(way),
                None => {
                    quiet_of_slot[slot] = quiet.len() as u8;
                    quiet.push(Quiet { target, mirrored, ways: vec![way] });
                }
            }
        }
    }
    (quiet, quiet_of_slot)
}
