//! The engine's options: whole numbers with ranges, and words.

use std::fmt;
use std::ops::RangeInclusive;

use crate::path_choice::PathChoice;
use crate::tablebase::PlayStyle;

use super::skill::FULL_STRENGTH;

use OptionName::{
    Hash, Level, MoveLimit, MoveOverhead, MultiPv, PlayStyle as Style, Ponder, Seed, Tables, Threads, Weights,
};
use Values::{Number, Word};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum OptionName {
    Threads,
    Hash,
    MultiPv,
    MoveOverhead,
    MoveLimit,
    Seed,
    Level,
    Tables,
    PlayStyle,
    Ponder,
    Weights,
}

struct Specification {
    option: OptionName,
    name: &'static str,
    summary: &'static str,
    values: Values,
}

enum Values {
    /// A whole number: default, least, greatest.
    Number(u64, u64, u64),
    /// A word: what is expected, and the choices if the words are fixed.
    Word(&'static str, &'static [&'static str]),
}

const fn option(option: OptionName, name: &'static str, values: Values, summary: &'static str) -> Specification {
    Specification { option, name, summary, values }
}

/// The first options are numbers.
const NUMBERS: usize = 7;

/// In the order of [`OptionName`].
static SPECIFICATIONS: [Specification; NUMBERS + 4] = [
    option(
        Threads,
        "threads",
        Number(1, 1, 256),
        "how many threads a search takes; only with one is it the same each time",
    ),
    option(Hash, "hash", Number(64, 1, 65_536), "size of the transposition table in MiB, taken at the first search"),
    option(MultiPv, "multi_pv", Number(1, 1, 200), "how many best lines go reports"),
    option(MoveOverhead, "move_overhead", Number(10, 0, 10_000), "ms kept back from the clock for every move"),
    option(MoveLimit, "move_limit", Number(0, 0, 1_000_000), "plies after which a game is a draw, 0 for no limit"),
    option(Seed, "seed", Number(0, 0, u64::MAX >> 1), "choice among equal moves, 0 for always the same"),
    option(Level, "level", LEVEL_RANGE, "strength of play, 1 for a beginner, 10 for all there is"),
    option(Tables, "tables", Word("auto, off or a folder", &[]), "where tables of perfect play are looked for"),
    option(Style, "play_style", STYLES, "how to play what a table calls lost or drawn"),
    option(
        Ponder,
        "ponder",
        Word("on or off", &["on", "off"]),
        "whether to think on the opponent's time, after genmove",
    ),
    option(
        Weights,
        "weights",
        Word("auto, off or a file", &[]),
        "weights of the evaluation: the variant's own, those of its family, or those that privy fit wrote",
    ),
];
const LEVEL_RANGE: Values = Number(FULL_STRENGTH, 1, FULL_STRENGTH);
const STYLES: Values = Word("hardest or longest", &PlayStyle::NAMES);

fn find(name: &str) -> Result<&'static Specification, OptionError> {
    SPECIFICATIONS.iter().find(|known| known.name == name).ok_or_else(|| OptionError::Unknown(name.to_owned()))
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
}

/// The values of all options.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Options {
    numbers: [u64; NUMBERS],
    pub(super) tables: PathChoice,
    pub(super) play_style: PlayStyle,
    pub(super) ponder: bool,
    pub(super) weights: PathChoice,
}

impl Default for Options {
    fn default() -> Options {
        let numbers = std::array::from_fn(|at| match SPECIFICATIONS[at].values {
            Number(default, ..) => default,
            Word(..) => unreachable!("numbers are the first options"),
        });
        Options {
            numbers,
            tables: PathChoice::default(),
            play_style: PlayStyle::default(),
            ponder: false,
            weights: PathChoice::default(),
        }
    }
}

impl Options {
    /// Panics if the option is a word.
    pub(super) fn number(&self, option: OptionName) -> u64 {
        self.numbers[option as usize]
    }

    fn text(&self, option: OptionName) -> String {
        match option {
            Tables => self.tables.to_string(),
            Style => self.play_style.to_string(),
            Weights => self.weights.to_string(),
            Ponder => (if self.ponder { "on" } else { "off" }).to_owned(),
            number => self.number(number).to_string(),
        }
    }

