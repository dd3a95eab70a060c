//! A game record, and what it means by the rules.

use std::fmt::{self, Display};
use std::str::FromStr;
use std::sync::Arc;

use privy_base::json::Object;
use privy_protocol::{Score, Side, serialized_as_text};
use privy_rules::{Game, MovePath, MoveText, Outcome, Variant};
use serde::{Deserialize, Deserializer, Serialize};

use crate::glyph::Glyph;

/// How deep variations may stand within each other.
pub(crate) const MOST_NESTED: usize = 32;

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
    #[serde(skip_serializing_if = "Option::is_none")]
    pub move_limit: Option<u32>,
    /// The seed of all random choices.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
    /// The result.
    pub result: GameResult,
    /// The reason of the end: the text of an [`Outcome`] if the rules ended the game (`general wins: attrition`),
    /// otherwise free words of the referee.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub termination: String,
    /// All other tags, in their order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<Tag>,
    /// Words on the game, before its first move.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub comment: String,
    /// The moves, in their order.
    #[serde(deserialize_with = "read_line")]
    pub moves: Vec<RecordedMove>,
}

/// A tag that is a field of a record: its name, its value as text, and the field set from a text.
pub(crate) type TagField = (&'static str, fn(&Record) -> String, fn(&mut Record, String) -> Result<(), String>);

/// In the order of the text. Empty values are not written.
pub(crate) const FIELDS: [TagField; 14] = [
    ("Event", |record| record.event.clone(), |record, text| set(&mut record.event, text)),
    ("Site", |record| record.site.clone(), |record, text| set(&mut record.site, text)),
    ("Date", |record| record.date.clone(), |record, text| set(&mut record.date, text)),
    ("Round", |record| record.round.clone(), |record, text| set(&mut record.round, text)),
    ("General", |record| record.general.clone(), |record, text| set(&mut record.general, text)),
    ("Rebels", |record| record.rebels.clone(), |record, text| set(&mut record.rebels, text)),
    ("Variant", |record| record.variant.clone(), |record, text| set(&mut record.variant, text)),
    ("Fingerprint", |record| record.fingerprint.clone(), |record, text| set(&mut record.fingerprint, text)),
    ("Opening", |record| record.opening.clone(), |record, text| set(&mut record.opening, text)),
    ("TimeControl", |record| record.time_control.clone(), |record, text| set(&mut record.time_control, text)),
    ("MoveLimit", |record| number_text(record.move_limit), |record, text| set_number(&mut record.move_limit, &text)),
    ("Seed", |record| number_text(record.seed), |record, text| set_number(&mut record.seed, &text)),
    ("Result", |record| record.result.to_string(), |record, text| set(&mut record.result, text.parse()?)),
    ("Termination", |record| record.termination.clone(), |record, text| set(&mut record.termination, text)),
];

fn set<T>(field: &mut T, value: T) -> Result<(), String> {
    *field = value;
    Ok(())
}

fn set_number<T: FromStr>(field: &mut Option<T>, text: &str) -> Result<(), String> {
    set(field, Some(text.parse().map_err(|_| format!("expected a whole number, found \"{text}\""))?))
}

pub(crate) fn number_text(number: Option<impl Display>) -> String {
    number.map(|number| number.to_string()).unwrap_or_default()
}

/// A move, the search that found it, and what people say of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RecordedMove {
    /// The move: well formed, not yet legal.
    #[serde(rename = "move")]
    pub text: MoveText,
    /// The score for the side to move.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub score: Option<Score>,
    /// The depth of the search in plies.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// The time taken, in milliseconds.
    #[serde(rename = "time", skip_serializing_if = "Option::is_none")]
    pub time_ms: Option<u64>,
    /// The nodes of the search.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// What a person thinks of the move.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub glyph: Option<Glyph>,
    /// Words on the move.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub comment: String,
    /// Lines that could have been played instead. Each has at least one move, and its first move has no variations.
    #[serde(default, skip_serializing_if = "Vec::is_empty", deserialize_with = "read_lines")]
    pub variations: Vec<Vec<RecordedMove>>,
}

