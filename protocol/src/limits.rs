//! The limits of a search: the arguments of `go`.

use std::fmt;

use crate::arguments::{Arguments, Parsed, count, number, put, words_until};
use crate::clock::Seconds;
use crate::error::{ErrorCode, ProtocolError};

/// The limits of a search, which ends at the first that it reaches; without limits, after one second.
///
/// Displayed as the arguments of `go`, empty when there is no limit.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct GoLimits {
    /// `time MS`: the time, in milliseconds.
    pub time_ms: Option<u64>,
    /// `depth N`: the depth, in plies, from 1.
    pub depth: Option<u32>,
    /// `nodes N`: the number of nodes, from 1.
    pub nodes: Option<u64>,
    /// `clock MS [inc MS] [moves N]`: the clock of the side to move, from which the engine chooses its time.
    pub clock: Option<ClockLimit>,
    /// `infinite`: without other limits the search ends only when it is stopped.
    pub infinite: bool,
    /// `searchmoves M …`: the moves to search, as written; empty: all.
    pub search_moves: Vec<String>,
}

/// The clock of the side to move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct ClockLimit {
    /// The time left, in milliseconds.
    pub remaining_ms: u64,
    /// `inc MS`: the increment for every move, in milliseconds.
    pub increment_ms: u64,
    /// `moves N`: the number of moves that the time is for, from 1; [`None`]: the rest of the game.
    pub moves: Option<u32>,
}

const KEYWORDS: [&str; 8] = ["time", "depth", "nodes", "clock", "inc", "moves", "infinite", "searchmoves"];

impl GoLimits {
    /// Whether the search goes on until it is stopped.
    pub const fn is_unlimited(&self) -> bool {
        self.infinite && !self.is_limited()
    }

    const fn is_limited(&self) -> bool {
        self.time_ms.is_some() || self.depth.is_some() || self.nodes.is_some() || self.clock.is_some()
    }

