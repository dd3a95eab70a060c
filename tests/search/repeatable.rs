//! Determinism: the same game and limits give the same search. Limits are kept, and odd limits still give a legal move.

use std::sync::Arc;
use std::time::{Duration, Instant};

use privy_protocol::Score;
use privy_rules::{Game, MovePath, Variant};
use privy_search::{Clock, Limits, SearchInfo, SearchRequest, SearchResult, Searcher, Stop, bench};
use privy_testing::random::Random;

use crate::support::late::PATIENCE;

const MS: fn(u64) -> Duration = Duration::from_millis;

fn depth(depth: u32) -> Limits {
    Limits { depth: Some(depth), ..Limits::default() }
}

fn nodes(nodes: u64) -> Limits {
    Limits { nodes: Some(nodes), ..Limits::default() }
}

fn time(ms: u64) -> Limits {
    Limits { time: Some(MS(ms)), ..Limits::default() }
}

fn search(searcher: &mut Searcher, game: &Game, limits: impl Into<SearchRequest>) -> SearchResult {
    searcher.search(game, limits, &Stop::default(), &mut |_| {}).unwrap()
}

/// The part of a result that must be reproducible.
type Result = (MovePath, u64, Vec<(u32, u32, Score, u64, Vec<MovePath>)>);

fn result(searcher: &mut Searcher, game: &Game, limits: impl Into<SearchRequest>) -> Result {
    let mut reports = Vec::new();
    let mut note = |r: &SearchInfo| reports.push((r.depth, r.seldepth, r.verdict.score, r.nodes, r.pv.clone()));
    let found = searcher.search(game, limits, &Stop::default(), &mut note).unwrap();
    (found.best, found.nodes, reports)
}

/// A game with some history of every variant.
fn games() -> Vec<Game> {
    let mut random = Random::new(7);
    let mut games = Vec::new();
    for variant in Variant::builtin_ids().filter_map(Variant::builtin) {
        let mut game = variant.start();
        for _ in 0..20 {
            let moves = game.legal_moves();
            if moves.is_empty() {
                break;
            }
            game.play(random.choose(&moves));
            if game.outcome().is_some() {
                game.undo(1).unwrap();
                break;
            }
        }
        if game.outcome().is_none() {
            games.push(game);
        }
    }
    games
}

/// The number of threads leaves no trace in later searches by one thread; searches by several threads keep their
/// limits.
#[test]
fn a_change_of_threads_does_not_change_the_result() {
    for game in games() {
        let limits = nodes(4_000);
        let fresh = result(&mut Searcher::new(2), &game, limits);
        let mut used = Searcher::new(2);
        for threads in [1, 3, 1, 2, 1] {
            let found = result(&mut used, &game, SearchRequest { threads, ..limits.into() });
            assert!(threads > 1 || found == fresh, "{}", game);
            // A thread counts its nodes in lots of 1024, apart from those of proofs.
            assert!(found.1 <= 4_096 + 2 * 1_024 * threads as u64, "{} nodes", found.1);
            assert!(game.legal_moves().contains(&found.0));
        }
    }
}

#[test]
fn a_used_searcher_finds_what_a_fresh_one_finds() {
    let all = games();
    let others = bench::positions();
    let limits: [SearchRequest; 4] = [
        depth(6).into(),
        nodes(5_000).into(),
        SearchRequest { multi_pv: 3, ..depth(4).into() },
        Limits { nodes: Some(7_001), ..depth(7) }.into(),
    ];
    let mut used = Searcher::new(2);
    for (number, game) in all.iter().enumerate() {
        for limits in &limits {
            let fresh = result(&mut Searcher::new(2), game, limits);
            assert_eq!(result(&mut used, game, limits), fresh, "used, {}", game);
            // A search by time of the same variant, which keeps the table, and a search of another variant.
            search(&mut used, game, time(3));
            assert_eq!(result(&mut used, game, limits), fresh, "after a search by time, {}", game);
            search(&mut used, &others[number % others.len()].without_history(), nodes(2_000));
            assert_eq!(result(&mut used, game, limits), fresh, "after another, {}", game);
        }
    }
}

/// A reproducible search has its own part of the table, also after one that left a larger or a smaller part in use.
#[test]
fn the_part_of_the_table_in_use_does_not_depend_on_earlier_searches() {
    let game = Variant::builtin("subjugatio-free").unwrap().start();
    let fresh = |limits| result(&mut Searcher::new(128), &game, limits);
    let expected = [depth(6), depth(11)].map(|limits| (limits, fresh(limits)));
    let mut used = Searcher::new(128);
    search(&mut used, &game, time(150));
    for (limits, fresh) in expected.iter().chain(&expected) {
        assert!(result(&mut used, &game, *limits) == *fresh, "{limits:?}");
    }
}

