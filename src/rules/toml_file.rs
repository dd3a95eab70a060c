//! TOML files written by hand: every error gives its line and the fix.
//!
//! A file is an [`Entry`]: its keys are entries too, each with its name and its place. A reader declares its [`Key`]s,
//! each with the [`RuleValue`] that it takes, and checks them all at once. A fault is made where it is found, from the
//! entry that is wrong.

use std::borrow::Borrow;
use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use privy_base::message::{closest, did_you_mean, is_quotable, sanitized, shown, withheld};
use toml::de::{DeTable, DeValue, Error};

const LONGEST_FAULT: usize = 1000;

const LONGEST_QUOTE: usize = 60;

/// The end of the name of a text that is built in.
pub(crate) const BUILT_IN: &str = " (built in)";

/// The word that takes back the value of an extended file.
pub(crate) const NONE: &str = "none";

/// A title as one line that is safe to show.
pub(crate) fn one_line(title: &str) -> String {
    const LONGEST_TITLE: usize = 200;
    sanitized(&title.split_whitespace().collect::<Vec<_>>().join(" "), LONGEST_TITLE)
}

/// An error or a warning with its file and line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileFault {
    /// The file as it was named; `None` for a text from elsewhere.
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

/// All faults of a file and those that it names, at least one; one per line.
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
        faults.sort_by(|a, b| (&a.path, a.line).cmp(&(&b.path, b.line)));
        let withheld = file_withheld();
        faults.dedup_by(|fault, before| fault.path == before.path && fault.text == withheld && before.text == withheld);
        FileFaults(faults)
    }
}

/// The text of every fault in a file that may not be quoted.
fn file_withheld() -> String {
    withheld("a variant or board file", "toml")
}

/// A text of TOML.
#[derive(Debug)]
struct Source {
    /// The name of its file; `None` for a text from elsewhere.
    path: Option<String>,
    /// The folder of the files that it names; `None` where it can name none.
    folder: Option<PathBuf>,
    text: String,
    /// The bytes at which lines begin.
    starts: Vec<usize>,
}

/// A value of a file with the name of its key, which is empty for the file itself, and its line.
#[derive(Debug, Clone)]
pub struct Entry {
    name: Arc<str>,
    file: Arc<Source>,
    line: usize,
    pub(crate) value: Value,
}

/// What a file can say in a place.
#[derive(Debug, Clone)]
pub(crate) enum Value {
    Text(String),
    Integer(i64),
    Float(f64),
    Flag(bool),
    Date,
    List(Vec<Entry>),
    Table(BTreeMap<String, Entry>),
}

/// As an error says what was found.
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Text(text) => write!(f, "\"{}\"", sanitized(text, LONGEST_QUOTE)),
            Value::List(items) if items.is_empty() => f.write_str("an empty list"),
            Value::List(_) => f.write_str("a list"),
            Value::Table(_) => f.write_str("a table of keys"),
            Value::Date => f.write_str("a date"),
            Value::Integer(number) => write!(f, "{number}"),
            // Not `2` for 2.0.
            Value::Float(number) => write!(f, "{number:?}"),
            Value::Flag(flag) => write!(f, "{flag}"),
        }
    }
}

impl Entry {
    /// Reads a text that is TOML; `path` is the name of its file, `folder` that of the files that it names.
    #[doc(hidden)]
    pub fn parse(path: Option<String>, folder: Option<&Path>, text: &str) -> Result<Entry, Vec<FileFault>> {
        let starts = std::iter::once(0).chain(text.match_indices('\n').map(|(end, _)| end + 1)).collect();
        let file = Source { path, folder: folder.map(Path::to_owned), text: text.to_owned(), starts };
        let (file, whole) = (Arc::new(file), Arc::from(""));
        let (tree, errors) = DeTable::parse_recoverable(text);
        match first_in_words(&errors, text) {
            None => Ok(Entry::of(&file, &whole, 0, &DeValue::Table(tree.into_inner()))),
            Some((start, words)) => Err(vec![Entry::at(&file, &whole, start, Value::Date).fault(words)]),
        }
    }

    /// Reads the text of a file of this path.
    pub(crate) fn parse_file(path: &Path, text: &str) -> Result<Entry, Vec<FileFault>> {
        Entry::parse(Some(path.display().to_string()), path.parent(), text)
    }

    fn at(file: &Arc<Source>, name: &Arc<str>, start: usize, value: Value) -> Entry {
        let line = file.starts.partition_point(|line| *line <= start);
        Entry { name: Arc::clone(name), file: Arc::clone(file), line, value }
    }

