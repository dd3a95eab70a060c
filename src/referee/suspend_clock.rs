//! The clock of the referee, which stops while the referee is suspended.
//!
//! A user who stops a match with Ctrl-Z, or with the signal SIGTSTP from elsewhere, expects it to continue later as if nothing
//! had happened. So the engines, which are in separate process groups and get no signal from the terminal, are
//! suspended first and resumed last, and the time in between is subtracted from every measurement. If SIGSTOP, which no program
//! can catch, stops the referee alone, the time is subtracted too, to within the interval of the watcher.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use privy_protocol::ProcessGroup;

/// The interval of the watcher, and so the delay of a suspension.
const INTERVAL: Duration = Duration::from_millis(20);

#[cfg(unix)]
const MOST_WAITED: Duration = Duration::from_secs(1);

/// The clock of the referee, and the engines that stop with it. Clones share both.
#[derive(Debug, Clone, Default)]
pub struct SuspendClock(Arc<Shared>);

#[derive(Debug, Default)]
struct Shared {
    /// In nanoseconds.
    suspended: AtomicU64,
    /// The number of rounds of the watcher; 0 without one.
    rounds: AtomicU64,
    groups: Mutex<Vec<ProcessGroup>>,
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct Stopwatch {
    began: Instant,
    suspended: Duration,
}

/// A process group that is suspended and resumed with the referee until this is dropped.
#[derive(Debug)]
pub(crate) struct Enrolled {
    time: SuspendClock,
    group: Option<ProcessGroup>,
}

impl SuspendClock {
    pub(crate) fn stopwatch(&self) -> Stopwatch {
        Stopwatch { suspended: self.suspended(), began: Instant::now() }
    }

    /// The time from the start of a stopwatch to a moment, without suspensions.
    pub(crate) fn elapsed(&self, stopwatch: Stopwatch, moment: Instant) -> Duration {
        let suspended = self.suspended().saturating_sub(stopwatch.suspended);
        moment.saturating_duration_since(stopwatch.began).saturating_sub(suspended)
    }

    /// Suspends and resumes a process group with the referee.
    pub(crate) fn enroll(&self, group: Option<ProcessGroup>) -> Enrolled {
        self.groups().extend(group);
        Enrolled { time: self.clone(), group }
    }

    /// Waits until the watcher has counted a suspension that has just ended. Must precede any verdict that an engine is late.
    pub(crate) fn settle(&self) {
        let rounds = self.0.rounds.load(Ordering::Acquire);
        if rounds == 0 {
            return;
        }
        // The current round may have missed the suspension, the next has not. The limit is for a watcher that has died.
        let begun = Instant::now();
        while self.0.rounds.load(Ordering::Acquire) < rounds + 2 && begun.elapsed() < Duration::from_secs(1) {
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
    /// Does nothing on this system.
    pub fn watch(&self) -> std::io::Result<()> {
        Ok(())
    }
}

#[cfg(unix)]
mod watcher {
    use std::io;
    use std::sync::atomic::AtomicBool;
    use std::sync::{Arc, Weak, mpsc};
    use std::thread;

    use signal_hook::consts::{SIGCONT, SIGSTOP, SIGTSTP};

    use super::*;

    impl SuspendClock {
        /// Watches for suspending signals in a separate thread until all clones are dropped. SIGTSTP then suspends the engines
        /// too.
        pub fn watch(&self) -> io::Result<()> {
            let stop = Arc::new(AtomicBool::new(false));
            let resumed = Arc::new(AtomicBool::new(false));
            let (begin, begun) = mpsc::channel();
            let [stopped, continued] = [&stop, &resumed].map(Arc::clone);
            let time = Arc::downgrade(&self.0);
            thread::Builder::new().name("suspension".to_owned()).spawn(move || {
                // Where the signals can't be watched there is nothing to do.
                let Ok(watched) = begun.recv() else { return };
                // The starts of the last two rounds: a signal may arrive a round after the program continues.
                let mut started = [Instant::now(); 2];
                while let Some(time) = Weak::upgrade(&time).map(SuspendClock) {
                    if stop.swap(false, Ordering::AcqRel) {
                        started = [Instant::now(); 2];
                        time.suspend();
                        resumed.store(true, Ordering::Release);
                    }
                    if resumed.swap(false, Ordering::AcqRel) {
                        time.add(started[1].elapsed());
                        // Also engines that the user has stopped.
                        time.groups().iter().for_each(|group| group.resume());
                    }
                    started = [Instant::now(), started[0]];
                    time.0.rounds.fetch_add(1, Ordering::AcqRel);
                    drop(time);
                    thread::sleep(INTERVAL);
                }
                for signal in watched {
                    signal_hook::low_level::unregister(signal);
                }
            })?;
            // Only now: signals without their thread would be lost.
            let suspending = signal_hook::flag::register(SIGTSTP, stopped)?;
            let resuming = signal_hook::flag::register(SIGCONT, continued)?;
            let _ = begin.send([suspending, resuming]);
            Ok(())
        }

        /// Suspends the engines, then the program. Returns when the program is resumed.
        fn suspend(&self) {
            // Locked until the engines are suspended, so that no group ends meanwhile and its number is reused.
            let groups = self.groups();
            groups.iter().for_each(|group| group.suspend());
            // If the referee is killed, the system wakes engines that have stopped by then, so that they see the end of their input.
            // One that stops later would stay for ever.
            let begun = Instant::now();
            while !groups.iter().all(|group| group.is_suspended()) && begun.elapsed() < MOST_WAITED {
                thread::sleep(Duration::from_millis(1));
            }
            drop(groups);
            // Sent to this thread, so that it stops here, before it resumes the engines.
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
        // Without a watcher there is no wait.
        time.settle();
    }
}
