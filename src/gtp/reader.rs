//! The thread that reads the input, also while a search runs.
//!
//! Requests go to the session in order. The reader stops searches: `stop` and `# interrupt` end the search that runs, or if that has
//! been stopped already, the earliest one that waits; any line ends an analysis; `quit` and the end of the input end the searches
//! without limit, and so do requests beyond the bound of the queue.

use std::collections::VecDeque;
use std::io::{self, Read};
use std::thread;

use privy_protocol::{InputLine, Interruption, LineReader, Rejection, Reply, Requests, SharedRequest};

use crate::search::Stop;

use super::queue::{Sender, queue};

/// The bound of the queue, in bytes.
const MOST_WAITING: usize = 1 << 26;

/// A request for the session to answer.
pub(super) struct PendingRequest<R> {
    pub(super) id: Option<u32>,
    pub(super) request: R,
    /// Ends the work of the request. The session sets it before the answer is complete, so that a `stop` after the answer
    /// applies to the next search.
    pub(super) stop: Stop,
    /// Is set when another line of any kind has come, or the input has ended.
    pub(super) next_line: Stop,
}

/// A line that gets an answer.
type Message<R> = Result<PendingRequest<R>, Rejection>;

/// Answers the requests of a loop.
pub(super) trait Session {
    type Request: Requests + Send + 'static;

    fn write(&mut self, reply: Reply) -> io::Result<()>;

    fn answer(&mut self, pending: PendingRequest<Self::Request>) -> io::Result<()>;
}

/// Answers the requests of an input in order, until `quit` or the end of the input.
pub(super) fn serve<S: Session>(session: &mut S, input: impl Read + Send + 'static) -> io::Result<()> {
    let (sender, receiver) = queue(MOST_WAITING);
    thread::Builder::new().name("reader".to_owned()).spawn(move || read::<S::Request>(input, &sender))?;
    for message in receiver {
        match message {
            Err(rejection) => session.write(rejection.into())?,
            Ok(pending) => {
                let is_last = matches!(pending.request.shared(), Some(SharedRequest::Quit));
                session.answer(pending)?;
                if is_last {
                    break;
                }
            }
        }
    }
    Ok(())
}

fn read<R: Requests>(input: impl Read, messages: &Sender<Message<R>>) {
    let mut lines = LineReader::new(input);
    let mut searches = Searches::default();
    // Belongs to the previous line.
    let mut next_line = Stop::default();
    let mut is_last = false;
    while !is_last {
        let line = lines.next();
        next_line.set();
        let mut length = 0;
        let read = match line {
            Some(Ok(InputLine::Blank)) => continue,
            Some(Ok(InputLine::Interrupt)) => {
                searches.stop_earliest();
                continue;
            }
            Some(Ok(InputLine::Rejected(rejection))) => Err(rejection),
            Some(Ok(InputLine::Command(line))) => {
                log::debug!("asked: {line}");
                length = line.len();
                R::read(&line)
            }
            None => break,
            Some(Err(error)) => {
                log::warn!("standard input can't be read any more: {error}");
                break;
            }
        };
        let message = read.map(|(id, request)| {
            next_line = Stop::default();
            let interruption = request.interruption();
            let stop = if interruption == Interruption::AnyLine { next_line.clone() } else { Stop::default() };
            searches.add(interruption, &stop);
            match request.shared() {
                Some(SharedRequest::Stop) => searches.stop_earliest(),
                Some(SharedRequest::Quit) => is_last = true,
                _ => {}
            }
            PendingRequest { id, request, stop, next_line: next_line.clone() }
        });
        if !messages.send(message, length, || searches.stop_unlimited()) {
            break;
        }
    }
    searches.stop_unlimited();
}

/// The searches requested.
#[derive(Default)]
struct Searches {
    /// In order. A search that has been answered counts as stopped.
    all: VecDeque<Stop>,
    /// The searches without limit.
    unlimited: Vec<Stop>,
}

impl Searches {
    fn add(&mut self, interruption: Interruption, stop: &Stop) {
        if matches!(interruption, Interruption::Stop | Interruption::StopOrEnd) {
            while self.all.front().is_some_and(Stop::is_set) {
                self.all.pop_front();
            }
            self.all.push_back(stop.clone());
        }
        if interruption == Interruption::StopOrEnd {
            self.unlimited.retain(|stop| !stop.is_set());
            self.unlimited.push(stop.clone());
        }
    }

    fn stop_unlimited(&self) {
        self.unlimited.iter().for_each(|stop| _ = stop.set());
    }

    /// Stops the earliest search that has been neither answered nor stopped.
    fn stop_earliest(&mut self) {
        if let Some(stop) = self.all.iter().find(|stop| !stop.is_set()) {
            stop.set();
        }
    }
}

/// Calls `act`, from a thread of its own, when the other end of a pipe or terminal is closed. Files have no other end.
///
/// A write would fail then, but a long iteration, or a search without limit that has proved its result, writes nothing.
///
/// # Errors
/// When no thread can be started.
#[cfg(unix)]
pub fn when_unread(
    output: impl std::os::fd::AsFd + Send + 'static,
    act: impl FnOnce() + Send + 'static,
) -> io::Result<()> {
    use rustix::event::{PollFd, PollFlags, poll};

    thread::Builder::new().name("hangup".to_owned()).spawn(move || {
        // Without flags, only errors and hangups end the poll.
        let mut polled = [PollFd::new(&output, PollFlags::empty())];
        while poll(&mut polled, None) == Err(rustix::io::Errno::INTR) {}
        let [polled] = &polled;
        if polled.revents().intersects(PollFlags::ERR | PollFlags::HUP) {
            act();
        }
    })?;
    Ok(())
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