    fn of(file: &Arc<Source>, name: &Arc<str>, start: usize, value: &DeValue<'_>) -> Entry {
        let float = |text: &str| Value::Float(text.parse().unwrap_or(f64::NAN));
        let value = match value {
            DeValue::String(text) => Value::Text(text.to_string()),
            // An integer of too many digits is no integer here.
            DeValue::Integer(number) => i64::from_str_radix(number.as_str(), number.radix())
                .map_or_else(|_| float(number.as_str()), Value::Integer),
            DeValue::Float(number) => float(number.as_str()),
            DeValue::Boolean(flag) => Value::Flag(*flag),
            DeValue::Datetime(_) => Value::Date,
            DeValue::Array(items) => {
                let items = items.iter().map(|item| Entry::of(file, name, item.span().start, item.get_ref()));
                Value::List(items.collect())
            }
            DeValue::Table(table) => {
                let dot = if name.is_empty() { "" } else { "." };
                let entries = table.iter().map(|(key, value)| {
                    let name = Arc::from(format!("{name}{dot}{}", key.get_ref()));
                    (key.get_ref().to_string(), Entry::of(file, &name, key.span().start, value.get_ref()))
                });
                Value::Table(entries.collect())
            }
        };
        Entry::at(file, name, start, value)
    }

    /// The text of the file.
    pub(crate) fn source(&self) -> &str {
        &self.file.text
    }

    /// The folder in which the file names others; `None` where it can name none.
    pub(crate) fn folder(&self) -> Option<&Path> {
        self.file.folder.as_deref()
    }

    /// The keys of a table.
    pub(crate) fn keys(&self) -> impl Iterator<Item = (&String, &Entry)> {
        let table = if let Value::Table(table) = &self.value { Some(table) } else { None };
        table.into_iter().flatten()
    }

    /// The value of a key.
    pub(crate) fn get(&self, key: &str) -> Option<&Entry> {
        if let Value::Table(table) = &self.value { table.get(key) } else { None }
    }

    /// True if it is a table with one of these keys.
    pub(crate) fn has_any(&self, keys: &[&str]) -> bool {
        keys.iter().any(|key| self.get(key).is_some())
    }

    pub(crate) fn is_table(&self) -> bool {
        matches!(self.value, Value::Table(_))
    }

    pub(crate) fn text(&self) -> Option<&str> {
        if let Value::Text(text) = &self.value { Some(text) } else { None }
    }

    /// The text of a key.
    pub(crate) fn text_of(&self, key: &str) -> Option<&str> {
        self.get(key)?.text()
    }

    /// The texts of the list of a key, each with its entry.
    pub(crate) fn texts_of(&self, key: &str) -> impl Iterator<Item = (&str, &Entry)> {
        let list = self.get(key).map_or(&[][..], Entry::list);
        list.iter().filter_map(|item| Some((item.text()?, item)))
    }

    fn list(&self) -> &[Entry] {
        if let Value::List(items) = &self.value { items } else { &[] }
    }

    /// The value of a key, after [`check_keys`] has found no fault.
    pub(crate) fn value_of<V: RuleValue>(&self, key: &str) -> Option<V::Of> {
        V::read(self.get(key)?, &[]).ok()
    }

    /// A point with its coordinates, `[2, 3.5]`.
    pub(crate) fn coordinates(&self) -> Option<[f64; 2]> {
        let number = |item: &Entry| match item.value {
            Value::Integer(number) => Some(number as f64),
            Value::Float(number) => Some(number),
            _ => None,
        };
        if let [x, y] = self.list() { Some([number(x)?, number(y)?]) } else { None }
    }

    /// Adds the keys of another table that are missing in this one, if `is_wanted`.
    pub(crate) fn inherit(&mut self, other: &Entry, is_wanted: impl Fn(&str) -> bool) {
        let Value::Table(table) = &mut self.value else { return };
        for (key, entry) in other.keys().filter(|(key, _)| is_wanted(key)) {
            table.entry(key.clone()).or_insert_with(|| entry.clone());
        }
    }

    /// True if both are of one file.
    pub(crate) fn is_beside(&self, other: &Entry) -> bool {
        Arc::ptr_eq(&self.file, &other.file)
    }

    /// True for a fault of the same file.
    pub(crate) fn is_in(&self, fault: &FileFault) -> bool {
        fault.path == self.file.path
    }

