//! Time: what a game agrees on ([`TimeControl`]), what a side has left ([`Clock`]), and the source of time
//! ([`Instant`]).
//!
//! ```
//! use std::time::Duration;
//! use privy_protocol::{Clock, TimeControl};
//!
//! let control = TimeControl::Canadian { main: Duration::ZERO, period: Duration::from_secs(20), moves: 2 };
//! let mut clock = control.start().unwrap();
//! control.spend(&mut clock, Duration::from_secs(5));
//! assert_eq!((clock.remaining, clock.moves), (Duration::from_secs(15), Some(1)));
//! control.spend(&mut clock, Duration::from_secs(5));
//! assert_eq!((clock.remaining, clock.moves), (Duration::from_secs(20), Some(2)));
//! ```

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::arguments::Arguments;
use crate::error::ProtocolError;
use crate::grammar::decimal_number;
use crate::side::Side;

#[cfg(target_family = "wasm")]
pub use crate::page::Instant;
/// A moment of the monotonic clock.
#[cfg(not(target_family = "wasm"))]
pub use std::time::Instant;

/// The longest time of a clock, 10⁹ seconds, so that adding times does not overflow.
pub const LONGEST_TIME: Duration = Duration::from_secs(1_000_000_000);

/// Returns a time given in seconds, rounded to a millisecond; a negative one becomes zero. [`None`] above
/// [`LONGEST_TIME`] and for NaN.
pub fn from_seconds(seconds: f64) -> Option<Duration> {
    let milliseconds = (seconds * 1000.0).round().max(0.0);
    (!seconds.is_nan() && milliseconds <= 1e12).then(|| Duration::from_millis(milliseconds as u64))
}

/// Returns a time in seconds with up to three decimals: `60`, `0.02`.
pub fn seconds(time: Duration) -> String {
    let text = format!("{}.{:03}", time.as_secs(), time.subsec_millis());
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// Returns a time in whole milliseconds.
pub fn milliseconds(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

/// Reads a time in seconds of at least `least`; a negative one becomes zero.
///
/// # Errors
/// `syntax error` or `value out of range`.
pub fn time(arguments: &mut Arguments<'_>, label: &'static str, least: f64) -> Result<Duration, ProtocolError> {
    let value = arguments.peek().and_then(decimal_number).ok_or_else(|| arguments.refused(Some(label), "seconds"))?;
    let time = from_seconds(value).filter(|_| value >= least).ok_or_else(|| {
        arguments.out_of_range(Some(label), format_args!("seconds from 0 to {}", seconds(LONGEST_TIME)))
    })?;
    arguments.take();
    Ok(time)
}

/// What is left on the clock of a side, as the engine reckons with it for the next move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Clock {
    /// The moves that the time is for, from 1; [`None`]: the rest of the game, or of the main time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub moves: Option<u32>,
    /// The time left.
    #[serde(rename = "time", with = "as_milliseconds")]
    pub remaining: Duration,
    /// What every move adds. Within main time that periods follow, the time of a period for each of its moves.
    #[serde(rename = "increment", default, with = "as_milliseconds")]
    pub increment: Duration,
}

impl Clock {
    /// Reads the arguments of `time_left`: `SIDE SECONDS MOVES`, with no moves for main time.
    ///
    /// # Errors
    /// `syntax error` or `value out of range`.
    pub fn parse_time_left(arguments: &mut Arguments<'_>) -> Result<(Side, Self), ProtocolError> {
        let side = arguments.side(Some("side"))?;
        // Some clients send a slightly negative time when a move came in at the last moment.
        let remaining = time(arguments, "seconds", f64::NEG_INFINITY)?;
        let moves = arguments.count(Some("moves"), "a number of moves", 0)?;
        Ok((side, Self { remaining, moves: (moves > 0).then_some(moves), ..Self::default() }))
    }

    /// Returns the arguments of `time_left` for a side.
    pub fn time_left(self, side: Side) -> String {
        format!("{side} {} {}", seconds(self.remaining), self.moves.unwrap_or(0))
    }
}

/// The time control of a game, the same for both sides.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum TimeControl {
    /// No limit.
    #[default]
    None,
    /// A time for the whole game, to which every move may add (Fischer).
    Main {
        /// The time at the beginning.
        main: Duration,
        /// The time that every move adds.
        increment: Duration,
        /// The number of moves after which the main time is given again; [`None`]: never.
        moves: Option<u32>,
    },
    /// Japanese byo-yomi: periods follow the main time. A move made within a period restores it, a
    /// period that runs out is lost.
    ByoYomi {
        /// The time before the first period.
        main: Duration,
        /// The length of a period.
        period: Duration,
        /// The number of periods.
        periods: u32,
    },
    /// Canadian byo-yomi: after the main time, a number of moves must be made in every period.
    Canadian {
        /// The time before the first period.
        main: Duration,
        /// The length of a period.
        period: Duration,
        /// The number of moves in a period.
        moves: u32,
    },
}

