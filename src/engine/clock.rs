//! The engine's own clocks, for games in which it is asked for moves and keeps the time itself.

use std::time::Duration;

use crate::rules::Side;
use crate::search::Clock;

/// How a game is timed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum TimeControl {
    /// Not at all: the engine takes [`TIME_PER_MOVE`].
    #[default]
    None,
    /// So much for the whole game.
    Absolute {
        /// Time for all moves.
        main: Duration,
    },
    /// After the main time, each move has a period of its own; a period overstepped is lost.
    ByoYomi {
        /// Time before the periods.
        main: Duration,
        /// Length of a period.
        period: Duration,
        /// How many periods.
        periods: u32,
    },
    /// After the main time, so many moves must be made in each period.
    Canadian {
        /// Time before the periods.
        main: Duration,
        /// Length of a period.
        period: Duration,
        /// Moves in a period, at least 1.
        moves: u32,
    },
    /// The clock gains time with every move.
    Fischer {
        /// Time at the start.
        main: Duration,
        /// Added after every move.
        increment: Duration,
    },
}

/// Time for a move when nothing else limits it.
pub const TIME_PER_MOVE: Duration = Duration::from_secs(1);

/// The clock of one side.
#[derive(Debug, Clone, Copy)]
struct SideClock {
    main: Duration,
    /// What is left of the period that runs after the main time.
    period: Duration,
    /// Canadian: moves left in the period. Byo-yomi: periods left.
    count: u32,
}

impl SideClock {
    fn new(control: TimeControl) -> SideClock {
        let (main, period, count) = match control {
            TimeControl::None => (Duration::ZERO, Duration::ZERO, 0),
            TimeControl::Absolute { main } | TimeControl::Fischer { main, .. } => (main, Duration::ZERO, 0),
            TimeControl::ByoYomi { main, period, periods } => (main, period, periods),
            TimeControl::Canadian { main, period, moves } => (main, period, moves),
        };
        SideClock { main, period, count }
    }
}

/// The clocks of both sides.
#[derive(Debug, Clone)]
pub struct Clocks {
    control: TimeControl,
    general: SideClock,
    rebels: SideClock,
}

impl Clocks {
    /// Clocks at the start of a game.
    #[must_use]
    pub fn new(control: TimeControl) -> Clocks {
        Clocks { control, general: SideClock::new(control), rebels: SideClock::new(control) }
    }

    /// Sets the clocks to the start of a game with the same time control.
    pub fn restart(&mut self) {
        *self = Clocks::new(self.control);
    }

    fn side(&mut self, side: Side) -> &mut SideClock {
        match side {
            Side::General => &mut self.general,
            Side::Rebels => &mut self.rebels,
        }
    }

    /// What the other end says of a clock. With `count` 0 the time is main time; else it is what is left of a period, and
    /// `count` the moves to make in it (Canadian) or the periods left (byo-yomi). A game without time control becomes one
    /// by what is said here: some clients never tell the control itself.
    pub fn set_left(&mut self, side: Side, time: Duration, count: u32) {
        if self.control == TimeControl::None {
            *self = Clocks::new(match count {
                0 => TimeControl::Absolute { main: time },
                moves => TimeControl::Canadian { main: Duration::ZERO, period: time, moves },
            });
        }
        let clock = self.side(side);
        if count == 0 {
            clock.main = time;
        } else {
            *clock = SideClock { main: Duration::ZERO, period: time, count };
        }
    }

    /// The clock that the next move of a side is played by; none without time control.
    #[must_use]
    pub fn for_move(&self, side: Side, overhead: Duration) -> Option<Clock> {
        let clock = match side {
            Side::General => &self.general,
            Side::Rebels => &self.rebels,
        };
        let whole = |remaining, increment| Clock { remaining, increment, moves_to_go: None, overhead };
        let last =
            |remaining, moves| Clock { remaining, increment: Duration::ZERO, moves_to_go: Some(moves), overhead };
        match self.control {
            TimeControl::None => None,
            TimeControl::Absolute { .. } => Some(whole(clock.main, Duration::ZERO)),
            TimeControl::Fischer { increment, .. } => Some(whole(clock.main, increment)),
            TimeControl::ByoYomi { period, .. } if !clock.main.is_zero() => Some(whole(clock.main, period)),
            TimeControl::ByoYomi { .. } => Some(last(clock.period, 1)),
            TimeControl::Canadian { period, moves, .. } if !clock.main.is_zero() => {
                Some(whole(clock.main, period / moves.max(1)))
            }
            TimeControl::Canadian { .. } => Some(last(clock.period, clock.count.max(1))),
        }
    }

