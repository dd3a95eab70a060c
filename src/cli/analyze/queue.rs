//! The lines that wait for a search, and those that are searched.
//!
//! The reader puts lines in, and waits while they are too many; workers take them, the highest priority first and of
//! equal ones the earliest.

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use super::id::LineId;
use super::request::AnalysisLine;
use privy_protocol::Stop;

/// The most memory of lines that wait, in bytes. A larger line waits until no other does.
const MOST_WAITING: usize = 1 << 24;
/// Once they are too many the reader waits until they are no more than this: else it would wait anew for each line.
const ROOM_AGAIN: usize = MOST_WAITING / 2;
/// The memory of a line without its texts, in bytes: the list that holds it has room for twice as many.
const LINE_SIZE: usize = 2 * size_of::<Waiting>();

/// A line to answer.
#[derive(Debug)]
pub(super) struct Waiting {
    pub(super) id: LineId,
    pub(super) priority: i64,
    /// The number of the line in the input.
    pub(super) number: usize,
    /// The memory that it takes, in bytes.
    size: usize,
    pub(super) asked: AnalysisLine,
}

impl Waiting {
    pub(super) fn new(id: LineId, priority: i64, number: usize, asked: AnalysisLine) -> Waiting {
        let size = LINE_SIZE + id.text().len() + asked.size();
        Waiting { id, priority, number, size, asked }
    }
}

#[derive(Debug, Default)]
struct QueueState {
    /// By priority, the earliest first; no priority without a line.
    waiting: BTreeMap<i64, VecDeque<Waiting>>,
    /// The size of what waits, in bytes.
    bytes: usize,
    /// By the number of the line.
    running: Vec<(usize, LineId, Stop)>,
    /// Workers that wait for a line, and whether the reader waits for room: to wake one takes as long as a part of a
    /// short search.
    idle: usize,
    is_full: bool,
    /// No more lines come.
    is_complete: bool,
    is_stopped: bool,
}

/// The queue of all threads.
#[derive(Debug, Default)]
pub(super) struct Queue {
    state: Mutex<QueueState>,
    /// There is something to take, or nothing will ever be.
    filled: Condvar,
    /// There is room.
    emptied: Condvar,
}

impl Queue {
    fn state(&self) -> MutexGuard<'_, QueueState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a line, once there is room for it. False if the work has been stopped.
    pub(super) fn put(&self, line: Waiting) -> bool {
        let is_full = |state: &mut QueueState| {
            let most = if state.is_full { ROOM_AGAIN } else { MOST_WAITING.saturating_sub(line.size) };
            state.is_full = !state.is_stopped && state.bytes > 0 && state.bytes > most;
            state.is_full
        };
        let mut state = self.emptied.wait_while(self.state(), is_full).unwrap_or_else(PoisonError::into_inner);
        if !state.is_stopped {
            state.bytes += line.size;
            state.waiting.entry(line.priority).or_default().push_back(line);
            if state.idle > 0 {
                self.filled.notify_one();
            }
        }
        !state.is_stopped
    }

    /// Takes a line to search, with the stop of its search; `None` when there will be no more.
    pub(super) fn take(&self) -> Option<(Waiting, Stop)> {
        let is_empty = |state: &mut QueueState| state.waiting.is_empty() && !state.is_complete && !state.is_stopped;
        let mut state = self.state();
        if is_empty(&mut state) {
            state.idle += 1;
            state = self.filled.wait_while(state, is_empty).unwrap_or_else(PoisonError::into_inner);
            state.idle -= 1;
        }
        let mut first = state.waiting.last_entry()?;
        let line = first.get_mut().pop_front()?;
        if first.get().is_empty() {
            first.remove();
        }
        state.bytes -= line.size;
        if state.is_full && state.bytes <= ROOM_AGAIN {
            self.emptied.notify_one();
        }
        let stop = Stop::default();
        state.running.push((line.number, line.id.clone(), stop.clone()));
        Some((line, stop))
    }

    /// Books a line as searched. True if another one waits; `None` if the work has been stopped: then the search may
    /// not have come to its end.
    pub(super) fn end(&self, number: usize) -> Option<bool> {
        let mut state = self.state();
        state.running.retain(|(other, ..)| *other != number);
        (!state.is_stopped).then_some(!state.waiting.is_empty())
    }