/// The control of a game that begins with this clock.
impl From<Clock> for TimeControl {
    fn from(Clock { moves, remaining: main, increment }: Clock) -> Self {
        Self::Main { main, increment, moves }
    }
}

impl TimeControl {
    /// A time for the whole game.
    pub const fn absolute(main: Duration) -> Self {
        Self::Main { main, increment: Duration::ZERO, moves: None }
    }

    /// Returns the clock of a side at the start of a game; [`None`] without a limit.
    pub fn start(self) -> Option<Clock> {
        match self {
            Self::None => None,
            Self::Main { main, moves, .. } => Some(self.clock(main, moves)),
            Self::ByoYomi { main, .. } | Self::Canadian { main, .. } => Some(self.clock(main, None)),
        }
    }

    /// Returns the clock with this time left. With a count it is the rest of a period for this number of moves (in
    /// byo-yomi: periods), else main time, after which a period begins.
    pub fn clock(self, remaining: Duration, count: Option<u32>) -> Clock {
        let clock = |increment, moves| Clock { remaining, increment, moves };
        let period = |remaining, moves| Clock { remaining, increment: Duration::ZERO, moves: Some(moves) };
        match self {
            Self::None => clock(Duration::ZERO, count),
            Self::Main { increment, .. } => clock(increment, count),
            Self::ByoYomi { period: time, .. } => match count {
                None if !remaining.is_zero() => clock(time, None),
                None => period(time, 1),
                Some(_) => period(remaining, 1),
            },
            Self::Canadian { period: time, moves, .. } => match count {
                None if !remaining.is_zero() => clock(time / moves.max(1), None),
                None => period(time, moves.max(1)),
                Some(moves) => period(remaining, moves),
            },
        }
    }

    /// Takes the time of a move off a clock, and adds what the control gives for the move.
    pub fn spend(self, clock: &mut Clock, spent: Duration) {
        let left = clock.remaining.saturating_sub(spent);
        let next = clock.moves.map(|moves| moves.saturating_sub(1));
        *clock = match self {
            Self::None => Clock { remaining: left, ..*clock },
            Self::Main { main, increment, moves } if next == Some(0) => {
                self.clock(left.saturating_add(increment).saturating_add(main), moves)
            }
            Self::Main { increment, .. } => self.clock(left.saturating_add(increment), next),
            Self::ByoYomi { .. } | Self::Canadian { .. } if next.is_none() && !left.is_zero() => self.clock(left, None),
            Self::ByoYomi { .. } => self.clock(Duration::ZERO, None),
            Self::Canadian { period, moves, .. } => {
                // The move that uses up the main time is the first of a period.
                let begun = || (period.saturating_sub(spent.saturating_sub(clock.remaining)), moves.saturating_sub(1));
                match next.map_or_else(begun, |next| (left, next)) {
                    (_, 0) => self.clock(Duration::ZERO, None),
                    (left, next) => self.clock(left, Some(next)),
                }
            }
        };
    }

    /// Reads the arguments of `time_settings`: `MAIN PERIOD MOVES`.
    ///
    /// # Errors
    /// `syntax error` or `value out of range`.
    pub fn parse_settings(arguments: &mut Arguments<'_>) -> Result<Self, ProtocolError> {
        let (main, period) = (time(arguments, "main", 0.0)?, time(arguments, "period", 0.0)?);
        let moves = arguments.count(Some("moves"), "a number of moves", 0)?;
        Ok(Self::Canadian { main, period, moves }.simplified())
    }

