//! A line that only repeats positions is scored as a draw.

use privy_protocol::Score;
use privy_rules::{Game, Variant};
use privy_search::{Limits, SearchRequest, Searcher, Stop};

/// Both sides can step to and fro here without end; the search once scored this as eleven Rebels for the General.
const SHUFFLE: &str = "1/1r1/1r1r1/r1r1r/r1r1r/1r1r1/r1r2/rr3/2r2/1Gr1r/1r1r1 g - 0 0 subjugatio";

#[test]
fn a_repeating_line_is_scored_as_a_draw() {
    let game = Game::from_text(SHUFFLE, None).unwrap();
    for nodes in [3_000, 30_000, 300_000] {
        let limits = Limits { nodes: Some(nodes), ..Limits::default() };
        let found = Searcher::new(16).search(&game, limits, &Stop::default(), &mut |_| {}).unwrap();
        let line = found.lines.first().unwrap();
        let mut after = game.clone();
        let comes_back = line.pv.iter().any(|move_| {
            after.play(move_.clone());
            after.occurrences() > 1
        });
        let is_even = matches!(line.verdict.score, Score::Evaluation(-100..=100));
        assert!(is_even || !comes_back, "{nodes} nodes: {} by {:?}", line.verdict.score, game.line_texts(&line.pv));
        assert!(comes_back, "the example is one of repetition");
    }
}

#[test]
fn a_move_back_to_an_earlier_position_is_scored_as_a_draw() {
    let variant = Variant::builtin("subjugatio").unwrap();
    let mut game = Game::from_text(SHUFFLE, Some(&variant)).unwrap();
    for text in ["b2-a2", "b1-a1", "a2-b2"] {
        let move_ = game.parse_move(None, text).unwrap();
        game.play(move_);
    }
    let back = game.parse_move(None, "a1-b1").unwrap();
    let limits = Limits { depth: Some(6), ..Limits::default() };
    let limits = SearchRequest { search_moves: vec![back], ..limits.into() };
    let found = Searcher::new(1).search(&game, &limits, &Stop::default(), &mut |_| {}).unwrap();
    assert_eq!(found.lines.first().unwrap().verdict.score, Score::Evaluation(0));
}
