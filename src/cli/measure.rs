//! `privy measure`: how well the engine plays without tables.

use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use clap::{Args, Subcommand};
use privy_protocol::Score;

use crate::atomic_file::AtomicFile;
use crate::engine::WinRate;
use crate::eval::Weights;
use crate::path_choice::PathChoice;
use crate::render::LinePlot;
use crate::rules::{Side, Variant};
use crate::search::Limits;
use crate::tablebase::Tables;
use crate::tuning::{EndgameRequest, Mover, MoverRequest, ScoredGames, UNSEEN};

use super::common::{SolvableVariants, TablesArgument, cores, find_variants, interrupt_stop};
use super::error::CliError;

#[derive(Subcommand)]
pub(super) enum MeasureCommand {
    /// Does it win what is won? Positions won by the table, against the longest defence
    ///
    /// A position counts as won when the game is won within three times the table's length.
    Conversion(EndgameArguments),
    /// Does it hold out in what is lost? Positions lost by the table, against the shortest win
    Defence(EndgameArguments),
    /// Does it beat opponents that do not search? Games from the opening, against random moves and against a greedy capturer
    Movers(MoverArguments),
    /// Do the predicted win rates come true? Games against itself in which both sides err, other games than win rates are fitted to
    Calibration(CalibrationArguments),
}

impl MeasureCommand {
    pub(super) fn run(self, tables: &TablesArgument, output: &mut impl Write) -> Result<(), CliError> {
        match self {
            MeasureCommand::Conversion(arguments) => arguments.run(true, tables, output),
            MeasureCommand::Defence(arguments) => arguments.run(false, tables, output),
            MeasureCommand::Movers(arguments) => arguments.run(output),
            MeasureCommand::Calibration(arguments) => arguments.run(output),
        }
    }
}

// Predicted win rates against results.
#[derive(Args)]
pub(super) struct CalibrationArguments {
    /// Ids or files of variants
    #[arg(required = true)]
    variants: Vec<String>,
    /// Games of each variant
    #[arg(long, value_name = "N", default_value_t = 300, value_parser = clap::value_parser!(u32).range(1..))]
    games: u32,
    /// Positions that the engine looks at for a move
    #[arg(long, value_name = "N", default_value_t = 1_000, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// Draw them as a diagram, too: an SVG file
    #[arg(long, value_name = "FILE")]
    diagram: Option<PathBuf>,
}

impl CalibrationArguments {
    fn run(&self, output: &mut impl Write) -> Result<(), CliError> {
        let stop = interrupt_stop();
        let mut lines = vec![("as told".to_owned(), vec![(0.0, 0.0), (100.0, 100.0)])];
        for variant in find_variants(&self.variants)? {
            let win_rate = WinRate::of(&variant);
            let predicted = |rebels: f64| {
                let score = Score::Evaluation((rebels * 100.0).round() as i32);
                win_rate.winning(score, Side::General)
            };
            let reliability =
                ScoredGames::play(&variant, UNSEEN, self.games, self.nodes, &stop)?.reliability(predicted);
            writeln!(output, "{}: {reliability}", variant.id())?;
            output.flush()?;
            lines.push((variant.id().to_owned(), reliability.points()));
        }
        let Some(path) = &self.diagram else { return Ok(()) };
        let title = "How often the General wins, by the chance told".to_owned();
        let plot = LinePlot { title, across: "chance told, %".to_owned(), dots: true, lines };
        let written = AtomicFile::create(path).and_then(|mut file| {
            file.write_all(plot.svg().as_bytes())?;
            file.commit()
        });
        written.map_err(CliError::cannot_load(path))
    }
}

// Play against opponents that do not search.
#[derive(Args)]
pub(super) struct MoverArguments {
    /// Ids or files of variants
    #[arg(required = true)]
    variants: Vec<String>,
    /// Games of each variant, side and opponent
    #[arg(long, value_name = "N", default_value_t = 40)]
    games: usize,
    /// The side that the engine plays, general or rebels; both without it
    #[arg(long)]
    side: Option<Side>,
    /// Positions that the engine looks at for a move
    #[arg(long, value_name = "N", default_value_t = 3_000)]
    nodes: u64,
    /// Plies after which a game is a draw; to take eleven Geese of seventeen takes some two hundred
    #[arg(long, value_name = "N", default_value_t = 500)]
    plies: usize,
    /// Weights of the evaluation: auto for those of the variant, off for those of its family, or a file
    #[arg(long, value_name = "CHOICE", default_value_t)]
    weights: PathChoice,
    /// The number from which all choices are drawn
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
}

