//! Driving an engine: sending commands, receiving answers, within time limits.
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
//!     Ok(SearchLine::Info(info)) => println!("{}", info.score),
//!     Ok(SearchLine::BestMove(best)) => println!("the move is {}", best.0),
//!     Err(error) => println!("{line}: {error}"),
//! })?;
//! engine.quit(limit)?;
//! # Ok::<(), privy_protocol::ClientError>(())
//! ```

mod error;
mod input;
mod lines;
mod output;
mod process;

use std::collections::VecDeque;
use std::fmt;
use std::io::{self, Read, Write};
use std::process::{ChildStderr, Command, ExitStatus};
use std::time::{Duration, Instant};

pub use error::ClientError;
pub use lines::LineClient;
pub use process::{ProcessGroup, adopt_orphans};

use crate::grammar;
use crate::reply::Reply;
use crate::reply_reader::{ReplyBuilder, ReplyError, ReplyPart};
use input::Feed;
use output::{Limit, NoPart, Output};
use process::{Pipes, Process};

/// How long to wait for the exit status of an engine that has closed its output.
const STATUS_WAIT: Duration = Duration::from_secs(1);

/// A client of an engine that speaks the protocol.
///
/// Commands may be sent ahead; their answers are received in the order of the commands. Sending never
/// blocks, receiving only for moments longer than the limit given, and the memory used is bounded. When a client is dropped, the input of the
/// engine is closed, and a process that has been spawned is killed if it does not end within half a second; and so is, in any
/// case, what it has started in turn.
#[derive(Debug)]
pub struct Client {
    input: Feed,
    process: Option<Process>,
    standard_error: Option<ChildStderr>,
    output: Output,
    builder: ReplyBuilder,
    /// The commands that have not been answered.
    asked: VecDeque<Asked>,
    out_of_step: bool,
}

/// A command without answer.
#[derive(Debug)]
struct Asked {
    command: String,
    /// The answer may have an id: the bytes may have held one.
    may_have_id: bool,
}

/// Interrupts the search of an engine from any thread, while the client waits for the answer.
#[derive(Debug, Clone)]
pub struct Interrupter(Feed);

impl Interrupter {
    /// Sends the comment `# interrupt`, which ends a search and has no answer of its own.
    ///
    /// # Errors
    /// [`ClientError::Exited`] or [`ClientError::Backlog`] when it cannot be sent.
    pub fn interrupt(&self) -> Result<(), ClientError> {
        self.0.write(b"# interrupt\n".to_vec())
    }
}

/// The input is closed before the process is waited for, whatever clones of it there are.
impl Drop for Client {
    fn drop(&mut self) {
        self.input.close();
    }
}

impl Client {
    /// Starts an engine. Its standard input and output become pipes; where its standard error goes is the caller's
    /// choice, and by default the caller's own.
    ///
    /// The engine leads a process group of its own, where the system has such groups: an interrupt typed at the terminal
    /// reaches the caller alone, and processes that the engine starts in turn end with it.
    ///
    /// # Errors
    /// [`ClientError::Start`].
    pub fn spawn(command: &mut Command) -> Result<Self, ClientError> {
        let (process, Pipes { input, output, error }) = Process::with_pipes(command)?;
        let mut client = Self::from_pipes(output, input).map_err(|source| ClientError::no_start(command, source))?;
        client.process = Some(process);
        client.standard_error = error;
        Ok(client)
    }

    /// A client of an engine that is not its process: one behind a socket, say, or in a thread.
    ///
    /// The two ends are used by threads of their own, which last until they are closed on the other side.
    ///
    /// # Errors
    /// What the system says when no thread can be started.
    pub fn from_pipes(output: impl Read + Send + 'static, input: impl Write + Send + 'static) -> io::Result<Self> {
        Ok(Self {
            input: Feed::new(input)?,
            process: None,
            output: Output::new(output)?,
            standard_error: None,
            builder: ReplyBuilder::default(),
            asked: VecDeque::new(),
            out_of_step: false,
        })
    }

    /// From now on a streamed answer, too, may have at most [`REPLY_LIMIT`](crate::REPLY_LIMIT) bytes. Without this it
    /// may go on as long as the caller waits.
    pub const fn bound_streams(&mut self) {
        self.output.bounded = true;
    }

    /// How many commands have been sent whose answers have not been received.
    pub fn pending(&self) -> usize {
        self.asked.len()
    }

    /// The number that the system gives the process; [`None`] when the engine was not spawned.
    pub fn process_id(&self) -> Option<u32> {
        self.process.as_ref().map(Process::id)
    }