impl RecordedMove {
    /// A legal move of a position, of which nothing is said.
    pub fn new(game: &Game, move_: &MovePath) -> RecordedMove {
        RecordedMove::from(game.variant().describe(move_))
    }

    /// The move in a game, if it is legal there.
    pub(crate) fn move_in(&self, game: &Game) -> Result<MovePath, ReplayError> {
        let move_ = game.parse_move(None, &self.text.to_string());
        let ply = game.moves().len() + 1;
        move_.map_err(|error| ReplayError(format!("ply {ply}: {}: {error}", self.text)))
    }

    /// True if the move has a report of its search.
    pub fn is_searched(&self) -> bool {
        self.score.is_some() || self.depth.is_some() || self.time_ms.is_some() || self.nodes.is_some()
    }
}

impl From<MoveText> for RecordedMove {
    fn from(text: MoveText) -> RecordedMove {
        RecordedMove {
            text,
            score: None,
            depth: None,
            time_ms: None,
            nodes: None,
            glyph: None,
            comment: String::new(),
            variations: Vec::new(),
        }
    }
}

fn read_line<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<RecordedMove>, D::Error> {
    Ok(line_of(Vec::deserialize(deserializer)?))
}

fn read_lines<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Vec<RecordedMove>>, D::Error> {
    Ok(Vec::deserialize(deserializer)?.into_iter().map(line_of).collect())
}

fn line_of(objects: Vec<Object<RecordedMove>>) -> Vec<RecordedMove> {
    objects.into_iter().map(|Object(move_)| move_).collect()
}

