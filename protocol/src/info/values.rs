//! The keys and values of lines that begin with `info`, whether a search or an analysis writes them.

use thiserror::Error;

use crate::grammar::{self, WholeNumber};
use crate::score::Score;

/// What is wrong with the keys and values of a line.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ValueError {
    /// A value is missing or has the wrong form.
    #[error("{key}: expected {expected}, found {found:?}")]
    Wrong {
        /// The word before the value.
        key: String,
        /// What the value should be.
        expected: &'static str,
        /// The value; empty when it is missing.
        found: String,
    },
    /// A key that every such line has is missing.
    #[error("info without {0}")]
    Missing(&'static str),
}

/// The error of a value that has the wrong form.
pub(crate) fn wrong(key: &str, expected: &'static str, found: &str) -> ValueError {
    ValueError::Wrong { key: key.to_owned(), expected, found: found.to_owned() }
}

/// Reads a whole number that fits.
pub(crate) fn whole<N: TryFrom<u64>>(key: &str, value: &str) -> Result<N, ValueError> {
    let number = match grammar::whole_number(value) {
        Some(WholeNumber::Value(number)) => N::try_from(number).ok(),
        _ => None,
    };
    number.ok_or_else(|| wrong(key, "a whole number", value))
}

/// Reads a score.
pub(crate) fn score(key: &str, value: &str) -> Result<Score, ValueError> {
    value.parse().map_err(|_| wrong(key, "a score such as +0.42, -1.05, +W27, -W27 or =", value))
}
