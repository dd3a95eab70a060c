//! A file that is TOML: its values, and the line of each; and TOML errors in plain words.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::Path;

use serde::de::DeserializeOwned;
use toml::Table;
use toml::de::{DeTable, DeValue, Error};

use privy_base::message::{is_quotable, sanitized, withheld};

use super::keys::{Key, check_keys};
use super::{FileFault, KeyPlace, Problem};

const LONGEST_FAULT: usize = 1000;

const LONGEST_QUOTE: usize = 60;

/// The end of the name of a text that is built in.
pub(crate) const BUILT_IN: &str = " (built in)";

/// The text of every fault in a file that may not be quoted.
pub(super) fn file_withheld() -> String {
    withheld("a variant or board file", "toml")
}

#[derive(Debug)]
#[doc(hidden)]
pub struct Document {
    /// The file as it was named; none for a text from elsewhere.
    path: Option<String>,
    /// True if faults may quote the text.
    is_quotable: bool,
    text: String,
    table: Table,
    lines: BTreeMap<KeyPlace, usize>,
}

impl Document {
    /// Reads a text that is TOML; `path` is the name of its file.
    pub fn parse(path: Option<String>, text: &str) -> Result<Document, Vec<FileFault>> {
        let starts = LineStarts::of(text);
        let is_quotable =
            path.as_ref().is_none_or(|path| path.ends_with(BUILT_IN) || is_quotable(Path::new(path), "toml"));
        let fault = |start: usize, text: String| {
            let text = if is_quotable { text } else { file_withheld() };
            vec![FileFault { path: path.clone(), line: starts.line_of(start), text }]
        };
        let (spanned, errors) = DeTable::parse_recoverable(text);
        if let Some((start, words)) = first_in_words(&errors, text) {
            return Err(fault(start, words));
        }
        let table: Table = toml::from_str(text).map_err(|error| {
            let start = error.span().map_or(0, |span| span.start);
            fault(start, in_words(&error, start, text))
        })?;
        Ok(Document { path, is_quotable, text: text.to_owned(), table, lines: lines(spanned.get_ref(), &starts) })
    }

    /// The folder of the file.
    pub(crate) fn folder(&self) -> Option<&Path> {
        Path::new(self.path.as_ref()?).parent()
    }

    pub(crate) fn source(&self) -> &str {
        &self.text
    }

    pub(crate) fn path(&self) -> Option<&str> {
        self.path.as_deref()
    }

    pub(crate) fn text(&self, key: &str) -> Option<&str> {
        self.table.get(key)?.as_str()
    }

    pub(crate) fn table(&self) -> &Table {
        &self.table
    }

    /// Unknown keys and wrong values.
    pub fn check(&self, keys: &[Key]) -> Vec<FileFault> {
        let mut problems = Vec::new();
        check_keys(keys, &[], &self.table, KeyPlace::key, &mut problems);
        self.faults(problems)
    }

    /// The values as a type, after [`check`](Document::check) has found no fault.
    pub(crate) fn read<T: DeserializeOwned>(&self) -> Result<T, Vec<FileFault>> {
        self.table.clone().try_into().map_err(|error| vec![self.refused(&error)])
    }

    /// The fault of a value that no list of keys forbids.
    pub(crate) fn refused(&self, error: &Error) -> FileFault {
        self.fault(Problem::new(KeyPlace::File, error.to_string().trim_end()))
    }

    pub(crate) fn fault(&self, problem: Problem) -> FileFault {
        FileFault {
            path: self.path.clone(),
            line: self.line(&problem.place),
            text: if self.is_quotable { sanitized(&problem.to_string(), LONGEST_FAULT) } else { file_withheld() },
        }
    }

    /// The faults of problems, by line.
    pub(crate) fn faults(&self, problems: impl IntoIterator<Item = Problem>) -> Vec<FileFault> {
        let mut faults: Vec<FileFault> = problems.into_iter().map(|problem| self.fault(problem)).collect();
        faults.sort_by_key(|fault| fault.line);
        faults
    }

    /// The line of a place, else of its key, else 1.
    fn line(&self, place: &KeyPlace) -> usize {
        let of_key = || match place {
            KeyPlace::Item(key, _) | KeyPlace::Entry(key, _) => self.lines.get(&KeyPlace::Key(key.clone())),
            KeyPlace::File | KeyPlace::Key(_) => None,
        };
        self.lines.get(place).or_else(of_key).copied().unwrap_or(1)
    }
}

/// The offsets at which lines begin, so that the line of a byte is found without reading the text again.
struct LineStarts(Vec<usize>);

impl LineStarts {
    fn of(text: &str) -> LineStarts {
        LineStarts(std::iter::once(0).chain(text.match_indices('\n').map(|(end, _)| end + 1)).collect())
    }

    /// The line that holds a byte, from 1.
    fn line_of(&self, byte: usize) -> usize {
        self.0.partition_point(|start| *start <= byte)
    }
}

fn lines(table: &DeTable<'_>, starts: &LineStarts) -> BTreeMap<KeyPlace, usize> {
    let mut lines = BTreeMap::new();
    let mut add = |place: KeyPlace, span: Range<usize>| lines.insert(place, starts.line_of(span.start));
    for (key, value) in table {
        let name = key.get_ref().as_ref();
        add(KeyPlace::key(name), key.span());
        match value.get_ref() {
            DeValue::Array(items) => {
                for (number, item) in items.iter().enumerate() {
                    add(KeyPlace::item(name, number), item.span());
                }
            }
            DeValue::Table(entries) => {
                for entry in entries.keys() {
                    add(KeyPlace::entry(name, entry.get_ref()), entry.span());
                }
            }
            _ => {}
        }
    }
    lines
}

/// The first error, with its offset, in the words of a bracket that is not closed, if there is one: all others follow from it.
fn first_in_words(errors: &[Error], text: &str) -> Option<(usize, String)> {
    let start = |error: &Error| error.span().map_or(0, |span| span.start);
    let first = errors.iter().min_by_key(|error| start(error))?;
    let is_telling =
        |error: &&Error| ["unclosed", "extra assignment"].iter().any(|word| error.message().starts_with(word));
    let telling = errors.iter().find(is_telling).unwrap_or(first);
    Some((start(first), in_words(telling, start(first), text)))
}

/// An error of the parser, with what was found at an offset and what is expected. Three have words of ours, for people who do not know TOML.
fn in_words(error: &Error, start: usize, text: &str) -> String {
    let at = text.get(error.span().unwrap_or_default()).unwrap_or_default().trim();
    let line_start = text.get(..start).and_then(|before| before.rfind('\n')).map_or(0, |end| end + 1);
    let line = text.get(line_start..).and_then(|rest| rest.lines().next()).unwrap_or_default();
    let (at, line) = (sanitized(at, LONGEST_QUOTE), sanitized(line.trim(), LONGEST_QUOTE));
    let says = |phrases: &[&str]| phrases.iter().any(|phrase| error.message().starts_with(phrase));
    if says(&["string values must be quoted"]) && !at.is_empty() {
        let word = at.trim_matches(|c| matches!(c, '“' | '”' | '„' | '‘' | '’' | '"' | '\''));
        format!("found {at}; expected \"{word}\" in straight quotes, or a number, true, false, a list")
    } else if says(&["key with no value", "invalid unquoted key", "unquoted keys cannot be empty"]) {
        format!("found {line}; expected key = value")
    } else if says(&["invalid type: integer", "u64 value was too large", "integer number overflowed"]) {
        format!("found {line}; expected a number of fewer digits")
    } else {
        format!("found {line}; expected TOML: {}", error.message())
    }
}
