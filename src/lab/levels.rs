//! Skill levels: fitted to a variant (nodes and error rates of each), and measured, each against the one below.
//!
//! The cost of an error and the gain of a deeper search depend on the game and on the side: where the Rebels win nearly
//! always, the General needs many errors of theirs for a chance, and a level on which they make few would score no
//! better than perfect play. So levels are fitted to each variant. Players of many kinds, from one that searches deep
//! and never errs to one that always errs, meet each other; their smoothed results are interpolated for players in
//! between. Then nine levels are chosen such that every level scores well against the one below, in games with sides
//! swapped.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use clap::Args;
use privy_base::random::Random;
use privy_engine::{Engine, LEVELS, PathChoice, blunder};
use privy_program::{CliError, find_variants, within};
use privy_referee::statistics::Tally;
use privy_rules::{Game, MovePath, Outcome, Side, Variant};
use privy_search::{Limits, Searcher, Stop};
use rayon::prelude::*;

use super::Lab;
use super::play::{PairResults, best_by_search, check_begins, interrupted, play_out, play_pair, random_opening};

/// Nodes of a move, of the players that meet.
const NODES: [u64; 5] = [50, 150, 400, 1_500, 8_000];
/// Error rates of the players that meet. Above 1 all moves are errors, and fewer of them random.
const RATES: [f64; 9] = [0.0, 0.05, 0.1, 0.2, 0.35, 0.55, 1.0, 1.5, HIGHEST_RATE];
/// All moves are errors, and no move is random.
const HIGHEST_RATE: f64 = 2.0;
/// Steps from 0 to the highest rate on the grid of the levels.
const STEPS: usize = 20;
/// Least error rate of the first level.
const LEAST_RATE: f64 = 0.8;
/// The score that a level should make against the one below: 170 Elo.
const TARGET_SCORE: f64 = 0.725;
/// Plies after which a game counts as a draw.
const PLIES: usize = 800;
/// Most random moves of an opening.
const OPENING: u64 = 8;
/// Time for a move of full strength in a measurement; lower levels need less.
const TIME: Duration = Duration::from_millis(100);

/// Fit how far each skill level searches and how often it errs; takes hours, and prints skill_levels.toml
#[derive(Args)]
pub(super) struct LevelsArguments {
    /// Ids or files of variants
    #[arg(value_name = "VARIANT", required = true)]
    variants: Vec<String>,
    /// Games of each pairing of players
    #[arg(long, value_name = "N", default_value_t = 60, value_parser = within(1_u32..=100_000))]
    games: u32,
}

impl LevelsArguments {
    pub(super) fn run(&self, lab: &mut Lab<'_>) -> Result<(), CliError> {
        for variant in find_variants(&self.variants)? {
            check_begins(&variant)?;
            let results = results(&variant, self.games, lab.stop)?;
            let fitted = FittedLevels::choose(&interpolated(&smoothed(&results)));
            writeln!(lab.output, "# {}\n{fitted}", variant.id())?;
        }
        Ok(())
    }
}

/// Measure each skill level against the one below, or against one level
#[derive(Args)]
pub(super) struct LadderArguments {
    /// Ids or files of variants
    #[arg(value_name = "VARIANT", required = true)]
    variants: Vec<String>,
    /// Pairs of games, sides swapped
    #[arg(long, value_name = "N", default_value_t = 30, value_parser = within(1_u64..=1_000_000))]
    pairs: u64,
    /// The lowest level, against the one below; level 0 is a beginner, who wins at once or takes the most Rebels where
    /// it can, and else moves at random
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = within(1_u32..=10))]
    from: u32,
    /// Measure all levels against this one
    #[arg(long, value_name = "N", value_parser = within(0_u32..=10))]
    against: Option<u32>,
    /// The highest level
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = within(1_u32..=10))]
    to: u32,
}

