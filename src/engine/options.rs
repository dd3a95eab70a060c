//! The engine's options: typed fields, and a row each for their text form.

use std::ffi::OsStr;
use std::fmt;
use std::ops::RangeInclusive;
use std::time::Duration;

use privy_base::path_choice::PathChoice;
use privy_tables::PlayStyle;

use super::skill::FULL_STRENGTH;

/// The values of all options.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Options {
    pub(super) threads: usize,
    /// Of the transposition table, in MiB.
    pub(super) hash: usize,
    pub(super) multi_pv: usize,
    pub(super) move_overhead: Duration,
    /// In plies.
    pub(super) move_limit: Option<u32>,
    /// 0 for none.
    pub(super) seed: u64,
    pub(super) level: u64,
    pub(super) tables: PathChoice,
    pub(super) play_style: PlayStyle,
    pub(super) ponder: bool,
    pub(super) weights: PathChoice,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            threads: 1,
            hash: 256,
            multi_pv: 1,
            move_overhead: Duration::from_millis(10),
            move_limit: None,
            seed: 0,
            level: FULL_STRENGTH,
            tables: PathChoice::default(),
            play_style: PlayStyle::default(),
            ponder: false,
            weights: PathChoice::default(),
        }
    }
}

struct Row {
    name: &'static str,
    summary: &'static str,
    form: Form,
}