    /// The value of an option as text.
    ///
    /// # Errors
    /// When there is no such option.
    pub fn get_by_name(&self, name: &str) -> Result<String, OptionError> {
        Ok(self.text(find(name)?.option))
    }

    /// Sets an option, and returns which; nothing changes on an error.
    pub(super) fn set_by_name(&mut self, name: &str, value: &str) -> Result<OptionName, OptionError> {
        let known = find(name)?;
        let (name, found) = (known.name, value.to_owned());
        match known.values {
            Word(expected, _) => {
                self.set_word(known.option, value).ok_or(OptionError::NotAWord(name, expected, found))?;
            }
            Number(_, low, high) => {
                let digits = value.strip_prefix('-').unwrap_or(value);
                let is_number = !digits.is_empty() && digits.chars().all(|c| c.is_ascii_digit());
                match value.parse::<u64>() {
                    Ok(number) if (low..=high).contains(&number) => self.numbers[known.option as usize] = number,
                    Err(_) if !is_number => return Err(OptionError::NotANumber(name, low, high, found)),
                    _ => return Err(OptionError::OutOfRange(name, low, high, found)),
                }
            }
        }
        Ok(known.option)
    }

    /// Sets an option that is a word; none if the word does not fit.
    fn set_word(&mut self, option: OptionName, value: &str) -> Option<()> {
        match (option, value) {
            (Tables | Weights, "") => return None,
            (Weights, choice) => self.weights = PathChoice::from(choice),
            (Tables, choice) => self.tables = PathChoice::from(choice),
            (Ponder, "on" | "true") => self.ponder = true,
            (Ponder, "off" | "false") => self.ponder = false,
            (Style, style) => self.play_style = style.parse().ok()?,
            _ => return None,
        }
        Some(())
    }

    /// The fixed words of an option; empty for a number or any text.
    pub fn choices(name: &str) -> &'static [&'static str] {
        match find(name) {
            Ok(Specification { values: Word(_, choices), .. }) => choices,
            _ => &[],
        }
    }

    /// The least and the greatest value of an option that is a number.
    pub fn range(name: &str) -> Option<RangeInclusive<u64>> {
        match find(name) {
            Ok(Specification { values: Number(_, low, high), .. }) => Some(*low..=*high),
            _ => None,
        }
    }

    /// The names of all options with their purposes.
    pub fn summaries() -> impl Iterator<Item = (&'static str, String)> {
        SPECIFICATIONS.iter().map(|known| match known.values {
            Number(..) => (known.name, known.summary.to_owned()),
            Word(expected, _) => (known.name, format!("{}: {expected}", known.summary)),
        })
    }
}

/// A line each: `NAME TYPE DEFAULT MIN MAX CURRENT`.
impl fmt::Display for Options {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let line = |Specification { option, name, values, .. }: &Specification| match values {
            Number(default, low, high) => format!("{name} int {default} {low} {high} {}", self.number(*option)),
            Word(..) => format!("{name} text {} - - {}", Options::default().text(*option), self.text(*option)),
        };
        f.write_str(&SPECIFICATIONS.each_ref().map(line).join("\n"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn specifications_are_in_the_order_of_their_names_and_defaults_are_in_range() {
        for (place, known) in SPECIFICATIONS.iter().enumerate() {
            assert_eq!(known.option as usize, place);
            let Number(default, low, high) = known.values else { continue };
            assert!(place < NUMBERS && (low..=high).contains(&default));
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
        assert_eq!(options, Options::default());
        assert_eq!(options.set_by_name("hash", "65536"), Ok(Hash));
        assert_eq!(options.number(Hash), 65_536);
        assert!(matches!(options.set_by_name("play_style", "softest"), Err(OptionError::NotAWord(..))));
        assert_eq!(options.set_by_name("tables", "/some folder"), Ok(Tables));
        assert_eq!(options.get_by_name("tables").unwrap(), "/some folder");
    }
}
