//! A line out: what a search has found, or why there was none. `privy go --json` tells its lines in the same words.

use std::fmt::Display;

use privy_base::message::safe_json;
use privy_protocol::Bound;
use privy_protocol::clock::milliseconds;
use privy_rules::{Game, MovePath, MoveText};
use privy_search::eval::MAX_DISTANCE;
use privy_search::{SearchInfo, SearchResult};
use serde::{Serialize, Serializer};
use serde_json::Value;

/// A value that JSON has as its text.
#[derive(Debug)]
pub(crate) struct AsText<T>(T);

impl<T: Display> Serialize for AsText<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&self.0)
    }
}

/// What all JSON tells of the score of a line.
#[derive(Debug)]
pub(crate) struct LineScore {
    /// As the protocol writes it.
    pub(crate) score: String,
    /// The chance of winning of the side to move, to four decimals.
    pub(crate) winrate: Option<f64>,
    pub(crate) bound: Option<AsText<Bound>>,
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
            bound: info.bound.map(AsText),
            exact: info.bound.is_none() && is_known,
            proven_depth: info.proven_depth,
        }
    }
}

#[derive(Serialize)]
struct AnswerLine<'a> {
    score: &'a str,
    winrate: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    bound: Option<&'a AsText<Bound>>,
    pv: Vec<AsText<MoveText>>,
}

/// Score and depth are those of the best line. A search that is ended before its first iteration has no lines, and neither score nor chance.
#[derive(Serialize)]
struct SearchAnswer<'a> {
    id: &'a Value,
    best: AsText<MoveText>,
    #[serde(skip_serializing_if = "Option::is_none")]
    score: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    winrate: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    bound: Option<&'a AsText<Bound>>,
    exact: bool,
    proven_depth: u32,
    depth: u32,
    nodes: u64,
    time: u64,
    lines: Vec<AnswerLine<'a>>,
}

#[derive(Serialize)]
struct RefusalLine<'a> {
    id: &'a Value,
    error: &'a str,
}

#[derive(Serialize)]
struct CancelLine<'a> {
    id: &'a Value,
    cancel: &'a Value,
}

fn json(line: &impl Serialize) -> String {
    let text = serde_json::to_string(line).expect("strings, numbers and values of JSON are written");
    safe_json(&text)
}

/// The line of a search.
pub(super) fn found(id: &Value, game: &Game, result: &SearchResult) -> String {
    let text = |move_: &MovePath| AsText(game.variant().describe(move_));
    let told: Vec<LineScore> = result.lines.iter().map(LineScore::of).collect();
    let lines = result.lines.iter().zip(&told).map(|(info, told)| AnswerLine {
        score: &told.score,
        winrate: told.winrate,
        bound: told.bound.as_ref(),
        pv: info.pv.iter().map(text).collect(),
    });
    let first = told.first();
    json(&SearchAnswer {
        id,
        best: text(&result.best),
        score: first.map(|first| first.score.as_str()),
        winrate: first.and_then(|first| first.winrate),
        bound: first.and_then(|first| first.bound.as_ref()),
        exact: first.is_some_and(|first| first.exact),
        proven_depth: first.map_or(0, |first| first.proven_depth),
        depth: result.lines.first().map_or(0, |line| line.depth),
        nodes: result.nodes,
        time: milliseconds(result.time),
        lines: lines.collect(),
    })
}

/// The line of a line that was wrong.
pub(super) fn refused(id: &Value, error: &str) -> String {
    json(&RefusalLine { id, error })
}

/// The line of a line that cancels another.
pub(super) fn cancelled(id: &Value, of: &Value) -> String {
    json(&CancelLine { id, cancel: of })
}
