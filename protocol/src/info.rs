//! The lines of a search: `info …` while it runs, `bestmove …` at the end.
//!
//! ```
//! use std::time::Duration;
//! use privy_protocol::{Score, SearchInfo, SearchLine};
//!
//! let info = SearchInfo {
//!     depth: 3,
//!     seldepth: 5,
//!     multipv: 1,
//!     verdict: Score::Evaluation(42).into(),
//!     winrate: Some(0.58),
//!     nodes: 1200,
//!     time: Duration::from_millis(2),
//!     pv: vec!["c3-b2".to_owned(), "d4-c3".to_owned()],
//!     ..SearchInfo::default()
//! };
//! let line = "info depth 3 seldepth 5 multipv 1 score +0.42 winrate 0.5800 nodes 1200 nps 600000 hashfull 0 \
//!             tbhits 0 time 2 pv c3-b2 d4-c3";
//! assert_eq!(info.to_string(), line);
//! assert_eq!(line.parse(), Ok(SearchLine::Info(info)));
//! assert_eq!("bestmove c3-b2".parse(), Ok(SearchLine::BestMove("c3-b2".to_owned())));
//! ```

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use crate::clock::milliseconds;
use crate::error::Unexpected;
use crate::grammar;
use crate::verdict::{Bound, Verdict};

/// A report of a search on one of its lines of play; `M` is a move, or its text.
#[derive(Debug, Clone, PartialEq)]
pub struct SearchInfo<M = String> {
    /// The depth of the iteration, in plies.
    pub depth: u32,
    /// The depth of the deepest line searched, in plies, extensions and captures included.
    pub seldepth: u32,
    /// No win of the side to move within this number of plies is overlooked, and no loss of a reported line. It is not
    /// written.
    pub proven_depth: u32,
    /// The rank of the line of play, from 1.
    pub multipv: usize,
    /// The score, from the side to move, and its bound.
    pub verdict: Verdict,
    /// The winning chance of the side to move, 0 to 1, a draw counted as half; within the bound, if there is one.
    pub winrate: Option<f64>,
    /// The positions reached by making a move since the search began.
    pub nodes: u64,
    /// The part of the transposition table that is used, in thousandths.
    pub hashfull: u32,
    /// The number of positions found in a table of perfect play.
    pub tbhits: u64,
    /// The time since the search began. It is written in milliseconds, with the nodes per second.
    pub time: Duration,
    /// The principal variation.
    pub pv: Vec<M>,
    /// True if the line of a known result ends before the game and before a position recurs: because time ran out, or
    /// since a proof goes no further.
    pub is_cut: bool,
}

impl<M> Default for SearchInfo<M> {
    fn default() -> Self {
        Self {
            depth: 0,
            seldepth: 0,
            proven_depth: 0,
            multipv: 0,
            verdict: Verdict::default(),
            winrate: None,
            nodes: 0,
            hashfull: 0,
            tbhits: 0,
            time: Duration::ZERO,
            pv: Vec::new(),
            is_cut: false,
        }
    }
}

impl<M> SearchInfo<M> {
    /// Returns the winning chance of the side to move.
    pub fn chance(&self) -> f64 {
        self.winrate.unwrap_or_else(|| self.verdict.score.winrate())
    }

    /// Returns the report as text, with the texts of its line.
    pub fn text(&self, pv: &[String]) -> String {
        let Self { depth, seldepth, multipv, verdict, nodes, hashfull, tbhits, .. } = self;
        let (nps, time) = (nodes_per_second(*nodes, self.time), milliseconds(self.time));
        let winrate = self.winrate.map(|chance| format!(" winrate {chance:.4}")).unwrap_or_default();
        let cut = if self.is_cut { " cut on" } else { "" };
        let found = format!("info depth {depth} seldepth {seldepth} multipv {multipv} score {verdict}{winrate}");
        let effort = format!("nodes {nodes} nps {nps} hashfull {hashfull} tbhits {tbhits} time {time}{cut}");
        let pv: String = pv.iter().map(|movement| format!(" {movement}")).collect();
        format!("{found} {effort} pv{pv}")
    }
}

/// Returns the nodes per second of a search.
pub fn nodes_per_second(nodes: u64, time: Duration) -> u64 {
    u64::try_from(u128::from(nodes) * 1_000_000 / time.as_micros().max(1)).unwrap_or(u64::MAX)
}

impl fmt::Display for SearchInfo {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.text(&self.pv))
    }
}

/// A line of the answer to `go`.
#[derive(Debug, Clone, PartialEq)]
pub enum SearchLine {
    /// `info …`
    Info(SearchInfo),
    /// `bestmove MOVE`
    BestMove(String),
}

