//! From bytes to lines, and from a line to its parts.
//!
//! A line is read in this order: a byte order mark at the beginning of the input and control characters are dropped (a
//! tab becomes a space), the line is cut at `#`, skipped if blank, then its length is checked, then that it is UTF-8.
//! At most [`LINE_LIMIT`] bytes of a line are stored.
//!
//! Blank lines and comments get no answer, but they are reported: any line ends an analysis, and the comment `#
//! interrupt` ends a search.
//!
//! ```
//! use privy_protocol::{InputLine, LineReader};
//!
//! let mut lines = LineReader::new("7 name # who?\n\n# interrupt\nquit".as_bytes());
//! assert_eq!(lines.next().transpose()?, Some(InputLine::Command("7 name ".to_owned())));
//! assert_eq!(lines.next().transpose()?, Some(InputLine::Blank));
//! assert_eq!(lines.next().transpose()?, Some(InputLine::Interrupt));
//! assert_eq!(lines.next().transpose()?, Some(InputLine::Command("quit".to_owned())));
//! assert!(lines.next().is_none());
//! # Ok::<(), std::io::Error>(())
//! ```

use std::io::{self, BufRead, BufReader, Read};

use nom::Parser;
use nom::combinator::opt;

use crate::error::{ProtocolError, Rejection};
use crate::grammar;

/// The longest line that is accepted, in bytes, comment and control characters not counted: 64 KiB.
pub const LINE_LIMIT: usize = 65_536;

const INTERRUPT: &[u8] = b"interrupt";

/// A byte order mark in UTF-8.
pub const BYTE_ORDER_MARK: [u8; 3] = [0xef, 0xbb, 0xbf];

/// A line of the input.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum InputLine {
    /// Nothing but spaces, control characters and perhaps a comment. It has no answer.
    Blank,
    /// The comment `# interrupt`, alone on its line. It has no answer.
    Interrupt,
    /// A command: not blank, at most [`LINE_LIMIT`] bytes, without comment, line end and ASCII control characters.
    Command(String),
    /// A line that is too long or not UTF-8, with the error to answer.
    Rejected(Rejection),
}

/// Puts lines together from bytes that come in pieces of any size.
#[derive(Debug, Default)]
pub struct LineAssembler {
    /// The line so far, without control characters and comment; never more than [`LINE_LIMIT`] bytes.
    kept: Vec<u8>,
    /// The length of the line so far, kept or not.
    length: u64,
    /// True if the line has more than spaces before the comment.
    has_text: bool,
    /// True if a byte has come since the last line feed.
    begun: bool,
    /// The bytes of a byte order mark that have come at the beginning of the input; all of them after it.
    mark: usize,
    /// The comment so far, without spaces at its beginning and double ones; only enough to recognise `interrupt`.
    comment: Option<Vec<u8>>,
}

