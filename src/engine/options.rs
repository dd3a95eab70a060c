//! The engine's options: whole numbers with names and ranges.

use std::fmt;

/// An option that can be set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OptionName {
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

const SPECIFICATIONS: [Specification; 5] = [
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
pub struct Options([u64; SPECIFICATIONS.len()]);

impl Default for Options {
    fn default() -> Options {
        Options(SPECIFICATIONS.map(|specification| specification.default))
    }
}

fn find(name: &str) -> Result<&'static Specification, OptionError> {
    SPECIFICATIONS.iter().find(|known| known.name == name).ok_or_else(|| OptionError::Unknown(name.to_owned()))
}

impl Options {
    /// The value of an option.
    #[must_use]
    pub fn get(&self, option: OptionName) -> u64 {
        self.0[option as usize]
    }

    /// The value of the option with this name.
    ///
    /// # Errors
    /// When there is none.
    pub fn get_by_name(&self, name: &str) -> Result<u64, OptionError> {
        find(name).map(|known| self.get(known.option))
    }

    /// Sets the option with this name and says which it is.
    ///
    /// # Errors
    /// When there is none, or the value does not fit; then nothing changes.
    pub fn set_by_name(&mut self, name: &str, value: &str) -> Result<OptionName, OptionError> {
        let known = find(name)?;
        let (low, high) = known.range;
        let found = value.to_owned();
        let digits = value.strip_prefix('-').unwrap_or(value);
        let is_number = !digits.is_empty() && digits.chars().all(|c| c.is_ascii_digit());
        match value.parse::<u64>() {
            Ok(number) if (low..=high).contains(&number) => {
                self.0[known.option as usize] = number;
                Ok(known.option)
            }
            Err(_) if !is_number => Err(OptionError::NotANumber { name: known.name, low, high, found }),
            _ => Err(OptionError::OutOfRange { name: known.name, low, high, found }),
        }
    }

    /// What each option is for, by name.
    pub fn summaries() -> impl Iterator<Item = (&'static str, &'static str)> {
        SPECIFICATIONS.iter().map(|known| (known.name, known.summary))
    }
}

/// A line each: `NAME TYPE DEFAULT MIN MAX CURRENT`.
impl fmt::Display for Options {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, known) in SPECIFICATIONS.iter().enumerate() {
            let (low, high) = known.range;
            let end = if place == 0 { "" } else { "\n" };
            write!(f, "{end}{} int {} {low} {high} {}", known.name, known.default, self.get(known.option))?;
        }
        Ok(())
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
        assert_eq!(options.get(OptionName::Hash), 65_536);
    }
}
