//! Moves with their table values: games between fallible players, with fixed seeds, and all lines of perfect play.

use std::collections::{BTreeSet, HashMap};

use rayon::prelude::*;

use privy_base::random::Random;
use privy_rules::family::Every;
use privy_rules::{Outcome, Position, Side, Variant};
use privy_search::Stop;
use privy_tables::{Table, TableValue};

/// A game that takes longer counts as a draw.
const MOST_PLIES: u32 = 1_000;

/// The most positions of one ply that are followed.
const MOST_POSITIONS: usize = 4_000_000;

/// Positions whose moves are in memory at once.
const AT_ONCE: usize = 1 << 16;

/// A move, as the position after it.
#[derive(Debug, Clone, Copy)]
pub(super) struct TableMove {
    pub(super) next: Position,
    /// The end of the game, if the move ends it.
    pub(super) outcome: Option<Outcome>,
    /// For the side that moves.
    pub(super) value: TableValue,
}

/// All moves of a position that is not over. Moves that the table does not cover are left out.
pub(super) fn choices(values: &Table, position: &Position) -> Vec<TableMove> {
    let variant = values.variant();
    let rules = variant.rules();
    let mut choices = Vec::new();
    let mut push = |next: Position, to| {
        let outcome = rules.outcome::<Every>(&next, Some(to));
        let value = match outcome.map(Outcome::winner) {
            Some(Some(winner)) => {
                Some(if winner == position.side() { TableValue::Win(1) } else { TableValue::Loss(1) })
            }
            Some(None) => Some(TableValue::Draw),
            None => values.probe_state(&next).ok().map(TableValue::before),
        };
        if let Some(value) = value {
            choices.push(TableMove { next, outcome, value });
        }
    };
    match position.side() {
        Side::General => {
            rules.general_actions::<Every>(position, |action, _| {
                push(rules.play_general_move(position, &action).0, action.to)
            });
        }
        Side::Rebels => rules.rebel_bundles(position, |from, targets| {
            targets.into_iter().for_each(|to| push(rules.play_rebel_step(position, from, to).0, to));
        }),
    }
    choices
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TablePlayer {
    /// Any legal move with this probability in per cent, else one of the best moves of the table.
    Fallible(u64),
    /// Rebels that win at once if they can. Otherwise they prefer moves that let the General neither take nor win with
    /// its next move.
    Cautious,
    /// Cautious Rebels that choose, among the same moves, one that leaves the General the fewest moves.
    Driving,
}

impl TablePlayer {
    pub(super) const PERFECT: TablePlayer = TablePlayer::Fallible(0);
    pub(super) const RANDOM: TablePlayer = TablePlayer::Fallible(100);
}

/// Numbers of games by their result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct GameCounts {
    pub(super) rebels: u64,
    pub(super) drawn: u64,
    pub(super) general: u64,
}

impl GameCounts {
    pub(super) fn games(&self) -> u64 {
        self.rebels + self.drawn + self.general
    }
}

/// Plays games of two players, the Rebels and the General, from a position. The number of a game is its seed.
pub(super) fn play(values: &Table, stop: &Stop, start: Position, players: [TablePlayer; 2], games: u64) -> GameCounts {
    let winners = (0..games).into_par_iter().map(|number| game(values, stop, start, players, number));
    let winners: Vec<Option<Side>> = winners.collect();
    let count = |winner| winners.iter().filter(|found| **found == winner).count() as u64;
    GameCounts { rebels: count(Some(Side::Rebels)), drawn: count(None), general: count(Some(Side::General)) }
}

fn game(
    values: &Table,
    stop: &Stop,
    start: Position,
    [rebels, general]: [TablePlayer; 2],
    number: u64,
) -> Option<Side> {
    let mut lots = Random::new(number);
    let mut seen: HashMap<Position, u32> = HashMap::new();
    let mut position = start;
    for _ in 0..MOST_PLIES {
        if stop.is_set() {
            break;
        }
        let times = seen.entry(position).or_default();
        *times += 1;
        if *times == 3 {
            return None;
        }
        let player = if position.side() == Side::Rebels { rebels } else { general };
        let choice = choose(values, &position, player, &mut lots)?;
        if let Some(outcome) = choice.outcome {
            return outcome.winner();
        }
        position = choice.next;
    }
    None
}