impl LineAssembler {
    /// Takes bytes up to and including the first line feed, or all of them when there is none. Gives the completed
    /// line, if there is one, and the bytes that were not taken.
    pub fn feed<'a>(&mut self, bytes: &'a [u8]) -> (Option<InputLine>, &'a [u8]) {
        let end = bytes.iter().position(|byte| *byte == b'\n');
        let (taken, left) = bytes.split_at(end.unwrap_or(bytes.len()));
        self.begun |= !bytes.is_empty();
        for byte in taken {
            if BYTE_ORDER_MARK.get(self.mark) == Some(byte) {
                self.mark += 1;
                continue;
            }
            self.end_mark();
            match byte {
                b'\t' => self.push(b' '),
                0..=0x1f | 0x7f => {}
                byte => self.push(*byte),
            }
        }
        let line = end.and_then(|_| self.finish());
        (line, left.get(1..).unwrap_or_default())
    }

    /// Ends the input. Gives the last line, if it has no line feed.
    pub fn finish(&mut self) -> Option<InputLine> {
        self.end_mark();
        let line = std::mem::replace(self, LineAssembler { mark: BYTE_ORDER_MARK.len(), ..LineAssembler::default() });
        line.begun.then(|| line.into_line())
    }

    /// The beginning of a mark without its end is text.
    fn end_mark(&mut self) {
        let held = std::mem::replace(&mut self.mark, BYTE_ORDER_MARK.len());
        BYTE_ORDER_MARK.iter().take(held % BYTE_ORDER_MARK.len()).for_each(|byte| self.push(*byte));
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
            self.has_text |= byte != b' ';
            self.length = self.length.saturating_add(1);
            if self.kept.len() < LINE_LIMIT {
                self.kept.push(byte);
            }
        }
    }

    fn into_line(self) -> InputLine {
        if !self.has_text {
            return match self.comment {
                Some(comment) if comment.trim_ascii_end() == INTERRUPT => InputLine::Interrupt,
                _ => InputLine::Blank,
            };
        }
        let too_long = self.length > LINE_LIMIT as u64;
        let text = match String::from_utf8(self.kept) {
            Ok(text) if !too_long => return InputLine::Command(text),
            Ok(text) => text.into_bytes(),
            Err(error) => error.into_bytes(),
        };
        let readable = text.utf8_chunks().next().map_or("", |chunk| chunk.valid());
        let detail = match text.get(readable.len()) {
            Some(byte) if !too_long => {
                format!("expected UTF-8, found the byte 0x{byte:02x} at place {}", readable.len() + 1)
            }
            _ => format!("expected a line of at most {LINE_LIMIT} bytes, found {}", self.length),
        };
        InputLine::Rejected(Rejection { id: grammar::leading_id(readable), error: ProtocolError::syntax(detail) })
    }
}

/// Reads the lines of a source of bytes. It ends with the input, or after an error.
#[derive(Debug)]
pub struct LineReader<R> {
    source: BufReader<R>,
    assembler: LineAssembler,
    ended: bool,
}

impl<R: Read> LineReader<R> {
    /// Reads from `source`, which needs no buffering.
    pub fn new(source: R) -> Self {
        Self { source: BufReader::new(source), assembler: LineAssembler::default(), ended: false }
    }
}

impl<R: Read> Iterator for LineReader<R> {
    type Item = io::Result<InputLine>;

    /// Waits for the next line. A last line without line feed counts.
    fn next(&mut self) -> Option<Self::Item> {
        while !self.ended {
            match self.source.fill_buf() {
                Ok([]) => self.ended = true,
                Ok(unread) => {
                    let (line, left) = self.assembler.feed(unread);
                    let taken = unread.len() - left.len();
                    self.source.consume(taken);
                    if line.is_some() {
                        return line.map(Ok);
                    }
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => {
                    self.ended = true;
                    self.assembler = LineAssembler::default();
                    return Some(Err(error));
                }
            }
        }
        self.assembler.finish().map(Ok)
    }
}

/// A line cut into its parts. The arguments are not read yet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Line<'a> {
    /// The id, which the answer repeats: 0 to [`LARGEST_ID`](grammar::LARGEST_ID).
    pub id: Option<u32>,
    /// The name of the command. Case matters.
    pub command: &'a str,
    /// The text after the command, without the spaces around it.
    pub arguments: &'a str,
}

impl<'a> Line<'a> {
    /// Cuts a line into its parts.
    ///
    /// # Errors
    /// `syntax error: id` when the id is larger than [`LARGEST_ID`](grammar::LARGEST_ID); `syntax error: no command`.
    pub fn parse(text: &'a str) -> Result<Self, Rejection> {
        let (text, digits) = opt(grammar::id_word).parse(text).unwrap_or((text, None));
        let id = digits.and_then(grammar::id_value);
        if digits.is_some() && id.is_none() {
            return Err(Rejection { id, error: ProtocolError::syntax("id") });
        }
        match grammar::next_word(text) {
            Some((command, arguments)) => Ok(Self { id, command, arguments: arguments.trim_matches(' ') }),
            None => Err(Rejection { id, error: ProtocolError::syntax("no command") }),
        }
    }
}

#[cfg(test)]
mod tests;
