//! The process group of an engine: the process and all that it starts in turn, unless they leave it.
//!
//! All that depends on the system is here. Where a system has no process groups, only the process itself is ended, and
//! nothing is suspended.

use std::process::{Child, Command};

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
    #[must_use]
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
    #[must_use]
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
