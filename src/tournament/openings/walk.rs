//! Random ways through a game, and positions that have been there already.

use std::collections::HashSet;

use crate::random::Random;
use crate::rules::{Game, MovePath, Position};

/// Plays so many random legal moves. Tells whether the game goes on after them, with no position for the second time.
pub(super) fn walk(game: &mut Game, plies: u32, random: &mut Random) -> bool {
    (0..plies).all(|_| random.pick(&game.legal_moves()).is_some_and(|move_| play_new(game, move_)))
}

/// Plays a move. Tells whether the game goes on, in a position that has not been there: what a player may do must not depend
/// on how the opening came about.
pub(super) fn play_new(game: &mut Game, move_: &MovePath) -> bool {
    game.play(move_.clone());
    game.occurrences() == 1 && game.outcome().is_none()
}

/// Positions that have been there, in themselves or as their mirror image.
#[derive(Debug, Default)]
pub(super) struct Seen(HashSet<Position>);

impl Seen {
    /// Takes in the position of a game. Tells whether it is new.
    pub(super) fn is_new(&mut self, game: &Game) -> bool {
        let is_new = self.0.insert(*game.position());
        self.0.insert(game.variant().mirror(game.position()));
        is_new
    }
}