    /// Returns the control in its simplest form: without periods, or with periods of no length, it is a time for the
    /// whole game; periods with no moves mean no limit.
    pub const fn simplified(self) -> Self {
        match self {
            Self::ByoYomi { main, period, periods } if periods == 0 || period.is_zero() => Self::absolute(main),
            Self::Canadian { main, period, .. } if period.is_zero() => Self::absolute(main),
            Self::Canadian { moves: 0, .. } => Self::None,
            other => other,
        }
    }
}

/// Times in files, which may be missing: whole milliseconds.
pub(crate) mod as_milliseconds {
    use super::{Duration, milliseconds};
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub(crate) fn serialize<S, T>(time: &T, serializer: S) -> Result<S::Ok, S::Error>
    where
        S: Serializer,
        T: Copy + Into<Option<Duration>>,
    {
        (*time).into().map(milliseconds).serialize(serializer)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>, T: From<Duration>>(deserializer: D) -> Result<T, D::Error> {
        u64::deserialize(deserializer).map(|time| Duration::from_millis(time).into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn secs(n: u64) -> Duration {
        Duration::from_secs(n)
    }

    #[test]
    fn seconds_are_written_short() {
        for (time, text) in [(0, "0"), (1500, "1.5"), (20, "0.02"), (60_001, "60.001")] {
            assert_eq!(seconds(Duration::from_millis(time)), text);
        }
    }

    #[test]
    fn seconds_have_limits() {
        assert_eq!(from_seconds(-0.3), Some(Duration::ZERO));
        assert_eq!(from_seconds(1e9), Some(LONGEST_TIME));
        for beyond in [1e9 + 1.0, f64::INFINITY, f64::NAN] {
            assert_eq!(from_seconds(beyond), None);
        }
    }

    #[test]
    fn controls_are_simplified() {
        let (main, period) = (secs(60), secs(1));
        let canadian = |period, moves| TimeControl::Canadian { main, period, moves };
        assert_eq!(canadian(Duration::ZERO, 5).simplified(), TimeControl::absolute(main));
        assert_eq!(canadian(Duration::ZERO, 0).simplified(), TimeControl::absolute(main));
        assert_eq!(canadian(period, 0).simplified(), TimeControl::None);
        assert_eq!(canadian(period, 5).simplified(), canadian(period, 5));
        assert_eq!(TimeControl::None.start(), None);
    }

    /// The clock at the start and after each of some moves: time, increment, moves.
    fn course(control: TimeControl, spent: &[u64]) -> Vec<(u64, u64, Option<u32>)> {
        let mut clock = control.start().unwrap();
        let seen = |clock: Clock| (clock.remaining.as_secs(), clock.increment.as_secs(), clock.moves);
        let mut course = vec![seen(clock)];
        for spent in spent {
            control.spend(&mut clock, secs(*spent));
            course.push(seen(clock));
        }
        course
    }

    #[test]
    fn fischer_time_gains_its_increment_and_main_time_may_come_again() {
        let main = |moves| TimeControl::Main { main: secs(10), increment: secs(2), moves };
        assert_eq!(course(main(None), &[3, 20]), [(10, 2, None), (9, 2, None), (2, 2, None)]);
        assert_eq!(course(main(Some(2)), &[3, 4]), [(10, 2, Some(2)), (9, 2, Some(1)), (17, 2, Some(2))]);
    }

    #[test]
    fn canadian_periods_begin_when_the_main_time_is_used() {
        let control = TimeControl::Canadian { main: secs(10), period: secs(20), moves: 2 };
        assert_eq!(course(control, &[12, 5]), [(10, 10, None), (18, 0, Some(1)), (20, 0, Some(2))]);
        assert_eq!(course(control, &[4, 6, 1]), [(10, 10, None), (6, 10, None), (20, 0, Some(1)), (20, 0, Some(2))]);
    }

    #[test]
    fn byo_yomi_gives_every_move_a_period() {
        let control = |main| TimeControl::ByoYomi { main: secs(main), period: secs(5), periods: 3 };
        assert_eq!(course(control(0), &[4]), [(5, 0, Some(1)), (5, 0, Some(1))]);
        assert_eq!(course(control(6), &[4, 4]), [(6, 5, None), (2, 5, None), (5, 0, Some(1))]);
    }
}
