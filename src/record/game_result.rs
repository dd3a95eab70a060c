//! Who won a game.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::rules::{Outcome, Side};

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
    #[must_use]
    pub fn won_by(side: Side) -> GameResult {
        match side {
            Side::General => GameResult::General,
            Side::Rebels => GameResult::Rebels,
        }
    }

    /// Who won; none in a draw or an unfinished game.
    #[must_use]
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

impl fmt::Display for GameResult {
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
