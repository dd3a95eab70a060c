//! What a drawing shows: a position, the move that led to it, and the words beside it.

use crate::board::Board;
use crate::rules::{Game, MovePath, Outcome, Position};

use super::last_move::LastMove;

/// A position to be drawn, with what the position alone does not know.
#[derive(Debug, Clone, Copy)]
pub struct View<'a> {
    /// The position.
    pub position: &'a Position,
    /// The position before, and the move made in it that led to this one; none when nothing is to be marked.
    pub last: Option<(&'a Position, &'a MovePath)>,
    /// How the game ended: by the position, or by repetition or the limit of plies, which only a game knows.
    pub outcome: Option<Outcome>,
}

impl<'a> View<'a> {
    /// A position without history.
    #[must_use]
    pub fn of_position(position: &'a Position) -> View<'a> {
        View { position, last: None, outcome: position.outcome() }
    }

    /// The position to move in of a game, with the last move and the outcome of the game.
    #[must_use]
    pub fn of_game(game: &'a Game) -> View<'a> {
        let last = game.positions().rev().nth(1).zip(game.moves().next_back());
        View { position: game.position(), last, outcome: game.outcome() }
    }

    pub(super) fn board(&self) -> &'a Board {
        self.position.board()
    }

    pub(super) fn last_move(&self) -> Option<LastMove> {
        self.last.map(|(_, move_)| LastMove::of(move_))
    }

    /// The title of the variant, or its id where the file has no title.
    pub(super) fn title(&self) -> String {
        let variant = self.position.variant();
        // A user's title may hold anything; a drawing needs one line without control characters.
        let title = variant.title().replace(|c: char| c.is_control() || c.is_whitespace(), " ");
        let words: Vec<&str> = title.split(' ').filter(|word| !word.is_empty()).collect();
        if words.is_empty() { variant.id().to_owned() } else { words.join(" ") }
    }

    /// The title of the variant with its id: `King's Gonu (kings-gonu)`.
    pub(super) fn heading(&self) -> String {
        format!("{} ({})", self.title(), self.position.variant().id())
    }

    /// Who is to move or how the game ended, the ply number, the Rebels, the flags.
    pub(super) fn status(&self) -> String {
        let state = self.position.state();
        let mut status = match self.outcome {
            Some(outcome) => outcome.to_string(),
            None => format!("{} to move", state.side),
        };
        status += &format!(", ply {}, {}", self.position.ply(), counted(state.rebels.len(), "rebel"));
        if state.apex_visited {
            status += ", apex visited";
        }
        if self.position.variant().rule_set().free_jumps > 0 {
            status += &format!(", {} left", counted(u32::from(state.free_jumps), "free jump"));
        }
        status
    }

    /// The last move with its side, and what it took: `last move: general c3-b2` and ` takes c1 a3`, or nothing.
    pub(super) fn last_move_words(&self) -> Option<(String, String)> {
        let (before, move_) = self.last?;
        let captured = move_.action().captured;
        let taken =
            if captured.is_empty() { String::new() } else { format!(" takes {}", before.board().names(captured)) };
        Some((format!("last move: {} {}", before.side(), before.move_text(move_)), taken))
    }
}

fn counted(count: u32, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}
