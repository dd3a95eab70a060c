//! Threads for parallel work: as many as the system gives.

use std::cell::Cell;

use rayon::{ThreadPool, ThreadPoolBuilder};

use super::memory;

/// Bytes of the stack of a thread, and what it takes besides to begin.
const STACK: u64 = 3 << 20;

/// Threads that the machine runs at a time.
#[must_use]
pub fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// The threads to start of so many: one at least, and no more than the cores, or 16. Beyond these they only wait for each other, so that a stop among a
/// thousand is heard after seconds.
#[must_use]
pub fn useful(count: usize) -> usize {
    const ENOUGH: usize = 16;
    count.clamp(1, cores().max(ENOUGH))
}

/// Threads for the parallel iterators of rayon. Its own global pool panics where the system refuses a thread.
#[derive(Debug)]
pub struct Threads(Option<ThreadPool>);

impl Threads {
    /// So many threads as are [`useful`], at work. Fewer where the system gives no more or has no memory for them, at last the calling thread
    /// alone.
    #[must_use]
    pub fn new(count: usize) -> Threads {
        thread_local! {
            static IS_ALONE: Cell<bool> = const { Cell::new(false) };
        }
        let fewer = |count: &usize| Some(count / 2).filter(|count| *count > 0);
        for count in std::iter::successors(Some(useful(count)).filter(|_| !IS_ALONE.get()), fewer) {
            // A thread that finds no memory when it begins ends the program.
            let built = match memory::is_available(count as u64 * STACK) {
                true => ThreadPoolBuilder::new().num_threads(count).build().map_err(|error| error.to_string()),
                false => Err("memory is short".to_owned()),
            };
            match built {
                Ok(pool) => {
                    // All have begun, so what is measured of the memory from now on holds.
                    pool.broadcast(|_| ());
                    return Threads(Some(pool));
                }
                Err(error) => log::warn!("the system gives no {count} threads ({error}): working with fewer"),
            }
        }
        if let Ok(pool) = ThreadPoolBuilder::new().num_threads(1).use_current_thread().build() {
            // The calling thread belongs to this pool for good.
            std::mem::forget(pool);
            IS_ALONE.set(true);
        }
        Threads(None)
    }

    /// Runs `work`, whose parallel iterators use these threads.
    pub fn run<T: Send>(&self, work: impl FnOnce() -> T + Send) -> T {
        match &self.0 {
            Some(pool) => pool.install(work),
            None => work(),
        }
    }
}

/// Runs `work` on all cores, or on the threads that it is called from.
pub fn on_all_cores<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    if rayon::current_thread_index().is_some() { work() } else { Threads::new(cores()).run(work) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_are_at_most_as_many_as_help() {
        assert_eq!([0, 1, 16].map(useful), [1, 1, 16]);
        assert_eq!([17, usize::MAX].map(|count| useful(count) > cores().max(16)), [false; 2]);
    }
}
