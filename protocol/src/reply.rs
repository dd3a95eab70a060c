//! Answers, as they are written.
//!
//! An answer is `=[id] text` or `?[id] text` and an empty line. Whatever text is to be answered, what is written has
//! that form: a tab becomes a space, other control characters are dropped, and so are blank lines, since an empty line
//! would end the answer, and some clients take a line of spaces for one.
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

use crate::error::{ProtocolError, Rejection, UnknownPhrase};

/// An answer, complete.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Reply {
    id: Option<u32>,
    success: bool,
    text: String,
}

impl Reply {
    /// A success with its text, which may be empty or have several lines. `id` is that of the request.
    pub fn success(id: Option<u32>, text: &str) -> Self {
        Self::new(id, true, text)
    }

    /// A failure with its reason. `id` is that of the request.
    pub fn failure(id: Option<u32>, error: &ProtocolError) -> Self {
        Self::new(id, false, &error.to_string())
    }

    /// What became of a request: its text, or the reason why there is none.
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

    /// The text, of a success or of a failure: lines separated by line feeds, none of them blank.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The lines of the text.
    pub fn lines(&self) -> impl Iterator<Item = &str> {
        self.text.lines()
    }

    /// Why the request failed; [`None`] when it succeeded.
    ///
    /// # Errors
    /// [`UnknownPhrase`] when the failure has a text with none of the stable phrases.
    pub fn error(&self) -> Result<Option<ProtocolError>, UnknownPhrase> {
        match self.success {
            true => Ok(None),
            false => self.text.parse().map(Some),
        }
    }

    /// Writes the answer and the empty line that ends it, in one piece, and flushes.
    ///
    /// # Errors
    /// What the writer reports.
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

/// A successful answer whose lines are written as they come. It must be closed, or the client waits for its end.
#[derive(Debug)]
#[must_use = "an answer must be closed"]
pub struct StreamedReply<W> {
    writer: W,
}

impl<W: Write> StreamedReply<W> {
    /// Opens the answer: writes `=[id]`, alone on a line, and flushes.
    ///
    /// # Errors
    /// What the writer reports.
    pub fn open(mut writer: W, id: Option<u32>) -> io::Result<Self> {
        let id = id.map(|id| id.to_string()).unwrap_or_default();
        write_flushed(&mut writer, &format!("={id}\n"))?;
        Ok(Self { writer })
    }

    /// Writes a line, or several, and flushes. Blank lines are left out.
    ///
    /// # Errors
    /// What the writer reports.
    pub fn line(&mut self, text: &str) -> io::Result<()> {
        let mut text = clean(text);
        if text.is_empty() {
            return Ok(());
        }
        text.push('\n');
        write_flushed(&mut self.writer, &text)
    }

    /// Writes the empty line that ends the answer, flushes, and gives the writer back.
    ///
    /// # Errors
    /// What the writer reports.
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
    let mut cleaned = String::with_capacity(text.len());
    for line in text.split('\n') {
        let start = cleaned.len();
        if start > 0 {
            cleaned.push('\n');
        }
        let written = cleaned.len();
        cleaned.extend(line.chars().filter_map(|letter| match letter {
            '\t' => Some(' '),
            letter if letter.is_control() => None,
            letter => Some(letter),
        }));
        let blank = cleaned.get(written..).is_none_or(|line| line.trim().is_empty());
        if blank {
            cleaned.truncate(start);
        }
    }
    cleaned
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
        assert_eq!(reply.error(), Ok(Some(error)));
        assert_eq!(Reply::success(None, "x").error(), Ok(None));
        assert!(Reply::new(None, false, "out of memory").error().is_err());
    }
}
