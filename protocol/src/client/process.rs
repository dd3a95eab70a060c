//! The process of an engine, which never outlives its client, and neither does what it has started.

use std::process::{Child, ExitStatus};
use std::thread;
use std::time::{Duration, Instant};

use super::group::ProcessGroup;

/// How long an engine whose input has been closed may take to end before it is killed.
const GRACE: Duration = Duration::from_millis(500);

#[derive(Debug)]
pub(super) struct Process {
    child: Child,
    group: Option<ProcessGroup>,
    status: Option<ExitStatus>,
}

impl Process {
    pub(super) fn new(child: Child) -> Self {
        let group = ProcessGroup::of(&child);
        Self { child, group, status: None }
    }

    pub(super) fn id(&self) -> u32 {
        self.child.id()
    }

    pub(super) const fn group(&self) -> Option<ProcessGroup> {
        self.group
    }

    /// Waits until the process has ended, at most until `deadline`. The standard library cannot wait with a limit,
    /// so this looks again and again, at most a hundredth of a second too late.
    pub(super) fn wait_until(&mut self, deadline: Option<Instant>) -> Option<ExitStatus> {
        let mut pause = Duration::from_micros(100);
        loop {
            if let Some(status) = self.look() {
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

    /// Looks whether the process has ended. When it has, so must what it has left behind, before the group's number
    /// is free.
    pub(super) fn look(&mut self) -> Option<ExitStatus> {
        if self.status.is_none() && self.group.is_none_or(ProcessGroup::has_ended) {
            self.end_group();
            self.status = self.child.try_wait().ok().flatten();
        }
        self.status
    }

    pub(super) fn kill(&mut self) -> Option<ExitStatus> {
        if self.status.is_none() {
            self.end_group();
            // It fails only when the process has ended already.
            let _ = self.child.kill();
            self.status = self.child.wait().ok();
        }
        self.status
    }

    fn end_group(&self) {
        if let Some(group) = self.group {
            group.kill();
        }
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
