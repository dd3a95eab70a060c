//! A record played by the rules.

use std::sync::Arc;

use crate::rules::{Game, Outcome, Variant};

use super::types::{GameResult, Record, RecordedMove};

/// How a referee's words begin when a player did not know how the game had ended. Only then may a record name another
/// reason than the rules.
pub const WRONG_STATUS: &str = "wrong status";

/// What the rules have against a record: the tag or the ply, what was expected, and what was found.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct ReplayError(String);

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
        for (ply, RecordedMove { text, .. }) in (1..).zip(self.moves.iter().take(plies)) {
            let move_ = game.parse_move(None, &text.to_string());
            game.play(move_.map_err(|error| ReplayError(format!("ply {ply}: {text}: {error}")))?);
        }
        Ok(game)
    }

    fn first_position(&self, given: Option<&Arc<Variant>>) -> Result<Game, ReplayError> {
        let given = given.filter(|variant| variant.id() == self.variant).cloned();
        let variant = given.or_else(|| Variant::builtin(&self.variant));
        let id = &self.variant;
        let variant = variant.ok_or_else(|| {
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
        let wrong = |what: String| Err(ReplayError(what));
        let Some(outcome) = game.outcome() else {
            let by_rules = Outcome::ALL.iter().any(|outcome| outcome.to_string() == *words);
            let no_reason = words.is_empty() && self.result != GameResult::Unfinished;
            if !by_rules && !no_reason {
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
