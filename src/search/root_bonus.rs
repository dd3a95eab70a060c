//! Bonuses of root moves: they choose among moves in games where the search alone plays aimlessly. Proofs and reported scores are without
//! them, and an analysis has none. The same game gives the same bonuses.
//!
//! *The hunt.* Alpha-beta assumes perfect Rebels: a threat that they can parry is worth nothing, and where captures are deferred they can parry
//! nearly all. So the search models its opponent (D. Carmel and S. Markovitch, "Incorporating opponent models into adversary search",
//! 1996): where the last moves of the Rebels show that they err, a move of the General is worth more the nearer it brings a capture.
//! With other captures, which the search sees well enough, this gained nothing.
//!
//! *The approach.* The weights of a family know little of how Rebels get from a safe ring to a closed one: they stand far from the General, and
//! step to and fro. So a step of the Rebels that comes nearer is worth more, as long as the General has some room: with little room,
//! closing the ring takes other steps. As a term of the evaluation the same weight did harm: the General fled from Rebels that it should take.
//!
//! *Traps.* Rebels that move in circles seldom look ahead: they leave nothing to take where they can, and go on to the next point. To alpha-beta a
//! position that they can hold is as good as any other. So a move of the General is worth more, the more Rebels it takes by force after the
//! replies that leave least to take, and the more replies do so: Rebels that feel safe come out. Two moves ahead is enough: with these,
//! `fox-and-geese-17` is won as often with 1,000 nodes a move as with 10,000.
//!
//! Tests: below; `tuning::opponents` plays against random moves and a greedy player. Figures: docs/EVALUATION.md.

use std::cell::Cell;

use crate::board::{Point, PointSet};
use crate::eval::Evaluation;
use crate::rules::family::Every;
use crate::rules::{Game, Move, Outcome, Position, Side};

use super::contempt::Contempt;
use super::root_moves::RootMove;

/// Gives root moves their bonuses. Approach and traps: of a side with contempt, so only where no weights were fitted to the game. Traps end
/// without a bonus once the search is over.
pub(super) fn add_bonuses(
    game: &Game,
    evaluation: &Evaluation,
    contempt: Contempt,
    is_over: &dyn Fn() -> bool,
    moves: &mut [RootMove],
) {
    add_hunt_bonuses(game, evaluation, moves);
    match contempt.side() {
        Some(Side::Rebels) => add_approach_bonuses(game, evaluation, moves),
        Some(Side::General) => add_trap_bonuses(game, is_over, moves),
        None => {}
    }
}

/// How many of the last moves of the Rebels are judged, at least and at most.
const LEAST_JUDGED: usize = 6;
const MOST_JUDGED: usize = 8;
/// Rebels err when at least this share of their other moves, in the mean, would have been better. In `subjugatio-free` the share is 0.24 to
/// 0.63 for eight random moves, and 0.01 to 0.15 for searches of 1,000 nodes.
const ERRING: f64 = 0.2;
/// The bonus of a threat for each Rebel that it would take, in hundredths of a Rebel. At most three count, to stay out of the band of wins.
const THREAT: i32 = 500;
const MOST_THREATENED: u32 = 3;
/// The bonus of each step by which the General is nearer than [`FARTHEST`] to a point from which it could capture.
const HUNT_STEP: i32 = 170;
const FARTHEST: i32 = 6;

fn add_hunt_bonuses(game: &Game, evaluation: &Evaluation, moves: &mut [RootMove]) {
    let is_on = game.side() == Side::General
        && game.variant().rule_set().deferred
        && share_of_better_moves(game, evaluation).is_some_and(|share| share >= ERRING);
    for root_move in moves.iter_mut().filter(|_| is_on) {
        root_move.bonus += hunt_bonus(game, root_move.move_());
    }
}

/// The mean share of other moves that would have been better than the last ones of the Rebels; none after too few moves.
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
        None => (most_taken(game, &after), evaluation.evaluate::<Every>(game.variant().rules(), &after).raw()),
    }
}

