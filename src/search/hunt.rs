//! The hunt: what threats are worth to a General whose opponent errs.
//!
//! Alpha-beta takes the Rebels for perfect. A threat that they can parry is worth nothing to it, and where captures are deferred they can
//! parry nearly all: so a General who stands well walks about. Against Rebels who do not see threats he takes a pair every few moves. So
//! the search models its opponent (D. Carmel and S. Markovitch, "Incorporating opponent models into adversary search", 1996): where the
//! last moves of the game show that the Rebels err, a move at the root is worth more the nearer it brings him to a capture. What is proved,
//! and the scores that are reported, are as they are. With other captures, which the search sees well enough, it brought nothing.
//!
//! Invariants: without moves played by the Rebels nothing changes; the same game gives the same bonuses; an analysis has none.
//!
//! Tests: below; `tuning::opponents` plays against random moves.

use crate::board::{Point, PointSet};
use crate::eval::Evaluation;
use crate::rules::family::Every;
use crate::rules::{Game, Move, Position, Side};

use super::root_moves::RootMove;

/// The last moves of the Rebels by which they are judged, at least and at most.
const LEAST_JUDGED: usize = 6;
const MOST_JUDGED: usize = 8;

/// Rebels err when so large a share of the other moves, in the mean, would have been better. In `subjugatio-free` it was 0.24 to 0.63 for eight
/// moves at random, and 0.01 to 0.15 for those of searches of 1,000 nodes.
const ERRING: f64 = 0.2;

/// What a threat is worth for each Rebel that would be taken, in hundredths of a Rebel; no more than three count, or an evaluation might
/// come to stand among the wins.
const THREAT: i32 = 500;
const MOST_THREATENED: u32 = 3;

/// What each step is worth that he is nearer than [`FARTHEST`] to a point from which he would take.
const STEP: i32 = 170;
const FARTHEST: i32 = 6;

/// Gives moves of a General at the root what they are worth to the hunt, where the Rebels err.
pub(super) fn add_bonuses(game: &Game, evaluation: &Evaluation, moves: &mut [RootMove]) {
    let is_on = game.side() == Side::General
        && game.variant().rule_set().deferred
        && share_of_better_moves(game, evaluation).is_some_and(|share| share >= ERRING);
    for root_move in moves.iter_mut().filter(|_| is_on) {
        root_move.bonus = worth(game, root_move.move_());
    }
}

/// How large a share of their other moves would have been better than those that the Rebels have played last, in the mean; none where
/// they have played too few.
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

/// What a move costs the Rebels, seen at once: Rebels that could be taken then, and how the General stands.
fn cost(game: &Game, evaluation: &Evaluation, before: &Position, move_: &Move) -> (u32, i16) {
    let (after, outcome) = game.variant().play_unchecked(before, move_);
    match outcome {
        Some(_) => (0, i16::MIN),
        None => (most_taken(game, &after), evaluation.evaluate::<Every>(game.variant().rules(), &after).raw()),
    }
}

/// The most Rebels that the General could take in a position with him to move.
fn most_taken(game: &Game, position: &Position) -> u32 {
    let mut most = 0;
    game.variant().rules().general_actions::<Every>(position, |move_, _| most = most.max(move_.captured.len()));
    most
}

