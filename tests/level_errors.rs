//! Fits `src/engine/levels.toml`: how often each level errs. A computation of minutes a variant, which prints the file.
//!
//! How much an error costs depends on the game and on the side: where the Rebels win nearly always, the General needs many errors
//! of theirs to get a chance, and a level on which they make few would score no better than perfect play. So the rates are found
//! for each variant and side. Players who err at rates from never to always meet each other; a logistic model with one strength for
//! each rate and side explains the results. Then nine levels, a pair of rates each, are chosen such that by the model each
//! level scores well against the one below, in games with sides swapped, and errs as little as that allows. To run it:
//!
//! ```text
//! cargo test --release --test level_errors -- --ignored --nocapture
//! ```
//!
//! `PRIVY_LEVELS_VARIANTS` (ids, a comma between), `PRIVY_LEVELS_GAMES` (a pairing) and `PRIVY_LEVELS_NODES` change what is played.
#![allow(clippy::unwrap_used, clippy::print_stdout, clippy::panic)]

use privy::rules::{Game, Side};
use privy::search::{Limits, Searcher, Stop};

#[path = "support/openings.rs"]
mod openings;
#[path = "support/random.rs"]
mod random;

use openings::{number, opening, setting, variants};
use random::Random;

/// The rates that are played.
const RATES: [f64; 8] = [0.0, 0.05, 0.1, 0.2, 0.35, 0.55, 0.75, 1.0];

/// Plies after which a game is taken for a draw.
const PLIES: usize = 800;

/// The result for the General, 0 to 1, of players who err at these rates.
fn play(mut game: Game, rates: [f64; 2], nodes: u64, searchers: &mut [Searcher; 2], random: &mut Random) -> f64 {
    let limits = Limits { nodes: Some(nodes), multi_pv: 1, ..Limits::default() };
    let blunder = Limits { depth: Some(2), multi_pv: usize::MAX, ..Limits::default() };
    while game.outcome().is_none() && game.moves().len() < PLIES {
        let mover = usize::from(game.position().side() == Side::Rebels);
        let errs = (random.below(10_000) as f64) < rates[mover] * 10_000.0;
        let limits = if errs { &blunder } else { &limits };
        let found = searchers[mover].search(&game, limits, &Stop::default(), &mut |_| {}).unwrap();
        game.play(if errs { found.lines.last().unwrap().line[0].clone() } else { found.best });
    }
    match game.outcome().and_then(|outcome| outcome.winner()) {
        Some(Side::General) => 1.0,
        Some(Side::Rebels) => 0.0,
        None => 0.5,
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
                let game = opening(variant, random, 8);
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

    /// The score of a player against another, games with sides swapped. Players are pairs of rates: as General, as Rebels.
    fn score(&self, better: Rates, worse: Rates) -> f64 {
        let as_general = logistic(self.at(0, better[0]) - self.at(1, worse[1]));
        let as_rebels = 1.0 - logistic(self.at(0, worse[0]) - self.at(1, better[1]));
        (as_general + as_rebels) / 2.0
    }

    /// The levels from the first to the ninth, by dynamic programming over a grid of rates: the least score of a level against the one
    /// below is as high as it can be, but not higher than wanted; then the sum of all rates is as small as it can be.
    fn ladder(&self) -> (f64, Vec<Rates>) {
        let steps: Vec<f64> = (0..=STEPS).map(|step| (step as f64 / STEPS as f64).powf(1.5)).collect();
        let states: Vec<Rates> = steps.iter().flat_map(|g| steps.iter().map(|r| [*g, *r])).collect();
        // Of the best chain down to a state: its least score, minus its sum of rates, and the state before.
        let perfect = vec![(WANTED, 0.0, 0)];
        let mut levels = vec![(vec![[0.0, 0.0]], perfect)];
        for level in (1..=9).rev() {
            let (above, known) = levels.last().unwrap();
            let best = |state: &Rates| {
                let chains = above
                    .iter()
                    .zip(known)
                    .enumerate()
                    .filter(|(_, (better, _))| better[0] <= state[0] && better[1] <= state[1]);
                let chains = chains.map(|(place, (better, (least, sum, _)))| {
                    (self.score(*better, *state).min(*least), sum - state[0] - state[1], place)
                });
                chains.max_by(|a, b| a.partial_cmp(b).unwrap()).unwrap()
            };
            let states: Vec<Rates> =
                states.iter().copied().filter(|state| level > 1 || state.iter().all(|rate| *rate >= LOWEST)).collect();
            let known = states.iter().map(best).collect();
            levels.push((states, known));
        }
        let (_, last) = levels.last().unwrap();
        let (mut place, (least, ..)) = last.iter().enumerate().max_by(|a, b| a.1.partial_cmp(b.1).unwrap()).unwrap();
        let least = *least;
        let mut chain = Vec::new();
        for (states, known) in levels.iter().skip(1).rev() {
            chain.push(states[place]);
            place = known[place].2;
        }
        (least, chain)
    }
}

/// How often a level errs as General and as Rebels.
type Rates = [f64; 2];

/// Rates on the grid of the ladder, without 0.
const STEPS: usize = 32;

/// The score that a level should make against the one below: 130 Elo.
const WANTED: f64 = 0.68;

/// The first level errs at least so often.
const LOWEST: f64 = 0.8;

#[test]
#[ignore = "a computation of an hour"]
fn fit_levels() {
    let (games, nodes) = (number("PRIVY_LEVELS_GAMES", 16), number("PRIVY_LEVELS_NODES", 1_000));
    for variant in setting("PRIVY_LEVELS_VARIANTS", &variants().join(",")).split(',') {
        let grid = results(variant, games, nodes);
        let strengths = Strengths::fit(&grid, games);
        let (least, chain) = strengths.ladder();
        for (row, rate) in grid.iter().zip(RATES) {
            let row: Vec<String> = row.iter().map(|result| format!("{:3.0}", result * 100.0)).collect();
            println!("#   {variant}: General errs {:3.0} %: {}", rate * 100.0, row.join(" "));
        }
        println!("# {variant}: a level scores {:.0} % against the one below, or more, by the model", least * 100.0);
        println!("[errors.{variant}]");
        for (name, side) in [("general", 0), ("rebels", 1)] {
            let permille: Vec<String> = chain.iter().map(|rates| format!("{:.0}", rates[side] * 1_000.0)).collect();
            println!("{name} = [{}]", permille.join(", "));
        }
    }
}
