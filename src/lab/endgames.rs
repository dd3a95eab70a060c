//! Conversion and defence: games of the engine without tables against perfect play, from won and from lost positions.
//!
//! Positions come from games in which both sides err, and are spread evenly over the distance to the end. The opponent
//! plays by the table: as loser the longest defence, as winner the shortest win. A won position counts as converted
//! when the game is won within three times the distance.

use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;

use clap::Args;
use privy_base::path_choice::PathChoice;
use privy_base::random::Random;
use privy_base::threads::{Threads, cores};
use privy_program::{CliError, SolvableVariants, within};
use privy_rules::{Game, Side, Variant};
use privy_search::eval::Weights;
use privy_search::{PreparedVariant, SearchRequest, Searcher, Stop};
use privy_tables::{Table, TableError, TableValue, Tables};
use rayon::prelude::*;
use serde_json::{Value, json};

use super::play::{best_by_search, best_by_table, check_begins, play_out};
use super::{Lab, MoveLimit, percent};

/// A game is given up after this multiple of the distance to the end.
const PATIENCE: usize = 3;
/// Games from which positions are taken, and their most plies.
const GAMES: u64 = 3_000;
const PLIES: usize = 200;
/// Most random plies at the beginning of such a game; later one move in N is an error.
const RANDOM_PLIES: u64 = 40;
const ERRORS: [u64; 4] = [2, 3, 6, 12];

// What the engine plays with.
#[derive(Args)]
pub(super) struct EngineSide {
    /// The side that the engine plays, general or rebels; both without it
    #[arg(long)]
    side: Option<Side>,
    /// Weights of the evaluation: auto for those of the variant, off for those of its family, or a file
    #[arg(long, value_name = "CHOICE", default_value_t)]
    weights: PathChoice,
    /// Random seed of all choices
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = within(0_u64..=u64::MAX))]
    pub(super) seed: u64,
}

impl EngineSide {
    pub(super) fn sides(&self) -> impl Iterator<Item = Side> {
        [Side::General, Side::Rebels].into_iter().filter(|side| self.side.is_none_or(|only| only == *side))
    }

    pub(super) fn prepared(&self, variant: &Arc<Variant>) -> Result<Arc<PreparedVariant>, CliError> {
        let weights = Weights::chosen(&self.weights, variant).map_err(|error| CliError::File(error.to_string()))?;
        Ok(Arc::new(PreparedVariant::with_weights(variant, Some(weights))))
    }
}

// Positions from which the engine plays against the table, and its limits.
#[derive(Args)]
pub(super) struct EndgameArguments {
    #[command(flatten)]
    variants: SolvableVariants,
    /// Positions of each variant and side
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = within(1_usize..=1_000_000))]
    positions: usize,
    #[command(flatten)]
    limit: MoveLimit,
    /// The shortest distance to the end, in plies
    #[arg(long, value_name = "N", default_value_t = 16, value_parser = within(1_u32..=100_000))]
    from: u32,
    /// The longest distance to the end, in plies
    #[arg(long, value_name = "N", default_value_t = 40, value_parser = within(1_u32..=100_000))]
    to: u32,
    /// Threads of a search
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = within(1_usize..=256))]
    threads: usize,
    /// Size of the transposition table
    #[arg(long, value_name = "MIB", default_value_t = 16, value_parser = within(1_usize..=65_536))]
    hash: usize,
    /// Parallel games; by default as many as there are cores, but one with a limit of time
    #[arg(long, value_name = "N", value_parser = within(1_usize..=1_024))]
    games_at_a_time: Option<usize>,
    #[command(flatten)]
    engine: EngineSide,
    /// Print a line for each game, too
    #[arg(long)]
    games: bool,
}

impl EndgameArguments {
    pub(super) fn run(&self, wins: bool, lab: &mut Lab<'_>) -> Result<(), CliError> {
        let tables = Tables::new(lab.tables.choice());
        for variant in self.variants.find()? {
            for engine in self.engine.sides() {
                let table = tables.find(&variant)?;
                let prepared = self.engine.prepared(&variant)?;
                let endgames = Endgames { arguments: self, table, prepared, engine, wins, stop: lab.stop };
                let played = endgames.play()?;
                let (line, figures) = endgames.summary(&played);
                lab.tell(format_args!("{}: {line}", variant.id()), || figures)?;
                for Endgame { start, winner, plies, .. } in played.iter().filter(|_| self.games) {
                    let who = winner.map_or_else(|| "nobody".to_owned(), |side| side.to_string());
                    let figures = || json!({"position": start.to_string(), "winner": winner, "plies": plies});
                    lab.tell(format_args!("  {start}: {who} won after {plies} plies"), figures)?;
                }
            }
        }
        Ok(())
    }
}

/// Games of the engine from positions won, or lost, for a side.
struct Endgames<'a> {
    arguments: &'a EndgameArguments,
    table: Arc<Table>,
    prepared: Arc<PreparedVariant>,
    /// The side of the engine, which is to move.
    engine: Side,
    /// The engine wins; else it defends.
    wins: bool,
    stop: &'a Stop,
}

struct Endgame {
    start: Game,
    /// Plies to the end by the table.
    distance: u32,
    /// Plies played.
    plies: usize,
    /// `None` for a draw, or when the game was given up.
    winner: Option<Side>,
}