    /// The process group of the engine; [`None`] when it was not spawned, or the system has no such groups.
    pub fn process_group(&self) -> Option<ProcessGroup> {
        self.process.as_ref().and_then(Process::group)
    }

    /// The standard error of the engine, once, where the command asked for a pipe.
    pub const fn take_standard_error(&mut self) -> Option<ChildStderr> {
        self.standard_error.take()
    }

    /// When the last piece of output that has been looked at came in. After an answer has been received that is the time
    /// of its end, however late the caller came for it.
    pub const fn arrived(&self) -> Instant {
        self.output.arrived()
    }

    /// Whether the oldest answer that is due has begun to come in.
    pub const fn is_answering(&self) -> bool {
        self.output.answer_size > 0
    }

    /// Looks whether the process has ended, and gives its status then. A client that waits sees the end of the output; but
    /// a process that the engine has started may hold it open, and ends with this.
    pub fn ended(&mut self) -> Option<ExitStatus> {
        self.process.as_mut().and_then(Process::look)
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
            let line = command;
            return Err(ClientError::Unsendable { line, reason });
        }
        self.write(format!("{command}\n").into_bytes(), &command)?;
        self.asked.push_back(Asked { command, may_have_id: false });
        Ok(())
    }

    /// Sends bytes as they are, for tests of what an engine does with them. The caller says how many answers they
    /// deserve; those may have any id.
    ///
    /// # Errors
    /// [`ClientError::Exited`]; [`ClientError::Backlog`].
    pub fn send_bytes(&mut self, bytes: &[u8], answers: usize) -> Result<(), ClientError> {
        let command = String::from_utf8_lossy(bytes.get(..80).unwrap_or(bytes)).into_owned();
        self.write(bytes.to_vec(), &command)?;
        self.asked.extend((0..answers).map(|_| Asked { command: command.clone(), may_have_id: true }));
        Ok(())
    }

    /// Closes the input of the engine, behind what has been sent. Answers can still be received.
    pub fn close_input(&mut self) {
        self.input.close();
    }

    /// Waits, at most for `limit`, for the answer to the oldest command that has none.
    ///
    /// # Errors
    /// [`ClientError::NothingAsked`]; [`ClientError::Timeout`], after which the answer can still be received;
    /// [`ClientError::Exited`]; [`ClientError::Reply`], and from then on [`ClientError::OutOfStep`].
    pub fn receive(&mut self, limit: Duration) -> Result<Reply, ClientError> {
        self.receive_by(&mut Limit::new(limit))
    }

    fn receive_by(&mut self, limit: &mut Limit) -> Result<Reply, ClientError> {
        loop {
            let part = self.next_part(limit)?;
            if let Some(reply) = self.add(part)? {
                return Ok(reply);
            }
        }
    }

    /// As [`Client::receive`], but hands the lines of a success over as they come, and stores none of them: the
    /// answer that is returned then has no text.
    ///
    /// # Errors
    /// As [`Client::receive`].
    pub fn receive_lines(&mut self, limit: Duration, mut on_line: impl FnMut(&str)) -> Result<Reply, ClientError> {
        let mut limit = Limit::new(limit);
        loop {
            let part = match self.next_part(&mut limit)? {
                ReplyPart::Start { success: true, id, text } => {
                    if !text.trim().is_empty() {
                        on_line(&text);
                    }
                    ReplyPart::Start { success: true, id, text: String::new() }
                }
                ReplyPart::Line(line) if self.builder.success => {
                    on_line(&line);
                    continue;
                }
                part => part,
            };
            if let Some(reply) = self.add(part)? {
                return Ok(reply);
            }
        }
    }

    /// What the engine has written without being asked, or its beginning; [`None`] while answers are due, and when nothing
    /// but blank lines has come so far. It does not wait, and the client stays in step: a client that sends its next
    /// command all the same takes this for the answer.
    pub fn unasked_output(&mut self) -> Option<String> {
        if self.asked.is_empty() { self.output.peek() } else { None }
    }

    /// Reads what the engine writes and throws it away, until `limit` has passed, `bytes` have come or the output has
    /// ended. Gives the number of bytes. Answers that were due are lost with it.
    pub fn drain(&mut self, limit: Duration, bytes: usize) -> usize {
        self.out_of_step = true;
        self.output.drain(limit, bytes)
    }

    /// Sends a command and waits for its answer, and before that for those to all commands sent earlier, which are
    /// dropped. `limit` holds for all of it.
    ///
    /// # Errors
    /// As [`Client::send`] and [`Client::receive`]. An answer that says failure is no error here.
    pub fn request(&mut self, command: impl fmt::Display, limit: Duration) -> Result<Reply, ClientError> {
        self.send(command)?;
        let mut limit = Limit::new(limit);
        loop {
            let reply = self.receive_by(&mut limit)?;
            if self.asked.is_empty() {
                return Ok(reply);
            }
        }
    }

    /// Sends `quit`, waits for its answer, and then until the process has ended; its input stays open so long, since an
    /// engine must end on `quit` alone. Gives its exit status; [`None`] when the engine was not spawned. `limit` holds for
    /// all of it.
    ///
    /// # Errors
    /// As [`Client::request`]; [`ClientError::StillRunning`]. The process has been killed then.
    pub fn quit(mut self, limit: Duration) -> Result<Option<ExitStatus>, ClientError> {
        let deadline = Limit::new(limit).deadline;
        let answered = self.request("quit", limit);
        let Some(process) = &mut self.process else {
            return answered.map(|_| None);
        };
        let status = match answered {
            Ok(_) => process.wait_until(deadline),
            Err(error) => {
                process.kill();
                return Err(error);
            }
        };
        if status.is_none() {
            process.kill();
            return Err(ClientError::StillRunning(limit));
        }
        Ok(status)
    }

    /// Ends the process at once. Gives its exit status; [`None`] when the engine was not spawned.
    pub fn kill(mut self) -> Option<ExitStatus> {
        self.process.as_mut().and_then(Process::kill)
    }

    /// The next part of the answer to the oldest command.
    fn next_part(&mut self, limit: &mut Limit) -> Result<ReplyPart, ClientError> {
        if self.out_of_step {
            return Err(ClientError::OutOfStep);
        }
        if self.asked.is_empty() {
            return Err(ClientError::NothingAsked);
        }
        self.output.next_part(limit).map_err(|reason| match reason {
            NoPart::Timeout => ClientError::Timeout { command: self.oldest(), limit: limit.length },
            NoPart::Ended => {
                // The status follows within moments, if at all: that is worth a little more than the limit.
                let status = self.exit_status(Instant::now().checked_add(STATUS_WAIT));
                ClientError::Exited { command: self.oldest(), status }
            }
            NoPart::Lost(error) => self.lost(error),
        })
    }

    /// Takes a part of an answer; gives the answer when it is complete, and strikes its command off.
    fn add(&mut self, part: ReplyPart) -> Result<Option<Reply>, ClientError> {
        if let ReplyPart::Start { id: Some(id), .. } = part
            && self.asked.front().is_some_and(|asked| !asked.may_have_id)
        {
            return Err(self.lost(ReplyError::Id(id)));
        }
        let reply = self.builder.add(part).map_err(|error| self.lost(error))?;
        if reply.is_some() {
            self.asked.pop_front();
        }
        Ok(reply)
    }

    /// Notes that no later answer can be trusted.
    fn lost(&mut self, source: ReplyError) -> ClientError {
        self.out_of_step = true;
        let command = self.oldest();
        ClientError::Reply { command, source }
    }

    fn oldest(&self) -> String {
        let oldest = self.asked.front();
        oldest.map(|asked| asked.command.clone()).unwrap_or_default()
    }

    fn write(&mut self, bytes: Vec<u8>, command: &str) -> Result<(), ClientError> {
        if self.out_of_step {
            return Err(ClientError::OutOfStep);
        }
        self.input.write(bytes).map_err(|failure| match failure {
            ClientError::Exited { .. } => {
                let status = self.exit_status(Instant::now().checked_add(STATUS_WAIT));
                ClientError::Exited { command: command.to_owned(), status }
            }
            other => other,
        })
    }

    fn exit_status(&mut self, deadline: Option<Instant>) -> Option<ExitStatus> {
        self.process.as_mut().and_then(|process| process.wait_until(deadline))
    }
}

/// Why a text must not be sent as a command.
fn unsendable(text: &str) -> Option<&'static str> {
    if text.contains('#') {
        Some("everything behind a # would be lost")
    } else if text.contains(|letter: char| letter.is_ascii_control()) {
        Some("it holds a line end or another control character")
    } else {
        match grammar::next_word(text) {
            None => Some("it is blank"),
            Some((word, _)) if word.bytes().all(|byte| byte.is_ascii_digit()) => Some("it begins with an id"),
            Some(_) => None,
        }
    }
}
