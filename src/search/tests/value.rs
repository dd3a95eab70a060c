//! Values and scores.

use privy_protocol::Score;
use privy_search::eval::value::*;

#[test]
fn bands_are_ordered_and_do_not_overlap() {
    let ascending = [
        -Value::INFINITE,
        Value::loss_in(0),
        Value::loss_in(27),
        Value::loss_in(MAX_DISTANCE),
        Value::evaluation(-1_000_000),
        Value::evaluation(-42),
        Value::DRAW,
        Value::evaluation(1_000_000),
        Value::win_in(MAX_DISTANCE),
        Value::win_in(27),
        Value::win_in(0),
        Value::INFINITE,
    ];
    assert!(ascending.windows(2).all(|two| two[0] < two[1]));
}

#[test]
fn a_win_of_unsure_length_is_told_from_every_evaluation() {
    for plies in [0, 24, UNSURE_LENGTHS - 1] {
        let scores = [Value::win_in(1), Value::loss_in(1)].map(|value| Score::from(value.as_evaluation(plies)));
        assert_eq!(scores, [Score::UnprovedWin(plies), Score::UnprovedLoss(plies)]);
    }
    let long = [Value::win_in(1), Value::loss_in(1)].map(|value| Score::from(value.as_evaluation(MAX_DISTANCE)));
    assert_eq!(long, [Score::RepetitionWin, Score::RepetitionLoss]);
    assert_eq!(Score::from(Value::WIN_BY_REPETITION), Score::RepetitionWin);
    let most = [Value::evaluation(1_000_000), Value::evaluation(-1_000_000)].map(Score::from);
    assert!(most.iter().all(|score| matches!(score, Score::Evaluation(_))), "{most:?}");
}

#[test]
fn texts_are_those_of_the_protocol() {
    let texts = [Value::evaluation(42), Value::evaluation(-105), Value::win_in(27), Value::loss_in(27), Value::DRAW];
    assert_eq!(texts.map(|value| value.to_string()), ["+0.42", "-1.05", "+W27", "-W27", "+0.00"]);
}

#[test]
fn a_reported_score_says_the_same() {
    let values = [Value::win_in(27), Value::loss_in(0), Value::evaluation(-105), Value::DRAW];
    let scores = [Score::Win(27), Score::Loss(0), Score::Evaluation(-105), Score::Evaluation(0)];
    assert_eq!(values.map(Score::from), scores);
}

#[test]
fn distances_move_with_the_point_of_view() {
    assert_eq!(Value::win_in(10).at_root(3), Value::win_in(13));
    assert_eq!(Value::loss_in(10).at_root(3), Value::loss_in(13));
    for score in [Value::win_in(10), Value::loss_in(10), Value::evaluation(55)] {
        assert_eq!(score.at_root(4).at_node(4), score);
    }
}
