//! The process of an engine. Neither it nor the processes that it starts outlive the client.
//!
//! An engine leads a process group, to which the processes that it starts belong. On systems without process groups only the
//! process itself is ended, and nothing is suspended.
//!
//! A process that leaves the group, by a new session, becomes an orphan when its engine ends. A program that has called
//! [`adopt_orphans`] becomes its parent, and ends it.

use std::io;
use std::process::{Child, Command, ExitStatus};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// The time in which an engine whose input has been closed must end before it is killed.
const GRACE: Duration = Duration::from_millis(500);

#[derive(Debug)]
pub(super) struct Process {
    pub(super) child: Child,
    group: Option<ProcessGroup>,
    status: Option<ExitStatus>,
}

/// The number of engines that run. Locked while one is started and while orphans are ended: a new engine is no orphan.
static LIVING: Mutex<usize> = Mutex::new(0);

fn living() -> MutexGuard<'static, usize> {
    LIVING.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Process {
    pub(super) fn start(command: &mut Command) -> io::Result<Self> {
        let mut living = living();
        // The engine leads a separate process group.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(command, 0);
        let child = command.spawn()?;
        *living += 1;
        let group = ProcessGroup::of(&child);
        Ok(Self { child, group, status: None })
    }

    /// Notes the end of the process. With the last engine all orphans end.
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

    /// Waits until the process has ended, at most until `deadline`. The standard library cannot wait with a limit: this polls,
    /// at intervals of at most 10 ms.
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

    /// Polls whether the process has ended, and then ends its group, before the number of the group is free.
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
            // It fails only when the process has ended.
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

/// The process group that an engine leads. It must not be used after the process: the system may give its number to others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct ProcessGroup(#[cfg(unix)] rustix::process::Pid);

#[cfg(unix)]
impl ProcessGroup {
    fn of(child: &Child) -> Option<Self> {
        let id = i32::try_from(child.id()).ok()?;
        rustix::process::Pid::from_raw(id).map(Self)
    }

    fn kill(self) {
        self.send(rustix::process::Signal::KILL);
    }

    fn send(self, signal: rustix::process::Signal) {
        // It fails only when the group is empty.
        let _ = rustix::process::kill_process_group(self.0, signal);
    }

    /// True if the leader has ended. It keeps its number until it is waited for.
    fn has_ended(self) -> bool {
        use rustix::process::{WaitId, WaitIdOptions, waitid};
        let look = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        // It fails when there is no process to wait for.
        !matches!(waitid(WaitId::Pid(self.0), look), Ok(None))
    }
}

#[cfg(not(unix))]
impl ProcessGroup {
    const fn of(_: &Child) -> Option<Self> {
        None
    }

    const fn kill(self) {}

    const fn has_ended(self) -> bool {
        true
    }
}

pub use orphans::adopt as adopt_orphans;

#[cfg(target_os = "linux")]
mod orphans {
    use std::fs;
    use std::io;
    use std::sync::atomic::{AtomicBool, Ordering};

    use rustix::process::{Pid, Signal, WaitOptions, getpid, kill_process, set_child_subreaper, waitpid};

    static ADOPTS: AtomicBool = AtomicBool::new(false);

    /// The most generations of orphans: the children of a process become orphans when it is killed.
    const GENERATIONS: usize = 100;

    /// Makes this process the parent of all orphans that descend from it. When the last engine has ended, all children are killed.
    /// For programs that start only engines.
    ///
    /// # Errors
    /// Those of the system.
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
                // It fails when the child has ended; it must be waited for all the same.
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
    /// Not on this system: a process that leaves the group of its engine may outlive it.
    ///
    /// # Errors
    /// None.
    pub const fn adopt() -> std::io::Result<()> {
        Ok(())
    }

    pub(super) const fn end() {}
}
