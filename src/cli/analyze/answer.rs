//! A line out: what a search has found, or why there was none. `privy go --json` prints its lines in the same words.

use std::fmt::{self, Write as _};

use privy_base::message::safe_json;
use privy_protocol::Verdict;
use privy_protocol::clock::milliseconds;
use privy_rules::Game;
use privy_search::eval::MAX_DISTANCE;
use privy_search::{SearchInfo, SearchResult};
use serde::Serialize;

use super::id::LineId;

/// What all JSON tells of the score of a line.
#[derive(Debug)]
pub(crate) struct LineScore {
    pub(crate) verdict: Verdict,
    /// The chance of winning of the side to move, to four decimals.
    pub(crate) winrate: Option<f64>,
    /// True if the score is proved, and no bound.
    pub(crate) exact: bool,
    pub(crate) proven_depth: u32,
}

impl LineScore {
    pub(crate) fn of(info: &SearchInfo) -> LineScore {
        let verdict = info.verdict;
        let is_known = info.proven_depth >= MAX_DISTANCE;
        LineScore {
            verdict,
            winrate: info.winrate.map(|chance| (chance * 10_000.0).round() / 10_000.0),
            exact: verdict.is_exact() || is_known && verdict.bound.is_none(),
            proven_depth: info.proven_depth,
        }
    }
}

#[derive(Serialize)]
struct RefusalLine<'a> {
    id: &'a LineId,
    error: &'a str,
}

#[derive(Serialize)]
struct CancelLine<'a> {
    id: &'a LineId,
    cancel: &'a LineId,
}

fn json(line: &impl Serialize) -> String {
    let text = serde_json::to_string(line).expect("strings, numbers and values of JSON are written");
    safe_json(&text).into_owned()
}

/// Bytes of most lines.
const USUAL_LENGTH: usize = 256;

/// The line of a search. It is written piece by piece: beside a search of 100 nodes the time of a general writer
/// counts.
pub(super) fn found(id: &LineId, game: &Game, result: &SearchResult) -> String {
    let mut text = String::with_capacity(USUAL_LENGTH);
    write_found(&mut text, id, game, result).expect("a text takes what is written");
    text
}

/// Score and depth are those of the best line. A search that is ended before its first iteration has no lines, and
/// neither score nor chance. Only the id can have letters that need escapes.
fn write_found(text: &mut String, id: &LineId, game: &Game, result: &SearchResult) -> fmt::Result {
    let variant = game.variant();
    let lines = result.lines.iter().map(|info| {
        let score = LineScore::of(info);
        let mut told = format!("\"score\":\"{}\"", score.verdict.score);
        // Of the shortest forms, as in JSON.
        score.winrate.map_or(Ok(()), |chance| write!(told, ",\"winrate\":{chance:?}"))?;
        score.verdict.bound.map_or(Ok(()), |bound| write!(told, ",\"bound\":\"{bound}\""))?;
        Ok((score, told))
    });
    let lines = lines.collect::<Result<Vec<_>, fmt::Error>>()?;
    let first = lines.first();
    write!(text, "{{\"id\":{},\"best\":\"{}\",", safe_json(id.text()), variant.describe(&result.best))?;
    first.map_or(Ok(()), |(_, told)| write!(text, "{told},"))?;
    let (exact, proven_depth) = first.map_or((false, 0), |(score, _)| (score.exact, score.proven_depth));
    let depth = result.lines.first().map_or(0, |first| first.depth);
    write!(text, "\"exact\":{exact},\"proven_depth\":{proven_depth},\"depth\":{depth},")?;
    write!(text, "\"nodes\":{},\"time\":{},\"lines\":[", result.nodes, milliseconds(result.time))?;
    for (rank, (info, (_, told))) in result.lines.iter().zip(&lines).enumerate() {
        let comma = if rank > 0 { "," } else { "" };
        write!(text, "{comma}{{{told},\"pv\":[")?;
        for (ply, move_) in info.pv.iter().enumerate() {
            let comma = if ply > 0 { "," } else { "" };
            write!(text, "{comma}\"{}\"", variant.describe(move_))?;
        }
        text.push_str("]}");
    }
    text.push_str("]}");
    Ok(())
}

/// The line of a line that was wrong.
pub(super) fn refused(id: &LineId, error: &str) -> String {
    json(&RefusalLine { id, error })
}

/// The line of a line that cancels another.
pub(super) fn cancelled(id: &LineId, of: &LineId) -> String {
    json(&CancelLine { id, cancel: of })
}