    /// A fault of this value: `key: TEXT`. It quotes the text only of a file that is TOML by its name.
    pub(crate) fn fault(&self, text: impl fmt::Display) -> FileFault {
        let path = self.file.path.as_ref();
        let may_quote = path.is_none_or(|path| path.ends_with(BUILT_IN) || is_quotable(Path::new(path), "toml"));
        let colon = if self.name.is_empty() { "" } else { ": " };
        let text = format!("{}{colon}{text}", self.name);
        let text = if may_quote { sanitized(&text, LONGEST_FAULT) } else { file_withheld() };
        FileFault { path: path.cloned(), line: self.line, text }
    }

    /// A fault of the value of a key, or of this table without it.
    pub(crate) fn fault_of(&self, key: &str, text: impl fmt::Display) -> FileFault {
        self.get(key).map_or_else(|| self.fault(format!("{key}: {text}")), |entry| entry.fault(&text))
    }

    /// The fault of a problem, at its item if the value is a list.
    pub(crate) fn fault_at(&self, Problem { key, item, text }: &Problem) -> FileFault {
        let item = item.and_then(|number| self.get(key)?.list().get(number));
        item.map_or_else(|| self.fault_of(key, text), |item| item.fault(text))
    }

    /// The faults of a value that should be another.
    pub(crate) fn wrong(&self, expected: impl fmt::Display) -> Vec<FileFault> {
        vec![self.fault(format!("found {}; expected {expected}", self.value))]
    }
}

/// What contradicts other keys or the board: the key, the number of an item in its list, and what is expected.
#[derive(Debug, Clone, PartialEq)]
pub struct Problem {
    /// The key.
    pub key: &'static str,
    pub(crate) item: Option<usize>,
    pub(crate) text: String,
}

impl Problem {
    pub(crate) fn new(key: &'static str, text: impl Into<String>) -> Problem {
        Problem { key, item: None, text: text.into() }
    }

    pub(crate) fn item(key: &'static str, number: usize, text: impl Into<String>) -> Problem {
        Problem { key, item: Some(number), text: text.into() }
    }
}

/// `key: found …; expected …`.
impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.key, self.text)
    }
}

/// The line that holds a byte, as an error quotes it.
fn quoted_line(text: &str, byte: usize) -> String {
    let start = text.get(..byte).and_then(|before| before.rfind('\n')).map_or(0, |end| end + 1);
    sanitized(text.get(start..).and_then(|rest| rest.lines().next()).unwrap_or_default().trim(), LONGEST_QUOTE)
}

/// The first error, with its offset, in the words of a bracket that is not closed, if there is one: all others follow
/// from it. It says what was found and what is expected; two errors have words of ours, for people who do not know
/// TOML.
fn first_in_words(errors: &[Error], text: &str) -> Option<(usize, String)> {
    let start = |error: &Error| error.span().map_or(0, |span| span.start);
    let says = |error: &Error, phrases: &[&str]| phrases.iter().any(|phrase| error.message().starts_with(phrase));
    let first = errors.iter().min_by_key(|error| start(error))?;
    let error = errors.iter().find(|error| says(error, &["unclosed", "extra assignment"])).unwrap_or(first);
    let at = sanitized(text.get(error.span().unwrap_or_default()).unwrap_or_default().trim(), LONGEST_QUOTE);
    let line = quoted_line(text, start(first));
    let words = if says(error, &["string values must be quoted"]) && !at.is_empty() {
        let word = at.trim_matches(|c| matches!(c, '“' | '”' | '„' | '‘' | '’' | '"' | '\''));
        format!("found {at}; expected \"{word}\" in straight quotes, or a number, true, false, a list")
    } else if says(error, &["key with no value", "invalid unquoted key", "unquoted keys cannot be empty"]) {
        format!("found {line}; expected key = value")
    } else {
        format!("found {line}; expected TOML: {}", error.message())
    };
    Some((start(first), words))
}

/// A value of a file, described once: what is expected, how it is read, how it is written.
pub trait RuleValue {
    /// What it means in the program.
    type Of;

    /// The keys of a table; none of another value.
    const KEYS: &[Key] = &[];

    /// The values that it can have, in words; those of a table: `{ files = 5, rows = 5 }`.
    fn expected() -> String {
        let any = Self::KEYS.iter().any(|key| key.required);
        let shown = Self::KEYS.iter().filter(|key| key.required || !any);
        let all: Vec<String> = shown.map(|key| format!("{} = {}", key.name, key.example)).collect();
        format!("{{ {} }}", all.join(", "))
    }

    /// Reads it. `outer` are the keys beside it, which do not belong into it.
    ///
    /// # Errors
    /// What is wrong, each at its place.
    fn read(entry: &Entry, outer: &[Key]) -> Result<Self::Of, Vec<FileFault>>;

