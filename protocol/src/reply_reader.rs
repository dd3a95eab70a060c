//! Answers, as they are read.
//!
//! ```
//! use privy_protocol::{Reply, ReplyReader};
//!
//! let mut replies = ReplyReader::new("=1 Privy\n\n? cannot undo\n\n".as_bytes());
//! assert_eq!(replies.next_reply()?, Some(Reply::success(Some(1), "Privy")));
//! assert!(!replies.next_reply()?.unwrap().is_success());
//! assert_eq!(replies.next_reply()?, None);
//! # Ok::<(), privy_protocol::ReplyError>(())
//! ```

use std::io::{self, BufRead, BufReader, Read};

use thiserror::Error;

use crate::error::quoted;
use crate::grammar;
use crate::reply::Reply;

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
    /// The input ended within an answer.
    #[error("the answer is not complete")]
    Incomplete,
    /// Reading failed.
    #[error("cannot read the answer: {0}")]
    Read(#[from] io::Error),
}

/// A line of an answer.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum ReplyPart {
    /// The first line. Its text is empty in a streamed answer.
    Start {
        success: bool,
        id: Option<u32>,
        text: String,
    },
    Line(String),
    /// The empty line that ends the answer.
    End,
}

/// Cuts output into lines of answers. The bytes come in pieces of any size; at most one line is stored.
#[derive(Debug, Default)]
pub(crate) struct ReplyParser {
    line: Vec<u8>,
    /// Whether an answer has begun and not ended.
    open: bool,
}

impl ReplyParser {
    /// Takes bytes up to the end of the next part, or all of them when there is none. Gives the part, if there is one,
    /// and the bytes that were not taken. Empty lines between answers are skipped.
    pub(crate) fn feed<'a>(&mut self, bytes: &'a [u8]) -> Result<(Option<ReplyPart>, &'a [u8]), ReplyError> {
        let mut left = bytes;
        while let Some(end) = left.iter().position(|byte| *byte == b'\n') {
            let (taken, behind) = left.split_at(end);
            left = behind.get(1..).unwrap_or_default();
            self.keep(taken)?;
            if let Some(part) = self.part()? {
                return Ok((Some(part), left));
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

    fn part(&mut self) -> Result<Option<ReplyPart>, ReplyError> {
        let line = String::from_utf8(std::mem::take(&mut self.line)).map_err(|_| ReplyError::Encoding)?;
        let line = line.trim_end_matches('\r');
        if self.open {
            self.open = !line.is_empty();
            return Ok(Some(if self.open { ReplyPart::Line(line.to_owned()) } else { ReplyPart::End }));
        }
        if line.trim().is_empty() {
            return Ok(None);
        }
        let header = grammar::reply_header(line);
        let (success, id, text) = header.ok_or_else(|| ReplyError::Header(line.to_owned()))?;
        self.open = true;
        Ok(Some(ReplyPart::Start { success, id, text: text.to_owned() }))
    }
}

/// Joins the parts of an answer, up to [`REPLY_LIMIT`] bytes.
#[derive(Debug, Default)]
pub(crate) struct ReplyBuilder {
    pub(crate) success: bool,
    pub(crate) id: Option<u32>,
    text: String,
}

impl ReplyBuilder {
    /// Adds a part. Gives the answer at its end.
    pub(crate) fn add(&mut self, part: ReplyPart) -> Result<Option<Reply>, ReplyError> {
        match part {
            ReplyPart::Start { success, id, text } => *self = Self { success, id, text },
            ReplyPart::Line(line) => {
                if self.text.len().saturating_add(line.len()) >= REPLY_LIMIT {
                    return Err(ReplyError::TooLarge);
                }
                self.text.push('\n');
                self.text.push_str(&line);
            }
            ReplyPart::End => return Ok(Some(Reply::new(self.id, self.success, &self.text))),
        }
        Ok(None)
    }
}

/// Reads the answers of a source of bytes, one after the other.
#[derive(Debug)]
pub struct ReplyReader<R> {
    source: BufReader<R>,
    parser: ReplyParser,
    builder: ReplyBuilder,
}

impl<R: Read> ReplyReader<R> {
    /// Reads from `source`, which needs no buffering of its own.
    pub fn new(source: R) -> Self {
        Self { source: BufReader::new(source), parser: ReplyParser::default(), builder: ReplyBuilder::default() }
    }

    /// Waits for the next complete answer; [`None`] at the end of the input.
    ///
    /// # Errors
    /// [`ReplyError`], after which later answers cannot be trusted.
    pub fn next_reply(&mut self) -> Result<Option<Reply>, ReplyError> {
        loop {
            let unread = match self.source.fill_buf() {
                Ok([]) if !self.parser.open && self.parser.line.is_empty() => return Ok(None),
                Ok([]) => return Err(ReplyError::Incomplete),
                Ok(unread) => unread,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(error.into()),
            };
            let (part, left) = self.parser.feed(unread)?;
            let taken = unread.len() - left.len();
            self.source.consume(taken);
            if let Some(part) = part
                && let Some(reply) = self.builder.add(part)?
            {
                return Ok(Some(reply));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn replies(bytes: &[u8]) -> Result<Vec<Reply>, ReplyError> {
        let mut reader = ReplyReader::new(bytes);
        let mut replies = Vec::new();
        while let Some(reply) = reader.next_reply()? {
            replies.push(reply);
        }
        Ok(replies)
    }

    #[test]
    fn answers_of_every_form() {
        let text = "= \n\n=\n\n\n=7 one\r\ntwo\r\n\r\n?8 no\n\n=9\ninfo\nbestmove x\n\n";
        let found = replies(text.as_bytes()).unwrap();
        let expected = [
            Reply::success(None, ""),
            Reply::success(None, ""),
            Reply::success(Some(7), "one\ntwo"),
            Reply::new(Some(8), false, "no"),
            Reply::success(Some(9), "info\nbestmove x"),
        ];
        assert_eq!(found, expected);
    }

    #[test]
    fn bad_framing() {
        let message = |bytes: &[u8]| replies(bytes).unwrap_err().to_string();
        assert_eq!(message(b"hello\n"), "bad framing: expected = or ? and an answer, found \"hello\"");
        assert_eq!(message(b"=x\n\n"), "bad framing: expected = or ? and an answer, found \"=x\"");
        assert_eq!(message(b"= \xff\n\n"), "bad framing: a line of the answer is not UTF-8");
        assert_eq!(message(b"= half\n"), "the answer is not complete");
        assert_eq!(message(b"= half"), "the answer is not complete");
    }

    #[test]
    fn answers_have_a_limit() {
        let endless = io::repeat(b'x');
        let error = ReplyReader::new(b"= ".chain(endless)).next_reply();
        assert!(matches!(error, Err(ReplyError::TooLarge)));
        let lines = b"= \n".chain(io::Cursor::new(b"line\n".repeat(4_000_000)));
        let error = ReplyReader::new(lines).next_reply();
        assert!(matches!(error, Err(ReplyError::TooLarge)));
    }
}
