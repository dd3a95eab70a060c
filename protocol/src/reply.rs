//! Answers, written and read: `=[id] text` or `?[id] text`, and an empty line.
//!
//! Any text fits into an answer: a tab becomes a space, other control characters are dropped, and so are blank lines,
//! since an empty line ends the answer, and some clients take a line of spaces for one.
//!
//! ```
//! use privy_protocol::{ErrorCode, ProtocolError, ReplyWriter, Stop};
//!
//! let mut output = Vec::new();
//! ReplyWriter::new(&mut output, Some(3), Stop::default()).close(Ok("one\n\ntwo\n".to_owned()))?;
//! let error = ProtocolError::bare(ErrorCode::CannotUndo);
//! ReplyWriter::new(&mut output, None, Stop::default()).close(Err(error))?;
//! let mut answer = ReplyWriter::new(&mut output, Some(4), Stop::default());
//! answer.line("info depth 1");
//! answer.close(Ok("bestmove c3-b2".to_owned()))?;
//! assert_eq!(output, b"=3 one\ntwo\n\n? cannot undo\n\n=4\ninfo depth 1\nbestmove c3-b2\n\n");
//! # Ok::<(), std::io::Error>(())
//! ```

use std::io::{self, Write};

use thiserror::Error;

use crate::error::{ProtocolError, quoted};
use crate::grammar;
use crate::stop::Stop;

/// A complete answer.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Reply {
    id: Option<u32>,
    success: bool,
    text: String,
}

impl Reply {
    /// The answer to a request with this id.
    pub fn new(id: Option<u32>, success: bool, text: &str) -> Self {
        Self { id, success, text: clean(text) }
    }

    /// The id of the request, if it had one.
    pub const fn id(&self) -> Option<u32> {
        self.id
    }

    /// True if the request succeeded.
    pub const fn is_success(&self) -> bool {
        self.success
    }

    /// The text: lines separated by line feeds, without a blank one.
    pub fn text(&self) -> &str {
        &self.text
    }
}

/// The answer to one request, written as it comes. The client waits until it is closed.
///
/// What can't be written is reported when it is closed; until then nothing more is written, and the work is asked to
/// end.
#[must_use = "an answer must be closed"]
pub struct ReplyWriter<'w> {
    output: &'w mut (dyn Write + Send),
    id: Option<u32>,
    stop: Stop,
    is_open: bool,
    written: io::Result<()>,
}

impl<'w> ReplyWriter<'w> {
    /// The answer to a request with this id, whose work `stop` ends.
    pub fn new(output: &'w mut (dyn Write + Send), id: Option<u32>, stop: Stop) -> Self {
        Self { output, id, stop, is_open: false, written: Ok(()) }
    }

    /// Writes `=[id]`, alone on a line, unless that is done. From then on the answer is a success.
    pub fn open(&mut self) {
        if !self.is_open {
            self.is_open = true;
            let id = self.id.map(|id| id.to_string()).unwrap_or_default();
            self.write(&format!("={id}\n"));
        }
    }

    /// Writes lines, without blank ones, and flushes. Opens the answer.
    pub fn line(&mut self, text: &str) {
        self.open();
        let text = clean(text);
        if !text.is_empty() {
            self.write(&(text + "\n"));
        }
    }

    fn write(&mut self, text: &str) {
        if self.written.is_ok() {
            self.written = write_flushed(self.output, text);
        }
        if self.written.is_err() {
            self.stop.set();
        }
    }

    /// Ends the answer: a text is all of it, or its last line if it is open; an error is all of it, and nothing if it
    /// is open. The work counts as ended before.
    ///
    /// # Errors
    /// The first of the writer.
    pub fn close(mut self, result: Result<String, ProtocolError>) -> io::Result<()> {
        self.stop.set();
        if self.is_open {
            result.iter().for_each(|text| self.line(text));
            self.write("\n");
            return self.written;
        }
        let sign = if result.is_ok() { '=' } else { '?' };
        let id = self.id.map(|id| id.to_string()).unwrap_or_default();
        let text = result.unwrap_or_else(|error| error.to_string());
        write_flushed(self.output, &format!("{sign}{id} {}\n\n", clean(&text)))
    }
}

fn write_flushed(writer: &mut dyn Write, text: &str) -> io::Result<()> {
    writer.write_all(text.as_bytes())?;
    writer.flush()
}

