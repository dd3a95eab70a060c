//! Fits `src/engine/levels.toml`: how often each level errs. A computation of minutes a variant, which prints the file.
//!
//! Games are forgiving or not: where one side wins nearly always, it must err often before the other gets its chance. So
//! the rates are found for each variant. Players who err at rates from never to always meet each other, General and Rebels;
//! a logistic model with one strength for each rate and side explains the results. Then nine rates are chosen such that by the
//! model each level makes the same score against the one below, games with sides swapped, from never erring (as the level above
//! the ninth) down to always (the first). To run it:
//!
//! ```text
//! cargo test --release --test level_errors -- --ignored --nocapture
//! ```
//!
//! `PRIVY_LEVELS_VARIANTS` (ids, a comma between), `PRIVY_LEVELS_GAMES` (a pairing) and `PRIVY_LEVELS_NODES` change what is played.
#![allow(clippy::unwrap_used, clippy::print_stdout, clippy::panic)]

use privy::rules::{Game, Side, Variant};
use privy::search::{Limits, Searcher, Stop};

#[path = "support/random.rs"]
mod random;

use random::Random;

/// The rates that are played.
const RATES: [f64; 7] = [0.0, 0.1, 0.2, 0.35, 0.55, 0.8, 1.0];

/// Plies after which a game is taken for a draw.
const PLIES: usize = 200;

fn setting(name: &str, otherwise: &str) -> String {
    std::env::var(name).unwrap_or_else(|_| otherwise.to_owned())
}

/// The result for the General, 0 to 1, of players who err at these rates.
fn play(mut game: Game, rates: [f64; 2], nodes: u64, searchers: &mut [Searcher; 2], random: &mut Random) -> f64 {
    let limits = Limits { nodes: Some(nodes), multi_pv: 1, ..Limits::default() };
    while game.outcome().is_none() && game.moves().len() < PLIES {
        let mover = usize::from(game.position().side() == Side::Rebels);
        let errs = (random.below(10_000) as f64) < rates[mover] * 10_000.0;
        let move_ = if errs {
            random.choose(&game.legal_moves())
        } else {
            searchers[mover].search(&game, &limits, &Stop::default(), &mut |_| {}).unwrap().best
        };
        game.play(move_);
    }
    match game.outcome().and_then(|outcome| outcome.winner()) {
        Some(Side::General) => 1.0,
        Some(Side::Rebels) => 0.0,
        None => 0.5,
    }
}

fn opening(variant: &str, random: &mut Random) -> Game {
    loop {
        let mut game = Game::new(Variant::builtin(variant).unwrap().start());
        for _ in 0..4 + random.below(5) {
            let moves = game.legal_moves();
            if !moves.is_empty() {
                game.play(random.choose(&moves));
            }
        }
        if game.outcome().is_none() {
            return game;
        }
    }
}

type Grid = [[f64; RATES.len()]; RATES.len()];

/// Mean results by rate of the General and of the Rebels.
fn results(variant: &str, games: u64, nodes: u64) -> Grid {
    let mut grid = Grid::default();
    let mut searchers = [Searcher::new(2), Searcher::new(2)];
    for (row, general) in grid.iter_mut().zip(RATES) {
        for (cell, rebels) in row.iter_mut().zip(RATES) {
            for seed in 0..games {
                let random = &mut Random::new(seed);
                let game = opening(variant, random);
                *cell += play(game, [general, rebels], nodes, &mut searchers, random) / games as f64;
            }
        }
    }
    grid
}

