//! TOML files that somebody wrote, read so that whatever is wrong with one is said with its line, and what would be right.
//!
//! A reader declares its keys: name, kind of value, an example. A `Document` is a file that is TOML; it checks the keys all at once
//! and knows the line of each value, so that whoever finds a `Problem` later can say where it is: a [`Fault`].

mod document;
mod keys;
mod syntax;

use std::fmt;

pub(crate) use document::Document;
pub(crate) use keys::{Key, Kind, NONE, found, missing};

/// A place of a file.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Place {
    /// No place in particular.
    File,
    /// A key.
    Key(String),
    /// An item of the list of a key, from 0.
    Item(String, usize),
    /// An entry of the table of a key.
    Entry(String, String),
}

impl Place {
    pub(crate) fn key(key: &str) -> Place {
        Place::Key(key.to_owned())
    }

    /// The key, whatever of it is meant.
    pub(crate) fn name(&self) -> &str {
        match self {
            Place::File => "",
            Place::Key(key) | Place::Item(key, _) | Place::Entry(key, _) => key,
        }
    }

    pub(crate) fn item(key: &str, number: usize) -> Place {
        Place::Item(key.to_owned(), number)
    }

    pub(crate) fn entry(key: &str, name: impl fmt::Display) -> Place {
        Place::Entry(key.to_owned(), name.to_string())
    }
}

/// The key, as a file names it.
impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::File => Ok(()),
            Place::Key(key) | Place::Item(key, _) => f.write_str(key),
            Place::Entry(key, name) => write!(f, "{key}.{name}"),
        }
    }
}

/// What is wrong with what stands at a place: what was found, and what would be right.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Problem {
    pub(crate) place: Place,
    pub(crate) text: String,
}

impl Problem {
    pub(crate) fn new(place: Place, text: impl Into<String>) -> Problem {
        Problem { place, text: text.into() }
    }

    pub(crate) fn key(key: &str, text: impl Into<String>) -> Problem {
        Problem::new(Place::key(key), text)
    }
}

/// `key: what was found; expected what would be right`.
impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.place {
            Place::File => f.write_str(&self.text),
            place => write!(f, "{place}: {}", self.text),
        }
    }
}

/// What is wrong in a file, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    path: Option<String>,
    line: usize,
    text: String,
}

impl Fault {
    /// The file as it was named; none for a text that is none.
    #[must_use]
    pub fn path(&self) -> Option<&str> {
        self.path.as_deref()
    }

    /// The line, from 1.
    #[must_use]
    pub fn line(&self) -> usize {
        self.line
    }

    /// `key: what was found; expected what would be right`.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The same as a remark that does not make the file wrong.
    #[must_use]
    pub(crate) fn into_warning(self) -> Fault {
        Fault { text: format!("warning: {}", self.text), ..self }
    }
}

/// `path:LINE: text`, as editors jump to it; `line LINE: text` for what is no file.
impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.path {
            Some(path) => write!(f, "{path}:{}: {}", self.line, self.text),
            None => write!(f, "line {}: {}", self.line, self.text),
        }
    }
}

/// All that is wrong with a file and those that it names, at least one [`Fault`]. Shown as a line for each.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Faults(Vec<Fault>);

impl Faults {
    /// Each of them.
    pub fn iter(&self) -> impl Iterator<Item = &Fault> {
        self.0.iter()
    }

    /// The first, and how many more there are.
    #[must_use]
    pub fn in_one_line(&self) -> String {
        let first = self.0.first().map(Fault::to_string).unwrap_or_default();
        match self.0.len() {
            0 | 1 => first,
            count => format!("{first} (and {} more: privy variants check names them)", count - 1),
        }
    }
}

impl From<Fault> for Faults {
    fn from(fault: Fault) -> Faults {
        Faults(vec![fault])
    }
}

impl From<Vec<Fault>> for Faults {
    /// File by file, each by line.
    fn from(mut faults: Vec<Fault>) -> Faults {
        let mut paths: Vec<Option<String>> = Vec::new();
        for fault in &faults {
            if !paths.contains(&fault.path) {
                paths.push(fault.path.clone());
            }
        }
        faults.sort_by_key(|fault| (paths.iter().position(|path| *path == fault.path), fault.line));
        Faults(faults)
    }
}

impl fmt::Display for Faults {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, fault) in self.0.iter().enumerate() {
            let before = if number == 0 { "" } else { "\n" };
            write!(f, "{before}{fault}")?;
        }
        Ok(())
    }
}

impl std::error::Error for Faults {}
