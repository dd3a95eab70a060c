//! Reports of an analysis are consistent and their lines are legal, in all variants and at any time.

use std::collections::{BTreeSet, HashSet};
use std::time::Duration;

use privy_engine::{Analysis, Engine, TIME_PER_MOVE, WinRate};
use privy_protocol::MoveInfo;
use privy_rules::{Game, MovePath, Variant};
use privy_search::{Limits, SearchRequest, Searcher, Stop};

use crate::support::random;

use random::Random;

/// Games of every variant, with up to `plies` random moves each.
fn games(seed: u64, each: usize, plies: usize) -> Vec<Game> {
    let mut random = Random::new(seed);
    let mut games = Vec::new();
    for variant in Variant::all_ids().filter_map(Variant::builtin) {
        for _ in 0..each {
            let mut game = variant.start();
            for _ in 0..random.below(plies) {
                let moves = game.legal_moves();
                if !moves.is_empty() {
                    game.play(random.choose(&moves));
                }
            }
            if game.outcome().is_some() {
                let _ = game.undo(1);
            }
            if game.outcome().is_none() {
                games.push(game);
            }
        }
    }
    games
}

/// Every move of a line is legal, and the game continues up to its last move.
fn assert_playable(game: &Game, line: &[MovePath]) {
    let mut game = game.clone();
    assert!(!line.is_empty());
    for (ply, move_) in line.iter().enumerate() {
        assert!(game.legal_moves().contains(move_), "move {} of a line from {}", ply + 1, game.beginning());
        game.play(move_.clone());
    }
}

fn assert_sound(game: &Game, moves: &[MoveInfo<MovePath>]) {
    let texts = |moves: &mut dyn Iterator<Item = &MovePath>| -> BTreeSet<String> {
        moves.map(|move_| game.move_text(move_)).collect()
    };
    let legal = game.legal_moves();
    let reported = texts(&mut moves.iter().map(|analyzed| &analyzed.pv[0]));
    assert_eq!(reported, texts(&mut legal.iter()), "{}", game);
    assert_eq!(moves.len(), reported.len(), "each move once");
    for analyzed in moves {
        assert_playable(game, &analyzed.pv);
        assert!(analyzed.visits > 0 && (0.0..=1.0).contains(&analyzed.winrate));
        assert!((0.0..=analyzed.winrate).contains(&analyzed.lcb));
        let certain = analyzed.winrate == 0.0 || analyzed.winrate == 1.0;
        assert_eq!(certain, analyzed.verdict.score.distance().is_some());
    }
    assert!(moves.windows(2).all(|two| two[0].winrate >= two[1].winrate), "{}", game);
    let shares: f64 = moves.iter().map(|analyzed| analyzed.prior).sum();
    assert!((shares - 1.0).abs() < 1e-9);
}

#[test]
fn all_moves_are_reported_with_legal_lines() {
    for game in games(1, 4, 60) {
        let mut searcher = Searcher::new(1);
        for nodes in [1, 300, 20_000] {
            let mut limits = SearchRequest::from(Limits { nodes: Some(nodes), ..Limits::default() });
            let analysis = Analysis::of(&game, &mut limits);
            assert!(!analysis.has_begun());
            assert_sound(&game, &analysis.moves());
            let best = searcher.search(&game, &limits, &Stop::default(), &mut |_| {}).unwrap().best;
            let moves = analysis.moves();
            assert_sound(&game, &moves);
            assert!(nodes < 300 || moves[0].pv[0].action() == best.action(), "the best move comes first");
        }
    }
}

/// The best move has the score of a search without analysis at the same depth, where no position has recurred: from
/// then on a General that searches has contempt, and an analysis has none.
#[test]
fn the_best_move_has_the_score_of_a_plain_search() {
    let has_recurred = |game: &Game| {
        let mut seen = HashSet::new();
        !game.positions().all(|position| seen.insert(position))
    };
    for game in games(2, 2, 40).into_iter().filter(|game| !has_recurred(game)) {
        let limits = Limits { depth: Some(5), ..Limits::default() };
        let plain = Searcher::new(4).search(&game, limits, &Stop::default(), &mut |_| {}).unwrap();
        let mut limits = SearchRequest::from(limits);
        let analysis = Analysis::of(&game, &mut limits);
        Searcher::new(4).search(&game, &limits, &Stop::default(), &mut |_| {}).unwrap();
        let live = limits.live_analysis.as_ref().unwrap().moves();
        let [first, plain] = [live[0].0.verdict.score, plain.lines[0].verdict.score];
        assert_eq!(analysis.moves()[0].verdict.score, WinRate::of(game.variant()).reported(first, game.side()));
        // An analysis may prove more, since it proves every move. It must not prove anything else.
        if let Some(plies) = plain.distance() {
            assert_eq!(first.distance(), Some(plies), "{}", game);
        }
        // Pruning near the horizon depends on earlier searches. This is its largest effect.
        if let (Some(first), Some(plain)) = (first.hundredths(), plain.hundredths()) {
            assert!((first - plain).abs() <= 3 * 150, "{}: {first} {plain}", game);
        }
    }
}

