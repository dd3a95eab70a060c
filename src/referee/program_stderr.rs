//! The standard error of a child process: its end for messages, and all of it in a file for each game of an engine.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use privy_base::message::sanitized;

/// Most bytes in the file of a game.
const ERRORS_LIMIT: usize = 1 << 20;
/// Bytes of the end that are kept for messages.
const TAIL: usize = 2000;

/// A thread reads it to its end, so that the program never blocks.
#[derive(Debug, Clone)]
pub(crate) struct ProgramStderr(Arc<Mutex<KeptOutput>>);

#[derive(Debug, Default)]
struct KeptOutput {
    /// The file of the present game, if it is kept; created with the first byte.
    path: Option<PathBuf>,
    file: Option<File>,
    written: usize,
    tail: Vec<u8>,
}

impl ProgramStderr {
    pub(crate) fn follow(mut source: impl Read + Send + 'static) -> io::Result<ProgramStderr> {
        let kept = ProgramStderr(Arc::default());
        let shared = kept.clone();
        thread::Builder::new().name("engine errors".to_owned()).spawn(move || {
            let mut buffer = [0; 4096];
            loop {
                match source.read(&mut buffer) {
                    Ok(0) => return,
                    Ok(count) => shared.kept().keep(buffer.get(..count).unwrap_or_default()),
                    Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                    Err(_) => return,
                }
            }
        })?;
        Ok(kept)
    }

    /// Directs what follows to the file of a new game.
    pub(crate) fn begin_game(&self, path: Option<PathBuf>) {
        *self.kept() = KeptOutput { path, ..KeptOutput::default() };
    }

    /// The last line of a program that has just ended, to append to an error; empty without one.
    pub(crate) fn last_words(&self) -> String {
        // The reading thread may need a moment.
        thread::sleep(Duration::from_millis(20));
        let kept = self.kept();
        let text = String::from_utf8_lossy(&kept.tail);
        let line = text.lines().rev().map(str::trim).find(|line| !line.is_empty());
        line.map(|line| format!("; its last words: {}", sanitized(line, 200))).unwrap_or_default()
    }

    fn kept(&self) -> MutexGuard<'_, KeptOutput> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl KeptOutput {
    fn keep(&mut self, bytes: &[u8]) {
        self.tail.extend_from_slice(bytes);
        let surplus = self.tail.len().saturating_sub(TAIL);
        self.tail.drain(..surplus);
        let Some(path) = &self.path else { return };
        let room = ERRORS_LIMIT.saturating_sub(self.written);
        if room == 0 {
            return;
        }
        let bytes = bytes.get(..room).unwrap_or(bytes);
        self.written += bytes.len();
        let end: &[u8] = if self.written < ERRORS_LIMIT { b"" } else { b"\n[the rest is left out]\n" };
        let written = open(&mut self.file, path).and_then(|file| {
            file.write_all(bytes)?;
            file.write_all(end)
        });
        if let Err(error) = written {
            log::warn!("standard error of an engine cannot be kept: {}: {error}", path.display());
            self.path = None;
        }
    }
}

fn open<'a>(file: &'a mut Option<File>, path: &Path) -> io::Result<&'a mut File> {
    match file {
        Some(file) => Ok(file),
        None => {
            if let Some(folder) = path.parent() {
                fs::create_dir_all(folder)?;
            }
            Ok(file.insert(File::create(path)?))
        }
    }
}
