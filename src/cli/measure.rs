//! `privy measure`: how well the engine plays without tables.

use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use clap::{Args, Subcommand};

use crate::eval::Weights;
use crate::rules::{Side, Variant};
use crate::search::Limits;
use crate::tablebase::Tables;
use crate::tuning::EndgameRequest;

use super::common::{SolvableVariants, TablesArgument, cores, interrupt_flag, read_text};
use super::error::CliError;

#[derive(Subcommand)]
pub(super) enum MeasureCommand {
    /// Does it win what is won? Positions won by the table, against the longest defence
    ///
    /// A position counts as won when the game is won within three times the table's length.
    Conversion(EndgameArguments),
    /// Does it hold out in what is lost? Positions lost by the table, against the shortest win
    Defence(EndgameArguments),
}

// From which positions, and how, the engine plays against the table.
#[derive(Args)]
pub(super) struct EndgameArguments {
    #[command(flatten)]
    variants: SolvableVariants,
    /// Positions of each variant and side
    #[arg(long, value_name = "N", default_value_t = 100)]
    positions: usize,
    /// The side that the engine plays; both without it
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
    /// Weights of the evaluation instead of those of the variant
    #[arg(long, value_name = "FILE")]
    weights: Option<PathBuf>,
    /// The number from which all choices are drawn
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Print a line for each game, too
    #[arg(long)]
    games: bool,
}

impl MeasureCommand {
    /// Plays all games and prints a line for each variant and side.
    ///
    /// # Errors
    /// When there is no table, or an interrupt came.
    pub(super) fn run(self, tables: &TablesArgument, output: &mut impl Write) -> Result<(), CliError> {
        let (wins, arguments) = match self {
            MeasureCommand::Conversion(arguments) => (true, arguments),
            MeasureCommand::Defence(arguments) => (false, arguments),
        };
        let (tables, stop) = (Tables::new(tables.choice()), interrupt_flag());
        for variant in arguments.variants.find()? {
            for side in [Side::General, Side::Rebels] {
                if arguments.side.is_none_or(|only| only == side) {
                    let played = arguments.request(&variant, &tables, side, wins)?.play(&stop)?;
                    writeln!(output, "{}: {played}", variant.id())?;
                    for game in played.games.iter().filter(|_| arguments.games) {
                        let winner = game.winner.map_or_else(|| "nobody".to_owned(), |side| side.to_string());
                        writeln!(output, "  {}: {} won after {} plies", game.start, winner, game.plies)?;
                    }
                }
            }
        }
        Ok(())
    }
}

impl EndgameArguments {
    fn request(
        &self,
        variant: &Arc<Variant>,
        tables: &Tables,
        engine: Side,
        wins: bool,
    ) -> Result<EndgameRequest, CliError> {
        let weights = match &self.weights {
            None => None,
            Some(path) => {
                let read = Weights::from_toml(&read_text(path)?, variant);
                Some(read.map_err(|error| CliError::File(format!("{}: {error}", path.display())))?)
            }
        };
        let limits = match self.time {
            Some(ms) => Limits { time: Some(Duration::from_millis(ms)), ..Limits::default() },
            None => Limits { nodes: Some(self.nodes), ..Limits::default() },
        };
        Ok(EndgameRequest {
            table: tables.find(variant)?,
            engine,
            wins,
            distances: self.from..=self.to,
            positions: self.positions,
            limits,
            threads: self.threads,
            mebibytes: self.hash,
            games_at_a_time: self.games_at_a_time.unwrap_or(if self.time.is_some() { 1 } else { cores() }),
            weights,
            seed: self.seed,
        })
    }
}
