//! Games between players who err, drawn by lot with fixed seeds.

use std::collections::HashMap;

use rayon::prelude::*;

use privy::random::Random;
use privy::rules::family::Every;
use privy::rules::{Outcome, Position, Side};
use privy::tablebase::Decompressed;

use super::choices::{Choice, choices};

/// A game that takes longer counts as a draw.
const MOST_PLIES: u32 = 1_000;

/// How somebody plays.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Player {
    /// Any legal move in so many of a hundred cases, else one of the best moves of the table.
    Fallible(u64),
    /// Rebels who win at once if they can, and else play any move that lets the General neither take nor win at once, if
    /// there is one; they look no further.
    Cautious,
    /// Cautious Rebels with a plan: of the moves that are left to them, they play one that leaves the General the fewest
    /// moves.
    Driving,
}

impl Player {
    pub(super) const PERFECT: Player = Player::Fallible(0);
    pub(super) const RANDOM: Player = Player::Fallible(100);
}

/// How a number of games ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Results {
    pub(super) rebels: u64,
    pub(super) drawn: u64,
    pub(super) general: u64,
}

impl Results {
    pub(super) fn games(&self) -> u64 {
        self.rebels + self.drawn + self.general
    }
}

/// Plays a number of games from a position; the same numbers every time.
pub(super) fn play(values: &Decompressed, start: Position, rebels: Player, general: Player, games: u64) -> Results {
    let winners = (0..games).into_par_iter().map(|number| game(values, start, rebels, general, number));
    let winners: Vec<Option<Side>> = winners.collect();
    let count = |winner| winners.iter().filter(|found| **found == winner).count() as u64;
    Results { rebels: count(Some(Side::Rebels)), drawn: count(None), general: count(Some(Side::General)) }
}

fn game(values: &Decompressed, start: Position, rebels: Player, general: Player, number: u64) -> Option<Side> {
    let mut lots = Random::new(number);
    let mut seen: HashMap<Position, u32> = HashMap::new();
    let mut position = start;
    for _ in 0..MOST_PLIES {
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

fn choose(values: &Decompressed, position: &Position, player: Player, lots: &mut Random) -> Option<Choice> {
    let mut choices = choices(values, position);
    let wins = |choice: &Choice| choice.outcome.and_then(Outcome::winner) == Some(position.side());
    match player {
        Player::Fallible(errors) => {
            if lots.below(100) >= errors {
                let best = choices.iter().map(|choice| choice.value).max();
                choices.retain(|choice| Some(choice.value) == best);
            }
        }
        Player::Cautious | Player::Driving if choices.iter().any(wins) => choices.retain(wins),
        Player::Cautious | Player::Driving => {
            let safe: Vec<Choice> = choices.iter().filter(|choice| is_quiet(values, choice)).copied().collect();
            if !safe.is_empty() {
                choices = safe;
            }
            if player == Player::Driving {
                let fewest = choices.iter().map(|choice| replies(values, choice)).min();
                choices.retain(|choice| Some(replies(values, choice)) == fewest);
            }
        }
    }
    lots.pick(&choices).copied()
}

/// The General's moves after a move.
fn replies(values: &Decompressed, choice: &Choice) -> u64 {
    let mut count = 0;
    values.variant().rules().general_actions::<Every>(&choice.next, |_, _| count += 1);
    count
}

/// Can the General neither take nor win with his next move?
fn is_quiet(values: &Decompressed, choice: &Choice) -> bool {
    let rules = values.variant().rules();
    let mut quiet = true;
    rules.general_actions::<Every>(&choice.next, |action, _| {
        let after = rules.play_general_move(&choice.next, &action).0;
        let wins = rules.outcome::<Every>(&after, None).and_then(Outcome::winner) == Some(Side::General);
        quiet &= action.captured.is_empty() && !wins;
    });
    quiet
}