fn most_taken(game: &Game, position: &Position) -> u32 {
    let mut most = 0;
    game.variant().rules().general_actions::<Every>(position, |move_, _| most = most.max(move_.captured.len()));
    most
}

/// A capture has the highest bonus, or a threat would outweigh it.
fn hunt_bonus(game: &Game, move_: &Move) -> i32 {
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
            return HUNT_STEP * (FARTHEST - steps);
        }
    }
    0
}

/// The bonus of a step that keeps its distance, in hundredths of a Rebel; one that comes nearer has twice as much.
const APPROACH_STEP: i32 = 20;
/// With fewer points to walk to, the General has little room.
const ROOM: u32 = 6;

/// Gives the steps of the Rebels their bonuses, in games of jumps or without captures.
fn add_approach_bonuses(game: &Game, evaluation: &Evaluation, moves: &mut [RootMove]) {
    let variant = game.variant();
    if variant.rule_set().takes_pairs() || evaluation.freedom(variant.rules(), game.position()) < ROOM {
        return;
    }
    let distances = game.board().distances(PointSet::of(game.position().general()));
    for root_move in moves {
        let move_ = root_move.move_();
        root_move.bonus += APPROACH_STEP * (distances[move_.from] - distances[move_.to] + 1).clamp(0, 2);
    }
}

/// The bonus of a Rebel that falls by force after a careful reply, one that leaves least to take; in hundredths of a Rebel.
const TRAP: f64 = 60.0;
/// The bonus of a move after which all replies are careful.
const LURE: f64 = 25.0;
/// The most positions to look at, five milliseconds on 64 points; where there are more, no move has a bonus. With seventeen Geese on 33
/// points there are some hundreds.
const MOST_POSITIONS: u32 = 10_000;

fn add_trap_bonuses(game: &Game, is_over: &dyn Fn() -> bool, moves: &mut [RootMove]) {
    if moves.len() > 1 {
        let traps = Traps { game, is_over, positions: Cell::new(0) };
        let bonuses: Option<Vec<i32>> = moves.iter().map(|root_move| traps.bonus(root_move.move_())).collect();
        let bonuses = bonuses.into_iter().flatten();
        moves.iter_mut().zip(bonuses).for_each(|(root_move, bonus)| root_move.bonus += bonus);
    }
}

struct Traps<'a> {
    game: &'a Game,
    is_over: &'a dyn Fn() -> bool,
    /// Positions looked at.
    positions: Cell<u32>,
}

