//! Game history in the search: a position that has occurred twice ends the game the third time, as a draw or as a win
//! by repetition.
//!
//! Small games are solved twice: as they are, and with the repeated positions as draws. A won position with a single
//! best move, quiet and reversible, gets a history in which the position after this move has occurred twice. With this
//! history the search must agree with the second solution, even after it has searched the position without history;
//! without it, with the first solution again.
//!
//! `PRIVY_CASES=10` checks ten times as many positions.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

use privy_rules::rule_set::{MoveLimitRule, RuleSet, StandoffRule};
use privy_rules::{Game, MovePath, Position, Variant};
use privy_search::{Limits, SearchInfo, SearchResult, Searcher, Stop};
use privy_testing::cases;
use privy_testing::exactness::{agree, random_position, sample, with_attrition};
use privy_testing::random::Random;
use privy_testing::retrograde::{Bounded, Exact, Solution};

/// The move that takes a quiet move back two plies later, if it is legal.
fn back(position: &Game, move_: &MovePath) -> Option<MovePath> {
    let (from, to) = (move_.action().from, move_.action().to);
    let quiet = |m: &MovePath| m.action().captured.is_empty() && m.action().from == to && m.action().to == from;
    position.legal_moves().into_iter().find(|m| quiet(m))
}

fn play(game: &mut Game, move_: &MovePath) -> Option<()> {
    game.legal_moves().contains(move_).then(|| game.play(move_.clone()))
}

/// A game that ends with `position` to move and in which the position after `best` has occurred twice. It begins there,
/// and both sides step to and fro.
fn game_with_repetition(position: &Game, best: &MovePath) -> Option<Game> {
    let target = position.after(best);
    for reply in target.legal_moves() {
        let mut game = target.without_history();
        let round = |game: &mut Game| -> Option<()> {
            play(game, &reply)?;
            let move_ = back(game, best)?;
            play(game, &move_)?;
            let move_ = back(game, &reply)?;
            play(game, &move_)?;
            (game.position() == position.position()).then_some(())
        };
        let done = round(&mut game).and_then(|()| play(&mut game, best)).and_then(|()| round(&mut game));
        if done.is_some() && game.outcome().is_none() {
            return Some(game);
        }
    }
    None
}

/// Positions that have occurred twice.
fn twice(game: &Game) -> HashSet<Position> {
    let states: Vec<Position> = game.positions().copied().collect();
    let count = |state: &Position| states.iter().filter(|other| *other == state).count();
    states.iter().filter(|state| count(state) == 2).copied().collect()
}

/// Searches by time, which keeps the table from search to search, and checks every report.
fn search(searcher: &mut Searcher, game: &Game, exact: Exact, what: &str) -> SearchResult {
    let limits = Limits { time: Some(Duration::from_millis(40)), ..Limits::default() };
    let mut errors = Vec::new();
    let found =
        searcher.search(game, limits, &Stop::default(), &mut |report| errors.extend(agree(report, exact).err()));
    assert!(errors.is_empty(), "{what}: {}: {errors:?}", game);
    found.unwrap()
}

/// A win that was found is played.
fn assert_is_best(found: &SearchResult, only: &MovePath) {
    let is_exact = found.lines.first().is_some_and(|line| line.verdict.score.distance().is_some());
    assert!(!is_exact || found.best == *only);
}

