//! The engine's options: whole numbers with ranges, and words.

use std::fmt;

use crate::tablebase::{PlayStyle, TableChoice};

use super::level::FULL_STRENGTH;

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
}

/// What is fixed about an option.
struct Specification {
    option: OptionName,
    name: &'static str,
    default: u64,
    range: (u64, u64),
    /// For people.
    summary: &'static str,
}

const SPECIFICATIONS: [Specification; 7] = [
    Specification {
        option: OptionName::Threads,
        name: "threads",
        default: 1,
        range: (1, 256),
        summary: "how many threads a search takes; only with one is it the same each time",
    },
    Specification {
        option: OptionName::Hash,
        name: "hash",
        default: 64,
        range: (1, 65_536),
        summary: "size of the transposition table in MiB, taken at the first search",
    },
    Specification {
        option: OptionName::MultiPv,
        name: "multi_pv",
        default: 1,
        range: (1, 200),
        summary: "how many best lines go reports",
    },
    Specification {
        option: OptionName::MoveOverhead,
        name: "move_overhead",
        default: 10,
        range: (0, 10_000),
        summary: "ms kept back from the clock for every move",
    },
    Specification {
        option: OptionName::MoveLimit,
        name: "move_limit",
        default: 0,
        range: (0, 1_000_000),
        summary: "plies after which a game is a draw, 0 for no limit",
    },
    Specification {
        option: OptionName::Seed,
        name: "seed",
        default: 0,
        range: (0, u64::MAX >> 1),
        summary: "choice among equal moves, 0 for always the same",
    },
    Specification {
        option: OptionName::Level,
        name: "level",
        default: FULL_STRENGTH,
        range: (1, FULL_STRENGTH),
        summary: "strength of play, 1 for a beginner, 10 for all there is",
    },
];

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

/// The options whose values are words: name, what they take, what they are for.
const WORDS: [(OptionName, &str, &str, &str); 3] = [
    (OptionName::Tables, "tables", "auto, off or a folder", "where tables of perfect play are looked for"),
    (OptionName::PlayStyle, "play_style", "hardest or longest", "how to play what a table calls lost or drawn"),
    (OptionName::Ponder, "ponder", "on or off", "whether to think on the opponent's time, after genmove"),
];

/// The values of all options.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Options {
    numbers: [u64; SPECIFICATIONS.len()],
    tables: TableChoice,
    play_style: PlayStyle,
    ponder: bool,
}

impl Default for Options {
    fn default() -> Options {
        let numbers = SPECIFICATIONS.map(|specification| specification.default);
        Options { numbers, tables: TableChoice::default(), play_style: PlayStyle::default(), ponder: false }
    }
}

impl Options {
    /// The value of an option that is a number; 0 for the others.
    #[must_use]
    pub fn number(&self, option: OptionName) -> u64 {
        self.numbers.get(option as usize).copied().unwrap_or(0)
    }

    /// Where tables are looked for.
    #[must_use]
    pub fn tables(&self) -> &TableChoice {
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

    fn word(&self, option: OptionName) -> String {
        match option {
            OptionName::Tables => self.tables.to_string(),
            OptionName::Ponder => (if self.ponder { "on" } else { "off" }).to_owned(),
            _ => self.play_style.to_string(),
        }
    }

    /// The value of the option with this name, as text.
    ///
    /// # Errors
    /// When there is none.
    pub fn get_by_name(&self, name: &str) -> Result<String, OptionError> {
        if let Some((option, ..)) = WORDS.iter().find(|(_, known, ..)| *known == name) {
            return Ok(self.word(*option));
        }
        let known = SPECIFICATIONS.iter().find(|known| known.name == name);
        known.map(|known| self.number(known.option).to_string()).ok_or_else(|| OptionError::Unknown(name.to_owned()))
    }

    /// Sets the option with this name and says which it is.
    ///
    /// # Errors
    /// When there is none, or the value does not fit; then nothing changes.
    pub fn set_by_name(&mut self, name: &str, value: &str) -> Result<OptionName, OptionError> {
        if let Some((option, name, expected, _)) = WORDS.iter().find(|(_, known, ..)| *known == name) {
            self.set_word(*option, value).map_err(|()| OptionError::NotAWord {
                name,
                expected,
                found: value.to_owned(),
            })?;
            return Ok(*option);
        }
        let known = SPECIFICATIONS.iter().find(|known| known.name == name);
        let known = known.ok_or_else(|| OptionError::Unknown(name.to_owned()))?;
        let (low, high) = known.range;
        let found = value.to_owned();
        let digits = value.strip_prefix('-').unwrap_or(value);
        let is_number = !digits.is_empty() && digits.chars().all(|c| c.is_ascii_digit());
        match (value.parse::<u64>(), self.numbers.get_mut(known.option as usize)) {
            (Ok(number), Some(slot)) if (low..=high).contains(&number) => {
                *slot = number;
                Ok(known.option)
            }
            (Err(_), _) if !is_number => Err(OptionError::NotANumber { name: known.name, low, high, found }),
            _ => Err(OptionError::OutOfRange { name: known.name, low, high, found }),
        }
    }

    fn set_word(&mut self, option: OptionName, value: &str) -> Result<(), ()> {
        match option {
            OptionName::Tables => {
                if value.is_empty() {
                    return Err(());
                }
                self.tables = TableChoice::from(value);
            }
            OptionName::Ponder => {
                self.ponder = match value {
                    "on" | "true" => true,
                    "off" | "false" => false,
                    _ => return Err(()),
                };
            }
            _ => self.play_style = value.parse()?,
        }
        Ok(())
    }

    /// The words among which the value of an option is chosen; none for an option that takes a number or any text.
    #[must_use]
    pub fn choices(name: &str) -> &'static [&'static str] {
        match WORDS.iter().find(|(_, known, ..)| *known == name) {
            Some((OptionName::PlayStyle, ..)) => &PlayStyle::NAMES,
            Some((OptionName::Ponder, ..)) => &["on", "off"],
            _ => &[],
        }
    }

    /// What each option is for, by name.
    pub fn summaries() -> impl Iterator<Item = (&'static str, String)> {
        let numbers = SPECIFICATIONS.iter().map(|known| (known.name, known.summary.to_owned()));
        numbers.chain(WORDS.iter().map(|(_, name, expected, summary)| (*name, format!("{summary}: {expected}"))))
    }
}

/// A line each: `NAME TYPE DEFAULT MIN MAX CURRENT`; words have no least and no greatest value.
impl fmt::Display for Options {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for known in &SPECIFICATIONS {
            let (low, high) = known.range;
            writeln!(f, "{} int {} {low} {high} {}", known.name, known.default, self.number(known.option))?;
        }
        let lines = WORDS.map(|(option, name, ..)| {
            format!("{name} text {} - - {}", Options::default().word(option), self.word(option))
        });
        f.write_str(&lines.join("\n"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn specifications_stand_in_the_order_of_the_names_and_defaults_are_in_range() {
        for (place, known) in SPECIFICATIONS.iter().enumerate() {
            assert_eq!(known.option as usize, place);
            assert!((known.range.0..=known.range.1).contains(&known.default));
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
