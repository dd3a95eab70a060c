//! What machines and people do to a file, and what must come of it.
#![cfg(target_os = "linux")]

use std::fs::{self, File, OpenOptions, Permissions};
use std::io::Write;
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt, symlink};
use std::path::Path;
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

/// `O_NONBLOCK`: a pipe without a reader is not waited for.
const NONBLOCKING: i32 = 0o4000;

/// What is done to a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Damage {
    None,
    Mark,
    WindowsLines,
    Link,
    Latin1,
    Nul,
    Bidi,
    Cut(usize),
    Flipped(usize),
    Huge,
    Endless,
    Pipe,
    Folder,
    Unreadable,
    Missing,
}

pub(super) const DAMAGES: [Damage; 18] = [
    Damage::Mark,
    Damage::WindowsLines,
    Damage::Link,
    Damage::Latin1,
    Damage::Nul,
    Damage::Bidi,
    Damage::Cut(0),
    Damage::Cut(1),
    Damage::Cut(2),
    Damage::Flipped(1),
    Damage::Flipped(2),
    Damage::Flipped(3),
    Damage::Huge,
    Damage::Endless,
    Damage::Pipe,
    Damage::Folder,
    Damage::Unreadable,
    Damage::Missing,
];

/// What must come of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Expected {
    Same,
    Refused,
    Either,
}

/// The kind of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// A text; its comments begin with this.
    Text(&'static str),
    /// A text that is also read from a pipe.
    Stream(&'static str),
    /// Lines of JSON, of which the last may be incomplete.
    Lines,
    Binary,
}

/// A file, as far as it decides what a damage does.
#[derive(Debug, Clone, Copy)]
pub(super) struct Subject {
    pub(super) kind: Kind,
    /// Bytes that are not UTF-8 are read: the standard character set of SGF is Latin-1, and a batch answers each line
    /// by itself.
    pub(super) is_lenient: bool,
    /// A file that is not there is begun.
    pub(super) is_begun: bool,
}

impl Subject {
    /// What must come of a damage.
    pub(super) fn expected(&self, damage: Damage) -> Expected {
        let is_binary = self.kind == Kind::Binary;
        match damage {
            Damage::None | Damage::Link => Expected::Same,
            Damage::Mark | Damage::WindowsLines if !is_binary => Expected::Same,
            Damage::Mark | Damage::Huge | Damage::Endless | Damage::Folder => Expected::Refused,
            Damage::Pipe if matches!(self.kind, Kind::Stream(_)) => Expected::Same,
            Damage::Pipe => Expected::Refused,
            Damage::Latin1 | Damage::Nul if self.is_lenient => Expected::Either,
            Damage::Latin1 if !is_binary => Expected::Refused,
            Damage::Cut(0) if !is_binary && self.kind != Kind::Lines => Expected::Either,
            // A new file may have this name.
            Damage::Missing if self.is_begun => Expected::Same,
            Damage::Missing => Expected::Refused,
            _ => Expected::Either,
        }
    }
}

/// Writes a file with a damage.
pub(super) fn damaged(bytes: &[u8], damage: Damage, kind: Kind, path: &Path) {
    let at = |part: usize| bytes.len() * part / 4;
    let inserted = |text: &[u8]| {
        let place = match kind {
            // In a comment, which is read nevertheless.
            Kind::Text("#") | Kind::Stream("#") => return [bytes, b"# ", text, b"\n"].concat(),
            _ => at(2),
        };
        [&bytes[..place], text, &bytes[place..]].concat()
    };
    let write = |bytes: Vec<u8>| fs::write(path, bytes).unwrap();
    match damage {
        Damage::None => write(bytes.to_vec()),
        Damage::Mark => write([b"\xef\xbb\xbf", bytes].concat()),
        Damage::WindowsLines => write(String::from_utf8_lossy(bytes).replace('\n', "\r\n").into_bytes()),
        Damage::Link => {
            let target = path.with_extension("target");
            fs::write(&target, bytes).unwrap();
            symlink(target, path).unwrap();
        }
        Damage::Latin1 => write(inserted(b"\xe9")),
        Damage::Nul => write(inserted(b"\0\x1b[31m\x07")),
        Damage::Bidi => write(inserted("\u{202e}\u{2028}\u{feff}".as_bytes())),
        Damage::Cut(part) => write(bytes[..at(part)].to_vec()),
        Damage::Flipped(part) => {
            let mut bytes = bytes.to_vec();
            bytes[at(part)] ^= 0x10;
            write(bytes);
        }
        Damage::Huge => {
            write(bytes.to_vec());
            File::options().append(true).open(path).unwrap().set_len(5 << 30).unwrap();
        }
        Damage::Endless => symlink("/dev/zero", path).unwrap(),
        Damage::Pipe => assert!(Command::new("mkfifo").arg(path).status().unwrap().success()),
        Damage::Folder => fs::create_dir(path).unwrap(),
        Damage::Unreadable => {
            write(bytes.to_vec());
            fs::set_permissions(path, Permissions::from_mode(0o000)).unwrap();
        }
        Damage::Missing => {}
    }
}

/// Writes into a pipe once it has a reader.
pub(super) fn feed(path: &Path, bytes: &[u8], is_ended: &AtomicBool) {
    while !is_ended.load(Ordering::Relaxed) {
        if let Ok(mut pipe) = OpenOptions::new().write(true).custom_flags(NONBLOCKING).open(path) {
            let _ = pipe.write_all(bytes);
            return;
        }
        thread::sleep(Duration::from_millis(2));
    }
}
