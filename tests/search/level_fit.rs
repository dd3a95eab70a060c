//! Fits the `skill_levels.toml` of the games: how far each level looks and how often it errs. A computation of minutes to hours a variant,
//! which prints the file.
//!
//! What an error costs, and what looking further gains, depends on the game and on the side: where the Rebels win nearly always,
//! the General needs many errors of theirs to get a chance, and a level on which they make few would score no better than
//! perfect play. So levels are found for each variant. Players of many kinds, from one who looks far and never errs to one who
//! always does, meet each other; their results, smoothed, tell what players between these would score. Then nine levels are
//! chosen such that every level scores well against the one below, in games with sides swapped. To run it:
//!
//! ```text
//! cargo test --release --test search level_fit:: -- --ignored --nocapture
//! ```
//!
//! `PRIVY_LEVELS_VARIANTS` (ids, a comma between) and `PRIVY_LEVELS_GAMES` (a pairing) change what is played.

use rayon::prelude::*;

use privy::engine::blunder;
use privy::rules::{Game, Side};
use privy::search::{Limits, Searcher, Stop};

use crate::support::openings;
use crate::support::random;

use openings::{number, opening, setting, variants};
use random::Random;

/// Positions that players search for a move.
const NODES: [u64; 5] = [50, 150, 400, 1_500, 8_000];

/// How often players err. Beyond 1 all moves are errors, and fewer of them random.
const RATES: [f64; 9] = [0.0, 0.05, 0.1, 0.2, 0.35, 0.55, 1.0, 1.5, MOST];

/// All moves are errors, and none of them random.
const MOST: f64 = 2.0;

/// Rates on the grid of the ladder, without 0.
const STEPS: usize = 20;

/// The first level errs at least so often.
const LOWEST: f64 = 0.8;

/// The score that a level should make against the one below: 170 Elo.
const WANTED: f64 = 0.725;

/// Plies after which a game is taken for a draw.
const PLIES: usize = 800;

/// One side's player.
#[derive(Debug, Clone, Copy)]
struct Player {
    nodes: u64,
    rate: f64,
}

impl Player {
    /// Players of all kinds that meet: by rate, then by nodes.
    fn all() -> Vec<Player> {
        RATES.iter().flat_map(|rate| NODES.map(|nodes| Player { nodes, rate: *rate })).collect()
    }

    /// Does it never search? Then it is the same player with any number of nodes.
    fn never_searches(self) -> bool {
        self.rate >= 1.0
    }
}

