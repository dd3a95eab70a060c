//! What a record holds: the game's tags, its result, its moves with what their players thought.

use std::fmt::{self, Display};
use std::str::FromStr;

use privy_protocol::Score;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use crate::rules::{Game, MovePath, MoveText, Outcome, Side};

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
    /// Why the game ended: an [`Outcome`] in its words where the rules ended it, `general wins:
    /// attrition`; otherwise the words of the referee.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub termination: String,
    /// All other tags, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<Tag>,
    /// The moves, in order.
    pub moves: Vec<RecordedMove>,
}

/// The names of the tags that have a field.
const KNOWN_TAGS: [&str; 14] = [
    "Event",
    "Site",
    "Date",
    "Round",
    "General",
    "Rebels",
    "Variant",
    "Fingerprint",
    "Opening",
    "TimeControl",
    "MoveLimit",
    "Seed",
    "Result",
    "Termination",
];

impl Record {
    /// The tags that have a field, in the order in which they are written; an empty value is not written.
    pub(super) fn known_tags(&self) -> impl Iterator<Item = (&'static str, String)> {
        let number = |number: Option<u64>| number.map(|number| number.to_string()).unwrap_or_default();
        let values = [
            self.event.clone(),
            self.site.clone(),
            self.date.clone(),
            self.round.clone(),
            self.general.clone(),
            self.rebels.clone(),
            self.variant.clone(),
            self.fingerprint.clone(),
            self.opening.clone(),
            self.time_control.clone(),
            number(self.move_limit.map(u64::from)),
            number(self.seed),
            self.result.to_string(),
            self.termination.clone(),
        ];
        KNOWN_TAGS.into_iter().zip(values)
    }
}

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
    pub fn new(game: &Game, move_: &MovePath) -> RecordedMove {
        RecordedMove::from(game.variant().describe(move_))
    }

    /// Is anything known of the search that found it?
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

/// A name that can't be the name of a tag without a meaning.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BadTagName {
    /// No name at all.
    #[error("tag name \"{0}\": expected ASCII letters, digits and _")]
    Form(String),
    /// The record has a field for it.
    #[error("tag name \"{0}\": the record has a field of this meaning")]
    Known(String),
}

/// A tag that the library gives no meaning: it is kept as it is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "(String, String)", into = "(String, String)")]
pub struct Tag {
    name: String,
    value: String,
}

impl Tag {
    /// A tag; any text may be its value.
    ///
    /// # Errors
    /// When the name is no name, or one that a [`Record`] has a field for.
    pub fn new(name: &str, value: &str) -> Result<Tag, BadTagName> {
        if name.is_empty() || !name.chars().all(is_name_character) {
            return Err(BadTagName::Form(name.to_owned()));
        }
        if KNOWN_TAGS.contains(&name) {
            return Err(BadTagName::Known(name.to_owned()));
        }
        Ok(Tag { name: name.to_owned(), value: value.to_owned() })
    }

    /// The name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The value.
    pub fn value(&self) -> &str {
        &self.value
    }
}

/// May the character stand in the name of a tag?
pub(super) fn is_name_character(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

impl TryFrom<(String, String)> for Tag {
    type Error = BadTagName;

    fn try_from((name, value): (String, String)) -> Result<Tag, BadTagName> {
        Tag::new(&name, &value)
    }
}

impl From<Tag> for (String, String) {
    fn from(tag: Tag) -> (String, String) {
        (tag.name, tag.value)
    }
}

/// The result of a game, as records write it. The winner is named by side: colours would need a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum GameResult {
    /// The General won.
    General,
    /// The Rebels won.
    Rebels,
    /// Nobody won.
    Draw,
    /// The game was not played to an end.
    #[default]
    #[serde(rename = "*")]
    Unfinished,
}

impl GameResult {
    /// All results.
    pub const ALL: [GameResult; 4] =
        [GameResult::General, GameResult::Rebels, GameResult::Draw, GameResult::Unfinished];

    /// The result of a game that a side won.
    pub fn won_by(side: Side) -> GameResult {
        match side {
            Side::General => GameResult::General,
            Side::Rebels => GameResult::Rebels,
        }
    }

    /// Who won; none in a draw or an unfinished game.
    pub fn winner(self) -> Option<Side> {
        match self {
            GameResult::General => Some(Side::General),
            GameResult::Rebels => Some(Side::Rebels),
            GameResult::Draw | GameResult::Unfinished => None,
        }
    }
}

impl From<Outcome> for GameResult {
    fn from(outcome: Outcome) -> GameResult {
        outcome.winner().map_or(GameResult::Draw, GameResult::won_by)
    }
}

impl Display for GameResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            GameResult::General => "general",
            GameResult::Rebels => "rebels",
            GameResult::Draw => "draw",
            GameResult::Unfinished => "*",
        })
    }
}

/// Text that is no result.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("\"{0}\" is not a result: expected general, rebels, draw or *")]
pub struct NotAResult(pub String);

impl FromStr for GameResult {
    type Err = NotAResult;

    fn from_str(text: &str) -> Result<GameResult, NotAResult> {
        let named = GameResult::ALL.into_iter().find(|result| result.to_string() == text);
        named.ok_or_else(|| NotAResult(text.to_owned()))
    }
}
