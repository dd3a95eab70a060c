//! `privy go`: one search.

use std::io::Write;
use std::time::Duration;

use clap::Args;
use privy_protocol::clock::milliseconds;
use privy_protocol::{Limits, Score};
use serde_json::{Value, json};

use privy_engine::Engine;
use privy_rules::Game;
use privy_search::{SearchInfo, SearchResult, nodes_per_second};

use super::common::{
    MOST_MS, MOST_NODES, MOST_PLIES, PositionArguments, TablesArgument, interrupt_stop, option_number, set_options,
    within,
};
use super::error::CliError;

/// Search one position and print the best move
///
/// Prints the lines that `go` answers in the protocol, the last one being `bestmove MOVE`; or one JSON object. The
/// first limit reached ends the search; without any it takes one second. An interrupt ends it earlier, with the best move so far.
#[derive(Args)]
pub(super) struct GoArguments {
    #[command(flatten)]
    position: PositionArguments,
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
        let game = self.position.game()?;
        let mut engine = Engine::at(game.clone());
        let numbers = [("multi_pv", self.multi_pv), ("threads", self.threads), ("hash", self.hash)];
        set_options(&mut engine, &numbers, tables).map_err(|error| CliError::Usage(error.to_string()))?;
        let time = self.time.map(Duration::from_millis);
        let limits = Limits { time, depth: self.depth, nodes: self.nodes, clock: None };
        let request = engine.read_request(&privy_protocol::GoArguments { limits, ..Default::default() })?;
        let stop = interrupt_stop();
        let mut failure = None;
        let result = engine.go(&request, &stop, &mut |line| {
            if !self.json
                && let Err(error) =
                    writeln!(output, "{}", line.with_pv(game.line_texts(&line.pv))).and_then(|()| output.flush())
            {
                failure.get_or_insert(error);
                stop.set();
            }
        });
        if let Some(error) = failure {
            return Err(error.into());
        }
        let result = result?;
        if self.json {
            writeln!(output, "{}", result_json(&game, &result))?;
        } else {
            writeln!(output, "bestmove {}", game.move_text(&result.best))?;
        }
        output.flush()?;
        match stop.is_set() {
            true => Err(CliError::Interrupted("the move is the best of the search so far".to_owned())),
            false => Ok(()),
        }
    }
}

fn result_json(game: &Game, result: &SearchResult) -> Value {
    let line = |report: &SearchInfo| {
        json!({
            "rank": report.multipv,
            "depth": report.depth,
            "seldepth": report.seldepth,
            "sure_depth": report.proven_depth,
            "score": report.score.to_string(),
            "bound": report.bound.map(|bound| bound.to_string()),
            "cut": report.is_cut,
            "winrate": report.winrate.map(|chance| (chance * 10_000.0).round() / 10_000.0),
            "hundredths": report.score.hundredths(),
            "proved_draw": report.score == Score::Draw && report.bound.is_none(),
            "win_in": report.score.distance().filter(|_| report.score.is_win()),
            "loss_in": report.score.distance().filter(|_| report.score.is_loss()),
            "pv": game.line_texts(&report.pv),
        })
    };
    json!({
        "variant": game.variant().id(),
        "fingerprint": game.variant().fingerprint(),
        "position": game.to_string(),
        "bestmove": game.move_text(&result.best),
        "lines": result.lines.iter().map(line).collect::<Vec<_>>(),
        "nodes": result.nodes,
        "tbhits": result.lines.first().map_or(0, |report| report.tbhits),
        "nps": nodes_per_second(result.nodes, result.time),
        "time_ms": milliseconds(result.time),
    })
}
