//! The end of a solve that the user has asked to stop: within a second, with its progress kept if that takes no longer.

use std::sync::OnceLock;
use std::time::Duration;

use privy_protocol::{Instant, Stop};

use super::error::TableError;

/// Time after a stop in which the progress is written, if that is enough; else the last checkpoint stays.
const TIME_TO_KEEP: Duration = Duration::from_millis(400);

/// The stop of a solve.
#[derive(Debug)]
pub struct Interrupt<'a> {
    pub(super) stop: &'a Stop,
    noticed: OnceLock<Instant>,
}

impl<'a> Interrupt<'a> {
    pub fn new(stop: &'a Stop) -> Interrupt<'a> {
        Interrupt { stop, noticed: OnceLock::new() }
    }

    /// The time since the stop was noticed.
    fn age(&self) -> Option<Duration> {
        self.stop.is_set().then(|| self.noticed.get_or_init(Instant::now).elapsed())
    }

    /// True once there is no time left to complete anything.
    pub(super) fn is_overdue(&self) -> bool {
        self.age().is_some_and(|age| age > TIME_TO_KEEP)
    }

    pub(super) fn check(&self) -> Result<(), TableError> {
        if self.is_overdue() { Err(TableError::Interrupted) } else { Ok(()) }
    }
}
