//! Times and time controls of the clock commands, in seconds.

use std::fmt;
use std::time::Duration;

use nom::Parser;

use crate::arguments::{Arguments, Parsed, count, side};
use crate::grammar;
use crate::side::Side;

/// A time on a clock, exact to the millisecond and never negative. Written in seconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Seconds {
    milliseconds: u64,
}

impl Seconds {
    /// The longest time: a thousand million seconds, so that adding times does not overflow.
    pub const MAX: Self = Self { milliseconds: 1_000_000_000_000 };

    /// A time in milliseconds, cut to [`Seconds::MAX`].
    pub const fn from_milliseconds(milliseconds: u64) -> Self {
        if milliseconds < Self::MAX.milliseconds { Self { milliseconds } } else { Self::MAX }
    }

    /// A time in seconds, rounded to a millisecond; a negative one becomes zero. [`None`] above [`Seconds::MAX`] and for NaN.
    pub fn from_seconds(seconds: f64) -> Option<Self> {
        let milliseconds = (seconds * 1000.0).round().max(0.0);
        if seconds.is_nan() || milliseconds > 1e12 {
            return None;
        }
        Some(Self { milliseconds: milliseconds as u64 })
    }

    /// The time in milliseconds.
    pub const fn milliseconds(self) -> u64 {
        self.milliseconds
    }

    /// Whether it is zero.
    pub const fn is_zero(self) -> bool {
        self.milliseconds == 0
    }

    fn parser<'a>(label: &'static str) -> impl Fn(Arguments<'a>) -> Parsed<'a, Self> {
        move |input| Self::parse(input, label, 0.0)
    }

    fn parse<'a>(input: Arguments<'a>, label: &'static str, least: f64) -> Parsed<'a, Self> {
        let (rest, found) = input.word();
        let Some(value) = found.and_then(grammar::decimal_number) else {
            return input.refused(Some(label), "seconds");
        };
        match Self::from_seconds(value).filter(|_| value >= least) {
            Some(seconds) => Ok((rest, seconds)),
            None => input.out_of_range(Some(label), format_args!("seconds from 0 to {}", Self::MAX)),
        }
    }
}

impl From<Seconds> for Duration {
    fn from(seconds: Seconds) -> Self {
        Self::from_millis(seconds.milliseconds)
    }
}

/// Up to three decimals: `60`, `0.02`.
impl fmt::Display for Seconds {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = format!("{}.{:03}", self.milliseconds / 1000, self.milliseconds % 1000);
        formatter.write_str(text.trim_end_matches('0').trim_end_matches('.'))
    }
}

/// The time control of a game, the same for both sides. Written as the arguments of `kata-time_settings`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TimeControl {
    /// `none`: no limit.
    None,
    /// `absolute MAIN`: a time for the whole game.
    Absolute {
        /// The time for the game.
        main: Seconds,
    },
    /// `byoyomi MAIN PERIOD PERIODS` (Japanese): periods follow the main time. A move made within a period restores it, a
    /// period that runs out is lost.
    ByoYomi {
        /// The time before the first period.
        main: Seconds,
        /// The length of a period.
        period: Seconds,
        /// The number of periods.
        periods: u32,
    },
    /// `canadian MAIN PERIOD MOVES`: after the main time, a number of moves must be made in every period.
    Canadian {
        /// The time before the first period.
        main: Seconds,
        /// The length of a period.
        period: Seconds,
        /// The number of moves in a period.
        moves: u32,
    },
    /// `fischer MAIN INCREMENT`: every move adds to the time.
    Fischer {
        /// The time at the beginning.
        main: Seconds,
        /// The time that every move adds.
        increment: Seconds,
    },
}

impl TimeControl {
    /// The names of the kinds.
    pub const KINDS: [&str; 5] = ["none", "absolute", "byoyomi", "canadian", "fischer"];

    /// The arguments of `kata-time_settings`.
    pub(crate) const KATA_ARGUMENTS: &str =
        "none | absolute MAIN | byoyomi MAIN PERIOD PERIODS | canadian MAIN PERIOD MOVES | fischer MAIN INCREMENT";

