//! Parts of the games of a match, for several processes or machines: `1-50` is the pairs of games from the first to the
//! fiftieth.

use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::fault::BadSetting;

/// A range of pairs of games, counted from 1.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Part(RangeInclusive<u64>);

impl Part {
    /// The part plays the pair.
    pub fn has(&self, pair: u64) -> bool {
        self.0.contains(&pair)
    }
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", self.0.start(), self.0.end())
    }
}

impl FromStr for Part {
    type Err = BadSetting;

    fn from_str(text: &str) -> Result<Part, BadSetting> {
        let numbers = text.split_once('-').and_then(|(from, to)| Some(from.parse().ok()?..=to.parse().ok()?));
        let part = numbers.filter(|range| *range.start() > 0 && !range.is_empty()).map(Part);
        part.ok_or_else(|| BadSetting(format!("expected a range of pairs such as 1-50, found \"{text}\"")))
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

#[cfg(test)]
mod tests {
    use super::*;

    proptest::proptest! {
        #[test]
        fn parts_round_trip_as_text(from in 1..u64::MAX, more in 0..1000_u64) {
            let part = Part(from..=from.saturating_add(more));
            proptest::prop_assert_eq!(part.to_string().parse::<Part>().unwrap(), part);
        }
    }

    #[test]
    fn other_texts_are_refused() {
        for text in ["", "1", "0-2", "3-2", "1-0", "1-2-3", "-1-2", "1- 2", "99999999999999999999-99999999999999999999"]
        {
            assert!(text.parse::<Part>().is_err(), "{text}");
        }
    }
}
