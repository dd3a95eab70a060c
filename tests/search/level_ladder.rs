//! How much stronger each level plays than the one below: a measurement, which takes minutes to hours.
//!
//! Two engines play from openings of random legal moves, each opening twice with sides swapped, as fast as their levels allow.
//! To run it:
//!
//! ```text
//! PRIVY_LADDER_PAIRS=100 cargo test --release --test search level_ladder:: -- --ignored --nocapture
//! ```
//!
//! `PRIVY_LADDER_VARIANTS` (ids, a comma between) and `PRIVY_LADDER_LEVELS` (`7-9`: 8 against 7 and 9 against 8; 0 is a beginner, who
//! takes the most that he can and moves at random otherwise) choose a part of it. Where a table is found it is used, but by level 10 alone.

use std::time::Duration;

use privy::engine::Engine;
use privy::rules::{Game, MovePath, Side};
use privy::search::{Limits, Stop};

use crate::support::openings;
use crate::support::random;

use openings::{number, opening, setting};
use random::Random;

const VARIANTS: &str =
    "sixteen-rebels,sixteen-rebels-neeley,shap-luk-kon,juroku-musashi,kings-gonu,yeung-luk,subjugatio";

/// Plies after which a game is taken for a draw.
const PLIES: usize = 800;

/// Someone who plays.
struct Player {
    level: u32,
    engine: Engine,
    random: Random,
}

impl Player {
    fn new(level: u32, variant: &str, seed: u64) -> Player {
        let mut engine = Engine::new();
        engine.choose_variant(variant).unwrap();
        engine.set_option("hash", "16").unwrap();
        engine.set_option("tables", &setting("PRIVY_LADDER_TABLES", "off")).unwrap();
        engine.set_option("seed", &seed.to_string()).unwrap();
        engine.set_option("level", &level.max(1).to_string()).unwrap();
        Player { level, engine, random: Random::new(seed) }
    }

    fn choose(&mut self, game: &Game) -> MovePath {
        if self.level == 0 {
            let mut moves = game.legal_moves();
            self.random.shuffle(&mut moves);
            return moves.into_iter().max_by_key(|move_| move_.action().captured.len()).unwrap();
        }
        let texts: Vec<String> = texts(game);
        self.engine.set_position(Some(&game.beginning().to_string()), &texts).unwrap();
        // The highest level gets what the others need at most.
        let limits = Limits { time: Some(Duration::from_millis(100)), multi_pv: 1, ..Limits::default() };
        self.engine.choose(&limits, &Stop::default(), &mut |_| {}).unwrap().best
    }
}

fn texts(game: &Game) -> Vec<String> {
    game.moves().map(|move_| game.move_text(move_)).collect()
}

/// The points of the General's player: 2 for a win, 1 for a draw.
fn play(mut game: Game, general: &mut Player, rebels: &mut Player) -> u32 {
    while game.outcome().is_none() && game.moves().len() < PLIES {
        let player = if game.side() == Side::General { &mut *general } else { &mut *rebels };
        let move_ = player.choose(&game);
        game.play(move_);
    }
    match game.outcome().and_then(|outcome| outcome.winner()) {
        Some(Side::General) => 2,
        Some(Side::Rebels) => 0,
        None => 1,
    }
}

/// The difference in strength that makes a score, between 0 and 1.
fn elo(score: f64) -> f64 {
    -400.0 * (1.0 / score.clamp(0.001, 0.999) - 1.0).log10()
}

#[test]
#[ignore = "a measurement of minutes to hours"]
fn each_level_against_the_one_below() {
    let pairs = number("PRIVY_LADDER_PAIRS", 30);
    let levels = setting("PRIVY_LADDER_LEVELS", "0-10");
    let (low, high) = levels.split_once('-').expect("LOW-HIGH");
    let (low, high): (u32, u32) = (low.parse().unwrap(), high.parse().unwrap());
    for variant in setting("PRIVY_LADDER_VARIANTS", VARIANTS).split(',') {
        for level in low + 1..=high {
            let mut scores = Vec::new();
            let (mut as_general, mut as_rebels) = (0, 0);
            for pair in 1..=pairs {
                let mut better = Player::new(level, variant, 2 * pair);
                let mut worse = Player::new(level - 1, variant, 2 * pair + 1);
                let game = opening(variant, &mut Random::new(pair), 8);
                let general = play(game.clone(), &mut better, &mut worse);
                let rebels = 2 - play(game, &mut worse, &mut better);
                as_general += general;
                as_rebels += rebels;
                scores.push(f64::from(general + rebels) / 4.0);
            }
            let count = scores.len() as f64;
            let mean = scores.iter().sum::<f64>() / count;
            let variance = scores.iter().map(|score| (score - mean).powi(2)).sum::<f64>() / (count - 1.0).max(1.0);
            let error = 1.96 * (variance / count).sqrt();
            println!(
                "{variant}: {level} against {}: {:.1} % ({:.0} % as General, {:.0} % as Rebels), {:+.0} Elo ({:+.0} to {:+.0}), {pairs} pairs",
                level - 1,
                mean * 100.0,
                f64::from(as_general) * 50.0 / count,
                f64::from(as_rebels) * 50.0 / count,
                elo(mean),
                elo(mean - error),
                elo(mean + error),
            );
        }
    }
}
