//! The keys of a kind of file, and the check of a file against them.

use toml::Value;

use privy_base::message::{closest, did_you_mean, is_unsafe, sanitized};

use super::{KeyPlace, Problem};

/// The kind of value that a key takes.
#[derive(Debug, Clone, Copy)]
pub enum Kind {
    /// A text.
    Text,
    /// A list of texts.
    Texts,
    /// A text of 1 to 24 characters, all of which are safe to show.
    Name,
    /// `true` or `false`.
    Flag,
    /// `true`, `false` or one of some words.
    FlagOrWord(&'static [&'static str]),
    /// A whole number from the first to the second.
    Number(i64, i64),
    /// The same, or the word `none`.
    NumberOrNone(i64, i64),
    /// One of some words.
    Word(&'static [&'static str]),
    /// Keys and values in braces.
    Group(&'static [Key]),
    /// The same, or the word `none`.
    GroupOrNone(&'static [Key]),
    /// Point names, each with two coordinates.
    Spots,
}

/// A key of a TOML file.
#[derive(Debug, Clone, Copy)]
pub struct Key {
    /// The name.
    pub name: &'static str,
    #[doc(hidden)]
    pub kind: Kind,
    /// True if every file must have it.
    pub required: bool,
    /// A value as a file writes it.
    pub example: &'static str,
    /// In Markdown.
    pub meaning: &'static str,
}

const LONGEST: usize = 60;

/// Characters of a name.
const LONGEST_NAME: usize = 24;

/// `a, b or c`.
fn alternatives(words: &[&str]) -> String {
    let quoted: Vec<String> = words.iter().map(|word| format!("\"{word}\"")).collect();
    match quoted.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} or {last}", rest.join(", ")),
        _ => quoted.concat(),
    }
}

/// What a value is, in words, for an error.
pub fn found(value: &Value) -> String {
    match value {
        Value::String(text) => format!("\"{}\"", sanitized(text, LONGEST)),
        Value::Array(items) if items.is_empty() => "an empty list".to_owned(),
        Value::Array(_) => "a list".to_owned(),
        Value::Table(_) => "a table of keys".to_owned(),
        Value::Datetime(_) => "a date".to_owned(),
        Value::Integer(number) => number.to_string(),
        // Not `2` for 2.0.
        Value::Float(number) => format!("{number:?}"),
        Value::Boolean(flag) => flag.to_string(),
    }
}

impl Key {
    /// A key that every file must have.
    pub const fn required(name: &'static str, kind: Kind, example: &'static str, meaning: &'static str) -> Key {
        Key { name, kind, required: true, example, meaning }
    }

    #[doc(hidden)]
    pub const fn optional(name: &'static str, kind: Kind, example: &'static str, meaning: &'static str) -> Key {
        Key { name, kind, required: false, example, meaning }
    }

    /// True if the value means the same as leaving the key out.
    pub fn is_neutral(&self, value: &Value) -> bool {
        match self.kind {
            _ if self.required => false,
            Kind::Flag | Kind::FlagOrWord(_) => value.as_bool() == Some(false),
            Kind::Number(least, _) => value.as_integer() == Some(least),
            Kind::Word(words) => value.as_str() == words.first().copied(),
            Kind::NumberOrNone(..) | Kind::GroupOrNone(_) => value.as_str() == Some(NONE),
            Kind::Texts => value.as_array().is_some_and(Vec::is_empty),
            Kind::Text | Kind::Name | Kind::Group(_) | Kind::Spots => false,
        }
    }
}

impl Kind {
    pub(crate) fn expected(&self) -> String {
        match self {
            Kind::Text => "a text in quotes".to_owned(),
            Kind::Name => format!("a text of 1 to {LONGEST_NAME} characters"),
            Kind::Texts => "a list of texts, such as [\"a\", \"b\"]".to_owned(),
            Kind::Flag => "true or false".to_owned(),
            Kind::FlagOrWord(words) => format!("true, false, {}", alternatives(words)),
            Kind::Number(least, most) => format!("a whole number from {least} to {most}"),
            Kind::NumberOrNone(least, most) => format!("a whole number from {least} to {most}, or \"none\""),
            Kind::Word(words) => alternatives(words),
            Kind::Group(keys) => {
                let any = keys.iter().any(|key| key.required);
                let all: Vec<String> = keys
                    .iter()
                    .filter(|key| key.required || !any)
                    .map(|key| format!("{} = {}", key.name, key.example))
                    .collect();
                format!("{{ {} }}", all.join(", "))
            }
            Kind::GroupOrNone(keys) => format!("{}, or \"none\"", Kind::Group(keys).expected()),
            Kind::Spots => "points with their coordinates, such as b4 = [2, 3.5]".to_owned(),
        }
    }

