//! The process of an engine, which never outlives its client, and neither does what it has started.
//!
//! What the engine starts in turn belongs to its process group, unless it leaves it. All that depends on the system is
//! here. Where a system has no process groups, only the process itself is ended, and nothing is suspended.

use std::process::{Child, Command, ExitStatus};
use std::thread;
use std::time::{Duration, Instant};

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

/// The process group that an engine leads.
///
/// It is a name, not a hold: once the client has seen the engine end, the system may give the number to others. So let go
/// of it before the client.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ProcessGroup(#[cfg(unix)] rustix::process::Pid);

/// Makes the process that a command starts the leader of a group of its own.
pub(super) fn lead(command: &mut Command) {
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(command, 0);
    #[cfg(not(unix))]
    let _ = command;
}

#[cfg(unix)]
impl ProcessGroup {
    pub(super) fn of(child: &Child) -> Option<Self> {
        let id = i32::try_from(child.id()).ok()?;
        rustix::process::Pid::from_raw(id).map(Self)
    }

    /// Stops all processes of the group where they are, until [`ProcessGroup::resume`]. They may run on for a moment: see
    /// [`ProcessGroup::is_suspended`].
    pub fn suspend(self) {
        self.send(rustix::process::Signal::STOP);
    }

    /// Whether the leader has been suspended, with all its threads, or has ended.
    pub fn is_suspended(self) -> bool {
        use rustix::process::WaitIdOptions;
        self.has_come_to(WaitIdOptions::STOPPED | WaitIdOptions::EXITED)
    }

    /// Lets the processes of the group go on.
    pub fn resume(self) {
        self.send(rustix::process::Signal::CONT);
    }

    pub(super) fn kill(self) {
        self.send(rustix::process::Signal::KILL);
    }

    fn send(self, signal: rustix::process::Signal) {
        // It fails only when there is nobody left in the group.
        let _ = rustix::process::kill_process_group(self.0, signal);
    }

    /// Whether the leader has ended. It keeps its number until it is waited for, so that no other group can get it.
    pub(super) fn has_ended(self) -> bool {
        self.has_come_to(rustix::process::WaitIdOptions::EXITED)
    }

    /// Whether the leader is in one of these states, which stay to be waited for.
    fn has_come_to(self, states: rustix::process::WaitIdOptions) -> bool {
        use rustix::process::{WaitId, WaitIdOptions, waitid};
        let look = states | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        // An error means that there is nothing to wait for.
        !matches!(waitid(WaitId::Pid(self.0), look), Ok(None))
    }
}

#[cfg(not(unix))]
impl ProcessGroup {
    pub(super) const fn of(_: &Child) -> Option<Self> {
        None
    }

    /// Not on this system.
    pub const fn suspend(self) {}

    /// Not on this system.
    pub const fn is_suspended(self) -> bool {
        true
    }

    /// Not on this system.
    pub const fn resume(self) {}

    pub(super) const fn kill(self) {}

    pub(super) const fn has_ended(self) -> bool {
        true
    }
}
