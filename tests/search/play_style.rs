//! Play styles in lost positions: which one saves most points against fallible opponents?
//!
//! The side that is lost by the tablebase plays each style against a panel: random moves, searches of depth 1 to 4, and a
//! tablebase player with one random move in ten. The score of a style is the lost side's: a win counts 100, a draw 50. The
//! measurement needs tables:
//!
//! ```text
//! PRIVY_STYLE_TABLES=DIR PRIVY_STYLE_GAMES=200 cargo test --release --test all search::play_style:: -- --ignored --nocapture
//! ```

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use privy::path_choice::PathChoice;
use privy::rules::{Game, MovePath, Variant};
use privy::search::{Limits, Searcher, Stop};
use privy::tablebase::{FallibleOpponent, Table, Tables, Value};

use crate::support::random;

use random::Random;

#[derive(Clone, Copy)]
enum Opponent {
    Random,
    Depth(u32),
    Careless,
}

const PANEL: [(&str, Opponent); 6] = [
    ("random", Opponent::Random),
    ("depth 1", Opponent::Depth(1)),
    ("depth 2", Opponent::Depth(2)),
    ("depth 3", Opponent::Depth(3)),
    ("depth 4", Opponent::Depth(4)),
    ("table, 10 % errors", Opponent::Careless),
];

/// A style; `None` is `longest`.
type Rule = Option<FallibleOpponent>;

const fn model(moves: u32, sight: f64, doubt: f64, carelessness: f64) -> Rule {
    Some(FallibleOpponent { moves, sight, doubt, carelessness })
}

/// A sight at which the opponent chooses evenly among all its moves.
const BLIND: f64 = 1e-3;

/// The numbers in a name: moves watched, sight, doubt.
const RULES: [(&str, Rule); 8] = [
    ("longest", None),
    ("blind 1", model(1, BLIND, 1.0, 0.0)),
    ("blind 2", model(2, BLIND, 1.0, 0.0)),
    ("1/8/.25", model(1, 8.0, 0.25, 0.03)),
    ("1/8/.1", model(1, 8.0, 0.1, 0.03)),
    ("1/12/.05", model(1, 12.0, 0.05, 0.03)),
    ("2/8/.1", model(2, 8.0, 0.1, 0.03)),
    ("2/8/.05", model(2, 8.0, 0.05, 0.03)),
];

/// A position from a random game in which the side to move is lost in 8 plies or more.
fn lost_position(table: &Table, random: &mut Random) -> Game {
    loop {
        let mut position = table.variant().start();
        for _ in 0..random.below(40) {
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            position = position.after(&random.choose(&moves));
        }
        if position.outcome().is_none() && matches!(table.probe(&position), Ok(Value::Loss(plies)) if plies >= 8) {
            return position;
        }
    }
}

fn best_by_table(table: &Table, position: &Game, rule: Rule) -> MovePath {
    let mut moves = table.values(position).unwrap();
    table.rank_against(position, &mut moves, rule.as_ref(), &mut || true).unwrap();
    moves[0].move_.clone()
}

/// The score of the side to move: 100 for a win, 50 for a draw.
fn play(
    table: &Table,
    first: &Game,
    rule: Rule,
    opponent: Opponent,
    random: &mut Random,
    searcher: &mut Searcher,
) -> usize {
    let lost_side = first.side();
    let mut game = first.without_history();
    game.set_move_limit(Some(300));
    while game.outcome().is_none() {
        let move_ = if game.side() == lost_side {
            best_by_table(table, &game, rule)
        } else {
            match opponent {
                Opponent::Careless if !random.one_in(10) => best_by_table(table, &game, None),
                Opponent::Random | Opponent::Careless => random.choose(&game.legal_moves()),
                Opponent::Depth(depth) => {
                    searcher.seed = random.below(1 << 30) as u64 + 1;
                    let limits = Limits { depth: Some(depth), ..Limits::default() };
                    searcher.search(&game, &limits, &Stop::default(), &mut |_| {}).unwrap().best
                }
            }
        };
        game.play(move_);
    }
    match game.outcome().and_then(|outcome| outcome.winner()) {
        Some(winner) if winner == lost_side => 100,
        Some(_) => 0,
        None => 50,
    }
}

#[test]
#[ignore = "needs tables and takes minutes: see the head of the file"]
fn the_panel() {
    let folder =
        std::env::var("PRIVY_STYLE_TABLES").map_or(PathChoice::Auto, |dir| PathChoice::Path(PathBuf::from(dir)));
    let games: usize = std::env::var("PRIVY_STYLE_GAMES").map_or(100, |text| text.parse().unwrap());
    let mut means = [0.0; RULES.len()];
    let mut rows = 0;
    for id in ["sixteen-rebels", "monk-and-water", "juroku-musashi-hasami"] {
        let variant = Variant::builtin(id).unwrap();
        let Ok(table) = Tables::new(folder.clone()).find(&variant) else { continue };
        for (name, opponent) in PANEL {
            let scores: Vec<AtomicUsize> = RULES.iter().map(|_| AtomicUsize::new(0)).collect();
            let next = AtomicUsize::new(0);
            std::thread::scope(|scope| {
                for _ in 0..2 {
                    let (table, scores, next) = (Arc::clone(&table), &scores, &next);
                    scope.spawn(move || {
                        let mut searcher = Searcher::new(4);
                        loop {
                            let game = next.fetch_add(1, Ordering::Relaxed);
                            if game >= games {
                                break;
                            }
                            for ((_, rule), score) in RULES.iter().zip(scores) {
                                let mut random = Random::new(game as u64 + 1);
                                let first = lost_position(&table, &mut random);
                                let result = play(&table, &first, *rule, opponent, &mut random, &mut searcher);
                                score.fetch_add(result, Ordering::Relaxed);
                            }
                        }
                    });
                }
            });
            let shares: Vec<f64> =
                scores.iter().map(|score| score.load(Ordering::Relaxed) as f64 / games as f64).collect();
            println!("{id:22} {name:20}{}", row(&shares));
            means.iter_mut().zip(&shares).for_each(|(mean, share)| *mean += share);
            rows += 1;
        }
    }
    assert!(rows > 0, "no tables");
    means.iter_mut().for_each(|mean| *mean /= f64::from(rows));
    println!("{:43}{}", "mean", row(&means));
}

fn row(shares: &[f64]) -> String {
    RULES.iter().zip(shares).map(|((name, _), share)| format!("  {name} {share:5.1}")).collect()
}
