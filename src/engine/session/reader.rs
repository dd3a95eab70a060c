//! The thread that reads the input, also while a search runs.
//!
//! Requests go to the session in their order. The reader stops searches: `stop` and `# interrupt` end the search that
//! runs, or if that has been stopped already, the earliest one that waits; any line ends an analysis; `quit` and the
//! end of the input end the searches without limit, and so do requests beyond the bound of the queue.

use std::collections::VecDeque;
use std::io::{self, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::Duration;

use privy_protocol::{InputLine, Interruption, Line, LineReader, ProtocolError, Stop};

/// The most bytes of requests that wait for the session. A larger request waits until no other does.
const MOST_WAITING: usize = 1 << 26;
/// The size of a request without its text, in bytes.
const REQUEST_SIZE: usize = 256;

/// A line that gets an answer.
#[derive(Debug)]
pub struct Request<C> {
    /// The id, which the answer repeats.
    pub id: Option<u32>,
    /// The command, or the error of the line.
    pub command: Result<C, ProtocolError>,
    /// Ends the work of the request. It is set before the answer is complete, so that a `stop` after the answer applies
    /// to the next search.
    pub stop: Stop,
    /// Is set when another line of any kind has come, or the input has ended.
    pub next_line: Stop,
    /// True for `stop`.
    is_stop: bool,
    /// True for `quit`.
    pub is_last: bool,
    /// The lines that end its work.
    ends: Interruption,
}

/// Parses the name and the arguments of a command. Returns also the lines that end its work.
pub type Parse<C> = fn(&str, &str) -> Result<(C, Interruption), ProtocolError>;

impl<C> Request<C> {
    /// The request of a line; none of a blank one.
    pub(super) fn of(line: InputLine, parse: Parse<C>) -> Option<Request<C>> {
        let text = match line {
            InputLine::Blank | InputLine::Interrupt => return None,
            InputLine::Rejected(rejection) => Err(rejection),
            InputLine::Command(text) => Ok(text),
        };
        text.iter().for_each(|text| log::debug!("asked: {text}"));
        let (id, name, parsed) = match text.as_deref().map_err(Clone::clone).and_then(Line::parse) {
            Ok(Line { id, command, arguments }) => (id, command, parse(command, arguments)),
            Err(rejection) => (rejection.id, "", Err(rejection.error)),
        };
        let is = |command: &str| parsed.is_ok() && name == command;
        let (is_stop, is_last) = (is("stop"), is("quit"));
        let ends = parsed.as_ref().map_or(Interruption::Never, |(_, ends)| *ends);
        let command = parsed.map(|(command, _)| command);
        Some(Request { id, command, stop: Stop::default(), next_line: Stop::default(), is_stop, is_last, ends })
    }
}

/// The requests of an input one by one, until `quit` or the end of the input.
#[derive(Debug)]
pub struct Requests<C> {
    receiver: Receiver<(Request<C>, usize)>,
    /// Bytes of the requests that wait, and of that which is being answered.
    waiting: Arc<AtomicUsize>,
    /// Bytes of that alone.
    size: usize,
}

impl<C: Send + 'static> Requests<C> {
    /// Reads an input on another thread.
    ///
    /// # Errors
    /// When the thread cannot be started.
    pub fn read(input: impl Read + Send + 'static, parse: Parse<C>) -> io::Result<Requests<C>> {
        let (sender, receiver) = channel();
        let waiting = Arc::new(AtomicUsize::new(0));
        let sent = Arc::clone(&waiting);
        thread::Builder::new().name("reader".to_owned()).spawn(move || read(input, parse, &sender, &sent))?;
        Ok(Requests { receiver, waiting, size: 0 })
    }
}

impl<C> Iterator for Requests<C> {
    type Item = Request<C>;

    fn next(&mut self) -> Option<Request<C>> {
        self.waiting.fetch_sub(self.size, Ordering::Relaxed);
        let (request, size) = self.receiver.recv().ok()?;
        self.size = size;
        Some(request)
    }
}

impl<C> Drop for Requests<C> {
    fn drop(&mut self) {
        // A reader that waits for room finds that nobody receives.
        self.waiting.store(0, Ordering::Relaxed);
    }
}

fn read<C>(input: impl Read, parse: Parse<C>, requests: &Sender<(Request<C>, usize)>, waiting: &AtomicUsize) {
    let mut lines = LineReader::new(input);
    let mut searches = Searches::default();
    // Belongs to the previous line.
    let mut next_line = Stop::default();
    let mut is_last = false;
    while !is_last {
        let line = lines.next();
        next_line.set();
        let line = match line {
            Some(Ok(line)) => line,
            None => break,
            Some(Err(error)) => {
                log::warn!("standard input can't be read any more: {error}");
                break;
            }
        };
        let size = REQUEST_SIZE + if let InputLine::Command(text) = &line { text.len() } else { 0 };
        let is_interrupt = line == InputLine::Interrupt;
        let request = Request::of(line, parse);
        if is_interrupt || request.as_ref().is_some_and(|request| request.is_stop) {
            searches.stop_earliest();
        }
        let Some(mut request) = request else { continue };
        next_line = request.next_line.clone();
        if request.ends == Interruption::AnyLine {
            request.stop = next_line.clone();
        }
        searches.add(request.ends, &request.stop);
        is_last = request.is_last;
        let is_full = || {
            let size_before = waiting.load(Ordering::Relaxed);
            size_before > 0 && size_before + size > MOST_WAITING
        };
        if is_full() {
            searches.stop_unlimited();
        }
        while is_full() {
            thread::sleep(Duration::from_millis(1));
        }
        waiting.fetch_add(size, Ordering::Relaxed);
        if requests.send((request, size)).is_err() {
            break;
        }
    }
    searches.stop_unlimited();
}

/// The searches requested.
#[derive(Default)]
struct Searches {
    /// In their order, each with true if it has no limit. A search that has been answered counts as stopped.
    all: VecDeque<(Stop, bool)>,
}

impl Searches {
    fn add(&mut self, interruption: Interruption, stop: &Stop) {
        if matches!(interruption, Interruption::Stop | Interruption::StopOrEnd) {
            while self.all.front().is_some_and(|(stop, _)| stop.is_set()) {
                self.all.pop_front();
            }
            self.all.push_back((stop.clone(), interruption == Interruption::StopOrEnd));
        }
    }

    fn stop_unlimited(&self) {
        self.all.iter().filter(|(_, is_unlimited)| *is_unlimited).for_each(|(stop, _)| _ = stop.set());
    }

    /// Stops the earliest search that has been neither answered nor stopped.
    fn stop_earliest(&mut self) {
        if let Some((stop, _)) = self.all.iter().find(|(stop, _)| !stop.is_set()) {
            stop.set();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stop_goes_to_the_earliest_search_that_is_neither_answered_nor_stopped() {
        let mut searches = Searches::default();
        let stops = [(); 4].map(|()| Stop::default());
        stops.iter().for_each(|stop| searches.add(Interruption::Stop, stop));
        let set = || stops.each_ref().map(Stop::is_set);
        searches.stop_earliest();
        assert_eq!(set(), [true, false, false, false]);
        searches.stop_earliest();
        assert_eq!(set(), [true, true, false, false]);
        // The third has been answered.
        stops[2].set();
        searches.stop_earliest();
        assert_eq!(set(), [true; 4]);
        searches.stop_earliest();
        searches.add(Interruption::Stop, &Stop::default());
        assert_eq!(searches.all.len(), 1);
    }
}
