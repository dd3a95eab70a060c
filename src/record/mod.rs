//! Game records: a game with its players, its moves and its end, written, read back and checked against the rules.
//!
//! A record is text in the manner of chess's PGN (`docs/RECORDS.md` has the grammar), or a line of JSON with the same
//! content. Reading looks at the form alone; [`Record::replay`] plays the moves by the rules.
//!
//! ```
//! use privy::record::{GameResult, Record};
//!
//! let text = r#"
//! [General "Zhang"]
//! [Rebels "Li"]
//! [Variant "sixteen-rebels"]
//! [Result "*"]
//!
//! 1. c3-b2 {-0.31/8 12ms} 2. a2-a3 *
//! "#;
//! let record: Record = text.parse().unwrap();
//! assert_eq!(record.result, GameResult::Unfinished);
//! let game = record.replay(None).unwrap();
//! assert_eq!(game.to_string(), "1/3/rrrrr/r3r/r3r/1G2r/rr1rr g - 1 2 sixteen-rebels");
//! ```

mod error;
mod game_result;
mod grammar;
mod read;
mod recorded_move;
mod replay;
mod tag;
mod write;

use serde::{Deserialize, Serialize};

pub use error::{RecordError, RecordFault};
pub use game_result::{GameResult, NotAResult};
pub use read::records;
pub use recorded_move::RecordedMove;
pub use replay::{ReplayError, WRONG_STATUS};
pub use tag::{BadTagName, Tag};

/// A game and what is known about it. A text that is empty says that nothing is known.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Record {
    /// The match, tournament or evening that the game belongs to.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub event: String,
    /// Where it was played.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub site: String,
    /// When it was played: `2026.03.14`, year, month and day.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub date: String,
    /// Its place in the event.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub round: String,
    /// Who played the General.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub general: String,
    /// Who played the Rebels.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub rebels: String,
    /// Id of the variant.
    pub variant: String,
    /// Fingerprint of its rules.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub fingerprint: String,
    /// Text of the first position, whole; without it the game began with the opening of the variant.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub opening: String,
    /// How much time the players had, in words of whoever wrote the record.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub time_control: String,
    /// After so many plies the game is a draw; none without a limit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub move_limit: Option<u32>,
    /// The number from which everything random about the game was drawn.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
    /// Who won.
    pub result: GameResult,
    /// Why the game ended: an [`Outcome`](crate::rules::Outcome) in its words where the rules ended it, `general wins:
    /// attrition`; otherwise the words of the referee.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub termination: String,
    /// All other tags, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<Tag>,
    /// The moves, in order.
    pub moves: Vec<RecordedMove>,
}

#[cfg(test)]
mod tests;
