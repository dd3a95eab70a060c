//! The process of an engine.

use std::fmt;
use std::process::{Child, ExitStatus};
use std::thread;
use std::time::{Duration, Instant};

/// The process at the other end of the pipes of a client: a [`Child`], or one that ends what it has started, too.
pub trait Process: fmt::Debug + Send {
    /// Its id.
    fn id(&self) -> u32;

    /// The exit status, if it has ended.
    fn status(&mut self) -> Option<ExitStatus>;

    /// Kills it, and waits until it has ended.
    fn kill(&mut self) -> Option<ExitStatus>;
}

impl Process for Child {
    fn id(&self) -> u32 {
        Child::id(self)
    }

    fn status(&mut self) -> Option<ExitStatus> {
        self.try_wait().ok().flatten()
    }

    fn kill(&mut self) -> Option<ExitStatus> {
        // It fails only when the process has ended.
        let _ = Child::kill(self);
        self.wait().ok()
    }
}

/// Waits until a process has ended, at most until `deadline`. The standard library cannot wait with a limit: this
/// polls, at intervals of at most 10 ms.
pub(super) fn wait_until(process: &mut dyn Process, deadline: Option<Instant>) -> Option<ExitStatus> {
    let mut pause = Duration::from_micros(100);
    loop {
        if let Some(status) = process.status() {
            return Some(status);
        }
        let left = deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()));
        if left.is_some_and(|left| left.is_zero()) {
            return None;
        }
        thread::sleep(left.map_or(pause, |left| left.min(pause)));
        pause = (pause * 2).min(Duration::from_millis(10));
    }
}
