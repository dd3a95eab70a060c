//! Checks of the search and of proofs on positions of known value: the value is kept, short wins are found with their
//! exact length, nothing false is proved, and a second thread pays.
//!
//! Positions come from random games of the variants with tables, spread evenly over sides and numbers of Rebels. The
//! search has no tables.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use clap::Args;
use privy_base::random::Random;
use privy_program::{CliError, MOST_MS, within};
use privy_protocol::Score;
use privy_rules::{Game, MovePath, Side, Variant};
use privy_search::{Limits, SearchRequest, Searcher, Stop, bench};
use privy_tables::{Table, TableError, TableValue, Tables};
use privy_testing::proofs::{Proved, examine};

use super::play::check_stop;
use super::{Lab, MoveLimit, meets_the_bar, percent, side_by_side, variants_or};

/// Random games from which positions are taken, their most plies, and the share of positions taken: one in N.
const GAMES: usize = 6_000;
const PLIES: usize = 200;
const TAKEN: u64 = 6;
const SEED: u64 = 2_005;

// Positions with their tables, and what searches them.
#[derive(Args)]
struct KnownPositions {
    /// Ids or files of variants that have tables; the nine games on 25 points without any
    variants: Vec<String>,
    /// Parallel searches
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = within(1_usize..=1_024))]
    searches: usize,
    /// Threads of a search
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = within(1_usize..=256))]
    threads: usize,
    /// Size of the transposition table
    #[arg(long, value_name = "MIB", default_value_t = 64, value_parser = within(1_usize..=65_536))]
    hash: usize,
}

impl KnownPositions {
    fn request(&self, limits: Limits) -> SearchRequest {
        SearchRequest { limits, threads: self.threads, ..SearchRequest::default() }
    }

    /// Counts the positions of every variant for which `holds` is true among `count` that `accepts` takes, and prints
    /// the shares in per cent. Returns them.
    fn shares(
        &self,
        lab: &mut Lab<'_>,
        count: usize,
        accepts: impl Fn(&Table, &Game) -> Result<bool, TableError>,
        holds: impl Fn(&Table, &Game, &mut Searcher) -> Result<bool, CliError> + Sync,
    ) -> Result<Vec<f64>, CliError> {
        let tables = Tables::new(lab.tables.choice());
        let mut shares = Vec::new();
        let small = |id: &&str| Variant::builtin(id).is_some_and(|variant| variant.rules().ground.len() <= 25);
        let usual: Vec<&str> = Variant::builtin_ids().filter(small).collect();
        for variant in variants_or(&self.variants, &usual)? {
            let table = tables.find(&variant)?;
            let positions = balanced(&variant, count, lab.stop, |game| accepts(&table, game))?;
            let start = Instant::now();
            let new = || Searcher::new(self.hash);
            let examined = side_by_side(positions.len(), self.searches, new, |searcher, number| {
                let holds = holds(&table, &positions[number], searcher)?;
                check_stop(lab.stop)?;
                Ok((positions[number].side(), holds))
            })?;
            let of = |sides: &[Side]| {
                let of_sides = || examined.iter().filter(|(side, _)| sides.contains(side));
                (percent(of_sides().filter(|(_, holds)| *holds).count(), of_sides().count()), of_sides().count())
            };
            let (all, general, rebels) =
                (of(&[Side::General, Side::Rebels]), of(&[Side::General]), of(&[Side::Rebels]));
            writeln!(
                lab.output,
                "{:24} {:5.1} % of {:3}, general {:5.1} % of {:3}, rebels {:5.1} % of {:3}, {:.1} s",
                variant.id(),
                all.0,
                all.1,
                general.0,
                general.1,
                rebels.0,
                rebels.1,
                start.elapsed().as_secs_f64()
            )?;
            shares.push(all.0);
        }
        Ok(shares)
    }
}

/// Up to `count` different positions of random games that `accepts` takes, spread evenly over sides and numbers of
/// Rebels.
fn balanced(
    variant: &Arc<Variant>,
    count: usize,
    stop: &Stop,
    accepts: impl Fn(&Game) -> Result<bool, TableError>,
) -> Result<Vec<Game>, CliError> {
    let mut random = Random::new(SEED);
    let mut kinds: BTreeMap<(bool, u32), Vec<Game>> = BTreeMap::new();
    for _ in 0..GAMES {
        check_stop(stop)?;
        let mut game = variant.start();
        for _ in 0..PLIES {
            let Some(move_) = random.pick(&game.legal_moves()).cloned() else { break };
            game.play(move_);
            if game.outcome().is_none() && random.below(TAKEN) == 0 {
                let kind = (game.side() == Side::General, game.position().rebels().len());
                kinds.entry(kind).or_default().push(game.without_history());
            }
        }
    }
    kinds.values_mut().for_each(|games| random.shuffle(games));
    let mut chosen: Vec<Game> = Vec::new();
    while chosen.len() < count && kinds.values().any(|games| !games.is_empty()) {
        for games in kinds.values_mut() {
            while let Some(game) = games.pop() {
                check_stop(stop)?;
                if accepts(&game)? && chosen.iter().all(|other| other.position() != game.position()) {
                    chosen.push(game);
                    break;
                }
            }
        }
    }
    chosen.truncate(count);
    Ok(chosen)
}

