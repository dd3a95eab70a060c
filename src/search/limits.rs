//! What ends a search: limits, the clock, a stop.

use std::time::{Duration, Instant};

use privy_protocol::Stop;

use crate::rules::MovePath;

use super::report::LiveAnalysis;

/// The deepest iteration and the longest win that proofs look for, in plies.
pub const MAX_DEPTH: u32 = 120;

/// Limits and options of one search. The first limit reached ends it.
#[derive(Debug, Clone, Default)]
pub struct Limits {
    /// Wall time for this move.
    pub time: Option<Duration>,
    /// Iterations, in plies.
    pub depth: Option<u32>,
    /// Positions reached by making a move.
    pub nodes: Option<u64>,
    /// The clock of the game, of which the search takes a share.
    pub clock: Option<Clock>,
    /// Search these root moves only; all when empty.
    pub search_moves: Vec<MovePath>,
    /// Number of lines to report, at least one.
    pub multi_pv: usize,
    /// Score all root moves here while the search runs.
    pub live_analysis: Option<LiveAnalysis>,
    /// The opponent is to move: the search fills the transposition table for the reply to its move.
    pub ponder: bool,
}

impl Limits {
    /// The search ends only when it is stopped.
    pub fn is_infinite(&self) -> bool {
        self.time.is_none() && self.depth.is_none() && self.nodes.is_none() && self.clock.is_none()
    }

    /// May the search play this root move?
    pub fn admits(&self, move_: &MovePath) -> bool {
        self.search_moves.is_empty() || self.search_moves.contains(move_)
    }

    /// Without limits a search answers only when it is stopped, however early it is done.
    pub fn wait_for_stop(&self, stop: &Stop) {
        while self.is_infinite() && !stop.is_set() {
            std::thread::sleep(Duration::from_millis(1));
        }
    }

    /// Limits of depth or nodes alone: the same input gives the same result.
    pub fn is_reproducible(&self) -> bool {
        self.time.is_none() && self.clock.is_none() && !self.is_infinite()
    }
}

/// The clock of the side to move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Clock {
    /// Time left.
    pub remaining: Duration,
    /// Added after every move.
    pub increment: Duration,
    /// Moves to the next time period; none when the time is for the rest of the game.
    pub moves_to_go: Option<u32>,
    /// Kept back for the delay between engine and clock.
    pub overhead: Duration,
}

/// Stops the other threads when the thread that holds it panics, so that joining them shows the panic instead of a hang.
pub(crate) struct StopOnPanic<'a>(pub(crate) &'a Stop);

impl Drop for StopOnPanic<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.set();
        }
    }
}

/// Two moments: after the soft one no new iteration begins, at the hard one the search ends.
#[derive(Debug, Clone, Copy)]
pub struct TimeManager {
    start: Instant,
    /// The time after which no new iteration begins.
    pub soft: Option<Duration>,
    /// The time at which the search ends.
    pub hard: Option<Duration>,
}

/// Moves that the rest of a game is assumed to take when the clock does not say.
const EXPECTED_MOVES: u32 = 30;

impl TimeManager {
    /// For a search that starts now.
    pub fn new(limits: &Limits) -> TimeManager {
        let (soft, hard) = limits.clock.as_ref().map(share).unzip();
        let least = |of_clock: Option<Duration>| limits.time.into_iter().chain(of_clock).min();
        TimeManager { start: Instant::now(), soft: least(soft), hard: least(hard) }
    }

    /// Time since the search began.
    pub fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }

    /// Is the hard limit reached?
    #[inline]
    pub fn is_over(&self) -> bool {
        self.hard.is_some_and(|hard| self.elapsed() >= hard)
    }

    /// Is the soft limit reached?
    pub fn is_late(&self) -> bool {
        self.soft.is_some_and(|soft| self.elapsed() >= soft)
    }
}

fn share(clock: &Clock) -> (Duration, Duration) {
    let usable = clock.remaining.saturating_sub(clock.overhead);
    let moves = clock.moves_to_go.map_or(EXPECTED_MOVES, |n| n.clamp(1, EXPECTED_MOVES));
    let share = (usable / moves).saturating_add(clock.increment / 4 * 3);
    // The last move before more time comes may use nearly all; otherwise a long think must leave enough for the rest.
    let most = if moves == 1 { usable / 10 * 9 } else { usable / 5 * 2 };
    (share.min(most) / 5 * 3, share.saturating_mul(3).min(most))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_share_never_exceeds_the_remaining_time(remaining in 0u64..10_000_000, increment in 0u64..100_000, moves in proptest::option::of(0u32..200), overhead in 0u64..5_000) {
            let ms = Duration::from_millis;
            let clock = Clock { remaining: ms(remaining), increment: ms(increment), moves_to_go: moves, overhead: ms(overhead) };
            let (soft, hard) = share(&clock);
            prop_assert!(soft <= hard);
            prop_assert!(hard <= ms(remaining).saturating_sub(ms(overhead)));
        }
    }

    #[test]
    fn the_earlier_of_two_time_limits_counts() {
        let clock = Clock {
            remaining: Duration::from_secs(60),
            increment: Duration::ZERO,
            moves_to_go: None,
            overhead: Duration::ZERO,
        };
        let manager = TimeManager::new(&Limits {
            time: Some(Duration::from_millis(10)),
            clock: Some(clock),
            ..Limits::default()
        });
        assert_eq!((manager.soft, manager.hard), (Some(Duration::from_millis(10)), Some(Duration::from_millis(10))));
    }

    #[test]
    fn only_limits_without_a_clock_are_reproducible() {
        let depth = Limits { depth: Some(3), ..Limits::default() };
        assert!(depth.is_reproducible() && !depth.is_infinite());
        assert!(!Limits { time: Some(Duration::ZERO), ..depth }.is_reproducible());
        assert!(Limits::default().is_infinite() && !Limits::default().is_reproducible());
    }
}
