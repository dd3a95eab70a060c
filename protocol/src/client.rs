//! Driving an engine: sending commands and receiving answers within time limits.
//!
//! ```no_run
//! use std::process::Command;
//! use std::time::Duration;
//! use privy_protocol::{Client, SearchLine};
//!
//! let limit = Duration::from_secs(5);
//! let mut engine = Client::spawn(&mut Command::new("privy"))?;
//! println!("{}", engine.request("name", limit)?.text());
//! engine.send("go depth 8")?;
//! engine.receive_lines(limit, |line| match line.parse() {
//!     Ok(SearchLine::Info(info)) => println!("{}", info.verdict),
//!     Ok(SearchLine::BestMove(best)) => println!("the move is {best}"),
//!     Err(error) => println!("{line}: {error}"),
//! })?;
//! engine.quit(limit)?;
//! # Ok::<(), privy_protocol::ClientError>(())
//! ```

mod error;
mod pipes;
mod process;

use std::collections::VecDeque;
use std::fmt;
use std::io::{self, Read, Write};
use std::process::{Child, ChildStderr, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

pub use error::ClientError;
pub use process::Process;
use process::wait_until;

use crate::grammar;
use crate::reply::{OnLine, REPLY_LIMIT, Reply, ReplyAssembler, ReplyError};
use pipes::{Feed, Limit, NoOutput, Output};

/// The time in which an engine whose input has been closed must end before it is killed.
const GRACE: Duration = Duration::from_millis(500);

/// The time to wait for the exit status of an engine that has closed its output.
const STATUS_WAIT: Duration = Duration::from_secs(1);

/// A client of an engine that speaks the protocol.
///
/// Commands may be sent ahead; answers are received in the order of the commands. Sending never blocks, receiving only
/// up to the limit given, and memory is bounded. When a client is dropped, it closes the input of the engine, and kills
/// its process if that does not end within half a second.
#[derive(Debug)]
pub struct Client {
    input: Feed,
    output: Output,
    process: Option<Box<dyn Process>>,
    standard_error: Option<ChildStderr>,
    assembler: ReplyAssembler,
    /// The number of bytes of the current answer so far.
    answer_size: usize,
    bounds_streams: bool,
    /// The commands that have not been answered.
    pending: VecDeque<Pending>,
    out_of_step: bool,
}

impl Drop for Client {
    fn drop(&mut self) {
        self.input.close();
        if let Some(process) = &mut self.process
            && wait_until(&mut **process, Instant::now().checked_add(GRACE)).is_none()
        {
            process.kill();
        }
    }
}

/// A command without answer.
#[derive(Debug)]
struct Pending {
    command: String,
    /// True if the answer may have an id.
    may_have_id: bool,
}

/// Interrupts the search of an engine from any thread, while the client waits for the answer.
#[derive(Debug, Clone)]
pub struct Interrupter(Feed);

impl Interrupter {
    /// Sends the comment `# interrupt`, which ends a search and has no answer.
    ///
    /// # Errors
    /// [`ClientError::Exited`] or [`ClientError::Backlog`].
    pub fn interrupt(&self) -> Result<(), ClientError> {
        self.0.write(b"# interrupt\n".to_vec())
    }
}

impl Client {
    /// Starts an engine. Its standard input and output become pipes; standard error goes where the command sends it.
    ///
    /// # Errors
    /// [`ClientError::Start`].
    pub fn spawn(command: &mut Command) -> Result<Self, ClientError> {
        let child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
        child.and_then(|child| Self::of_child(child, |child| Box::new(child))).map_err(|source| ClientError::Start {
            program: command.get_program().to_string_lossy().into_owned(),
            source,
        })
    }

    /// A client of a child with pipes for its standard input and output, whose end is controlled in another way.
    ///
    /// # Errors
    /// Those of the system when no thread can be started. The child has been killed then.
    pub fn of_child(mut child: Child, control: impl FnOnce(Child) -> Box<dyn Process>) -> io::Result<Self> {
        let (standard_error, pipes) = (child.stderr.take(), child.stdin.take().zip(child.stdout.take()));
        let mut process = control(child);
        let pipes = pipes.ok_or_else(|| io::ErrorKind::BrokenPipe.into());
        let mut client = pipes.and_then(|(input, output)| Self::from_pipes(output, input)).inspect_err(|_| {
            process.kill();
        })?;
        (client.process, client.standard_error) = (Some(process), standard_error);
        Ok(client)
    }

    /// A client of an engine that it has not started: at a socket, or in a thread.
    ///
    /// Each pipe has a thread, which lasts until the pipe is closed on the other side.
    ///
    /// # Errors
    /// Those of the system when no thread can be started.
    pub fn from_pipes(output: impl Read + Send + 'static, input: impl Write + Send + 'static) -> io::Result<Self> {
        Ok(Self {
            input: Feed::new(input)?,
            output: Output::new(output)?,
            process: None,
            standard_error: None,
            assembler: ReplyAssembler::default(),
            answer_size: 0,
            bounds_streams: false,
            pending: VecDeque::new(),
            out_of_step: false,
        })
    }

    /// Limits streamed answers, too, to [`REPLY_LIMIT`] bytes from now on.
    pub const fn bound_streams(&mut self) {
        self.bounds_streams = true;
    }

    /// The number of commands without answer.
    pub fn pending(&self) -> usize {
        self.pending.len()
    }

    /// The id of the process, if the client has started it.
    pub fn process_id(&self) -> Option<u32> {
        self.process.as_ref().map(|process| process.id())
    }

    /// The standard error of the engine, once, where the command asked for a pipe.
    pub const fn take_standard_error(&mut self) -> Option<ChildStderr> {
        self.standard_error.take()
    }

    /// The time at which the last piece of output that has been read came in: after an answer, the time of its end.
    pub const fn arrived(&self) -> Instant {
        self.output.arrived
    }

    /// True if the next answer has begun to come in.
    pub const fn is_answering(&self) -> bool {
        self.answer_size > 0
    }

    /// The exit status of the process, if it has ended. A process that the engine has started may still hold the output
    /// open.
    pub fn ended(&mut self) -> Option<ExitStatus> {
        self.process.as_mut()?.status()
    }

    /// A handle that interrupts searches while [`Client::receive`] and its like wait.
    pub fn interrupter(&self) -> Interrupter {
        Interrupter(self.input.clone())
    }

    /// Sends a command, the text of a line, and does not wait.
    ///
    /// # Errors
    /// [`ClientError::Unsendable`] when the text is blank, has more than a line, holds a `#` or control characters, or
    /// begins with an id; [`ClientError::Exited`]; [`ClientError::Backlog`].
    pub fn send(&mut self, command: impl fmt::Display) -> Result<(), ClientError> {
        let command = command.to_string();
        if let Some(reason) = unsendable(&command) {
            return Err(ClientError::Unsendable { line: command, reason });
        }
        self.write(format!("{command}\n").into_bytes(), &command)?;
        self.pending.push_back(Pending { command, may_have_id: false });
        Ok(())
    }

    /// Sends bytes as they are, to test an engine. The caller gives the number of answers, which may have any id.
    /// Without bytes nothing is sent, and answers are expected also where the input has been closed.
    ///
    /// # Errors
    /// [`ClientError::Exited`]; [`ClientError::Backlog`].
    pub fn send_bytes(&mut self, bytes: &[u8], answers: usize) -> Result<(), ClientError> {
        let command = String::from_utf8_lossy(bytes.get(..80).unwrap_or(bytes)).into_owned();
        if !bytes.is_empty() {
            self.write(bytes.to_vec(), &command)?;
        }
        self.pending.extend((0..answers).map(|_| Pending { command: command.clone(), may_have_id: true }));
        Ok(())
    }

    fn write(&mut self, bytes: Vec<u8>, command: &str) -> Result<(), ClientError> {
        if self.out_of_step {
            return Err(ClientError::OutOfStep);
        }
        self.input.write(bytes).map_err(|failure| match failure {
            ClientError::Exited { .. } => self.exited(command.to_owned()),
            other => other,
        })
    }

    /// Closes the input of the engine after the commands that have been sent. Answers can still be received.
    pub fn close_input(&mut self) {
        self.input.close();
    }

    /// Waits, at most for `limit`, for the answer to the oldest pending command.
    ///
    /// # Errors
    /// [`ClientError::NothingAsked`]; [`ClientError::Timeout`], after which the answer can still be received;
    /// [`ClientError::Exited`]; [`ClientError::Reply`], and from then on [`ClientError::OutOfStep`].
    pub fn receive(&mut self, limit: Duration) -> Result<Reply, ClientError> {
        self.receive_by(&mut Limit::new(limit), None)
    }

    /// As [`Client::receive`], but passes the lines of a success to `on_line` as they come: the answer that is returned
    /// then has no text.
    ///
    /// # Errors
    /// As [`Client::receive`].
    pub fn receive_lines(&mut self, limit: Duration, mut on_line: impl FnMut(&str)) -> Result<Reply, ClientError> {
        self.receive_by(&mut Limit::new(limit), Some(&mut on_line))
    }

    fn receive_by(&mut self, limit: &mut Limit, mut on_line: OnLine<'_>) -> Result<Reply, ClientError> {
        if self.out_of_step {
            return Err(ClientError::OutOfStep);
        }
        let may_have_id = self.pending.front().ok_or(ClientError::NothingAsked)?.may_have_id;
        loop {
            let (reply, left) = match self.assembler.feed(&self.output.unread, may_have_id, &mut on_line) {
                Ok((reply, left)) => (reply, left.len()),
                Err(error) => return Err(self.lost(error)),
            };
            let taken = self.output.unread.len() - left;
            self.answer_size = self.answer_size.saturating_add(taken);
            self.output.unread.drain(..taken);
            if self.bounds_streams && self.answer_size > REPLY_LIMIT {
                return Err(self.lost(ReplyError::TooLarge));
            }
            if let Some(reply) = reply {
                self.answer_size = 0;
                self.pending.pop_front();
                return Ok(reply);
            }
            self.output.next(limit).map_err(|reason| match reason {
                NoOutput::Timeout => ClientError::Timeout { command: self.oldest(), limit: limit.length },
                NoOutput::Ended => self.exited(self.oldest()),
                NoOutput::Failed(error) => self.lost(ReplyError::Read(error)),
            })?;
        }
    }

    /// The beginning of output that belongs to no command; [`None`] while answers are pending, and when only blank
    /// lines have come. It does not wait, and does not take the output: the answer to the next command begins with it.
    pub fn unasked_output(&mut self) -> Option<String> {
        if self.pending.is_empty() { self.output.peek() } else { None }
    }

    /// Reads output and drops it, until `limit` has passed, `bytes` have come or the output has ended. Gives the number
    /// of bytes. Pending answers are lost.
    pub fn drain(&mut self, limit: Duration, bytes: usize) -> usize {
        self.out_of_step = true;
        let (mut limit, mut drained) = (Limit::new(limit), self.output.unread.len());
        while drained < bytes && self.output.next(&mut limit).is_ok() {
            drained = drained.saturating_add(self.output.unread.len());
        }
        self.output.unread.clear();
        drained
    }

    /// Sends a command and waits, at most for `limit`, for its answer. Answers to earlier commands are dropped.
    ///
    /// # Errors
    /// As [`Client::send`] and [`Client::receive`]. An answer that says failure is no error here.
    pub fn request(&mut self, command: impl fmt::Display, limit: Duration) -> Result<Reply, ClientError> {
        self.send(command)?;
        let mut limit = Limit::new(limit);
        loop {
            let reply = self.receive_by(&mut limit, None)?;
            if self.pending.is_empty() {
                return Ok(reply);
            }
        }
    }

    /// Sends `quit` and waits, at most for `limit`, until the process has ended. Its input stays open: an engine must
    /// end on `quit` alone. Gives the exit status, if the client has started the process.
    ///
    /// # Errors
    /// As [`Client::request`]; [`ClientError::StillRunning`]. The process has been killed then.
    pub fn quit(mut self, limit: Duration) -> Result<Option<ExitStatus>, ClientError> {
        let deadline = Limit::new(limit).deadline;
        let answered = self.request("quit", limit);
        let Some(process) = &mut self.process else {
            return answered.map(|_| None);
        };
        let ended = answered.and_then(|_| {
            let status = wait_until(&mut **process, deadline);
            status.ok_or(ClientError::StillRunning(limit))
        });
        if ended.is_err() {
            process.kill();
        }
        ended.map(Some)
    }

    /// Kills the process. Gives its exit status, if the client has started it.
    pub fn kill(mut self) -> Option<ExitStatus> {
        self.process.as_mut()?.kill()
    }

    /// The error of a command that gets no answer because the engine has ended.
    fn exited(&mut self, command: String) -> ClientError {
        // The status follows the end of the output within moments: that is worth a little more than the limit.
        let deadline = Instant::now().checked_add(STATUS_WAIT);
        let status = self.process.as_mut().and_then(|process| wait_until(&mut **process, deadline));
        ClientError::Exited { command, status }
    }

    /// The error of a malformed answer. No later answer can be trusted.
    fn lost(&mut self, source: ReplyError) -> ClientError {
        self.out_of_step = true;
        ClientError::Reply { command: self.oldest(), source }
    }

    fn oldest(&self) -> String {
        self.pending.front().map(|pending| pending.command.clone()).unwrap_or_default()
    }
}

/// Why a text must not be sent as a command.
fn unsendable(text: &str) -> Option<&'static str> {
    if text.contains('#') {
        return Some("everything behind a # would be lost");
    }
    if text.contains(|letter: char| letter.is_ascii_control()) {
        return Some("it holds a line end or another control character");
    }
    match grammar::next_word(text) {
        None => Some("it is blank"),
        Some((word, _)) if word.bytes().all(|byte| byte.is_ascii_digit()) => Some("it begins with an id"),
        Some(_) => None,
    }
}