fn repetition_changes_won_positions(id: &str, at_most: u8, rebels: usize) {
    let variant = with_attrition(id, at_most);
    let mut random = Random::new(3);
    let root = random_position(&variant, rebels, &mut random);
    let solution = Solution::of(&root, 1_000_000).expect("a small game");
    let count = cases(1);
    let (mut checked, mut draws, mut longer) = (0, 0, 0);
    let mut searcher = Searcher::new(8);
    for (position, value) in sample(&solution, 20_000, &mut random) {
        let Exact::Win(plies @ 3..=9) = value else { continue };
        let moves = position.legal_moves();
        let mut best = moves.iter().filter(|move_| solution.value_of_move(&position, move_) == value);
        let (Some(only), None) = (best.next(), best.next()) else { continue };
        if !only.action().captured.is_empty() {
            continue;
        }
        let Some(game) = game_with_repetition(&position, only) else { continue };
        let history = twice(&game);
        assert!(history.contains(position.after(only).position()));
        let with_history = solution.with_repeated(&history);
        let exact = Exact::best_of(moves.iter().map(|move_| with_history.value_of_move(&position, move_)));
        match exact {
            Exact::Win(later) => {
                assert!(later > plies);
                longer += 1;
            }
            _ => draws += 1,
        }
        let plain = position.without_history();
        let before = search(&mut searcher, &plain, value, "without history");
        assert_is_best(&before, only);
        let found = search(&mut searcher, &game, exact, "with history");
        let chosen = with_history.value_of_move(&position, &found.best);
        let searched = found.lines.first().map_or(0, |line| line.proven_depth);
        match exact {
            Exact::Win(later) if later > searched => {}
            Exact::Win(_) => assert_eq!(chosen, exact, "{position}"),
            _ => assert!(!matches!(chosen, Exact::Loss(plies) if plies <= searched), "{position}"),
        }
        let fresh = search(&mut Searcher::new(8), &game, exact, "with history, fresh");
        if fresh.lines.first().is_some_and(|line| line.verdict.score.is_win()) {
            assert!(matches!(exact, Exact::Win(_)), "{position}");
        }
        let after = search(&mut searcher, &plain, value, "without history again");
        assert_is_best(&after, only);
        checked += 1;
        if checked == count {
            break;
        }
    }
    println!("{id}: {checked} won positions with a repetition, {draws} of them drawn and {longer} longer");
    assert!(checked > 0, "{id}: no won position with a repetition");
}

