//! Threads for parallel work: as many as the system gives.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use rayon::iter::{IndexedParallelIterator, IntoParallelIterator, ParallelIterator};
use rayon::{ThreadPool, ThreadPoolBuilder};

use super::memory;

/// Bytes of the stack of a thread, and what else it takes to begin.
const STACK: u64 = 3 << 20;

/// Threads that the machine runs in parallel.
#[must_use]
pub fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// The threads to start of this number: one at least, and no more than the cores, or 16. Beyond these they only wait
/// for each other, so that a stop among a thousand is heard after seconds.
#[must_use]
pub fn useful(count: usize) -> usize {
    const ENOUGH: usize = 16;
    count.clamp(1, cores().max(ENOUGH))
}

/// Threads for [`map`] and [`each`], which work on the calling thread outside of them.
#[derive(Debug)]
pub struct Threads(Option<ThreadPool>);

impl Threads {
    /// As many threads as are [`useful`], at work. Fewer where the system gives no more or has no memory for them, at
    /// last the calling thread alone.
    #[must_use]
    pub fn new(count: usize) -> Threads {
        let mut count = useful(count);
        while count > 0 {
            // A thread that finds no memory when it begins ends the program.
            let has_memory = memory::is_available(count as u64 * STACK);
            if let Some(Ok(pool)) = has_memory.then(|| ThreadPoolBuilder::new().num_threads(count).build()) {
                // All have begun, so what is measured of the memory from now on is what is left.
                pool.broadcast(|_| ());
                return Threads(Some(pool));
            }
            log::warn!("cannot start {count} threads; using fewer");
            count /= 2;
        }
        Threads(None)
    }

    /// How many there are.
    #[must_use]
    pub fn count(&self) -> usize {
        self.0.as_ref().map_or(1, ThreadPool::current_num_threads)
    }

    /// Runs `work`, whose parallel parts use these threads.
    pub fn run<T: Send>(&self, work: impl FnOnce() -> T + Send) -> T {
        let Some(pool) = &self.0 else { return work() };
        let (mut work, mut result) = (Some(work), None);
        install(pool, &mut || result = work.take().map(|work| work()));
        result.expect("a pool runs the work that it is given")
    }
}

// What follows is compiled once: rayon's own generic code, compiled for each piece of work, was a fifth of all that the
// tables were compiled to.

fn install(pool: &ThreadPool, work: &mut (dyn FnMut() + Send)) {
    pool.install(work);
}

fn each_number(count: usize, task: &(dyn Fn(usize) + Sync)) {
    // The global pool of rayon panics where the system refuses a thread.
    if rayon::current_thread_index().is_none() {
        return (0..count).for_each(task);
    }
    (0..count).into_par_iter().with_max_len(1).for_each(task);
}

/// Does a task with each of the items, each on a separate thread as long as there are any. The items should be few and
/// the tasks long.
pub fn each<T: Send>(items: impl IntoIterator<Item = T>, task: impl Fn(T) + Sync) {
    let items: Vec<Mutex<Option<T>>> = items.into_iter().map(|item| Mutex::new(Some(item))).collect();
    each_number(items.len(), &|number| {
        let item = items[number].lock().ok().and_then(|mut item| item.take());
        item.into_iter().for_each(&task);
    });
}

/// The results of a task with each of the items, in their order; the tasks run as those of [`each`].
pub fn map<T: Send, R: Send>(items: impl IntoIterator<Item = T>, task: impl Fn(T) -> R + Sync) -> Vec<R> {
    let items: Vec<T> = items.into_iter().collect();
    let mut results: Vec<Option<R>> = items.iter().map(|_| None).collect();
    each(items.into_iter().zip(&mut results), |(item, result)| *result = Some(task(item)));
    results.into_iter().flatten().collect()
}

/// As [`map`], for tasks that may fail: once one has failed no other is begun, and the first error, in the order of the
/// items, is returned.
///
/// # Errors
/// When a task fails.
pub fn try_map<T: Send, R: Send, E: Send>(
    items: impl IntoIterator<Item = T>,
    task: impl Fn(T) -> Result<R, E> + Sync,
) -> Result<Vec<R>, E> {
    let has_failed = AtomicBool::new(false);
    let results = map(items, |item| {
        let result = (!has_failed.load(Ordering::Relaxed)).then(|| task(item))?;
        has_failed.fetch_or(result.is_err(), Ordering::Relaxed);
        Some(result)
    });
    results.into_iter().flatten().collect()
}

/// Runs `work` on all cores, or on the threads that it is called from.
pub fn on_all_cores<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    if rayon::current_thread_index().is_some() { work() } else { Threads::new(cores()).run(work) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_in_the_order_of_the_items() {
        for threads in [1, 3] {
            let squares = Threads::new(threads).run(|| map(0..1_000u64, |number| number * number));
            assert!(squares.into_iter().eq((0..1_000).map(|number| number * number)), "{threads}");
        }
        let mut items = [1, 2, 3];
        each(items.iter_mut().zip([5, 6, 7]), |(item, more)| *item += more);
        assert_eq!(items, [6, 8, 10]);
    }

    #[test]
    fn a_failure_ends_the_work() {
        let begun = Mutex::new(Vec::new());
        let fails_at_7 = |number| {
            begun.lock().unwrap().push(number);
            if number == 7 { Err(number) } else { Ok(number) }
        };
        // With one thread the items come one after the other.
        Threads::new(1).run(|| {
            assert_eq!(try_map(0..7, fails_at_7), Ok((0..7).collect()));
            assert_eq!(try_map(0..1_000, fails_at_7), Err(7));
        });
        assert!(begun.into_inner().unwrap().len() < 1_000);
    }

    #[test]
    #[should_panic = "of a task"]
    fn a_panic_of_a_task_is_passed_on() {
        Threads::new(2).run(|| each(0..9, |number| assert_ne!(number, 7, "of a task")));
    }

    #[test]
    fn threads_are_at_most_as_many_as_help() {
        assert_eq!([0, 1, 16].map(useful), [1, 1, 16]);
        assert_eq!([17, usize::MAX].map(|count| useful(count) > cores().max(16)), [false; 2]);
    }
}
