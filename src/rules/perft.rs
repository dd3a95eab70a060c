//! Perft: how many sequences of moves there are of a given length.
//!
//! It measures and checks move generation and nothing else: no hashing, no repetition. The last ply is counted in
//! bulk, without making its moves; where the last two plies are a Rebel's and the General's, so are the Rebels' moves
//! that can't change how many replies the General has.

use super::family::for_family;
use super::{CompiledRules, Family, Game, Move, Outcome, Position, Side};

/// The number of sequences of exactly `depth` legal moves from a position. A game that ends earlier does not count.
#[must_use]
pub fn perft(game: &Game, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    if game.decided().is_some() {
        return 0;
    }
    let rules = game.variant().rules();
    for_family!(game.variant().family(), F => count::<F>(rules, game.position(), depth))
}

/// Sequences of `depth` (at least 1) moves from a position that is not over by a goal.
fn count<F: Family>(rules: &CompiledRules, position: &Position, depth: u32) -> u64 {
    match (position.side(), depth) {
        (Side::Rebels, 1) => rules.count_rebel_steps(position.rebels(), rules.empty(position)),
        (Side::Rebels, 2) => count_steps_and_replies::<F>(rules, position),
        (Side::Rebels, _) => {
            let mut sum = 0;
            rules.rebel_bundles(position, |from, targets| {
                for to in targets {
                    let (next, goal) = rules.play_rebel_step(position, from, to);
                    if goal.is_none() {
                        sum += count::<F>(rules, &next, depth - 1);
                    }
                }
            });
            sum
        }
        (Side::General, 1) => rules.count_general_moves::<F>(position),
        (Side::General, _) => {
            let mut sum = 0;
            rules.general_actions::<F>(position, |action: Move, _| {
                let (next, goal) = rules.play_general_move(position, &action);
                if goal.is_none() {
                    sum += count::<F>(rules, &next, depth - 1);
                }
            });
            sum
        }
    }
}

/// The last two plies, a Rebel's step and the General's reply.
fn count_steps_and_replies<F: Family>(rules: &CompiledRules, position: &Position) -> u64 {
    let replies = |next: &Position, goal: Option<Outcome>| match goal {
        None => rules.count_general_moves::<F>(next),
        Some(_) => 0,
    };
    let unmoved = position.with_side(Side::General);
    let zone =
        if rules.moves_reach_beyond_zone::<F>(&unmoved) { rules.all } else { rules.zone[position.general().index()] };
    let empty = rules.empty(position);
    let steps_outside = rules.count_rebel_steps(position.rebels().minus(zone), empty.minus(zone));
    let mut sum = 0;
    if steps_outside > 0 {
        sum += steps_outside * replies(&unmoved, rules.goal_after_rebels(&unmoved, None));
    }
    for from in position.rebels() {
        let targets = rules.rebel_steps[from.index()] & empty;
        for to in if zone.contains(from) { targets } else { targets & zone } {
            let (next, goal) = rules.play_rebel_step(position, from, to);
            sum += replies(&next, goal);
        }
    }
    sum
}

/// A legal move and how many sequences begin with it.
pub type Division = (String, u64);

/// [`perft`] divided by the first move, sorted by move text. `depth` 0 has no first move and gives an empty list.
#[must_use]
pub fn divide(game: &Game, depth: u32) -> Vec<Division> {
    let Some(rest) = depth.checked_sub(1) else { return Vec::new() };
    let game = game.without_history();
    let mut divisions: Vec<Division> =
        game.legal_moves().iter().map(|move_| (game.move_text(move_), perft(&game.after(move_), rest))).collect();
    divisions.sort();
    divisions
}
