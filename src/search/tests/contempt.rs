//! Contempt: the worth of a draw.

use privy_rules::{Game, Side};
use privy_search::contempt::Contempt;
use privy_search::eval::evaluation::Evaluation;
use privy_search::eval::value::Value;
use std::sync::Arc;
use std::time::Duration;

use privy_protocol::Score;

use privy_rules::rule_set::{RuleSet, StandoffRule};
use privy_rules::{MovePath, Variant};
use privy_search::eval::Weights;
use privy_search::{Limits, SearchRequest, Searcher, Stop};

fn contempt(game: &Game) -> Contempt {
    Contempt::of(game.side(), game, &Evaluation::new(game.variant(), Weights::of(game.variant())))
}

/// A game of Adugo with a number of plies in which both sides step to and fro.
fn to_and_fro(plies: usize) -> Game {
    let mut game = Game::from_text("3/1G1/5/1rr2/rr2r/1r1r1/1rr1r r - 0 9 adugo", None).unwrap();
    for text in ["e1-e2", "c6-c7", "e2-e1", "c7-c6"].into_iter().cycle().take(plies) {
        let path = game.parse_move(None, text).unwrap();
        game.play(path);
    }
    game
}

#[test]
fn a_general_has_contempt_for_rebels_that_move_in_circles() {
    assert_eq!([1, 3].map(|plies| contempt(&to_and_fro(plies))), [Contempt::default(); 2]);
    let of_general = contempt(&to_and_fro(5));
    assert_eq!([Side::General, Side::Rebels].map(|side| of_general.draw_for(side).raw()), [-1500, 1500]);
    let of_rebels = contempt(&to_and_fro(4));
    assert_ne!(of_general.salt(), of_rebels.salt());
    assert!([of_general, of_rebels].iter().all(|contempt| contempt.salt() != 0));
}

/// A position with the Rebels to move has recurred, but none with the General to move.
#[test]
fn any_position_that_recurs_counts() {
    let mut game = to_and_fro(4);
    game.play(game.parse_move(None, "e1-d1").unwrap());
    assert_ne!(contempt(&game), Contempt::default());
}

#[test]
fn rebels_in_circles_come_back_by_chance() {
    let (game, before) = (to_and_fro(5), to_and_fro(3));
    let draws =
        |contempt: Contempt| game.positions().take(2).map(|visited| contempt.draws_at(visited)).collect::<Vec<_>>();
    assert_eq!(game.positions().next().unwrap().side(), Side::Rebels);
    assert_eq!(draws(contempt(&game)), [true, false]);
    assert_eq!(draws(contempt(&before)), [true, true]);
    assert_eq!(draws(contempt(&to_and_fro(4))), [true, true], "the Rebels' own contempt");
}

/// Where a repetition wins, Rebels that allow it know what they do, or lose.
#[test]
fn a_repetition_that_wins_is_no_draw() {
    let adugo = to_and_fro(5);
    let words = RuleSet { repetition: StandoffRule::General, ..adugo.variant().rule_set().clone() };
    let variant = Arc::new(adugo.variant().with_words(words).unwrap());
    let mut game = Game::from_text("3/1G1/5/1rr2/rr2r/1r1r1/1rr1r r - 0 9", Some(&variant)).unwrap();
    for text in ["e1-e2", "c6-c7", "e2-e1", "c7-c6", "e1-e2"] {
        game.play(game.parse_move(None, text).unwrap());
    }
    assert_eq!(contempt(&game), Contempt::default());
    assert_ne!(contempt(&adugo), Contempt::default());
}

/// What Rebels find on the General's time serves their next search: both have their contempt.
#[test]
fn pondering_saves_nodes() {
    let search = |searcher: &mut Searcher, game: &Game, depth, ponder| {
        // With a time limit the entries of earlier searches are used.
        let (depth, time) = (Some(depth), Some(Duration::from_secs(3_600)));
        let limits = Limits { depth, time, ..Limits::default() };
        let request = SearchRequest { limits, ponder, ..SearchRequest::default() };
        searcher.search(game, request, &Stop::default(), &mut |_| {}).unwrap()
    };
    let (mut game, mut pondering) = (to_and_fro(1), Searcher::new(16));
    let reply = search(&mut pondering, &game, 9, true).best;
    game.play(reply);
    let with = search(&mut pondering, &game, 8, false).nodes;
    let without = search(&mut Searcher::new(16), &game, 8, false).nodes;
    assert!(with * 3 < without * 2, "{with} and {without} nodes");
}

#[test]
fn rebels_have_contempt_and_a_general_has_none() {
    let game = Game::from_text("3/3/1G3/1rr2/rr2r/1rrrr/rrrrr r - 0 1 adugo", None).unwrap();
    let of_rebels = contempt(&game);
    assert_eq!([Side::General, Side::Rebels].map(|side| of_rebels.draw_for(side).raw()), [600, -600]);
    let game = Game::from_text("3/3/1G3/1rr2/rr2r/1rrrr/rrrrr g - 0 1 adugo", None).unwrap();
    assert_eq!(contempt(&game), Contempt::default());
}

#[test]
fn the_proof_budget_grows_where_the_general_is_nearly_closed_in() {
    let for_proofs = |text: &str| contempt(&Game::from_text(text, None).unwrap()).for_proofs(Value::DRAW).raw();
    assert_eq!(for_proofs("1Gr/r2/2r2/1rrr1/r1rrr/rrrr1/5 r - 0 30 adugo"), 600);
    assert_eq!(for_proofs("3/3/1G3/1rr2/rr2r/1rrrr/rrrrr r - 0 30 adugo"), 0);
    assert_eq!(for_proofs("1Gr/r2/2r2/1rrr1/r1rrr/rrrr1/5 g - 0 30 adugo"), 0);
}

/// In a game with fitted weights, too, a General avoids a repetition that an analysis calls best, once a position has
/// recurred.
#[test]
fn a_general_with_fitted_weights_looks_for_more_than_a_repetition() {
    let mut game = Variant::builtin("juroku-musashi").unwrap().start();
    for text in "c3-c2 c5-b4 c2-d2 b4-c4 d2-c3 c4-b4 c3-d2 a3-b3 d2-c2 a2-a3 c2-d2 a3-a2".split(' ') {
        game.play(game.parse_move(None, text).unwrap());
    }
    let repeating = game.parse_move(None, "d2-c2").unwrap();
    let best = |multi_pv| {
        let limits = Limits { depth: Some(4), ..Limits::default() };
        let request = SearchRequest { limits, multi_pv, ..SearchRequest::default() };
        Searcher::new(1).search(&game, request, &Stop::default(), &mut |_| {}).unwrap().best
    };
    assert_eq!(best(2), repeating);
    assert_ne!(best(1), repeating);
}

/// Rebels that are behind avoid a repetition that an analysis calls best; its reported score is a draw.
#[test]
fn rebels_avoid_repetition_and_a_repetition_is_reported_as_a_draw() {
    let game = to_and_fro(4);
    let repeating = game.parse_move(None, "e1-e2").unwrap();
    let search = |search_moves: &[MovePath], multi_pv| {
        let limits = Limits { depth: Some(4), ..Limits::default() };
        let request =
            SearchRequest { limits, search_moves: search_moves.to_vec(), multi_pv, ..SearchRequest::default() };
        Searcher::new(1).search(&game, request, &Stop::default(), &mut |_| {}).unwrap()
    };
    assert_eq!(search(&[], 2).best, repeating);
    assert_ne!(search(&[], 1).best, repeating);
    assert_eq!(search(&[repeating], 1).lines[0].verdict.score, Score::Evaluation(0));
}