    /// Reads the limits in any order.
    pub(crate) fn parse(arguments: Arguments<'_>) -> Parsed<'_, Self> {
        let mut limits = Self::default();
        let mut seen: Vec<&str> = Vec::new();
        let (mut remaining, mut increment, mut moves, mut search_moves) = (None, None, None, None);
        // The place of `inc`, or else of `moves`. The clock may come later.
        let mut needs_clock = None;
        let mut input = arguments;
        while let (rest, Some(keyword)) = input.word() {
            if seen.contains(&keyword) {
                let fault = input.fault(ErrorCode::SyntaxError, Some("limit"), "each limit once");
                return Err(nom::Err::Error(ProtocolError::syntax(format!("{} again", fault.detail()))));
            }
            seen.push(keyword);
            input = match keyword {
                "time" => put(&mut limits.time_ms, milliseconds("time"), rest)?,
                "depth" => put(&mut limits.depth, count(Some("depth"), "plies", 1), rest)?,
                "nodes" => put(&mut limits.nodes, number(Some("nodes"), "a number of nodes", 1..=u64::MAX), rest)?,
                "clock" => put(&mut remaining, milliseconds("clock"), rest)?,
                "inc" => {
                    needs_clock = Some((input, keyword));
                    put(&mut increment, milliseconds("inc"), rest)?
                }
                "moves" => {
                    needs_clock.get_or_insert((input, keyword));
                    put(&mut moves, count(Some("moves"), "a number of moves", 1), rest)?
                }
                "infinite" => {
                    limits.infinite = true;
                    rest
                }
                "searchmoves" => {
                    let is_keyword = |word: &str| KEYWORDS.contains(&word);
                    let moves = words_until(Some("searchmoves"), "one move or more", is_keyword);
                    put(&mut search_moves, moves, rest)?
                }
                _ => {
                    let expected = "time, depth, nodes, clock, inc, moves, infinite or searchmoves";
                    return input.refused(Some("limit"), expected);
                }
            };
        }
        limits.search_moves = search_moves.unwrap_or_default();
        let increment_ms = increment.unwrap_or_default();
        limits.clock = remaining.map(|remaining_ms| ClockLimit { remaining_ms, increment_ms, moves });
        match needs_clock {
            Some((place, keyword)) if limits.clock.is_none() => {
                place.refused(Some("limit"), format_args!("a clock (clock MS) with {keyword}"))
            }
            _ => Ok((input, limits)),
        }
    }
}

/// A time in milliseconds, at most [`Seconds::MAX`].
fn milliseconds<'a>(label: &'static str) -> impl Fn(Arguments<'a>) -> Parsed<'a, u64> {
    number(Some(label), "milliseconds", 0..=Seconds::MAX.milliseconds())
}

impl fmt::Display for GoLimits {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut words: Vec<String> = Vec::new();
        let mut limit = |keyword: &str, value: Option<u64>| {
            words.extend(value.map(|value| format!("{keyword} {value}")));
        };
        limit("time", self.time_ms);
        limit("depth", self.depth.map(u64::from));
        limit("nodes", self.nodes);
        if let Some(clock) = &self.clock {
            limit("clock", Some(clock.remaining_ms));
            limit("inc", Some(clock.increment_ms).filter(|increment| *increment > 0));
            limit("moves", clock.moves.map(u64::from));
        }
        words.extend(self.infinite.then(|| "infinite".to_owned()));
        if !self.search_moves.is_empty() {
            words.push("searchmoves".to_owned());
            words.extend(self.search_moves.iter().cloned());
        }
        formatter.write_str(&words.join(" "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> GoLimits {
        Arguments::new("go", text).read(GoLimits::parse).unwrap()
    }

    fn error(text: &str) -> String {
        Arguments::new("go", text).read(GoLimits::parse).unwrap_err().to_string()
    }

    #[test]
    fn limits_in_any_order() {
        let limits = parse("searchmoves c3-b2 c3xe5 depth 7 inc 50 clock 60000 moves 40 infinite");
        assert_eq!(limits.search_moves, ["c3-b2", "c3xe5"]);
        assert_eq!(limits.depth, Some(7));
        let clock = limits.clock.unwrap();
        assert_eq!((clock.remaining_ms, clock.increment_ms), (60_000, 50));
        assert_eq!(clock.moves, Some(40));
        assert!(limits.infinite && limits.is_limited() && !limits.is_unlimited());
        assert!(parse("infinite").is_unlimited());
        assert_eq!(parse(""), GoLimits::default());
    }

    #[test]
    fn errors_name_the_argument() {
        for (text, expected) in [
            ("time abc", "syntax error: go: argument 2 (time): expected milliseconds, found \"abc\""),
            ("depth 3 time", "syntax error: go: argument 4 (time): expected milliseconds, found nothing"),
            ("time 5 time 6", "syntax error: go: argument 3 (limit): expected each limit once, found \"time\" again"),
            ("depth 0", "value out of range: go: argument 2 (depth): expected plies from 1 to 4294967295, found \"0\""),
            (
                "nodes 0",
                "value out of range: go: argument 2 (nodes): expected a number of nodes from 1 to 18446744073709551615, found \"0\"",
            ),
            (
                "clock 5 moves 0",
                "value out of range: go: argument 4 (moves): expected a number of moves from 1 to 4294967295, found \"0\"",
            ),
            (
                "time -1",
                "value out of range: go: argument 2 (time): expected milliseconds from 0 to 1000000000000, found \"-1\"",
            ),
            (
                "depth 3 inc 5",
                "syntax error: go: argument 3 (limit): expected a clock (clock MS) with inc, found \"inc\"",
            ),
            (
                "moves 5",
                "syntax error: go: argument 1 (limit): expected a clock (clock MS) with moves, found \"moves\"",
            ),
            ("searchmoves", "syntax error: go: argument 2 (searchmoves): expected one move or more, found nothing"),
            (
                "searchmoves depth 5",
                "syntax error: go: argument 2 (searchmoves): expected one move or more, found \"depth\"",
            ),
            (
                "ponder",
                "syntax error: go: argument 1 (limit): expected time, depth, nodes, clock, inc, moves, infinite or searchmoves, found \"ponder\"",
            ),
        ] {
            assert_eq!(error(text), expected);
        }
    }
}
