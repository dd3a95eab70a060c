//! What a drawing shows: a position, the move that led to it, and the words beside it.

use crate::board::{Board, Point, PointSet};
use crate::message::plural;
use crate::rules::{Game, MoveKind, MovePath, Outcome, Position};

/// A position of a game to be drawn.
#[derive(Debug, Clone, Copy)]
pub struct View<'a> {
    /// The game; its position to move in is drawn.
    pub game: &'a Game,
    /// The move that led to the position; none when nothing is to be marked.
    pub last: Option<&'a MovePath>,
    /// How the game ended: by the position, or by repetition or the limit of plies, which only a game knows.
    pub outcome: Option<Outcome>,
}

impl<'a> View<'a> {
    /// The position of a game as if nothing had been played before.
    pub fn of_position(game: &'a Game) -> View<'a> {
        View { game, last: None, outcome: game.without_history().outcome() }
    }

    /// The position of a game, with the last move and the outcome of the game.
    pub fn of_game(game: &'a Game) -> View<'a> {
        View { game, last: game.moves().next_back(), outcome: game.outcome() }
    }

    pub(super) fn position(&self) -> &'a Position {
        self.game.position()
    }

    pub(super) fn board(&self) -> &'a Board {
        self.game.board()
    }

    pub(super) fn last_move(&self) -> Option<LastMove> {
        self.last.map(LastMove::of)
    }

    /// The title of the variant, or its id where the file has no title.
    pub(super) fn title(&self) -> String {
        let variant = self.game.variant();
        // A user's title may hold anything; a drawing needs one line without control characters.
        let title = variant.title().replace(|c: char| c.is_control() || c.is_whitespace(), " ");
        let words: Vec<&str> = title.split(' ').filter(|word| !word.is_empty()).collect();
        if words.is_empty() { variant.id().to_owned() } else { words.join(" ") }
    }

    /// The title of the variant with its id: `King's Gonu (kings-gonu)`.
    pub(super) fn heading(&self) -> String {
        format!("{} ({})", self.title(), self.game.variant().id())
    }

    /// Who is to move or how the game ended, the ply number, the Rebels, the flags.
    pub(super) fn status(&self) -> String {
        let position = self.position();
        let mut status = match self.outcome {
            Some(outcome) => outcome.to_string(),
            None => format!("{} to move", position.side()),
        };
        status += &format!(", ply {}, {}", self.game.ply(), counted(position.rebels().len(), "rebel"));
        if position.apex_visited() {
            status += ", apex visited";
        }
        if self.game.variant().rule_set().free_jumps > 0 {
            status += &format!(", {} left", counted(u32::from(position.free_jumps()), "free jump"));
        }
        status
    }

    /// The last move with its side, and what it took: `last move: general c3-b2` and ` takes c1 a3`, or nothing.
    pub(super) fn last_move_words(&self) -> Option<(String, String)> {
        let move_ = self.last?;
        let captured = move_.action().captured;
        let taken =
            if captured.is_empty() { String::new() } else { format!(" takes {}", self.board().names(captured)) };
        Some((format!("last move: {} {}", !self.game.side(), self.game.move_text(move_)), taken))
    }
}

fn counted(count: u32, one: &str) -> String {
    format!("{count} {}", plural(count.into(), one))
}

/// What of a move shows on the board after it.
pub(super) struct LastMove {
    /// The start, then every landing; the start alone for a static intervention.
    pub(super) way: Vec<Point>,
    /// Where the piece stands now.
    pub(super) to: Point,
    /// The points that lost a Rebel.
    pub(super) captured: PointSet,
    /// Does the piece leave the lines?
    pub(super) flies: bool,
}

impl LastMove {
    pub(super) fn of(move_: &MovePath) -> LastMove {
        let action = move_.action();
        let mut way = vec![action.from];
        if action.kind != MoveKind::Static {
            way.extend(move_.landings());
        }
        LastMove { way, to: action.to, captured: action.captured, flies: action.kind == MoveKind::FreeJump }
    }

    /// The points that the piece left or touched on its way, the last one apart.
    pub(super) fn left(&self) -> PointSet {
        self.way.iter().copied().collect::<PointSet>().without(self.to)
    }
}
