//! How much an engine may think: time controls as users write them, and the clock of an engine in a game.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use privy_protocol::{ClockLimit, GoLimits, Seconds};
use serde::{Deserialize, Serialize};

/// The limits of an engine's moves. All given limits apply together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct MoveLimits {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) clock: Option<ClockControl>,
    /// For each move, as are the next two.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) time_ms: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) nodes: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) depth: Option<u32>,
}

/// A clock: `[MOVES/]TIME[+INCREMENT]`, times in seconds or `MINUTES:SECONDS`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ClockControl {
    /// Moves in a period, after which the time is given again; none: the whole game is one period.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) moves: Option<u32>,
    /// Milliseconds for each period.
    pub(crate) time_ms: u64,
    /// Milliseconds added after each move.
    #[serde(default)]
    pub(crate) increment_ms: u64,
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("time control \"{0}\": expected [MOVES/]SECONDS[+SECONDS], such as 60+0.5, 40/300 or 1:30")]
pub(crate) struct BadTimeControl(String);

impl MoveLimits {
    pub(crate) fn is_empty(&self) -> bool {
        *self == MoveLimits::default()
    }

    /// These limits, or `others` when there are none. Limits are not mixed: an engine with its own node limit does not get
    /// the clock of the match as well.
    pub(crate) fn or(self, others: MoveLimits) -> MoveLimits {
        if self.is_empty() { others } else { self }
    }

    /// Whether no limit depends on time, so that an engine can repeat its moves.
    pub(crate) fn is_reproducible(&self) -> bool {
        self.clock.is_none() && self.time_ms.is_none() && !self.is_empty()
    }
}

/// The form of records: `60+0.5`, `time 10`, `nodes 1000 depth 5`.
impl fmt::Display for MoveLimits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let named = [
            self.clock.map(|clock| clock.to_string()),
            self.time_ms.map(|time| format!("time {time}")),
            self.nodes.map(|nodes| format!("nodes {nodes}")),
            self.depth.map(|depth| format!("depth {depth}")),
        ];
        f.write_str(&named.into_iter().flatten().collect::<Vec<_>>().join(" "))
    }
}

impl fmt::Display for ClockControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(moves) = self.moves {
            write!(f, "{moves}/")?;
        }
        let seconds = Seconds::from_milliseconds;
        write!(f, "{}", seconds(self.time_ms))?;
        if self.increment_ms > 0 { write!(f, "+{}", seconds(self.increment_ms)) } else { Ok(()) }
    }
}

impl FromStr for ClockControl {
    type Err = BadTimeControl;

    fn from_str(text: &str) -> Result<ClockControl, BadTimeControl> {
        read_clock(text).ok_or_else(|| BadTimeControl(text.to_owned()))
    }
}

fn read_clock(text: &str) -> Option<ClockControl> {
    let (moves, times) = match text.split_once('/') {
        Some((moves, times)) => (Some(moves.parse().ok().filter(|moves| *moves > 0)?), times),
        None => (None, text),
    };
    let (time, increment) = times.split_once('+').unwrap_or((times, "0"));
    let clock = ClockControl { moves, time_ms: milliseconds(time)?, increment_ms: milliseconds(increment)? };
    (clock.time_ms > 0).then_some(clock)
}

/// The longest readable time: a thousand hours.
const LONGEST: Seconds = Seconds::from_milliseconds(3_600_000_000);

fn milliseconds(text: &str) -> Option<u64> {
    let (minutes, seconds) = text.split_once(':').unwrap_or(("0", text));
    let plain = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    let seconds: f64 = seconds.parse().ok().filter(|_| plain(seconds))?;
    let minutes: u32 = minutes.parse().ok().filter(|_| plain(minutes))?;
    let time = Seconds::from_seconds(f64::from(minutes) * 60.0 + seconds)?;
    (time <= LONGEST).then_some(time.milliseconds())
}

/// The clock of an engine in a game.
#[derive(Debug, Clone)]
pub(super) struct Clock {
    pub(super) control: MoveLimits,
    left: Duration,
    /// Moves to the end of the period.
    moves: Option<u32>,
}

impl Clock {
    pub(super) fn new(control: MoveLimits) -> Clock {
        let clock = control.clock;
        Clock {
            control,
            left: Duration::from_millis(clock.map_or(0, |clock| clock.time_ms)),
            moves: clock.and_then(|clock| clock.moves),
        }
    }

    /// The time for the next move; none where no limit depends on time.
    pub(super) fn allowance(&self) -> Option<Duration> {
        let clock = self.control.clock.map(|_| self.left);
        let time = self.control.time_ms.map(Duration::from_millis);
        clock.into_iter().chain(time).min()
    }

