//! Driving a program that answers lines with lines: no commands, no framing.

use std::process::{ChildStderr, Command};
use std::sync::mpsc::RecvTimeoutError;
use std::time::{Duration, Instant};

use crate::framing::{InputLine, LineAssembler};
use crate::reply_reader::{REPLY_LIMIT, ReplyError};

use super::STATUS_WAIT;
use super::error::ClientError;
use super::input::Feed;
use super::output::{Limit, Pieces};
use super::process::{Pipes, Process};

/// A client of a program that reads lines and writes lines.
///
/// Sending never blocks, receiving only for moments longer than the limit given, and the memory used is bounded. When it is dropped, the
/// input of the program is closed, and the process is killed if it does not end within half a second; and so is, in any case, what it has
/// started in turn.
#[derive(Debug)]
pub struct LineClient {
    input: Feed,
    process: Process,
    standard_error: Option<ChildStderr>,
    output: Pieces,
    lines: LineAssembler,
    /// The bytes of the line that is coming in.
    size: usize,
    sent: String,
}

/// The input is closed before the process is waited for.
impl Drop for LineClient {
    fn drop(&mut self) {
        self.input.close();
    }
}

impl LineClient {
    /// Starts a program, as the leader of a process group of its own where the system has such groups. Its standard input and output
    /// become pipes; where its standard error goes is the caller's choice, and by default the caller's own.
    ///
    /// # Errors
    /// [`ClientError::Start`].
    pub fn spawn(command: &mut Command) -> Result<Self, ClientError> {
        let (process, Pipes { input, output, error }) = Process::with_pipes(command)?;
        let failed = |source| ClientError::no_start(command, source);
        Ok(Self {
            input: Feed::new(input).map_err(failed)?,
            output: Pieces::new(output).map_err(failed)?,
            process,
            standard_error: error,
            lines: LineAssembler::default(),
            size: 0,
            sent: String::new(),
        })
    }

    /// The standard error of the program, once, where the command asked for a pipe.
    pub const fn take_standard_error(&mut self) -> Option<ChildStderr> {
        self.standard_error.take()
    }

    /// Sends a line, and does not wait.
    ///
    /// # Errors
    /// [`ClientError::Exited`]; [`ClientError::Backlog`].
    pub fn send(&mut self, line: &str) -> Result<(), ClientError> {
        line.clone_into(&mut self.sent);
        self.input.write(format!("{line}\n").into_bytes()).map_err(|failure| match failure {
            ClientError::Exited { .. } => self.exited(),
            other => other,
        })
    }

    /// Waits, at most for `limit`, for the next line of the program. A last line without line feed counts.
    ///
    /// # Errors
    /// [`ClientError::Timeout`], after which the line can still be received; [`ClientError::Exited`]; [`ClientError::Reply`] when the output
    /// can't be read, or has more than [`REPLY_LIMIT`] bytes without a line feed.
    pub fn receive(&mut self, limit: Duration) -> Result<InputLine, ClientError> {
        let mut limit = Limit::new(limit);
        loop {
            let unread = self.output.unread();
            let (line, left) = self.lines.feed(unread);
            let taken = unread.len() - left.len();
            self.size += taken;
            self.output.take(taken);
            if let Some(line) = line {
                self.size = 0;
                return Ok(line);
            }
            if self.size > REPLY_LIMIT {
                return Err(self.lost(ReplyError::TooLarge));
            }
            match self.output.next(&mut limit) {
                Ok(Ok(())) => {}
                Ok(Err(error)) => return Err(self.lost(error.into())),
                Err(RecvTimeoutError::Timeout) => {
                    // Its output may be held open by a process that it has started.
                    let _ = self.process.look();
                    return Err(ClientError::Timeout { command: self.sent.clone(), limit: limit.length });
                }
                Err(RecvTimeoutError::Disconnected) => {
                    return self.lines.finish().ok_or_else(|| self.exited());
                }
            }
        }
    }

    fn lost(&self, source: ReplyError) -> ClientError {
        ClientError::Reply { command: self.sent.clone(), source }
    }

    fn exited(&mut self) -> ClientError {
        let status = self.process.wait_until(Instant::now().checked_add(STATUS_WAIT));
        ClientError::Exited { command: self.sent.clone(), status }
    }
}
