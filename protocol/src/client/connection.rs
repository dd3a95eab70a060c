//! The pipes of an engine, each with a separate thread, and its process.
//!
//! A pipe blocks when the other end is slow. The client must not block, or it could not keep its time limits. The bytes
//! that wait between a thread and the client are bounded.

use std::io::{self, Read, Write};
use std::process::{Child, ChildStderr};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread;
use std::time::{Duration, Instant};

use super::error::ClientError;
use super::process::{Process, wait_until};
use crate::reply::ReplyError;

/// The number of bytes that may wait to be written.
const BACKLOG_LIMIT: usize = 16 << 20;

/// The size of a piece of output, in bytes.
const PIECE_SIZE: usize = 8192;

/// The number of pieces of output that may wait. Then reading pauses, and so in the end does the engine.
const PIECES: usize = 64;

/// The time in which an engine whose input has been closed must end before it is killed.
const GRACE: Duration = Duration::from_millis(500);

/// The time to wait for the exit status of an engine that has closed its output.
const STATUS_WAIT: Duration = Duration::from_secs(1);

/// The sending end of the input of an engine. Clones share the pipe.
#[derive(Debug, Clone)]
pub(super) struct Feed {
    /// `None` closes the pipe.
    sender: Sender<Option<Vec<u8>>>,
    waiting: Arc<AtomicUsize>,
}

impl Feed {
    fn new(mut input: impl Write + Send + 'static) -> io::Result<Self> {
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

/// A piece of output.
#[derive(Debug)]
struct OutputPiece {
    bytes: Vec<u8>,
    /// The time at which it came in, which may be long before the client takes it.
    arrived: Instant,
}

/// Reads until the end of the output, an error, or until the receiver is dropped.
fn read(mut output: impl Read + Send + 'static) -> io::Result<Receiver<io::Result<OutputPiece>>> {
    let (sender, receiver) = mpsc::sync_channel(PIECES);
    thread::Builder::new().name("engine output".to_owned()).spawn(move || {
        let mut buffer = [0; PIECE_SIZE];
        loop {
            let piece = match output.read(&mut buffer) {
                Ok(0) => return,
                Ok(count) => {
                    let arrived = Instant::now();
                    Ok(OutputPiece { bytes: buffer.get(..count).unwrap_or_default().to_vec(), arrived })
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

/// The pipes of an engine, and its process if it has one. Dropping it closes the input, and kills a process that does
/// not end by that.
#[derive(Debug)]
pub(super) struct Connection {
    pub(super) input: Feed,
    pub(super) process: Option<Box<dyn Process>>,
    pub(super) standard_error: Option<ChildStderr>,
    output: Receiver<io::Result<OutputPiece>>,
    /// What is left of the last piece.
    piece: OutputPiece,
}

impl Drop for Connection {
    fn drop(&mut self) {
        self.input.close();
        if let Some(process) = &mut self.process
            && wait_until(&mut **process, Instant::now().checked_add(GRACE)).is_none()
        {
            process.kill();
        }
    }
}

impl Connection {
    /// The pipes of a child, which `control` ends.
    pub(super) fn of_child(mut child: Child, control: impl FnOnce(Child) -> Box<dyn Process>) -> io::Result<Self> {
        let (standard_error, pipes) = (child.stderr.take(), child.stdin.take().zip(child.stdout.take()));
        let mut process = control(child);
        let pipes = pipes.ok_or_else(|| io::ErrorKind::BrokenPipe.into());
        match pipes.and_then(|(input, output)| Self::from_pipes(output, input)) {
            Ok(mut connection) => {
                (connection.process, connection.standard_error) = (Some(process), standard_error);
                Ok(connection)
            }
            Err(error) => {
                process.kill();
                Err(error)
            }
        }
    }

    pub(super) fn from_pipes(
        output: impl Read + Send + 'static,
        input: impl Write + Send + 'static,
    ) -> io::Result<Self> {
        Ok(Self {
            input: Feed::new(input)?,
            process: None,
            standard_error: None,
            output: read(output)?,
            piece: OutputPiece { bytes: Vec::new(), arrived: Instant::now() },
        })
    }

    /// Sends bytes of a command, and does not wait.
    pub(super) fn write(&mut self, bytes: Vec<u8>, command: &str) -> Result<(), ClientError> {
        self.input.write(bytes).map_err(|failure| match failure {
            ClientError::Exited { .. } => self.exited(command),
            other => other,
        })
    }

    /// The error of a command that gets no answer because the engine has ended.
    fn exited(&mut self, command: &str) -> ClientError {
        // The status follows the end of the output within moments: that is worth a little more than the limit.
        let deadline = Instant::now().checked_add(STATUS_WAIT);
        let status = self.process.as_mut().and_then(|process| wait_until(&mut **process, deadline));
        ClientError::Exited { command: command.to_owned(), status }
    }

    /// The error of a command that gets no answer.
    pub(super) fn error(&mut self, reason: NoOutput, command: &str, limit: &Limit) -> ClientError {
        match reason {
            NoOutput::Timeout => ClientError::Timeout { command: command.to_owned(), limit: limit.length },
            NoOutput::Ended => self.exited(command),
            NoOutput::Failed(error) => {
                ClientError::Reply { command: command.to_owned(), source: ReplyError::Read(error) }
            }
        }
    }

    /// The time at which the current piece of output came in.
    pub(super) const fn arrived(&self) -> Instant {
        self.piece.arrived
    }

    /// The rest of the current piece.
    pub(super) fn unread(&self) -> &[u8] {
        &self.piece.bytes
    }

    /// Takes bytes of the current piece, all but `left` of them.
    pub(super) fn take_all_but(&mut self, left: usize) {
        let taken = self.piece.bytes.len().saturating_sub(left);
        self.piece.bytes.drain(..taken);
    }

    /// Waits for the next piece, in place of the current one.
    pub(super) fn next(&mut self, limit: &mut Limit) -> Result<(), NoOutput> {
        let piece = match limit.deadline {
            None => self.output.recv().map_err(|_| RecvTimeoutError::Disconnected),
            Some(deadline) => {
                let left = deadline.saturating_duration_since(Instant::now());
                if left.is_zero() {
                    limit.overtime = limit.overtime.checked_sub(1).ok_or(NoOutput::Timeout)?;
                }
                self.output.recv_timeout(left)
            }
        };
        match piece {
            Ok(piece) => piece.map(|piece| self.piece = piece).map_err(NoOutput::Failed),
            Err(RecvTimeoutError::Timeout) => Err(NoOutput::Timeout),
            Err(RecvTimeoutError::Disconnected) => Err(NoOutput::Ended),
        }
    }

    /// The beginning of the first line that has not been taken; [`None`] when only blank lines have come. It does not
    /// wait.
    pub(super) fn peek(&mut self) -> Option<String> {
        loop {
            let unread = self.unread().trim_ascii_start();
            if !unread.is_empty() {
                let beginning = unread.get(..80).unwrap_or(unread);
                return Some(String::from_utf8_lossy(beginning).lines().next().unwrap_or_default().to_owned());
            }
            self.piece = self.output.try_recv().ok()?.ok()?;
        }
    }

    /// Drops output until `limit` has passed, `bytes` have come or the output has ended. Gives the number of bytes.
    pub(super) fn drain(&mut self, limit: Duration, bytes: usize) -> usize {
        let mut limit = Limit::new(limit);
        let mut drained = 0_usize;
        loop {
            drained = drained.saturating_add(self.unread().len());
            self.take_all_but(0);
            if drained >= bytes || self.next(&mut limit).is_err() {
                return drained;
            }
        }
    }
}
