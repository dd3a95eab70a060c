//! A request for a search, and what ends it: limits, the clock, a stop.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use privy_protocol::{Clock, Instant, Limits, Stop};

use privy_rules::{MovePath, Position, Variant};

use super::eval::Value;
use super::report::LiveAnalysis;

/// The deepest iteration and the longest win that proofs look for, in plies.
pub const MAX_DEPTH: u32 = 120;

/// Exact values from outside, such as a tablebase. Threads probe concurrently.
pub trait Prober: fmt::Debug + Send + Sync {
    /// The variant of the positions.
    fn variant(&self) -> &Variant;

    /// The most Rebels of a position that can have a value.
    fn most_rebels(&self) -> u32;

    /// The exact value of a position that is not over, for the side to move: a win or loss in plies, or
    /// [`Value::DRAW`]; `None` if unknown.
    fn probe(&self, position: &Position) -> Option<Value>;
}

/// A request for a search. Limits alone are a request for the best of all moves.
#[derive(Debug, Clone, Default)]
pub struct SearchRequest {
    /// The first limit reached ends the search.
    pub limits: Limits,
    /// When it ends, where its time has begun already; by the limits from the moment at which it begins, where there is
    /// none.
    pub deadline: Option<TimeManager>,
    /// Search these root moves only; all when empty.
    pub search_moves: Vec<MovePath>,
    /// Number of lines to report; 0 means one.
    pub multi_pv: usize,
    /// Score all root moves here while the search runs.
    pub live_analysis: Option<LiveAnalysis>,
    /// Of an engine: play at full strength, whatever its level.
    pub full_strength: bool,
    /// Of an engine: proofs that are still being read are waited for, however long that takes. The time of the search
    /// begins then.
    pub wait_for_proofs: bool,
    /// The opponent is to move: the search fills the transposition table for the reply to its move.
    pub ponder: bool,
    /// Threads of the search; 0 means one, and no more are started than the machine has cores, or 16. Only with one are
    /// searches by depth or nodes reproducible.
    pub threads: usize,
    /// The source of exact values, for the positions of its variant. It is not used where a limit of plies or positions
    /// that have occurred twice may change the values.
    pub prober: Option<Arc<dyn Prober>>,
}

impl From<Limits> for SearchRequest {
    fn from(limits: Limits) -> SearchRequest {
        SearchRequest { limits, ..SearchRequest::default() }
    }
}

impl From<&Limits> for SearchRequest {
    fn from(limits: &Limits) -> SearchRequest {
        SearchRequest::from(*limits)
    }
}

impl From<&SearchRequest> for SearchRequest {
    fn from(request: &SearchRequest) -> SearchRequest {
        request.clone()
    }
}

impl SearchRequest {
    /// Returns when the search ends.
    pub fn deadline(&self) -> TimeManager {
        self.deadline.unwrap_or_else(|| TimeManager::new(&self.limits))
    }

    /// Returns the same as an analysis: at full strength, with the proofs of the game.
    #[must_use]
    pub fn analysis(self) -> SearchRequest {
        SearchRequest { full_strength: true, wait_for_proofs: true, ..self }
    }

    /// True if the search may play this root move.
    pub fn admits(&self, move_: &MovePath) -> bool {
        self.search_moves.is_empty() || self.search_moves.contains(move_)
    }

    /// True if more is requested than the best move: several lines, or scores of all moves.
    pub fn wants_more(&self) -> bool {
        self.multi_pv > 1 || self.live_analysis.is_some()
    }

    /// Without limits a search answers only when it is stopped, however early it is done.
    pub fn wait_for_stop(&self, stop: &Stop) {
        if self.limits.is_infinite() {
            stop.wait();
        }
    }
}

/// Stops the other threads when the thread that holds it panics, so that joining them shows the panic instead of a
/// hang.
pub(crate) struct StopOnPanic<'a>(pub &'a Stop);

impl Drop for StopOnPanic<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.set();
        }
    }
}

/// Two moments: after the soft one no new iteration begins, at the hard one the search ends. With a clock the soft one
/// comes earlier the longer the best move stays the same, and later when the score falls.
#[derive(Debug, Clone, Copy)]
pub struct TimeManager {
    start: Instant,
    /// The time after which no new iteration begins.
    pub soft: Option<Duration>,
    /// The time at which the search ends.
    pub hard: Option<Duration>,
}

/// The part of the soft time that counts after an iteration with a new best move, and what each further iteration that
/// keeps it takes away, in hundredths.
const PERCENT_WHEN_NEW: u32 = 140;
const PERCENT_OF_STABLE: u32 = 15;
const MOST_STABLE: u32 = 6;
/// What is added where the score falls, at most: one for three hundredths of a Rebel.
const PERCENT_OF_FALL: i32 = 40;

/// Moves that the rest of a game is assumed to take when the clock does not say.
const EXPECTED_MOVES: u32 = 30;

impl TimeManager {
    /// Plans a search that starts now.
    pub fn new(limits: &Limits) -> TimeManager {
        let (soft, hard) = limits.clock.as_ref().map(share).unzip();
        let least = |of_clock: Option<Duration>| limits.time.into_iter().chain(of_clock).min();
        TimeManager { start: Instant::now(), soft: least(soft), hard: least(hard) }
    }

    /// Returns the same with another end, a time after the same beginning; `None`: no end.
    #[must_use]
    pub fn until(self, end: Option<Duration>) -> TimeManager {
        TimeManager { soft: end, hard: end, ..self }
    }

    /// Returns the time since the search began.
    pub fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }

    /// True once the hard limit is reached.
    #[inline]
    pub fn is_over(&self) -> bool {
        self.hard.is_some_and(|hard| self.elapsed() >= hard)
    }

    /// True if the hard limit is reached at this time since the search began.
    pub(crate) fn is_over_at(&self, elapsed: Duration) -> bool {
        self.hard.is_some_and(|hard| elapsed >= hard)
    }

    /// True once no new iteration should begin. `stable` is the number of iterations that have kept the best move, and
    /// `fall` how much worse it is than in the one before, in hundredths of a Rebel. A limit of time does not depend on
    /// them: its two moments are one.
    pub(crate) fn is_late(&self, stable: u32, fall: i32) -> bool {
        let more = (fall / 3).clamp(0, PERCENT_OF_FALL).unsigned_abs();
        let percent = PERCENT_WHEN_NEW - PERCENT_OF_STABLE * stable.min(MOST_STABLE) + more;
        let at = |soft: Duration| if self.hard > Some(soft) { (soft / 100).saturating_mul(percent) } else { soft };
        self.soft.is_some_and(|soft| self.elapsed() >= at(soft))
    }
}

pub fn share(clock: &Clock) -> (Duration, Duration) {
    let usable = clock.remaining;
    let moves = clock.moves.map_or(EXPECTED_MOVES, |n| n.clamp(1, EXPECTED_MOVES));
    let share = (usable / moves).saturating_add(clock.increment / 4 * 3);
    // The last move before more time comes may use nearly all; otherwise a long think must leave enough for the rest.
    let most = if moves == 1 { usable / 10 * 9 } else { usable / 5 * 2 };
    (share.min(most) / 5 * 3, share.saturating_mul(3).min(most))
}
