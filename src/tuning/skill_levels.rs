//! Skill levels: how far each level looks and how often it errs.
//!
//! What an error costs, and what looking further gains, depends on the game and on the side: where the Rebels win nearly always,
//! the General needs many errors of theirs to get a chance, and a level on which they make few would score no better than
//! perfect play. So levels are found for each variant. Players of many kinds, from one who looks far and never errs to one who
//! always does, meet each other; their results, smoothed, tell what players between these would score. Then nine levels are
//! chosen such that every level scores well against the one below, in games with sides swapped.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use rayon::prelude::*;

use crate::engine::{LEVELS, blunder};
use crate::random::Random;
use crate::rules::{Side, Variant};
use crate::search::{Limits, Searcher, Stop};

use super::request::FitError;
use super::self_play::{check_begins, opening, play, result};

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

/// Random moves that a game begins with, at most.
const OPENING: u64 = 8;

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

/// Mean results of the General, by its player and that of the Rebels.
type Results = Vec<Vec<f64>>;

/// The mean result of two players, the General's first.
fn pairing(variant: &Arc<Variant>, players: [Player; 2], games: u32, stop: &AtomicBool) -> Result<f64, FitError> {
    let mut searchers = [Searcher::new(2), Searcher::new(2)];
    let mut sum = 0.0;
    for seed in 0..u64::from(games) {
        let random = &mut Random::new(seed);
        let mut game = opening(variant, random, OPENING);
        let winner = play(&mut game, PLIES, stop, |game| {
            let mover = usize::from(game.side() == Side::Rebels);
            let (Player { nodes, rate }, searcher) = (players[mover], &mut searchers[mover]);
            let move_ = if (random.below(10_000) as f64) < rate * 10_000.0 {
                let (errors, dice) = ((rate * 1_000.0) as u64, random.next_number());
                blunder(searcher, game, &Limits::default(), errors, dice, &Stop::default())
            } else {
                let limits = Limits { nodes: Some(nodes), multi_pv: 1, ..Limits::default() };
                searcher.search(game, &limits, &Stop::default(), &mut |_| {}).map(|found| found.best)
            };
            move_.expect("a game that is not over has a move")
        })?;
        sum += result(winner);
    }
    Ok(sum / f64::from(games))
}

/// Lets all players meet.
fn results(variant: &Arc<Variant>, games: u32, stop: &AtomicBool) -> Result<Results, FitError> {
    let players = Player::all();
    let count = players.len();
    // Where nodes make no difference, the first result stands for the others.
    let first = |at: usize| if players[at].never_searches() { at - at % NODES.len() } else { at };
    let meet = |at: usize| {
        let (general, rebels) = (at / count, at % count);
        let is_first = first(general) == general && first(rebels) == rebels;
        if is_first { pairing(variant, [players[general], players[rebels]], games, stop) } else { Ok(0.0) }
    };
    let played: Vec<f64> = (0..count * count).into_par_iter().map(meet).collect::<Result<_, _>>()?;
    let known = |general, rebels| played[first(general) * count + first(rebels)];
    Ok((0..count).map(|general| (0..count).map(|rebels| known(general, rebels)).collect()).collect())
}

fn transposed(rows: &Results) -> Results {
    (0..rows[0].len()).map(|column| rows.iter().map(|row| row[column]).collect()).collect()
}

/// Changes rows, and then columns, in the same way.
fn both_ways(results: &Results, change: impl Fn(&Vec<f64>) -> Vec<f64>) -> Results {
    let rows = |results: &Results| -> Results { results.iter().map(&change).collect() };
    transposed(&rows(&transposed(&rows(results))))
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
            let above = RATES.iter().position(|known| *known >= rate).expect("the last rate is the highest").max(1);
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

    /// The score against another level, games with sides swapped.
    fn score(self, worse: Level, results: &Results) -> f64 {
        let of_general = |general: Level, rebels: Level| {
            results[general.general * NODES.len() + general.nodes][rebels.rebels * NODES.len() + rebels.nodes]
        };
        (of_general(self, worse) + 1.0 - of_general(worse, self)) / 2.0
    }
}

/// Levels on the way down to one: the least score of a level against the one below, minus the sum of all rates, and
/// the level above.
type Chain = (f64, f64, usize);

/// Levels that were fitted to a variant.
#[derive(Debug)]
pub struct FittedLevels {
    /// By the fit every level scores at least so much against the one below, 0 to 1.
    pub least_score: f64,
    levels: Vec<Level>,
}

