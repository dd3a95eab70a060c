//! The engine's own clocks, for games in which it is asked for moves and keeps the time itself.

use std::time::Duration;

use privy_protocol::Seconds;

use crate::rules::Side;
use crate::search::Clock;

pub use privy_protocol::TimeControl;

/// Time for a move when nothing else limits it.
pub const TIME_PER_MOVE: Duration = Duration::from_secs(1);

/// How many times the overhead of a move is kept back from a time that has to last for the whole game.
const LAST_MOVES: u32 = 20;

/// The clock of one side.
#[derive(Debug, Clone, Copy)]
struct SideClock {
    main: Duration,
    /// What is left of the period that runs after the main time.
    period: Duration,
    /// Canadian: moves left in the period. With byo-yomi each move has a period of its own, whatever their number.
    count: u32,
}

impl SideClock {
    fn new(control: TimeControl) -> SideClock {
        let (main, period, count) = match control {
            TimeControl::None => (Seconds::default(), Seconds::default(), 0),
            TimeControl::Absolute { main } | TimeControl::Fischer { main, .. } => (main, Seconds::default(), 0),
            TimeControl::ByoYomi { main, period, periods: count }
            | TimeControl::Canadian { main, period, moves: count } => (main, period, count),
        };
        SideClock { main: main.into(), period: period.into(), count }
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
        let control = control.simplified();
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
    pub fn set_left(&mut self, side: Side, time: Seconds, count: u32) {
        if self.control == TimeControl::None {
            *self = Clocks::new(match count {
                0 => TimeControl::Absolute { main: time },
                moves => TimeControl::Canadian { main: Seconds::default(), period: time, moves },
            });
        }
        let clock = self.side(side);
        if count == 0 {
            clock.main = time.into();
        } else {
            *clock = SideClock { main: Duration::ZERO, period: time.into(), count };
        }
    }

    /// The clock that the next move of a side is played by; none without time control.
    #[must_use]
    pub fn for_move(&self, side: Side, overhead: Duration) -> Option<Clock> {
        let clock = match side {
            Side::General => &self.general,
            Side::Rebels => &self.rebels,
        };
        let main = |increment: Duration| {
            // Where nothing comes after the main time, the last moves of a long game must be made in what is kept back.
            let kept_back = if increment.is_zero() { overhead * LAST_MOVES } else { overhead };
            Clock { remaining: clock.main, increment, moves_to_go: None, overhead: kept_back }
        };
        let last = |moves| {
            let (remaining, increment) = (clock.period, Duration::ZERO);
            Clock { remaining, increment, moves_to_go: Some(moves), overhead }
        };
        let in_periods = clock.main.is_zero();
        Some(match self.control {
            TimeControl::None => return None,
            TimeControl::Absolute { .. } => main(Duration::ZERO),
            TimeControl::Fischer { increment, .. } => main(increment.into()),
            TimeControl::ByoYomi { .. } if in_periods => last(1),
            TimeControl::ByoYomi { period, .. } => main(period.into()),
            TimeControl::Canadian { .. } if in_periods => last(clock.count.max(1)),
            TimeControl::Canadian { period, moves, .. } => main(Duration::from(period) / moves.max(1)),
        })
    }

    /// Books the time that a side took for a move it has made.
    pub fn spend(&mut self, side: Side, spent: Duration) {
        let control = self.control;
        let clock = self.side(side);
        let beyond = spent.saturating_sub(clock.main);
        clock.main = clock.main.saturating_sub(spent);
        match control {
            TimeControl::Fischer { increment, .. } => clock.main += increment.into(),
            TimeControl::ByoYomi { period, .. } if clock.main.is_zero() => clock.period = period.into(),
            TimeControl::Canadian { period, moves, .. } if clock.main.is_zero() => {
                clock.period = clock.period.saturating_sub(beyond);
                clock.count = clock.count.saturating_sub(1);
                if clock.count == 0 {
                    clock.period = period.into();
                    clock.count = moves;
                }
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn seconds(n: u64) -> Duration {
        Duration::from_secs(n)
    }

    fn told(n: u64) -> Seconds {
        Seconds::from_milliseconds(1_000 * n)
    }

    fn left(clocks: &Clocks) -> (Duration, Duration, Option<u32>) {
        let clock = clocks.for_move(Side::General, Duration::ZERO).unwrap();
        (clock.remaining, clock.increment, clock.moves_to_go)
    }

    #[test]
    fn fischer_time_gains_its_increment() {
        let mut clocks = Clocks::new(TimeControl::Fischer { main: told(10), increment: told(2) });
        clocks.spend(Side::General, seconds(3));
        assert_eq!(left(&clocks), (seconds(9), seconds(2), None));
        assert_eq!(clocks.for_move(Side::Rebels, Duration::ZERO).unwrap().remaining, seconds(10));
    }

    #[test]
    fn canadian_periods_begin_when_the_main_time_is_used() {
        let mut clocks = Clocks::new(TimeControl::Canadian { main: told(10), period: told(20), moves: 2 });
        assert_eq!(left(&clocks), (seconds(10), seconds(10), None));
        clocks.spend(Side::General, seconds(12));
        assert_eq!(left(&clocks), (seconds(18), Duration::ZERO, Some(1)));
        clocks.spend(Side::General, seconds(5));
        assert_eq!(left(&clocks), (seconds(20), Duration::ZERO, Some(2)));
    }

    #[test]
    fn byo_yomi_gives_every_move_a_period() {
        let mut clocks = Clocks::new(TimeControl::ByoYomi { main: told(0), period: told(5), periods: 3 });
        clocks.spend(Side::General, seconds(4));
        assert_eq!(left(&clocks), (seconds(5), Duration::ZERO, Some(1)));
    }

    #[test]
    fn what_the_other_end_says_counts() {
        let mut clocks = Clocks::new(TimeControl::Canadian { main: told(10), period: told(20), moves: 5 });
        clocks.set_left(Side::General, told(7), 3);
        assert_eq!(left(&clocks), (seconds(7), Duration::ZERO, Some(3)));
        clocks.set_left(Side::General, told(4), 0);
        assert_eq!(left(&clocks), (seconds(4), seconds(4), None));
        clocks.restart();
        assert_eq!(left(&clocks).0, seconds(10));
    }

    #[test]
    fn time_for_a_whole_game_is_never_used_up() {
        let overhead = Duration::from_millis(10);
        let kept_back = |control| Clocks::new(control).for_move(Side::General, overhead).unwrap().overhead;
        assert_eq!(kept_back(TimeControl::Absolute { main: told(5) }), Duration::from_millis(200));
        assert_eq!(kept_back(TimeControl::Fischer { main: told(5), increment: told(1) }), overhead);
        assert_eq!(kept_back(TimeControl::ByoYomi { main: told(5), period: told(1), periods: 1 }), overhead);
    }

    #[test]
    fn time_told_without_a_control_is_kept_to() {
        let mut clocks = Clocks::new(TimeControl::None);
        clocks.set_left(Side::General, told(7), 0);
        assert_eq!(left(&clocks), (seconds(7), Duration::ZERO, None));
        let mut clocks = Clocks::new(TimeControl::None);
        clocks.set_left(Side::General, told(7), 5);
        assert_eq!(left(&clocks), (seconds(7), Duration::ZERO, Some(5)));
    }

    #[test]
    fn without_control_there_is_no_clock() {
        assert!(Clocks::new(TimeControl::None).for_move(Side::General, Duration::ZERO).is_none());
    }
}