fn choose(values: &Table, position: &Position, player: TablePlayer, lots: &mut Random) -> Option<TableMove> {
    let mut choices = choices(values, position);
    let wins = |choice: &TableMove| choice.outcome.and_then(Outcome::winner) == Some(position.side());
    match player {
        TablePlayer::Fallible(errors) => {
            if lots.below(100) >= errors {
                let best = choices.iter().map(|choice| choice.value).max();
                choices.retain(|choice| Some(choice.value) == best);
            }
        }
        TablePlayer::Cautious | TablePlayer::Driving if choices.iter().any(wins) => choices.retain(wins),
        TablePlayer::Cautious | TablePlayer::Driving => {
            let safe: Vec<TableMove> = choices.iter().filter(|choice| is_quiet(values, choice)).copied().collect();
            if !safe.is_empty() {
                choices = safe;
            }
            if player == TablePlayer::Driving {
                let fewest = choices.iter().map(|choice| replies(values, choice)).min();
                choices.retain(|choice| Some(replies(values, choice)) == fewest);
            }
        }
    }
    lots.pick(&choices).copied()
}

fn replies(values: &Table, choice: &TableMove) -> u64 {
    let mut count = 0;
    values.variant().rules().general_actions::<Every>(&choice.next, |_, _| count += 1);
    count
}

/// True if the General can neither take nor win with its next move.
fn is_quiet(values: &Table, choice: &TableMove) -> bool {
    let rules = values.variant().rules();
    let mut quiet = true;
    rules.general_actions::<Every>(&choice.next, |action, _| {
        let after = rules.play_general_move(&choice.next, &action).0;
        let wins = rules.outcome::<Every>(&after, None).and_then(Outcome::winner) == Some(Side::General);
        quiet &= action.captured.is_empty() && !wins;
    });
    quiet
}

/// The positions on perfect lines from a position: the winner takes a shortest way, the loser a longest. A mirror image
/// counts as the same.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct PerfectLines {
    pub(super) positions: u64,
    /// Moves of the Rebels, those that keep the value class, and those that are perfect.
    pub(super) moves: u64,
    pub(super) keeping: u64,
    pub(super) perfect: u64,
    /// Numbers of Rebels at the ends.
    pub(super) left: BTreeSet<u32>,
}

fn key(position: &Position) -> (u64, usize, bool, u8) {
    (position.rebels().0, position.general().index(), position.apex_visited(), position.free_jumps())
}

impl PerfectLines {
    /// Follows all perfect lines from a won or lost position; returns [`None`] if there are too many positions, or
    /// after a stop.
    pub(super) fn from(values: &Table, start: Position, stop: &Stop) -> Option<PerfectLines> {
        let mut lines = PerfectLines::default();
        let mut now = vec![values.variant().canonical(&start)];
        while !now.is_empty() {
            if now.len() > MOST_POSITIONS || stop.is_set() {
                return None;
            }
            lines.positions += now.len() as u64;
            let mut next = Vec::new();
            for positions in now.chunks(AT_ONCE) {
                let moves = positions.par_iter().map(|position| choices(values, position));
                for (position, choices) in positions.iter().zip(moves.collect::<Vec<_>>()) {
                    lines.follow(values.variant(), position.side(), &choices, &mut next);
                }
            }
            now = next;
            now.par_sort_unstable_by_key(key);
            now.dedup();
        }
        Some(lines)
    }

    /// Counts the moves of a position, and adds where the perfect ones lead.
    fn follow(&mut self, variant: &Variant, side: Side, choices: &[TableMove], next: &mut Vec<Position>) {
        let best = choices.iter().map(|choice| choice.value).max();
        let class = best.map(TableValue::class);
        let perfect: Vec<&TableMove> = choices.iter().filter(|choice| Some(choice.value) == best).collect();
        if side == Side::Rebels {
            self.moves += choices.len() as u64;
            self.keeping += choices.iter().filter(|choice| Some(choice.value.class()) == class).count() as u64;
            self.perfect += perfect.len() as u64;
        }
        for choice in perfect {
            if choice.outcome.is_some() {
                self.left.insert(choice.next.rebels().len());
            } else {
                next.push(variant.canonical(&choice.next));
            }
        }
    }
}
