//! The output of an engine: a thread that reads it, and answers cut from what it has read.
//!
//! A pipe blocks when the other end is slow; the client must not, or it could not keep its time limits. What waits between
//! the thread and the client is bounded.

use std::io::{self, Read};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, SyncSender};
use std::thread;
use std::time::{Duration, Instant};

use crate::reply_reader::{REPLY_LIMIT, ReplyError, ReplyParser, ReplyPart};

/// The size of the pieces in which output is read, in bytes.
const PIECE_SIZE: usize = 8192;

/// How many pieces of output may wait. When they do, reading pauses, and so in the end does the engine.
const PIECES: usize = 64;

/// A piece of output.
#[derive(Debug)]
struct Piece {
    bytes: Vec<u8>,
    /// When it came in, which may be long before it is looked at.
    arrived: Instant,
}

/// Reads until the end of the output, an error, or until nobody wants the pieces any more.
fn read(mut output: impl Read + Send + 'static) -> io::Result<Receiver<io::Result<Piece>>> {
    let (sender, receiver): (SyncSender<io::Result<Piece>>, _) = mpsc::sync_channel(PIECES);
    thread::Builder::new().name("engine output".to_owned()).spawn(move || {
        let mut buffer = [0; PIECE_SIZE];
        loop {
            let piece = match output.read(&mut buffer) {
                Ok(0) => return,
                Ok(count) => {
                    let arrived = Instant::now();
                    Ok(Piece { bytes: buffer.get(..count).unwrap_or_default().to_vec(), arrived })
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => Err(error),
            };
            let last = piece.is_err();
            if sender.send(piece).is_err() || last {
                return;
            }
        }
    })?;
    Ok(receiver)
}

/// How long to wait, and so until when.
#[derive(Debug)]
pub(super) struct Limit {
    pub(super) length: Duration,
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

/// Why there is no part of an answer.
pub(super) enum NoPart {
    /// None in time. It may still come.
    Timeout,
    /// The output has ended.
    Ended,
    /// What has come is no answer, or can't be read. No later answer can be trusted.
    Lost(ReplyError),
}

/// What an engine writes, in the pieces in which it comes in.
#[derive(Debug)]
pub(super) struct Pieces {
    waiting: Receiver<io::Result<Piece>>,
    /// The piece that is being looked at, how much of it has been, and when it came.
    piece: Vec<u8>,
    looked_at: usize,
    arrived: Instant,
}

impl Pieces {
    /// Starts the thread that reads `source`.
    pub(super) fn new(source: impl Read + Send + 'static) -> io::Result<Self> {
        Ok(Self { waiting: read(source)?, piece: Vec::new(), looked_at: 0, arrived: Instant::now() })
    }

    /// What has come in of the present piece and has not been taken.
    pub(super) fn unread(&self) -> &[u8] {
        self.piece.get(self.looked_at..).unwrap_or_default()
    }

    /// Takes so many bytes of it.
    pub(super) fn take(&mut self, bytes: usize) {
        self.looked_at = self.looked_at.saturating_add(bytes).min(self.piece.len());
    }

    fn look_at(&mut self, piece: Piece) {
        self.arrived = piece.arrived;
        self.piece = piece.bytes;
        self.looked_at = 0;
    }

    /// Waits for the next piece, in place of the present one.
    pub(super) fn next(&mut self, limit: &mut Limit) -> Result<io::Result<()>, RecvTimeoutError> {
        let piece = match limit.left() {
            None => self.waiting.recv().map_err(|_| RecvTimeoutError::Disconnected)?,
            Some(left) => {
                if left.is_zero() {
                    limit.overtime = limit.overtime.checked_sub(1).ok_or(RecvTimeoutError::Timeout)?;
                }
                self.waiting.recv_timeout(left)?
            }
        };
        Ok(piece.map(|piece| self.look_at(piece)))
    }
}

/// The receiving end of the output of an engine, cut into answers.
#[derive(Debug)]
pub(super) struct Output {
    pieces: Pieces,
    /// The bytes of the present answer so far, and whether they are limited when the answer is streamed.
    pub(super) answer_size: usize,
    pub(super) bounded: bool,
    parser: ReplyParser,
}

impl Output {
    /// Starts the thread that reads `source`.
    pub(super) fn new(source: impl Read + Send + 'static) -> io::Result<Self> {
        Ok(Self { pieces: Pieces::new(source)?, answer_size: 0, bounded: false, parser: ReplyParser::default() })
    }

    /// When the piece came in that is being looked at.
    pub(super) const fn arrived(&self) -> Instant {
        self.pieces.arrived
    }

    /// The next part of an answer.
    pub(super) fn next_part(&mut self, limit: &mut Limit) -> Result<ReplyPart, NoPart> {
        loop {
            let unread = self.pieces.unread();
            let (part, left) = self.parser.feed(unread).map_err(NoPart::Lost)?;
            let taken = unread.len() - left.len();
            self.answer_size = self.answer_size.saturating_add(taken);
            self.pieces.take(taken);
            if self.bounded && self.answer_size > REPLY_LIMIT {
                return Err(NoPart::Lost(ReplyError::TooLarge));
            }
            if let Some(part) = part {
                if part == ReplyPart::End {
                    self.answer_size = 0;
                }
                return Ok(part);
            }
            match self.pieces.next(limit) {
                Ok(Ok(())) => {}
                Ok(Err(error)) => return Err(NoPart::Lost(error.into())),
                Err(RecvTimeoutError::Timeout) => return Err(NoPart::Timeout),
                Err(RecvTimeoutError::Disconnected) => return Err(NoPart::Ended),
            }
        }
    }

    /// The first line of what has come and has not been looked at, or its beginning; [`None`] when nothing but blank lines
    /// has. It does not wait, and takes nothing away.
    pub(super) fn peek(&mut self) -> Option<String> {
        loop {
            let unread = self.pieces.unread().trim_ascii_start();
            if !unread.is_empty() {
                let beginning = unread.get(..80).unwrap_or(unread);
                return Some(String::from_utf8_lossy(beginning).lines().next().unwrap_or_default().to_owned());
            }
            match self.pieces.waiting.try_recv() {
                Ok(Ok(piece)) => self.pieces.look_at(piece),
                _ => return None,
            }
        }
    }

    /// Throws away what comes, until `limit` has passed, `bytes` have come or the output has ended. Gives the number of
    /// bytes.
    pub(super) fn drain(&mut self, limit: Duration, bytes: usize) -> usize {
        let mut limit = Limit::new(limit);
        let mut drained = 0_usize;
        loop {
            let unread = self.pieces.unread().len();
            drained = drained.saturating_add(unread);
            self.pieces.take(unread);
            if drained >= bytes || !matches!(self.pieces.next(&mut limit), Ok(Ok(()))) {
                return drained;
            }
        }
    }
}
