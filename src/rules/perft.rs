//! Perft: how many sequences of moves there are of a given length.
//!
//! It measures and checks move generation and nothing else: no hashing, no repetition. The last ply is counted in
//! bulk, without making its moves; where the last two plies are a Rebel's and the General's, so are the Rebels' moves
//! that can't change how many replies the General has.

use super::family::for_family;
use super::{CompiledRules, Family, Move, Outcome, Position, Side, State};

/// The number of sequences of exactly `depth` legal moves from a position. A game that ends earlier does not count.
#[must_use]
pub fn perft(position: &Position, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    if position.outcome().is_some() {
        return 0;
    }
    let rules = position.variant().rules();
    for_family!(position.variant().family(), F => count::<F>(rules, position.state(), depth))
}

/// Sequences of `depth` (at least 1) moves from a position that is not over by a goal.
fn count<F: Family>(rules: &CompiledRules, state: &State, depth: u32) -> u64 {
    match (state.side, depth) {
        (Side::Rebels, 1) => rules.count_rebel_steps(state.rebels, rules.empty(state)),
        (Side::Rebels, 2) => count_steps_and_replies::<F>(rules, state),
        (Side::Rebels, _) => {
            let mut sum = 0;
            rules.rebel_bundles(state, |from, targets| {
                for to in targets {
                    let next = state.after_rebel_step(from, to);
                    if rules.goal_after_rebels(&next, Some(to)).is_none() {
                        sum += count::<F>(rules, &next, depth - 1);
                    }
                }
            });
            sum
        }
        (Side::General, 1) => rules.count_general_moves::<F>(state),
        (Side::General, _) => {
            let mut sum = 0;
            rules.general_actions::<F>(state, |action: Move, _| {
                let next = state.after(&action, rules.return_apex);
                if rules.goal_after_general(&next).is_none() {
                    sum += count::<F>(rules, &next, depth - 1);
                }
            });
            sum
        }
    }
}

/// The last two plies, a Rebel's step and the General's reply.
fn count_steps_and_replies<F: Family>(rules: &CompiledRules, state: &State) -> u64 {
    let replies = |next: &State, goal: Option<Outcome>| match goal {
        None => rules.count_general_moves::<F>(next),
        Some(_) => 0,
    };
    let unmoved = State { side: Side::General, ..*state };
    let zone = if rules.moves_reach_beyond_zone::<F>(&unmoved) { rules.all } else { rules.zone[state.general.index()] };
    let empty = rules.empty(state);
    let steps_outside = rules.count_rebel_steps(state.rebels.minus(zone), empty.minus(zone));
    let mut sum = 0;
    if steps_outside > 0 {
        sum += steps_outside * replies(&unmoved, rules.goal_after_rebels(&unmoved, None));
    }
    for from in state.rebels {
        let targets = rules.rebel_steps[from.index()] & empty;
        for to in if zone.contains(from) { targets } else { targets & zone } {
            let next = state.after_rebel_step(from, to);
            sum += replies(&next, rules.goal_after_rebels(&next, Some(to)));
        }
    }
    sum
}

/// A legal move and how many sequences begin with it.
pub type Division = (String, u64);

/// [`perft`] divided by the first move, sorted by move text. `depth` 0 has no first move and gives an empty list.
#[must_use]
pub fn divide(position: &Position, depth: u32) -> Vec<Division> {
    let Some(rest) = depth.checked_sub(1) else { return Vec::new() };
    let mut divisions: Vec<Division> = position
        .legal_moves()
        .iter()
        .map(|move_| (position.move_text(move_), perft(&position.after(move_), rest)))
        .collect();
    divisions.sort();
    divisions
}
