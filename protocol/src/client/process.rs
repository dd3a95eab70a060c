//! The process of an engine, which never outlives its client, and neither does what it has started.
//!
//! What the engine starts in turn belongs to its process group, unless it leaves it. All that depends on the system is
//! here. Where a system has no process groups, only the process itself is ended, and nothing is suspended.
//!
//! A process that leaves the group, by a session of its own, is nobody's when its engine has ended. A program that has called
//! [`adopt_orphans`] gets it as a child then, and ends it.

use std::io;
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use super::error::ClientError;

/// How long an engine whose input has been closed may take to end before it is killed.
const GRACE: Duration = Duration::from_millis(500);

#[derive(Debug)]
pub(super) struct Process {
    child: Child,
    group: Option<ProcessGroup>,
    status: Option<ExitStatus>,
}

/// How many engines have been started and not been seen to end. Locked while one is started, and while orphans are ended: an engine
/// that has just been started is none.
static LIVING: Mutex<usize> = Mutex::new(0);

fn living() -> MutexGuard<'static, usize> {
    LIVING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The ends of a process's streams that are the client's.
pub(super) struct Pipes {
    pub(super) input: ChildStdin,
    pub(super) output: ChildStdout,
    /// Where the command asked for a pipe.
    pub(super) error: Option<ChildStderr>,
}

impl Process {
    /// Starts a program with pipes for its standard input and output. It ends with what is returned.
    pub(super) fn with_pipes(command: &mut Command) -> Result<(Self, Pipes), ClientError> {
        let started = Self::start(command.stdin(Stdio::piped()).stdout(Stdio::piped()));
        let mut process = started.map_err(|source| ClientError::no_start(command, source))?;
        let child = &mut process.child;
        let (error, pipes) = (child.stderr.take(), child.stdin.take().zip(child.stdout.take()));
        let (input, output) = pipes.ok_or_else(|| ClientError::no_start(command, io::ErrorKind::BrokenPipe.into()))?;
        Ok((process, Pipes { input, output, error }))
    }

    fn start(command: &mut Command) -> io::Result<Self> {
        let mut living = living();
        lead(command);
        let child = command.spawn()?;
        *living += 1;
        let group = ProcessGroup::of(&child);
        Ok(Self { child, group, status: None })
    }

    /// The process has ended. When it was the last one, what it and others have left behind ends, too.
    fn has_gone(&mut self, status: Option<ExitStatus>) {
        if self.status.is_none() && status.is_some() {
            self.status = status;
            let mut living = living();
            *living = living.saturating_sub(1);
            if *living == 0 {
                orphans::end();
            }
        }
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
            let status = self.child.try_wait().ok().flatten();
            self.has_gone(status);
        }
        self.status
    }

    pub(super) fn kill(&mut self) -> Option<ExitStatus> {
        if self.status.is_none() {
            self.end_group();
            // It fails only when the process has ended already.
            let _ = self.child.kill();
            let status = self.child.wait().ok();
            self.has_gone(status);
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
fn lead(command: &mut Command) {
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

pub use orphans::adopt as adopt_orphans;

/// Processes that have lost their parents.
#[cfg(target_os = "linux")]
mod orphans {
    use std::fs;
    use std::io;
    use std::sync::atomic::{AtomicBool, Ordering};

    use rustix::process::{Pid, Signal, WaitOptions, getpid, kill_process, set_child_subreaper, waitpid};

    static ADOPTS: AtomicBool = AtomicBool::new(false);

    /// How often it is looked for the children of those that were ended: they come one generation at a time.
    const GENERATIONS: usize = 100;

    /// From now on all processes that descend from this one and have lost their parents become its children; and whenever no
    /// engine is left that a client has started, all children are killed. It is for a program that starts nothing but engines.
    ///
    /// # Errors
    /// When the system refuses.
    pub fn adopt() -> io::Result<()> {
        set_child_subreaper(Some(getpid()))?;
        ADOPTS.store(true, Ordering::Relaxed);
        Ok(())
    }

    pub(super) fn end() {
        if !ADOPTS.load(Ordering::Relaxed) {
            return;
        }
        for _ in 0..GENERATIONS {
            let children = children();
            if children.is_empty() {
                return;
            }
            for child in children {
                // It fails when the child has ended; then it is waited for all the same.
                let _ = kill_process(child, Signal::KILL);
                let _ = waitpid(Some(child), WaitOptions::empty());
            }
        }
    }

    fn children() -> Vec<Pid> {
        let own = getpid().as_raw_nonzero().to_string();
        let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
        let child = |entry: fs::DirEntry| {
            let id = entry.file_name().to_str()?.parse().ok()?;
            // The name, in brackets, may hold anything; state and parent stand behind it.
            let stat = fs::read_to_string(entry.path().join("stat")).ok()?;
            let (_, behind) = stat.rsplit_once(')')?;
            let parent = behind.split_whitespace().nth(1)?;
            if parent == own { Pid::from_raw(id) } else { None }
        };
        entries.filter_map(child).collect()
    }
}

#[cfg(not(target_os = "linux"))]
mod orphans {
    /// Not on this system: what leaves the group of an engine may outlive it.
    ///
    /// # Errors
    /// None.
    pub const fn adopt() -> std::io::Result<()> {
        Ok(())
    }

    pub(super) const fn end() {}
}