macro_rules! games {
    ($($name:ident: $id:literal, $at_most:literal, $rebels:literal;)*) => {
        $(#[test] fn $name() { repetition_changes_won_positions($id, $at_most, $rebels); })*
    };
}

games! {
    sixteen_rebels: "sixteen-rebels", 1, 3;
    sixteen_rebels_murray: "sixteen-rebels-murray", 0, 3;
    sixteen_rebels_neeley: "sixteen-rebels-neeley", 0, 3;
    shap_luk_kon: "shap-luk-kon", 1, 3;
    shap_luk_kon_2: "shap-luk-kon-2", 1, 3;
    juroku_musashi: "juroku-musashi", 0, 3;
    monk_and_water: "monk-and-water", 1, 3;
    kings_gonu: "kings-gonu", 0, 3;
}

/// Games with many repetitions, with either side as winner by repetition: all scores are right for the history.
#[test]
fn repetition_wins_where_the_rules_say_so() {
    let hare = Variant::builtin("hare-and-hounds").unwrap();
    for winner in [StandoffRule::General, StandoffRule::Rebels] {
        let rules = RuleSet { repetition: winner, ..hare.rule_set().clone() };
        let variant = Arc::new(hare.with_words(rules).unwrap());
        let solution = Solution::of(&variant.start(), 100_000).unwrap();
        let mut random = Random::new(11);
        let (mut searched, mut changed) = (0, 0);
        for _ in 0..cases(12) {
            let mut game = variant.start();
            for _ in 0..24 {
                let moves = game.legal_moves();
                let last = game.moves().rev().nth(1).cloned();
                let back = last.and_then(|last| {
                    let (from, to) = (last.action().from, last.action().to);
                    moves.iter().find(|m| m.action().from == to && m.action().to == from)
                });
                game.play(back.filter(|_| !random.one_in(4)).cloned().unwrap_or_else(|| random.choose(&moves)));
                if game.outcome().is_some() {
                    break;
                }
                let history = twice(&game);
                if history.is_empty() {
                    continue;
                }
                let position = game.without_history();
                let exact = solution.with_repeated(&history).value(&position);
                let plain = solution.value(&position);
                let limits = Limits { depth: Some(8), ..Limits::default() };
                let mut errors = Vec::new();
                let mut report = |report: &SearchInfo| errors.extend(agree(report, exact).err());
                Searcher::new(4).search(&game, limits, &Stop::default(), &mut report).unwrap();
                assert!(errors.is_empty(), "{winner:?}: {game} after {history:?}: {errors:?}");
                searched += 1;
                changed += usize::from(plain != exact);
            }
        }
        println!("{winner:?}: {searched} positions, {changed} of them worth something else without their history");
        assert!(searched > 20 && changed > 4, "{winner:?}: {searched} positions, {changed} changed");
    }
}

/// The move limit is a draw (RULES §4): it refutes a win that needs more plies.
#[test]
fn the_move_limit_refutes_a_longer_win() {
    let variant = Variant::builtin("sixteen-rebels-murray").unwrap();
    let mut game = variant.start();
    game.play(game.legal_moves()[0].clone());
    let limits = Limits { depth: Some(14), ..Limits::default() };
    let won = Searcher::new(8).search(&game, limits, &Stop::default(), &mut |_| {}).unwrap();
    let plies = won.lines[0].verdict.score.distance().expect("a win for the Rebels");
    assert!(won.lines[0].verdict.score.is_win() && plies > 2);
    game.set_move_limit(Some(plies));
    let found = Searcher::new(8).search(&game, limits, &Stop::default(), &mut |_| {}).unwrap();
    assert_eq!(found.lines[0].verdict.score.distance(), None, "the game is a draw after {} plies more", plies - 1);
}

/// The limit of plies without capture: positions some plies before it, and the same positions far from it. Scores agree
/// with a full search.
#[test]
fn the_limit_of_plies_without_capture_holds_in_the_search() {
    const LIMIT: u16 = 40;
    for (id, rebels) in [("hare-and-hounds", 3), ("sixteen-rebels", 9), ("juroku-musashi", 6)] {
        for winner in [StandoffRule::Draw, StandoffRule::General, StandoffRule::Rebels] {
            let built_in = Variant::builtin(id).unwrap();
            let move_limit = Some(MoveLimitRule { plies: LIMIT, winner });
            let rules = RuleSet { move_limit, ..built_in.rule_set().clone() };
            let variant = Arc::new(built_in.with_words(rules).unwrap());
            let mut random = Random::new(5);
            let mut searcher = Searcher::new(4);
            let (mut searched, mut changed) = (0, 0);
            for _ in 0..cases(20) {
                let text = random_position(&variant, rebels, &mut random).to_string();
                let after = |quiet: u16| {
                    let mut fields: Vec<String> = text.split(' ').map(str::to_owned).collect();
                    fields[3] = quiet.to_string();
                    Game::from_text(&fields.join(" "), Some(&variant)).unwrap()
                };
                let near = after(LIMIT - 1 - (searched % 4) as u16);
                let far = after(0);
                let values = [&near, &far].map(|game| Bounded::default().value(game, 4));
                for (game, exact) in [(&far, values[1]), (&near, values[0]), (&far, values[1])] {
                    let limits = Limits { depth: Some(4), ..Limits::default() };
                    let mut errors = Vec::new();
                    let mut report = |report: &SearchInfo| errors.extend(agree(report, exact).err());
                    searcher.search(game, limits, &Stop::default(), &mut report).unwrap();
                    assert!(errors.is_empty(), "{winner:?}: {game}: {errors:?}");
                }
                searched += 1;
                changed += usize::from(values[0] != values[1]);
            }
            // A draw by the limit looks like an undecided game.
            println!("{id} {winner:?}: {searched} positions, {changed} of them worth something else near the limit");
            assert!(winner == StandoffRule::Draw || changed * 5 > searched, "{id} {winner:?}: {changed} of {searched}");
        }
    }
}
