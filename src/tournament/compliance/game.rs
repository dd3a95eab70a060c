//! Games to play with an engine: picked at random, the same every time.

use std::sync::Arc;

use super::step::Failure;
use super::trial::Trial;
use crate::random::mix;
use crate::rules::{Game, MovePath, Variant};

/// Commands that tell the state of a game. Without one of them nobody can see what an engine has made of a game.
pub(super) const STATE: &[&str] = &["fen", "status", "legal_moves"];

/// A game of so many plies, or fewer when it ends before; which one, the seed decides.
pub(super) fn random_game(variant: &Arc<Variant>, seed: u64, plies: usize) -> Game {
    let mut game = variant.start();
    for ply in 0..plies {
        let mut moves = game.legal_moves();
        if moves.is_empty() {
            break;
        }
        let chosen = mix(mix(seed) ^ ply as u64) % moves.len() as u64;
        game.play(moves.swap_remove(usize::try_from(chosen).unwrap_or(0)));
    }
    game
}

/// The text of the moves of a game.
pub(super) fn move_texts(game: &Game) -> Vec<String> {
    game.moves().map(|move_| game.move_text(move_)).collect()
}

/// The texts of legal moves as `legal_moves` gives them: sorted, with a space between.
pub(super) fn legal_text(game: &Game) -> String {
    let mut moves: Vec<String> = game.legal_moves().iter().map(|move_: &MovePath| game.move_text(move_)).collect();
    moves.sort();
    moves.join(" ")
}

/// What `status` says of a game.
pub(super) fn status_text(game: &Game) -> String {
    game.outcome().map_or_else(|| format!("{} to move", game.position().side()), |outcome| outcome.to_string())
}

impl Trial<'_> {
    /// Chooses a variant, where the engine has a choice.
    pub(super) fn choose_variant(&mut self, variant: &Variant) -> Result<(), Failure> {
        if self.has("variant") {
            self.text_of(&format!("variant {}", variant.id()))?;
        }
        Ok(())
    }

    /// Lets the engine come to the position of a game that began with the opening.
    pub(super) fn set_up(&mut self, game: &Game) -> Result<(), Failure> {
        self.choose_variant(game.beginning().variant())?;
        let moves = move_texts(game);
        if self.has("position") {
            let moves = if moves.is_empty() { String::new() } else { format!(" moves {}", moves.join(" ")) };
            self.text_of(&format!("position startpos{moves}"))?;
        } else {
            self.text_of("clear_board")?;
            for text in moves {
                self.text_of(&format!("play {text}"))?;
            }
        }
        Ok(())
    }

    /// What the engine says of its state, by all commands that it has for that; empty when it has none.
    pub(super) fn state(&mut self) -> Result<Vec<String>, Failure> {
        let asked: Vec<&str> =
            ["variant", "fen", "status", "legal_moves"].into_iter().filter(|command| self.has(command)).collect();
        asked.into_iter().map(|command| Ok(format!("{command}: {}", self.text_of(command)?))).collect()
    }

    /// The engine must say of its state what is true of a game.
    pub(super) fn ensure_state(&mut self, game: &Game) -> Result<(), Failure> {
        let facts = [("fen", game.to_string()), ("status", status_text(game)), ("legal_moves", legal_text(game))];
        for (command, fact) in facts {
            if self.has(command) {
                let text = self.text_of(command)?;
                self.ensure(text == fact, &format!("= {fact}"))?;
            }
        }
        Ok(())
    }
}
