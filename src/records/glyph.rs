//! What a person thinks of a move, in a sign or two.

use std::fmt;
use std::str::FromStr;

use serde::Serialize;

/// A judgement of a move, as chess players write it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
pub enum Glyph {
    /// A good move.
    #[serde(rename = "!")]
    Good,
    /// A mistake.
    #[serde(rename = "?")]
    Mistake,
    /// A brilliant move.
    #[serde(rename = "!!")]
    Brilliant,
    /// A blunder.
    #[serde(rename = "??")]
    Blunder,
    /// A move that deserves attention.
    #[serde(rename = "!?")]
    Interesting,
    /// A move of doubtful worth.
    #[serde(rename = "?!")]
    Dubious,
}

impl Glyph {
    /// All glyphs, in the order of their numbers in PGN, `$1` to `$6`.
    pub const ALL: [Glyph; 6] =
        [Glyph::Good, Glyph::Mistake, Glyph::Brilliant, Glyph::Blunder, Glyph::Interesting, Glyph::Dubious];
}

impl fmt::Display for Glyph {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Glyph::Good => "!",
            Glyph::Mistake => "?",
            Glyph::Brilliant => "!!",
            Glyph::Blunder => "??",
            Glyph::Interesting => "!?",
            Glyph::Dubious => "?!",
        })
    }
}

impl FromStr for Glyph {
    type Err = String;

    fn from_str(text: &str) -> Result<Glyph, String> {
        let is_meant = |(number, glyph): &(usize, Glyph)| glyph.to_string() == text || format!("${number}") == text;
        let found = (1..).zip(Glyph::ALL).find(is_meant);
        found
            .map(|(_, glyph)| glyph)
            .ok_or_else(|| format!("glyph: expected ! ? !! ?? !? ?! or $1 to $6, found \"{text}\""))
    }
}
