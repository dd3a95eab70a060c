//! The process of an engine. Neither it nor the processes that it starts outlive the client.
//!
//! An engine leads a process group, to which the processes that it starts belong. On systems without process groups
//! only the process itself is ended.
//!
//! A process that leaves the group, by a new session, becomes an orphan when its engine ends. A program that has called
//! [`adopt_orphans`] becomes its parent, and ends it.

use std::io;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::{Mutex, MutexGuard, PoisonError};

use privy_protocol::{Client, ClientError, Process};

/// The number of engines that run. Locked while one is started and while orphans are ended: a new engine is no orphan.
static LIVING: Mutex<usize> = Mutex::new(0);

fn living() -> MutexGuard<'static, usize> {
    LIVING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Starts an engine. The processes that it has started end with it, and an interrupt typed at the terminal reaches only
/// the caller.
///
/// # Errors
/// [`ClientError::Start`].
pub fn start_engine(command: &mut Command) -> Result<Client, ClientError> {
    let start = |command: &mut Command| -> io::Result<Client> {
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(command, 0);
        let mut living = living();
        let child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
        *living += 1;
        drop(living);
        Client::of_child(child, |child| {
            let group = ProcessGroup::of(&child);
            Box::new(EngineProcess { child, group, status: None })
        })
    };
    start(command)
        .map_err(|source| ClientError::Start { program: command.get_program().to_string_lossy().into_owned(), source })
}

#[derive(Debug)]
struct EngineProcess {
    child: Child,
    group: Option<ProcessGroup>,
    status: Option<ExitStatus>,
}

impl EngineProcess {
    fn end_group(&self) {
        if let Some(group) = self.group {
            group.kill();
        }
    }

    /// Notes the end of the process. With the last engine all orphans end.
    fn note_end(&mut self, status: Option<ExitStatus>) {
        if status.is_some() {
            self.status = status;
            let mut living = living();
            *living = living.saturating_sub(1);
            if *living == 0 {
                orphans::end();
            }
        }
    }
}

impl Process for EngineProcess {
    fn id(&self) -> u32 {
        self.child.id()
    }

    /// Ends its group, too, before the number of the group is free.
    fn status(&mut self) -> Option<ExitStatus> {
        if self.status.is_none() && self.group.is_none_or(ProcessGroup::has_ended) {
            self.end_group();
            let status = self.child.try_wait().ok().flatten();
            self.note_end(status);
        }
        self.status
    }

    fn kill(&mut self) -> Option<ExitStatus> {
        if self.status.is_none() {
            self.end_group();
            // It fails only when the process has ended.
            let _ = self.child.kill();
            let status = self.child.wait().ok();
            self.note_end(status);
        }
        self.status
    }
}

/// The process group that an engine leads. It must not be used after the process: the system may give its number to
/// others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct ProcessGroup(#[cfg(unix)] rustix::process::Pid);

#[cfg(unix)]
impl ProcessGroup {
    fn of(child: &Child) -> Option<Self> {
        let id = i32::try_from(child.id()).ok()?;
        rustix::process::Pid::from_raw(id).map(Self)
    }

    fn kill(self) {
        // It fails only when the group is empty.
        let _ = rustix::process::kill_process_group(self.0, rustix::process::Signal::KILL);
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

    /// Makes this process the parent of all orphans that descend from it. When the last engine has ended, all children
    /// are killed. For programs that start only engines.
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
            // The name, in brackets, may hold anything; state and parent follow it.
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

#[cfg(unix)]
#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;
    use std::thread;
    use std::time::{Duration, Instant};

    use super::*;

    const LONG: Duration = Duration::from_secs(20);

    fn shell(script: &str) -> Client {
        start_engine(Command::new("sh").args(["-c", script]).stderr(Stdio::null())).unwrap()
    }

    fn is_running(process: u32) -> bool {
        Path::new(&format!("/proc/{process}")).exists()
    }

    /// True if a process still runs after it should have been killed. An orphan may stay a zombie for long.
    fn survives(process: u32) -> bool {
        let ended = || {
            let stat = fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
            stat.rsplit(')').next().is_none_or(|state| state.is_empty() || state.starts_with(" Z"))
        };
        let end = Instant::now() + LONG;
        while !ended() && Instant::now() < end {
            thread::sleep(Duration::from_millis(1));
        }
        !ended()
    }

    #[test]
    fn child_processes_of_an_engine_end_with_it() {
        let mut client = shell("sleep 60 & echo \"= $!\"; echo; read line; printf '= \\n\\n'");
        client.send("name").unwrap();
        let child: u32 = client.receive(LONG).unwrap().text().parse().unwrap();
        assert!(is_running(child));
        client.quit(LONG).unwrap();
        assert!(!survives(child));
        let mut client = shell("sleep 60 & echo \"= $!\"; echo; exec sleep 60");
        let child: u32 = client.request("name", LONG).unwrap().text().parse().unwrap();
        client.kill();
        assert!(!survives(child));
    }
}
