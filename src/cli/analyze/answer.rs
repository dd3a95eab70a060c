//! A line out: what a search has found, or why there was none. `privy go --json` tells its lines in the same words.

use privy_base::message::safe_json;
use privy_protocol::clock::milliseconds;
use privy_rules::Game;
use privy_search::eval::MAX_DISTANCE;
use privy_search::{SearchInfo, SearchResult};
use serde::Serialize;
use serde_json::Value;

/// What all JSON tells of the score of a line.
#[derive(Debug, Serialize)]
pub(crate) struct LineScore {
    /// As the protocol writes it.
    pub(crate) score: String,
    /// The chance of winning of the side to move, to four decimals.
    pub(crate) winrate: Option<f64>,
    pub(crate) bound: Option<String>,
    /// True if the score is proved, and no bound.
    pub(crate) exact: bool,
    pub(crate) proven_depth: u32,
}

impl LineScore {
    pub(crate) fn of(info: &SearchInfo) -> LineScore {
        let is_known = info.score.is_proved() || info.proven_depth >= MAX_DISTANCE;
        LineScore {
            score: info.score.to_string(),
            winrate: info.winrate.map(|chance| (chance * 10_000.0).round() / 10_000.0),
            bound: info.bound.map(|bound| bound.to_string()),
            exact: info.bound.is_none() && is_known,
            proven_depth: info.proven_depth,
        }
    }
}

#[derive(Serialize)]
struct AnswerLine {
    score: String,
    winrate: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    bound: Option<String>,
    pv: Vec<String>,
}

/// Score and depth are those of the best line. A search that is ended before its first iteration has no lines, and neither score nor chance.
#[derive(Serialize)]
struct Answer<'a> {
    id: &'a Value,
    best: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    score: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    winrate: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    bound: Option<String>,
    exact: bool,
    proven_depth: u32,
    depth: u32,
    nodes: u64,
    time: u64,
    lines: Vec<AnswerLine>,
}

#[derive(Serialize)]
struct Failure<'a> {
    id: &'a Value,
    error: &'a str,
}

#[derive(Serialize)]
struct Cancelled<'a> {
    id: &'a Value,
    cancel: &'a Value,
}

fn json(line: &impl Serialize) -> String {
    let text = serde_json::to_string(line).expect("strings, numbers and values of JSON are written");
    safe_json(&text)
}

/// The line of a search.
pub(super) fn found(id: &Value, game: &Game, result: &SearchResult) -> String {
    let first = result.lines.first().map(LineScore::of);
    let line = |info: &SearchInfo| {
        let LineScore { score, winrate, bound, .. } = LineScore::of(info);
        AnswerLine { score, winrate, bound, pv: game.line_texts(&info.pv) }
    };
    json(&Answer {
        id,
        best: game.move_text(&result.best),
        winrate: first.as_ref().and_then(|first| first.winrate),
        bound: first.as_ref().and_then(|first| first.bound.clone()),
        exact: first.as_ref().is_some_and(|first| first.exact),
        proven_depth: first.as_ref().map_or(0, |first| first.proven_depth),
        score: first.map(|first| first.score),
        depth: result.lines.first().map_or(0, |line| line.depth),
        nodes: result.nodes,
        time: milliseconds(result.time),
        lines: result.lines.iter().map(line).collect(),
    })
}

/// The line of a line that was wrong.
pub(super) fn refused(id: &Value, error: &str) -> String {
    json(&Failure { id, error })
}

/// The line of a line that cancels another.
pub(super) fn cancelled(id: &Value, of: &Value) -> String {
    json(&Cancelled { id, cancel: of })
}
