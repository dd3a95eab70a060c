//! The thread that reads, also while a search runs.
//!
//! Requests go to the loop in order. What must not wait its turn is told here: `stop` and `# interrupt` end the nearest
//! search that came before them, any line ends an analysis, and `quit` or the end of the input ends the searches without limit.

use std::io::Read;
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread;

use privy_protocol::{Form, InputLine, LineReader, NumberedRequest, Rejection, Request};

use crate::search::Stop;

/// A line for the loop to answer.
#[derive(Debug)]
pub(super) enum Message {
    /// A request.
    Request {
        /// The request.
        numbered: NumberedRequest,
        /// Ends the search that it may need.
        stop: Stop,
        /// Is set as soon as another line has come, of whatever kind, or the input has ended.
        next_line: Stop,
    },
    /// A line that is no request.
    Rejected(Rejection),
}

/// Reads the input to its end on a thread of its own. `form` says which commands there are.
pub(super) fn spawn(form: Form, input: impl Read + Send + 'static) -> std::io::Result<Receiver<Message>> {
    let (sender, receiver) = mpsc::channel();
    thread::Builder::new().name("reader".to_owned()).spawn(move || read(form, input, &sender))?;
    Ok(receiver)
}

fn read(form: Form, input: impl Read, messages: &Sender<Message>) {
    let mut lines = LineReader::new(input);
    let mut nearest = Stop::default();
    let mut unlimited: Vec<Stop> = Vec::new();
    // Belongs to the line before.
    let mut next_line = Stop::default();
    loop {
        let line = lines.next_line();
        next_line.set();
        let line = match line {
            Ok(Some(line)) => line,
            Ok(None) => break,
            Err(error) => {
                log::warn!("standard input can't be read any more: {error}");
                break;
            }
        };
        let message = match line {
            InputLine::Blank => continue,
            InputLine::Interrupt => {
                nearest.set();
                continue;
            }
            InputLine::Rejected(rejection) => Message::Rejected(rejection),
            InputLine::Command(line) => match line.split().and_then(|line| form.numbered_request(line)) {
                Ok(numbered) => {
                    next_line = Stop::default();
                    let analysis = matches!(numbered.request, Request::Analyze(_));
                    let stop = if analysis { next_line.clone() } else { Stop::default() };
                    Message::Request { numbered, stop, next_line: next_line.clone() }
                }
                Err(rejection) => Message::Rejected(rejection),
            },
        };
        let mut last = false;
        if let Message::Request { numbered, stop, .. } = &message {
            log::debug!("asked: {numbered}");
            match &numbered.request {
                request if request.is_search() => {
                    nearest = stop.clone();
                    if matches!(request, Request::Go(limits) if limits.is_unlimited()) {
                        unlimited.push(stop.clone());
                    }
                }
                Request::Stop => nearest.set(),
                Request::Quit => last = true,
                _ => {}
            }
        }
        if messages.send(message).is_err() || last {
            break;
        }
    }
    unlimited.iter().for_each(Stop::set);
}
