//! The engine's options: whole numbers with ranges, and words.

use std::fmt;

use crate::path_choice::PathChoice;
use crate::tablebase::PlayStyle;

use super::skill::FULL_STRENGTH;

use Values::{Number, Word};

/// An option that can be set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OptionName {
    /// How many threads a search takes.
    Threads,
    /// Size of the transposition table, in MiB.
    Hash,
    /// How many best lines a search reports.
    MultiPv,
    /// Time kept back from the clock for every move, in ms.
    MoveOverhead,
    /// Plies after which a game is a draw; 0: no limit.
    MoveLimit,
    /// Chooses among equal moves; 0: always the same.
    Seed,
    /// How strong the engine plays; the highest level is full strength.
    Level,
    /// Where tables of perfect play are looked for.
    Tables,
    /// How to play what a table calls lost or drawn.
    PlayStyle,
    /// Whether the engine thinks while the opponent does.
    Ponder,
    /// Which weights the evaluation takes.
    Weights,
}

/// What is fixed about an option.
struct Specification {
    option: OptionName,
    name: &'static str,
    /// For people.
    summary: &'static str,
    values: Values,
}

/// The values that an option takes.
enum Values {
    /// Whole numbers: the default, the least, the greatest.
    Number(u64, u64, u64),
    /// A word, described for people; the words themselves where there is a choice of them.
    Word(&'static str, &'static [&'static str]),
}

const fn option(option: OptionName, name: &'static str, values: Values, summary: &'static str) -> Specification {
    Specification { option, name, summary, values }
}

/// How many options are numbers. They are the first.
const NUMBERS: usize = 7;

/// All options, in the order of their names in [`OptionName`].
static SPECIFICATIONS: [Specification; NUMBERS + 4] = [
    option(
        OptionName::Threads,
        "threads",
        Number(1, 1, 256),
        "how many threads a search takes; only with one is it the same each time",
    ),
    option(
        OptionName::Hash,
        "hash",
        Number(64, 1, 65_536),
        "size of the transposition table in MiB, taken at the first search",
    ),
    option(OptionName::MultiPv, "multi_pv", Number(1, 1, 200), "how many best lines go reports"),
    option(
        OptionName::MoveOverhead,
        "move_overhead",
        Number(10, 0, 10_000),
        "ms kept back from the clock for every move",
    ),
    option(
        OptionName::MoveLimit,
        "move_limit",
        Number(0, 0, 1_000_000),
        "plies after which a game is a draw, 0 for no limit",
    ),
    option(OptionName::Seed, "seed", Number(0, 0, u64::MAX >> 1), "choice among equal moves, 0 for always the same"),
    option(
        OptionName::Level,
        "level",
        Number(FULL_STRENGTH, 1, FULL_STRENGTH),
        "strength of play, 1 for a beginner, 10 for all there is",
    ),
    option(
        OptionName::Tables,
        "tables",
        Word("auto, off or a folder", &[]),
        "where tables of perfect play are looked for",
    ),
    option(
        OptionName::PlayStyle,
        "play_style",
        Word("hardest or longest", &PlayStyle::NAMES),
        "how to play what a table calls lost or drawn",
    ),
    option(
        OptionName::Ponder,
        "ponder",
        Word("on or off", &["on", "off"]),
        "whether to think on the opponent's time, after genmove",
    ),
    option(
        OptionName::Weights,
        "weights",
        Word("auto, off or a file", &[]),
        "weights of the evaluation: the variant's own, those of its family, or those that privy fit wrote",
    ),
];

/// The option with a name.
fn find(name: &str) -> Result<&'static Specification, OptionError> {
    SPECIFICATIONS.iter().find(|known| known.name == name).ok_or_else(|| OptionError::Unknown(name.to_owned()))
}

/// Why an option was not set.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum OptionError {
    /// No option has this name.
    #[error("\"{0}\"; list_options names them all")]
    Unknown(String),
    /// The value is no whole number.
    #[error("{name}: expected a whole number from {low} to {high}, found \"{found}\"")]
    NotANumber {
        /// The option.
        name: &'static str,
        /// The least value.
        low: u64,
        /// The greatest value.
        high: u64,
        /// What was given.
        found: String,
    },
    /// The value is none of the words that the option takes.
    #[error("{name}: expected {expected}, found \"{found}\"")]
    NotAWord {
        /// The option.
        name: &'static str,
        /// What it takes.
        expected: &'static str,
        /// What was given.
        found: String,
    },
    /// The value is a number out of range. It is not clamped.
    #[error("{name}: expected {low} to {high}, found \"{found}\"")]
    OutOfRange {
        /// The option.
        name: &'static str,
        /// The least value.
        low: u64,
        /// The greatest value.
        high: u64,
        /// What was given.
        found: String,
    },
}

