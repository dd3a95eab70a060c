//! From bytes to lines.
//!
//! A line is read in this order: carriage returns and other control characters are dropped (a tab becomes a space),
//! the line is cut at `#`, skipped if blank, then its length is checked, then that it is UTF-8. Reading never needs
//! more memory than [`LINE_LIMIT`] and a little, however long a line or a comment is.
//!
//! Blank lines and comments get no answer, but they are reported: any line at all ends a running analysis, and the
//! comment `# interrupt` ends a search.
//!
//! ```
//! use privy_protocol::{InputLine, LineReader};
//!
//! let mut lines = LineReader::new("7 name # who?\n\n# interrupt\nquit".as_bytes());
//! let Some(InputLine::Command(line)) = lines.next_line()? else { panic!() };
//! assert_eq!(line.as_str(), "7 name ");
//! assert_eq!(lines.next_line()?, Some(InputLine::Blank));
//! assert_eq!(lines.next_line()?, Some(InputLine::Interrupt));
//! let Some(InputLine::Command(line)) = lines.next_line()? else { panic!() };
//! assert_eq!(line.as_str(), "quit");
//! assert_eq!(lines.next_line()?, None);
//! # Ok::<(), std::io::Error>(())
//! ```

use std::io::{self, BufRead, BufReader, Read};

use crate::error::{ProtocolError, Rejection};
use crate::grammar::{self, Line};

/// The longest line that is accepted, in bytes, comment and control characters not counted: 64 KiB.
pub const LINE_LIMIT: usize = 65_536;

/// The comment that ends a running search.
const INTERRUPT: &[u8] = b"interrupt";

/// What a line of input turned out to be. Every line of the input gives exactly one of these.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum InputLine {
    /// Nothing but spaces, control characters and perhaps a comment. It has no answer.
    Blank,
    /// The comment `# interrupt`, alone on its line. It has no answer, but ends a running search.
    Interrupt,
    /// A line to be carried out and answered.
    Command(RawLine),
    /// A line that is too long or not UTF-8. It is to be answered with the error.
    Rejected(Rejection),
}

/// A cleaned line: not blank, at most [`LINE_LIMIT`] bytes, without comment, line end and ASCII control characters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RawLine(String);

impl RawLine {
    /// The text of the line.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The line cut into id, command and arguments.
    ///
    /// # Errors
    /// As [`Line::parse`].
    pub fn split(&self) -> Result<Line<'_>, Rejection> {
        Line::parse(&self.0)
    }
}

/// Puts lines together from bytes that come in pieces of any size.
///
/// [`LineReader`] does the reading too; this is for programs that get their bytes in another way.
#[derive(Debug, Default)]
pub struct LineAssembler {
    /// The line so far, without control characters and comment; never more than [`LINE_LIMIT`] bytes.
    kept: Vec<u8>,
    /// The length of the line so far, with what was not kept.
    length: u64,
    /// Something else than a space has been seen before the comment.
    inked: bool,
    /// A byte has been seen since the last line feed.
    begun: bool,
    /// The comment so far, without spaces at its beginning and double ones; no more than tells `interrupt` from others.
    comment: Option<Vec<u8>>,
}

impl LineAssembler {
    /// Takes bytes up to and including the first line feed, or all of them when there is none. Gives the completed
    /// line, if there is one, and the bytes that were not taken.
    pub fn feed<'a>(&mut self, bytes: &'a [u8]) -> (Option<InputLine>, &'a [u8]) {
        let (taken, complete, left) = match bytes.iter().position(|byte| *byte == b'\n') {
            Some(end) => {
                let (taken, left) = bytes.split_at(end);
                (taken, true, left.get(1..).unwrap_or_default())
            }
            None => (bytes, false, [].as_slice()),
        };
        self.begun |= complete || !taken.is_empty();
        for byte in taken {
            match byte {
                b'\t' => self.push(b' '),
                0..=0x1f | 0x7f => {}
                byte => self.push(*byte),
            }
        }
        let line = if complete { self.finish() } else { None };
        (line, left)
    }

    /// Ends the input: the line that no line feed has ended yet, if any byte of one has come.
    pub fn finish(&mut self) -> Option<InputLine> {
        let line = std::mem::take(self);
        line.begun.then(|| line.into_line())
    }

    fn push(&mut self, byte: u8) {
        if let Some(comment) = &mut self.comment {
            let is_needless_space = byte == b' ' && comment.last().is_none_or(|last| *last == b' ');
            if !is_needless_space && comment.len() <= INTERRUPT.len() + 1 {
                comment.push(byte);
            }
        } else if byte == b'#' {
            self.comment = Some(Vec::new());
        } else {
            self.inked |= byte != b' ';
            self.length = self.length.saturating_add(1);
            if self.kept.len() < LINE_LIMIT {
                self.kept.push(byte);
            }
        }
    }

    fn into_line(self) -> InputLine {
        if !self.inked {
            return match self.comment {
                Some(comment) if comment.trim_ascii_end() == INTERRUPT => InputLine::Interrupt,
                _ => InputLine::Blank,
            };
        }
        let too_long = self.length > LINE_LIMIT as u64;
        let (readable, detail) = match String::from_utf8(self.kept) {
            Ok(text) if !too_long => return InputLine::Command(RawLine(text)),
            Ok(text) => (text, String::new()),
            Err(error) => {
                let at = error.utf8_error().valid_up_to();
                let mut bytes = error.into_bytes();
                let culprit = bytes.get(at).copied().unwrap_or_default();
                bytes.truncate(at);
                (
                    String::from_utf8(bytes).unwrap_or_default(),
                    format!("expected UTF-8, found the byte 0x{culprit:02x} at place {}", at + 1),
                )
            }
        };
        let detail = if too_long {
            format!("expected a line of at most {LINE_LIMIT} bytes, found {}", self.length)
        } else {
            detail
        };
        InputLine::Rejected(Rejection { id: grammar::leading_id(&readable), error: ProtocolError::syntax(detail) })
    }
}

/// Reads the lines of a source of bytes. As an iterator it ends with the input, and after an error.
#[derive(Debug)]
pub struct LineReader<R> {
    source: BufReader<R>,
    assembler: LineAssembler,
    ended: bool,
}

impl<R: Read> LineReader<R> {
    /// Reads from `source`, in pieces of 8 KiB; no further buffering is needed.
    pub fn new(source: R) -> Self {
        Self { source: BufReader::new(source), assembler: LineAssembler::default(), ended: false }
    }

    /// Waits for the next line. A last line without line feed counts; at the end of the input the answer is [`None`],
    /// and stays so.
    ///
    /// # Errors
    /// What the source reports, except interruptions, after which reading goes on. An error ends the input.
    pub fn next_line(&mut self) -> io::Result<Option<InputLine>> {
        while !self.ended {
            match self.source.fill_buf() {
                Ok([]) => self.ended = true,
                Ok(unread) => {
                    let (line, left) = self.assembler.feed(unread);
                    let taken = unread.len() - left.len();
                    self.source.consume(taken);
                    if line.is_some() {
                        return Ok(line);
                    }
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => {
                    self.ended = true;
                    self.assembler = LineAssembler::default();
                    return Err(error);
                }
            }
        }
        Ok(self.assembler.finish())
    }
}

impl<R: Read> Iterator for LineReader<R> {
    type Item = io::Result<InputLine>;

    fn next(&mut self) -> Option<Self::Item> {
        self.next_line().transpose()
    }
}

#[cfg(test)]
mod tests;