impl fmt::Display for SearchLine {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Info(info) => info.fmt(formatter),
            Self::BestMove(best) => write!(formatter, "bestmove {best}"),
        }
    }
}

impl FromStr for SearchLine {
    type Err = Unexpected;

    /// Reads a line of the answer to `go`.
    ///
    /// The keys may come in any order, `pv` last. `depth` and `score` are mandatory; `multipv` is 1, other values are 0
    /// or [`None`] when they are missing. Unknown keys are skipped with one value each, so that a client understands
    /// older and newer engines.
    fn from_str(line: &str) -> Result<Self, Self::Err> {
        let mut words = grammar::words(line);
        match words.next() {
            Some("info") => Ok(Self::Info(info(words)?)),
            Some("bestmove") => match (words.next(), words.next()) {
                (Some(best), None) => Ok(Self::BestMove(best.to_owned())),
                _ => Err(Unexpected::new("one move after bestmove", line)),
            },
            found => Err(Unexpected::new("info or bestmove", found.unwrap_or_default())),
        }
    }
}

fn info<'a>(mut words: impl Iterator<Item = &'a str>) -> Result<SearchInfo, Unexpected> {
    let mut info = SearchInfo { multipv: 1, ..SearchInfo::default() };
    let (mut depth, mut score, mut bound) = (None, None, None);
    while let Some(key) = words.next() {
        if key == "pv" {
            info.pv = words.map(str::to_owned).collect();
            break;
        }
        let value = words.next().unwrap_or_default();
        let at_key = |error: Unexpected| Unexpected(format!("{key}: {error}"));
        let wrong = |expected| at_key(Unexpected::new(expected, value));
        let whole = || grammar::whole_number(value).and_then(Result::ok).ok_or_else(|| wrong("a whole number"));
        let small = || u32::try_from(whole()?).map_err(|_| wrong("a whole number"));
        match key {
            "depth" => depth = Some(small()?),
            "seldepth" => info.seldepth = small()?,
            "multipv" => info.multipv = usize::try_from(whole()?).map_err(|_| wrong("a whole number"))?,
            "score" => score = Some(value.parse().map_err(at_key)?),
            "bound" => bound = Some(read_bound(value).ok_or_else(|| wrong("upper or lower"))?),
            "winrate" => info.winrate = Some(chance(value).ok_or_else(|| wrong("a number"))?),
            "cut" => info.is_cut = value == "on",
            "nodes" => info.nodes = whole()?,
            // It follows from nodes and time.
            "nps" => drop(whole()?),
            "hashfull" => info.hashfull = small()?,
            "tbhits" => info.tbhits = whole()?,
            "time" => info.time = Duration::from_millis(whole()?),
            _ => {}
        }
    }
    let missing = |key: &str| Unexpected(format!("info without {key}"));
    info.depth = depth.ok_or_else(|| missing("depth"))?;
    info.verdict = Verdict { score: score.ok_or_else(|| missing("score"))?, bound };
    Ok(info)
}

/// The whole number that means one where a chance has no point.
const WHOLE_CHANCE: f64 = 10_000.0;

/// A fraction with a point, or ten-thousandths without one.
fn chance(value: &str) -> Option<f64> {
    let number = grammar::decimal_number(value)?;
    Some(if value.contains('.') { number } else { number / WHOLE_CHANCE })
}

fn read_bound(value: &str) -> Option<Bound> {
    [Bound::Upper, Bound::Lower].into_iter().find(|bound| bound.to_string() == value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::score::Score;

    fn error(line: &str) -> String {
        line.parse::<SearchLine>().unwrap_err().to_string()
    }

    #[test]
    fn keys_may_be_missing_or_new() {
        let line = "info score = currmove c3-b2 depth 4".parse();
        let info = SearchInfo { depth: 4, multipv: 1, verdict: Score::Draw.into(), ..SearchInfo::default() };
        assert_eq!(line, Ok(SearchLine::Info(info)));
    }

    #[test]
    fn errors() {
        assert_eq!(error("play c3"), "expected info or bestmove, found \"play\"");
        assert_eq!(error("bestmove c3 b2"), "expected one move after bestmove, found \"bestmove c3 b2\"");
        assert_eq!(error("info score ="), "info without depth");
        assert_eq!(error("info depth 4"), "info without score");
        assert_eq!(error("info depth x"), "depth: expected a whole number, found \"x\"");
        assert_eq!(error("info depth 1 nodes"), "nodes: expected a whole number, found \"\"");
        assert_eq!(
            error("info depth 1 score 5"),
            "score: expected a score such as +0.42, -1.05, +W27, -W27, +W24?, -W? or =, found \"5\""
        );
    }
}