/// Table entries carry the generation of their search, which wraps after 255.
#[test]
fn the_wrapped_generation_does_not_change_the_result() {
    for id in ["sixteen-rebels", "yeung-luk", "kings-gonu"] {
        let game = Variant::builtin(id).unwrap().start();
        let limits = depth(5);
        let fresh = result(&mut Searcher::new(1), &game, limits);
        let mut used = Searcher::new(1);
        let mut moved = game.clone();
        for number in 0..600 {
            let moves = moved.legal_moves();
            match moves.get(number % 7 % moves.len().max(1)) {
                Some(move_) => moved.play(move_.clone()),
                None => moved = game.clone(),
            }
            if moved.outcome().is_some() {
                moved = game.clone();
            }
            let limits = if number % 3 == 0 { time(1) } else { nodes(800) };
            search(&mut used, &moved, limits);
            if (250..=260).contains(&number) || number % 50 == 0 {
                assert_eq!(result(&mut used, &game, depth(5)), fresh, "{id} after {number}");
            }
        }
    }
}

/// In a table that is full at once the order of replacement matters.
#[test]
fn a_full_table_does_not_change_the_result() {
    let game = Variant::builtin("sixteen-rebels").unwrap().start();
    let mut used = Searcher::new(1);
    for limits in [nodes(400_000), depth(9)] {
        let fresh = result(&mut Searcher::new(1), &game, limits);
        for _ in 0..3 {
            search(&mut used, &bench::positions()[1].without_history(), time(100));
            assert_eq!(result(&mut used, &game, limits), fresh);
        }
    }
}

#[test]
fn the_size_of_the_table_does_not_change_proven_scores() {
    let mut random = Random::new(11);
    let mut compared = 0;
    for id in ["sixteen-rebels-murray", "shap-luk-kon", "monk-and-water", "juroku-musashi", "kings-gonu"] {
        let variant = Variant::builtin(id).unwrap();
        for _ in 0..12 {
            let position = random_midgame(&variant, &mut random);
            let game = position;
            let found = [0, 1, 16].map(|mebibytes| search(&mut Searcher::new(mebibytes), &game, depth(6)));
            let scores: Vec<Score> = found.iter().map(|found| found.lines[0].verdict.score).collect();
            let proven: Vec<&Score> = scores.iter().filter(|score| score.distance().is_some()).collect();
            compared += proven.len();
            assert!(proven.windows(2).all(|two| two[0] == two[1]), "{}: {scores:?}", game);
        }
    }
    assert!(compared > 10, "{compared}");
}

fn random_midgame(variant: &Arc<Variant>, random: &mut Random) -> Game {
    let mut position = variant.start();
    for _ in 0..10 + random.below(40) {
        let moves = position.legal_moves();
        let next = position.after(&random.choose(&moves));
        if next.outcome().is_some() {
            break;
        }
        position = next;
    }
    position
}

#[test]
fn node_limits_are_kept() {
    for game in games() {
        for limit in [0, 1, 2, 3, 10, 100, 1_023, 1_024, 1_025, 20_000] {
            for multi_pv in [1, 4] {
                let limits = SearchRequest { multi_pv, ..nodes(limit).into() };
                let found = search(&mut Searcher::new(1), &game, &limits);
                // The first iteration is always complete, so that every line has a score.
                let first = search(&mut Searcher::new(1), &game, &SearchRequest { multi_pv, ..depth(1).into() });
                assert!(found.nodes <= limit.max(first.nodes) + 2, "{} nodes of {limit}, {}", found.nodes, game);
                assert_eq!(found.lines.len(), multi_pv.min(game.legal_moves().len()));
                assert!(game.legal_moves().contains(&found.best));
                let on_threads = search(&mut Searcher::new(1), &game, &SearchRequest { threads: 2, ..limits });
                assert_eq!(on_threads.lines.len(), found.lines.len());
                // Fewer nodes only in a decided position.
                let settled = found.lines.iter().all(|line| line.verdict.score.distance().is_some());
                let deepest = found.lines.first().is_some_and(|line| line.depth == privy_search::MAX_DEPTH);
                assert!(found.nodes >= limit || settled || deepest, "{} nodes of {limit}", found.nodes);
            }
        }
    }
}

#[test]
fn only_the_given_search_moves_are_played() {
    for game in games() {
        for move_ in game.legal_moves() {
            let limits = SearchRequest { search_moves: vec![move_.clone()], ..depth(3).into() };
            let mut lines = Vec::new();
            let found = Searcher::new(1).search(&game, &limits, &Stop::default(), &mut |r| lines.push(r.pv.clone()));
            assert_eq!(found.unwrap().best, move_);
            assert!(lines.iter().all(|line| line.first() == Some(&move_)) && !lines.is_empty());
        }
    }
}

