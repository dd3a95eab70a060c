//! `privy go`: one search, or many for others.

use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;
use privy_protocol::{InputLine, LineReader, Score};
use serde_json::{Value, json};

use crate::bounded_read::open_file;
use crate::engine::{Engine, GoLimits};
use crate::gtp::info;
use crate::prove::Batch;
use crate::rules::{Game, Variant};
use crate::search::{SearchInfo, SearchResult, Stop, nodes_per_second};

use super::common::{
    MOST_MS, MOST_NODES, MOST_PLIES, TablesArgument, find_position, find_variant, option_number, set_options, within,
};
use super::error::CliError;

/// Search one position and print the best move
///
/// Prints the lines that `go` answers in the protocol, the last one being `bestmove MOVE`; or one JSON object. The
/// first limit reached ends the search; without any it takes one second.
///
/// With --batch it does jobs of `privy prove`: a line `judge …` for each, as --export-jobs writes them. Each is answered at once by a line,
/// the job with the verdict behind it or, for a line that is no job, `error: …`.
#[derive(Args)]
pub(super) struct GoArguments {
    /// Id or file of the variant
    #[arg(required_unless_present = "batch")]
    variant: Option<String>,
    /// Position text; the opening without it
    #[arg(long, value_name = "TEXT")]
    fen: Option<String>,
    /// Do the jobs of a file, - or nothing for standard input; a variant is named where jobs are of one that is not built in
    #[arg(long, value_name = "FILE", num_args = 0..=1, default_missing_value = "-")]
    #[arg(conflicts_with_all = ["fen", "time", "depth", "nodes", "multi_pv", "threads", "hash", "json"])]
    batch: Option<PathBuf>,
    /// Wall time in milliseconds
    #[arg(long, value_name = "MS", value_parser = within(0..=MOST_MS))]
    time: Option<u64>,
    /// Depth in plies
    #[arg(long, value_name = "N", value_parser = within(1..=MOST_PLIES))]
    depth: Option<u32>,
    /// Positions reached by making a move
    #[arg(long, value_name = "N", value_parser = within(1..=MOST_NODES))]
    nodes: Option<u64>,
    /// How many best lines to report
    #[arg(long, value_name = "N", value_parser = option_number("multi_pv"))]
    multi_pv: Option<u64>,
    /// Threads of the search
    #[arg(long, value_name = "N", value_parser = option_number("threads"))]
    threads: Option<u64>,
    /// Size of the transposition table
    #[arg(long, value_name = "MIB", value_parser = option_number("hash"))]
    hash: Option<u64>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

impl GoArguments {
    pub(super) fn run(&self, tables: &TablesArgument, output: &mut impl Write) -> Result<(), CliError> {
        let variant = self.variant.as_deref().map(find_variant).transpose()?;
        if let Some(path) = &self.batch {
            return do_jobs(path, variant, output);
        }
        let expected = || CliError::Usage("VARIANT: expected the id or file of a variant".to_owned());
        let variant = variant.ok_or_else(expected)?;
        let game = find_position(&variant, self.fen.as_deref())?;
        let mut engine = Engine::at(game.clone());
        let numbers = [("multi_pv", self.multi_pv), ("threads", self.threads), ("hash", self.hash)];
        set_options(&mut engine, &numbers, tables).map_err(|error| CliError::Usage(error.to_string()))?;
        let limits = engine.prepare_search(&GoLimits {
            time_ms: self.time,
            depth: self.depth,
            nodes: self.nodes,
            ..GoLimits::default()
        })?;
        let stop = Stop::default();
        let mut failure = None;
        let result = engine.search(&limits, &stop, &mut |line| {
            if !self.json
                && let Err(error) = writeln!(output, "{}", info(&game, line)).and_then(|()| output.flush())
            {
                failure.get_or_insert(error);
                stop.set();
            }
        });
        if let Some(error) = failure {
            return Err(error.into());
        }
        let Some(result) = result else { return Ok(()) };
        if self.json {
            writeln!(output, "{}", result_json(&game, &result))?;
        } else {
            writeln!(output, "bestmove {}", game.move_text(&result.best))?;
        }
        Ok(())
    }
}

fn do_jobs(path: &Path, given: Option<Arc<Variant>>, output: &mut impl Write) -> Result<(), CliError> {
    let input: Box<dyn Read> = match path.to_str() {
        Some("-") => Box::new(io::stdin()),
        _ => Box::new(open_file(path).map_err(CliError::cannot_load(path))?),
    };
    let mut lines = LineReader::new(input);
    let mut batch = Batch::new(given);
    for number in 1.. {
        let Some(line) = lines.next().transpose().map_err(CliError::cannot_load(path))? else { break };
        match line {
            InputLine::Blank | InputLine::Interrupt => continue,
            InputLine::Rejected(rejection) => writeln!(output, "error: line {number}: {}", rejection.error)?,
            InputLine::Command(line) => match batch.answer(line.as_str()) {
                Ok(result) => writeln!(output, "{result}")?,
                Err(error) => writeln!(output, "error: line {number}: {error}")?,
            },
        }
        output.flush()?;
    }
    Ok(())
}

fn result_json(game: &Game, result: &SearchResult) -> Value {
    let line = |report: &SearchInfo| {
        json!({
            "rank": report.rank,
            "depth": report.depth,
            "seldepth": report.selective_depth,
            "sure_depth": report.proven_depth,
            "score": info(game, report).score.to_string(),
            "bound": report.bound.map(|bound| bound.to_string()),
            "hundredths": report.score.hundredths(),
            "proved_draw": report.score == Score::Draw && report.bound.is_none(),
            "win_in": report.score.distance().filter(|_| report.score.is_win()),
            "loss_in": report.score.distance().filter(|_| report.score.is_loss()),
            "pv": game.line_texts(&report.line),
        })
    };
    json!({
        "variant": game.variant().id(),
        "fingerprint": game.variant().fingerprint(),
        "position": game.to_string(),
        "bestmove": game.move_text(&result.best),
        "lines": result.lines.iter().map(line).collect::<Vec<_>>(),
        "nodes": result.nodes,
        "tbhits": result.lines.first().map_or(0, |report| report.table_hits),
        "nps": nodes_per_second(result.nodes, result.time),
        "time_ms": u64::try_from(result.time.as_millis()).unwrap_or(u64::MAX),
    })
}