impl MoverArguments {
    fn run(&self, output: &mut impl Write) -> Result<(), CliError> {
        let stop = interrupt_stop();
        for variant in find_variants(&self.variants)? {
            for (engine, mover) in
                sides(self.side).flat_map(|side| [Mover::Random, Mover::Greedy].map(|mover| (side, mover)))
            {
                let request = MoverRequest {
                    variant: Arc::clone(&variant),
                    engine,
                    mover,
                    games: self.games,
                    nodes: self.nodes,
                    plies: self.plies,
                    weights: read_weights(&self.weights, &variant)?,
                    seed: self.seed,
                };
                writeln!(output, "{}: {engine} against {mover} moves: {}", variant.id(), request.play(&stop)?)?;
                output.flush()?;
            }
        }
        Ok(())
    }
}

/// One side, or both.
fn sides(only: Option<Side>) -> impl Iterator<Item = Side> {
    [Side::General, Side::Rebels].into_iter().filter(move |side| only.is_none_or(|only| only == *side))
}

fn read_weights(choice: &PathChoice, variant: &Variant) -> Result<Option<Weights>, CliError> {
    Weights::chosen(choice, variant).map(Some).map_err(|error| CliError::File(error.to_string()))
}

// Positions from which the engine plays against the table, and its limits.
#[derive(Args)]
pub(super) struct EndgameArguments {
    #[command(flatten)]
    variants: SolvableVariants,
    /// Positions of each variant and side
    #[arg(long, value_name = "N", default_value_t = 100)]
    positions: usize,
    /// The side that the engine plays, general or rebels; both without it
    #[arg(long)]
    side: Option<Side>,
    /// Positions that the engine looks at for a move
    #[arg(long, value_name = "N", default_value_t = 300_000, conflicts_with = "time")]
    nodes: u64,
    /// Wall time of a move in milliseconds, instead of nodes
    #[arg(long, value_name = "MS")]
    time: Option<u64>,
    /// The shortest distance to the end, in plies
    #[arg(long, value_name = "N", default_value_t = 16)]
    from: u32,
    /// The longest distance to the end, in plies
    #[arg(long, value_name = "N", default_value_t = 40)]
    to: u32,
    /// Threads of a search
    #[arg(long, value_name = "N", default_value_t = 1)]
    threads: usize,
    /// Size of the transposition table
    #[arg(long, value_name = "MIB", default_value_t = 16)]
    hash: usize,
    /// Games at a time; as many as there are cores without it, but with a limit of time one
    #[arg(long, value_name = "N")]
    games_at_a_time: Option<usize>,
    /// Weights of the evaluation: auto for those of the variant, off for those of its family, or a file
    #[arg(long, value_name = "CHOICE", default_value_t)]
    weights: PathChoice,
    /// The number from which all choices are drawn
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Print a line for each game, too
    #[arg(long)]
    games: bool,
}

impl EndgameArguments {
    fn run(&self, wins: bool, tables: &TablesArgument, output: &mut impl Write) -> Result<(), CliError> {
        let (tables, stop) = (Tables::new(tables.choice()), interrupt_stop());
        let time = self.time.map(Duration::from_millis);
        for variant in self.variants.find()? {
            for engine in sides(self.side) {
                let request = EndgameRequest {
                    table: tables.find(&variant)?,
                    engine,
                    wins,
                    distances: self.from..=self.to,
                    positions: self.positions,
                    limits: Limits { time, nodes: time.is_none().then_some(self.nodes), ..Limits::default() },
                    threads: self.threads,
                    mebibytes: self.hash,
                    games_at_a_time: self.games_at_a_time.unwrap_or(if time.is_some() { 1 } else { cores() }),
                    weights: read_weights(&self.weights, &variant)?,
                    seed: self.seed,
                };
                let played = request.play(&stop)?;
                writeln!(output, "{}: {played}", variant.id())?;
                for game in played.games.iter().filter(|_| self.games) {
                    let winner = game.winner.map_or_else(|| "nobody".to_owned(), |side| side.to_string());
                    writeln!(output, "  {}: {} won after {} plies", game.start, winner, game.plies)?;
                }
            }
        }
        Ok(())
    }
}