/// The text as it can stand in an answer.
fn clean(text: &str) -> String {
    let line = |line: &str| line.replace('\t', " ").replace(char::is_control, "");
    let lines = text.split('\n').map(line).filter(|line| !line.trim().is_empty());
    lines.collect::<Vec<_>>().join("\n")
}

/// The largest answer, and the longest line of one: 16 MiB.
pub const REPLY_LIMIT: usize = 16 << 20;

/// Why an answer cannot be read.
#[derive(Debug, Error)]
pub enum ReplyError {
    /// A line that should begin an answer does not.
    #[error("bad framing: expected = or ? and an answer, found {}", quoted(Some(.0)))]
    Header(String),
    /// The answer carries an id, and the request had none.
    #[error("bad framing: expected no id, found {0}")]
    Id(u32),
    /// A line of an answer is not UTF-8.
    #[error("bad framing: a line of the answer is not UTF-8")]
    Encoding,
    /// The answer, or a line of it, is larger than [`REPLY_LIMIT`].
    #[error("the answer is larger than {REPLY_LIMIT} bytes")]
    TooLarge,
    /// Reading failed.
    #[error("cannot read the answer: {0}")]
    Read(#[from] io::Error),
}

/// Puts answers together from bytes that come in pieces of any size.
#[derive(Debug, Default)]
pub(crate) struct ReplyAssembler {
    line: Vec<u8>,
    /// The answer that has begun.
    open: Option<Reply>,
}

/// Takes the lines of a success one by one, where there is such a function.
pub(crate) type OnLine<'a> = Option<&'a mut dyn FnMut(&str)>;

impl ReplyAssembler {
    /// Takes bytes up to the end of the next answer, or all of them when it is not complete. Gives the answer, if it is
    /// complete, and the bytes that were not taken. Lines that `on_line` takes are not stored.
    pub(crate) fn feed<'a>(
        &mut self,
        bytes: &'a [u8],
        may_have_id: bool,
        on_line: &mut OnLine<'_>,
    ) -> Result<(Option<Reply>, &'a [u8]), ReplyError> {
        let mut left = bytes;
        while let Some(end) = left.iter().position(|byte| *byte == b'\n') {
            let (taken, behind) = left.split_at(end);
            left = behind.get(1..).unwrap_or_default();
            self.keep(taken)?;
            if let Some(reply) = self.end_line(may_have_id, on_line)? {
                return Ok((Some(reply), left));
            }
        }
        self.keep(left)?;
        Ok((None, &[]))
    }

    fn keep(&mut self, bytes: &[u8]) -> Result<(), ReplyError> {
        if self.line.len().saturating_add(bytes.len()) > REPLY_LIMIT {
            return Err(ReplyError::TooLarge);
        }
        self.line.extend_from_slice(bytes);
        Ok(())
    }

    fn end_line(&mut self, may_have_id: bool, on_line: &mut OnLine<'_>) -> Result<Option<Reply>, ReplyError> {
        let line = String::from_utf8(std::mem::take(&mut self.line)).map_err(|_| ReplyError::Encoding)?;
        let line = line.trim_end_matches('\r');
        if line.is_empty() {
            // Outside of an answer it has no meaning.
            return Ok(self.open.take().map(|reply| Reply::new(reply.id, reply.success, &reply.text)));
        }
        let (is_first, text) = match &self.open {
            Some(_) => (false, line),
            None if line.trim().is_empty() => return Ok(None),
            None => {
                let header = grammar::reply_header(line);
                let (success, id, text) = header.ok_or_else(|| ReplyError::Header(line.to_owned()))?;
                if let Some(id) = id.filter(|_| !may_have_id) {
                    return Err(ReplyError::Id(id));
                }
                self.open = Some(Reply { id, success, text: String::new() });
                (true, text)
            }
        };
        if let Some(reply) = &mut self.open {
            match on_line {
                Some(_) if reply.success && is_first && text.trim().is_empty() => {}
                Some(on_line) if reply.success => on_line(text),
                _ if !is_first && reply.text.len().saturating_add(text.len()) >= REPLY_LIMIT => {
                    return Err(ReplyError::TooLarge);
                }
                _ => {
                    reply.text += if is_first { "" } else { "\n" };
                    reply.text += text;
                }
            }
        }
        Ok(None)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::ErrorCode;

    fn written(id: Option<u32>, result: Result<&str, ProtocolError>) -> String {
        let mut output = Vec::new();
        ReplyWriter::new(&mut output, id, Stop::default()).close(result.map(str::to_owned)).unwrap();
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
            assert_eq!(written(None, Ok(text)), expected);
        }
        let error = ProtocolError::new(ErrorCode::IllegalMove, "no\nway");
        assert_eq!(written(Some(0), Err(error)), "?0 illegal move: no\nway\n\n");
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
        ReplyWriter::new(&mut counter, Some(1), Stop::default()).close(Ok("one\ntwo".to_owned())).unwrap();
        assert_eq!((counter.writes, counter.flushes), (1, 1));
    }