    /// The moves for which [`allowance`](Self::allowance) must last; 0: the rest of the game.
    pub(super) fn moves_left(&self) -> u32 {
        self.control.clock.map_or(1, |_| self.moves.unwrap_or(0))
    }

    pub(super) fn go_limits(&self) -> GoLimits {
        let clock = self.control.clock.map(|clock| ClockLimit {
            remaining_ms: u64::try_from(self.left.as_millis()).unwrap_or(u64::MAX),
            increment_ms: clock.increment_ms,
            moves: self.moves,
        });
        let MoveLimits { time_ms, nodes, depth, .. } = self.control;
        GoLimits { time_ms, depth, nodes, clock, ..GoLimits::default() }
    }

    /// Charges the time of a move, but no part of the margin.
    pub(super) fn spend(&mut self, spent: Duration) {
        let Some(clock) = self.control.clock else { return };
        self.left = self.left.saturating_sub(spent) + Duration::from_millis(clock.increment_ms);
        if let Some(moves) = &mut self.moves {
            *moves -= 1;
            if *moves == 0 {
                self.left += Duration::from_millis(clock.time_ms);
                self.moves = clock.moves;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn clocks_are_read_or_refused() {
        let read = |text: &str| {
            let clock: ClockControl = text.parse().unwrap();
            (clock.moves, clock.time_ms, clock.increment_ms)
        };
        assert_eq!(read("60"), (None, 60_000, 0));
        assert_eq!(read("40/1:30+0.5"), (Some(40), 90_000, 500));
        assert_eq!("40/1:30+0.5".parse::<ClockControl>().unwrap().to_string(), "40/90+0.5");
        assert_eq!(read("0.1+0.001"), (None, 100, 1));
        assert_eq!(read("40/2:00"), (Some(40), 120_000, 0));
        for text in ["", "x", "0", "60+", "0/60", "-1", "60+-1", "1e3", "inf", "nan", "99999999", "1:2:3", "40/"] {
            assert!(text.parse::<ClockControl>().is_err(), "{text}");
        }
    }

    #[test]
    fn limits_are_not_mixed() {
        let nodes = MoveLimits { nodes: Some(5), ..MoveLimits::default() };
        let time = MoveLimits { time_ms: Some(10), ..MoveLimits::default() };
        assert_eq!(nodes.or(time), nodes);
        assert_eq!(MoveLimits::default().or(time), time);
        assert!(nodes.is_reproducible() && !time.is_reproducible() && !MoveLimits::default().is_reproducible());
        assert_eq!(MoveLimits { depth: Some(3), ..nodes }.to_string(), "nodes 5 depth 3");
    }

    fn clock(text: &str) -> Clock {
        Clock::new(MoveLimits { clock: Some(text.parse().unwrap()), ..MoveLimits::default() })
    }

    const fn ms(n: u64) -> Duration {
        Duration::from_millis(n)
    }

    #[test]
    fn increments_are_added_after_the_move() {
        let mut clock = clock("10+0.5");
        clock.spend(ms(2000));
        assert_eq!(clock.allowance(), Some(ms(8500)));
        assert_eq!(clock.go_limits().to_string(), "clock 8500 inc 500");
        // Within the margin: the clock stands at 0, and gains its increment.
        clock.spend(ms(8600));
        assert_eq!(clock.allowance(), Some(ms(500)));
    }

    #[test]
    fn each_period_adds_its_time() {
        let mut clock = clock("2/10");
        clock.spend(ms(4000));
        assert_eq!(clock.go_limits().to_string(), "clock 6000 moves 1");
        clock.spend(ms(1000));
        assert_eq!((clock.left, clock.moves), (ms(15_000), Some(2)));
    }

    #[test]
    fn limits_without_time_have_no_clock() {
        let mut clock = Clock::new(MoveLimits { nodes: Some(7), depth: Some(2), ..MoveLimits::default() });
        clock.spend(ms(4000));
        assert_eq!((clock.allowance(), clock.left), (None, Duration::ZERO));
        assert_eq!(clock.go_limits().to_string(), "depth 2 nodes 7");
        let clock = Clock::new(MoveLimits { time_ms: Some(10), ..MoveLimits::default() });
        assert_eq!((clock.allowance(), clock.go_limits().to_string()), (Some(ms(10)), "time 10".to_owned()));
    }

    proptest! {
        #[test]
        fn clocks_round_trip(moves in proptest::option::of(1u32..1000), time_ms in 1u64..10_000_000, increment_ms in 0u64..100_000) {
            let clock = ClockControl { moves, time_ms, increment_ms };
            prop_assert_eq!(clock.to_string().parse(), Ok(clock));
        }
    }
}
