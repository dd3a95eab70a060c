//! The thread that reads the input, also while a search runs.
//!
//! Requests go to the session in their order. The reader stops searches: `stop` and `# interrupt` end the search that
//! runs, or if that has been stopped already, the earliest one that waits; any line ends an analysis; `quit` and the
//! end of the input end the searches without limit, and so do requests beyond the bound of the queue.

use std::collections::VecDeque;
use std::io::{self, Read, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::thread;
use std::time::Duration;

use privy_protocol::{InputLine, Interruption, Line, LineReader, ProtocolError, Rejection, ReplyWriter, Stop};

/// The most bytes of requests that wait for the session. A larger request waits until no other does.
const MOST_WAITING: usize = 1 << 26;
/// The size of a request without its text, in bytes.
const REQUEST_SIZE: usize = 256;

/// A request for the session to answer.
struct PendingRequest<R> {
    id: Option<u32>,
    request: R,
    signals: Signals,
    /// True for `stop`.
    is_stop: bool,
    /// True for `quit`.
    is_last: bool,
}

/// Messages of the reader to the session while it answers a request.
#[derive(Debug, Clone, Default)]
pub struct Signals {
    /// Ends the work of the request. It is set before the answer is complete, so that a `stop` after the answer applies
    /// to the next search.
    pub stop: Stop,
    /// Is set when another line of any kind has come, or the input has ended.
    pub next_line: Stop,
}

/// A line that gets an answer, and its size in the queue.
type Message<R> = (Result<PendingRequest<R>, Rejection>, usize);

/// Answers requests.
pub trait Session {
    /// A parsed request.
    type Request: Send + 'static;

    /// Parses a command and its arguments. Returns also the lines that end its work.
    ///
    /// # Errors
    /// When the command is unknown, or its arguments are wrong.
    fn parse(name: &str, arguments: &str) -> Result<(Self::Request, Interruption), ProtocolError>;

    /// Answers a request.
    ///
    /// # Errors
    /// When the output is closed.
    fn answer(&mut self, request: Self::Request, reply: ReplyWriter<'_>, signals: &Signals) -> io::Result<()>;
}

/// Answers the requests of an input one by one, until `quit` or the end of the input.
///
/// # Errors
/// When the output is closed.
pub fn serve<S: Session>(
    session: &mut S,
    input: impl Read + Send + 'static,
    output: &mut (dyn Write + Send),
) -> io::Result<()> {
    let (sender, receiver) = channel();
    let waiting = Arc::new(AtomicUsize::new(0));
    let sent = Arc::clone(&waiting);
    thread::Builder::new().name("reader".to_owned()).spawn(move || read::<S>(input, &sender, &sent))?;
    let mut answer_all = || {
        for (message, size) in &receiver {
            if !answer_one(session, message, output)? {
                break;
            }
            waiting.fetch_sub(size, Ordering::Relaxed);
        }
        Ok(())
    };
    let result = answer_all();
    // A reader that waits for room finds that nobody receives.
    drop(receiver);
    waiting.store(0, Ordering::Relaxed);
    result
}

/// Answers a line at once, where there is no thread to read the next one meanwhile: in a browser. False after `quit`.
///
/// # Errors
/// When the output is closed.
pub(super) fn serve_line<S: Session>(
    session: &mut S,
    line: InputLine,
    output: &mut (dyn Write + Send),
) -> io::Result<bool> {
    let read = match line {
        InputLine::Blank | InputLine::Interrupt => return Ok(true),
        InputLine::Rejected(rejection) => Err(rejection),
        InputLine::Command(line) => read_request::<S>(&line).map(|(pending, _)| pending),
    };
    answer_one(session, read, output)
}

/// Answers a line. False after `quit`.
fn answer_one<S: Session>(
    session: &mut S,
    message: Result<PendingRequest<S::Request>, Rejection>,
    output: &mut (dyn Write + Send),
) -> io::Result<bool> {
    match message {
        Err(Rejection { id, error }) => ReplyWriter::new(output, id, Stop::default()).close(Err(error)).map(|()| true),
        Ok(PendingRequest { id, request, signals, is_last, .. }) => {
            let reply = ReplyWriter::new(output, id, signals.stop.clone());
            session.answer(request, reply, &signals).map(|()| !is_last)
        }
    }
}

fn read_request<S: Session>(line: &str) -> Result<(PendingRequest<S::Request>, Interruption), Rejection> {
    log::debug!("asked: {line}");
    let Line { id, command, arguments } = Line::parse(line)?;
    let (request, ends) = S::parse(command, arguments).map_err(|error| Rejection { id, error })?;
    let (is_stop, is_last) = (command == "stop", command == "quit");
    Ok((PendingRequest { id, request, signals: Signals::default(), is_stop, is_last }, ends))
}

fn read<S: Session>(input: impl Read, requests: &Sender<Message<S::Request>>, waiting: &AtomicUsize) {
    let mut lines = LineReader::new(input);
    let mut searches = Searches::default();
    // Belongs to the previous line.
    let mut next_line = Stop::default();
    let mut is_last = false;
    while !is_last {
        let line = lines.next();
        next_line.set();
        let mut size = REQUEST_SIZE;
        let read = match line {
            Some(Ok(InputLine::Blank)) => continue,
            Some(Ok(InputLine::Interrupt)) => {
                searches.stop_earliest();
                continue;
            }
            Some(Ok(InputLine::Rejected(rejection))) => Err(rejection),
            Some(Ok(InputLine::Command(line))) => {
                size += line.len();
                read_request::<S>(&line)
            }
            None => break,
            Some(Err(error)) => {
                log::warn!("standard input can't be read any more: {error}");
                break;
            }
        };
        let message = read.map(|(mut pending, ends)| {
            next_line = Stop::default();
            pending.signals.next_line = next_line.clone();
            if ends == Interruption::AnyLine {
                pending.signals.stop = next_line.clone();
            }
            searches.add(ends, &pending.signals.stop);
            if pending.is_stop {
                searches.stop_earliest();
            }
            is_last = pending.is_last;
            pending
        });
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
        if requests.send((message, size)).is_err() {
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
