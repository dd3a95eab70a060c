//! The one reader of text from outside. Devices without end, pipes without data, huge files and long lines are refused;
//! a byte order mark at the beginning, which some editors and shells write, is no part of the text; bytes that are not
//! UTF-8 are an error that names their line.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufRead, Read};
use std::path::Path;

use privy_protocol::framing::BYTE_ORDER_MARK;

/// Opens a regular file, and nothing else.
pub fn open_file(path: &Path) -> io::Result<File> {
    open_file_with(OpenOptions::new().read(true), path)
}

/// Opens a regular file with these options, and nothing else.
pub fn open_file_with(options: &OpenOptions, path: &Path) -> io::Result<File> {
    // Checked first, since opening a pipe waits for its other end.
    if !fs::metadata(path)?.is_file() {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "expected a file"));
    }
    options.open(path)
}

/// Reads the text of a regular file of at most `most` bytes.
pub fn read_file(path: &Path, most: u64) -> io::Result<String> {
    read_bounded(open_file(path)?, most)
}

/// Reads a text of at most `most` bytes.
pub fn read_bounded(source: impl Read, most: u64) -> io::Result<String> {
    utf8(read_bytes(source, most)?, 1)
}

/// Reads at most `most` bytes, without a byte order mark.
pub fn read_bytes(source: impl Read, most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    source.take(most + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most {
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, format!("expected at most {most} bytes, found more")));
    }
    if bytes.starts_with(&BYTE_ORDER_MARK) {
        bytes.drain(..BYTE_ORDER_MARK.len());
    }
    Ok(bytes)
}

/// The text of some bytes that begin with a line of this number.
pub fn utf8(bytes: Vec<u8>, first_line: usize) -> io::Result<String> {
    String::from_utf8(bytes).map_err(|error| {
        let (wrong, bytes) = (error.utf8_error().valid_up_to(), error.as_bytes());
        let line = first_line + bytes.iter().take(wrong).filter(|byte| **byte == b'\n').count();
        let found = format!("expected a text in UTF-8, found other bytes in line {line}");
        io::Error::new(io::ErrorKind::InvalidData, found)
    })
}

/// The lines of a text, read one by one.
#[derive(Debug)]
pub struct TextLines<R> {
    source: R,
    /// Bytes of a line.
    longest: u64,
    /// The number of lines read.
    pub number: usize,
    /// Bytes of the lines read.
    pub bytes: u64,
    /// True if the line read last has its line feed.
    pub is_whole: bool,
}

impl<R: BufRead> TextLines<R> {
    /// The lines of a source, each of at most `longest` bytes.
    pub fn new(source: R, longest: u64) -> TextLines<R> {
        TextLines { source, longest, number: 0, bytes: 0, is_whole: true }
    }

    /// Returns the next line with its line feed, which the last one may lack; `None` at the end. After an error of the
    /// kind `InvalidData` the line after it can be read.
    pub fn next_line(&mut self) -> io::Result<Option<String>> {
        let mut line = Vec::new();
        let length = self.source.by_ref().take(self.longest).read_until(b'\n', &mut line)? as u64;
        if length == 0 {
            return Ok(None);
        }
        self.number += 1;
        self.bytes += length;
        self.is_whole = line.last() == Some(&b'\n');
        if length == self.longest && !self.is_whole {
            let found = format!("line {}: expected at most {length} bytes, found more", self.number);
            return Err(io::Error::new(io::ErrorKind::FileTooLarge, found));
        }
        if self.number == 1 && line.starts_with(&BYTE_ORDER_MARK) {
            line.drain(..BYTE_ORDER_MARK.len());
        }
        utf8(line, self.number).map(Some)
    }

    /// Skips the rest of a line that is too long, at most this number of bytes. True if the line ends there: the next
    /// one can be read.
    pub fn skip_line(&mut self, most: u64) -> io::Result<bool> {
        let mut skipped = 0;
        while skipped < most {
            let buffer = self.source.fill_buf()?;
            let end = buffer.iter().position(|byte| *byte == b'\n');
            let length = end.map_or(buffer.len(), |end| end + 1);
            if length == 0 {
                return Ok(true);
            }
            self.source.consume(length);
            skipped += length as u64;
            if end.is_some() {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_source_is_read_up_to_its_bound() {
        assert_eq!(read_bounded(&b"abc"[..], 3).unwrap(), "abc");
        assert!(read_bounded(&b"abcd"[..], 3).unwrap_err().to_string().contains("at most 3 bytes"));
        assert!(read_bounded(io::repeat(0), 1000).unwrap_err().to_string().contains("at most 1000 bytes"));
        let latin = read_bounded(&b"title\n\n= \"Fr\xe9\""[..], 100).unwrap_err().to_string();
        assert_eq!(latin, "expected a text in UTF-8, found other bytes in line 3");
        assert!(read_bounded(&b"a\xc3"[..], 3).unwrap_err().to_string().ends_with("found other bytes in line 1"));
    }

    #[test]
    fn lines_are_bounded_and_a_wrong_one_does_not_hide_the_next() {
        let mut lines = TextLines::new(&b"\xef\xbb\xbfone\r\n\xe9\n\xef\xbb\xbftwo"[..], 10);
        assert_eq!(lines.next_line().unwrap().unwrap(), "one\r\n");
        let error = lines.next_line().unwrap_err();
        assert_eq!(error.to_string(), "expected a text in UTF-8, found other bytes in line 2");
        assert_eq!(lines.next_line().unwrap().unwrap(), "\u{feff}two");
        assert_eq!((lines.next_line().unwrap(), lines.number, lines.bytes), (None, 3, 16));
        let mut lines = TextLines::new(io::BufReader::new(io::repeat(0)), 10);
        assert_eq!(lines.next_line().unwrap_err().to_string(), "line 1: expected at most 10 bytes, found more");
        assert_eq!(read_bounded(&b"\xef\xbb\xbf\xef\xbb\xbfa"[..], 10).unwrap(), "\u{feff}a");
    }

    #[test]
    fn a_line_that_is_too_long_is_skipped_unless_it_has_no_end() {
        let mut lines = TextLines::new(&b"0123456789abc\nnext\n0123456789abc"[..], 10);
        for next in [Some("next\n"), None] {
            assert_eq!(lines.next_line().unwrap_err().kind(), io::ErrorKind::FileTooLarge);
            assert!(lines.skip_line(100).unwrap());
            assert_eq!(lines.next_line().unwrap().as_deref(), next);
        }
        let mut endless = TextLines::new(io::BufReader::new(io::repeat(b'a')), 10);
        assert!(endless.next_line().is_err() && !endless.skip_line(100_000).unwrap());
    }

    #[cfg(unix)]
    #[test]
    fn devices_and_folders_are_not_opened() {
        assert!(open_file(Path::new("/dev/zero")).unwrap_err().to_string().contains("expected a file"));
        assert!(open_file(Path::new("/")).is_err() && open_file(Path::new("/no such file")).is_err());
        assert!(open_file(Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml").as_path()).is_ok());
    }
}
