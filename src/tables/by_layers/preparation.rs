//! A layer before its first ply, or after one that an earlier run has kept.

use privy_rules::{Family, Outcome, Position, Side};

use crate::error::TableError;
use crate::states::GeneralState;
use crate::value::TableValue;

use super::analysis::ByLayers;
use super::positions::{Decisions, GeneralLayer, RebelsLayer};
use super::quiet_moves::Compiled;
use super::stored_layers::{OpenLayers, Reader};

/// The moves of the General in a position.
enum GeneralMoves {
    /// The game is over, and this side has won.
    Over(Side),
    /// The number of targets of quiet moves, and the value of the best of the others, or of a draw without a move.
    Open(u8, Option<TableValue>),
}

impl ByLayers<'_> {
    /// A state's layer after a ply: the numbers of moves that may still lead elsewhere, the values of captures, and what is decided. Before the
    /// first one (0) these are ends of games and the Rebels without a step; later the values of the Rebels are read, and those of the General
    /// follow from them.
    pub(super) fn prepare<F: Family>(
        &self,
        number: usize,
        rebels: u32,
        ply: u32,
        below: &OpenLayers<'_>,
    ) -> Result<(RebelsLayer, GeneralLayer, Decisions), TableError> {
        let compiled = &self.states[number];
        let rules = self.variant.rules();
        let positions = self.positions_of(compiled.state, rebels);
        let mut of_rebels = RebelsLayer::new(positions);
        let mut of_general = GeneralLayer::new(positions, compiled.quiet.len());
        let mut decided = Decisions::new(positions);
        let mut below = below.reader();
        for (rank, position) in self.positions_from_first(compiled, rebels) {
            if rank % (1 << 16) == 0 && self.stop().is_set() {
                break;
            }
            let known =
                if ply > 0 { self.value_up_to(ply, number, rank, rebels, &mut below) } else { TableValue::Draw };
            if let Some(outcome) = rules.goal_after_general(&position) {
                // No move leads on to it, so that no other position hears of it.
                of_rebels.decide(rank, self.coding.write(0, outcome.winner() == Some(Side::Rebels)));
            } else if let TableValue::Win(plies) | TableValue::Loss(plies) = known {
                let wins = matches!(known, TableValue::Win(_));
                of_rebels.decide(rank, self.coding.write(plies, wins));
                if plies == ply {
                    decided.set(rank, wins);
                }
            } else if ply == 0 {
                let (steps, captures) = self.count_steps(&position);
                of_rebels.set_steps(rank, steps);
                if captures {
                    of_rebels.captures.set(rank);
                }
                let winner = if steps == 0 { rules.winner_if_stuck(Side::Rebels) } else { None };
                if let Some(winner) = winner {
                    of_rebels.decide(rank, self.coding.write(0, winner == Side::Rebels));
                    decided.set(rank, winner == Side::Rebels);
                }
            }
            let position = position.with_side(Side::General);
            match self.count_moves::<F>(&position, compiled, ply, &mut below) {
                GeneralMoves::Over(winner) => {
                    of_general.counts[2] += 1;
                    of_general.decide(rank, winner == Side::General, ply == 0);
                }
                GeneralMoves::Open(_, Some(TableValue::Win(plies))) if plies <= ply => {
                    of_general.counts[0] += 1;
                    of_general.decide(rank, true, plies == ply);
                }
                GeneralMoves::Open(0, Some(TableValue::Loss(plies))) if plies <= ply => {
                    of_general.counts[1] += 1;
                    of_general.decide(rank, false, plies == ply);
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

    /// The positions of a state's layer with the Rebels to move, by rank.
    fn positions_from_first(&self, state: &Compiled, rebels: u32) -> impl Iterator<Item = (usize, Position)> {
        self.numbering.positions_from((state.state, rebels), Side::Rebels, 0).enumerate()
    }

    /// Counts the moves of open positions that the plies before the last have not found to lead to a win of the General.
    pub(super) fn recount(
        &self,
        of_rebels: &mut RebelsLayer,
        of_general: &[GeneralLayer],
        state: &Compiled,
        rebels: u32,
    ) {
        let rules = self.variant.rules();
        for (rank, position) in self.positions_from_first(state, rebels) {
            if rank % (1 << 16) == 0 && self.stop().is_set() {
                return;
            }
            if !of_rebels.is_open(rank) {
                continue;
            }
            let mut steps = 0;
            rules.rebel_bundles(&position, |from, targets| {
                for to in targets {
                    let (next, _) = rules.play_rebel_step(&position, from, to);
                    let (state, rank) =
                        self.numbering.find_in_layer(&next).expect("a game that continues is in a solved state");
                    steps += u8::from(!of_general[state].won_before.contains(rank));
                }
            });
            of_rebels.set_steps(rank, steps);
        }
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

    /// The General's moves in a position: after a ply those that it knows to lead to an end have a value.
    #[inline(always)]
    fn count_moves<F: Family>(
        &self,
        position: &Position,
        compiled: &Compiled,
        ply: u32,
        below: &mut Reader<'_>,
    ) -> GeneralMoves {
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
                    // What the last ply decided is counted in the next one.
                    let known = if ply > 0 { self.value_of(&next, ply - 1, below) } else { TableValue::Draw };
                    if known == TableValue::Draw {
                        let slot = GeneralState::of(&next).slot(self.variant);
                        quiet |= 1 << compiled.quiet_of_slot[slot];
                        return;
                    }
                    known
                }
                None => self.value_of(&next, u32::MAX, below),
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

    /// The value of a position with the Rebels to move in a layer below, or in this one up to a ply.
    #[inline(always)]
    fn value_of(&self, position: &Position, most: u32, below: &mut Reader<'_>) -> TableValue {
        let found = self.numbering.find_in_layer(position);
        let (state, rank) = found.expect("a game that continues is in a solved state");
        self.value_up_to(most, state, rank, position.rebels_left(), below)
    }

    #[inline(always)]
    fn value_up_to(&self, most: u32, state: usize, rank: usize, rebels: u32, below: &mut Reader<'_>) -> TableValue {
        let value = self.coding.value(below.code(rebels, state, rank));
        if value.plies().is_some_and(|plies| plies > most) { TableValue::Draw } else { value }
    }
}
