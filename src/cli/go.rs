//! One search from the command line.

use std::io::Write;
use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};

use crate::engine::{Engine, GoLimits};
use crate::gtp::info;
use crate::rules::{Position, Variant};
use crate::search::{SearchInfo, SearchResult, Stop, nodes_per_second};

use super::error::{CliError, find_position};

/// What to search and how long.
#[derive(Debug, Clone, Default)]
pub(super) struct GoRequest {
    /// A position text; the opening without one.
    pub(super) text: Option<String>,
    /// Wall time in ms.
    pub(super) time: Option<u64>,
    /// Depth in plies.
    pub(super) depth: Option<u32>,
    /// Nodes.
    pub(super) nodes: Option<u64>,
    /// Options by name, as `set_option` takes them.
    pub(super) options: Vec<(&'static str, String)>,
    /// One JSON object instead of lines.
    pub(super) json: bool,
}

/// Searches a position of a variant and writes reports and the best move, as the protocol does, or one JSON object.
///
/// # Errors
/// When the text is no position, the game is over, or the result can't be written.
pub(super) fn go(variant: &Arc<Variant>, request: &GoRequest, output: &mut impl Write) -> Result<(), CliError> {
    let position = find_position(variant, request.text.as_deref())?;
    let mut engine = Engine::at(position.clone());
    for (name, value) in &request.options {
        engine.set_option(name, value).map_err(|error| CliError::Usage(error.to_string()))?;
    }
    let limits = engine.prepare_search(GoLimits {
        time: request.time.map(Duration::from_millis),
        depth: request.depth,
        nodes: request.nodes,
        ..GoLimits::default()
    })?;
    let stop = Stop::default();
    let mut failure = None;
    let findings = engine.search(&limits, &stop, &mut |report| {
        if !request.json {
            let written = writeln!(output, "{}", info(&position, report)).and_then(|()| output.flush());
            if let Err(error) = written {
                failure.get_or_insert(error);
                stop.set();
            }
        }
    });
    if let Some(error) = failure {
        return Err(error.into());
    }
    let Some(findings) = findings else { return Ok(()) };
    if request.json {
        writeln!(output, "{}", findings_json(&position, &findings))?;
    } else {
        writeln!(output, "bestmove {}", position.move_text(&findings.best))?;
    }
    Ok(())
}

fn line_json(position: &Position, report: &SearchInfo) -> Value {
    json!({
        "rank": report.rank,
        "depth": report.depth,
        "seldepth": report.selective_depth,
        "sure_depth": report.proven_depth,
        "score": info(position, report).score.to_string(),
        "hundredths": report.score.distance().is_none().then(|| report.score.raw()),
        "proved_draw": report.is_proved_draw,
        "win_in": report.score.distance().filter(|_| report.score.is_win()),
        "loss_in": report.score.distance().filter(|_| report.score.is_loss()),
        "pv": position.line_texts(&report.line),
    })
}

fn findings_json(position: &Position, findings: &SearchResult) -> Value {
    json!({
        "variant": position.variant().id(),
        "fingerprint": position.variant().fingerprint(),
        "position": position.to_string(),
        "bestmove": position.move_text(&findings.best),
        "lines": findings.lines.iter().map(|report| line_json(position, report)).collect::<Vec<_>>(),
        "nodes": findings.nodes,
        "tbhits": findings.lines.first().map_or(0, |report| report.table_hits),
        "nps": nodes_per_second(findings.nodes, findings.time),
        "time_ms": u64::try_from(findings.time.as_millis()).unwrap_or(u64::MAX),
    })
}
