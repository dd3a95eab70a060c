//! Driving a program that answers lines with lines: no commands, no framing.

use std::process::{ChildStderr, Command};
use std::time::Duration;

use super::connection::{Connection, Limit, NoOutput};
use super::error::ClientError;
use crate::framing::{InputLine, LineAssembler};
use crate::reply::{REPLY_LIMIT, ReplyError};

/// A client of a program that reads lines and writes lines. It waits, and ends the program, as [`Client`](super::Client) does.
#[derive(Debug)]
pub struct LineClient {
    connection: Connection,
    lines: LineAssembler,
    /// The number of bytes of the line that is coming in.
    size: usize,
    sent: String,
}

impl LineClient {
    /// Starts a program, as [`Client::spawn`](super::Client::spawn) does.
    ///
    /// # Errors
    /// [`ClientError::Start`].
    pub fn spawn(command: &mut Command) -> Result<Self, ClientError> {
        let connection = Connection::spawn(command)?;
        Ok(Self { connection, lines: LineAssembler::default(), size: 0, sent: String::new() })
    }

    /// The standard error of the program, once, where the command asked for a pipe.
    pub const fn take_standard_error(&mut self) -> Option<ChildStderr> {
        self.connection.standard_error.take()
    }

    /// Sends a line, and does not wait.
    ///
    /// # Errors
    /// [`ClientError::Exited`]; [`ClientError::Backlog`].
    pub fn send(&mut self, line: &str) -> Result<(), ClientError> {
        line.clone_into(&mut self.sent);
        self.connection.write(format!("{line}\n").into_bytes(), line)
    }

    /// Waits, at most for `limit`, for the next line of the program. A last line without line feed counts.
    ///
    /// # Errors
    /// [`ClientError::Timeout`], after which the line can still be received; [`ClientError::Exited`]; [`ClientError::Reply`] when
    /// the output can't be read, or has more than [`REPLY_LIMIT`] bytes without a line feed.
    pub fn receive(&mut self, limit: Duration) -> Result<InputLine, ClientError> {
        let mut limit = Limit::new(limit);
        loop {
            let unread = self.connection.unread();
            let (line, left) = self.lines.feed(unread);
            self.size += unread.len() - left.len();
            let left = left.len();
            self.connection.take_all_but(left);
            if let Some(line) = line {
                self.size = 0;
                return Ok(line);
            }
            if self.size > REPLY_LIMIT {
                return Err(ClientError::Reply { command: self.sent.clone(), source: ReplyError::TooLarge });
            }
            let Err(reason) = self.connection.next(&mut limit) else { continue };
            if matches!(reason, NoOutput::Timeout) {
                // A process that the program has started may hold the output open.
                let _ = self.connection.process.as_mut().and_then(|process| process.look());
            } else if matches!(reason, NoOutput::Ended)
                && let Some(line) = self.lines.finish()
            {
                return Ok(line);
            }
            return Err(self.connection.error(reason, &self.sent, &limit));
        }
    }
}
