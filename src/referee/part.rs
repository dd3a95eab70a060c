//! Parts of the games of a match, for several processes or machines: `2/8` is the second of eight parts.

use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;
use std::str::FromStr;

use nom::Parser;
use nom::character::complete::{char, u64 as number};
use nom::combinator::all_consuming;
use nom::error::Error;
use nom::sequence::separated_pair;
use serde::{Deserialize, Serialize};

use crate::fault::BadSetting;

/// A part plays every `of`-th pair of games, from the pair `number` on; both count from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Part {
    pub(crate) number: u64,
    pub(crate) of: u64,
}

impl Part {
    /// All games.
    pub const WHOLE: Part = Part { number: 1, of: 1 };

    /// The part that plays a pair of games.
    pub fn with(pair: u64, of: u64) -> Part {
        Part { number: pair.saturating_sub(1).checked_rem(of).map_or(1, |rest| rest + 1), of }
    }

    /// The part plays the pair.
    pub fn has(self, pair: u64) -> bool {
        Part::with(pair, self.of) == self
    }
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.number, self.of)
    }
}

impl FromStr for Part {
    type Err = BadSetting;

    fn from_str(text: &str) -> Result<Part, BadSetting> {
        let parsed = all_consuming(separated_pair(number::<&str, Error<&str>>, char('/'), number)).parse(text);
        let part = parsed.ok().map(|(_, (number, of))| Part { number, of });
        part.filter(|part| (1..=part.of).contains(&part.number))
            .ok_or_else(|| BadSetting(format!("expected a part such as 2/3, found \"{text}\"")))
    }
}

impl TryFrom<String> for Part {
    type Error = BadSetting;

    fn try_from(text: String) -> Result<Part, BadSetting> {
        text.parse()
    }
}

impl From<Part> for String {
    fn from(part: Part) -> String {
        part.to_string()
    }
}

/// The files of the parts of one work, and the number of games that each part lacks.
#[derive(Debug, Default)]
pub struct PartFiles<'a> {
    files: BTreeMap<Part, &'a Path>,
    missing: BTreeMap<Part, u64>,
}

impl<'a> PartFiles<'a> {
    /// Adds the file of a part; fails on a second one of the part, or on another number of parts.
    pub fn add(&mut self, part: Part, path: &'a Path) -> Result<(), String> {
        let of = self.of().unwrap_or(part.of);
        if part.of != of {
            return Err(format!("{}: expected one of {of} parts, found part {part}", path.display()));
        }
        match self.files.insert(part, path) {
            None => Ok(()),
            Some(other) => {
                let (path, other) = (path.display(), other.display());
                Err(format!("{path}: expected another part than that of {other}, found part {part}"))
            }
        }
    }

    /// The number of parts; `None` without files.
    fn of(&self) -> Option<u64> {
        self.files.keys().next().map(|part| part.of)
    }

    /// Notes that a game of a pair is missing.
    pub fn miss(&mut self, pair: u64) {
        *self.missing.entry(Part::with(pair, self.of().unwrap_or(1))).or_default() += 1;
    }

    /// No game is missing.
    pub fn is_complete(&self) -> bool {
        self.missing.is_empty()
    }

    /// The missing parts and games, in words.
    pub fn missing(&self) -> String {
        let what = |(part, games): (&Part, &u64)| match self.files.get(part) {
            None => format!("part {part}"),
            Some(path) => format!("{games} games of part {part}, {}", path.display()),
        };
        self.missing.iter().map(what).collect::<Vec<_>>().join("; ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    proptest::proptest! {
        #[test]
        fn parts_round_trip_as_text(number in 1..u64::MAX, more in 0..1000_u64) {
            let part = Part { number, of: number.saturating_add(more) };
            proptest::prop_assert_eq!(part.to_string().parse::<Part>().unwrap(), part);
        }
    }

    #[test]
    fn other_texts_are_refused() {
        for text in ["", "1", "0/2", "3/2", "1/0", "1/2/3", "-1/2", "1/ 2", "99999999999999999999/99999999999999999999"]
        {
            assert!(text.parse::<Part>().is_err(), "{text}");
        }
    }
}