    #[test]
    fn streamed_lines_cannot_end_the_answer() {
        let mut output = Vec::new();
        let mut answer = ReplyWriter::new(&mut output, None, Stop::default());
        answer.line("");
        answer.line("info\n\ninfo\n");
        answer.close(Ok(String::new())).unwrap();
        assert_eq!(output, b"=\ninfo\ninfo\n\n");
    }

    #[test]
    fn an_error_after_a_line_only_closes_the_answer() {
        let (mut output, stop) = (Vec::new(), Stop::default());
        let mut answer = ReplyWriter::new(&mut output, Some(1), stop.clone());
        answer.line("ply 0");
        assert!(!stop.is_set());
        answer.close(Err(ProtocolError::bare(ErrorCode::Interrupted))).unwrap();
        assert!(stop.is_set());
        assert_eq!(output, b"=1\nply 0\n\n");
    }

    #[test]
    fn what_cannot_be_written_ends_the_work_and_is_an_error() {
        let stop = Stop::default();
        let mut full: &mut [u8] = &mut [0; 5];
        let mut answer = ReplyWriter::new(&mut full, None, stop.clone());
        answer.open();
        assert!(!stop.is_set());
        answer.line("info depth 1");
        assert!(stop.is_set());
        assert_eq!(answer.close(Ok(String::new())).unwrap_err().kind(), io::ErrorKind::WriteZero);
    }

    #[test]
    fn errors_read_back() {
        let error = ProtocolError::new(ErrorCode::IllegalMove, "game over");
        let text = written(None, Err(error.clone()));
        assert_eq!(ErrorCode::of(text.trim_start_matches("? ").trim_end()), Some(error.code()));
    }

    fn replies(mut bytes: &[u8]) -> Result<Vec<Reply>, ReplyError> {
        let (mut assembler, mut replies) = (ReplyAssembler::default(), Vec::new());
        while !bytes.is_empty() {
            let (reply, left) = assembler.feed(bytes, true, &mut None)?;
            replies.extend(reply);
            bytes = left;
        }
        Ok(replies)
    }

    #[test]
    fn answers_of_every_form() {
        let text = "= \n\n=\n\n\n=7 one\r\ntwo\r\n\r\n?8 no\n\n=9\ninfo\nbestmove x\n\n";
        let found = replies(text.as_bytes()).unwrap();
        let expected = [
            Reply::new(None, true, ""),
            Reply::new(None, true, ""),
            Reply::new(Some(7), true, "one\ntwo"),
            Reply::new(Some(8), false, "no"),
            Reply::new(Some(9), true, "info\nbestmove x"),
        ];
        assert_eq!(found, expected);
    }

    #[test]
    fn bad_framing() {
        let message = |bytes: &[u8]| replies(bytes).unwrap_err().to_string();
        assert_eq!(message(b"hello\n"), "bad framing: expected = or ? and an answer, found \"hello\"");
        assert_eq!(message(b"=x\n\n"), "bad framing: expected = or ? and an answer, found \"=x\"");
        assert_eq!(message(b"= \xff\n\n"), "bad framing: a line of the answer is not UTF-8");
        assert_eq!(replies(b"= half\n").unwrap(), []);
    }

    #[test]
    fn answers_have_a_limit() {
        for answer in [b"= ".to_vec(), b"= \n".to_vec()] {
            let more: &[u8] = if answer.ends_with(b"\n") { b"line\n" } else { b"xxxxx" };
            let error = replies(&[answer, more.repeat(4_000_000)].concat());
            assert!(matches!(error, Err(ReplyError::TooLarge)));
        }
    }
}
