//! Which openings a match shall have, in words.

use std::fmt;
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::str::FromStr;

/// The most random plies: games of these variants are over by then, or have come to nothing.
const MOST_PLIES: u32 = 1_000;

/// Which openings a match has: `opening`, `random:6`, `random:4-10`, `balanced`, or the path of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OpeningsChoice {
    /// The opening of the variant alone.
    Variant,
    /// Random legal moves from the opening of the variant, so many plies.
    Random(RangeInclusive<u32>),
    /// Positions in which much depends on the next moves: picked by table, or by search where there is none.
    Balanced,
    /// The positions of a file: position texts, one a line, or game records.
    File(PathBuf),
}

/// Text that names no openings.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BadOpenings {
    /// Not a number of plies.
    #[error("openings \"{0}\": expected plies from 1 to {MOST_PLIES}, such as random:6 or random:4-10")]
    Plies(String),
    /// Nothing.
    #[error("openings \"\": expected opening, random:PLIES, balanced or the path of a file")]
    Empty,
}

impl FromStr for OpeningsChoice {
    type Err = BadOpenings;

    fn from_str(text: &str) -> Result<OpeningsChoice, BadOpenings> {
        match text {
            "" => Err(BadOpenings::Empty),
            "opening" => Ok(OpeningsChoice::Variant),
            "balanced" => Ok(OpeningsChoice::Balanced),
            _ => match text.strip_prefix("random:").or((text == "random").then_some("")) {
                Some(plies) => range(plies).map(OpeningsChoice::Random).ok_or(BadOpenings::Plies(text.to_owned())),
                None => Ok(OpeningsChoice::File(PathBuf::from(text))),
            },
        }
    }
}

fn range(text: &str) -> Option<RangeInclusive<u32>> {
    let (least, most) = text.split_once('-').unwrap_or((text, text));
    let (least, most) = (least.parse().ok()?, most.parse().ok()?);
    (1 <= least && least <= most && most <= MOST_PLIES).then_some(least..=most)
}

impl fmt::Display for OpeningsChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OpeningsChoice::Variant => f.write_str("opening"),
            OpeningsChoice::Random(plies) if plies.start() == plies.end() => write!(f, "random:{}", plies.start()),
            OpeningsChoice::Random(plies) => write!(f, "random:{}-{}", plies.start(), plies.end()),
            OpeningsChoice::Balanced => f.write_str("balanced"),
            OpeningsChoice::File(path) => write!(f, "{}", path.display()),
        }
    }
}