/// The classes of the values of all moves by the table, with the moves.
fn classes(table: &Table, game: &Game) -> Result<Vec<(i8, MovePath)>, TableError> {
    Ok(table.values(game)?.into_iter().map(|(move_, value)| (value.class(), move_)).collect())
}

/// How often the search keeps the value of the table, in positions in which some moves lose it
#[derive(Args)]
pub(super) struct KeepsArguments {
    #[command(flatten)]
    known: KnownPositions,
    /// Positions of each variant
    #[arg(long, value_name = "N", default_value_t = 500, value_parser = within(1_usize..=1_000_000))]
    positions: usize,
    #[command(flatten)]
    limit: MoveLimit,
    /// The share that is promised, in per cent: 95 with 100 ms for a move, which it has without a limit, and 80 with 1
    /// ms
    #[arg(long, value_name = "PERCENT", default_value_t = 95.0, value_parser = within(0.0_f64..=100.0))]
    bar: f64,
}

impl KeepsArguments {
    pub(super) fn run(&self, lab: &mut Lab<'_>) -> Result<(), CliError> {
        let (request, stop) = (self.known.request(self.limit.or_time(100)), lab.stop.clone());
        let decisive = |table: &Table, game: &Game| {
            let classes = classes(table, game)?;
            Ok(classes.iter().any(|(class, _)| *class != classes[0].0))
        };
        let keeps = |table: &Table, game: &Game, searcher: &mut Searcher| {
            let found = searcher.search(game, request.clone(), &stop, &mut |_| {});
            let classes = classes(table, game)?;
            let best = classes.iter().map(|(class, _)| *class).max();
            let is_best = |move_| classes.iter().any(|(class, other)| Some(*class) == best && *other == move_);
            Ok(found.is_some_and(|found| is_best(found.best)))
        };
        let shares = self.known.shares(lab, self.positions, decisive, keeps)?;
        let mean = shares.iter().sum::<f64>() / shares.len().max(1) as f64;
        writeln!(lab.output, "mean {mean:.2} %, bar {} %", self.bar)?;
        meets_the_bar(shares.iter().all(|share| *share >= self.bar), || format!("{shares:?}"))
    }
}

/// How often the search finds a win in 2 to 15 plies with its exact length
#[derive(Args)]
pub(super) struct ShortWinsArguments {
    #[command(flatten)]
    known: KnownPositions,
    /// Positions of each variant
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = within(1_usize..=1_000_000))]
    positions: usize,
    #[command(flatten)]
    limit: MoveLimit,
    /// The share that is promised, in per cent, with a second for a move, which it has without a limit
    #[arg(long, value_name = "PERCENT", default_value_t = 99.0, value_parser = within(0.0_f64..=100.0))]
    bar: f64,
    /// Print the positions that fail
    #[arg(long)]
    show: bool,
}

impl ShortWinsArguments {
    pub(super) fn run(&self, lab: &mut Lab<'_>) -> Result<(), CliError> {
        let (request, stop) = (self.known.request(self.limit.or_time(1_000)), lab.stop.clone());
        let failed = Mutex::new(Vec::new());
        let short = |table: &Table, game: &Game| Ok(matches!(table.probe(game)?, TableValue::Win(2..=15)));
        let exact = |table: &Table, game: &Game, searcher: &mut Searcher| {
            let found = searcher.search(game, request.clone(), &stop, &mut |_| {});
            let score = found.and_then(|found| Some(found.lines.first()?.verdict.score));
            let value = table.probe(game)?;
            let is_exact = score == value.plies().map(Score::Win);
            if !is_exact {
                failed.lock().expect("no thread panics").push(format!("{game}: {value}, found {score:?}"));
            }
            Ok(is_exact)
        };
        let shares = self.known.shares(lab, self.positions, short, exact)?;
        for line in failed.into_inner().expect("no thread panics").iter().filter(|_| self.show) {
            writeln!(lab.output, "{line}")?;
        }
        meets_the_bar(shares.iter().all(|share| *share >= self.bar), || format!("{shares:?}"))
    }
}

/// How often the true value is proved; no bound may be below the true length, and nothing false may be proved
#[derive(Args)]
pub(super) struct ProofsArguments {
    #[command(flatten)]
    known: KnownPositions,
    /// Positions of each variant
    #[arg(long, value_name = "N", default_value_t = 120, value_parser = within(1_usize..=1_000_000))]
    positions: usize,
    /// Wall time of a proof in milliseconds
    #[arg(long, value_name = "MS", default_value_t = 1_000, value_parser = within(1_u64..=MOST_MS))]
    time: u64,
}

