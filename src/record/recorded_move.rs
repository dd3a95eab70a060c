//! A move of a record, with what its player thought.

use std::fmt::Display;
use std::str::FromStr;

use privy_protocol::Score;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use crate::rules::{Game, MovePath, MoveText};

/// A move as it was played, and what is known of the search that found it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RecordedMove {
    /// The move: well formed, not yet legal.
    #[serde(rename = "move", serialize_with = "write_text", deserialize_with = "read_text")]
    pub text: MoveText,
    /// The score, from the side that moves.
    #[serde(default, skip_serializing_if = "Option::is_none", with = "score_text")]
    pub score: Option<Score>,
    /// The depth of the search in plies.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// The time taken, in milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time_ms: Option<u64>,
    /// The nodes of the search.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
}

impl RecordedMove {
    /// A legal move of a position, without any thoughts.
    #[must_use]
    pub fn new(game: &Game, move_: &MovePath) -> RecordedMove {
        RecordedMove::from(game.variant().describe(move_))
    }

    /// Is anything known of the search that found it?
    #[must_use]
    pub fn is_commented(&self) -> bool {
        self.score.is_some() || self.depth.is_some() || self.time_ms.is_some() || self.nodes.is_some()
    }
}

impl From<MoveText> for RecordedMove {
    fn from(text: MoveText) -> RecordedMove {
        RecordedMove { text, score: None, depth: None, time_ms: None, nodes: None }
    }
}

fn write_text<S: Serializer>(value: &impl Display, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(value)
}

fn read_text<'de, T: FromStr<Err: Display>, D: Deserializer<'de>>(deserializer: D) -> Result<T, D::Error> {
    String::deserialize(deserializer)?.parse().map_err(de::Error::custom)
}

mod score_text {
    use super::{Deserializer, Score, Serializer, read_text, write_text};

    pub(super) fn serialize<S: Serializer>(score: &Option<Score>, serializer: S) -> Result<S::Ok, S::Error> {
        match score {
            Some(score) => write_text(score, serializer),
            None => serializer.serialize_none(),
        }
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Score>, D::Error> {
        read_text(deserializer).map(Some)
    }
}
