//! The limits of a search, and the arguments of `go`.

use std::fmt;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::arguments::Arguments;
use crate::clock::{Clock, LONGEST_TIME, as_milliseconds, milliseconds};
use crate::error::ProtocolError;

/// The limits of a move. The search ends at the first that it reaches; without limits, when it is stopped.
///
/// Displayed as arguments of `go`, empty when there is no limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Limits {
    /// `clock MS [inc MS] [moves N]`: the clock of the side to move, of which the search takes a share.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clock: Option<Clock>,
    /// `time MS`: wall time.
    #[serde(rename = "time", default, skip_serializing_if = "Option::is_none", with = "as_milliseconds")]
    pub time: Option<Duration>,
    /// `nodes N`: positions reached by making a move, from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// `depth N`: iterations, in plies, from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
}

impl Limits {
    /// Limits a search to a wall time alone.
    pub fn of_time(time: Duration) -> Self {
        Self { time: Some(time), ..Self::default() }
    }

    /// True without any limit.
    pub const fn is_infinite(&self) -> bool {
        self.time.is_none() && self.depth.is_none() && self.nodes.is_none() && self.clock.is_none()
    }

    /// True for limits of depth or nodes alone: the same input gives the same result.
    pub const fn is_reproducible(&self) -> bool {
        self.time.is_none() && self.clock.is_none() && !self.is_infinite()
    }

    /// Reads `time` and `nodes` in any order.
    pub(crate) fn parse_of_position(arguments: &mut Arguments<'_>) -> Result<Self, ProtocolError> {
        GoArguments::parse_among(&["time", "nodes"], arguments).map(|go| go.limits)
    }

    /// Returns these limits, or `others` where there are none. Limits are not mixed: an engine with its own limit of
    /// nodes does not get the clock of the match as well.
    #[must_use]
    pub const fn or(self, others: Self) -> Self {
        if self.is_infinite() { others } else { self }
    }
}

/// The arguments of `go`: limits of the search, one second without any.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct GoArguments {
    /// The limits.
    pub limits: Limits,
    /// `infinite`: without limits the search ends only when it is stopped.
    pub infinite: bool,
    /// `searchmoves M …`: the moves to search, as written; empty: all.
    pub search_moves: Vec<String>,
}

const KEYWORDS: [&str; 8] = ["time", "depth", "nodes", "clock", "inc", "moves", "infinite", "searchmoves"];

impl GoArguments {
    /// True if the search ends only when it is stopped.
    pub(crate) const fn is_unlimited(&self) -> bool {
        self.infinite && self.limits.is_infinite()
    }

    /// Reads the limits in any order.
    pub(crate) fn parse(arguments: &mut Arguments<'_>) -> Result<Self, ProtocolError> {
        Self::parse_among(&KEYWORDS, arguments)
    }

    /// Reads those limits that have these keywords, two of them at least.
    fn parse_among(keywords: &[&str], arguments: &mut Arguments<'_>) -> Result<Self, ProtocolError> {
        let mut go = Self::default();
        let (mut seen, mut clock) = (Vec::new(), Clock::default());
        // The place of `inc`, or else of `moves`. The clock may come later.
        let mut needs_clock = None;
        while let Some(keyword) = arguments.peek() {
            let place = *arguments;
            if !keywords.contains(&keyword) {
                let (last, others) = keywords.split_last().unwrap_or((&"nothing", &[]));
                return Err(place.refused(Some("limit"), format_args!("{} or {last}", others.join(", "))));
            }
            if seen.contains(&keyword) {
                let once = place.refused(Some("limit"), "each limit once");
                return Err(ProtocolError::syntax(format!("{} again", once.detail())));
            }
            seen.push(keyword);
            arguments.take();
            match keyword {
                "time" => go.limits.time = Some(time(arguments, "time")?),
                "depth" => go.limits.depth = Some(arguments.count(Some("depth"), "plies", 1)?),
                "nodes" => {
                    go.limits.nodes = Some(arguments.number(Some("nodes"), "a number of nodes", 1..=u64::MAX)?);
                }
                "clock" => clock.remaining = time(arguments, "clock")?,
                "inc" => {
                    needs_clock = Some((place, keyword));
                    clock.increment = time(arguments, "inc")?;
                }
                "moves" => {
                    needs_clock.get_or_insert((place, keyword));
                    clock.moves = Some(arguments.count(Some("moves"), "a number of moves", 1)?);
                }
                "infinite" => go.infinite = true,
                _ => {
                    let is_keyword = |word: &str| KEYWORDS.contains(&word);
                    go.search_moves = arguments.words_until(Some("searchmoves"), "one move or more", is_keyword)?;
                }
            }
        }
        if seen.contains(&"clock") {
            go.limits.clock = Some(clock);
        } else if let Some((place, keyword)) = needs_clock {
            return Err(place.refused(Some("limit"), format_args!("a clock (clock MS) with {keyword}")));
        }
        Ok(go)
    }
}