impl ProofsArguments {
    pub(super) fn run(&self, lab: &mut Lab<'_>) -> Result<(), CliError> {
        let (time, stop) = (Duration::from_millis(self.time), lab.stop.clone());
        let (ratios, wrong) = (Mutex::new(Vec::new()), Mutex::new(Vec::new()));
        let is_long = |table: &Table, game: &Game| Ok(table.probe(game)?.plies().is_none_or(|plies| plies >= 3));
        let is_proved = |table: &Table, game: &Game, _: &mut Searcher| {
            let value = table.probe(game)?;
            let winner = match value.class() {
                1 => Some(game.side()),
                -1 => Some(!game.side()),
                _ => None,
            };
            let proved = examine(game, winner, value.plies(), time, &stop).unwrap_or_else(|error| {
                wrong.lock().expect("no thread panics").push(error);
                Proved::default()
            });
            let ratio = proved.bound.zip(value.plies()).map(|(bound, plies)| f64::from(bound) / f64::from(plies));
            ratios.lock().expect("no thread panics").extend(ratio.filter(|_| proved.all));
            Ok(proved.all)
        };
        self.known.shares(lab, self.positions, is_long, is_proved)?;
        let mut ratios = ratios.into_inner().expect("no thread panics");
        ratios.sort_by(f64::total_cmp);
        let exact = ratios.iter().filter(|ratio| **ratio <= 1.0).count();
        let median = ratios.get(ratios.len() / 2).copied().unwrap_or(f64::NAN);
        let count = ratios.len();
        writeln!(lab.output, "{count} wins proved, {exact} with the table's length, in the median {median:.2} of it")?;
        let wrong = wrong.into_inner().expect("no thread panics");
        meets_the_bar(wrong.is_empty(), || format!("{} positions: {}", wrong.len(), wrong.join("; ")))
    }
}

/// How much sooner two threads reach a depth than one, in the positions of the benchmark; needs idle cores
///
/// One thread searches each position for a fixed time; two must then reach its last depth. The figure is the time of
/// one thread divided by that of two.
#[derive(Args)]
pub(super) struct ThreadsArguments {
    /// Time of one thread, in milliseconds
    #[arg(long, value_name = "MS", default_value_t = 2_000, value_parser = within(1_u64..=MOST_MS))]
    time: u64,
    /// Tries of two threads, whose searches differ; their median counts
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = within(1_usize..=1_000))]
    repeats: usize,
    /// The median over the positions that is promised
    #[arg(long, value_name = "RATIO", default_value_t = 1.35, value_parser = within(0.0_f64..=2.0))]
    bar: f64,
}

impl ThreadsArguments {
    pub(super) fn run(&self, lab: &mut Lab<'_>) -> Result<(), CliError> {
        /// In a shorter search a second thread is of no use.
        const LEAST: Duration = Duration::from_millis(300);
        let time = Duration::from_millis(self.time);
        let mut ratios = Vec::new();
        for position in bench::positions() {
            let game = position.without_history();
            let limits = Limits { time: Some(time), ..Limits::default() };
            let last = last_iteration(&game, 1, &limits, lab.stop);
            check_stop(lab.stop)?;
            let Some((depth, one)) = last.filter(|(_, one)| *one >= LEAST) else { continue };
            let limits = Limits { depth: Some(depth), ..Limits::default() };
            let again = |_| Some(one.as_secs_f64() / last_iteration(&game, 2, &limits, lab.stop)?.1.as_secs_f64());
            let Some(ratio) = median((0..self.repeats).filter_map(again).collect()) else { continue };
            writeln!(lab.output, "{ratio:5.2}  depth {depth:2} in {:4} ms  {position}", one.as_millis())?;
            ratios.push(ratio);
        }
        let count = ratios.len();
        let all = median(ratios).unwrap_or(0.0);
        writeln!(lab.output, "median {all:.2} of {count} positions")?;
        check_stop(lab.stop)?;
        meets_the_bar(all >= self.bar, || format!("{all:.2}"))
    }
}

/// Depth and time of the last complete iteration. An iteration whose proof search the clock cut short is reported but
/// does not count.
fn last_iteration(game: &Game, threads: usize, limits: &Limits, stop: &Stop) -> Option<(u32, Duration)> {
    /// The system is slow to map fresh memory, the more so for two threads: a large table would measure that.
    const MEBIBYTES: usize = 32;
    let mut last = None;
    let request = SearchRequest { limits: *limits, threads, ..SearchRequest::default() };
    Searcher::new(MEBIBYTES).search(game, request, stop, &mut |report| {
        if limits.time.is_none_or(|limit| report.time < limit) {
            last = Some((report.depth, report.time));
        }
    })?;
    last
}

fn median(mut figures: Vec<f64>) -> Option<f64> {
    figures.sort_by(f64::total_cmp);
    figures.get(figures.len() / 2).copied()
}