    /// Writes it, if it is the value of a rule word; `None` if a file leaves it out.
    fn write(_: &Self::Of) -> Option<toml::Value> {
        None
    }

    /// What it says, if it is the value of a rule word; `meaning` is what the word says of every value.
    fn says(_: &Self::Of, meaning: &str) -> String {
        meaning.to_owned()
    }
}

impl RuleValue for String {
    type Of = String;

    fn expected() -> String {
        "a text in quotes".to_owned()
    }

    fn read(entry: &Entry, _: &[Key]) -> Result<String, Vec<FileFault>> {
        entry.text().map(str::to_owned).ok_or_else(|| entry.wrong(String::expected()))
    }

    fn write(value: &String) -> Option<toml::Value> {
        Some(value.as_str().into())
    }

    fn says(value: &String, _: &str) -> String {
        value.clone()
    }
}

impl<V: RuleValue> RuleValue for Vec<V> {
    type Of = Vec<V::Of>;

    fn expected() -> String {
        "a list of texts, such as [\"a\", \"b\"]".to_owned()
    }

    fn read(entry: &Entry, outer: &[Key]) -> Result<Vec<V::Of>, Vec<FileFault>> {
        let items = match &entry.value {
            Value::List(items) => items,
            Value::Text(text) if text == NONE => {
                return Err(entry.wrong(format!("{}, or [] for none", Self::expected())));
            }
            text @ Value::Text(_) => return Err(entry.wrong(format!("[{text}], a list of texts"))),
            _ => return Err(entry.wrong(Self::expected())),
        };
        let read: Vec<_> = items.iter().map(|item| V::read(item, outer)).collect();
        if read.iter().all(Result::is_ok) {
            return Ok(read.into_iter().flatten().collect());
        }
        Err(read.into_iter().filter_map(Result::err).flatten().collect())
    }

    fn write(value: &Vec<V::Of>) -> Option<toml::Value> {
        value.iter().map(V::write).collect::<Option<Vec<_>>>().map(toml::Value::Array)
    }

    fn says(value: &Vec<V::Of>, meaning: &str) -> String {
        let points: Vec<String> = value.iter().map(|point| V::says(point, "")).collect();
        meaning.replace("these points", &points.join(", "))
    }
}

impl RuleValue for bool {
    type Of = bool;

    fn expected() -> String {
        "true or false".to_owned()
    }

    fn read(entry: &Entry, _: &[Key]) -> Result<bool, Vec<FileFault>> {
        if let Value::Flag(flag) = entry.value { Ok(flag) } else { Err(entry.wrong(bool::expected())) }
    }

    fn write(value: &bool) -> Option<toml::Value> {
        Some((*value).into())
    }
}

/// A whole number in a range.
pub(crate) struct Whole<T, const LEAST: i64, const MOST: i64>(std::marker::PhantomData<T>);

impl<T: TryFrom<i64> + Into<i64> + Copy, const LEAST: i64, const MOST: i64> RuleValue for Whole<T, LEAST, MOST> {
    type Of = T;

    fn expected() -> String {
        format!("a whole number from {LEAST} to {MOST}")
    }

    fn read(entry: &Entry, _: &[Key]) -> Result<T, Vec<FileFault>> {
        let number = if let Value::Integer(number) = entry.value { Some(number) } else { None };
        let number = number.filter(|number| (LEAST..=MOST).contains(number)).and_then(|number| number.try_into().ok());
        number.ok_or_else(|| entry.wrong(Self::expected()))
    }

    fn write(value: &T) -> Option<toml::Value> {
        Some(toml::Value::Integer((*value).into()))
    }

    fn says(value: &T, meaning: &str) -> String {
        let number: i64 = (*value).into();
        meaning.replace("this number", &number.to_string())
    }
}

/// A value, or the word that takes back an inherited one.
impl<V: RuleValue> RuleValue for Option<V> {
    type Of = Option<V::Of>;

    fn expected() -> String {
        format!("{}, or \"{NONE}\"", V::expected())
    }

    fn read(entry: &Entry, outer: &[Key]) -> Result<Option<V::Of>, Vec<FileFault>> {
        if entry.text() == Some(NONE) {
            return Ok(None);
        }
        // Of a table each key has its fault.
        let is_group = entry.is_table();
        V::read(entry, outer).map(Some).map_err(|faults| if is_group { faults } else { entry.wrong(Self::expected()) })
    }

    fn write(value: &Option<V::Of>) -> Option<toml::Value> {
        V::write(value.as_ref()?)
    }