    pub(crate) fn parse_settings(input: Arguments<'_>) -> Parsed<'_, Self> {
        Self::parse_canadian.map(Self::simplified).parse(input)
    }

    fn parse_canadian(input: Arguments<'_>) -> Parsed<'_, Self> {
        let moves = count(Some("moves"), "a number of moves", 0);
        (Seconds::parser("main"), Seconds::parser("period"), moves)
            .map(|(main, period, moves)| Self::Canadian { main, period, moves })
            .parse(input)
    }

    pub(crate) fn parse_kata(input: Arguments<'_>) -> Parsed<'_, Self> {
        let (rest, kind) = input.word();
        let main = Seconds::parser("main");
        let (rest, control) = match kind {
            Some("none") => (rest, Self::None),
            Some("absolute") => main.map(|main| Self::Absolute { main }).parse(rest)?,
            Some("byoyomi") => (main, Seconds::parser("period"), count(Some("periods"), "a number of periods", 0))
                .map(|(main, period, periods)| Self::ByoYomi { main, period, periods })
                .parse(rest)?,
            Some("canadian") => Self::parse_canadian(rest)?,
            Some("fischer") => (main, Seconds::parser("increment"))
                .map(|(main, increment)| Self::Fischer { main, increment })
                .parse(rest)?,
            _ => return input.refused(Some("kind"), "none, absolute, byoyomi, canadian or fischer"),
        };
        Ok((rest, control.simplified()))
    }

    /// The control in its simplest form: without periods, or with periods of no length, it is absolute; periods with no moves
    /// mean no limit.
    pub const fn simplified(self) -> Self {
        match self {
            Self::ByoYomi { main, period, periods } if periods == 0 || period.is_zero() => Self::Absolute { main },
            Self::Canadian { main, period, .. } if period.is_zero() => Self::Absolute { main },
            Self::Canadian { moves: 0, .. } => Self::None,
            Self::Fischer { main, increment } if increment.is_zero() => Self::Absolute { main },
            other => other,
        }
    }
}

impl fmt::Display for TimeControl {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::None => write!(formatter, "none"),
            Self::Absolute { main } => write!(formatter, "absolute {main}"),
            Self::ByoYomi { main, period, periods } => write!(formatter, "byoyomi {main} {period} {periods}"),
            Self::Canadian { main, period, moves } => write!(formatter, "canadian {main} {period} {moves}"),
            Self::Fischer { main, increment } => write!(formatter, "fischer {main} {increment}"),
        }
    }
}

/// The clock of a side. Written as the arguments of `time_left`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct TimeLeft {
    /// The side.
    pub side: Side,
    /// The time left.
    pub time: Seconds,
    /// The number of moves that the time is for; 0 for main time.
    pub moves: u32,
}

impl TimeLeft {
    pub(crate) fn parse(input: Arguments<'_>) -> Parsed<'_, Self> {
        // Some clients send a slightly negative time when a move came in at the last moment.
        let time = |input| Seconds::parse(input, "seconds", f64::NEG_INFINITY);
        (side(Some("side")), time, count(Some("moves"), "a number of moves", 0))
            .map(|(side, time, moves)| Self { side, time, moves })
            .parse(input)
    }
}

impl fmt::Display for TimeLeft {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} {} {}", self.side, self.time, self.moves)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seconds_are_written_short() {
        for (milliseconds, text) in [(0, "0"), (1500, "1.5"), (20, "0.02"), (60_001, "60.001")] {
            assert_eq!(Seconds::from_milliseconds(milliseconds).to_string(), text);
        }
    }

    #[test]
    fn seconds_have_limits() {
        assert_eq!(Seconds::from_seconds(-0.3), Some(Seconds::default()));
        assert_eq!(Seconds::from_seconds(1e9), Some(Seconds::MAX));
        assert_eq!(Seconds::from_seconds(1e9 + 1.0), None);
        assert_eq!(Seconds::from_seconds(f64::INFINITY), None);
        assert_eq!(Seconds::from_seconds(f64::NAN), None);
        assert_eq!(Seconds::from_milliseconds(u64::MAX), Seconds::MAX);
    }

    #[test]
    fn controls_are_simplified() {
        let [main, period] = [60_000, 1000].map(Seconds::from_milliseconds);
        let zero = Seconds::default();
        let canadian = |period, moves| TimeControl::Canadian { main, period, moves };
        assert_eq!(canadian(zero, 5).simplified(), TimeControl::Absolute { main });
        assert_eq!(canadian(zero, 0).simplified(), TimeControl::Absolute { main });
        assert_eq!(canadian(period, 0).simplified(), TimeControl::None);
        assert_eq!(canadian(period, 5).simplified(), canadian(period, 5));
    }
}
