//! The hunt: bonuses of moves at the root.

use privy_rules::{Game, Side, Variant};
use privy_search::eval::evaluation::Evaluation;
use privy_search::hunt::{HUNT_STEP, LEAST_JUDGED, MOST_JUDGED, THREAT_BONUS, add_bonuses, bonus};

use privy_base::random::Random;
use privy_search::eval::Weights;
use privy_search::root_moves::root_moves;
use privy_search::{Limits, SearchRequest, Searcher, Stop};

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
    add_bonuses(game, &Evaluation::new(game.variant(), Weights::of(game.variant())), &mut moves);
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
        bonus(&game, game.parse_move(None, text_of_move).unwrap().action())
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
        (found.best.clone(), found.lines[0].score, found.lines)
    };
    let (hunting, reported, _) = score_of_best(1);
    let (_, best, lines) = score_of_best(game.legal_moves().len());
    assert!(reported <= best, "an analysis shows the best first");
    let line = lines.iter().find(|line| line.pv[0] == hunting).unwrap();
    assert_eq!(line.score, reported);
}
