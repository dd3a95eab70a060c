//! The process of an engine, which never outlives its client.

use std::process::{Child, ExitStatus};
use std::thread;
use std::time::{Duration, Instant};

/// How long an engine whose input has been closed may take to end before it is killed.
const GRACE: Duration = Duration::from_millis(500);

#[derive(Debug)]
pub(super) struct Process(Child);

impl Process {
    pub(super) const fn new(child: Child) -> Self {
        Self(child)
    }

    pub(super) fn id(&self) -> u32 {
        self.0.id()
    }

    /// Waits until the process has ended, at most until `deadline`. The standard library cannot wait with a limit,
    /// so this looks again and again, at most a hundredth of a second too late.
    pub(super) fn wait_until(&mut self, deadline: Option<Instant>) -> Option<ExitStatus> {
        let mut pause = Duration::from_micros(100);
        loop {
            if let Ok(Some(status)) = self.0.try_wait() {
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

    pub(super) fn kill(&mut self) -> Option<ExitStatus> {
        // It fails only when the process has ended already.
        let _ = self.0.kill();
        self.0.wait().ok()
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let deadline = Instant::now().checked_add(GRACE);
        if self.wait_until(deadline).is_none() {
            self.kill();
        }
    }
}
