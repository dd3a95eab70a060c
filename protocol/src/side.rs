//! The two sides, as the protocol names them.

use std::fmt;
use std::ops::Not;
use std::str::FromStr;

use crate::error::Unexpected;
use serde::{Deserialize, Serialize};

/// Who moves: the General alone, or the Rebels together. The General has the colour white.
///
/// Read in any case from `general`, `g`, `white`, `w` and `rebels`, `r`, `black`, `b`; written as `general` and
/// `rebels`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Side {
    /// The single piece.
    General,
    /// The many.
    Rebels,
}

impl Side {
    /// The letter of the side in a position text.
    pub const fn letter(self) -> char {
        match self {
            Self::General => 'g',
            Self::Rebels => 'r',
        }
    }
}

impl Not for Side {
    type Output = Self;

    #[inline(always)]
    fn not(self) -> Self {
        match self {
            Self::General => Self::Rebels,
            Self::Rebels => Self::General,
        }
    }
}

impl fmt::Display for Side {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::General => "general",
            Self::Rebels => "rebels",
        })
    }
}

impl FromStr for Side {
    type Err = Unexpected;

    fn from_str(word: &str) -> Result<Self, Self::Err> {
        let is = |names: [&str; 4]| names.iter().any(|name| name.eq_ignore_ascii_case(word));
        if is(["general", "g", "white", "w"]) {
            Ok(Self::General)
        } else if is(["rebels", "r", "black", "b"]) {
            Ok(Self::Rebels)
        } else {
            Err(Unexpected::new("a side (general or rebels)", word))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_in_any_case() {
        for name in ["general", "G", "White", "w", "GENERAL"] {
            assert_eq!(name.parse(), Ok(Side::General));
        }
        for name in ["rebels", "r", "B", "bLaCk"] {
            assert_eq!(name.parse(), Ok(Side::Rebels));
        }
        assert!("rebel".parse::<Side>().is_err());
        assert_eq!((!Side::Rebels).to_string(), "general");
    }
}