impl LadderArguments {
    pub(super) fn run(&self, lab: &mut Lab<'_>) -> Result<(), CliError> {
        for variant in find_variants(&self.variants)? {
            for level in self.from..=self.to {
                let levels = [level, self.against.unwrap_or(level - 1)];
                let rung = Rung::measure(&variant, levels, self.pairs, &lab.tables.choice().to_string(), lab.stop)?;
                writeln!(lab.output, "{}: {rung}", variant.id())?;
            }
        }
        Ok(())
    }
}

/// The player of one side.
#[derive(Debug, Clone, Copy)]
pub(super) struct LevelCandidate {
    pub(super) nodes: u64,
    pub(super) rate: f64,
}

impl LevelCandidate {
    /// All players that meet: by rate, then by nodes.
    pub(super) fn all() -> Vec<LevelCandidate> {
        RATES.iter().flat_map(|rate| NODES.map(|nodes| LevelCandidate { nodes, rate: *rate })).collect()
    }

    /// Without searches the number of nodes makes no difference.
    fn never_searches(self) -> bool {
        self.rate >= 1.0
    }
}

/// Mean results of the General, by its player and that of the Rebels.
pub(super) type MeetingResults = Vec<Vec<f64>>;

/// The mean result for the General of two players, the General's first.
fn pairing(variant: &Arc<Variant>, players: [LevelCandidate; 2], games: u32, stop: &Stop) -> Result<f64, CliError> {
    let mut searchers = [Searcher::new(2), Searcher::new(2)];
    let mut results = Tally::default();
    for seed in 0..u64::from(games) {
        let random = &mut Random::new(seed);
        let mut game = random_opening(variant, random, OPENING, stop)?;
        let winner = play_out(&mut game, PLIES, stop, |game| {
            let mover = usize::from(game.side() == Side::Rebels);
            let (LevelCandidate { nodes, rate }, searcher) = (players[mover], &mut searchers[mover]);
            let move_ = if (random.below(10_000) as f64) < rate * 10_000.0 {
                let (errors, dice) = ((rate * 1_000.0) as u64, random.next_number());
                // An unfinished game has a move, unless there was no time to find it.
                blunder(searcher, game, &[], errors, dice, stop).ok_or_else(interrupted)?
            } else {
                let limits = Limits { nodes: Some(nodes), ..Limits::default() };
                best_by_search(searcher, game, limits, stop)
            };
            Ok(move_)
        })?;
        results += Tally::of_game(Side::General, winner);
    }
    Ok(results.points() / f64::from(games))
}

