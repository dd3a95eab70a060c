//! Receiving answers.

use std::io;
use std::sync::mpsc::RecvTimeoutError;
use std::time::{Duration, Instant};

use super::pipe::{PIECES, Piece};
use super::{Client, ClientError, STATUS_WAIT};
use crate::reply::Reply;
use crate::reply_reader::{REPLY_LIMIT, ReplyError, ReplyPart};

/// How long to wait, and so until when.
#[derive(Debug)]
pub(super) struct Limit {
    length: Duration,
    /// [`None`] when that is beyond what the system's clock can count to: for ever.
    pub(super) deadline: Option<Instant>,
    /// How many pieces of output may still be looked at behind the deadline. What has come in by then counts, but an
    /// engine that writes without end must not make the client go on for ever.
    overtime: usize,
}

impl Limit {
    pub(super) fn new(length: Duration) -> Self {
        Self { length, deadline: Instant::now().checked_add(length), overtime: PIECES }
    }

    /// What is left of the time; [`None`]: there is no limit.
    fn left(&self) -> Option<Duration> {
        self.deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()))
    }
}

impl Client {
    /// Waits, at most for `limit`, for the answer to the oldest command that has none.
    ///
    /// # Errors
    /// [`ClientError::NothingAsked`]; [`ClientError::Timeout`], after which the answer can still be received;
    /// [`ClientError::Exited`]; [`ClientError::Reply`], and from then on [`ClientError::OutOfStep`].
    pub fn receive(&mut self, limit: Duration) -> Result<Reply, ClientError> {
        self.receive_by(&mut Limit::new(limit))
    }

    pub(super) fn receive_by(&mut self, limit: &mut Limit) -> Result<Reply, ClientError> {
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
    pub fn receive_lines(&mut self, limit: Duration, on_line: impl FnMut(&str)) -> Result<Reply, ClientError> {
        self.receive_lines_by(&mut Limit::new(limit), on_line)
    }

    pub(super) fn receive_lines_by(
        &mut self,
        limit: &mut Limit,
        mut on_line: impl FnMut(&str),
    ) -> Result<Reply, ClientError> {
        loop {
            let part = match self.next_part(limit)? {
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

    /// The next part of the answer to the oldest command.
    fn next_part(&mut self, limit: &mut Limit) -> Result<ReplyPart, ClientError> {
        if self.out_of_step {
            return Err(ClientError::OutOfStep);
        }
        if self.asked.is_empty() {
            return Err(ClientError::NothingAsked);
        }
        loop {
            let unread = self.piece.get(self.looked_at..).unwrap_or_default();
            let fed = self.parser.feed(unread);
            let fed = fed.map(|(part, left)| (part, self.piece.len() - left.len()));
            let (part, looked_at) = fed.map_err(|error| self.lost(error))?;
            self.answer_size = self.answer_size.saturating_add(looked_at - self.looked_at);
            self.looked_at = looked_at;
            if self.bounded && self.answer_size > REPLY_LIMIT {
                return Err(self.lost(ReplyError::TooLarge));
            }
            if let Some(part) = part {
                if part == ReplyPart::End {
                    self.answer_size = 0;
                }
                return Ok(part);
            }
            match self.next_piece(limit) {
                Ok(Ok(piece)) => self.look_at(piece),
                Ok(Err(error)) => return Err(self.lost(error.into())),
                Err(RecvTimeoutError::Timeout) => {
                    let command = self.oldest();
                    return Err(ClientError::Timeout { command, limit: limit.length });
                }
                Err(RecvTimeoutError::Disconnected) => {
                    // The status follows within moments, if at all: that is worth a little more than the limit.
                    let status = self.exit_status(Instant::now().checked_add(STATUS_WAIT));
                    let command = self.oldest();
                    return Err(ClientError::Exited { command, status });
                }
            }
        }
    }

    fn look_at(&mut self, piece: Piece) {
        self.arrived = piece.arrived;
        self.piece = piece.bytes;
        self.looked_at = 0;
    }

    fn next_piece(&self, limit: &mut Limit) -> Result<io::Result<Piece>, RecvTimeoutError> {
        let Some(left) = limit.left() else {
            return self.output.recv().map_err(|_| RecvTimeoutError::Disconnected);
        };
        if left.is_zero() {
            limit.overtime = limit.overtime.checked_sub(1).ok_or(RecvTimeoutError::Timeout)?;
        }
        self.output.recv_timeout(left)
    }

    /// What the engine has written without being asked, or its beginning; [`None`] while answers are due, and when nothing
    /// but blank lines has come so far. It does not wait, and the client stays in step: a client that sends its next
    /// command all the same takes this for the answer.
    pub fn unasked_output(&mut self) -> Option<String> {
        if !self.asked.is_empty() {
            return None;
        }
        loop {
            let unread = self.piece.get(self.looked_at..).unwrap_or_default().trim_ascii_start();
            if !unread.is_empty() {
                let beginning = unread.get(..80).unwrap_or(unread);
                return Some(String::from_utf8_lossy(beginning).lines().next().unwrap_or_default().to_owned());
            }
            match self.output.try_recv() {
                Ok(Ok(piece)) => self.look_at(piece),
                _ => return None,
            }
        }
    }

    /// Reads what the engine writes and throws it away, until `limit` has passed, `bytes` have come or the output has
    /// ended. Gives the number of bytes. Answers that were due are lost with it.
    pub fn drain(&mut self, limit: Duration, bytes: usize) -> usize {
        self.out_of_step = true;
        let mut limit = Limit::new(limit);
        let mut drained = self.piece.len() - self.looked_at;
        self.looked_at = self.piece.len();
        while drained < bytes
            && let Ok(Ok(piece)) = self.next_piece(&mut limit)
        {
            drained = drained.saturating_add(piece.bytes.len());
        }
        drained
    }

    /// Takes a part of an answer; gives the answer when it is complete, and strikes its command off.
    fn add(&mut self, part: ReplyPart) -> Result<Option<Reply>, ClientError> {
        if let ReplyPart::Start { id: found, .. } = part {
            let expected = self.asked.front().and_then(|asked| asked.id);
            if let Some(expected) = expected.filter(|expected| *expected != found) {
                return Err(self.lost(ReplyError::Id { expected, found }));
            }
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
}
