//! The lines that a search answers: `info …` while it thinks, `bestmove …` at the end.
//!
//! ```
//! use privy_protocol::{BestMove, Score, SearchInfo, SearchLine};
//!
//! let info = SearchInfo {
//!     depth: 3,
//!     seldepth: 5,
//!     score: Score::Evaluation(42),
//!     nodes: 1200,
//!     nps: 600_000,
//!     time_ms: 2,
//!     pv: vec!["c3-b2".to_owned(), "d4-c3".to_owned()],
//!     ..SearchInfo::default()
//! };
//! let line = "info depth 3 seldepth 5 multipv 1 score +0.42 nodes 1200 nps 600000 hashfull 0 tbhits 0 time 2 \
//!             pv c3-b2 d4-c3";
//! assert_eq!(info.to_string(), line);
//! assert_eq!(line.parse(), Ok(SearchLine::Info(info)));
//! assert_eq!("bestmove c3-b2".parse(), Ok(SearchLine::BestMove(BestMove("c3-b2".to_owned()))));
//! ```

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use crate::grammar::{self, WholeNumber};
use crate::score::Score;

/// What a score is that is proved only as a bound. Of a win or loss the number of plies is one: the game takes at most, or at least, so many. A
/// draw, which has no number, is one itself: the side to move has at most, or at least, a draw.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Bound {
    /// `bound upper`: at most so many plies, at most a draw.
    Upper,
    /// `bound lower`: at least so many plies, at least a draw.
    Lower,
}

impl fmt::Display for Bound {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Upper => "upper",
            Self::Lower => "lower",
        })
    }
}

/// What a search knows after an iteration, for one of its lines of play.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct SearchInfo {
    /// The depth of the iteration, in plies.
    pub depth: u32,
    /// The deepest line that was looked at, in plies.
    pub seldepth: u32,
    /// The place of the line of play among the best ones, from 1.
    pub multipv: u32,
    /// The score, from the side to move.
    pub score: Score,
    /// Where the score is proved only as a bound: the plies of a win or loss, or a draw.
    pub bound: Option<Bound>,
    /// The nodes visited since the search began.
    pub nodes: u64,
    /// Nodes per second.
    pub nps: u64,
    /// How full the transposition table is, in thousandths.
    pub hashfull: u32,
    /// How many positions were looked up in a table of perfect play.
    pub tbhits: u64,
    /// The time since the search began, in milliseconds.
    pub time_ms: u64,
    /// The principal variation: the best play found for both sides, beginning with the move to make.
    pub pv: Vec<String>,
}

impl Default for SearchInfo {
    fn default() -> Self {
        Self {
            depth: 0,
            seldepth: 0,
            multipv: 1,
            score: Score::default(),
            bound: None,
            nodes: 0,
            nps: 0,
            hashfull: 0,
            tbhits: 0,
            time_ms: 0,
            pv: Vec::new(),
        }
    }
}

impl fmt::Display for SearchInfo {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { depth, seldepth, multipv, score, bound, nodes, nps, hashfull, tbhits, time_ms, pv } = self;
        write!(formatter, "info depth {depth} seldepth {seldepth} multipv {multipv} score {score}")?;
        bound.map_or(Ok(()), |bound| write!(formatter, " bound {bound}"))?;
        write!(formatter, " nodes {nodes} nps {nps} hashfull {hashfull} tbhits {tbhits} time {time_ms} pv")?;
        pv.iter().try_for_each(|movement| write!(formatter, " {movement}"))
    }
}

/// The last line of a search: the move to make. Displayed as `bestmove MOVE`.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct BestMove(
    /// The text of the move.
    pub String,
);

impl fmt::Display for BestMove {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "bestmove {}", self.0)
    }
}

/// A line of the answer to `go`.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum SearchLine {
    /// `info …`
    Info(SearchInfo),
    /// `bestmove MOVE`
    BestMove(BestMove),
}

impl fmt::Display for SearchLine {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Info(info) => info.fmt(formatter),
            Self::BestMove(best) => best.fmt(formatter),
        }
    }
}

/// Why a line is none of a search, or none of an analysis.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum InfoError {
    /// It begins with another word.
    #[error("expected {expected}, found {found:?}")]
    Start {
        /// The words that it may begin with.
        expected: &'static str,
        /// The word that it begins with; empty when there is none.
        found: String,
    },
    /// `bestmove` is not followed by exactly one move.
    #[error("expected one move behind bestmove, found {0:?}")]
    BestMove(String),
    /// A value is missing or has the wrong form.
    #[error("{key}: expected {expected}, found {found:?}")]
    Value {
        /// The word before the value.
        key: String,
        /// What the value should be.
        expected: &'static str,
        /// The value; empty when it is missing.
        found: String,
    },
    /// A key that every such line has is missing.
    #[error("info without {0}")]
    Missing(&'static str),
}

