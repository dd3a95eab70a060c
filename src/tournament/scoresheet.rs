//! A game as the referee keeps it: the rules' own game, and the text of it that engines are told.

use crate::rules::{Game, MovePath};

/// A game and its text.
#[derive(Debug, Clone)]
pub(super) struct Scoresheet {
    game: Game,
    /// `position … moves …`
    command: String,
    moves: Vec<String>,
}

impl Scoresheet {
    /// A game as far as its opening goes.
    pub(super) fn new(opening: &Game, move_limit: Option<u32>) -> Scoresheet {
        let first = opening.beginning();
        let start = first.variant().start();
        let is_opening = first.position() == start.position() && first.ply() == start.ply();
        let command = if is_opening { "position startpos".to_owned() } else { format!("position fen {first}") };
        let mut game = first;
        game.set_move_limit(move_limit);
        let mut sheet = Scoresheet { game, command, moves: Vec::new() };
        opening.moves().for_each(|move_| sheet.play(move_.clone()));
        sheet
    }

    pub(super) fn game(&self) -> &Game {
        &self.game
    }

    /// Whether it began with the opening of the variant.
    pub(super) fn begins_at_opening(&self) -> bool {
        self.command.starts_with("position startpos")
    }

    pub(super) fn moves(&self) -> &[String] {
        &self.moves
    }

    /// The command that tells an engine the whole game.
    pub(super) fn command(&self) -> &str {
        &self.command
    }

    pub(super) fn play(&mut self, move_: MovePath) {
        let text = self.game.move_text(&move_);
        self.command += if self.moves.is_empty() { " moves " } else { " " };
        self.command += &text;
        self.moves.push(text);
        self.game.play(move_);
    }
}

#[cfg(test)]
mod tests {
    use crate::rules::{DEFAULT_VARIANT, Variant};

    use super::*;

    #[test]
    fn engines_are_told_the_whole_game() {
        let variant = Variant::builtin(DEFAULT_VARIANT).unwrap();
        let mut sheet = Scoresheet::new(&variant.start(), Some(2));
        assert_eq!(sheet.command(), "position startpos");
        for text in ["c3-b2", "a2-a3"] {
            let move_ = sheet.game().parse_move(None, text).unwrap();
            sheet.play(move_);
        }
        assert_eq!(sheet.command(), "position startpos moves c3-b2 a2-a3");
        assert!(sheet.game().outcome().is_some());
        let again = Scoresheet::new(sheet.game(), None);
        assert_eq!((again.command(), again.moves()), (sheet.command(), sheet.moves()));
        let later = Scoresheet::new(&sheet.game().without_history(), None);
        assert_eq!(later.command(), format!("position fen {}", sheet.game()));
        assert!(sheet.begins_at_opening() && !later.begins_at_opening());
    }
}