/// A time in milliseconds, at most [`LONGEST_TIME`].
fn time(arguments: &mut Arguments<'_>, label: &'static str) -> Result<Duration, ProtocolError> {
    let number = arguments.number(Some(label), "milliseconds", 0..=LONGEST_TIME.as_secs() * 1000)?;
    Ok(Duration::from_millis(number))
}

impl fmt::Display for Limits {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { clock, time, nodes, depth } = self;
        let limits = [
            ("time", time.map(milliseconds)),
            ("depth", depth.map(u64::from)),
            ("nodes", *nodes),
            ("clock", clock.map(|clock| milliseconds(clock.remaining))),
            ("inc", clock.map(|clock| milliseconds(clock.increment)).filter(|increment| *increment > 0)),
            ("moves", clock.and_then(|clock| clock.moves).map(u64::from)),
        ];
        let words = limits.into_iter().filter_map(|(keyword, value)| Some(format!("{keyword} {}", value?)));
        formatter.write_str(&words.collect::<Vec<_>>().join(" "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> GoArguments {
        GoArguments::parse(&mut Arguments::new("go", text)).unwrap()
    }

    fn error(text: &str) -> String {
        GoArguments::parse(&mut Arguments::new("go", text)).unwrap_err().to_string()
    }

    #[test]
    fn limits_in_any_order() {
        let go = parse("searchmoves c3-b2 c3xe5 depth 7 inc 50 clock 60000 moves 40 infinite");
        assert_eq!(go.search_moves, ["c3-b2", "c3xe5"]);
        assert_eq!(go.limits.depth, Some(7));
        let clock = go.limits.clock.unwrap();
        assert_eq!((clock.remaining, clock.increment), (Duration::from_secs(60), Duration::from_millis(50)));
        assert_eq!(clock.moves, Some(40));
        assert!(go.infinite && !go.limits.is_infinite() && !go.is_unlimited());
        assert!(parse("infinite").is_unlimited());
        assert_eq!(parse(""), GoArguments::default());
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
                "value out of range: go: argument 2 (nodes): expected a number of nodes from 1 to \
                 18446744073709551615, found \"0\"",
            ),
            (
                "clock 5 moves 0",
                "value out of range: go: argument 4 (moves): expected a number of moves from 1 to 4294967295, \
                 found \"0\"",
            ),
            (
                "time -1",
                "value out of range: go: argument 2 (time): expected milliseconds from 0 to 1000000000000, \
                 found \"-1\"",
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
                "syntax error: go: argument 1 (limit): expected time, depth, nodes, clock, inc, moves, infinite or \
                 searchmoves, found \"ponder\"",
            ),
        ] {
            assert_eq!(error(text), expected);
        }
    }

    #[test]
    fn a_position_of_a_review_has_two_of_the_limits() {
        let read = |text| Limits::parse_of_position(&mut Arguments::new("review", text));
        let both = Limits { nodes: Some(9), ..Limits::of_time(Duration::from_millis(5)) };
        assert_eq!([read("nodes 9 time 5"), read("")], [Ok(both), Ok(Limits::default())]);
        let error = read("depth 3").unwrap_err().to_string();
        assert_eq!(error, "syntax error: review: argument 1 (limit): expected time or nodes, found \"depth\"");
    }

    #[test]
    fn limits_are_not_mixed() {
        let nodes = Limits { nodes: Some(5), ..Limits::default() };
        let time = Limits::of_time(Duration::from_millis(10));
        assert_eq!(nodes.or(time), nodes);
        assert_eq!(Limits::default().or(time), time);
    }

    #[test]
    fn only_limits_without_time_are_reproducible() {
        let depth = Limits { depth: Some(3), ..Limits::default() };
        assert!(depth.is_reproducible() && !depth.is_infinite());
        assert!(!Limits { time: Some(Duration::ZERO), ..depth }.is_reproducible());
        assert!(Limits::default().is_infinite() && !Limits::default().is_reproducible());
    }
}
