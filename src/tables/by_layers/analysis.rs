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
use privy_protocol::Stop;

use privy_base::threads::Threads;
use rayon::prelude::*;

use crate::checkpoint::Solve;
use crate::coding::{Coding, Counts, Section, code_of};
use crate::error::TableError;
use crate::numbering::Numbering;
use crate::states::GeneralState;
use crate::value::TableValue;
use privy_rules::board::PointSet;
use privy_rules::for_family;
use privy_rules::{Family, MoveKind, Outcome, Position, Side, Variant};

use super::exchange::{PlyMessages, PlySummary, Processes};
use super::positions::{DECIDED, Decisions, GeneralLayer, Marks, RebelsLayer};
use super::quiet_moves::{Compiled, Quiet};
use super::stored_layers::{OpenLayers, Reader, StoredLayers};

/// The moves of the General in a position.
enum GeneralMoves {
    /// The game is over, and this side has won.
    Over(Side),
    /// The number of targets of quiet moves, and the value of the best of the others, or of a draw without a move.
    Open(u8, Option<TableValue>),
}

pub(super) struct ByLayers<'a> {
    variant: &'a Variant,
    coding: Coding,
    numbering: &'a Numbering,
    states: &'a [Compiled],
    /// The threads of this process; the calling thread exchanges the messages.
    threads: &'a Threads,
    /// Set when the user asks to stop: the ply under way is then incomplete.
    stop: &'a Stop,
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
    pub(super) fn new(solve: &'a Solve<'_>, states: &'a [Compiled]) -> ByLayers<'a> {
        let Solve { numbering, coding, threads, interrupt, .. } = solve;
        ByLayers { variant: &numbering.variant, coding: *coding, numbering, states, threads, stop: interrupt.stop }
    }

    fn positions_of(&self, state: GeneralState, rebels: u32) -> usize {
        self.numbering.positions(state, rebels)
    }

    /// Solves a layer after those below. The first process gets the counts with the General to move and, by state, the sections
    /// with the Rebels to move; the others get nothing. `progress` gets the ply, the positions decided up to it, both sides to move, and
    /// the bytes sent to other processes since the solve began.
    pub(super) fn solve_layer(
        &self,
        rebels: u32,
        below: &StoredLayers<'_>,
        processes: &mut Processes<'_>,
        progress: &mut (dyn FnMut(u32, u64, u64) + Send),
    ) -> Result<(Counts, Vec<Section>), TableError> {
        let own = processes.shares.own();
        let (mut of_rebels, mut of_general) = (Vec::new(), Vec::new());
        // By state, with those of other processes where they are read.
        let mut fresh: Vec<Decisions> = (0..self.states.len())
            .map(|state| match processes.shares.reads_from_others(state) {
                true => Decisions::new(self.positions_of(self.states[state].state, rebels)),
                false => Decisions::default(),
            })
            .collect();
        {
            let below = below.open()?;
            let prepare = |state| for_family!(self.variant.family(), F => self.prepare::<F>(state, rebels, &below));
            let ready = own.par_iter().copied().with_max_len(1).map(prepare);
            let ready = self.threads.run(|| ready.collect::<Result<Vec<_>, TableError>>())?;
            for (state, (rebels, general, decided)) in own.iter().zip(ready) {
                of_rebels.push(rebels);
                of_general.push(general);
                fresh[*state] = decided;
            }
        }
        let (mut decided, mut longest) = (0, 0);
        for ply in 0.. {
            if ply > self.coding.most_plies() {
                return Err(TableError::too_long(self.variant, self.coding.most_plies(), ""));
            }
            if ply > 0 {
                let shares = &processes.shares;
                self.threads.run(|| {
                    let pass = (&mut of_general, &own).into_par_iter().with_max_len(1);
                    pass.for_each(|(of_general, state)| {
                        self.general_pass(of_general, &fresh, &self.states[*state], rebels, ply);
                    });
                    let mut of_own: Vec<&mut Decisions> = fresh
                        .iter_mut()
                        .enumerate()
                        .filter(|(state, _)| shares.is_own(*state))
                        .map(|(_, of)| of)
                        .collect();
                    let pass = (&mut of_rebels, &mut of_own, &own).into_par_iter().with_max_len(1);
                    pass.for_each(|(of_rebels, fresh, state)| {
                        fresh.clear();
                        // A drop leads to a state with fewer Rebels in hand.
                        let after = self.states[*state].after_drop.unwrap_or(*state);
                        let decided =
                            &of_general[own.binary_search(&after).expect("it is in the same process")].decided;
                        self.rebels_pass(of_rebels, decided, fresh, &self.states[*state], rebels, ply);
                    });
                    of_general
                        .par_iter_mut()
                        .with_max_len(1)
                        .for_each(|state| state.decided = std::mem::take(&mut state.next));
                });
            }
            let of_rebels = own.iter().map(|state| fresh[*state].count()).sum();
            let summary = PlySummary {
                decided: [of_rebels, of_general.iter().map(|state| state.decided.count()).sum()],
                longest: of_general.iter().map(|state| u64::from(state.longest)).max().unwrap_or(0),
                stop: u64::from(self.stop.is_set()),
            };
            let summary = processes.exchange_ply(summary, &mut fresh, self.threads)?;
            if summary.stop > 0 {
                return Err(TableError::Interrupted);
            }
            decided += summary.decided.iter().sum::<u64>();
            longest = summary.longest.max(longest);
            progress(ply, decided, processes.sent);
            if ply > 0 && summary.decided == [0, 0] && u64::from(ply) >= longest {
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
        let sections = self
            .threads
            .run(|| of_rebels.into_par_iter().with_max_len(1).map(|state| vec![state.section(coding)]).collect());
        processes.gather(counts, sections)
    }

    /// A state's layer before the first ply: the numbers of moves, the values of captures, and the Rebels without a step, who have lost.
    fn prepare<F: Family>(
        &self,
        number: usize,
        rebels: u32,
        below: &OpenLayers<'_>,
    ) -> Result<(RebelsLayer, GeneralLayer, Decisions), TableError> {
        let compiled = &self.states[number];
        let (general, rules) = (compiled.state.general, self.variant.rules());
        let positions = self.positions_of(compiled.state, rebels);
        let mut of_rebels = RebelsLayer::new(positions);
        let mut of_general = GeneralLayer::new(positions, compiled.quiet.len());
        let mut decided = Decisions::new(positions);
        let mut below = below.reader();
        let placed = compiled.state.placed(rebels).filter(|_| positions > 0);
        let sets = placed.into_iter().flat_map(|placed| self.numbering.sets_from(general, placed, 0));
        for (rank, set) in (0..positions).zip(sets) {
            if rank % (1 << 16) == 0 && self.stop.is_set() {
                break;
            }
            let position = compiled.state.position(set, Side::Rebels);
            if let Some(outcome) = rules.goal_after_general(&position) {
                // No move leads on to it, so that no other position hears of it.
                of_rebels.decide(rank, self.coding.write(0, outcome.winner() == Some(Side::Rebels)));
            } else {
                let (steps, captures) = self.count_steps(&position);
                of_rebels.set_steps(rank, steps);
                if captures {
                    of_rebels.captures.set(rank);
                }
                let winner = if steps == 0 { rules.winner_if_stuck(Side::Rebels) } else { None };
                if let Some(winner) = winner {
                    of_rebels.decide(rank, self.coding.write(0, winner == Side::Rebels));
                    let of_winner = if winner == Side::Rebels { &mut decided.won } else { &mut decided.lost };
                    of_winner.set(rank);
                }
            }
            let position = compiled.state.position(set, Side::General);
            match self.count_moves::<F>(&position, compiled, &mut below) {
                GeneralMoves::Over(winner) => {
                    of_general.captures[rank] = DECIDED;
                    let decided = &mut of_general.decided;
                    (if winner == Side::General { &mut decided.won } else { &mut decided.lost }).set(rank);
                    of_general.counts[2] += 1;
                }
                GeneralMoves::Open(quiet, best) => {
                    of_general.left.set(rank, quiet + u8::from(best == Some(TableValue::Draw)));
                    if let Some(best @ (TableValue::Win(plies) | TableValue::Loss(plies))) = best {
                        let [value, laps] = self.coding.write(plies, matches!(best, TableValue::Win(_))).to_le_bytes();
                        of_general.captures[rank] = value;
                        of_general.laps.set(rank, positions, laps);
                        of_general.longest = of_general.longest.max(plies);
                    }
                }
            }
        }
        below.end()?;
        Ok((of_rebels, of_general, decided))
    }

    /// The number of steps of the Rebels, and whether one of them captures the General.
    #[inline(always)]
    fn count_steps(&self, position: &Position) -> (u8, bool) {
        let rules = self.variant.rules();
        let steps = rules.count_rebel_moves(position) as u8;
        if rules.custody(position.general()).is_empty() {
            return (steps, false);
        }
        let mut captures = false;
        rules.rebel_bundles(position, |from, targets| {
            captures = captures
                || targets
                    .into_iter()
                    .any(|to| rules.play_rebel_step(position, from, to).1 == Some(Outcome::Custodial));
        });
        (steps, captures)
    }

    /// The General's moves in a position.
    #[inline(always)]
    fn count_moves<F: Family>(&self, position: &Position, compiled: &Compiled, below: &mut Reader<'_>) -> GeneralMoves {
        let rules = self.variant.rules();
        if let Some(winner) = rules.goal_after_rebels(position, None).and_then(Outcome::winner) {
            return GeneralMoves::Over(winner);
        }
        let (mut any, mut quiet, mut best) = (false, 0u128, None);
        rules.general_actions::<F>(position, |action, _| {
            any = true;
            let (next, goal) = rules.play_general_move(position, &action);
            let value = match goal {
                Some(outcome) => TableValue::of_outcome(outcome, Side::Rebels),
                None if action.captured.is_empty() => {
                    let slot = GeneralState::of(&next).slot(self.variant);
                    quiet |= 1 << compiled.quiet_of_slot[slot];
                    return;
                }
                None => self.value_below(&next, below),
            };
            best = best.max(Some(value.before()));
        });
        match rules.winner_if_stuck(Side::General) {
            _ if any => {}
            Some(winner) => return GeneralMoves::Over(winner),
            None => best = Some(TableValue::Draw),
        }
        GeneralMoves::Open(quiet.count_ones() as u8, best)
    }

    /// The value of a position with the Rebels to move in a layer below.
    #[inline(always)]
    fn value_below(&self, position: &Position, below: &mut Reader<'_>) -> TableValue {
        let found = self.numbering.find_in_layer(position);
        let (state, rank) = found.expect("a game that continues is in a solved state");
        self.coding.value(below.code(position.rebels_left(), state, rank))
    }

    /// The Rebels' pass of a ply from the decisions of the General; decides into `next`.
    fn rebels_pass(
        &self,
        of_rebels: &mut RebelsLayer,
        general: &Decisions,
        next: &mut Decisions,
        compiled: &Compiled,
        rebels: u32,
        ply: u32,
    ) {
        let [won, lost] = [true, false].map(|wins| self.coding.write(ply, wins));
        let (at, state) = (compiled.state.general, compiled.state);
        let Some(placed) = state.placed(rebels) else { return };
        let after = if compiled.after_drop.is_some() { placed + 1 } else { placed };
        if ply == 1 {
            std::mem::take(&mut of_rebels.captures).for_each(self.numbering, at, placed, self.stop, |set| {
                let rank = self.numbering.rank(at, set);
                of_rebels.decide(rank, won);
                next.won.set(rank);
            });
        }
        general.lost.for_each(self.numbering, at, after, self.stop, |set| {
            self.for_each_origin(set, state, |before| {
                let rank = self.numbering.rank(at, before);
                if of_rebels.is_open(rank) {
                    of_rebels.decide(rank, won);
                    next.won.set(rank);
                }
            });
        });
        general.won.for_each(self.numbering, at, after, self.stop, |set| {
            self.for_each_origin(set, state, |before| {
                let rank = self.numbering.rank(at, before);
                if of_rebels.is_open(rank) && of_rebels.lose_step(rank) {
                    of_rebels.decide(rank, lost);
                    next.lost.set(rank);
                }
            });
        });
    }

    /// Calls `each` with every set of a state from which the Rebels come to a set: by a step, a drop or a pass.
    #[inline(always)]
    fn for_each_origin(&self, set: PointSet, state: GeneralState, mut each: impl FnMut(PointSet)) {
        let rules = self.variant.rules();
        if rules.rebels_may_pass() && rules.rebels_pass(&state.position(set, Side::Rebels)) {
            each(set);
        }
        if state.hand > 0 {
            return (set & rules.rebel_drops()).into_iter().for_each(|to| each(set.without(to)));
        }
        let occupied = set.with(state.general);
        for to in set {
            for from in rules.rebel_origins[to].minus(occupied) {
                each(set.without(to).with(from));
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
            if wins {
                next.won.set(rank)
            } else {
                next.lost.set(rank)
            }
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
            marks.for_each(self.numbering, self.states[quiet.target].state.general, placed, self.stop, |set| {
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
