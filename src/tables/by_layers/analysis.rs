//! The analysis of one layer after the other.
//!
//! Captures reduce the number of Rebels, and all other moves keep it. So a layer, the positions with one number of Rebels, is solved after
//! those below it: the values of the General's captures are known before the first ply, and the rest is retrograde analysis from the ends
//! of games (K. Thompson, Retrograde Analysis of Certain Endgames, 1986). A position is won when a move leads to one lost a ply earlier.
//! It is lost when all its moves lead to positions won for the other side; the others are counted down.
//!
//! The positions of a state of the General are numbered by the rank of their set of Rebels. Steps of Rebels keep the state, so in the
//! Rebels' pass a thread owns its states; in the General's it also reads the last ply's decisions in the states that its own lead to.
//! Of two mirror images one is solved.
use std::time::Duration;

use privy_protocol::{Instant, Stop};

use privy_base::threads::{Threads, each, map, try_map};

use crate::checkpoint::{CHECKPOINT_INTERVAL, Solve};
use crate::coding::{Coding, Counts, Section, code_of};
use crate::error::TableError;
use crate::file::TableFile;
use crate::interrupt::Interrupt;
use crate::numbering::Numbering;
use crate::states::GeneralState;
use crate::value::TableValue;
use privy_rules::board::PointSet;
use privy_rules::for_family;
use privy_rules::{MoveKind, Side, Variant};

use super::exchange::{PlyMessages, PlySummary, Processes};
use super::positions::{DECIDED, Decisions, GeneralLayer, Marks, RebelsLayer};
use super::quiet_moves::{Compiled, Quiet};
use super::stored_layers::StoredLayers;

/// Checkpoints of a layer take at most one part in so many of the time.
const MOST_SHARE: u32 = 10;

/// The values of a state with so many positions are compressed in a fraction of a second: an interrupt waits for one.
const QUICK: usize = 1 << 26;

pub struct ByLayers<'a> {
    pub(super) variant: &'a Variant,
    pub(super) coding: Coding,
    pub(super) numbering: &'a Numbering,
    pub(super) states: &'a [Compiled],
    /// The threads of this process; the calling thread exchanges the messages.
    threads: &'a Threads,
    /// Its stop is set when the user asks for it: the ply under way is then incomplete.
    interrupt: &'a Interrupt<'a>,
}

/// The kinds of move of the Rebels. A position has moves of one kind.
#[derive(Clone, Copy)]
enum RebelMove {
    Step,
    /// It leads to a state with one Rebel fewer in hand.
    Drop,
    /// It stays in the state.
    Pass,
}

impl PlyMessages for Vec<Decisions> {
    fn write(&self, state: usize, message: &mut Vec<u8>) -> Result<(), TableError> {
        self[state].won.write(message);
        self[state].lost.write(message);
        Ok(())
    }

    fn read(&mut self, of_states: &[(usize, &[u8])]) -> Result<(), TableError> {
        let mut read = |state: usize, mut message: &[u8]| {
            self[state].won.read(&mut message)?;
            self[state].lost.read(&mut message)
        };
        of_states.iter().try_for_each(|(state, message)| read(*state, message)).map_err(TableError::Process)
    }
}