impl Traps<'_> {
    /// The bonus of a move: 0 where it or a reply ends the game, which the search sees; none where looking took too long.
    fn bonus(&self, move_: &Move) -> Option<i32> {
        let (after, outcome) = self.game.variant().play_unchecked(self.game.position(), move_);
        if outcome.is_some() {
            return Some(0);
        }
        let replies: Option<Vec<(u32, Position)>> = self.replies(&after).collect();
        let Some(replies) = replies else { return Some(0) };
        let least = replies.iter().map(|(taken, _)| *taken).min();
        let careful: Vec<&Position> =
            replies.iter().filter(|(taken, _)| Some(*taken) == least).map(|(_, reply)| reply).collect();
        let trapped = careful.iter().map(|reply| self.taken_by_force(reply)).sum::<Option<u32>>()?;
        let count = careful.len() as f64;
        Some((TRAP * f64::from(trapped) / count + LURE * count / replies.len() as f64) as i32)
    }

    /// The positions after each move of the Rebels, and how many of them the General could then take; none for a move that ends the game.
    fn replies(&self, position: &Position) -> impl Iterator<Item = Option<(u32, Position)>> {
        let variant = self.game.variant();
        variant.legal_moves(position).into_iter().map(move |move_| {
            self.positions.update(|count| count + 1);
            let (reply, outcome) = variant.play_unchecked(position, move_.action());
            outcome.is_none().then(|| (most_taken(self.game, &reply), reply))
        })
    }

    /// The Rebels that the General, who is to move, takes by force with this move and the next; at most [`MOST_THREATENED`]. None where looking
    /// took too long.
    fn taken_by_force(&self, position: &Position) -> Option<u32> {
        if self.positions.get() >= MOST_POSITIONS || (self.is_over)() {
            return None;
        }
        let variant = self.game.variant();
        let mut most = 0;
        for move_ in variant.legal_moves(position) {
            let (after, outcome) = variant.play_unchecked(position, move_.action());
            let next = match outcome.map(Outcome::winner) {
                None => self.least_taken(&after),
                Some(Some(Side::General)) => MOST_THREATENED,
                Some(_) => continue,
            };
            most = most.max((move_.action().captured.len() + next).min(MOST_THREATENED));
            if most == MOST_THREATENED {
                break;
            }
        }
        Some(most)
    }

    /// The Rebels that the General could take after the most careful reply.
    fn least_taken(&self, position: &Position) -> u32 {
        let mut least = MOST_THREATENED;
        for reply in self.replies(position) {
            least = least.min(reply.map_or(0, |(taken, _)| taken));
            if least == 0 {
                break;
            }
        }
        least
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::eval::Weights;
    use crate::random::Random;
    use crate::rules::Variant;
    use crate::rules::rule_set::RuleSet;
    use crate::search::root_moves::root_moves;
    use crate::search::{Limits, SearchRequest, Searcher, Stop};

    fn approach_bonus(game: &Game, text_of_move: &str) -> i32 {
        let mut moves = root_moves(game, &SearchRequest::default(), 0);
        add_approach_bonuses(game, &Evaluation::new(game.variant(), Weights::of(game.variant())), &mut moves);
        let path = game.parse_move(None, text_of_move).unwrap();
        moves.iter().find(|move_| *move_.move_() == *path.action()).unwrap().bonus
    }

    #[test]
    fn a_step_that_comes_nearer_has_the_larger_bonus() {
        let game = |text: &str| Game::from_text(text, None).unwrap();
        let adugo = game("3/1G1/5/5/2r2/rrrrr/rr1rr r - 0 9 adugo");
        assert_eq!([approach_bonus(&adugo, "c3-c4"), approach_bonus(&adugo, "b2-b3")], [2 * APPROACH_STEP; 2]);
        assert_eq!(approach_bonus(&adugo, "b1-c1"), APPROACH_STEP, "as far as before");
        // The General walks, and games of pairs are known better.
        let start = Variant::builtin("adugo").unwrap().start();
        let mut moves = root_moves(&start, &SearchRequest::default(), 0);
        add_approach_bonuses(&start, &Evaluation::new(start.variant(), Weights::of(start.variant())), &mut moves);
        assert!(moves.iter().all(|move_| move_.bonus == 0));
        let cornered = game("1Gr/r2/2r2/1rrr1/r1rrr/rrrr1/5 r - 0 30 adugo");
        assert_eq!(approach_bonus(&cornered, "a3-a4"), 0, "the General has little room");
        let sixteen = game("1/3/rrrrr/r3r/r1G1r/r3r/rrrrr r - 0 1 sixteen-rebels");
        assert_eq!(approach_bonus(&sixteen, "a4-b4"), 0);
    }

    #[test]
    fn reports_are_without_approach_bonus() {
        let game = Game::from_text("3/3/1G3/1rr2/rr2r/1rrrr/rrrrr r - 0 1 adugo", None).unwrap();
        let score = |multi_pv| {
            let limits = Limits { depth: Some(1), ..Limits::default() };
            let limits = SearchRequest { limits, multi_pv, ..SearchRequest::default() };
            let found = Searcher::new(1).search(&game, &limits, &Stop::default(), &mut |_| {}).unwrap();
            (found.best, found.lines)
        };
        let (best, reported) = score(1);
        let (_, lines) = score(game.legal_moves().len());
        let line = lines.iter().find(|line| line.pv[0] == best).unwrap();
        assert_eq!(line.score, reported[0].score);
    }

    /// The opening of a game and `count` moves of each side: of the Rebels by a function, of the General at random.
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
        let found = Searcher::new(1).search(game, limits, &Stop::default(), &mut |_| {}).unwrap();
        game.legal_moves().iter().position(|move_| *move_ == found.best).unwrap()
    }

    fn has_bonuses(game: &Game) -> bool {
        let mut moves = root_moves(game, &SearchRequest::default(), 0);
        add_hunt_bonuses(game, &Evaluation::new(game.variant(), Weights::of(game.variant())), &mut moves);
        moves.iter().any(|root_move| root_move.bonus > 0)
    }

    #[test]
    fn only_rebels_that_err_are_hunted() {
        assert!(has_bonuses(&after_moves("subjugatio-free", MOST_JUDGED, at_random)));
        assert!(!has_bonuses(&after_moves("subjugatio-free", MOST_JUDGED, searched)));
        // Too few moves give no rate of errors, and Rebels to move are not hunted.
        assert!(!has_bonuses(&after_moves("subjugatio-free", LEAST_JUDGED - 1, at_random)));
        let mut game = after_moves("subjugatio-free", MOST_JUDGED, at_random);
        game.play(game.legal_moves()[0].clone());
        assert!(!has_bonuses(&game));
        // The captures of this game are not deferred.
        assert!(!has_bonuses(&after_moves("yeung-luk", MOST_JUDGED, at_random)));
    }

    #[test]
    fn a_capture_has_the_largest_bonus_then_a_threat_then_the_nearer_threat() {
        let bonus_of = |text: &str, text_of_move: &str| {
            let game = Game::from_text(text, None).unwrap();
            hunt_bonus(&game, game.parse_move(None, text_of_move).unwrap().action())
        };
        let far = "r/rrr/rrrrr/5/5/5/2G2/5/5/5/1r1r1 g - 0 0 subjugatio-free";
        let near = "r/rrr/rrrrr/5/5/5/5/5/2G2/5/1r1r1 g - 0 0 subjugatio-free";
        let bonuses = [bonus_of(far, "c5-c6"), bonus_of(far, "c5-c4"), bonus_of(near, "c3-c2")];
        assert_eq!(bonuses, [HUNT_STEP, 3 * HUNT_STEP, 5 * HUNT_STEP]);
        let beside = "r/rrr/rrrrr/5/5/5/5/5/5/2G2/1r1r1 g - 0 0 subjugatio-free";
        assert_eq!(bonus_of(beside, "c2-c1"), 2 * THREAT);
        let between = "r/rrr/rrrrr/5/5/5/5/5/5/5/1rGr1 g - 0 0 subjugatio-free";
        assert_eq!(bonus_of(between, "c1-c2"), 3 * THREAT);
    }

    #[test]
    fn reports_and_analyses_are_without_hunt_bonus() {
        let game = after_moves("subjugatio-free", MOST_JUDGED, at_random);
        let score_of_best = |multi_pv| {
            let limits = Limits { depth: Some(1), ..Limits::default() };
            let limits = SearchRequest { limits, multi_pv, ..SearchRequest::default() };
            let found = Searcher::new(1).search(&game, &limits, &Stop::default(), &mut |_| {}).unwrap();
            (found.best.clone(), found.lines[0].score, found.lines)
        };
        let (hunting, reported, _) = score_of_best(1);
        let (_, best, lines) = score_of_best(game.legal_moves().len());
        assert!(reported <= best, "an analysis shows the best first");
        let line = lines.iter().find(|line| line.pv[0] == hunting).unwrap();
        assert_eq!(line.score, reported);
    }

    /// Six Geese in the arm, two beside it, and the Fox.
    const TWO_BESIDE_THE_ARM: &str = "rrr/rrr/r1r4/1G5/7/3/3 g - 0 9 fox-and-geese-17";

    fn trap_bonuses<const N: usize>(text: &str, moves: [&str; N]) -> [i32; N] {
        let game = Game::from_text(text, None).unwrap();
        let traps = Traps { game: &game, is_over: &|| false, positions: Cell::new(0) };
        moves.map(|text_of_move| traps.bonus(game.parse_move(None, text_of_move).unwrap().action()).unwrap())
    }

    #[test]
    fn a_move_is_worth_what_falls_by_force_after_replies_that_leave_nothing_to_take() {
        let lure = LURE as i32;
        // c4: of three replies, c5-b5 lets the Fox shut in both Geese, which have no move then. a4: after a5-b5 it takes both from a5. After its
        // other moves the Geese hold out.
        let bonuses = trap_bonuses(TWO_BESIDE_THE_ARM, ["b4-c4", "b4-a4", "b4-b3", "b4-b5"]);
        assert_eq!(bonuses, [60 + lure, 40 + lure, lure, lure]);
        // With the Fox on b5 one of two replies, d5-c5, leaves a Goose to take.
        assert_eq!(trap_bonuses("rrr/rrr/r2r3/1G5/7/3/3 g - 0 9 fox-and-geese-17", ["b4-b5"]), [lure / 2]);
        // The Geese have no move left.
        assert_eq!(trap_bonuses("rrr/rrr/r1rG3/7/7/3/3 g - 0 9 fox-and-geese-17", ["d5xb5"]), [0]);
    }

    #[test]
    fn traps_are_set_for_rebels_that_move_in_circles() {
        let mut game = Game::from_text(TWO_BESIDE_THE_ARM, None).unwrap();
        let bonus = |game: &Game| {
            let evaluation = Evaluation::new(game.variant(), Weights::of(game.variant()));
            let mut moves = root_moves(game, &SearchRequest::default(), 0);
            let contempt = Contempt::of_unfitted(game.side(), game, &evaluation);
            add_bonuses(game, &evaluation, contempt, &|| false, &mut moves);
            let path = game.parse_move(None, "b4-c4").unwrap();
            moves.iter().find(|move_| *move_.move_() == *path.action()).unwrap().bonus
        };
        assert_eq!(bonus(&game), 0);
        for text in ["b4-b3", "c5-d5", "b3-b4", "d5-c5"] {
            game.play(game.parse_move(None, text).unwrap());
        }
        assert_eq!(bonus(&game), 60 + LURE as i32);
    }

    #[test]
    fn a_search_that_is_over_and_one_move_alone_have_no_traps() {
        let game = Game::from_text(TWO_BESIDE_THE_ARM, None).unwrap();
        let bonuses = |is_over: bool, most_moves: usize| -> Vec<i32> {
            let mut moves = root_moves(&game, &SearchRequest::default(), 0);
            moves.truncate(most_moves);
            add_trap_bonuses(&game, &|| is_over, &mut moves);
            moves.iter().map(|root_move| root_move.bonus).collect()
        };
        assert!(bonuses(false, 99).iter().all(|bonus| *bonus > 0));
        assert!(bonuses(true, 99).iter().chain(&bonuses(false, 1)).all(|bonus| *bonus == 0));
    }

    /// A General that may go anywhere among 26 Rebels has too many moves and replies to look at them all.
    #[test]
    fn the_positions_looked_at_are_limited() {
        let yeung_luk = Variant::builtin("yeung-luk").unwrap();
        let words = RuleSet { free_jumps: 9, compulsory: false, ..yeung_luk.rule_set().clone() };
        let game = Arc::new(yeung_luk.with_words(words).unwrap()).start();
        let game = Game::from_text("1/3/5/rrrrr/rrrrr/r3r/2G2/r3r/rrrrr/r3r/1r1r1 g 9", Some(game.variant())).unwrap();
        let traps = Traps { game: &game, is_over: &|| false, positions: Cell::new(0) };
        let mut moves = root_moves(&game, &SearchRequest::default(), 0);
        assert!(moves.iter().any(|root_move| traps.bonus(root_move.move_()).is_none()));
        let positions = traps.positions.get();
        assert!((MOST_POSITIONS..MOST_POSITIONS + 1_000).contains(&positions), "{positions}");
        add_trap_bonuses(&game, &|| false, &mut moves);
        assert!(moves.iter().all(|root_move| root_move.bonus == 0));
    }
}
