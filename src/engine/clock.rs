//! The engine's own clocks, for clients that ask for moves without sending times.

use std::time::Duration;

use privy_protocol::Seconds;

use crate::rules::Side;
use crate::search::Clock;

pub use privy_protocol::TimeControl;

/// The time of a move without any limit.
pub(super) const TIME_PER_MOVE: Duration = Duration::from_secs(1);
/// Multiples of the move overhead that are kept back from a time for the whole game.
const LAST_MOVES: u32 = 20;

#[derive(Debug, Clone, Copy)]
struct SideClock {
    main: Duration,
    /// The rest of the period that follows the main time.
    period: Duration,
    /// Canadian: moves left in the period.
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

#[derive(Debug, Clone)]
pub(super) struct Clocks {
    control: TimeControl,
    /// By [`Side`].
    sides: [SideClock; 2],
}

impl Clocks {
    pub(super) fn new(control: TimeControl) -> Clocks {
        let control = control.simplified();
        Clocks { control, sides: [SideClock::new(control); 2] }
    }

    pub(super) fn restart(&mut self) {
        *self = Clocks::new(self.control);
    }

    /// See [`Engine::set_time_left`](super::Engine::set_time_left). A game without time control becomes one: some clients never send the control.
    pub(super) fn set_left(&mut self, side: Side, time: Seconds, count: u32) {
        if self.control == TimeControl::None {
            *self = Clocks::new(match count {
                0 => TimeControl::Absolute { main: time },
                moves => TimeControl::Canadian { main: Seconds::default(), period: time, moves },
            });
        }
        let clock = &mut self.sides[side as usize];
        if count == 0 {
            clock.main = time.into();
        } else {
            *clock = SideClock { main: Duration::ZERO, period: time.into(), count };
        }
    }

    /// The clock of the next move of a side; none without time control.
    pub(super) fn for_move(&self, side: Side, overhead: Duration) -> Option<Clock> {
        let clock = self.sides[side as usize];
        let main = |increment: Duration| {
            // Without more time to come, the reserve must last for the last moves of a long game.
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

    pub(super) fn spend(&mut self, side: Side, spent: Duration) {
        let clock = &mut self.sides[side as usize];
        let beyond = spent.saturating_sub(clock.main);
        clock.main = clock.main.saturating_sub(spent);
        match self.control {
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

    fn secs(n: u64) -> Seconds {
        Seconds::from_milliseconds(1_000 * n)
    }

    fn left(clocks: &Clocks) -> (Duration, Duration, Option<u32>) {
        let clock = clocks.for_move(Side::General, Duration::ZERO).unwrap();
        (clock.remaining, clock.increment, clock.moves_to_go)
    }

    #[test]
    fn fischer_time_gains_its_increment() {
        let mut clocks = Clocks::new(TimeControl::Fischer { main: secs(10), increment: secs(2) });
        clocks.spend(Side::General, seconds(3));
        assert_eq!(left(&clocks), (seconds(9), seconds(2), None));
        assert_eq!(clocks.for_move(Side::Rebels, Duration::ZERO).unwrap().remaining, seconds(10));
    }

    #[test]
    fn canadian_periods_begin_when_the_main_time_is_used() {
        let mut clocks = Clocks::new(TimeControl::Canadian { main: secs(10), period: secs(20), moves: 2 });
        assert_eq!(left(&clocks), (seconds(10), seconds(10), None));
        clocks.spend(Side::General, seconds(12));
        assert_eq!(left(&clocks), (seconds(18), Duration::ZERO, Some(1)));
        clocks.spend(Side::General, seconds(5));
        assert_eq!(left(&clocks), (seconds(20), Duration::ZERO, Some(2)));
    }

    #[test]
    fn byo_yomi_gives_every_move_a_period() {
        let mut clocks = Clocks::new(TimeControl::ByoYomi { main: secs(0), period: secs(5), periods: 3 });
        clocks.spend(Side::General, seconds(4));
        assert_eq!(left(&clocks), (seconds(5), Duration::ZERO, Some(1)));
    }

    #[test]
    fn a_time_from_the_client_replaces_the_clock() {
        let mut clocks = Clocks::new(TimeControl::Canadian { main: secs(10), period: secs(20), moves: 5 });
        clocks.set_left(Side::General, secs(7), 3);
        assert_eq!(left(&clocks), (seconds(7), Duration::ZERO, Some(3)));
        clocks.set_left(Side::General, secs(4), 0);
        assert_eq!(left(&clocks), (seconds(4), seconds(4), None));
        clocks.restart();
        assert_eq!(left(&clocks).0, seconds(10));
    }

    #[test]
    fn time_for_a_whole_game_is_never_used_up() {
        let overhead = Duration::from_millis(10);
        let kept_back = |control| Clocks::new(control).for_move(Side::General, overhead).unwrap().overhead;
        assert_eq!(kept_back(TimeControl::Absolute { main: secs(5) }), Duration::from_millis(200));
        assert_eq!(kept_back(TimeControl::Fischer { main: secs(5), increment: secs(1) }), overhead);
        assert_eq!(kept_back(TimeControl::ByoYomi { main: secs(5), period: secs(1), periods: 1 }), overhead);
    }

    #[test]
    fn a_time_without_a_control_becomes_the_control() {
        let mut clocks = Clocks::new(TimeControl::None);
        clocks.set_left(Side::General, secs(7), 0);
        assert_eq!(left(&clocks), (seconds(7), Duration::ZERO, None));
        let mut clocks = Clocks::new(TimeControl::None);
        clocks.set_left(Side::General, secs(7), 5);
        assert_eq!(left(&clocks), (seconds(7), Duration::ZERO, Some(5)));
    }

    #[test]
    fn without_control_there_is_no_clock() {
        assert!(Clocks::new(TimeControl::None).for_move(Side::General, Duration::ZERO).is_none());
    }
}