/// The values of all options.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Options {
    numbers: [u64; NUMBERS],
    tables: PathChoice,
    play_style: PlayStyle,
    ponder: bool,
    weights: PathChoice,
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
    /// The value of an option that is a number.
    ///
    /// # Panics
    /// When the option is none.
    #[must_use]
    pub fn number(&self, option: OptionName) -> u64 {
        self.numbers[option as usize]
    }

    /// Where tables are looked for.
    #[must_use]
    pub fn tables(&self) -> &PathChoice {
        &self.tables
    }

    /// How to play what a table calls lost or drawn.
    #[must_use]
    pub fn play_style(&self) -> PlayStyle {
        self.play_style
    }

    /// Whether to think while the opponent does.
    #[must_use]
    pub fn ponder(&self) -> bool {
        self.ponder
    }

    /// Which weights the evaluation takes.
    #[must_use]
    pub fn weights(&self) -> &PathChoice {
        &self.weights
    }

    /// The value of an option as text.
    fn text(&self, option: OptionName) -> String {
        match option {
            OptionName::Tables => self.tables.to_string(),
            OptionName::PlayStyle => self.play_style.to_string(),
            OptionName::Weights => self.weights.to_string(),
            OptionName::Ponder => (if self.ponder { "on" } else { "off" }).to_owned(),
            number => self.number(number).to_string(),
        }
    }

    /// The value of the option with this name, as text.
    ///
    /// # Errors
    /// When there is none.
    pub fn get_by_name(&self, name: &str) -> Result<String, OptionError> {
        Ok(self.text(find(name)?.option))
    }

    /// Sets the option with this name and says which it is.
    ///
    /// # Errors
    /// When there is none, or the value does not fit; then nothing changes.
    pub fn set_by_name(&mut self, name: &str, value: &str) -> Result<OptionName, OptionError> {
        let known = find(name)?;
        let (name, found) = (known.name, value.to_owned());
        match known.values {
            Word(expected, _) => {
                self.set_word(known.option, value).ok_or(OptionError::NotAWord { name, expected, found })?;
            }
            Number(_, low, high) => {
                let digits = value.strip_prefix('-').unwrap_or(value);
                let is_number = !digits.is_empty() && digits.chars().all(|c| c.is_ascii_digit());
                match value.parse::<u64>() {
                    Ok(number) if (low..=high).contains(&number) => self.numbers[known.option as usize] = number,
                    Err(_) if !is_number => return Err(OptionError::NotANumber { name, low, high, found }),
                    _ => return Err(OptionError::OutOfRange { name, low, high, found }),
                }
            }
        }
        Ok(known.option)
    }

    /// Sets an option that is a word; none if it does not take that one.
    fn set_word(&mut self, option: OptionName, value: &str) -> Option<()> {
        match (option, value) {
            (OptionName::Tables | OptionName::Weights, "") => return None,
            (OptionName::Weights, choice) => self.weights = PathChoice::from(choice),
            (OptionName::Tables, choice) => self.tables = PathChoice::from(choice),
            (OptionName::Ponder, "on" | "true") => self.ponder = true,
            (OptionName::Ponder, "off" | "false") => self.ponder = false,
            (OptionName::PlayStyle, style) => self.play_style = style.parse().ok()?,
            _ => return None,
        }
        Some(())
    }

    /// The words among which the value of an option is chosen; none for an option that takes a number or any text.
    #[must_use]
    pub fn choices(name: &str) -> &'static [&'static str] {
        match find(name) {
            Ok(Specification { values: Word(_, choices), .. }) => choices,
            _ => &[],
        }
    }

    /// What each option is for, by name.
    pub fn summaries() -> impl Iterator<Item = (&'static str, String)> {
        SPECIFICATIONS.iter().map(|known| match known.values {
            Number(..) => (known.name, known.summary.to_owned()),
            Word(expected, _) => (known.name, format!("{}: {expected}", known.summary)),
        })
    }
}

/// A line each: `NAME TYPE DEFAULT MIN MAX CURRENT`; words have no least and no greatest value.
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
    fn specifications_stand_in_the_order_of_the_names_and_defaults_are_in_range() {
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
        assert!(matches!(options.set_by_name("hash", "-5"), Err(OptionError::OutOfRange { .. })));
        assert!(matches!(options.set_by_name("seed", "99999999999999999999"), Err(OptionError::OutOfRange { .. })));
        assert!(matches!(options.set_by_name("hash", "x"), Err(OptionError::NotANumber { .. })));
        assert!(matches!(options.set_by_name("hash", "1.5"), Err(OptionError::NotANumber { .. })));
        assert!(matches!(options.set_by_name("Hash", "1"), Err(OptionError::Unknown(_))));
        assert_eq!(options, Options::default());
        assert_eq!(options.set_by_name("hash", "65536"), Ok(OptionName::Hash));
        assert_eq!(options.number(OptionName::Hash), 65_536);
        assert!(matches!(options.set_by_name("play_style", "softest"), Err(OptionError::NotAWord { .. })));
        assert_eq!(options.set_by_name("tables", "/some folder"), Ok(OptionName::Tables));
        assert_eq!(options.get_by_name("tables").unwrap(), "/some folder");
    }
}