fn logistic(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

/// Strengths of the General and of the Rebels by rate: the chance of the General is the logistic function of their difference.
struct Strengths([[f64; RATES.len()]; 2]);

impl Strengths {
    /// By gradient ascent on the likelihood, with a weak prior that draws neighbouring rates together; who errs more often is
    /// never stronger.
    fn fit(grid: &Grid, games: u64) -> Strengths {
        const PRIOR: f64 = 0.02;
        let mut strengths = [[0.0; RATES.len()]; 2];
        for _ in 0..20_000 {
            let mut slopes = [[0.0; RATES.len()]; 2];
            for (i, row) in grid.iter().enumerate() {
                for (j, result) in row.iter().enumerate() {
                    let surprise = result - logistic(strengths[0][i] - strengths[1][j]);
                    slopes[0][i] += surprise;
                    slopes[1][j] -= surprise;
                }
            }
            for (side, slopes) in strengths.iter_mut().zip(slopes) {
                let before = *side;
                for (i, strength) in side.iter_mut().enumerate() {
                    let left = before[i.saturating_sub(1)];
                    let right = before[(i + 1).min(RATES.len() - 1)];
                    let pull = (left + right - 2.0 * before[i]) * PRIOR * 24.0 / games as f64;
                    *strength += 0.05 * (slopes[i] + pull);
                }
                for i in 1..RATES.len() {
                    side[i] = side[i].min(side[i - 1]);
                }
            }
        }
        Strengths(strengths)
    }

    /// The strength of a side at a rate, between those that were played.
    fn at(&self, side: usize, rate: f64) -> f64 {
        let above = RATES.iter().position(|known| *known >= rate).unwrap().max(1);
        let part = (rate - RATES[above - 1]) / (RATES[above] - RATES[above - 1]);
        self.0[side][above - 1] * (1.0 - part) + self.0[side][above] * part
    }

    /// The score of a player who errs at one rate against one who errs at another, games with sides swapped.
    fn score(&self, better: f64, worse: f64) -> f64 {
        let as_general = logistic(self.at(0, better) - self.at(1, worse));
        let as_rebels = 1.0 - logistic(self.at(0, worse) - self.at(1, better));
        (as_general + as_rebels) / 2.0
    }

    /// The rates of the levels from the ninth down, each of which loses by a score to the one above; none when the last would have
    /// to err more often than always.
    fn ladder(&self, score: f64) -> Option<Vec<f64>> {
        let mut rates = vec![0.0];
        for _ in 0..9 {
            let above = *rates.last().unwrap();
            let mut range = (above, 1.0);
            if self.score(above, 1.0) < score {
                return None;
            }
            for _ in 0..40 {
                let middle = (range.0 + range.1) / 2.0;
                range = if self.score(above, middle) < score { (middle, range.1) } else { (range.0, middle) };
            }
            rates.push(range.1);
        }
        Some(rates.split_off(1))
    }
}

#[test]
#[ignore = "a computation of an hour"]
fn fit_levels() {
    let games: u64 = setting("PRIVY_LEVELS_GAMES", "24").parse().unwrap();
    let nodes: u64 = setting("PRIVY_LEVELS_NODES", "500").parse().unwrap();
    let all = Variant::builtin_ids().collect::<Vec<_>>().join(",");
    for variant in setting("PRIVY_LEVELS_VARIANTS", &all).split(',') {
        let grid = results(variant, games, nodes);
        let strengths = Strengths::fit(&grid, games);
        let mut scores = (0.5, 1.0);
        for _ in 0..30 {
            let middle = (scores.0 + scores.1) / 2.0;
            scores = if strengths.ladder(middle).is_some() { (middle, scores.1) } else { (scores.0, middle) };
        }
        let mut rates = strengths.ladder(scores.0).unwrap_or_default();
        rates.reverse();
        if let Some(first) = rates.first_mut() {
            *first = 1.0;
        }
        let permille: Vec<String> = rates.iter().map(|rate| format!("{:.0}", rate * 1_000.0)).collect();
        for (row, rate) in grid.iter().zip(RATES) {
            let row: Vec<String> = row.iter().map(|result| format!("{:3.0}", result * 100.0)).collect();
            println!("#   {variant}: General errs {:3.0} %: {}", rate * 100.0, row.join(" "));
        }
        println!("# a level scores {:.0} % against the one below, by the model", scores.0 * 100.0);
        println!("{variant} = [{}]", permille.join(", "));
    }
}
