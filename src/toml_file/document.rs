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
        let starts = LineStarts::of(text);
        let fault =
            |start: usize, words: String| Fault { path: path.clone(), line: starts.line_of(start), text: words };
        let (spanned, errors) = DeTable::parse_recoverable(text);
        if let Some((start, words)) = syntax::first_in_words(&errors, text) {
            return Err(fault(start, words));
        }
        let table: Table = toml::from_str(text).map_err(|error| {
            let start = error.span().map_or(0, |span| span.start);
            fault(start, syntax::in_words(&error, start, text))
        })?;
        Ok(Document { path, text: text.to_owned(), table, lines: lines(spanned.get_ref(), &starts) })
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

/// Where the lines of a text begin, so that the line of a byte is found without reading the text again.
struct LineStarts(Vec<usize>);

impl LineStarts {
    fn of(text: &str) -> LineStarts {
        LineStarts(std::iter::once(0).chain(text.match_indices('\n').map(|(end, _)| end + 1)).collect())
    }

    /// The number of the line that holds a byte, from 1.
    fn line_of(&self, byte: usize) -> usize {
        self.0.partition_point(|start| *start <= byte)
    }
}

fn lines(table: &DeTable<'_>, starts: &LineStarts) -> BTreeMap<Place, usize> {
    let mut lines = BTreeMap::new();
    let mut add = |place: Place, span: Range<usize>| lines.insert(place, starts.line_of(span.start));
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::toml_file::Kind;

    const KEYS: &[Key] =
        &[Key { name: "words", kind: Kind::Texts, needed: false, example: "[]", meaning: "Words, in a list." }];

    #[test]
    fn every_value_has_its_line() {
        let document = Document::parse(None, "words = [\n  \"a\",\n  7,\n\n  true]\nworts = 1\n").unwrap();
        let faults: Vec<String> = document.check(KEYS).iter().map(Fault::to_string).collect();
        assert_eq!(
            faults,
            [
                "line 3: words: found 7; expected a text in quotes",
                "line 5: words: found true; expected a text in quotes",
                "line 6: worts: there is no such key; did you mean words?",
            ]
        );
        let error = Document::parse(Some("a.toml".to_owned()), "a = 1\n\nb = x").unwrap_err();
        assert!(error.to_string().starts_with("a.toml:3: found x; expected \"x\" in straight quotes"), "{error}");
        let letters = Document::parse(None, "\"a\\nb\\u001b\" = 1").unwrap().check(KEYS);
        assert!(letters[0].to_string().starts_with("line 1: a\\nb\\u{1b}: there is no such key"), "{}", letters[0]);
    }

    /// As many wrong values as the largest file holds are said one by one, without reading the text for each.
    #[test]
    fn a_large_file_has_many_lines() {
        let text = format!("words = [\n{}]\n", "7,\n".repeat(300_000));
        let faults = Document::parse(None, &text).unwrap().check(KEYS);
        assert_eq!((faults.len(), faults.last().map(Fault::line)), (300_000, Some(300_001)));
    }
}
