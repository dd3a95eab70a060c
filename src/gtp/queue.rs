//! The queue of requests between the reader and the session, bounded in bytes.
//!
//! `tests/reliability/interleavings.rs` tests it in every order in which two threads can meet.

use std::collections::VecDeque;
use std::sync::PoisonError;

use crate::sync::{Arc, Condvar, Mutex, MutexGuard};

/// The size of a message without its text, in bytes.
pub(super) const MESSAGE: usize = 256;

#[derive(Debug)]
struct State<T> {
    /// With their sizes.
    messages: VecDeque<(T, usize)>,
    /// The sum of the sizes.
    size: usize,
    /// Whether one of the two ends is gone.
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

/// The end of the reader.
#[derive(Debug)]
pub(super) struct Sender<T>(Arc<Shared<T>>);

/// The end of the session: an iterator that waits for the next message, and ends with the sender.
#[derive(Debug)]
pub(super) struct Receiver<T>(Arc<Shared<T>>);

/// A queue of at most `most` bytes.
pub(super) fn queue<T>(most: usize) -> (Sender<T>, Receiver<T>) {
    let state = State { messages: VecDeque::new(), size: 0, is_closed: false };
    let shared = Arc::new(Shared { state: Mutex::new(state), changed: Condvar::new(), most });
    (Sender(Arc::clone(&shared)), Receiver(shared))
}

impl<T> Sender<T> {
    /// Adds a message with `text` bytes of text. When the queue is full it calls `on_full` once, and waits. False when the receiver is
    /// gone.
    pub(super) fn send(&self, message: T, text: usize, on_full: impl FnOnce()) -> bool {
        let size = text + MESSAGE;
        let mut state = self.0.lock();
        if !state.is_closed && state.size + size > self.0.most {
            on_full();
        }
        // A message larger than the bound waits until the queue is empty.
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
