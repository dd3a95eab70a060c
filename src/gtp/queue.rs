//! What has been asked and waits for its answer: in order, and not more than fits into a bound of memory.

use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

/// The most that may wait, in bytes as [`Sender::send`] is told them.
const MOST_WAITING: usize = 1 << 26;

/// What a message takes beside its text, in bytes.
const MESSAGE: usize = 256;

#[derive(Debug)]
struct State<T> {
    /// With their sizes.
    messages: VecDeque<(T, usize)>,
    /// The sum of the sizes.
    size: usize,
    /// One of the two ends is gone.
    is_closed: bool,
}

#[derive(Debug)]
struct Shared<T> {
    state: Mutex<State<T>>,
    changed: Condvar,
    most: usize,
}

impl<T> Shared<T> {
    fn lock(&self) -> MutexGuard<'_, State<T>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn close(&self) {
        self.lock().is_closed = true;
        self.changed.notify_all();
    }

    fn wait<'a>(&self, state: MutexGuard<'a, State<T>>) -> MutexGuard<'a, State<T>> {
        self.changed.wait(state).unwrap_or_else(PoisonError::into_inner)
    }
}

/// The end that the reader has.
#[derive(Debug)]
pub(super) struct Sender<T>(Arc<Shared<T>>);

/// The end that the session has: an iterator that waits for the next message, and ends when no more can come.
#[derive(Debug)]
pub(super) struct Receiver<T>(Arc<Shared<T>>);

/// A queue of messages.
pub(super) fn queue<T>() -> (Sender<T>, Receiver<T>) {
    queue_of(MOST_WAITING)
}

fn queue_of<T>(most: usize) -> (Sender<T>, Receiver<T>) {
    let state = State { messages: VecDeque::new(), size: 0, is_closed: false };
    let shared = Arc::new(Shared { state: Mutex::new(state), changed: Condvar::new(), most });
    (Sender(Arc::clone(&shared)), Receiver(shared))
}

impl<T> Sender<T> {
    /// Adds a message with so many bytes of text. When too much is waiting it calls `on_full` once, and then waits itself. Says
    /// whether anybody will receive it.
    pub(super) fn send(&self, message: T, text: usize, on_full: impl FnOnce()) -> bool {
        let size = text + MESSAGE;
        let mut state = self.0.lock();
        if !state.is_closed && state.size + size > self.0.most {
            on_full();
        }
        // One that is larger than the bound comes alone.
        while !state.is_closed && state.size > 0 && state.size + size > self.0.most {
            state = self.0.wait(state);
        }
        if state.is_closed {
            return false;
        }
        state.messages.push_back((message, size));
        state.size += size;
        self.0.changed.notify_all();
        true
    }
}

impl<T> Drop for Sender<T> {
    fn drop(&mut self) {
        self.0.close();
    }
}

impl<T> Iterator for Receiver<T> {
    type Item = T;

    fn next(&mut self) -> Option<T> {
        let mut state = self.0.lock();
        loop {
            if let Some((message, size)) = state.messages.pop_front() {
                state.size -= size;
                self.0.changed.notify_all();
                return Some(message);
            }
            if state.is_closed {
                return None;
            }
            state = self.0.wait(state);
        }
    }
}

impl<T> Drop for Receiver<T> {
    fn drop(&mut self) {
        self.0.close();
    }
}

#[cfg(test)]
mod tests {
    use std::thread;

    use super::*;

    #[test]
    fn messages_come_in_order_and_then_the_end() {
        let (sender, receiver) = queue();
        let reader = thread::spawn(move || (0..1000).all(|number| sender.send(number, 4, || panic!("there is room"))));
        assert!(receiver.eq(0..1000));
        assert!(reader.join().unwrap());
    }

    #[test]
    fn who_sends_too_much_is_told_and_waits() {
        let (sender, mut receiver) = queue_of(10 * MESSAGE);
        let reader = thread::spawn(move || {
            let mut full = 0;
            (0..1000).for_each(|number| assert!(sender.send(number, 0, || full += 1)));
            // It is larger than the bound.
            assert!(sender.send(1000, 100 * MESSAGE, || full += 1));
            full
        });
        for number in 0..=1000 {
            assert!(receiver.0.lock().messages.len() <= 10);
            assert_eq!(receiver.next(), Some(number));
        }
        assert_eq!(receiver.next(), None);
        assert!(reader.join().unwrap() >= 1);
    }

    #[test]
    fn nobody_waits_for_an_end_that_is_gone() {
        let (sender, receiver) = queue_of(MESSAGE);
        assert!(sender.send(1, 0, || {}));
        let reader = thread::spawn(move || sender.send(2, 0, || {}));
        drop(receiver);
        assert!(!reader.join().unwrap());
    }
}
