//! Fits `src/engine/levels.toml`: how often each level errs. A computation of minutes a variant, which prints the file.
//!
//! How much an error costs depends on the game and on the side: where the Rebels win nearly always, the General needs many errors
//! of theirs to get a chance, and a level on which they make few would score no better than perfect play. So the rates are found
//! for each variant and side. Players who err at rates from never to always meet each other; their results, smoothed, tell what players
//! at rates between these would score. Then nine levels, a pair of rates each, are chosen such that every level scores well against the
//! one below, in games with sides swapped. To run it:
//!
//! ```text
//! cargo test --release --test level_errors -- --ignored --nocapture
//! ```
//!
//! `PRIVY_LEVELS_VARIANTS` (ids, a comma between), `PRIVY_LEVELS_GAMES` (a pairing) and `PRIVY_LEVELS_NODES` change what is played.
#![allow(clippy::unwrap_used, clippy::print_stdout, clippy::panic)]

use privy::engine::blunder;
use privy::rules::{Game, Side};
use privy::search::{Limits, Searcher, Stop};

#[path = "support/openings.rs"]
mod openings;
#[path = "support/random.rs"]
mod random;

use openings::{number, opening, setting, variants};
use random::Random;

/// The rates that are played. Beyond 1 all moves are errors, and fewer of them random.
const RATES: [f64; 10] = [0.0, 0.05, 0.1, 0.2, 0.35, 0.55, 0.75, 1.0, 1.5, MOST];

/// All moves are errors, and none of them random.
const MOST: f64 = 2.0;

/// Plies after which a game is taken for a draw.
const PLIES: usize = 800;

/// The result for the General, 0 to 1, of players who err at these rates.
fn play(mut game: Game, rates: Rates, nodes: u64, searchers: &mut [Searcher; 2], random: &mut Random) -> f64 {
    let limits = Limits { nodes: Some(nodes), multi_pv: 1, ..Limits::default() };
    while game.outcome().is_none() && game.moves().len() < PLIES {
        let mover = usize::from(game.position().side() == Side::Rebels);
        let searcher = &mut searchers[mover];
        let errs = (random.below(10_000) as f64) < rates[mover] * 10_000.0;
        let move_ = if errs {
            let errors = (rates[mover] * 1_000.0) as u64;
            blunder(searcher, &game, &limits, errors, random.below(usize::MAX) as u64, &Stop::default()).unwrap()
        } else {
            searcher.search(&game, &limits, &Stop::default(), &mut |_| {}).unwrap().best
        };
        game.play(move_);
    }
    match game.outcome().and_then(|outcome| outcome.winner()) {
        Some(Side::General) => 1.0,
        Some(Side::Rebels) => 0.0,
        None => 0.5,
    }
}

/// Results of the General by his rate and that of the Rebels.
type Grid = [[f64; RATES.len()]; RATES.len()];

/// Mean results.
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

/// Evens out chance: half of each result, and a quarter of those beside it, along rows and columns. The ends stay.
fn smoothed(grid: &Grid) -> Grid {
    let along_rows = |grid: &Grid| {
        grid.map(|row| {
            let last = row.len() - 1;
            std::array::from_fn(|at| match at {
                0 => row[0],
                at if at == last => row[last],
                at => row[at] / 2.0 + (row[at - 1] + row[at + 1]) / 4.0,
            })
        })
    };
    let turned = |grid: &Grid| -> Grid { std::array::from_fn(|row| std::array::from_fn(|column| grid[column][row])) };
    turned(&along_rows(&turned(&along_rows(grid))))
}

/// What players of any rates score.
struct Scores(Grid);

impl Scores {
    /// The place of a rate among those that were played, and how far it is on the way to the next.
    fn place(rate: f64) -> (usize, f64) {
        let above = RATES.iter().position(|known| *known >= rate).unwrap().max(1);
        (above - 1, (rate - RATES[above - 1]) / (RATES[above] - RATES[above - 1]))
    }

    /// The result of a General with one rate against Rebels with another.
    fn of_general(&self, general: f64, rebels: f64) -> f64 {
        let ((row, down), (column, right)) = (Self::place(general), Self::place(rebels));
        let at = |row: usize| self.0[row][column] * (1.0 - right) + self.0[row][column + 1] * right;
        at(row) * (1.0 - down) + at(row + 1) * down
    }

    /// The score of a player against another, games with sides swapped. Players are pairs of rates: as General, as Rebels.
    fn score(&self, better: Rates, worse: Rates) -> f64 {
        (self.of_general(better[0], worse[1]) + 1.0 - self.of_general(worse[0], better[1])) / 2.0
    }

    /// The levels from the first to the ninth, by dynamic programming over a grid of rates: the least score of a level against the one
    /// below is as high as it can be, but not higher than wanted; then the sum of all rates is as small as it can be.
    fn ladder(&self) -> (f64, Vec<Rates>) {
        let steps: Vec<f64> = (0..=STEPS).map(|step| MOST * (step as f64 / STEPS as f64).powi(2)).collect();
        let states: Vec<Rates> = steps.iter().flat_map(|g| steps.iter().map(|r| [*g, *r])).collect();
        // Of the best chain down to a state: its least score, minus its sum of rates, and the state before.
        let perfect = vec![(WANTED, 0.0, 0)];
        let mut levels = vec![(vec![[0.0, 0.0]], perfect)];
        for _ in 1..=9 {
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
            let known = states.iter().map(best).collect();
            levels.push((states.clone(), known));
        }
        let (states, last) = levels.last().unwrap();
        let lowest = |place: &usize| states[*place].iter().all(|rate| *rate >= LOWEST);
        let ends = (0..states.len()).filter(lowest);
        let mut place = ends.max_by(|a, b| last[*a].partial_cmp(&last[*b]).unwrap()).unwrap();
        let least = last[place].0;
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
const STEPS: usize = 40;

/// The first level errs at least so often.
const LOWEST: f64 = 0.8;

/// The score that a level should make against the one below: 140 Elo.
const WANTED: f64 = 0.69;

#[test]
#[ignore = "a computation of an hour"]
fn fit_levels() {
    let (games, nodes) = (number("PRIVY_LEVELS_GAMES", 16), number("PRIVY_LEVELS_NODES", 1_000));
    for variant in setting("PRIVY_LEVELS_VARIANTS", &variants().join(",")).split(',') {
        let grid = results(variant, games, nodes);
        let (least, chain) = Scores(smoothed(&grid)).ladder();
        for (row, rate) in grid.iter().zip(RATES) {
            let row: Vec<String> = row.iter().map(|result| format!("{:3.0}", result * 100.0)).collect();
            println!("#   {variant}: General errs {:3.0} %: {}", rate * 100.0, row.join(" "));
        }
        println!("# {variant}: a level scores {:.0} % against the one below, or more, by the fit", least * 100.0);
        println!("[errors.{variant}]");
        for (name, side) in [("general", 0), ("rebels", 1)] {
            let permille: Vec<String> = chain.iter().map(|rates| format!("{:.0}", rates[side] * 1_000.0)).collect();
            println!("{name} = [{}]", permille.join(", "));
        }
    }
}
