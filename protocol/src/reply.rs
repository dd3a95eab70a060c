//! Answers, as they are written: `=[id] text` or `?[id] text`, and an empty line.
//!
//! Any text fits into an answer: a tab becomes a space, other control characters are dropped, and so are blank lines, since an
//! empty line ends the answer, and some clients take a line of spaces for one.
//!
//! ```
//! use privy_protocol::{ErrorCode, ProtocolError, Reply, StreamedReply};
//!
//! let mut output = Vec::new();
//! Reply::success(Some(3), "one\n\ntwo\n").write_to(&mut output)?;
//! Reply::success(None, "").write_to(&mut output)?;
//! Reply::failure(None, &ProtocolError::bare(ErrorCode::CannotUndo)).write_to(&mut output)?;
//! assert_eq!(output, b"=3 one\ntwo\n\n= \n\n? cannot undo\n\n");
//!
//! let mut answer = StreamedReply::open(Vec::new(), Some(4))?;
//! answer.line("bestmove c3-b2")?;
//! assert_eq!(answer.close()?, b"=4\nbestmove c3-b2\n\n");
//! # Ok::<(), std::io::Error>(())
//! ```

use std::io::{self, Write};

use crate::error::{ProtocolError, Rejection};

/// A complete answer.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Reply {
    id: Option<u32>,
    success: bool,
    text: String,
}

impl Reply {
    /// The answer to a request with this id that succeeded.
    pub fn success(id: Option<u32>, text: &str) -> Self {
        Self::new(id, true, text)
    }

    /// The answer to a request with this id that failed.
    pub fn failure(id: Option<u32>, error: &ProtocolError) -> Self {
        Self::new(id, false, &error.to_string())
    }

    /// The answer to a request with this id.
    pub fn from_result(id: Option<u32>, result: &Result<String, ProtocolError>) -> Self {
        match result {
            Ok(text) => Self::success(id, text),
            Err(error) => Self::failure(id, error),
        }
    }

    pub(crate) fn new(id: Option<u32>, success: bool, text: &str) -> Self {
        Self { id, success, text: clean(text) }
    }

    /// The id of the request, if it had one.
    pub const fn id(&self) -> Option<u32> {
        self.id
    }

    /// Whether the request succeeded.
    pub const fn is_success(&self) -> bool {
        self.success
    }

    /// The text: lines separated by line feeds, none of them blank.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The lines of the text.
    pub fn lines(&self) -> impl Iterator<Item = &str> {
        self.text.lines()
    }

    /// Writes the answer and the empty line that ends it, in one piece, and flushes.
    ///
    /// # Errors
    /// Those of the writer.
    pub fn write_to(&self, writer: &mut impl Write) -> io::Result<()> {
        let sign = if self.success { '=' } else { '?' };
        let id = self.id.map(|id| id.to_string()).unwrap_or_default();
        write_flushed(writer, &format!("{sign}{id} {}\n\n", self.text))
    }
}

impl From<Rejection> for Reply {
    fn from(rejection: Rejection) -> Self {
        Self::failure(rejection.id, &rejection.error)
    }
}

/// A successful answer whose lines are written one by one. The client waits until it is closed.
#[derive(Debug)]
#[must_use = "an answer must be closed"]
pub struct StreamedReply<W> {
    writer: W,
}

impl<W: Write> StreamedReply<W> {
    /// Writes `=[id]`, alone on a line, and flushes.
    ///
    /// # Errors
    /// Those of the writer.
    pub fn open(mut writer: W, id: Option<u32>) -> io::Result<Self> {
        let id = id.map(|id| id.to_string()).unwrap_or_default();
        write_flushed(&mut writer, &format!("={id}\n"))?;
        Ok(Self { writer })
    }

    /// Writes lines, without blank ones, and flushes.
    ///
    /// # Errors
    /// Those of the writer.
    pub fn line(&mut self, text: &str) -> io::Result<()> {
        match clean(text) {
            text if text.is_empty() => Ok(()),
            text => write_flushed(&mut self.writer, &(text + "\n")),
        }
    }

    /// Writes the empty line that ends the answer, flushes, and gives the writer back.
    ///
    /// # Errors
    /// Those of the writer.
    pub fn close(mut self) -> io::Result<W> {
        write_flushed(&mut self.writer, "\n")?;
        Ok(self.writer)
    }
}

fn write_flushed(writer: &mut impl Write, text: &str) -> io::Result<()> {
    writer.write_all(text.as_bytes())?;
    writer.flush()
}

/// The text as it can stand in an answer.
fn clean(text: &str) -> String {
    let line = |line: &str| line.replace('\t', " ").replace(char::is_control, "");
    let lines = text.split('\n').map(line).filter(|line| !line.trim().is_empty());
    lines.collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::ErrorCode;

    fn written(reply: &Reply) -> String {
        let mut output = Vec::new();
        reply.write_to(&mut output).unwrap();
        String::from_utf8(output).unwrap()
    }

    #[test]
    fn framing_is_kept_whatever_the_text() {
        for (text, expected) in [
            ("", "= \n\n"),
            ("\n \n", "= \n\n"),
            ("\r\nname\r\n", "= name\n\n"),
            ("one\n\t\n  two", "= one\n  two\n\n"),
            ("a\tb\0\u{85}\x1b[0m", "= a b[0m\n\n"),
        ] {
            assert_eq!(written(&Reply::success(None, text)), expected);
        }
        let error = ProtocolError::new(ErrorCode::IllegalMove, "no\nway");
        assert_eq!(written(&Reply::failure(Some(0), &error)), "?0 illegal move: no\nway\n\n");
    }

    #[test]
    fn an_answer_is_one_write_and_a_flush() {
        #[derive(Default)]
        struct Counter {
            writes: usize,
            flushes: usize,
        }
        impl Write for Counter {
            fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
                self.writes += 1;
                Ok(bytes.len())
            }
            fn flush(&mut self) -> io::Result<()> {
                self.flushes += 1;
                Ok(())
            }
        }
        let mut counter = Counter::default();
        let reply = Reply::success(Some(1), "one\ntwo");
        reply.write_to(&mut counter).unwrap();
        assert_eq!((counter.writes, counter.flushes), (1, 1));
    }

    #[test]
    fn streamed_lines_cannot_end_the_answer() {
        let mut answer = StreamedReply::open(Vec::new(), None).unwrap();
        answer.line("").unwrap();
        answer.line("info\n\ninfo\n").unwrap();
        let output = answer.close().unwrap();
        assert_eq!(output, b"=\ninfo\ninfo\n\n");
    }

    #[test]
    fn errors_read_back() {
        let error = ProtocolError::new(ErrorCode::IllegalMove, "game over");
        let reply = Reply::from_result(None, &Err(error.clone()));
        assert_eq!(reply.text().parse(), Ok(error));
        assert!("out of memory".parse::<ProtocolError>().is_err());
    }
}