    fn says(value: &Option<V::Of>, meaning: &str) -> String {
        value.as_ref().map_or_else(String::new, |value| V::says(value, meaning))
    }
}

/// `a, b or c`.
pub(crate) fn alternatives<S: Borrow<str> + fmt::Display>(words: &[S]) -> String {
    match words.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} or {last}", rest.join(", ")),
        _ => words.concat(),
    }
}

/// Reads a table of the keys of a value, all of which are right.
pub(crate) fn read_group<'a, V: RuleValue>(entry: &'a Entry, outer: &[Key]) -> Result<&'a Entry, Vec<FileFault>> {
    if !entry.is_table() {
        return Err(entry.wrong(V::expected()));
    }
    let mut faults = check_keys(V::KEYS, outer, entry);
    faults.extend(missing(V::KEYS, entry).map(|text| entry.fault(text)));
    if faults.is_empty() { Ok(entry) } else { Err(faults) }
}

/// A key of a TOML file.
#[derive(Debug, Clone, Copy)]
pub struct Key {
    /// The name.
    pub name: &'static str,
    /// True if every file must have it.
    pub required: bool,
    /// A value as a file writes it.
    pub example: &'static str,
    /// In Markdown; empty where only a page says it.
    pub meaning: &'static str,
    /// The values that it can have, in words.
    pub expected: fn() -> String,
    check: fn(&Entry, &[Key]) -> Vec<FileFault>,
}

impl Key {
    #[doc(hidden)]
    pub const fn optional<V: RuleValue>(name: &'static str, example: &'static str) -> Key {
        Key { name, required: false, example, meaning: "", expected: V::expected, check: faults_of::<V> }
    }

    /// A key that every file must have.
    pub(crate) const fn required<V: RuleValue>(name: &'static str, example: &'static str) -> Key {
        Key { required: true, ..Key::optional::<V>(name, example) }
    }

    /// The key with its meaning.
    pub(crate) const fn means(self, meaning: &'static str) -> Key {
        Key { meaning, ..self }
    }
}

fn faults_of<V: RuleValue>(entry: &Entry, outer: &[Key]) -> Vec<FileFault> {
    V::read(entry, outer).err().unwrap_or_default()
}

/// A fault for each unknown key and each wrong value. `outer` are the keys of the file if the table is a part of it.
#[doc(hidden)]
pub fn check_keys(keys: &[Key], outer: &[Key], table: &Entry) -> Vec<FileFault> {
    let mut faults = Vec::new();
    let mut are_listed = false;
    for (name, entry) in table.keys() {
        if let Some(key) = keys.iter().find(|key| key.name == name) {
            faults.extend((key.check)(entry, keys));
            continue;
        }
        let names = || keys.iter().map(|key| key.name);
        let meant = did_you_mean(name, names());
        let cure = if outer.iter().any(|key| key.name == name) {
            " here; expected above the line in brackets, or outside the braces".to_owned()
        } else if !meant.is_empty() {
            meant
        } else if entry.is_table() {
            "; expected no line in brackets above the keys".to_owned()
        } else if std::mem::replace(&mut are_listed, true) {
            "; expected one of the keys listed here".to_owned()
        } else {
            format!("; expected one of {}", names().collect::<Vec<_>>().join(", "))
        };
        faults.push(entry.fault(format!("there is no such key{cure}")));
    }
    faults
}

/// The keys of a table that are not listed.
pub(crate) fn unknown_keys<'a>(keys: &[Key], table: &'a Entry) -> impl Iterator<Item = &'a String> {
    table.keys().map(|(name, _)| name).filter(|name| keys.iter().all(|key| key.name != *name))
}

/// The keys that unknown keys of a table may mean.
pub(crate) fn meant_keys(keys: &[Key], table: &Entry) -> Vec<&'static str> {
    unknown_keys(keys, table).filter_map(|name| closest(name, keys.iter().map(|key| key.name))).collect()
}

/// One text for all missing keys. A misspelt key is not missing.
pub(crate) fn missing(keys: &[Key], table: &Entry) -> Option<String> {
    let meant = meant_keys(keys, table);
    let is_missing = |key: &&Key| key.required && table.get(key.name).is_none() && !meant.contains(&key.name);
    let missing: Vec<String> =
        keys.iter().filter(is_missing).map(|key| format!("{} = {}", key.name, key.example)).collect();
    match missing.as_slice() {
        [] => None,
        [one] => Some(format!("a key is missing; expected also {one}")),
        all => Some(format!("{} keys are missing; expected also {}", all.len(), all.join(", "))),
    }
}
