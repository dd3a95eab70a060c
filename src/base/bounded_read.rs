//! Bounded reads of files and streams from outside: devices without end, pipes without data and huge files are refused.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read};
use std::path::Path;

/// Opens a regular file, and nothing else.
pub fn open_file(path: &Path) -> io::Result<File> {
    open_file_with(OpenOptions::new().read(true), path)
}

pub(crate) fn open_file_with(options: &OpenOptions, path: &Path) -> io::Result<File> {
    // Checked first, since opening a pipe waits for its other end.
    if !fs::metadata(path)?.is_file() {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "expected a file"));
    }
    options.open(path)
}

/// Reads UTF-8 of at most `most` bytes.
pub fn read_bounded(source: impl Read, most: u64) -> io::Result<String> {
    let mut bytes = Vec::new();
    source.take(most + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most {
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, format!("expected at most {most} bytes, found more")));
    }
    String::from_utf8(bytes).map_err(|error| {
        let (wrong, bytes) = (error.utf8_error().valid_up_to(), error.as_bytes());
        let line = 1 + bytes.iter().take(wrong).filter(|byte| **byte == b'\n').count();
        let found = format!("expected a text in UTF-8, found byte {:#04x} in line {line}", bytes[wrong]);
        io::Error::new(io::ErrorKind::InvalidData, found)
    })
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
        assert_eq!(latin, "expected a text in UTF-8, found byte 0xe9 in line 3");
        assert!(read_bounded(&b"a\xc3"[..], 3).unwrap_err().to_string().ends_with("found byte 0xc3 in line 1"));
    }

    #[cfg(unix)]
    #[test]
    fn devices_and_folders_are_not_opened() {
        assert!(open_file(Path::new("/dev/zero")).unwrap_err().to_string().contains("expected a file"));
        assert!(open_file(Path::new("/")).is_err() && open_file(Path::new("/no such file")).is_err());
        assert!(open_file(Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml").as_path()).is_ok());
    }
}