impl FittedLevels {
    /// Lets players of all kinds meet, so many games a pairing, and chooses levels by their results.
    ///
    /// # Errors
    /// When the game is over where it begins, or `stop` was set.
    pub fn fit(variant: &Arc<Variant>, games: u32, stop: &AtomicBool) -> Result<FittedLevels, FitError> {
        check_begins(variant)?;
        Ok(FittedLevels::choose(&interpolated(&smoothed(&results(variant, games, stop)?))))
    }

    /// The levels from the first to the ninth, by dynamic programming: the least score of a level against the one below is as high
    /// as it can be, but not higher than wanted; then the sum of all rates is as small as it can be.
    fn choose(results: &Results) -> FittedLevels {
        let rates = (0..=STEPS).flat_map(|general| (0..=STEPS).map(move |rebels| (general, rebels)));
        let with_nodes = |(general, rebels)| (0..NODES.len()).map(move |nodes| Level { general, rebels, nodes });
        let levels: Vec<Level> = rates.flat_map(with_nodes).collect();
        // The highest level never errs and looks furthest.
        let is_highest = |level: &Level| level.general + level.rebels == 0 && level.nodes == NODES.len() - 1;
        let mut above: Vec<Option<Chain>> =
            levels.iter().map(|level| is_highest(level).then_some((WANTED, 0.0, 0))).collect();
        let mut chains = Vec::new();
        for _ in 0..LEVELS {
            let best = |level: &Level| {
                let better = levels.iter().zip(&above).enumerate().filter_map(|(place, (better, chain))| {
                    let (least, sum, _) = chain.filter(|_| level.is_weaker(*better))?;
                    Some((better.score(*level, results).min(least), sum - level.sum_of_rates(), place))
                });
                better.max_by(|a, b| a.partial_cmp(b).expect("scores are numbers"))
            };
            above = levels.par_iter().map(best).collect();
            chains.push(above.clone());
        }
        let is_low = |level: &Level| rate(level.general) >= LOWEST && rate(level.rebels) >= LOWEST;
        let ends = (0..levels.len()).filter(|place| is_low(&levels[*place]));
        let lowest = ends.max_by(|a, b| above[*a].partial_cmp(&above[*b]).expect("scores are numbers"));
        let mut place = lowest.expect("the grid has low levels");
        let least_score = above[place].map_or(0.0, |(least, ..)| least);
        let mut ladder = Vec::new();
        for chain in chains.iter().rev() {
            ladder.push(levels[place]);
            place = chain[place].expect("a level of a chain has one above").2;
        }
        FittedLevels { least_score, levels: ladder }
    }
}

/// The text of `skill_levels.toml`.
impl fmt::Display for FittedLevels {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let permille = |step| (rate(step) * 1_000.0).round() as u64;
        let list = |value: &dyn Fn(&Level) -> u64| self.levels.iter().map(value).collect::<Vec<_>>();
        writeln!(f, "# By the fit a level scores {:.0} % or more against the one below.", self.least_score * 100.0)?;
        writeln!(f, "nodes = {:?}", list(&|level| NODES[level.nodes]))?;
        writeln!(f, "general = {:?}", list(&|level| permille(level.general)))?;
        writeln!(f, "rebels = {:?}", list(&|level| permille(level.rebels)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Results of players whose strength is plain: each error costs, and looking further gains.
    #[test]
    fn levels_go_down_in_steps_where_strength_is_plain() {
        let strength = |player: &Player| (player.nodes as f64).ln() / 4.0 - 3.0 * player.rate;
        let row = |general: &Player| -> Vec<f64> {
            let result = |rebels: &Player| 1.0 / (1.0 + (strength(rebels) - strength(general)).exp());
            Player::all().iter().map(result).collect()
        };
        let results: Results = Player::all().iter().map(row).collect();
        let fitted = FittedLevels::choose(&interpolated(&smoothed(&results)));
        assert_eq!(fitted.levels.len(), LEVELS);
        assert!(fitted.least_score > 0.6, "{fitted}");
        assert!(fitted.levels.windows(2).all(|two| two[0].is_weaker(two[1])));
        let file: toml::Table = fitted.to_string().parse().unwrap();
        assert_eq!(file.keys().collect::<Vec<_>>(), ["general", "nodes", "rebels"]);
    }
}
