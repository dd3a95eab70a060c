//! A file that is TOML: its values, and the line of each.

use std::collections::BTreeMap;
use std::ops::Range;

use serde::de::DeserializeOwned;
use toml::de::{DeTable, DeValue};
use toml::{Table, Value};

use crate::foreign_text::shown;

use super::keys::{Key, check_keys};
use super::syntax;
use super::{Fault, Place, Problem};

/// The most characters of a fault.
const LONGEST: usize = 1000;

/// A file that is TOML.
#[derive(Debug)]
pub(crate) struct Document {
    /// The file as it was named; none for a text that is none.
    path: Option<String>,
    text: String,
    table: Table,
    lines: BTreeMap<Place, usize>,
}

impl Document {
    /// Reads a text; `path` is the name of its file.
    ///
    /// # Errors
    /// When it is no TOML.
    pub(crate) fn parse(path: Option<String>, text: &str) -> Result<Document, Fault> {
        let fault = |start: usize, words: String| Fault { path: path.clone(), line: line_of(text, start), text: words };
        let (spanned, errors) = DeTable::parse_recoverable(text);
        if let Some((start, words)) = syntax::first_in_words(&errors, text) {
            return Err(fault(start, words));
        }
        let table: Table = toml::from_str(text).map_err(|error| {
            let start = error.span().map_or(0, |span| span.start);
            fault(start, syntax::in_words(&error, start, text))
        })?;
        Ok(Document { path, text: text.to_owned(), table, lines: lines(spanned.get_ref(), text) })
    }

    /// The text of the file.
    pub(crate) fn source(&self) -> &str {
        &self.text
    }

    /// The value of a key.
    pub(crate) fn get(&self, key: &str) -> Option<&Value> {
        self.table.get(key)
    }

    /// The value of a key that is a text.
    pub(crate) fn text(&self, key: &str) -> Option<&str> {
        self.get(key)?.as_str()
    }

    /// The values by key.
    pub(crate) fn table(&self) -> &Table {
        &self.table
    }

    /// What is wrong with the keys that are there.
    pub(crate) fn check(&self, keys: &[Key]) -> Vec<Fault> {
        let mut problems = Vec::new();
        check_keys(keys, &self.table, Place::key, &mut problems);
        self.faults(problems)
    }

    /// The values as a type, when [`check`](Document::check) has found nothing.
    ///
    /// # Errors
    /// What the type refuses all the same.
    pub(crate) fn read<T: DeserializeOwned>(&self) -> Result<T, Fault> {
        self.table.clone().try_into().map_err(|error| self.refused(&error))
    }

    /// A fault of what no list of keys foresaw.
    pub(crate) fn refused(&self, error: &toml::de::Error) -> Fault {
        self.fault(Problem::new(Place::File, error.to_string().trim_end()))
    }

    /// A problem with its file and line.
    pub(crate) fn fault(&self, problem: Problem) -> Fault {
        Fault { path: self.path.clone(), line: self.line(&problem.place), text: shown(&problem.to_string(), LONGEST) }
    }

    /// Problems with their file and lines, by line.
    pub(crate) fn faults(&self, problems: impl IntoIterator<Item = Problem>) -> Vec<Fault> {
        let mut faults: Vec<Fault> = problems.into_iter().map(|problem| self.fault(problem)).collect();
        faults.sort_by_key(|fault| fault.line);
        faults
    }

    /// The line of a place; that of its key where it has none of its own, and the first for what the file does not have.
    fn line(&self, place: &Place) -> usize {
        let of_key = || match place {
            Place::Item(key, _) | Place::Entry(key, _) => self.lines.get(&Place::Key(key.clone())),
            Place::File | Place::Key(_) => None,
        };
        self.lines.get(place).or_else(of_key).copied().unwrap_or(1)
    }
}

/// The number of the line that holds a byte, from 1.
fn line_of(text: &str, byte: usize) -> usize {
    let before = text.as_bytes().get(..byte.min(text.len())).unwrap_or_default();
    before.iter().filter(|byte| **byte == b'\n').count() + 1
}

fn lines(table: &DeTable<'_>, text: &str) -> BTreeMap<Place, usize> {
    let mut lines = BTreeMap::new();
    let mut add = |place: Place, span: Range<usize>| lines.insert(place, line_of(text, span.start));
    for (key, value) in table {
        let name = key.get_ref().as_ref();
        add(Place::key(name), key.span());
        match value.get_ref() {
            DeValue::Array(items) => {
                for (number, item) in items.iter().enumerate() {
                    add(Place::item(name, number), item.span());
                }
            }
            DeValue::Table(entries) => {
                for entry in entries.keys() {
                    add(Place::entry(name, entry.get_ref()), entry.span());
                }
            }
            _ => {}
        }
    }
    lines
}