/// The result for the General, 0 to 1.
fn play(mut game: Game, players: [Player; 2], searchers: &mut [Searcher; 2], random: &mut Random) -> f64 {
    while game.outcome().is_none() && game.moves().len() < PLIES {
        let mover = usize::from(game.side() == Side::Rebels);
        let (player, searcher) = (players[mover], &mut searchers[mover]);
        let errs = (random.below(10_000) as f64) < player.rate * 10_000.0;
        let move_ = if errs {
            let errors = (player.rate * 1_000.0) as u64;
            let dice = random.below(usize::MAX) as u64;
            blunder(searcher, &game, &Limits::default(), errors, dice, &Stop::default()).unwrap()
        } else {
            let limits = Limits { nodes: Some(player.nodes), multi_pv: 1, ..Limits::default() };
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

/// Mean results of the General, by his player and that of the Rebels.
type Results = Vec<Vec<f64>>;

/// Lets all players meet.
fn results(variant: &str, games: u64) -> Results {
    let players = Player::all();
    // Where nodes make no difference, the first result stands for the others.
    let first = |at: usize| if players[at].never_searches() { at - at % NODES.len() } else { at };
    let pairing = |general: usize, rebels: usize| {
        let mut searchers = [Searcher::new(2), Searcher::new(2)];
        let result = |seed| {
            let random = &mut Random::new(seed);
            let game = opening(variant, random, 8);
            play(game, [players[general], players[rebels]], &mut searchers, random)
        };
        (0..games).map(result).sum::<f64>() / games as f64
    };
    let count = players.len();
    let played: Vec<f64> = (0..count * count)
        .into_par_iter()
        .map(|at| (at / count, at % count))
        .map(|(general, rebels)| {
            let is_first = first(general) == general && first(rebels) == rebels;
            if is_first { pairing(general, rebels) } else { 0.0 }
        })
        .collect();
    let known = |general, rebels| played[first(general) * count + first(rebels)];
    (0..count).map(|general| (0..count).map(|rebels| known(general, rebels)).collect()).collect()
}

fn turned(rows: &Results) -> Results {
    (0..rows[0].len()).map(|column| rows.iter().map(|row| row[column]).collect()).collect()
}

/// Changes rows, and then columns, in the same way.
fn both_ways(results: &Results, change: impl Fn(&Vec<f64>) -> Vec<f64>) -> Results {
    let rows = |results: &Results| -> Results { results.iter().map(&change).collect() };
    turned(&rows(&turned(&rows(results))))
}

/// Evens out chance: half of each result, and a quarter of those at the rates beside it. The ends stay.
fn smoothed(results: &Results) -> Results {
    both_ways(results, |row| {
        let (width, last) = (NODES.len(), row.len() - NODES.len());
        let of = |at: usize| match at {
            at if at < width || at >= last => row[at],
            at => row[at] / 2.0 + (row[at - width] + row[at + width]) / 4.0,
        };
        (0..row.len()).map(of).collect()
    })
}

/// Results at the rates of the ladder, which lie between those that were played.
fn interpolated(results: &Results) -> Results {
    both_ways(results, |row| {
        let at_rate = |rate: f64| {
            let above = RATES.iter().position(|known| *known >= rate).unwrap().max(1);
            let on_the_way = (rate - RATES[above - 1]) / (RATES[above] - RATES[above - 1]);
            let at = above * NODES.len();
            let between =
                move |node: usize| row[at - NODES.len() + node] * (1.0 - on_the_way) + row[at + node] * on_the_way;
            (0..NODES.len()).map(between)
        };
        (0..=STEPS).flat_map(|step| at_rate(rate(step))).collect()
    })
}

/// A rate of the ladder.
fn rate(step: usize) -> f64 {
    MOST * (step as f64 / STEPS as f64).powi(2)
}

/// A level: steps of the rates of the General and of the Rebels, and the place of the nodes.
#[derive(Debug, Clone, Copy)]
struct Level {
    general: usize,
    rebels: usize,
    nodes: usize,
}

impl Level {
    fn is_weaker(self, other: Level) -> bool {
        self.general >= other.general && self.rebels >= other.rebels && self.nodes <= other.nodes
    }

    fn sum_of_rates(self) -> f64 {
        rate(self.general) + rate(self.rebels)
    }
}

/// Levels on the way down to one: the least score of a level against the one below, minus the sum of all rates, and
/// the level above.
type Chain = (f64, f64, usize);

/// What levels score.
struct Scores(Results);

impl Scores {
    /// The score of a level against another, games with sides swapped.
    fn score(&self, better: Level, worse: Level) -> f64 {
        let of_general = |general: Level, rebels: Level| {
            self.0[general.general * NODES.len() + general.nodes][rebels.rebels * NODES.len() + rebels.nodes]
        };
        (of_general(better, worse) + 1.0 - of_general(worse, better)) / 2.0
    }

    /// The levels from the first to the ninth, by dynamic programming: the least score of a level against the one below is as high
    /// as it can be, but not higher than wanted; then the sum of all rates is as small as it can be.
    fn ladder(&self) -> (f64, Vec<Level>) {
        let steps = || 0..=STEPS;
        let rates = steps().flat_map(|general| steps().map(move |rebels| (general, rebels)));
        let with_nodes = |(general, rebels)| (0..NODES.len()).map(move |nodes| Level { general, rebels, nodes });
        let levels: Vec<Level> = rates.flat_map(with_nodes).collect();
        // The highest level never errs and looks furthest.
        let is_highest = |level: &Level| level.general + level.rebels == 0 && level.nodes == NODES.len() - 1;
        let mut chains: Vec<Vec<Option<Chain>>> =
            vec![levels.iter().map(|level| is_highest(level).then_some((WANTED, 0.0, 0))).collect()];
        for _ in 1..=9 {
            let above = chains.last().unwrap();
            let best = |level: &Level| {
                let better = levels.iter().zip(above).enumerate().filter_map(|(place, (better, chain))| {
                    let (least, sum, _) = chain.filter(|_| level.is_weaker(*better))?;
                    Some((self.score(*better, *level).min(least), sum - level.sum_of_rates(), place))
                });
                better.max_by(|a, b| a.partial_cmp(b).unwrap())
            };
            chains.push(levels.par_iter().map(best).collect());
        }
        let is_low = |level: &Level| rate(level.general) >= LOWEST && rate(level.rebels) >= LOWEST;
        let last = chains.last().unwrap();
        let ends = (0..levels.len()).filter(|place| is_low(&levels[*place]));
        let mut place = ends.max_by(|a, b| last[*a].partial_cmp(&last[*b]).unwrap()).unwrap();
        let least = last[place].unwrap().0;
        let mut ladder = Vec::new();
        for chains in chains.iter().skip(1).rev() {
            ladder.push(levels[place]);
            place = chains[place].unwrap().2;
        }
        (least, ladder)
    }
}

#[test]
#[ignore = "a computation of hours"]
fn fit_levels() {
    let games = number("PRIVY_LEVELS_GAMES", 60);
    for variant in setting("PRIVY_LEVELS_VARIANTS", &variants().join(",")).split(',') {
        let results = results(variant, games);
        for (player, row) in Player::all().iter().zip(&results) {
            let row: Vec<String> = row.iter().map(|result| format!("{:3.0}", result * 100.0)).collect();
            let name = format!("General errs {:3.0} %, {:4} nodes", player.rate * 100.0, player.nodes);
            println!("#   {variant}: {name}: {}", row.join(" "));
        }
        let (least, ladder) = Scores(interpolated(&smoothed(&results))).ladder();
        println!("# By the fit a level scores {:.0} % or more against the one below.", least * 100.0);
        println!("[{variant}]");
        let print = |name: &str, value: &dyn Fn(&Level) -> u64| {
            let values: Vec<String> = ladder.iter().map(|level| value(level).to_string()).collect();
            println!("{name} = [{}]", values.join(", "));
        };
        let permille = |step| (rate(step) * 1_000.0).round() as u64;
        print("nodes", &|level| NODES[level.nodes]);
        print("general", &|level| permille(level.general));
        print("rebels", &|level| permille(level.rebels));
    }
}
