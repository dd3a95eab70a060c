//! Time in which the referee runs: the time while it is suspended does not count, for anybody.
//!
//! A user who stops a match with Ctrl-Z, or with the signal SIGTSTP from elsewhere, expects it to go on later as if nothing
//! had happened. So the engines, which are in process groups of their own and get no signal from the terminal, are
//! suspended first and resumed last, and the time in between is taken off every measurement. When the referee alone is
//! stopped, with SIGSTOP, which no program can see coming, the time is taken off all the same, as well as it can be told.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use privy_protocol::ProcessGroup;

/// How often the watcher looks, and so how soon a match is suspended.
const LOOK: Duration = Duration::from_millis(20);

/// So long the referee waits for engines to be suspended.
#[cfg(unix)]
const MOST_WAITED: Duration = Duration::from_secs(1);

/// The clock of the referee, and the engines that stop with it. Clones share both.
#[derive(Debug, Clone, Default)]
pub(crate) struct SuspendClock(Arc<Shared>);

#[derive(Debug, Default)]
struct Shared {
    /// Nanoseconds in which the referee was suspended.
    suspended: AtomicU64,
    /// How often the watcher has looked; 0: there is no watcher.
    looks: AtomicU64,
    groups: Mutex<Vec<ProcessGroup>>,
}

/// A measurement that has begun.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Stopwatch {
    began: Instant,
    suspended: Duration,
}

/// An engine that is suspended and resumed with the referee, as long as this lives.
#[derive(Debug)]
pub(crate) struct Enrolled {
    time: SuspendClock,
    group: Option<ProcessGroup>,
}

impl SuspendClock {
    /// Begins a measurement.
    pub(crate) fn stopwatch(&self) -> Stopwatch {
        Stopwatch { suspended: self.suspended(), began: Instant::now() }
    }

    /// What a measurement shows at a moment.
    pub(crate) fn elapsed(&self, stopwatch: Stopwatch, moment: Instant) -> Duration {
        let suspended = self.suspended().saturating_sub(stopwatch.suspended);
        moment.saturating_duration_since(stopwatch.began).saturating_sub(suspended)
    }

    /// Suspends and resumes a process group with the referee.
    pub(crate) fn enroll(&self, group: Option<ProcessGroup>) -> Enrolled {
        self.groups().extend(group);
        Enrolled { time: self.clone(), group }
    }

    /// Waits until a suspension that may just have ended is accounted for. To be called before an engine is accused of
    /// being late.
    pub(crate) fn settle(&self) {
        let looks = self.0.looks.load(Ordering::Acquire);
        if looks == 0 {
            return;
        }
        // One look may have been under way; the one after it has seen everything. A second is for a watcher that has died.
        let begun = Instant::now();
        while self.0.looks.load(Ordering::Acquire) < looks + 2 && begun.elapsed() < Duration::from_secs(1) {
            std::thread::sleep(Duration::from_millis(1));
        }
    }

    fn suspended(&self) -> Duration {
        Duration::from_nanos(self.0.suspended.load(Ordering::Acquire))
    }

    fn groups(&self) -> MutexGuard<'_, Vec<ProcessGroup>> {
        self.0.groups.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Enrolled {
    fn drop(&mut self) {
        if let Some(group) = self.group {
            self.time.groups().retain(|other| *other != group);
        }
    }
}

#[cfg(not(unix))]
impl SuspendClock {
    /// Not on this system: nothing is suspended.
    ///
    /// # Errors
    /// Never.
    pub(crate) fn watch(&self) -> std::io::Result<()> {
        Ok(())
    }
}

#[cfg(unix)]
mod watcher {
    use std::io;
    use std::sync::atomic::AtomicBool;
    use std::sync::{Arc, Weak};
    use std::thread;

    use signal_hook::consts::{SIGCONT, SIGSTOP, SIGTSTP};

    use super::*;

    impl SuspendClock {
        /// Watches for signals that suspend the program, from a thread of its own, until all clones are gone. From then on
        /// SIGTSTP suspends the engines too.
        ///
        /// # Errors
        /// When the system refuses a signal handler or a thread.
        pub(crate) fn watch(&self) -> io::Result<()> {
            let stop = Arc::new(AtomicBool::new(false));
            let resumed = Arc::new(AtomicBool::new(false));
            let suspending = signal_hook::flag::register(SIGTSTP, Arc::clone(&stop))?;
            let resuming = signal_hook::flag::register(SIGCONT, Arc::clone(&resumed))?;
            let time = Arc::downgrade(&self.0);
            thread::Builder::new().name("suspension".to_owned()).spawn(move || {
                // When it looked last, and before that: a signal may be told a look after the program goes on.
                let mut looked = [Instant::now(); 2];
                while let Some(time) = Weak::upgrade(&time).map(SuspendClock) {
                    if stop.swap(false, Ordering::AcqRel) {
                        looked = [Instant::now(); 2];
                        time.suspend();
                        resumed.store(true, Ordering::Release);
                    }
                    if resumed.swap(false, Ordering::AcqRel) {
                        time.add(looked[1].elapsed());
                        // Also the engines that the user may have stopped himself.
                        time.groups().iter().for_each(|group| group.resume());
                    }
                    looked = [Instant::now(), looked[0]];
                    time.0.looks.fetch_add(1, Ordering::AcqRel);
                    drop(time);
                    thread::sleep(LOOK);
                }
                signal_hook::low_level::unregister(suspending);
                signal_hook::low_level::unregister(resuming);
            })?;
            Ok(())
        }

        /// Suspends the engines, then the program. Comes back when it is resumed.
        fn suspend(&self) {
            // Held until the engines are suspended, so that none is let go and its number given to others meanwhile.
            let groups = self.groups();
            groups.iter().for_each(|group| group.suspend());
            // If the referee is killed, the system wakes the engines that have stopped by then, so that they see the end of their
            // input. One that stops later would stay for ever.
            let begun = Instant::now();
            while !groups.iter().all(|group| group.is_suspended()) && begun.elapsed() < MOST_WAITED {
                thread::sleep(Duration::from_millis(1));
            }
            drop(groups);
            // Sent to this thread, not to the process: so it stops here, and does not resume the engines before.
            if let Err(error) = signal_hook::low_level::raise(SIGSTOP) {
                log::warn!("the match cannot be suspended: {error}");
            }
        }

        fn add(&self, time: Duration) {
            let nanoseconds = u64::try_from(time.as_nanos()).unwrap_or(u64::MAX);
            self.0.suspended.fetch_add(nanoseconds, Ordering::AcqRel);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_in_suspension_does_not_count() {
        let time = SuspendClock::default();
        let stopwatch = time.stopwatch();
        let moment = Instant::now() + Duration::from_secs(10);
        assert!(time.elapsed(stopwatch, moment) >= Duration::from_secs(10));
        time.0.suspended.store(9_000_000_000, Ordering::Release);
        let elapsed = time.elapsed(stopwatch, moment);
        assert!(elapsed >= Duration::from_secs(1) && elapsed < Duration::from_secs(10), "{elapsed:?}");
        assert_eq!(time.elapsed(time.stopwatch(), stopwatch.began), Duration::ZERO);
        // Nobody watches, so there is nothing to wait for.
        time.settle();
    }
}
