//! The opening of a pair of games.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::rules::{Game, MoveError, Outcome, PositionError, Variant};

/// Where two games begin, in a form that a file can keep: a first position, and moves that are made for the engines.
///
/// Openings that come from play name the opening of the variant and the moves, so that an engine that can't set up a position
/// can follow.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Opening {
    /// Text of the first position.
    pub position: String,
    /// The moves from there, in their canonical texts.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub moves: Vec<String>,
    /// How it was picked, in words: `6 random plies`, `line 12 of critical.txt`.
    pub origin: String,
}

/// Why an opening can't be set up.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BadOpening {
    /// There is none.
    #[error("opening: expected one, found none")]
    None,
    /// The first position is no position.
    #[error("opening: {0}")]
    Position(#[from] PositionError),
    /// It is one of another variant.
    #[error("opening: expected a position of {expected}, found one of {found}")]
    OtherVariant {
        /// The variant of the match.
        expected: String,
        /// The variant of the position.
        found: String,
    },
    /// A move is not legal.
    #[error("opening: ply {ply}: {text}: {error}")]
    MovePath {
        /// The number of the move, from 1.
        ply: usize,
        /// The move.
        text: String,
        /// What the rules say.
        error: MoveError,
    },
    /// There is nothing left to play.
    #[error("opening: expected a game that goes on, found {0}")]
    Over(Outcome),
}

impl Opening {
    /// The opening that a game has reached.
    #[must_use]
    pub fn of_game(game: &Game, origin: impl Into<String>) -> Opening {
        let moves = game.moves().map(|move_| game.move_text(move_)).collect();
        Opening { position: game.beginning().to_string(), moves, origin: origin.into() }
    }

    /// The game as far as the opening goes.
    ///
    /// # Errors
    /// When it is not one of the variant, or leaves nothing to play.
    pub fn game(&self, variant: &Arc<Variant>) -> Result<Game, BadOpening> {
        let first = Game::from_text(&self.position, Some(variant))?;
        if first.variant().id() != variant.id() {
            let (expected, found) = (variant.id().to_owned(), first.variant().id().to_owned());
            return Err(BadOpening::OtherVariant { expected, found });
        }
        let mut game = first;
        for (index, text) in self.moves.iter().enumerate() {
            match game.parse_move(None, text) {
                Ok(move_) => game.play(move_),
                Err(error) => return Err(BadOpening::MovePath { ply: index + 1, text: text.clone(), error }),
            }
        }
        if let Some(outcome) = game.outcome() { Err(BadOpening::Over(outcome)) } else { Ok(game) }
    }
}
