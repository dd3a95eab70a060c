//! A record played by the rules.

use std::sync::Arc;

use crate::rules::{Game, MoveError, Outcome, PositionError, Variant};

use super::types::{GameResult, Record};

/// How a referee's words begin when a player did not know how the game had ended. Only then may a record name another
/// reason than the rules.
pub const WRONG_STATUS: &str = "wrong status";

/// What the rules have against a record.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ReplayError {
    /// No variant has this id.
    #[error("variant \"{0}\": expected the id of a built-in variant or of the variant file at hand")]
    UnknownVariant(String),
    /// The game was played by other rules.
    #[error("fingerprint {found}: expected {expected}, that of the rules of {variant}")]
    Fingerprint {
        /// The id of the variant.
        variant: String,
        /// The fingerprint of the record.
        found: String,
        /// The fingerprint of the variant.
        expected: String,
    },
    /// The opening is no position.
    #[error("opening: {0}")]
    Opening(#[from] PositionError),
    /// The opening is a position of another variant.
    #[error("opening: expected a position of {expected}, found one of {found}")]
    OtherVariant {
        /// The variant of the record.
        expected: String,
        /// The variant of the opening.
        found: String,
    },
    /// A move that can't be played.
    #[error("ply {ply}: {text}: {error}")]
    Move {
        /// The number of the move, from 1.
        ply: usize,
        /// The move.
        text: String,
        /// What the rules say.
        error: MoveError,
    },
    /// The result is not the one that the rules gave.
    #[error("result: expected {} ({outcome}, after ply {plies}), found {found}", GameResult::from(*outcome))]
    Result {
        /// How many plies were played.
        plies: usize,
        /// How the game ended.
        outcome: Outcome,
        /// The result of the record.
        found: GameResult,
    },
    /// The rules ended the game, the record says something else.
    #[error("termination: expected \"{outcome}\" after ply {plies}, found \"{found}\"")]
    Termination {
        /// How many plies were played.
        plies: usize,
        /// How the game ended.
        outcome: Outcome,
        /// What the record says.
        found: String,
    },
    /// The record says that the rules ended the game, or gives no reason for its result, but the game could go on.
    #[error(
        "termination: expected a referee's reason, since the rules let the game go on after ply {plies}, found \"{found}\""
    )]
    NotOver {
        /// How many plies were played.
        plies: usize,
        /// What the record says.
        found: String,
    },
}

impl Record {
    /// Plays the game: the variant is known and its rules are the same, every move is legal in its turn, result and
    /// termination are those of the rules where the rules decided. `variant` is used for records of its id, built-in
    /// variants for all others.
    ///
    /// # Errors
    /// The first thing that is wrong; of a move its ply.
    pub fn replay(&self, variant: Option<&Arc<Variant>>) -> Result<Game, ReplayError> {
        let game = self.game_after(self.moves.len(), variant)?;
        self.check_end(&game)?;
        Ok(game)
    }

    /// Plays so many moves of the game, all if it has fewer, and looks at nothing behind them.
    ///
    /// # Errors
    /// As [`replay`](Record::replay).
    pub fn game_after(&self, plies: usize, variant: Option<&Arc<Variant>>) -> Result<Game, ReplayError> {
        let mut game = self.first_position(variant)?;
        game.set_move_limit(self.move_limit);
        for (index, recorded) in self.moves.iter().take(plies).enumerate() {
            let text = recorded.text.to_string();
            match game.parse_move(None, &text) {
                Ok(move_) => game.play(move_),
                Err(error) => return Err(ReplayError::Move { ply: index + 1, text, error }),
            }
        }
        Ok(game)
    }

    fn first_position(&self, given: Option<&Arc<Variant>>) -> Result<Game, ReplayError> {
        let given = given.filter(|variant| variant.id() == self.variant).cloned();
        let variant = given.or_else(|| Variant::builtin(&self.variant));
        let variant = variant.ok_or_else(|| ReplayError::UnknownVariant(self.variant.clone()))?;
        if !self.fingerprint.is_empty() && self.fingerprint != variant.fingerprint() {
            let (found, expected) = (self.fingerprint.clone(), variant.fingerprint().to_owned());
            return Err(ReplayError::Fingerprint { variant: self.variant.clone(), found, expected });
        }
        if self.opening.is_empty() {
            return Ok(variant.start());
        }
        let position = Game::from_text(&self.opening, Some(&variant))?;
        let found = position.variant().id();
        if found != variant.id() {
            return Err(ReplayError::OtherVariant { expected: self.variant.clone(), found: found.to_owned() });
        }
        Ok(position)
    }

    fn check_end(&self, game: &Game) -> Result<(), ReplayError> {
        let plies = self.moves.len();
        let words = &self.termination;
        let Some(outcome) = game.outcome() else {
            let by_rules = Outcome::ALL.iter().any(|outcome| outcome.to_string() == *words);
            let no_reason = words.is_empty() && self.result != GameResult::Unfinished;
            return if by_rules || no_reason {
                Err(ReplayError::NotOver { plies, found: words.clone() })
            } else {
                Ok(())
            };
        };
        if words.starts_with(WRONG_STATUS) {
            return Ok(());
        }
        if !words.is_empty() && *words != outcome.to_string() {
            return Err(ReplayError::Termination { plies, outcome, found: words.clone() });
        }
        if self.result != GameResult::from(outcome) {
            return Err(ReplayError::Result { plies, outcome, found: self.result });
        }
        Ok(())
    }
}