#[test]
fn several_lines_come_best_first_and_each_move_once() {
    for game in games() {
        let limits = SearchRequest { multi_pv: 1_000, ..depth(4).into() };
        let mut reports: Vec<SearchInfo> = Vec::new();
        Searcher::new(1).search(&game, &limits, &Stop::default(), &mut |r| reports.push(r.clone()));
        for at in 1..=4 {
            let of_depth: Vec<&SearchInfo> = reports.iter().filter(|r| r.depth == at).collect();
            if of_depth.is_empty() {
                continue;
            }
            assert!(of_depth.windows(2).all(|two| two[0].verdict.score >= two[1].verdict.score), "{} at {at}", game);
            assert!(of_depth.iter().enumerate().all(|(place, report)| report.multipv == place + 1));
            let mut moves: Vec<_> = of_depth.iter().map(|r| *r.pv[0].action()).collect();
            let count = moves.len();
            moves.dedup();
            assert_eq!(moves.len(), count);
            let different = game.legal_moves().iter().fold(Vec::new(), |mut all, move_| {
                if !all.contains(move_.action()) {
                    all.push(*move_.action());
                }
                all
            });
            assert_eq!(count, different.len());
        }
    }
}

#[test]
fn the_first_of_several_lines_has_the_score_of_a_single_line() {
    for game in games() {
        let one = search(&mut Searcher::new(1), &game, depth(4));
        let several = search(&mut Searcher::new(1), &game, SearchRequest { multi_pv: 3, ..depth(4).into() });
        let [one, several] = [one, several].map(|found| found.lines[0].verdict.score);
        assert_eq!(one.distance(), several.distance(), "{}", game);
        // Pruning near the horizon depends on earlier searches. This is its largest effect.
        let difference = (one.hundredths().unwrap_or(0) - several.hundredths().unwrap_or(0)).abs();
        assert!(difference <= 3 * 150, "{}: {one} {several}", game);
    }
}

#[test]
fn a_search_stopped_before_it_begins_still_has_a_move() {
    let stop = Stop::default();
    stop.set();
    for game in games() {
        for limits in [Limits::default(), depth(100), time(10_000_000), nodes(u64::MAX)] {
            let start = Instant::now();
            let found = Searcher::new(1).search(&game, limits, &stop, &mut |_| {}).unwrap();
            assert!(game.legal_moves().contains(&found.best));
            assert!(start.elapsed() < PATIENCE);
        }
    }
}

#[test]
fn depth_one_is_one_iteration() {
    for game in games() {
        let mut depths = Vec::new();
        let found = Searcher::new(1).search(&game, depth(1), &Stop::default(), &mut |r| depths.push(r.depth)).unwrap();
        assert_eq!(depths, [1]);
        assert!(found.nodes >= 1 && game.legal_moves().contains(&found.best));
    }
}

#[test]
fn a_single_legal_move_is_played_at_once_by_the_clock() {
    let position = Game::from_text("1/3/rrrrr/rrrr1/5/r4/G4 g - 0 0 sixteen-rebels", None).unwrap();
    let game = position;
    let moves = game.legal_moves();
    let limits = Limits { clock: Some(clock(60_000_000, 0, None)), ..Limits::default() };
    let limits = SearchRequest { search_moves: moves[..1].to_vec(), ..limits.into() };
    let start = Instant::now();
    assert_eq!(search(&mut Searcher::new(1), &game, &limits).best, moves[0]);
    assert!(start.elapsed() < PATIENCE);
}

#[test]
fn a_game_that_is_over_has_no_best_move() {
    let position = Game::from_text("1/3/rrrrr/r3r/5/rr3/Gr3 g - 0 0 sixteen-rebels", None).unwrap();
    assert!(position.outcome().is_some());
    assert!(Searcher::new(1).search(&position, depth(3), &Stop::default(), &mut |_| {}).is_none());
}

fn clock(remaining: u64, increment: u64, moves: Option<u32>) -> Clock {
    Clock { remaining: MS(remaining), increment: MS(increment), moves }
}

/// With no time left a move comes at once; otherwise it comes within the clock. A late move is tried again, since the
/// machine may be busy.
#[test]
fn odd_clocks_give_a_legal_move_in_time() {
    let clocks = [
        clock(0, 0, None),
        clock(1, 0, None),
        clock(0, 1_000, None),
        clock(1, 0, Some(1)),
        clock(0, 0, Some(0)),
        clock(50, 0, Some(1)),
        clock(200, 60_000, None),
        clock(200, 0, Some(u32::MAX)),
    ];
    for game in games().iter().step_by(3) {
        for clock in clocks {
            let limits = Limits { clock: Some(clock), ..Limits::default() };
            let is_in_time = (0..5).any(|_| {
                let found = search(&mut Searcher::new(1), game, limits);
                assert!(game.legal_moves().contains(&found.best));
                found.time <= clock.remaining + MS(500)
            });
            assert!(is_in_time, "five times too late for {clock:?}");
        }
    }
}

/// No limit of the types may end the process.
#[test]
fn the_longest_clock_does_not_overflow() {
    let game = &games()[0];
    for (remaining, increment) in
        [(Duration::MAX, Duration::ZERO), (MS(1_000), Duration::MAX), (Duration::MAX, Duration::MAX)]
    {
        let clock = Clock { remaining, increment, moves: Some(1) };
        let limits = Limits { clock: Some(clock), ..depth(2) };
        assert!(game.legal_moves().contains(&search(&mut Searcher::new(1), game, limits).best));
    }
}
