//! What bounds a search: the arguments of `go`.

use std::fmt;

use crate::arguments::{Arguments, Parsed, count, number, put, words_until};
use crate::clock::Seconds;
use crate::error::{ErrorCode, ProtocolError};

/// The limits of a `go`. The search ends at the first limit that it reaches; with none given, after one second.
///
/// Displayed as the arguments of `go`, empty when there is no limit.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct GoLimits {
    /// `time MS`: how long the search may take, in milliseconds, from 0.
    pub time_ms: Option<u64>,
    /// `depth N`: how deep it goes, in plies, from 1.
    pub depth: Option<u32>,
    /// `nodes N`: how many nodes it visits, from 1.
    pub nodes: Option<u64>,
    /// `clock MS [inc MS] [moves N]`: the clock of the side to move, from which the engine chooses its time.
    pub clock: Option<ClockLimit>,
    /// `infinite`: the one second that is the rule without limits does not apply. Limits given beside it do.
    pub infinite: bool,
    /// `searchmoves M …`: only these moves are looked at; empty: all. They stand as they were written.
    pub search_moves: Vec<String>,
}

/// The clock of the side to move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct ClockLimit {
    /// The time left, in milliseconds, from 0.
    pub remaining_ms: u64,
    /// `inc MS`: what every move adds, in milliseconds; 0 when not given.
    pub increment_ms: u64,
    /// `moves N`: for how many moves the time must last, from 1; [`None`]: for the rest of the game.
    pub moves: Option<u32>,
}

const KEYWORDS: [&str; 8] = ["time", "depth", "nodes", "clock", "inc", "moves", "infinite", "searchmoves"];

impl GoLimits {
    /// Whether the search goes on until it is stopped: `infinite`, and no other limit beside it.
    pub const fn is_unlimited(&self) -> bool {
        self.infinite && !self.is_limited()
    }

    /// Whether a time, a depth, a number of nodes or a clock bounds the search.
    pub const fn is_limited(&self) -> bool {
        self.time_ms.is_some() || self.depth.is_some() || self.nodes.is_some() || self.clock.is_some()
    }

    /// Reads the limits in any order.
    pub(crate) fn parse(arguments: Arguments<'_>) -> Parsed<'_, Self> {
        let mut limits = Self::default();
        let mut seen: Vec<&str> = Vec::new();
        // What belongs to a clock is kept aside, because the clock may come later.
        let (mut remaining, mut increment, mut moves) = (None, None, None);
        let (mut increment_at, mut moves_at) = (None, None);
        let mut search_moves = None;
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
                    increment_at = Some((input, keyword));
                    put(&mut increment, milliseconds("inc"), rest)?
                }
                "moves" => {
                    moves_at = Some((input, keyword));
                    put(&mut moves, count(Some("moves"), "a number of moves", 1), rest)?
                }
                "infinite" => {
                    limits.infinite = true;
                    rest
                }
                "searchmoves" => match put(&mut search_moves, words_until(|word| KEYWORDS.contains(&word)), rest)? {
                    _ if search_moves.as_ref().is_some_and(Vec::is_empty) => {
                        return rest.refused(Some("searchmoves"), "one move or more");
                    }
                    behind => behind,
                },
                _ => {
                    let expected = "time, depth, nodes, clock, inc, moves, infinite or searchmoves";
                    return input.refused(Some("limit"), expected);
                }
            };
        }
        limits.search_moves = search_moves.unwrap_or_default();
        limits.clock = remaining.map(|remaining_ms| ClockLimit {
            remaining_ms,
            increment_ms: increment.unwrap_or_default(),
            moves,
        });
        match increment_at.or(moves_at) {
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
