//! The content of a record, and its text: the tags of the game, its result, and its moves with comments on the searches.

use std::fmt::{self, Display, Write as _};
use std::str::FromStr;

use privy_protocol::Score;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use crate::message::is_unsafe;
use crate::rules::{Game, MovePath, MoveText, Outcome, Side};

/// A game record. An empty text is an unknown one.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Record {
    /// The match, tournament or evening.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub event: String,
    /// The place.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub site: String,
    /// The date: `2026.03.14`, year, month and day.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub date: String,
    /// The number of the game in the event.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub round: String,
    /// The player of the General.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub general: String,
    /// The player of the Rebels.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub rebels: String,
    /// Id of the variant.
    pub variant: String,
    /// Fingerprint of the rules.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub fingerprint: String,
    /// Text of the first position, if it is not the opening of the variant.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub opening: String,
    /// The time control, in free words.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub time_control: String,
    /// The number of plies after which the game is a draw.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub move_limit: Option<u32>,
    /// The seed of all random choices.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
    /// The result.
    pub result: GameResult,
    /// The reason of the end: the text of an [`Outcome`] if the rules ended the game (`general wins: attrition`), otherwise
    /// free words of the referee.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub termination: String,
    /// All other tags, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<Tag>,
    /// The moves, in order.
    pub moves: Vec<RecordedMove>,
}

/// Whether a tag has a field of its own.
fn is_known_tag(name: &str) -> bool {
    matches!(name, "Event" | "Site" | "Date" | "Round" | "General" | "Rebels" | "Variant" | "Fingerprint" | "Opening")
        || matches!(name, "TimeControl" | "MoveLimit" | "Seed" | "Result" | "Termination")
}

impl Record {
    /// The tags with fields of their own, in the order of the text; empty values are not written.
    fn known_tags(&self) -> [(&'static str, String); 14] {
        [
            ("Event", self.event.clone()),
            ("Site", self.site.clone()),
            ("Date", self.date.clone()),
            ("Round", self.round.clone()),
            ("General", self.general.clone()),
            ("Rebels", self.rebels.clone()),
            ("Variant", self.variant.clone()),
            ("Fingerprint", self.fingerprint.clone()),
            ("Opening", self.opening.clone()),
            ("TimeControl", self.time_control.clone()),
            ("MoveLimit", self.move_limit.map(|limit| limit.to_string()).unwrap_or_default()),
            ("Seed", self.seed.map(|seed| seed.to_string()).unwrap_or_default()),
            ("Result", self.result.to_string()),
            ("Termination", self.termination.clone()),
        ]
    }
}

/// The longest line of moves, unless a single move is longer.
const LINE_LENGTH: usize = 80;

/// Tags, an empty line, the moves, a line feed at the end. An empty line separates two records.
impl Display for Record {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (name, value) in self.known_tags().into_iter().filter(|(_, value)| !value.is_empty()) {
            writeln!(f, "[{name} \"{}\"]", Escaped(&value))?;
        }
        for tag in &self.tags {
            writeln!(f, "[{} \"{}\"]", tag.name(), Escaped(tag.value()))?;
        }
        writeln!(f)?;
        let moves = self.moves.iter().enumerate().map(|(index, move_)| format!("{}. {move_}", index + 1));
        let mut room = LINE_LENGTH;
        for (index, text) in moves.chain([self.result.to_string()]).enumerate() {
            if index > 0 {
                let fits = text.len() < room;
                f.write_char(if fits { ' ' } else { '\n' })?;
                room = if fits { room - 1 } else { LINE_LENGTH };
            }
            f.write_str(&text)?;
            room = room.saturating_sub(text.len());
        }
        writeln!(f)
    }
}

/// A move, and the search that found it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RecordedMove {
    /// The move: well formed, not yet legal.
    #[serde(rename = "move", serialize_with = "write_text", deserialize_with = "read_text")]
    pub text: MoveText,
    /// The score for the side to move.
    #[serde(
        default,
        skip_serializing_if = "Option::is_none",
        serialize_with = "write_score",
        deserialize_with = "read_score"
    )]
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
    /// A legal move of a position, without a comment.
    pub fn new(game: &Game, move_: &MovePath) -> RecordedMove {
        RecordedMove::from(game.variant().describe(move_))
    }

    /// Whether the move has a comment on its search.
    pub fn is_commented(&self) -> bool {
        self.score.is_some() || self.depth.is_some() || self.time_ms.is_some() || self.nodes.is_some()
    }
}