impl Endgames<'_> {
    fn play(&self) -> Result<Vec<Endgame>, CliError> {
        check_begins(self.table.variant())?;
        let positions = self.positions()?;
        let usual = || if self.arguments.limit.time.is_some() { 1 } else { cores() };
        Threads::new(self.arguments.games_at_a_time.unwrap_or_else(usual)).run(|| {
            let numbered = positions.into_par_iter().enumerate().with_max_len(1);
            numbered.map(|(number, (distance, start))| self.play_one(number, distance, start)).collect()
        })
    }

    /// The distance to the end, if the position fits.
    fn fitting_distance(&self, game: &Game) -> Result<Option<u32>, TableError> {
        if game.side() != self.engine {
            return Ok(None);
        }
        let plies = match self.table.probe(game) {
            Ok(TableValue::Win(plies)) if self.wins => plies,
            Ok(TableValue::Loss(plies)) if !self.wins => plies,
            Ok(_) | Err(TableError::NotCovered(_)) => return Ok(None),
            Err(error) => return Err(error),
        };
        Ok((self.arguments.from..=self.arguments.to).contains(&plies).then_some(plies))
    }

    /// Distinct positions, spread evenly over the distances as far as there are enough.
    fn positions(&self) -> Result<Vec<(u32, Game)>, CliError> {
        let found: Result<Vec<_>, CliError> =
            (0..GAMES).into_par_iter().map(|number| self.positions_of_game(number)).collect();
        let (mut seen, mut by_distance) = (HashSet::new(), BTreeMap::<u32, Vec<Game>>::new());
        for (distance, game) in found?.into_iter().flatten() {
            if seen.insert(game.position().hash()) {
                by_distance.entry(distance).or_default().push(game);
            }
        }
        let mut chosen = Vec::new();
        while chosen.len() < self.arguments.positions && by_distance.values().any(|games| !games.is_empty()) {
            for (distance, games) in &mut by_distance {
                chosen.extend(games.pop().map(|game| (*distance, game)));
            }
        }
        chosen.truncate(self.arguments.positions);
        Ok(chosen)
    }

    /// Positions of one game between players that err.
    fn positions_of_game(&self, number: u64) -> Result<Vec<(u32, Game)>, CliError> {
        let mut random = Random::numbered(self.arguments.engine.seed, number);
        let mut found = Vec::new();
        let random_plies = random.below(RANDOM_PLIES + 1) as usize;
        let errors = [(); 2].map(|()| *random.pick(&ERRORS).expect("there are some"));
        play_out(&mut self.table.variant().start(), PLIES, self.stop, |game| {
            found.extend(self.fitting_distance(game)?.map(|distance| (distance, game.without_history())));
            let rate = errors[usize::from(game.side() == Side::Rebels)];
            let errs = game.moves().len() < random_plies || random.below(rate) == 0;
            let best = if errs { None } else { best_by_table(&self.table, game, &mut random)? };
            let any = || random.pick(&game.legal_moves()).cloned().expect("an unfinished game has a move");
            Ok(best.unwrap_or_else(any))
        })?;
        Ok(found)
    }

    fn play_one(&self, number: usize, distance: u32, start: Game) -> Result<Endgame, CliError> {
        let arguments = self.arguments;
        let limits = arguments.limit.or_nodes(300_000);
        let request = SearchRequest { limits, threads: arguments.threads, ..SearchRequest::default() };
        let mut random = Random::numbered(!arguments.engine.seed, number as u64);
        let mut searcher = Searcher::prepared_for(Arc::clone(&self.prepared), arguments.hash);
        let mut game = start.clone();
        let winner = play_out(&mut game, PATIENCE * distance as usize, self.stop, |game| {
            if game.side() == self.engine {
                return Ok(best_by_search(&mut searcher, game, request.clone(), self.stop));
            }
            let best = best_by_table(&self.table, game, &mut random)?;
            Ok(best.expect("the table covers what follows from a position that it covers"))
        })?;
        Ok(Endgame { start, distance, plies: game.moves().len(), winner })
    }

    /// A line, and its figures: the games won or held, and the median of plies played over plies by the table, where a
    /// game that the winner did not win counts as infinite.
    fn summary(&self, games: &[Endgame]) -> (String, Value) {
        let winner = if self.wins { self.engine } else { !self.engine };
        let ratio = |game: &Endgame| match game.winner {
            Some(side) if side == winner => game.plies as f64 / f64::from(game.distance),
            _ => f64::INFINITY,
        };
        let mut ratios: Vec<f64> = games.iter().map(ratio).collect();
        ratios.sort_by(f64::total_cmp);
        let (engine, count) = (self.engine, games.len());
        let won_by = |side| games.iter().filter(|game| game.winner == Some(side)).count();
        let (won, lost) = (won_by(engine), won_by(!engine));
        let median = ratios.get(count / 2).copied();
        let figures = json!({
            "variant": self.table.variant().id(), "side": engine, "games": count, "won": won, "lost": lost,
            "median_length": median.filter(|median| median.is_finite()),
        });
        let Some(median) = median else { return (format!("{engine}: no positions"), figures) };
        let held = if self.wins {
            format!("{won} of {count} won ({:.1} %), {lost} lost", percent(won, count))
        } else {
            format!("{} of {count} not lost ({:.1} %)", count - lost, percent(count - lost, count))
        };
        (format!("{engine}: {held}, median length {median:.2} of the table's"), figures)
    }
}
