//! The engine's options: a row each, from which the typed field, its text form and its help follow.

use std::ffi::OsStr;
use std::fmt;
use std::ops::RangeInclusive;

use privy_base::path_choice::PathChoice;
use privy_protocol::{ErrorCode, ProtocolError};

use super::play_style::PlayStyle;
use super::skill::FULL_STRENGTH;

/// Declares the options, each with its default, the form of its text, and its summary.
macro_rules! options {
    ($($name:ident: $Type:ty = $default:expr, $form:expr, $summary:literal;)+) => {
        /// The values of all options.
        #[derive(Debug, Clone, PartialEq, Eq)]
        pub struct Options {
            $(#[doc = $summary] pub $name: $Type,)+
        }

        impl Default for Options {
            fn default() -> Options {
                Options { $($name: $default,)+ }
            }
        }

        static ROWS: &[Row] = &[$(Row {
            name: stringify!($name),
            summary: $summary,
            value: |options| {
                let form: fn(&mut $Type) -> Value<'_> = $form;
                form(&mut options.$name)
            },
        },)+];
    };
}

options! {
    threads: u64 = 1, |n| Number(n, 1..=256),
        "how many threads a search takes; only with one is it the same each time";
    hash: u64 = 256, |n| Number(n, 1..=65_536),
        "size of the transposition table in MiB, taken at the first search";
    multi_pv: u64 = 1, |n| Number(n, 1..=200),
        "how many best lines go reports";
    move_overhead: u64 = 10, |n| Number(n, 0..=10_000),
        "ms kept back from the clock for every move";
    move_limit: u64 = 0, |n| Number(n, 0..=1_000_000),
        "plies after which a game is a draw, 0 for no limit";
    seed: u64 = 0, |n| Number(n, 0..=u64::MAX >> 1),
        "choice among equal moves, 0 for always the same";
    level: u64 = FULL_STRENGTH, |n| Number(n, 1..=FULL_STRENGTH),
        "strength of play, 1 for a beginner, 10 for all there is";
    tables: PathChoice = PathChoice::Auto, |path| Path(path, "auto, off or a folder"),
        "where tables of perfect play are looked for";
    play_style: PlayStyle = PlayStyle::default(), |style| Style(style),
        "how to play what a table calls lost or drawn";
    ponder: bool = false, |is_on| Switch(is_on),
        "search on the opponent's time, after genmove";
    weights: PathChoice = PathChoice::Auto, |path| Path(path, "auto, off or a file"),
        "weights of the evaluation: the variant's own, those of its family, or those that privy-lab fit wrote";
}

struct Row {
    name: &'static str,
    summary: &'static str,
    value: fn(&mut Options) -> Value<'_>,
}

/// The value of an option, by the form of its text.
enum Value<'o> {
    Number(&'o mut u64, RangeInclusive<u64>),
    /// A path, and what is expected.
    Path(&'o mut PathChoice, &'static str),
    Style(&'o mut PlayStyle),
    Switch(&'o mut bool),
}

use Value::{Number, Path, Style, Switch};

/// The choices of a switch.
const SWITCH: &[&str] = &["on", "off"];

impl Value<'_> {
    fn text(&self) -> String {
        match self {
            Number(number, _) => number.to_string(),
            Path(path, _) => path.to_string(),
            Style(style) => style.to_string(),
            Switch(is_on) => (if **is_on { "on" } else { "off" }).to_owned(),
        }
    }

    /// The fixed words; none for a number or a path.
    fn choices(&self) -> &'static [&'static str] {
        match self {
            Number(..) | Path(..) => &[],
            Style(_) => &PlayStyle::NAMES,
            Switch(_) => SWITCH,
        }
    }

    /// The name of the form, and its bounds.
    fn kind(&self) -> (&'static str, String) {
        match self {
            Number(_, range) => ("int", format!("{} {}", range.start(), range.end())),
            Path(..) => ("path", "- -".to_owned()),
            Style(_) => ("choice", format!("{} -", PlayStyle::NAMES.join("|"))),
            Switch(_) => ("switch", "- -".to_owned()),
        }
    }

    /// The values that it can have, in words.
    fn expected(&self) -> String {
        match self {
            Number(_, range) => format!("{} to {}", range.start(), range.end()),
            Path(_, expected) => (*expected).to_owned(),
            other => other.choices().join(" or "),
        }
    }

    /// Sets it by its text; `None` for a text that is no value.
    fn set(self, text: &OsStr) -> Option<()> {
        match self {
            Number(number, range) => {
                *number = text.to_str()?.parse().ok().filter(|new| range.contains(new))?;
            }
            Path(path, _) => *path = Some(text).filter(|text| !text.is_empty()).map(PathChoice::from)?,
            Style(style) => *style = text.to_str()?.parse().ok()?,
            Switch(is_on) => {
                *is_on = match text.to_str()? {
                    "on" | "true" => true,
                    "off" | "false" => false,
                    _ => return None,
                }
            }
        }
        Some(())
    }

    /// The error of a text that is no value of the option of this name. Numbers are not clamped.
    fn wrong(&self, name: &str, found: &str) -> ProtocolError {
        let digits = found.strip_prefix('-').unwrap_or(found).as_bytes();
        let is_whole = !digits.is_empty() && digits.iter().all(u8::is_ascii_digit);
        let (code, of) = match self {
            Number(..) if is_whole => (ErrorCode::ValueOutOfRange, ""),
            Number(..) => (ErrorCode::SyntaxError, "a whole number from "),
            _ => (ErrorCode::SyntaxError, ""),
        };
        ProtocolError::new(code, format!("{name}: expected {of}{}, found \"{found}\"", self.expected()))
    }
}

/// The row of an option.
fn find(name: &str) -> Result<&'static Row, ProtocolError> {
    let unknown = || ProtocolError::new(ErrorCode::UnknownOption, format!("\"{name}\"; list_options names them all"));
    ROWS.iter().find(|row| row.name == name).ok_or_else(unknown)
}

