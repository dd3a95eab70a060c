//! Time controls as users write them, and the clock of an engine in a game.

use std::time::Duration;

use privy_protocol::clock::{from_seconds, seconds};
use privy_protocol::{Clock, Limits, TimeControl};

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("time control \"{0}\": expected [MOVES/]SECONDS[+SECONDS], such as 60+0.5, 40/300 or 1:30")]
pub struct BadTimeControl(String);

/// The longest readable time: a thousand hours.
const LONGEST: Duration = Duration::from_secs(3_600_000);

/// Reads the clock at the start of a game, `[MOVES/]TIME[+INCREMENT]`, times in seconds or `MINUTES:SECONDS`. After the moves the time is
/// given again.
pub fn read_clock(text: &str) -> Result<Clock, BadTimeControl> {
    let read = || {
        let (moves, times) = match text.split_once('/') {
            Some((moves, times)) => (Some(moves.parse().ok().filter(|moves| *moves > 0)?), times),
            None => (None, text),
        };
        let (time, increment) = times.split_once('+').unwrap_or((times, "0"));
        let clock = Clock { moves, remaining: read_time(time)?, increment: read_time(increment)? };
        (!clock.remaining.is_zero()).then_some(clock)
    };
    read().ok_or_else(|| BadTimeControl(text.to_owned()))
}

fn read_time(text: &str) -> Option<Duration> {
    let (minutes, seconds) = text.split_once(':').unwrap_or(("0", text));
    let plain = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    let seconds: f64 = seconds.parse().ok().filter(|_| plain(seconds))?;
    let minutes: u32 = minutes.parse().ok().filter(|_| plain(minutes))?;
    from_seconds(f64::from(minutes) * 60.0 + seconds).filter(|time| *time <= LONGEST)
}

/// Returns the limits at the start of a game in the form of records: `60+0.5`, `time 10`, `nodes 1000 depth 5`.
pub(crate) fn control_text(limits: &Limits) -> String {
    let clock = limits.clock.map(|Clock { moves, remaining, increment }| {
        let moves = moves.map_or_else(String::new, |moves| format!("{moves}/"));
        let increment = if increment.is_zero() { String::new() } else { format!("+{}", seconds(increment)) };
        format!("{moves}{}{increment}", seconds(remaining))
    });
    let named = [
        clock,
        limits.time.map(|time| format!("time {}", time.as_millis())),
        limits.nodes.map(|nodes| format!("nodes {nodes}")),
        limits.depth.map(|depth| format!("depth {depth}")),
    ];
    named.into_iter().flatten().collect::<Vec<_>>().join(" ")
}

/// The limits of an engine's moves in a game.
#[derive(Debug, Clone)]
pub(super) struct EngineClock {
    /// Of the first move.
    pub(super) control: Limits,
    /// Of the next move.
    pub(super) limits: Limits,
}

impl EngineClock {
    pub(super) fn new(control: Limits) -> EngineClock {
        EngineClock { control, limits: control }
    }

    /// Returns the time for the next move; [`None`] where no limit depends on time.
    pub(super) fn allowance(&self) -> Option<Duration> {
        let left = self.limits.clock.map(|clock| clock.remaining);
        left.into_iter().chain(self.limits.time).min()
    }

    /// Charges the time of a move, but no part of the margin.
    pub(super) fn spend(&mut self, spent: Duration) {
        if let (Some(start), Some(clock)) = (self.control.clock, &mut self.limits.clock) {
            TimeControl::from(start).spend(clock, spent);
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const fn ms(n: u64) -> Duration {
        Duration::from_millis(n)
    }

    fn with_clock(text: &str) -> Limits {
        Limits { clock: Some(read_clock(text).unwrap()), ..Limits::default() }
    }

    #[test]
    fn clocks_are_read_or_refused() {
        let read = |text: &str| {
            let clock = read_clock(text).unwrap();
            (clock.moves, clock.remaining, clock.increment)
        };
        assert_eq!(read("60"), (None, ms(60_000), ms(0)));
        assert_eq!(read("40/1:30+0.5"), (Some(40), ms(90_000), ms(500)));
        assert_eq!(control_text(&with_clock("40/1:30+0.5")), "40/90+0.5");
        assert_eq!(read("0.1+0.001"), (None, ms(100), ms(1)));
        assert_eq!(read("40/2:00"), (Some(40), ms(120_000), ms(0)));
        for text in ["", "x", "0", "60+", "0/60", "-1", "60+-1", "1e3", "inf", "nan", "99999999", "1:2:3", "40/"] {
            assert!(read_clock(text).is_err(), "{text}");
        }
        let limits = Limits { nodes: Some(5), depth: Some(3), ..Limits::default() };
        assert_eq!(control_text(&limits), "nodes 5 depth 3");
    }

    /// Files of matches hold limits in this form.
    #[test]
    fn limits_are_stored_in_milliseconds() {
        let limits = Limits { nodes: Some(7), time: Some(ms(5)), ..with_clock("40/60+0.5") };
        let text = r#"{"clock":{"moves":40,"time_ms":60000,"increment_ms":500},"time_ms":5,"nodes":7}"#;
        assert_eq!(serde_json::to_string(&limits).unwrap(), text);
        assert_eq!(serde_json::from_str::<Limits>(text).unwrap(), limits);
        let short = r#"{"clock":{"time_ms":60000}}"#;
        assert_eq!(serde_json::from_str::<Limits>(short).unwrap(), with_clock("60"));
        assert!(serde_json::from_str::<Limits>(r#"{"time":5}"#).is_err());
    }

    #[test]
    fn increments_are_added_after_the_move() {
        let mut clock = EngineClock::new(with_clock("10+0.5"));
        clock.spend(ms(2000));
        assert_eq!(clock.allowance(), Some(ms(8500)));
        assert_eq!(clock.limits.to_string(), "clock 8500 inc 500");
        // Within the margin: the clock stands at 0, and gains its increment.
        clock.spend(ms(8600));
        assert_eq!(clock.allowance(), Some(ms(500)));
    }

    #[test]
    fn each_period_adds_its_time() {
        let mut clock = EngineClock::new(with_clock("2/10"));
        clock.spend(ms(4000));
        assert_eq!(clock.limits.to_string(), "clock 6000 moves 1");
        clock.spend(ms(1000));
        assert_eq!(clock.limits.to_string(), "clock 15000 moves 2");
    }

    #[test]
    fn limits_without_time_have_no_clock() {
        let mut clock = EngineClock::new(Limits { nodes: Some(7), depth: Some(2), ..Limits::default() });
        clock.spend(ms(4000));
        assert_eq!((clock.allowance(), clock.limits.to_string()), (None, "depth 2 nodes 7".to_owned()));
        let clock = EngineClock::new(Limits::of_time(ms(10)));
        assert_eq!((clock.allowance(), clock.limits.to_string()), (Some(ms(10)), "time 10".to_owned()));
    }

    proptest! {
        #[test]
        fn clocks_round_trip(moves in proptest::option::of(1u32..1000), time in 1u64..10_000_000, increment in 0u64..100_000) {
            let clock = Clock { moves, remaining: ms(time), increment: ms(increment) };
            let limits = Limits { clock: Some(clock), ..Limits::default() };
            prop_assert_eq!(read_clock(&control_text(&limits)).ok(), Some(clock));
        }
    }
}