/// MeetingResults of all players against each other.
fn results(variant: &Arc<Variant>, games: u32, stop: &Stop) -> Result<MeetingResults, CliError> {
    let players = LevelCandidate::all();
    let count = players.len();
    // Where nodes make no difference, one pairing is played for all.
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

fn transposed(rows: &MeetingResults) -> MeetingResults {
    (0..rows[0].len()).map(|column| rows.iter().map(|row| row[column]).collect()).collect()
}

/// Maps rows, then columns.
fn both_ways(results: &MeetingResults, change: impl Fn(&Vec<f64>) -> Vec<f64>) -> MeetingResults {
    let rows = |results: &MeetingResults| -> MeetingResults { results.iter().map(&change).collect() };
    transposed(&rows(&transposed(&rows(results))))
}

/// Smooths over rates: half of each result and a quarter of each neighbour; the ends stay.
pub(super) fn smoothed(results: &MeetingResults) -> MeetingResults {
    both_ways(results, |row| {
        let (width, last) = (NODES.len(), row.len() - NODES.len());
        let of = |at: usize| match at {
            at if at < width || at >= last => row[at],
            at => row[at] / 2.0 + (row[at - width] + row[at + width]) / 4.0,
        };
        (0..row.len()).map(of).collect()
    })
}

/// MeetingResults at the rates of the grid, by linear interpolation.
pub(super) fn interpolated(results: &MeetingResults) -> MeetingResults {
    both_ways(results, |row| {
        let at_rate = |rate: f64| {
            let above = RATES.iter().position(|known| *known >= rate).expect("the last rate is the highest").max(1);
            let share = (rate - RATES[above - 1]) / (RATES[above] - RATES[above - 1]);
            let at = above * NODES.len();
            (0..NODES.len()).map(move |node| row[at - NODES.len() + node] * (1.0 - share) + row[at + node] * share)
        };
        (0..=STEPS).flat_map(|step| at_rate(rate(step))).collect()
    })
}

/// An error rate of the grid.
fn rate(step: usize) -> f64 {
    HIGHEST_RATE * (step as f64 / STEPS as f64).powi(2)
}

/// A level: the steps of the error rates of both sides, and the index of the nodes.
#[derive(Debug, Clone, Copy)]
pub(super) struct LevelChoice {
    general: usize,
    rebels: usize,
    nodes: usize,
}

impl LevelChoice {
    pub(super) fn is_weaker(self, other: LevelChoice) -> bool {
        self.general >= other.general && self.rebels >= other.rebels && self.nodes <= other.nodes
    }

    /// The score against another level, sides swapped.
    fn score(self, worse: LevelChoice, results: &MeetingResults) -> f64 {
        let of_general = |general: LevelChoice, rebels: LevelChoice| {
            results[general.general * NODES.len() + general.nodes][rebels.rebels * NODES.len() + rebels.nodes]
        };
        (of_general(self, worse) + 1.0 - of_general(worse, self)) / 2.0
    }
}

/// A chain of levels down to one: the least score of a level against the one below, minus the sum of all rates, and the
/// index of the level above.
type LevelChain = (f64, f64, usize);

/// Levels fitted to a variant.
pub(super) struct FittedLevels {
    /// The least score of a level against the one below by the fit, from 0 to 1.
    pub(super) least_score: f64,
    pub(super) levels: Vec<LevelChoice>,
}

impl FittedLevels {
    /// The levels from the first to the ninth, by dynamic programming: maximises the least score of a level against the
    /// one below, up to the target; then minimises the sum of all rates.
    pub(super) fn choose(results: &MeetingResults) -> FittedLevels {
        let rates = (0..=STEPS).flat_map(|general| (0..=STEPS).map(move |rebels| (general, rebels)));
        let with_nodes = |(general, rebels)| (0..NODES.len()).map(move |nodes| LevelChoice { general, rebels, nodes });
        let levels: Vec<LevelChoice> = rates.flat_map(with_nodes).collect();
        // The highest level never errs and searches most.
        let is_highest = |level: &LevelChoice| level.general + level.rebels == 0 && level.nodes == NODES.len() - 1;
        let mut above: Vec<Option<LevelChain>> =
            levels.iter().map(|level| is_highest(level).then_some((TARGET_SCORE, 0.0, 0))).collect();
        let mut chains = Vec::new();
        for _ in 0..LEVELS {
            let best = |level: &LevelChoice| {
                let rates = rate(level.general) + rate(level.rebels);
                let better = levels.iter().zip(&above).enumerate().filter_map(|(at, (better, chain))| {
                    let (least, sum, _) = chain.filter(|_| level.is_weaker(*better))?;
                    Some((better.score(*level, results).min(least), sum - rates, at))
                });
                better.max_by(|a, b| a.partial_cmp(b).expect("scores are numbers"))
            };
            above = levels.par_iter().map(best).collect();
            chains.push(above.clone());
        }
        let is_low = |level: &LevelChoice| rate(level.general).min(rate(level.rebels)) >= LEAST_RATE;
        let ends = (0..levels.len()).filter(|at| is_low(&levels[*at]));
        let lowest = ends.max_by(|a, b| above[*a].partial_cmp(&above[*b]).expect("scores are numbers"));
        let mut at = lowest.expect("the grid has low levels");
        let least_score = above[at].map_or(0.0, |(least, ..)| least);
        let mut chosen = Vec::new();
        for chain in chains.iter().rev() {
            chosen.push(levels[at]);
            at = chain[at].expect("a level of a chain has one above").2;
        }
        FittedLevels { least_score, levels: chosen }
    }
}

/// The text of `skill_levels.toml`.
impl fmt::Display for FittedLevels {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let permille = |step| (rate(step) * 1_000.0).round() as u64;
        let list = |value: &dyn Fn(&LevelChoice) -> u64| self.levels.iter().map(value).collect::<Vec<_>>();
        writeln!(f, "# By the fit a level scores {:.0} % or more against the one below.", self.least_score * 100.0)?;
        writeln!(f, "nodes = {:?}", list(&|level| NODES[level.nodes]))?;
        writeln!(f, "general = {:?}", list(&|level| permille(level.general)))?;
        writeln!(f, "rebels = {:?}", list(&|level| permille(level.rebels)))
    }
}

