//! The signal that ends long work: a search, a solve, a match, a count.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Ends long work from outside, within a second. Clones share one signal.
#[derive(Debug, Clone, Default)]
pub struct Stop(Arc<AtomicBool>);

/// Shares a flag of the caller, such as that of an interrupt.
impl From<Arc<AtomicBool>> for Stop {
    fn from(flag: Arc<AtomicBool>) -> Stop {
        Stop(flag)
    }
}

impl Stop {
    /// Asks the work to end. True if it had been asked before.
    pub fn set(&self) -> bool {
        self.0.swap(true, Ordering::Relaxed)
    }

    /// True if the work has been asked to end.
    #[inline(always)]
    pub fn is_set(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// Waits until the work has been asked to end. In a browser nobody could ask meanwhile: there it returns at once.
    pub fn wait(&self) {
        while !self.is_set() && !cfg!(target_family = "wasm") {
            std::thread::sleep(Duration::from_millis(1));
        }
    }
}
