//! TOML files written by hand, read so that every error names its line and the cure.
//!
//! A reader declares its keys: name, kind of value, an example. A `Document` is a file that is TOML; it checks the keys all at once
//! and knows the line of each value. A `Problem` found later becomes a [`FileFault`] with file and line.

mod document;
mod keys;
use std::fmt;
use std::path::Path;

use privy_base::message::{sanitized, shown};

pub(crate) use document::BUILT_IN;
#[doc(hidden)]
pub use document::Document;
pub use keys::Kind;
pub use keys::{Key, NONE, found, missing};
pub(crate) use keys::{meant_keys, unknown_keys};

/// A title as one line that is safe to show.
pub(crate) fn one_line(title: &str) -> String {
    const LONGEST_TITLE: usize = 200;
    sanitized(&title.split_whitespace().collect::<Vec<_>>().join(" "), LONGEST_TITLE)
}

/// A place in a TOML file.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum KeyPlace {
    /// The file as a whole.
    File,
    /// The value of a key.
    Key(String),
    /// An item of the list of a key, from 0.
    Item(String, usize),
    /// An entry of the table of a key.
    Entry(String, String),
}

impl KeyPlace {
    /// The place of the value of a key.
    pub fn key(key: &str) -> KeyPlace {
        KeyPlace::Key(key.to_owned())
    }

    /// The key; empty for the file.
    pub fn name(&self) -> &str {
        match self {
            KeyPlace::File => "",
            KeyPlace::Key(key) | KeyPlace::Item(key, _) | KeyPlace::Entry(key, _) => key,
        }
    }

    pub(crate) fn item(key: &str, number: usize) -> KeyPlace {
        KeyPlace::Item(key.to_owned(), number)
    }

    pub(crate) fn entry(key: &str, name: impl fmt::Display) -> KeyPlace {
        KeyPlace::Entry(key.to_owned(), name.to_string())
    }
}

/// The key, as a file names it.
impl fmt::Display for KeyPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            KeyPlace::File => Ok(()),
            KeyPlace::Key(key) | KeyPlace::Item(key, _) => f.write_str(key),
            KeyPlace::Entry(key, name) => write!(f, "{key}.{name}"),
        }
    }
}

/// An error at a place: what was found, and what is expected.
#[derive(Debug, Clone, PartialEq)]
pub struct Problem {
    /// The place in the file.
    pub place: KeyPlace,
    pub(crate) text: String,
}

impl Problem {
    /// A problem at a place.
    pub fn new(place: KeyPlace, text: impl Into<String>) -> Problem {
        Problem { place, text: text.into() }
    }

    /// A problem with the value of a key.
    pub fn key(key: &str, text: impl Into<String>) -> Problem {
        Problem::new(KeyPlace::key(key), text)
    }
}

/// `key: found …; expected …`.
impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.place {
            KeyPlace::File => f.write_str(&self.text),
            place => write!(f, "{place}: {}", self.text),
        }
    }
}

/// An error or a warning with its file and line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileFault {
    /// The file as it was named; none for a text from elsewhere.
    pub path: Option<String>,
    /// The line, from 1.
    pub line: usize,
    /// `key: found …; expected …`.
    pub text: String,
}

impl FileFault {
    /// The same as a remark that does not make the file wrong.
    pub(crate) fn into_warning(self) -> FileFault {
        FileFault { text: format!("warning: {}", self.text), ..self }
    }
}

/// `path:LINE: text`, as editors jump to it; `line LINE: text` without a path.
impl fmt::Display for FileFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.path {
            Some(path) => write!(f, "{}:{}: {}", shown(Path::new(path)), self.line, self.text),
            None => write!(f, "line {}: {}", self.line, self.text),
        }
    }
}

/// All faults of a file and those that it names, at least one; a line each.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}", self.0.iter().map(FileFault::to_string).collect::<Vec<_>>().join("\n"))]
pub struct FileFaults(Vec<FileFault>);

impl FileFaults {
    /// Every fault.
    pub fn iter(&self) -> impl Iterator<Item = &FileFault> {
        self.0.iter()
    }

    /// The first, and the number of the others.
    pub fn in_one_line(&self) -> String {
        let first = self.0.first().map(FileFault::to_string).unwrap_or_default();
        match self.0.len() {
            0 | 1 => first,
            count => format!("{first} (and {} more: privy variants check names them)", count - 1),
        }
    }
}

impl From<Vec<FileFault>> for FileFaults {
    /// File by file, each by line.
    fn from(mut faults: Vec<FileFault>) -> FileFaults {
        let mut paths: Vec<Option<String>> = Vec::new();
        for fault in &faults {
            if !paths.contains(&fault.path) {
                paths.push(fault.path.clone());
            }
        }
        faults.sort_by_key(|fault| (paths.iter().position(|path| *path == fault.path), fault.line));
        let withheld = document::file_withheld();
        faults.dedup_by(|fault, before| fault.path == before.path && fault.text == withheld && before.text == withheld);
        FileFaults(faults)
    }
}
