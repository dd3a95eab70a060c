//! The hunt: bonuses of root moves against Rebels that err. Proofs and reported scores are without them, and an analysis has none. The same game
//! gives the same bonuses.
//!
//! Alpha-beta assumes perfect Rebels: a threat that they can parry is worth nothing, and where captures are deferred they can parry
//! nearly all. So the search models its opponent (D. Carmel and S. Markovitch, "Incorporating opponent models into adversary search",
//! 1996): where the last moves of the Rebels show that they err, a move of the General is worth more the nearer it brings a capture.
//! With other captures, which the search sees well enough, this gained nothing.
//!
//! Tests: `tests/hunt.rs`; `privy-lab measure movers` plays against random moves and a greedy player. Figures: docs/NOTEBOOK.md.

use crate::eval::Evaluation;
use privy_rules::board::{Point, PointSet};
use privy_rules::family::Every;
use privy_rules::{Game, Move, Position, Side};

use super::root_moves::RootMove;

/// How many of the last moves of the Rebels are judged, at least and at most.
pub const LEAST_JUDGED: usize = 6;
pub const MOST_JUDGED: usize = 8;
/// Rebels err when at least this share of their other moves, in the mean, would have been better. In `subjugatio-free` the share is 0.24 to
/// 0.63 for eight random moves, and 0.01 to 0.15 for searches of 1,000 nodes.
const LEAST_ERRING_SHARE: f64 = 0.2;
/// The bonus of a threat for each Rebel that it would take, in hundredths of a Rebel. At most three count, to stay out of the band of wins.
pub const THREAT_BONUS: i32 = 500;
const MOST_THREATENED: u32 = 3;
/// The bonus of each step by which the General is nearer than `HUNT_RANGE` to a point from which it could capture.
pub const HUNT_STEP: i32 = 170;
const HUNT_RANGE: i32 = 6;

/// Gives the moves of a General that hunts their bonuses.
pub fn add_bonuses(game: &Game, evaluation: &Evaluation, moves: &mut [RootMove]) {
    let is_on = game.side() == Side::General
        && game.variant().rule_set().deferred
        && share_of_better_moves(game, evaluation).is_some_and(|share| share >= LEAST_ERRING_SHARE);
    for root_move in moves.iter_mut().filter(|_| is_on) {
        root_move.bonus += bonus(game, root_move.move_());
    }
}

/// Returns the mean share of other moves that would have been better than the last ones of the Rebels; `None` after too few moves.
fn share_of_better_moves(game: &Game, evaluation: &Evaluation) -> Option<f64> {
    let played = game.moves().rev().zip(game.positions().rev().skip(1));
    let by_rebels = played.filter(|(_, before)| before.side() == Side::Rebels).take(MOST_JUDGED);
    let shares: Vec<f64> = by_rebels
        .map(|(played, before)| {
            let all = game.variant().legal_moves(before);
            let cost = |move_: &Move| cost(game, evaluation, before, move_);
            let of_played = cost(played.action());
            let better = all.iter().filter(|other| cost(other.action()) < of_played).count();
            better as f64 / (all.len() - 1).max(1) as f64
        })
        .collect();
    (shares.len() >= LEAST_JUDGED).then(|| shares.iter().sum::<f64>() / shares.len() as f64)
}

/// The static cost of a move for the Rebels: Rebels that could be taken after it, then the evaluation for the General.
fn cost(game: &Game, evaluation: &Evaluation, before: &Position, move_: &Move) -> (u32, i16) {
    let (after, outcome) = game.variant().play_unchecked(before, move_);
    match outcome {
        Some(_) => (0, i16::MIN),
        None => (most_taken(game, &after), evaluation.evaluate(game.variant().rules(), &after).raw()),
    }
}

fn most_taken(game: &Game, position: &Position) -> u32 {
    let mut most = 0;
    game.variant().rules().general_actions::<Every>(position, |move_, _| most = most.max(move_.captured.len()));
    most
}

/// A capture has the highest bonus, or a threat would outweigh it.
pub fn bonus(game: &Game, move_: &Move) -> i32 {
    let (after, outcome) = game.variant().play_unchecked(game.position(), move_);
    if outcome.is_some() {
        return 0;
    }
    if !move_.captured.is_empty() {
        return THREAT_BONUS * MOST_THREATENED as i32;
    }
    let at = |point: Point| most_taken(game, &after.with_side(Side::General).with_pieces(after.rebels(), point));
    let threatened = at(after.general());
    if threatened > 0 {
        return THREAT_BONUS * threatened.min(MOST_THREATENED) as i32;
    }
    let rules = game.variant().rules();
    let (mut reached, mut frontier) = (PointSet::of(after.general()), PointSet::of(after.general()));
    for steps in 1..HUNT_RANGE {
        let next = frontier.into_iter().fold(PointSet::EMPTY, |all, point| all | rules.neighbours(point));
        frontier = next.minus(after.rebels() | reached);
        reached |= frontier;
        if frontier.into_iter().any(|point| at(point) > 0) {
            return HUNT_STEP * (HUNT_RANGE - steps);
        }
    }
    0
}