enum Form {
    /// A whole number with its least and greatest value.
    Number(u64, u64, fn(&Options) -> u64, fn(&mut Options, u64)),
    /// A word: what is expected, and the choices; a path has none. Setting gives `None` for another word.
    Word(&'static str, &'static [&'static str], fn(&Options) -> String, fn(&mut Options, &OsStr) -> Option<()>),
}

use Form::{Number, Word};

/// The choices of a switch.
const SWITCH: &[&str] = &["on", "off"];

const fn row(name: &'static str, summary: &'static str, form: Form) -> Row {
    Row { name, summary, form }
}

static ROWS: [Row; 11] = [
    row(
        "threads",
        "how many threads a search takes; only with one is it the same each time",
        Number(1, 256, |options| options.threads as u64, |options, number| options.threads = number as usize),
    ),
    row(
        "hash",
        "size of the transposition table in MiB, taken at the first search",
        Number(1, 65_536, |options| options.hash as u64, |options, number| options.hash = number as usize),
    ),
    row(
        "multi_pv",
        "how many best lines go reports",
        Number(1, 200, |options| options.multi_pv as u64, |options, number| options.multi_pv = number as usize),
    ),
    row(
        "move_overhead",
        "ms kept back from the clock for every move",
        Number(
            0,
            10_000,
            |options| options.move_overhead.as_millis() as u64,
            |options, number| options.move_overhead = Duration::from_millis(number),
        ),
    ),
    row(
        "move_limit",
        "plies after which a game is a draw, 0 for no limit",
        Number(
            0,
            1_000_000,
            |options| options.move_limit.unwrap_or(0).into(),
            |options, number| options.move_limit = u32::try_from(number).ok().filter(|limit| *limit > 0),
        ),
    ),
    row(
        "seed",
        "choice among equal moves, 0 for always the same",
        Number(0, u64::MAX >> 1, |options| options.seed, |options, number| options.seed = number),
    ),
    row(
        "level",
        "strength of play, 1 for a beginner, 10 for all there is",
        Number(1, FULL_STRENGTH, |options| options.level, |options, number| options.level = number),
    ),
    row(
        "tables",
        "where tables of perfect play are looked for",
        Word(
            "auto, off or a folder",
            &[],
            |options| options.tables.to_string(),
            |options, word| set_path(&mut options.tables, word),
        ),
    ),
    row(
        "play_style",
        "how to play what a table calls lost or drawn",
        Word(
            "hardest or longest",
            &PlayStyle::NAMES,
            |options| options.play_style.to_string(),
            |options, word| {
                options.play_style = word.to_str()?.parse().ok()?;
                Some(())
            },
        ),
    ),
    row(
        "ponder",
        "search on the opponent's time, after genmove",
        Word(
            "on or off",
            SWITCH,
            |options| (if options.ponder { "on" } else { "off" }).to_owned(),
            |options, word| {
                options.ponder = match word.to_str()? {
                    "on" | "true" => true,
                    "off" | "false" => false,
                    _ => return None,
                };
                Some(())
            },
        ),
    ),
    row(
        "weights",
        "weights of the evaluation: the variant's own, those of its family, or those that privy-lab fit wrote",
        Word(
            "auto, off or a file",
            &[],
            |options| options.weights.to_string(),
            |options, word| set_path(&mut options.weights, word),
        ),
    ),
];

fn set_path(choice: &mut PathChoice, word: &OsStr) -> Option<()> {
    *choice = Some(word).filter(|word| !word.is_empty()).map(PathChoice::from)?;
    Some(())
}

fn find(name: &str) -> Result<&'static Row, OptionError> {
    ROWS.iter().find(|row| row.name == name).ok_or_else(|| OptionError::Unknown(name.to_owned()))
}

/// Why an option was not set.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum OptionError {
    /// No option has this name.
    #[error("\"{0}\"; list_options names them all")]
    Unknown(String),
    /// The value is no whole number: name, least, greatest, value.
    #[error("{0}: expected a whole number from {1} to {2}, found \"{3}\"")]
    NotANumber(&'static str, u64, u64, String),
    /// The value is not one of the words: name, expected words, value.
    #[error("{0}: expected {1}, found \"{2}\"")]
    NotAWord(&'static str, &'static str, String),
    /// The value is out of range, and is not clamped: name, least, greatest, value.
    #[error("{0}: expected {1} to {2}, found \"{3}\"")]
    OutOfRange(&'static str, u64, u64, String),
    /// The system does not give this size of the transposition table, in MiB.
    #[error("hash: the system does not give {0} MiB; expected a size that its memory has room for")]
    NoMemory(usize),
}

impl Options {
    /// Returns the value of an option as text.
    ///
    /// # Errors
    /// When there is no such option.
    pub fn get_by_name(&self, name: &str) -> Result<String, OptionError> {
        Ok(find(name)?.text(self))
    }

    /// Sets an option; nothing changes on an error. A path may have any name that the system knows.
    pub(super) fn set_by_name(&mut self, name: &str, value: impl AsRef<OsStr>) -> Result<(), OptionError> {
        let Row { name, form, .. } = find(name)?;
        let value = value.as_ref();
        let found = || value.to_string_lossy().into_owned();
        match form {
            Word(expected, _, _, set) => set(self, value).ok_or_else(|| OptionError::NotAWord(name, expected, found())),
            Number(low, high, _, set) => {
                let value = value.to_str().unwrap_or_default();
                let digits = value.strip_prefix('-').unwrap_or(value);
                let is_number = !digits.is_empty() && digits.chars().all(|c| c.is_ascii_digit());
                match value.parse::<u64>() {
                    Ok(number) if (*low..=*high).contains(&number) => {
                        set(self, number);
                        Ok(())
                    }
                    Err(_) if !is_number => Err(OptionError::NotANumber(name, *low, *high, found())),
                    _ => Err(OptionError::OutOfRange(name, *low, *high, found())),
                }
            }
        }
    }

    /// Returns the fixed words of an option; none for a number or any text.
    pub fn choices(name: &str) -> &'static [&'static str] {
        match find(name) {
            Ok(Row { form: Word(_, choices, ..), .. }) => choices,
            _ => &[],
        }
    }

    /// The least and the greatest value of an option that is a number.
    pub fn range(name: &str) -> Option<RangeInclusive<u64>> {
        match find(name) {
            Ok(Row { form: Number(low, high, ..), .. }) => Some(*low..=*high),
            _ => None,
        }
    }

    /// Returns the names of all options with their purposes.
    pub fn summaries() -> impl Iterator<Item = (&'static str, String)> {
        ROWS.iter().map(|row| match row.form {
            Number(..) => (row.name, row.summary.to_owned()),
            Word(expected, ..) => (row.name, format!("{}: {expected}", row.summary)),
        })
    }
}

impl Row {
    fn text(&self, options: &Options) -> String {
        match self.form {
            Number(.., get, _) => get(options).to_string(),
            Word(.., get, _) => get(options),
        }
    }
}

/// A line each: `NAME TYPE DEFAULT MIN MAX CURRENT`.
impl fmt::Display for Options {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let line = |row: &Row| {
            let (name, default, current) = (row.name, row.text(&Options::default()), row.text(self));
            match row.form {
                Number(low, high, ..) => format!("{name} int {default} {low} {high} {current}"),
                Word(_, [], ..) => format!("{name} path {default} - - {current}"),
                Word(_, SWITCH, ..) => format!("{name} switch {default} - - {current}"),
                Word(_, choices, ..) => format!("{name} choice {default} {} - {current}", choices.join("|")),
            }
        };
        f.write_str(&ROWS.each_ref().map(line).join("\n"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_value_is_set_by_its_text() {
        for row in &ROWS {
            let mut options = Options::default();
            let (least, greatest) = match row.form {
                Number(low, high, ..) => (low.to_string(), high.to_string()),
                Word(_, [], ..) => ("off".to_owned(), "/some folder".to_owned()),
                Word(_, choices, ..) => (choices[0].to_owned(), choices[1].to_owned()),
            };
            for text in [least, greatest, row.text(&Options::default())] {
                options.set_by_name(row.name, &text).unwrap();
                assert_eq!(options.get_by_name(row.name).unwrap(), text, "{}", row.name);
            }
            assert_eq!(options, Options::default());
        }
    }

    #[test]
    fn a_value_out_of_range_is_refused_and_not_clamped() {
        let mut options = Options::default();
        let error = options.set_by_name("hash", "0").unwrap_err();
        assert_eq!(error.to_string(), "hash: expected 1 to 65536, found \"0\"");
        assert!(matches!(options.set_by_name("hash", "-5"), Err(OptionError::OutOfRange(..))));
        assert!(matches!(options.set_by_name("seed", "99999999999999999999"), Err(OptionError::OutOfRange(..))));
        assert!(matches!(options.set_by_name("hash", "x"), Err(OptionError::NotANumber(..))));
        assert!(matches!(options.set_by_name("hash", "1.5"), Err(OptionError::NotANumber(..))));
        assert!(matches!(options.set_by_name("Hash", "1"), Err(OptionError::Unknown(_))));
        assert!(matches!(options.set_by_name("play_style", "softest"), Err(OptionError::NotAWord(..))));
        assert_eq!(options, Options::default());
        assert_eq!(options.set_by_name("hash", "65536"), Ok(()));
        assert_eq!(options.hash, 65_536);
    }
}