    /// Ends the searches of an id, and returns how many lines of it had not begun: they are removed.
    pub(super) fn cancel(&self, id: &LineId) -> usize {
        let mut state = self.state();
        let mut removed = 0;
        state.waiting.retain(|_, lines| {
            let before = lines.len();
            lines.retain(|line| line.id != *id);
            removed += before - lines.len();
            !lines.is_empty()
        });
        state.bytes = state.waiting.values().flatten().map(|line| line.size).sum();
        self.emptied.notify_one();
        state.running.iter().filter(|(_, other, _)| other == id).for_each(|(.., stop)| _ = stop.set());
        removed
    }

    /// No more lines come.
    pub(super) fn complete(&self) {
        self.state().is_complete = true;
        self.filled.notify_all();
    }

    /// Drops what waits, and ends the searches.
    pub(super) fn stop(&self) {
        let mut state = self.state();
        state.is_stopped = true;
        state.waiting.clear();
        state.running.iter().for_each(|(.., stop)| _ = stop.set());
        self.filled.notify_all();
        self.emptied.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id_of(text: &str) -> LineId {
        serde_json::from_value(text.into()).unwrap()
    }

    fn line(id: &str, priority: i64, number: usize) -> Waiting {
        Waiting::new(id_of(id), priority, number, AnalysisLine::default())
    }

    #[test]
    fn the_highest_priority_comes_first_and_of_equal_ones_the_earliest() {
        let queue = Queue::default();
        for (number, priority) in [0, 5, 0, 5, -1].into_iter().enumerate() {
            assert!(queue.put(line("x", priority, number)));
        }
        queue.complete();
        let taken: Vec<usize> = std::iter::from_fn(|| queue.take()).map(|(line, _)| line.number).collect();
        assert_eq!(taken, [1, 3, 0, 2, 4]);
    }

    #[test]
    fn an_id_is_cancelled_where_it_waits_and_where_it_is_searched() {
        let queue = Queue::default();
        (0..6).for_each(|number| assert!(queue.put(line(["a", "b"][number % 2], 0, number))));
        let [(_, first), (_, second)] = [(); 2].map(|()| queue.take().unwrap());
        assert_eq!(queue.cancel(&id_of("a")), 2);
        assert_eq!((first.is_set(), second.is_set()), (true, false));
        assert_eq!(queue.cancel(&id_of("c")), 0);
        assert_eq!([0, 1].map(|number| queue.end(number)), [Some(true); 2]);
        queue.complete();
        assert_eq!(std::iter::from_fn(|| queue.take()).map(|(line, _)| line.number).collect::<Vec<_>>(), [3, 5]);
    }

    /// Texts of a few letters take far more memory than the line that has them.
    #[test]
    fn the_memory_of_a_line_is_counted() {
        use super::super::request::RequestLine;

        let texts = |one: &str| format!("{{\"id\":\"{}\",\"moves\":[{}]}}", "i".repeat(5_000), [one; 10_000].join(","));
        for (one, least) in [("\"\"", 240_000), ("\"c3b2\"", 280_000)] {
            let Ok(RequestLine::Analysis(id, priority, asked)) = RequestLine::read(&texts(one)) else { panic!() };
            let size = Waiting::new(id, priority, 0, asked).size;
            assert!((least + 5_000..1 << 20).contains(&size), "{one}: {size}");
        }
    }

    #[test]
    fn lines_wait_for_room_and_a_stop_ends_all() {
        let queue = Queue::default();
        let long = |number| Waiting { size: MOST_WAITING, ..line("x", 0, number) };
        assert!(queue.put(long(0)), "one has room, however long");
        std::thread::scope(|scope| {
            let next = scope.spawn(|| queue.put(long(1)));
            assert_eq!(queue.take().unwrap().0.number, 0);
            assert!(next.join().unwrap());
            let last = scope.spawn(|| queue.put(long(2)));
            queue.stop();
            assert!(!last.join().unwrap() && queue.take().is_none() && queue.end(0).is_none());
        });
    }
}