impl From<MoveText> for RecordedMove {
    fn from(text: MoveText) -> RecordedMove {
        RecordedMove { text, score: None, depth: None, time_ms: None, nodes: None }
    }
}

/// The move, then its search in braces: `c3-b2 {+0.42/12 15ms 5120n}`.
impl Display for RecordedMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.text)?;
        let score = self.score.map(|score| score.to_string()).unwrap_or_default();
        let depth = self.depth.map(|depth| format!("/{depth}")).unwrap_or_default();
        let time = self.time_ms.map(|time| format!("{time}ms")).unwrap_or_default();
        let nodes = self.nodes.map(|nodes| format!("{nodes}n")).unwrap_or_default();
        let words: Vec<String> = [score + &depth, time, nodes].into_iter().filter(|word| !word.is_empty()).collect();
        if words.is_empty() { Ok(()) } else { write!(f, " {{{}}}", words.join(" ")) }
    }
}

/// The value of a tag between its quotes.
struct Escaped<'a>(&'a str);

impl Display for Escaped<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.chars().try_for_each(|c| match c {
            '"' | '\\' => write!(f, "\\{c}"),
            '\n' => f.write_str("\\n"),
            c if is_unsafe(c) => write!(f, "\\u{{{:x}}}", u32::from(c)),
            c => f.write_char(c),
        })
    }
}

fn write_text<S: Serializer>(value: &impl Display, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(value)
}

fn read_text<'de, T: FromStr<Err: Display>, D: Deserializer<'de>>(deserializer: D) -> Result<T, D::Error> {
    String::deserialize(deserializer)?.parse().map_err(de::Error::custom)
}

fn write_score<S: Serializer>(score: &Option<Score>, serializer: S) -> Result<S::Ok, S::Error> {
    score.as_ref().map(Score::to_string).serialize(serializer)
}

fn read_score<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Score>, D::Error> {
    read_text(deserializer).map(Some)
}

/// An invalid name of a free tag.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BadTagName {
    /// Not a name.
    #[error("tag name \"{0}\": expected ASCII letters, digits and _")]
    Form(String),
    /// A tag with a field of its own.
    #[error("tag name \"{0}\": the record has a field of this meaning")]
    Known(String),
}

/// A free tag, which the library keeps as it is: its name and its value.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "(String, String)")]
pub struct Tag(String, String);

impl Tag {
    /// A tag with any value.
    ///
    /// # Errors
    /// When the name is invalid, or that of a field of [`Record`].
    pub fn new(name: &str, value: &str) -> Result<Tag, BadTagName> {
        if name.is_empty() || !name.chars().all(is_name_character) {
            return Err(BadTagName::Form(name.to_owned()));
        }
        if is_known_tag(name) {
            return Err(BadTagName::Known(name.to_owned()));
        }
        Ok(Tag(name.to_owned(), value.to_owned()))
    }

    /// The name.
    pub fn name(&self) -> &str {
        &self.0
    }

    /// The value.
    pub fn value(&self) -> &str {
        &self.1
    }
}

pub(super) fn is_name_character(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

impl TryFrom<(String, String)> for Tag {
    type Error = BadTagName;

    fn try_from((name, value): (String, String)) -> Result<Tag, BadTagName> {
        Tag::new(&name, &value)
    }
}

/// The result of a game in a record. It names the winning side, since colours would need a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum GameResult {
    /// The General won.
    General,
    /// The Rebels won.
    Rebels,
    /// A draw.
    Draw,
    /// The game has no end.
    #[default]
    #[serde(rename = "*")]
    Unfinished,
}

impl GameResult {
    /// All results.
    pub const ALL: [GameResult; 4] =
        [GameResult::General, GameResult::Rebels, GameResult::Draw, GameResult::Unfinished];

    /// A win of a side.
    pub fn won_by(side: Side) -> GameResult {
        match side {
            Side::General => GameResult::General,
            Side::Rebels => GameResult::Rebels,
        }
    }

    /// The winner; none in a draw or an unfinished game.
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

/// Text that is not a result.
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