#[test]
fn reports_are_sound_while_a_search_runs() {
    // No search decides this game while the test runs.
    let game = Variant::builtin("subjugatio").unwrap().start();
    let mut limits = SearchRequest::default();
    let analysis = Analysis::of(&game, &mut limits);
    let stop = Stop::default();
    std::thread::scope(|scope| {
        let search = scope.spawn(|| Searcher::new(4).search(&game, &limits, &stop, &mut |_| {}));
        let mut visits = 0;
        while visits < 2_000_000 {
            std::thread::sleep(Duration::from_millis(5));
            let moves = analysis.moves();
            assert_sound(&game, &moves);
            let total = moves.iter().map(|analyzed| analyzed.visits).sum();
            assert!(total >= visits || visits == 0);
            visits = total;
        }
        stop.set();
        assert!(search.join().unwrap().is_some());
    });
}

/// The lines of `go`, with several lines and search moves: they end with the game, also by repetition.
#[test]
fn lines_of_a_search_are_legal() {
    let mut random = Random::new(3);
    for game in games(4, 3, 50) {
        let mut searcher = Searcher::new(1);
        let legal = game.legal_moves();
        let some: Vec<MovePath> = (0..2).map(|_| random.choose(&legal)).collect();
        for (multi_pv, search_moves) in [(1, vec![]), (3, vec![]), (200, vec![]), (1, some.clone()), (3, some)] {
            let limits = Limits { nodes: Some(8_000), ..Limits::default() };
            let limits = SearchRequest { multi_pv, search_moves, ..limits.into() };
            let mut check = |report: &privy_search::SearchInfo| {
                assert_playable(&game, &report.pv);
                assert!(limits.search_moves.is_empty() || limits.search_moves.contains(&report.pv[0]));
            };
            searcher.search(&game, &limits, &Stop::default(), &mut check).unwrap();
        }
    }
}

/// Without progress the same moves repeat.
#[test]
fn a_line_that_repeats_positions_ends_with_the_game() {
    let mut repeated = 0;
    for text in [
        "1/3/r3r/1r3/4r/4G/5 g - 0 0 sixteen-rebels-neeley",
        "1/3/r4/5/5/3G1/r1rr1 r - 0 0 shap-luk-kon",
        "1/2/4G/5/r4/1r3/3rr g - 0 0 shap-luk-kon-2",
        "3/3/r4/5/5/3G1/r1r1r r - 0 0 juroku-musashi",
        "1/1r1/1r1r1/r1r1r/r1r1r/1r1r1/r1r2/rr3/2r2/1Gr1r/1r1r1 g - 0 0 subjugatio",
    ] {
        let mut game = Game::from_text(text, None).unwrap();
        let mut searcher = Searcher::new(8);
        while game.outcome().is_none() && game.moves().len() < 12 {
            let limits = Limits { nodes: Some(200_000), ..Limits::default() };
            let found = searcher.search(&game, limits, &Stop::default(), &mut |_| {}).unwrap();
            for report in &found.lines {
                assert_playable(&game, &report.pv);
                let mut end = game.clone();
                report.pv.iter().for_each(|move_| end.play(move_.clone()));
                repeated += usize::from(end.occurrences() > 1);
            }
            game.play(found.best);
        }
    }
    assert!(repeated > 0, "no line repeats a position");
}

#[test]
fn higher_levels_find_the_best_move_more_often() {
    // How often each level plays the best move. The lowest moves mostly at random.
    let best = |level: &str| {
        let mut engine = Engine::new();
        engine.set_option("tables", "off").unwrap();
        engine.set_position(Some("1/1G1/1r3/3r1/rrr1r/5/5 g - 0 0 monk-and-water"), &[]).unwrap();
        engine.set_option("level", level).unwrap();
        let mut count = 0;
        for seed in 1..=400 {
            engine.set_option("seed", seed.to_string()).unwrap();
            let request = SearchRequest::from(Limits::of_time(TIME_PER_MOVE));
            let found = engine.go(&request, &Stop::default(), None).unwrap();
            count += usize::from(engine.game().move_text(&found.best) == "c6-c7");
        }
        count
    };
    let counts: Vec<usize> = ["1", "4", "7", "10"].map(best).to_vec();
    assert!(counts.windows(2).all(|two| two[0] + 20 < two[1]), "{counts:?}");
    assert_eq!(counts[3], 400);
}

#[test]
fn a_level_repeats_its_moves_with_the_same_seed() {
    let play = |seed: &str| {
        let mut engine = Engine::new();
        engine.set_option("tables", "off").unwrap();
        engine.set_option("level", "3").unwrap();
        engine.set_option("seed", seed).unwrap();
        let mut moves = Vec::new();
        while engine.game().outcome().is_none() && moves.len() < 30 {
            let limits = Limits { depth: Some(6), ..Limits::default() };
            let found = engine.go(&limits.into(), &Stop::default(), None).unwrap();
            moves.push(engine.game().move_text(&found.best));
            engine.play_found(found.best, Duration::ZERO);
        }
        moves
    };
    assert_eq!(play("5"), play("5"));
    assert_ne!(play("5"), play("6"));
}