impl InfoError {
    pub(crate) fn start(expected: &'static str, found: Option<&str>) -> Self {
        Self::Start { expected, found: found.unwrap_or_default().to_owned() }
    }

    pub(crate) fn value(key: &str, expected: &'static str, found: &str) -> Self {
        Self::Value { key: key.to_owned(), expected, found: found.to_owned() }
    }
}

impl FromStr for SearchLine {
    type Err = InfoError;

    /// Reads a line of the answer to `go`.
    ///
    /// The keys may come in any order, `pv` last. `depth` and `score` must be there; other missing keys have the
    /// values of [`SearchInfo::default`], and keys that are not known are skipped with one value each, so that a
    /// client understands engines older and newer than itself.
    fn from_str(line: &str) -> Result<Self, Self::Err> {
        let mut words = grammar::words(line);
        match words.next() {
            Some("info") => Ok(Self::Info(info(words)?)),
            Some("bestmove") => match (words.next(), words.next()) {
                (Some(movement), None) => Ok(Self::BestMove(BestMove(movement.to_owned()))),
                _ => Err(InfoError::BestMove(line.to_owned())),
            },
            found => Err(InfoError::start("info or bestmove", found)),
        }
    }
}

fn info<'a>(mut words: impl Iterator<Item = &'a str>) -> Result<SearchInfo, InfoError> {
    let mut info = SearchInfo::default();
    let (mut depth, mut score) = (None, None);
    while let Some(key) = words.next() {
        if key == "pv" {
            info.pv = words.map(str::to_owned).collect();
            break;
        }
        let value = words.next().unwrap_or_default();
        match key {
            "depth" => depth = Some(whole(key, value)?),
            "seldepth" => info.seldepth = whole(key, value)?,
            "multipv" => info.multipv = whole(key, value)?,
            "score" => score = Some(read_score(key, value)?),
            "bound" => info.bound = Some(read_bound(key, value)?),
            "nodes" => info.nodes = whole(key, value)?,
            "nps" => info.nps = whole(key, value)?,
            "hashfull" => info.hashfull = whole(key, value)?,
            "tbhits" => info.tbhits = whole(key, value)?,
            "time" => info.time_ms = whole(key, value)?,
            _ => {}
        }
    }
    info.depth = depth.ok_or(InfoError::Missing("depth"))?;
    info.score = score.ok_or(InfoError::Missing("score"))?;
    Ok(info)
}

/// Reads a whole number that fits.
pub(crate) fn whole<N: TryFrom<u64>>(key: &str, value: &str) -> Result<N, InfoError> {
    let number = match grammar::whole_number(value) {
        Some(WholeNumber::Value(number)) => N::try_from(number).ok(),
        _ => None,
    };
    number.ok_or_else(|| InfoError::value(key, "a whole number", value))
}

fn read_bound(key: &str, value: &str) -> Result<Bound, InfoError> {
    let found = [Bound::Upper, Bound::Lower].into_iter().find(|bound| bound.to_string() == value);
    found.ok_or_else(|| InfoError::value(key, "upper or lower", value))
}

/// Reads a score.
pub(crate) fn read_score(key: &str, value: &str) -> Result<Score, InfoError> {
    value.parse().map_err(|_| InfoError::value(key, "a score such as +0.42, -1.05, +W27, -W27 or =", value))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(line: &str) -> String {
        line.parse::<SearchLine>().unwrap_err().to_string()
    }

    #[test]
    fn keys_may_be_missing_or_new() {
        let line = "info score = currmove c3-b2 depth 4".parse();
        let info = SearchInfo { depth: 4, score: Score::Draw, ..SearchInfo::default() };
        assert_eq!(line, Ok(SearchLine::Info(info)));
    }

    #[test]
    fn errors() {
        assert_eq!(error("play c3"), "expected info or bestmove, found \"play\"");
        assert_eq!(error("bestmove c3 b2"), "expected one move behind bestmove, found \"bestmove c3 b2\"");
        assert_eq!(error("info score ="), "info without depth");
        assert_eq!(error("info depth 4"), "info without score");
        assert_eq!(error("info depth x"), "depth: expected a whole number, found \"x\"");
        assert_eq!(error("info depth 1 nodes"), "nodes: expected a whole number, found \"\"");
        assert_eq!(
            error("info depth 1 score 5"),
            "score: expected a score such as +0.42, -1.05, +W27, -W27 or =, found \"5\""
        );
    }
}
