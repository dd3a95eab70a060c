//! The two sides.

use std::fmt;
use std::ops::Not;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// A side of the game. The General counts as White where a program knows only colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Side {
    /// The single piece: General, Monk, King.
    General,
    /// The many: Rebels, soldiers, Water.
    Rebels,
}

impl Side {
    /// The letter of the side in a position text.
    #[must_use]
    pub fn letter(self) -> char {
        match self {
            Side::General => 'g',
            Side::Rebels => 'r',
        }
    }
}

impl Not for Side {
    type Output = Side;

    #[inline(always)]
    fn not(self) -> Side {
        match self {
            Side::General => Side::Rebels,
            Side::Rebels => Side::General,
        }
    }
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Side::General => "general",
            Side::Rebels => "rebels",
        })
    }
}

/// Text that names no side.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("\"{0}\" is not a side: expected general (g, w, white) or rebels (r, b, black)")]
pub struct NotASide(pub String);

impl FromStr for Side {
    type Err = NotASide;

    fn from_str(text: &str) -> Result<Side, NotASide> {
        match text.to_ascii_lowercase().as_str() {
            "general" | "g" | "w" | "white" => Ok(Side::General),
            "rebels" | "r" | "b" | "black" => Ok(Side::Rebels),
            _ => Err(NotASide(text.to_owned())),
        }
    }
}
