//! The pipes of an engine, each with a separate thread.
//!
//! A pipe blocks when the other end is slow. The client must not block, or it could not keep its time limits. The bytes
//! that wait between a thread and the client are bounded.

use std::io::{self, Read, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread;
use std::time::{Duration, Instant};

use super::error::ClientError;

/// The number of bytes that may wait to be written.
const BACKLOG_LIMIT: usize = 16 << 20;

/// The size of a piece of output, in bytes.
const PIECE_SIZE: usize = 8192;

/// The number of pieces of output that may wait. Then reading pauses, and so in the end does the engine.
const PIECES: usize = 64;

/// The sending end of the input of an engine. Clones share the pipe.
#[derive(Debug, Clone)]
pub(super) struct Feed {
    /// `None` closes the pipe.
    sender: Sender<Option<Vec<u8>>>,
    waiting: Arc<AtomicUsize>,
}

impl Feed {
    pub(super) fn new(mut input: impl Write + Send + 'static) -> io::Result<Self> {
        let (sender, receiver) = mpsc::channel::<Option<Vec<u8>>>();
        let waiting = Arc::new(AtomicUsize::new(0));
        let written = Arc::clone(&waiting);
        thread::Builder::new().name("engine input".to_owned()).spawn(move || {
            while let Ok(Some(bytes)) = receiver.recv() {
                if input.write_all(&bytes).and_then(|()| input.flush()).is_err() {
                    return;
                }
                written.fetch_sub(bytes.len(), Ordering::Relaxed);
            }
        })?;
        Ok(Self { sender, waiting })
    }

    /// Fails with [`ClientError::Exited`], without command and status, when the pipe is closed.
    pub(super) fn write(&self, bytes: Vec<u8>) -> Result<(), ClientError> {
        let length = bytes.len();
        let waiting = self.waiting.fetch_add(length, Ordering::Relaxed);
        if waiting.saturating_add(length) > BACKLOG_LIMIT {
            self.waiting.fetch_sub(length, Ordering::Relaxed);
            return Err(ClientError::Backlog);
        }
        let sent = self.sender.send(Some(bytes));
        sent.map_err(|_| ClientError::Exited { command: String::new(), status: None })
    }

    /// Closes the pipe after the bytes that wait to be written, also when there are clones left.
    pub(super) fn close(&self) {
        // It fails when the thread has ended: then the pipe is closed already.
        let _ = self.sender.send(None);
    }
}

/// The receiving end of the output of an engine.
#[derive(Debug)]
pub(super) struct Output {
    pieces: Receiver<io::Result<(Vec<u8>, Instant)>>,
    /// What is left of the last piece.
    pub(super) unread: Vec<u8>,
    /// The time at which the last piece came in, which may be long before the client takes it.
    pub(super) arrived: Instant,
}

impl Output {
    /// Reads until the end of the output, an error, or until it is dropped.
    pub(super) fn new(mut output: impl Read + Send + 'static) -> io::Result<Self> {
        let (sender, pieces) = mpsc::sync_channel(PIECES);
        thread::Builder::new().name("engine output".to_owned()).spawn(move || {
            let mut buffer = [0; PIECE_SIZE];
            loop {
                let piece = match output.read(&mut buffer) {
                    Ok(0) => return,
                    Ok(count) => Ok((buffer.get(..count).unwrap_or_default().to_vec(), Instant::now())),
                    Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                    Err(error) => Err(error),
                };
                let last = piece.is_err();
                if sender.send(piece).is_err() || last {
                    return;
                }
            }
        })?;
        Ok(Self { pieces, unread: Vec::new(), arrived: Instant::now() })
    }

    /// Waits for the next piece, in place of the last one.
    pub(super) fn next(&mut self, limit: &mut Limit) -> Result<(), NoOutput> {
        let piece = match limit.deadline {
            None => self.pieces.recv().map_err(|_| RecvTimeoutError::Disconnected),
            Some(deadline) => {
                let left = deadline.saturating_duration_since(Instant::now());
                if left.is_zero() {
                    limit.overtime = limit.overtime.checked_sub(1).ok_or(NoOutput::Timeout)?;
                }
                self.pieces.recv_timeout(left)
            }
        };
        (self.unread, self.arrived) = match piece {
            Ok(piece) => piece.map_err(NoOutput::Failed)?,
            Err(RecvTimeoutError::Timeout) => return Err(NoOutput::Timeout),
            Err(RecvTimeoutError::Disconnected) => return Err(NoOutput::Ended),
        };
        Ok(())
    }

    /// The beginning of the first line that has not been taken; [`None`] when only blank lines have come. It does not
    /// wait.
    pub(super) fn peek(&mut self) -> Option<String> {
        loop {
            let unread = self.unread.trim_ascii_start();
            if !unread.is_empty() {
                let beginning = unread.get(..80).unwrap_or(unread);
                return Some(String::from_utf8_lossy(beginning).lines().next().unwrap_or_default().to_owned());
            }
            (self.unread, self.arrived) = self.pieces.try_recv().ok()?.ok()?;
        }
    }
}

/// A time limit.
#[derive(Debug)]
pub(super) struct Limit {
    pub(super) length: Duration,
    /// [`None`] beyond the range of the system's clock.
    pub(super) deadline: Option<Instant>,
    /// The number of pieces of output that may still be taken after the deadline: output that came in time counts, but
    /// an engine that writes without end must not hold the client.
    overtime: usize,
}

impl Limit {
    pub(super) fn new(length: Duration) -> Self {
        Self { length, deadline: Instant::now().checked_add(length), overtime: PIECES }
    }
}

/// Why there is no output.
pub(super) enum NoOutput {
    Timeout,
    Ended,
    Failed(io::Error),
}
