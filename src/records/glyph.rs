//! What a person thinks of a move, in a sign or two.

use std::fmt;
use std::str::FromStr;

/// A judgement of a move, as chess players write it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Glyph {
    /// A good move.
    Good,
    /// A mistake.
    Mistake,
    /// A brilliant move.
    Brilliant,
    /// A blunder.
    Blunder,
    /// A move that deserves attention.
    Interesting,
    /// A move of doubtful worth.
    Dubious,
}

impl Glyph {
    /// All glyphs, in the order of their numbers in PGN, `$1` to `$6`.
    pub const ALL: [Glyph; 6] =
        [Glyph::Good, Glyph::Mistake, Glyph::Brilliant, Glyph::Blunder, Glyph::Interesting, Glyph::Dubious];

    /// The sign of each, and the property of SGF that means it with its value, in the same order.
    const FORMS: [(&str, &str, &str); 6] =
        [("!", "TE", "1"), ("?", "BM", "1"), ("!!", "TE", "2"), ("??", "BM", "2"), ("!?", "IT", ""), ("?!", "DO", "")];

    /// The property of SGF, and its value.
    pub(crate) fn property(self) -> (&'static str, &'static str) {
        let (_, name, value) = Glyph::FORMS[self as usize];
        (name, value)
    }
}

impl fmt::Display for Glyph {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(Glyph::FORMS[*self as usize].0)
    }
}

privy_protocol::serialized_as_text!(Glyph);

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