impl<'a> ByLayers<'a> {
    pub fn new(solve: &'a Solve<'_>, states: &'a [Compiled]) -> ByLayers<'a> {
        let Solve { numbering, coding, threads, interrupt, .. } = solve;
        ByLayers { variant: &numbering.variant, coding: *coding, numbering, states, threads, interrupt }
    }

    pub(super) fn stop(&self) -> &Stop {
        self.interrupt.stop
    }

    pub(super) fn positions_of(&self, state: GeneralState, rebels: u32) -> usize {
        self.numbering.positions(state, rebels)
    }

    /// Solves a layer after those below, from the ply that an earlier run has kept, if any. The first process gets the counts with the General
    /// to move and, by state, the sections with the Rebels to move; the others get nothing. `progress` gets the ply, the positions decided up
    /// to it, both sides to move, and the bytes sent to other processes since the solve began.
    pub fn solve_layer(
        &self,
        rebels: u32,
        below: &StoredLayers<'_>,
        kept: Option<TableFile>,
        processes: &mut Processes<'_>,
        progress: &mut (dyn FnMut(u32, u64, u64) + Send),
    ) -> Result<(Counts, Vec<Section>), TableError> {
        let own = processes.shares.own();
        let first = kept.as_ref().and_then(|kept| kept.header.ply).unwrap_or(0);
        let (mut of_rebels, mut of_general) = (Vec::new(), Vec::new());
        // By state, with those of other processes where they are read.
        let mut fresh: Vec<Decisions> = (0..self.states.len())
            .map(|state| match processes.shares.reads_from_others(state) {
                true => Decisions::new(self.positions_of(self.states[state].state, rebels)),
                false => Decisions::default(),
            })
            .collect();
        {
            let below = below.open_with(kept.map(|kept| (rebels, kept)))?;
            let prepare =
                |state| for_family!(self.variant.family(), F => self.prepare::<F>(state, rebels, first, &below));
            let ready = self.threads.run(|| try_map(own.iter().copied(), prepare))?;
            for (state, (rebels, general, decided)) in own.iter().zip(ready) {
                of_rebels.push(rebels);
                of_general.push(general);
                fresh[*state] = decided;
            }
        }
        let mut decided = 0;
        if first > 0 {
            self.threads.run(|| {
                each(of_rebels.iter_mut().zip(self.states), |(of_rebels, state)| {
                    self.recount(of_rebels, &of_general, state, rebels);
                });
            });
            of_general.iter_mut().for_each(|state| state.won_before.clear());
            let of_ply = fresh.iter().map(Decisions::count).chain(of_general.iter().map(|state| state.decided.count()));
            let all = of_rebels
                .iter()
                .map(RebelsLayer::decided)
                .chain(of_general.iter().map(|state| state.counts.iter().sum()));
            decided = all.sum::<u64>() - of_ply.sum::<u64>();
        }
        let mut longest = 0;
        let (mut last_kept, mut took) = (Instant::now(), Duration::ZERO);
        for ply in first.. {
            if ply > self.coding.most_plies() {
                return Err(TableError::too_long(self.variant, self.coding.most_plies(), ""));
            }
            if ply > first {
                let shares = &processes.shares;
                self.threads.run(|| {
                    each(of_general.iter_mut().zip(&own), |(of_general, state)| {
                        self.general_pass(of_general, &fresh, &self.states[*state], rebels, ply);
                    });
                    let of_own = fresh.iter_mut().enumerate().filter(|(state, _)| shares.is_own(*state));
                    each(of_rebels.iter_mut().zip(of_own), |(of_rebels, (state, fresh))| {
                        fresh.clear();
                        let decided = |state: usize| {
                            &of_general[own.binary_search(&state).expect("it is in the same process")].decided
                        };
                        let after_drop = self.states[state].after_drop.map(decided);
                        let general = (decided(state), after_drop);
                        self.rebels_pass(of_rebels, general, fresh, &self.states[state], rebels, ply);
                    });
                    each(&mut of_general, |state| state.decided = std::mem::take(&mut state.next));
                });
            }
            let by_rebels = own.iter().map(|state| fresh[*state].count()).sum();
            let summary = PlySummary {
                decided: [by_rebels, of_general.iter().map(|state| state.decided.count()).sum()],
                longest: of_general.iter().map(|state| u64::from(state.longest)).max().unwrap_or(0),
                stop: u64::from(self.stop().is_set()),
            };
            let summary = processes.exchange_ply(summary, &mut fresh, self.threads)?;
            let last = if summary.stop > 0 { ply.saturating_sub(1) } else { ply };
            let is_due = match summary.stop {
                0 => last_kept.elapsed() > CHECKPOINT_INTERVAL.max(took * MOST_SHARE),
                _ => of_rebels.iter().all(|state| state.positions() <= QUICK),
            };
            if is_due && last > first && !processes.are_several() {
                let start = Instant::now();
                match self.keep(&of_rebels, rebels, last, below) {
                    Err(error) if summary.stop > 0 => return Err(error),
                    // The solve continues without it; there may be room for the next.
                    Err(error) => log::warn!("no checkpoint was kept: {error}"),
                    Ok(()) => {}
                }
                (last_kept, took) = (Instant::now(), start.elapsed());
            }
            if summary.stop > 0 {
                return Err(TableError::Interrupted);
            }
            decided += summary.decided.iter().sum::<u64>();
            longest = summary.longest.max(longest);
            progress(ply, decided, processes.sent);
            if ply > first && summary.decided == [0, 0] && u64::from(ply) >= longest {
                break;
            }
        }
        let mut counts = Counts::default();
        for (compiled, general) in own.iter().map(|state| &self.states[*state]).zip(of_general) {
            let [won, lost, over] = general.counts;
            let all = self.positions_of(compiled.state, rebels) as u64;
            counts.add(Counts { won, drawn: all - won - lost - over, lost }, compiled.times);
        }
        drop(fresh);
        let coding = self.coding;
        let sections = self.threads.run(|| map(of_rebels, |state| vec![state.section(coding)]));
        processes.gather(counts, sections)
    }

    /// Keeps the values after a ply; those that later plies have decided do not count when they are read.
    fn keep(
        &self,
        of_rebels: &[RebelsLayer],
        rebels: u32,
        ply: u32,
        below: &StoredLayers<'_>,
    ) -> Result<(), TableError> {
        let at_a_time = rayon::current_num_threads();
        let sections = of_rebels.chunks(at_a_time).flat_map(|states| {
            let section = |state: &RebelsLayer| self.interrupt.check().map(|()| state.section(self.coding));
            self.threads.run(|| map(states, section))
        });
        below.keep_ply(rebels, ply, sections)
    }

    /// The Rebels' pass of a ply from the decisions of the General, in the same state and in that after a drop; decides into `next`.
    fn rebels_pass(
        &self,
        of_rebels: &mut RebelsLayer,
        (general, after_drop): (&Decisions, Option<&Decisions>),
        next: &mut Decisions,
        compiled: &Compiled,
        rebels: u32,
        ply: u32,
    ) {
        let [won, lost] = [true, false].map(|wins| self.coding.write(ply, wins));
        let (at, state) = (compiled.state.general, compiled.state);
        let Some(placed) = state.placed(rebels) else { return };
        if ply == 1 {
            std::mem::take(&mut of_rebels.captures).for_each(self.numbering, at, placed, self.stop(), |set| {
                let rank = self.numbering.rank(at, set);
                of_rebels.decide(rank, won);
                next.won.set(rank);
            });
        }
        let (first, placed_after) = match after_drop {
            Some(after_drop) => ((after_drop, RebelMove::Drop), placed + 1),
            None => ((general, RebelMove::Step), placed),
        };
        let pass = self.variant.rules().rebels_may_pass().then_some(((general, RebelMove::Pass), placed));
        for ((general, move_), placed) in [(first, placed_after)].into_iter().chain(pass) {
            general.lost.for_each(self.numbering, at, placed, self.stop(), |set| {
                self.for_each_origin(set, state, move_, |before| {
                    let rank = self.numbering.rank(at, before);
                    if of_rebels.is_open(rank) {
                        of_rebels.decide(rank, won);
                        next.won.set(rank);
                    }
                });
            });
            general.won.for_each(self.numbering, at, placed, self.stop(), |set| {
                self.for_each_origin(set, state, move_, |before| {
                    let rank = self.numbering.rank(at, before);
                    if of_rebels.is_open(rank) && of_rebels.lose_step(rank) {
                        of_rebels.decide(rank, lost);
                        next.lost.set(rank);
                    }
                });
            });
        }
    }

    /// Calls `each` with every set of a state from which the Rebels come to a set by a kind of move.
    #[inline(always)]
    fn for_each_origin(&self, set: PointSet, state: GeneralState, move_: RebelMove, mut each: impl FnMut(PointSet)) {
        let rules = self.variant.rules();
        match move_ {
            RebelMove::Step => {
                let occupied = set.with(state.general);
                for to in set {
                    for from in rules.rebel_origins[to].minus(occupied) {
                        each(set.without(to).with(from));
                    }
                }
            }
            RebelMove::Drop => (set & rules.rebel_drops()).into_iter().for_each(|to| each(set.without(to))),
            RebelMove::Pass => {
                if rules.rebels_pass(&state.position(set, Side::Rebels)) {
                    each(set);
                }
            }
        }
    }

    /// The General's pass of a ply from the decisions of the Rebels.
    fn general_pass(
        &self,
        of_general: &mut GeneralLayer,
        fresh: &[Decisions],
        compiled: &Compiled,
        rebels: u32,
        ply: u32,
    ) {
        let GeneralLayer { captures, laps: laps_of, left, next, counts, longest, .. } = of_general;
        *next = Decisions::new(captures.len());
        let at = compiled.state.general;
        let due = [true, false].map(|wins| self.coding.write(ply, wins));
        let compulsory = self.variant.rules().capture_is_compulsory;
        let may_pass = self.variant.rules().general_may_pass();
        let mut decide = |rank: usize, value: &mut u8, wins: bool| {
            *value = DECIDED;
            next.set(rank, wins);
            counts[usize::from(!wins)] += 1;
        };
        if ply <= *longest {
            let bytes = due.map(|code| code as u8);
            for (rank, value) in captures.iter_mut().enumerate() {
                let code = if bytes.contains(value) { code_of(*value, laps_of.get(rank)) } else { continue };
                if !due.contains(&code) {
                    continue;
                }
                let wins = matches!(self.coding.value(code), TableValue::Win(_));
                if wins || left.get(rank) == 0 {
                    decide(rank, value, wins);
                }
            }
        }
        // Calls `each` with the ranks of the predecessors of marked positions by a quiet move.
        let for_each_before = |quiet: &Quiet, marks: &Marks, each: &mut dyn FnMut(usize)| {
            let placed = compiled.state.placed(rebels).unwrap_or(0);
            marks.for_each(self.numbering, self.states[quiet.target].state.general, placed, self.stop(), |set| {
                let set = if quiet.mirrored { self.numbering.mirrored(set) } else { set };
                let may_move = match quiet.is_pass {
                    true => self.must_pass(&compiled.state, set),
                    false => !set.contains(at) && quiet.ways.iter().any(|way| way.admits(set)),
                };
                let is_barred = compulsory && self.must_capture(&compiled.state, set)
                    || may_pass && !quiet.is_pass && self.must_pass(&compiled.state, set);
                if may_move && !is_barred {
                    each(self.numbering.rank(at, set));
                }
            });
        };
        for quiet in &compiled.quiet {
            for_each_before(quiet, &fresh[quiet.target].lost, &mut |rank| {
                let value = &mut captures[rank];
                if *value != DECIDED {
                    decide(rank, value, true);
                }
            });
        }
        for quiet in &compiled.quiet {
            for_each_before(quiet, &fresh[quiet.target].won, &mut |rank| {
                let value = &mut captures[rank];
                if *value == DECIDED {
                    return;
                }
                let left = left.count_down(rank);
                let may_wait = match self.coding.value(code_of(*value, laps_of.get(rank))) {
                    TableValue::Win(_) => true,
                    TableValue::Loss(plies) => plies > ply,
                    _ => false,
                };
                if left == 0 && !may_wait {
                    decide(rank, value, false);
                }
            });
        }
    }

    fn must_pass(&self, state: &GeneralState, rebels: PointSet) -> bool {
        let position = state.position(rebels, Side::General);
        for_family!(self.variant.family(), F => {
            let mut must = false;
            self.variant.rules().general_actions::<F>(&position, |action, _| must = action.kind == MoveKind::Pass);
            must
        })
    }

    fn must_capture(&self, state: &GeneralState, rebels: PointSet) -> bool {
        let position = state.position(rebels, Side::General);
        for_family!(self.variant.family(), F => {
            let mut must = false;
            self.variant.rules().general_actions::<F>(&position, |action, _| must = must || !action.captured.is_empty());
            must
        })
    }
}
