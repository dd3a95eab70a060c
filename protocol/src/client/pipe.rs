//! The two threads between a client and the pipes of an engine.
//!
//! A pipe blocks when the other end is slow; the client must not, or it could not keep its time limits. So one thread
//! reads and one writes. What waits in between is bounded on both sides.

use std::io::{self, Read, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{self, Receiver, Sender, SyncSender};
use std::thread;
use std::time::Instant;

/// The size of the pieces in which output is read, in bytes.
const PIECE_SIZE: usize = 8192;

/// How many pieces of output may wait. When they do, reading pauses, and so in the end does the engine.
pub(super) const PIECES: usize = 64;

/// How many bytes may wait to be written.
const BACKLOG_LIMIT: usize = 16 << 20;

/// A piece of output.
#[derive(Debug)]
pub(super) struct Piece {
    pub(super) bytes: Vec<u8>,
    /// When it came in, which may be long before it is looked at.
    pub(super) arrived: Instant,
}

/// Reads until the end of the output, an error, or until nobody wants the pieces any more.
pub(super) fn read(mut output: impl Read + Send + 'static) -> io::Result<Receiver<io::Result<Piece>>> {
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

enum Message {
    Bytes(Vec<u8>),
    Close,
}

/// Why bytes cannot be written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum WriteFailure {
    /// The other end of the pipe is closed.
    Closed,
    /// Too much is waiting: the engine does not read.
    Backlog,
}

/// The sending end of the input of an engine. Clones share the pipe.
#[derive(Debug, Clone)]
pub(super) struct Feed {
    sender: Sender<Message>,
    waiting: Arc<AtomicUsize>,
}

impl Feed {
    /// Starts the thread that writes to `input`.
    pub(super) fn new(mut input: impl Write + Send + 'static) -> io::Result<Self> {
        let (sender, receiver) = mpsc::channel();
        let waiting = Arc::new(AtomicUsize::new(0));
        let written = Arc::clone(&waiting);
        thread::Builder::new().name("engine input".to_owned()).spawn(move || {
            while let Ok(Message::Bytes(bytes)) = receiver.recv() {
                if input.write_all(&bytes).and_then(|()| input.flush()).is_err() {
                    return;
                }
                written.fetch_sub(bytes.len(), Ordering::Relaxed);
            }
        })?;
        Ok(Self { sender, waiting })
    }

    /// Hands bytes over, without waiting until they are written.
    pub(super) fn write(&self, bytes: Vec<u8>) -> Result<(), WriteFailure> {
        let length = bytes.len();
        let waiting = self.waiting.fetch_add(length, Ordering::Relaxed);
        if waiting.saturating_add(length) > BACKLOG_LIMIT {
            self.waiting.fetch_sub(length, Ordering::Relaxed);
            return Err(WriteFailure::Backlog);
        }
        let sent = self.sender.send(Message::Bytes(bytes));
        sent.map_err(|_| WriteFailure::Closed)
    }

    /// Closes the pipe behind what waits to be written, also when there are clones left.
    pub(super) fn close(&self) {
        // When the thread has ended, the pipe is closed already.
        let _ = self.sender.send(Message::Close);
    }
}