    /// Books the time that a side took for a move it has made.
    pub fn spend(&mut self, side: Side, spent: Duration) {
        let control = self.control;
        let clock = self.side(side);
        let beyond = spent.saturating_sub(clock.main);
        clock.main = clock.main.saturating_sub(spent);
        match control {
            TimeControl::None | TimeControl::Absolute { .. } => {}
            TimeControl::Fischer { increment, .. } => clock.main += increment,
            TimeControl::ByoYomi { period, .. } => {
                if !clock.main.is_zero() {
                    return;
                }
                let lost = beyond.as_nanos().checked_div(period.as_nanos()).unwrap_or(0);
                clock.count = clock.count.saturating_sub(u32::try_from(lost).unwrap_or(u32::MAX)).max(1);
                clock.period = period;
            }
            TimeControl::Canadian { period, moves, .. } => {
                if !clock.main.is_zero() {
                    return;
                }
                clock.period = clock.period.saturating_sub(beyond);
                clock.count = clock.count.saturating_sub(1);
                if clock.count == 0 {
                    clock.period = period;
                    clock.count = moves;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn seconds(n: u64) -> Duration {
        Duration::from_secs(n)
    }

    fn left(clocks: &Clocks) -> (Duration, Duration, Option<u32>) {
        let clock = clocks.for_move(Side::General, Duration::ZERO).unwrap();
        (clock.remaining, clock.increment, clock.moves_to_go)
    }

    #[test]
    fn fischer_time_gains_its_increment() {
        let mut clocks = Clocks::new(TimeControl::Fischer { main: seconds(10), increment: seconds(2) });
        clocks.spend(Side::General, seconds(3));
        assert_eq!(left(&clocks), (seconds(9), seconds(2), None));
        assert_eq!(clocks.for_move(Side::Rebels, Duration::ZERO).unwrap().remaining, seconds(10));
    }

    #[test]
    fn canadian_periods_begin_when_the_main_time_is_used() {
        let mut clocks = Clocks::new(TimeControl::Canadian { main: seconds(10), period: seconds(20), moves: 2 });
        assert_eq!(left(&clocks), (seconds(10), seconds(10), None));
        clocks.spend(Side::General, seconds(12));
        assert_eq!(left(&clocks), (seconds(18), Duration::ZERO, Some(1)));
        clocks.spend(Side::General, seconds(5));
        assert_eq!(left(&clocks), (seconds(20), Duration::ZERO, Some(2)));
    }

    #[test]
    fn byo_yomi_gives_every_move_a_period() {
        let mut clocks = Clocks::new(TimeControl::ByoYomi { main: seconds(0), period: seconds(5), periods: 3 });
        clocks.spend(Side::General, seconds(4));
        assert_eq!(left(&clocks), (seconds(5), Duration::ZERO, Some(1)));
    }

    #[test]
    fn what_the_other_end_says_counts() {
        let mut clocks = Clocks::new(TimeControl::Canadian { main: seconds(10), period: seconds(20), moves: 5 });
        clocks.set_left(Side::General, seconds(7), 3);
        assert_eq!(left(&clocks), (seconds(7), Duration::ZERO, Some(3)));
        clocks.set_left(Side::General, seconds(4), 0);
        assert_eq!(left(&clocks), (seconds(4), seconds(4), None));
        clocks.restart();
        assert_eq!(left(&clocks).0, seconds(10));
    }

    #[test]
    fn time_told_without_a_control_is_kept_to() {
        let mut clocks = Clocks::new(TimeControl::None);
        clocks.set_left(Side::General, seconds(7), 0);
        assert_eq!(left(&clocks), (seconds(7), Duration::ZERO, None));
        let mut clocks = Clocks::new(TimeControl::None);
        clocks.set_left(Side::General, seconds(7), 5);
        assert_eq!(left(&clocks), (seconds(7), Duration::ZERO, Some(5)));
    }

    #[test]
    fn without_control_there_is_no_clock() {
        assert!(Clocks::new(TimeControl::None).for_move(Side::General, Duration::ZERO).is_none());
    }
}
