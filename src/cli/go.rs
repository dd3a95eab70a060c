//! `privy go`: one search.

use std::io::Write;

use clap::Args;
use privy_program::{CliError, TablesArgument, interrupt_stop};
use privy_protocol::clock::milliseconds;
use privy_protocol::{Score, Verdict};
use serde_json::{Value, json};

use privy_engine::Engine;
use privy_rules::Game;
use privy_search::{SearchInfo, SearchResult, nodes_per_second};

use super::analyze::LineScore;
use super::common::{PositionArguments, SearchArguments};

/// Search one position and print the best move
///
/// Prints the lines that `go` answers in the protocol, the last one being `bestmove MOVE`; or one JSON object. The
/// first limit reached ends the search; without any it takes one second. An interrupt ends it earlier, with the best
/// move so far.
#[derive(Args)]
pub(super) struct GoCommandArguments {
    #[command(flatten)]
    position: PositionArguments,
    #[command(flatten)]
    search: SearchArguments,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

impl GoCommandArguments {
    pub(super) fn run(&self, tables: &TablesArgument, output: &mut impl Write) -> Result<(), CliError> {
        let game = self.position.game()?;
        let mut engine = Engine::at(game.clone());
        self.search.apply(&mut engine, self.search.threads, tables)?;
        let limits = self.search.limits();
        let request = engine.read_request(&privy_protocol::GoArguments { limits, ..Default::default() })?;
        let stop = interrupt_stop();
        let mut failure = None;
        let mut print = |line: &SearchInfo| {
            if !self.json
                && let Err(error) =
                    writeln!(output, "{}", line.text(&game.line_texts(&line.pv))).and_then(|()| output.flush())
            {
                failure.get_or_insert(error);
                stop.set();
            }
        };
        let result = engine.go(&request, &stop, Some(&mut print));
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
        let LineScore { verdict: Verdict { score, bound }, winrate, exact, proven_depth } = LineScore::of(report);
        json!({
            "rank": report.multipv,
            "depth": report.depth,
            "seldepth": report.seldepth,
            "proven_depth": proven_depth,
            "score": score.to_string(),
            "winrate": winrate,
            "bound": bound.map(|bound| bound.to_string()),
            "exact": exact,
            "cut": report.is_cut,
            "hundredths": score.hundredths(),
            "proved_draw": score == Score::Draw && bound.is_none(),
            "win_in": score.distance().filter(|_| score.is_win()),
            "loss_in": score.distance().filter(|_| score.is_loss()),
            "pv": game.line_texts(&report.pv),
        })
    };
    json!({
        "variant": game.variant().id(),
        "fingerprint": game.variant().fingerprint(),
        "position": game.to_string(),
        "best": game.move_text(&result.best),
        "lines": result.lines.iter().map(line).collect::<Vec<_>>(),
        "nodes": result.nodes,
        "tbhits": result.lines.first().map_or(0, |report| report.tbhits),
        "nps": nodes_per_second(result.nodes, result.time),
        "time": milliseconds(result.time),
    })
}
