//! How late a program is, on machines that are slow and busy.
//!
//! A test cannot tell a program that is late from one that the machine keeps waiting, by a clock alone. So the time
//! that passes may be long, where the program has hardly worked in it; what it did after it should have ended is what a
//! test refuses.

use std::fs;
use std::io::{self, Write as _};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

/// Limit for an answer or an end, after which a program counts as hung. It measures nothing.
pub const PATIENCE: Duration = Duration::from_secs(120);

/// Counts a second try, and says so past the capture of the output of tests: a test that needs one each time is wrong,
/// or the program is.
pub fn retried(what: &str) {
    static RETRIES: AtomicU32 = AtomicU32::new(0);
    let number = 1 + RETRIES.fetch_add(1, Ordering::Relaxed);
    let _ = writeln!(io::stderr(), "retried: {what} (retry {number} of this run)");
}

/// A clock for a process, from the moment on at which it was started.
pub struct Watch {
    process: u32,
    begun: Instant,
    worked: Option<Duration>,
}

/// The time that passed, and the processor time that all threads of the process used in it, where the system tells it.
#[derive(Clone, Copy, Debug)]
pub struct Taken {
    pub passed: Duration,
    pub worked: Option<Duration>,
}

impl Watch {
    pub fn start(process: u32) -> Watch {
        Watch { process, begun: Instant::now(), worked: processor_time(process) }
    }

    /// What has been taken so far. A process that was waited for has no processor time.
    pub fn taken(&self) -> Taken {
        let passed = self.begun.elapsed();
        let worked = self.worked.and_then(|before| Some(processor_time(self.process)?.saturating_sub(before)));
        Taken { passed, worked }
    }
}

impl Taken {
    /// True if the time is in the bound, or the machine kept the process waiting: `work` is the processor time that may
    /// be used meanwhile.
    pub fn is_within(&self, bound: Duration, work: Duration) -> bool {
        let has_waited = self.worked.is_none_or(|worked| worked <= work);
        self.passed <= bound || has_waited && self.passed <= PATIENCE
    }
}

/// The processor time of a process, also of its threads that have ended, in steps of 10 ms (proc_pid_stat(5), fields 14
/// and 15).
fn processor_time(process: u32) -> Option<Duration> {
    let stat = fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    let fields: Vec<&str> = stat.rsplit(") ").next()?.split(' ').collect();
    let ticks: u64 = fields.get(11)?.parse::<u64>().ok()? + fields.get(12)?.parse::<u64>().ok()?;
    Some(Duration::from_millis(10 * ticks))
}
