//! Bonuses of moves at the root.

use privy_rules::{Game, Side, Variant};
use privy_search::contempt::Contempt;
use privy_search::eval::evaluation::Evaluation;
use privy_search::root_bonus::{
    APPROACH_STEP, HUNT_STEP, LEAST_JUDGED, LURE_BONUS, MOST_JUDGED, MOST_TRAP_POSITIONS, THREAT_BONUS, Traps,
    add_approach_bonuses, add_bonuses, add_hunt_bonuses, add_trap_bonuses, hunt_bonus,
};
use std::cell::Cell;
use std::sync::Arc;

use privy_base::random::Random;
use privy_rules::rule_set::RuleSet;
use privy_search::eval::Weights;
use privy_search::root_moves::root_moves;
use privy_search::{Limits, SearchRequest, Searcher, Stop};

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
        let request = SearchRequest { limits, multi_pv, ..SearchRequest::default() };
        let found = Searcher::new(1).search(&game, request, &Stop::default(), &mut |_| {}).unwrap();
        (found.best, found.lines)
    };
    let (best, reported) = score(1);
    let (_, lines) = score(game.legal_moves().len());
    let line = lines.iter().find(|line| line.pv[0] == best).unwrap();
    assert_eq!(line.verdict.score, reported[0].verdict.score);
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
    assert_eq!(bonus_of(beside, "c2-c1"), 2 * THREAT_BONUS);
    let between = "r/rrr/rrrrr/5/5/5/5/5/5/5/1rGr1 g - 0 0 subjugatio-free";
    assert_eq!(bonus_of(between, "c1-c2"), 3 * THREAT_BONUS);
}

#[test]
fn reports_and_analyses_are_without_hunt_bonus() {
    let game = after_moves("subjugatio-free", MOST_JUDGED, at_random);
    let score_of_best = |multi_pv| {
        let limits = Limits { depth: Some(1), ..Limits::default() };
        let request = SearchRequest { limits, multi_pv, ..SearchRequest::default() };
        let found = Searcher::new(1).search(&game, request, &Stop::default(), &mut |_| {}).unwrap();
        (found.best.clone(), found.lines[0].verdict.score, found.lines)
    };
    let (hunting, reported, _) = score_of_best(1);
    let (_, best, lines) = score_of_best(game.legal_moves().len());
    assert!(reported <= best, "an analysis shows the best first");
    let line = lines.iter().find(|line| line.pv[0] == hunting).unwrap();
    assert_eq!(line.verdict.score, reported);
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
    let lure = LURE_BONUS as i32;
    // c4: of three replies, c5-b5 lets the Fox shut in both Geese, which have no move then. a4: after a5-b5 it takes
    // both from a5. After its other moves the Geese hold out.
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
        let contempt = Contempt::of(game.side(), game, &evaluation);
        add_bonuses(game, &evaluation, contempt, &|| false, &mut moves);
        let path = game.parse_move(None, "b4-c4").unwrap();
        moves.iter().find(|move_| *move_.move_() == *path.action()).unwrap().bonus
    };
    assert_eq!(bonus(&game), 0);
    for text in ["b4-b3", "c5-d5", "b3-b4", "d5-c5"] {
        game.play(game.parse_move(None, text).unwrap());
    }
    assert_eq!(bonus(&game), 60 + LURE_BONUS as i32);
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
    assert!((MOST_TRAP_POSITIONS..MOST_TRAP_POSITIONS + 1_000).contains(&positions), "{positions}");
    add_trap_bonuses(&game, &|| false, &mut moves);
    assert!(moves.iter().all(|root_move| root_move.bonus == 0));
}