pub(crate) fn is_name_character(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

/// A free tag, which the library keeps as it is: its name, of ASCII letters, digits and `_`, and its value.
pub type Tag = (String, String);

/// True for the name of a free tag, which is that of no field of a record.
pub(crate) fn is_tag_name(name: &str) -> bool {
    !name.is_empty() && name.chars().all(is_name_character) && FIELDS.iter().all(|(field, ..)| *field != name)
}

/// The result of a game in a record. It names the winning side, since colours would need a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum GameResult {
    /// The General won.
    General,
    /// The Rebels won.
    Rebels,
    /// A draw.
    Draw,
    /// The game has no end.
    #[default]
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

    /// Returns the winner, `None` in a draw or an unfinished game.
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

impl FromStr for GameResult {
    type Err = String;

    fn from_str(text: &str) -> Result<GameResult, String> {
        let named = GameResult::ALL.into_iter().find(|result| result.to_string() == text);
        named.ok_or_else(|| format!("\"{text}\" is not a result: expected general, rebels, draw or *"))
    }
}

serialized_as_text!(GameResult);

/// The start of a termination by a player's wrong `status`. Only then may a record give another reason than the rules.
pub(crate) const WRONG_STATUS: &str = "wrong status";

/// A conflict of a record with the rules: the tag or the ply, the expectation, and the finding.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct ReplayError(pub(crate) String);

impl Record {
    /// The record of a game as it stands, without players.
    pub fn of(game: &Game) -> Record {
        let (variant, beginning) = (game.variant(), game.beginning());
        let mut turn = beginning.clone();
        let moves = game.moves().map(|move_| {
            let recorded = RecordedMove::new(&turn, move_);
            turn.play(move_.clone());
            recorded
        });
        Record {
            variant: variant.id().to_owned(),
            fingerprint: variant.fingerprint().to_owned(),
            opening: if game.begins_at_opening() { String::new() } else { beginning.to_string() },
            move_limit: game.move_limit(),
            result: game.outcome().map_or(GameResult::Unfinished, GameResult::from),
            termination: game.outcome().map(|outcome| outcome.to_string()).unwrap_or_default(),
            moves: moves.collect(),
            ..Record::default()
        }
    }

    /// Plays the game and its variations, and checks fingerprint, moves, result and termination against the rules.
    /// `variant` is used for records of its id, built-in variants for all others.
    ///
    /// # Errors
    /// The first conflict with the rules.
    pub fn replay(&self, variant: Option<&Arc<Variant>>) -> Result<Game, ReplayError> {
        let mut game = self.first_position(variant)?;
        play_line(&mut game, &self.moves, true)?;
        self.check_end(&game)?;
        Ok(game)
    }

    /// Plays the first `plies` moves of the game, or all, and checks nothing after or beside them.
    ///
    /// # Errors
    /// As [`replay`](Record::replay).
    pub fn game_after(&self, plies: usize, variant: Option<&Arc<Variant>>) -> Result<Game, ReplayError> {
        let mut game = self.first_position(variant)?;
        play_line(&mut game, self.moves.get(..plies).unwrap_or(&self.moves), false)?;
        Ok(game)
    }

    /// The game before its first move, with its limit of plies.
    pub(crate) fn first_position(&self, given: Option<&Arc<Variant>>) -> Result<Game, ReplayError> {
        let mut game = self.opening(given)?;
        game.set_move_limit(self.move_limit);
        Ok(game)
    }

    fn opening(&self, given: Option<&Arc<Variant>>) -> Result<Game, ReplayError> {
        let id = &self.variant;
        let given = given.filter(|variant| variant.id() == id).cloned();
        let variant = given.or_else(|| Variant::builtin(id)).ok_or_else(|| {
            let expected = "the id of a built-in variant or of the variant file at hand";
            ReplayError(format!("variant \"{id}\": expected {expected}"))
        })?;
        let (found, expected) = (&self.fingerprint, variant.fingerprint());
        if !found.is_empty() && found != expected {
            return Err(ReplayError(format!("fingerprint {found}: expected {expected}, that of the rules of {id}")));
        }
        if self.opening.is_empty() {
            return Ok(variant.start());
        }
        let game = Game::from_text(&self.opening, Some(&variant));
        let game = game.map_err(|error| ReplayError(format!("opening: {}", error.detail())))?;
        match game.variant().id() {
            found if found == id => Ok(game),
            found => Err(ReplayError(format!("opening: expected a position of {id}, found one of {found}"))),
        }
    }

    fn check_end(&self, game: &Game) -> Result<(), ReplayError> {
        let plies = self.moves.len();
        let words = &self.termination;
        let wrong = |reason: String| Err(ReplayError(reason));
        let Some(outcome) = game.outcome() else {
            let is_by_rules = ["general wins: ", "rebels win: ", "draw: "].iter().any(|who| words.starts_with(who));
            let lacks_reason = words.is_empty() && self.result != GameResult::Unfinished;
            if !is_by_rules && !lacks_reason {
                return Ok(());
            }
            let expected = format!("a referee's reason, since the rules let the game continue after ply {plies}");
            return wrong(format!("termination: expected {expected}, found \"{words}\""));
        };
        if words.starts_with(WRONG_STATUS) {
            return Ok(());
        }
        if !words.is_empty() && *words != outcome.to_string() {
            return wrong(format!("termination: expected \"{outcome}\" after ply {plies}, found \"{words}\""));
        }
        let (expected, found) = (GameResult::from(outcome), self.result);
        if found != expected {
            return wrong(format!("result: expected {expected} ({outcome}, after ply {plies}), found {found}"));
        }
        Ok(())
    }
}

/// Plays a line of a game; with its variations, each of which is taken back.
fn play_line(game: &mut Game, line: &[RecordedMove], with_variations: bool) -> Result<(), ReplayError> {
    for recorded in line {
        for variation in recorded.variations.iter().filter(|_| with_variations) {
            let plies = game.moves().len();
            play_line(game, variation, true)?;
            game.rewind(plies);
        }
        let move_ = recorded.move_in(game)?;
        game.play(move_);
    }
    Ok(())
}

/// True if variations nest no deeper than [`MOST_NESTED`], each has a move, and the first move of each has no
/// variations.
pub(crate) fn is_well_nested(line: &[RecordedMove], depth: usize) -> bool {
    let mut variations = line.iter().flat_map(|move_| &move_.variations);
    variations.all(|one| {
        let begins_well = one.first().is_some_and(|first| first.variations.is_empty());
        begins_well && depth < MOST_NESTED && is_well_nested(one, depth + 1)
    })
}