/// What a move of the General is worth to the hunt: most when it captures, or a threat would be worth more than what it threatens.
fn worth(game: &Game, move_: &Move) -> i32 {
    let (after, outcome) = game.variant().play_unchecked(game.position(), move_);
    if outcome.is_some() {
        return 0;
    }
    if !move_.captured.is_empty() {
        return THREAT * MOST_THREATENED as i32;
    }
    let at = |point: Point| most_taken(game, &after.with_side(Side::General).with_pieces(after.rebels(), point));
    let threatened = at(after.general());
    if threatened > 0 {
        return THREAT * threatened.min(MOST_THREATENED) as i32;
    }
    let rules = game.variant().rules();
    let (mut reached, mut frontier) = (PointSet::of(after.general()), PointSet::of(after.general()));
    for steps in 1..FARTHEST {
        let next = frontier.into_iter().fold(PointSet::EMPTY, |all, point| all | rules.neighbours(point));
        frontier = next.minus(after.rebels() | reached);
        reached |= frontier;
        if frontier.into_iter().any(|point| at(point) > 0) {
            return STEP * (FARTHEST - steps);
        }
    }
    0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::Weights;
    use crate::random::Random;
    use crate::rules::Variant;
    use crate::search::root_moves::root_moves;
    use crate::search::{Limits, Searcher, Stop};

    /// The opening of a game, in which the Rebels then play so many moves by a function, and the General at random.
    fn after_moves(id: &str, count: usize, mut rebels: impl FnMut(&Game, &mut Random) -> usize) -> Game {
        let mut game = Variant::builtin(id).unwrap().start();
        let mut random = Random::new(7);
        for _ in 0..2 * count {
            let moves = game.legal_moves();
            let number = match game.side() {
                Side::Rebels => rebels(&game, &mut random),
                Side::General => random.below(moves.len() as u64) as usize,
            };
            game.play(moves[number].clone());
        }
        assert_eq!((game.side(), game.outcome()), (Side::General, None));
        game
    }

    fn at_random(game: &Game, random: &mut Random) -> usize {
        random.below(game.legal_moves().len() as u64) as usize
    }

    fn searched(game: &Game, _: &mut Random) -> usize {
        let limits = Limits { nodes: Some(1_000), ..Limits::default() };
        let found = Searcher::new(1).search(game, &limits, &Stop::default(), &mut |_| {}).unwrap();
        game.legal_moves().iter().position(|move_| *move_ == found.best).unwrap()
    }

    fn has_bonuses(game: &Game) -> bool {
        let mut moves = root_moves(game, &Limits::default(), 0);
        add_bonuses(game, &Evaluation::new(game.variant(), Weights::of(game.variant())), &mut moves);
        moves.iter().any(|root_move| root_move.bonus > 0)
    }

    #[test]
    fn only_rebels_who_err_are_hunted() {
        assert!(has_bonuses(&after_moves("subjugatio-free", MOST_JUDGED, at_random)));
        assert!(!has_bonuses(&after_moves("subjugatio-free", MOST_JUDGED, searched)));
        // Too few moves tell nothing, and who is to move is not hunted.
        assert!(!has_bonuses(&after_moves("subjugatio-free", LEAST_JUDGED - 1, at_random)));
        let mut game = after_moves("subjugatio-free", MOST_JUDGED, at_random);
        game.play(game.legal_moves()[0].clone());
        assert!(!has_bonuses(&game));
        // The captures of this game are not deferred.
        assert!(!has_bonuses(&after_moves("yeung-luk", MOST_JUDGED, at_random)));
    }

    #[test]
    fn a_capture_is_worth_most_then_a_threat_then_the_nearer_one() {
        let worth_of = |text: &str, wanted: &str| {
            let game = Game::from_text(text, None).unwrap();
            worth(&game, game.parse_move(None, wanted).unwrap().action())
        };
        let far = "r/rrr/rrrrr/5/5/5/2G2/5/5/5/1r1r1 g - 0 0 subjugatio-free";
        let near = "r/rrr/rrrrr/5/5/5/5/5/2G2/5/1r1r1 g - 0 0 subjugatio-free";
        let worths = [worth_of(far, "c5-c6"), worth_of(far, "c5-c4"), worth_of(near, "c3-c2")];
        assert_eq!(worths, [STEP, 3 * STEP, 5 * STEP]);
        let beside = "r/rrr/rrrrr/5/5/5/5/5/5/2G2/1r1r1 g - 0 0 subjugatio-free";
        assert_eq!(worth_of(beside, "c2-c1"), 2 * THREAT);
        let between = "r/rrr/rrrrr/5/5/5/5/5/5/5/1rGr1 g - 0 0 subjugatio-free";
        assert_eq!(worth_of(between, "c1-c2"), 3 * THREAT);
    }

    #[test]
    fn reports_and_analyses_are_without_bonus() {
        let game = after_moves("subjugatio-free", MOST_JUDGED, at_random);
        let score_of_best = |multi_pv| {
            let limits = Limits { depth: Some(1), multi_pv, ..Limits::default() };
            let found = Searcher::new(1).search(&game, &limits, &Stop::default(), &mut |_| {}).unwrap();
            (found.best.clone(), found.lines[0].score, found.lines)
        };
        let (hunting, told, _) = score_of_best(1);
        let (_, best, lines) = score_of_best(game.legal_moves().len());
        assert!(told <= best, "an analysis shows the best first");
        let line = lines.iter().find(|line| line.line[0] == hunting).unwrap();
        assert_eq!(line.score, told);
    }
}
