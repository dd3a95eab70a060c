//! Reports of a search.

use privy_protocol::{Bound, Score, Verdict};
use privy_rules::{MovePath, Variant};

use privy_search::report::*;

fn moves() -> Vec<MovePath> {
    Variant::builtin("sixteen-rebels").unwrap().start().legal_moves()
}

fn info(move_: &MovePath, score: Score) -> SearchInfo {
    let winrate = Some(score.winrate());
    SearchInfo {
        depth: 1,
        multipv: 1,
        verdict: score.into(),
        winrate,
        pv: vec![move_.clone()],
        ..SearchInfo::default()
    }
}

fn facts(known: &[(&MovePath, Score, Option<Bound>)]) -> RootFacts {
    let mut facts = RootFacts::default();
    for (move_, score, bound) in known {
        facts.add(Verdict { score: *score, bound: *bound }, vec![(*move_).clone()], false);
    }
    facts.sort();
    facts
}

/// The move to play and the reported lines for moves that the search gives these scores, best first.
fn of(facts: &RootFacts, found: &[(&MovePath, Score)]) -> (MovePath, Vec<(MovePath, String)>) {
    let lines = facts.lines(found.iter().map(|(move_, score)| info(move_, *score)).collect());
    assert!(lines.iter().map(|info| info.multipv).eq(1..=found.len()));
    let best = facts.choose(found[0].0.clone(), &lines);
    let bound = |info: &SearchInfo| info.verdict.bound.map_or_else(String::new, |bound| format!(" {bound}"));
    for info in &lines {
        let chance = info.winrate.unwrap();
        let within = match (info.verdict.score, info.verdict.bound) {
            (Score::Draw, Some(Bound::Lower)) => 0.5..=1.0,
            (Score::Draw, Some(Bound::Upper)) => 0.0..=0.5,
            (score, _) => score.winrate()..=score.winrate(),
        };
        assert!(within.contains(&chance), "{info:?}");
    }
    (best, lines.iter().map(|info| (info.pv[0].clone(), format!("{}{}", info.verdict.score, bound(info)))).collect())
}

#[test]
fn a_win_goes_before_all_bounds() {
    let moves = moves();
    let known = facts(&[(&moves[1], Score::Draw, Some(Bound::Lower))]);
    for win in [Score::Win(9), Score::UnprovedWin(30)] {
        assert_eq!(of(&known, &[(&moves[0], win)]), (moves[0].clone(), vec![(moves[0].clone(), win.to_string())]));
    }
}

#[test]
fn a_side_that_cannot_win_plays_on() {
    let moves = moves();
    let (held_move, open) = (&moves[1], &moves[0]);
    let most = |move_| (move_, Score::Draw, Some(Bound::Upper));
    let upper = facts(&[most(open), most(held_move)]);
    let good = Score::Evaluation(200);
    assert_eq!(of(&upper, &[(open, good)]), (open.clone(), vec![(open.clone(), "= upper".to_owned())]));
    assert_eq!(of(&upper, &[(open, Score::Loss(8))]).1[0].1, "-W8");
}

#[test]
fn a_known_win_is_the_first_line_whatever_the_search_reports() {
    let moves = moves();
    let known = facts(&[(&moves[3], Score::Win(79), Some(Bound::Upper))]);
    let first = (moves[3].clone(), "+W79 upper".to_owned());
    for found in [vec![(&moves[0], Score::Evaluation(895))], vec![(&moves[3], Score::Evaluation(5))]] {
        assert_eq!(of(&known, &found), (moves[3].clone(), vec![first.clone()]));
    }
    let (best, lines) = of(&known, &[(&moves[0], Score::Evaluation(895)), (&moves[1], Score::Loss(4))]);
    assert_eq!((best, &lines[0], &*lines[1].1), (moves[3].clone(), &first, "+8.95"));
    // A win that the search has proved is exact, and a shorter one goes before.
    assert_eq!(of(&known, &[(&moves[3], Score::Win(30))]).1[0].1, "+W30");
    assert_eq!(of(&known, &[(&moves[0], Score::Win(5))]).0, moves[0]);
}

#[test]
fn the_end_of_the_game_as_a_draw_is_exact_and_forces_nothing() {
    let moves = moves();
    let known = facts(&[(&moves[1], Score::Draw, None)]);
    let (best, lines) = of(&known, &[(&moves[0], Score::Evaluation(-40)), (&moves[1], Score::Evaluation(0))]);
    assert_eq!((best, &*lines[0].1, &*lines[1].1), (moves[0].clone(), "-0.40", "="));
    let (best, lines) = of(&known, &[(&moves[1], Score::Evaluation(0)), (&moves[0], Score::Evaluation(90))]);
    assert_eq!((best, &*lines[0].1, &*lines[1].1), (moves[1].clone(), "=", "+0.00"), "no line above the best");
}

#[test]
fn a_draw_is_a_bound_of_the_position_while_another_move_may_win() {
    let moves = moves();
    let drawn = (&moves[1], Score::Draw, None);
    let first = |known: &[(&MovePath, Score, Option<Bound>)], found: &[(&MovePath, Score)]| {
        let mut known = facts(known);
        known.moves = 3;
        of(&known, found).1[0].1.clone()
    };
    let even = Score::Evaluation(0);
    assert_eq!(first(&[drawn], &[(&moves[1], even)]), "= lower");
    assert_eq!(first(&[drawn], &[(&moves[1], even), (&moves[0], Score::Evaluation(90))]), "= lower");
    let [not_won, lost] = [(&moves[0], Score::Draw, Some(Bound::Upper)), (&moves[2], Score::Loss(4), None)];
    assert_eq!(first(&[drawn, not_won], &[(&moves[1], even)]), "= lower");
    assert_eq!(first(&[drawn, not_won, lost], &[(&moves[1], even)]), "=");
    assert_eq!(first(&[drawn, (&moves[0], Score::Draw, Some(Bound::Lower)), lost], &[(&moves[1], even)]), "= lower");
    // A limit of plies draws whatever is played; of each move by itself the draw is exact.
    assert_eq!(first(&[drawn], &[(&moves[1], Score::Draw)]), "=");
    let mut known = facts(&[drawn]);
    known.moves = 3;
    assert_eq!(known.lines_of_moves(vec![info(&moves[1], even)])[0].verdict.bound, None);
}
