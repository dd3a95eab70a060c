//! The standard error of a child process: its end, for messages.

use std::io::{self, Read};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use privy_base::message::sanitized;

/// Bytes of the end that are kept for messages.
const TAIL: usize = 2000;

/// The last bytes. A thread reads to the end, so that the program never blocks.
#[derive(Debug, Clone)]
pub(crate) struct ProgramStderr(Arc<Mutex<Vec<u8>>>);

impl ProgramStderr {
    pub(crate) fn follow(mut source: impl Read + Send + 'static) -> io::Result<ProgramStderr> {
        let kept = ProgramStderr(Arc::default());
        let shared = kept.clone();
        thread::Builder::new().name("engine errors".to_owned()).spawn(move || {
            let mut buffer = [0; 4096];
            loop {
                match source.read(&mut buffer) {
                    Ok(0) => return,
                    Ok(count) => {
                        let mut tail = shared.tail();
                        tail.extend_from_slice(buffer.get(..count).unwrap_or_default());
                        let surplus = tail.len().saturating_sub(TAIL);
                        tail.drain(..surplus);
                    }
                    Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                    Err(_) => return,
                }
            }
        })?;
        Ok(kept)
    }

    /// The last line of a program that has just ended, to append to an error; empty without one.
    pub(crate) fn last_words(&self) -> String {
        // The reading thread may need a moment.
        thread::sleep(Duration::from_millis(20));
        let tail = self.tail();
        let text = String::from_utf8_lossy(&tail);
        let line = text.lines().rev().map(str::trim).find(|line| !line.is_empty());
        line.map(|line| format!("; its last words: {}", sanitized(line, 200))).unwrap_or_default()
    }

    fn tail(&self) -> MutexGuard<'_, Vec<u8>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
