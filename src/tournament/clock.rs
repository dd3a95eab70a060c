//! The clock of one engine in one game.

use std::time::Duration;

use privy_protocol::{ClockLimit, GoLimits};

use super::time_control::TimeControl;

/// What an engine has left.
#[derive(Debug, Clone)]
pub struct Clock {
    control: TimeControl,
    left: Duration,
    /// Moves to make until the time is given again.
    moves: Option<u32>,
}

impl Clock {
    /// A clock at the start of a game.
    #[must_use]
    pub fn new(control: TimeControl) -> Clock {
        let clock = control.clock;
        Clock {
            control,
            left: Duration::from_millis(clock.map_or(0, |clock| clock.time_ms)),
            moves: clock.and_then(|clock| clock.moves),
        }
    }

    /// How long the next move may take; none where time plays no part.
    #[must_use]
    pub fn allowance(&self) -> Option<Duration> {
        let clock = self.control.clock.map(|_| self.left);
        let time = self.control.time_ms.map(Duration::from_millis);
        clock.into_iter().chain(time).min()
    }

    /// What is left of the clock and the moves that it is for; none without a clock.
    #[must_use]
    pub fn left(&self) -> Option<(Duration, Option<u32>)> {
        self.control.clock.map(|_| (self.left, self.moves))
    }

    /// The limits of the next move as `go` tells them.
    #[must_use]
    pub fn go_limits(&self) -> GoLimits {
        let clock = self.control.clock.map(|clock| ClockLimit {
            remaining_ms: u64::try_from(self.left.as_millis()).unwrap_or(u64::MAX),
            increment_ms: clock.increment_ms,
            moves: self.moves,
        });
        let TimeControl { time_ms, nodes, depth, .. } = self.control;
        GoLimits { time_ms, depth, nodes, clock, ..GoLimits::default() }
    }

    /// Books the time of a move that was made in time: a margin is not charged.
    pub fn spend(&mut self, spent: Duration) {
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
    use super::*;

    fn clock(text: &str) -> Clock {
        Clock::new(TimeControl { clock: Some(text.parse().unwrap()), ..TimeControl::default() })
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
        // Within the margin of the referee: the clock stands at nothing, and gains its increment.
        clock.spend(ms(8600));
        assert_eq!(clock.allowance(), Some(ms(500)));
    }

    #[test]
    fn periods_give_their_time_again() {
        let mut clock = clock("2/10");
        clock.spend(ms(4000));
        assert_eq!(clock.go_limits().to_string(), "clock 6000 moves 1");
        clock.spend(ms(1000));
        assert_eq!(clock.left(), Some((ms(15_000), Some(2))));
    }

    #[test]
    fn without_time_nothing_is_booked() {
        let mut clock = Clock::new(TimeControl { nodes: Some(7), depth: Some(2), ..TimeControl::default() });
        clock.spend(ms(4000));
        assert_eq!((clock.allowance(), clock.left()), (None, None));
        assert_eq!(clock.go_limits().to_string(), "depth 2 nodes 7");
        let clock = Clock::new(TimeControl { time_ms: Some(10), ..TimeControl::default() });
        assert_eq!((clock.allowance(), clock.go_limits().to_string()), (Some(ms(10)), "time 10".to_owned()));
    }
}
