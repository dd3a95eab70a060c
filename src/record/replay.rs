//! The replay of a record by the rules.

use std::sync::Arc;

use crate::rules::{Game, Outcome, Variant};

use super::types::{GameResult, Record, RecordedMove};

/// The start of a termination by a player's wrong `status`. Only then may a record give another reason than the rules.
pub const WRONG_STATUS: &str = "wrong status";

/// A conflict of a record with the rules: the tag or the ply, the expectation, and the finding.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct ReplayError(String);

impl Record {
    /// Plays the game, and checks fingerprint, moves, result and termination against the rules. `variant` is used for
    /// records of its id, built-in variants for all others.
    ///
    /// # Errors
    /// The first conflict with the rules.
    pub fn replay(&self, variant: Option<&Arc<Variant>>) -> Result<Game, ReplayError> {
        let game = self.game_after(self.moves.len(), variant)?;
        self.check_end(&game)?;
        Ok(game)
    }

    /// Plays the first `plies` moves of the game, or all, and checks nothing after them.
    ///
    /// # Errors
    /// As [`replay`](Record::replay).
    pub fn game_after(&self, plies: usize, variant: Option<&Arc<Variant>>) -> Result<Game, ReplayError> {
        let mut game = self.first_position(variant)?;
        game.set_move_limit(self.move_limit);
        for (ply, RecordedMove { text, .. }) in (1..).zip(self.moves.iter().take(plies)) {
            let move_ = game.parse_move(None, &text.to_string());
            game.play(move_.map_err(|error| ReplayError(format!("ply {ply}: {text}: {error}")))?);
        }
        Ok(game)
    }

    fn first_position(&self, given: Option<&Arc<Variant>>) -> Result<Game, ReplayError> {
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
        let game = game.map_err(|error| ReplayError(format!("opening: {error}")))?;
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
            let is_by_rules = Outcome::ALL.iter().any(|outcome| outcome.to_string() == *words);
            let lacks_reason = words.is_empty() && self.result != GameResult::Unfinished;
            if !is_by_rules && !lacks_reason {
                return Ok(());
            }
            let expected = format!("a referee's reason, since the rules let the game go on after ply {plies}");
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