impl Options {
    /// Returns the value of an option as text.
    ///
    /// # Errors
    /// When the option is unknown.
    pub fn get_by_name(&self, name: &str) -> Result<String, ProtocolError> {
        Ok((find(name)?.value)(&mut self.clone()).text())
    }

    /// Sets an option; nothing changes on an error. A path may have any name that the system knows.
    pub(super) fn set_by_name(&mut self, name: &str, text: &OsStr) -> Result<(), ProtocolError> {
        let value = find(name)?.value;
        let wrong = value(self).wrong(name, &text.to_string_lossy());
        value(self).set(text).ok_or(wrong)
    }

    /// Checks that all numbers are within their ranges.
    pub(super) fn check(&mut self) -> Result<(), ProtocolError> {
        ROWS.iter().try_for_each(|row| match (row.value)(self) {
            Number(number, range) if !range.contains(number) => {
                let found = number.to_string();
                Err(Number(number, range).wrong(row.name, &found))
            }
            _ => Ok(()),
        })
    }

    /// Returns the fixed words of an option; none for a number or any text.
    pub fn choices(name: &str) -> &'static [&'static str] {
        find(name).map_or(&[], |row| (row.value)(&mut Options::default()).choices())
    }

    /// The least and the greatest value of an option that is a number.
    pub fn range(name: &str) -> Option<RangeInclusive<u64>> {
        match (find(name).ok()?.value)(&mut Options::default()) {
            Number(_, range) => Some(range),
            _ => None,
        }
    }

    /// Returns the names of all options with their purposes.
    pub fn summaries() -> impl Iterator<Item = (&'static str, String)> {
        ROWS.iter().map(|row| match (row.value)(&mut Options::default()) {
            Number(..) => (row.name, row.summary.to_owned()),
            word => (row.name, format!("{}: {}", row.summary, word.expected())),
        })
    }
}

/// A line each: `NAME TYPE DEFAULT MIN MAX CURRENT`.
impl fmt::Display for Options {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let line = |Row { name, value, .. }: &Row| {
            let (mut default, mut current) = (Options::default(), self.clone());
            let (default, current) = (value(&mut default), value(&mut current).text());
            let (kind, bounds) = default.kind();
            format!("{name} {kind} {} {bounds} {current}", default.text())
        };
        f.write_str(&ROWS.iter().map(line).collect::<Vec<_>>().join("\n"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_value_is_set_by_its_text() {
        for row in ROWS {
            let mut options = Options::default();
            let (least, greatest) = match (row.value)(&mut Options::default()) {
                Number(_, range) => (range.start().to_string(), range.end().to_string()),
                Path(..) => ("off".to_owned(), "/some folder".to_owned()),
                word => (word.choices()[0].to_owned(), word.choices()[1].to_owned()),
            };
            for text in [least, greatest, Options::default().get_by_name(row.name).unwrap()] {
                options.set_by_name(row.name, text.as_ref()).unwrap();
                assert_eq!(options.get_by_name(row.name).unwrap(), text, "{}", row.name);
            }
            assert_eq!(options, Options::default());
        }
    }

    #[test]
    fn a_value_out_of_range_is_refused_and_not_clamped() {
        let mut options = Options::default();
        let error = options.set_by_name("hash", "0".as_ref()).unwrap_err();
        assert_eq!(error.to_string(), "value out of range: hash: expected 1 to 65536, found \"0\"");
        let mut code = |name, text: &str| options.set_by_name(name, text.as_ref()).unwrap_err().code();
        for [name, text] in [["hash", "-5"], ["seed", "99999999999999999999"]] {
            assert_eq!(code(name, text), ErrorCode::ValueOutOfRange, "{text}");
        }
        for [name, text] in [["hash", "x"], ["hash", "1.5"], ["play_style", "softest"]] {
            assert_eq!(code(name, text), ErrorCode::SyntaxError, "{text}");
        }
        assert_eq!(code("Hash", "1"), ErrorCode::UnknownOption);
        assert_eq!(options, Options::default());
        assert_eq!(options.set_by_name("hash", "65536".as_ref()), Ok(()));
        assert_eq!(options.hash, 65_536);
        options.level = 11;
        assert_eq!(
            options.check().unwrap_err().to_string(),
            "value out of range: level: expected 1 to 10, found \"11\""
        );
    }
}
