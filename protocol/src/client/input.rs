//! The input of an engine: a thread that writes to it, so that the client never waits for an engine that does not read.

use std::io::{self, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{self, Sender};
use std::thread;

use super::error::ClientError;

/// How many bytes may wait to be written.
const BACKLOG_LIMIT: usize = 16 << 20;

enum Message {
    Bytes(Vec<u8>),
    Close,
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
    ///
    /// # Errors
    /// [`ClientError::Backlog`]; [`ClientError::Exited`], without a command, when the pipe is closed.
    pub(super) fn write(&self, bytes: Vec<u8>) -> Result<(), ClientError> {
        let length = bytes.len();
        let waiting = self.waiting.fetch_add(length, Ordering::Relaxed);
        if waiting.saturating_add(length) > BACKLOG_LIMIT {
            self.waiting.fetch_sub(length, Ordering::Relaxed);
            return Err(ClientError::Backlog);
        }
        let sent = self.sender.send(Message::Bytes(bytes));
        sent.map_err(|_| ClientError::Exited { command: String::new(), status: None })
    }

    /// Closes the pipe behind what waits to be written, also when there are clones left.
    pub(super) fn close(&self) {
        // When the thread has ended, the pipe is closed already.
        let _ = self.sender.send(Message::Close);
    }
}