    fn check(&self, siblings: &[Key], place: KeyPlace, value: &Value, problems: &mut Vec<Problem>) {
        let mut wrong = |place: KeyPlace, value: &Value, expected: &str| {
            problems.push(Problem::new(place, format!("found {}; expected {expected}", found(value))));
        };
        match (self, value) {
            (Kind::Text, Value::String(_)) | (Kind::Flag | Kind::FlagOrWord(_), Value::Boolean(_)) => {}
            (Kind::Name, Value::String(text)) if is_name(text) => {}
            (Kind::Texts, Value::Array(items)) => {
                for (number, item) in items.iter().enumerate().filter(|(_, item)| !item.is_str()) {
                    let place =
                        if let KeyPlace::Key(key) = &place { KeyPlace::item(key, number) } else { place.clone() };
                    wrong(place, item, &Kind::Text.expected());
                }
            }
            (Kind::Number(least, most) | Kind::NumberOrNone(least, most), Value::Integer(number))
                if (least..=most).contains(&number) => {}
            (Kind::NumberOrNone(..) | Kind::GroupOrNone(_), Value::String(word)) if word == NONE => {}
            (Kind::Word(words) | Kind::FlagOrWord(words), Value::String(word)) if words.contains(&word.as_str()) => {}
            (Kind::Word(words) | Kind::FlagOrWord(words), Value::String(word)) => {
                let meant = did_you_mean(word, words.iter().copied());
                wrong(place, value, &format!("{}{meant}", self.expected()));
            }
            (Kind::Group(keys) | Kind::GroupOrNone(keys), Value::Table(table)) => {
                let KeyPlace::Key(name) = &place else { return };
                check_keys(keys, siblings, table, |key| KeyPlace::entry(name, key), problems);
                problems.extend(missing(keys, table).map(|text| Problem::new(place, text)));
            }
            (Kind::Spots, Value::Table(table)) => {
                let KeyPlace::Key(name) = &place else { return };
                for (point, value) in table.iter().filter(|(_, value)| !is_spot(value)) {
                    let text = if siblings.iter().any(|key| key.name == point) {
                        format!("stands below [{name}], which makes it a point; expected above [{name}]")
                    } else {
                        format!("found {}; expected the coordinates of a point, such as [2, 3.5]", found(value))
                    };
                    problems.push(Problem::new(KeyPlace::entry(name, point), text));
                }
            }
            (Kind::Texts, Value::String(text)) if text == NONE => {
                wrong(place, value, &format!("{}, or [] for none", self.expected()));
            }
            (Kind::Texts, Value::String(text)) => {
                wrong(place, value, &format!("[\"{}\"], a list of texts", sanitized(text, LONGEST)));
            }
            _ => wrong(place, value, &self.expected()),
        }
    }
}

fn is_name(text: &str) -> bool {
    (1..=LONGEST_NAME).contains(&text.chars().count()) && text.trim() == text && !text.contains(is_unsafe)
}

fn is_spot(value: &Value) -> bool {
    value.as_array().is_some_and(|items| items.len() == 2 && items.iter().all(|n| n.is_integer() || n.is_float()))
}

/// The word that takes back the value of an extended file.
pub const NONE: &str = "none";

/// What other programs say of hunts and no file can, by a part of the word that a key would be, with the reason.
const STAYS_OUT: [(&str, &str); 8] = [
    ("generals", ONE_GENERAL),
    ("foxes", ONE_GENERAL),
    ("tigers", ONE_GENERAL),
    ("quarries", ONE_GENERAL),
    ("stack", ONE_PIECE),
    ("pile", ONE_PIECE),
    ("penalty", FEWER_REBELS),
    ("huff", FEWER_REBELS),
];
const ONE_GENERAL: &str = "a game has one General";
const ONE_PIECE: &str = "a point holds one piece at most";
const FEWER_REBELS: &str = "Rebels only become fewer, and captures may not be demanded";

fn stays_out(key: &str) -> Option<&'static str> {
    STAYS_OUT.iter().find(|(part, _)| key.contains(part)).map(|(_, reason)| *reason)
}

/// Adds a problem for each unknown key and each wrong value. `outer` are the keys of the file where the table is not the file.
pub(super) fn check_keys(
    keys: &[Key],
    outer: &[Key],
    table: &toml::Table,
    place: impl Fn(&str) -> KeyPlace,
    problems: &mut Vec<Problem>,
) {
    let mut are_listed = false;
    for (name, value) in table {
        match keys.iter().find(|key| key.name == name) {
            Some(key) => key.kind.check(keys, place(name), value, problems),
            None => {
                let names = || keys.iter().map(|key| key.name);
                let cure = match (did_you_mean(name, names()), stays_out(name), value) {
                    _ if outer.iter().any(|key| key.name == name) => {
                        " here; expected above the line in brackets, or outside the braces".to_owned()
                    }
                    (meant, ..) if !meant.is_empty() => meant,
                    (_, Some(reason), _) => format!(": {reason}; expected a game without"),
                    (.., Value::Table(_)) => "; expected no line in brackets above the keys".to_owned(),
                    _ if std::mem::replace(&mut are_listed, true) => {
                        "; expected one of the keys listed here".to_owned()
                    }
                    _ => format!("; expected one of {}", names().collect::<Vec<_>>().join(", ")),
                };
                problems.push(Problem::new(place(name), format!("there is no such key{cure}")));
            }
        }
    }
}

pub(crate) fn unknown_keys<'a>(keys: &[Key], table: &'a toml::Table) -> impl Iterator<Item = &'a String> {
    table.keys().filter(|name| keys.iter().all(|key| key.name != *name))
}

/// The keys that unknown keys of a table may mean.
pub(crate) fn meant_keys(keys: &[Key], table: &toml::Table) -> Vec<&'static str> {
    unknown_keys(keys, table).filter_map(|name| closest(name, keys.iter().map(|key| key.name))).collect()
}

/// One text for all missing keys. A misspelt key is not missing.
pub fn missing(keys: &[Key], table: &toml::Table) -> Option<String> {
    let meant = meant_keys(keys, table);
    let missing: Vec<String> = keys
        .iter()
        .filter(|key| key.required && !table.contains_key(key.name) && !meant.contains(&key.name))
        .map(|key| format!("{} = {}", key.name, key.example))
        .collect();
    match missing.as_slice() {
        [] => None,
        [one] => Some(format!("a key is missing; expected also {one}")),
        all => Some(format!("{} keys are missing; expected also {}", all.len(), all.join(", "))),
    }
}