/// The score of a level against another one. Level 0 is a beginner: it wins at once or takes the most Rebels where it
/// can, and else moves at random.
pub(super) struct Rung {
    levels: [u32; 2],
    pub(super) results: PairResults,
}

/// A player of a level.
pub(super) struct LevelEngine {
    level: u32,
    engine: Engine,
    random: Random,
}

impl LevelEngine {
    pub(super) fn new(level: u32, game: &Game, tables: &str, seed: u64) -> LevelEngine {
        let mut engine = Engine::at(game.clone());
        let configured = engine.configure(|options| {
            (options.hash, options.seed, options.level) = (16, seed, level.max(1).into());
            options.tables = PathChoice::from(tables);
        });
        configured.expect("values in range");
        LevelEngine { level, engine, random: Random::new(seed) }
    }

    pub(super) fn choose(&mut self, stop: &Stop) -> MovePath {
        if self.level == 0 {
            let mut moves = self.engine.game().legal_moves();
            self.random.shuffle(&mut moves);
            let game = self.engine.game();
            let wins = |move_: &MovePath| game.after(move_).outcome().and_then(Outcome::winner) == Some(game.side());
            let best = moves.into_iter().max_by_key(|move_| (wins(move_), move_.action().captured.len()));
            return best.expect("an unfinished game");
        }
        let limits = Limits { time: Some(TIME), ..Limits::default() };
        self.engine.go(&limits.into(), stop, None).expect("an unfinished game").best
    }
}

impl Rung {
    /// Plays pairs of games from random openings with sides swapped, with the tables of the option `tables`.
    pub(super) fn measure(
        variant: &Arc<Variant>,
        levels: [u32; 2],
        pairs: u64,
        tables: &str,
        stop: &Stop,
    ) -> Result<Rung, CliError> {
        check_begins(variant)?;
        let mut rung = Rung { levels, results: PairResults::default() };
        for pair in 1..=pairs {
            let opening = random_opening(variant, &mut Random::new(pair), OPENING, stop)?;
            let new_player = |level, seed| LevelEngine::new(level, &opening, tables, seed);
            let players = || [new_player(levels[0], 2 * pair), new_player(levels[1], 2 * pair + 1)];
            rung.results.add(play_pair(&opening, PLIES, stop, players, |players, mover, _| {
                let move_ = players[mover].choose(stop);
                players.iter_mut().for_each(|player| player.engine.play_move(move_.clone()));
                move_
            })?);
        }
        Ok(rung)
    }
}

/// A line: the score, and the difference in Elo with its 95 % interval.
impl fmt::Display for Rung {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let PairResults { as_general, as_rebels, pairs } = &self.results;
        let percent = |tally: &Tally| 100.0 * tally.score().unwrap_or(0.5);
        write!(f, "{} against {}: {:.1} %", self.levels[0], self.levels[1], percent(&self.results.games()))?;
        write!(f, " ({:.0} % as General, {:.0} % as Rebels)", percent(as_general), percent(as_rebels))?;
        if let Some(interval) = self.results.strength().and_then(|strength| strength.elo_interval) {
            write!(f, ", {:+.0} Elo ({:+.0} to {:+.0})", interval.estimate, interval.low, interval.high)?;
        }
        write!(f, ", {} pairs", pairs.count())
    }
}
