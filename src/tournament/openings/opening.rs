//! The opening of a pair of games, what openings a match asks for, and random ways to them.

use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use serde::{Deserialize, Serialize};

use crate::random::Random;
use crate::rules::{Game, MovePath, Position, Variant};
use crate::tablebase::{TableError, Tables};

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
#[error("opening: {0}")]
pub struct BadOpening(pub(crate) String);

/// A game from which there is something left to play.
pub(super) fn going_on(game: Game) -> Result<Game, BadOpening> {
    match game.outcome() {
        Some(outcome) => Err(BadOpening(format!("expected a game that goes on, found {outcome}"))),
        None => Ok(game),
    }
}

impl Opening {
    /// The opening that a game has reached.
    pub fn of_game(game: &Game, origin: impl Into<String>) -> Opening {
        let moves = game.moves().map(|move_| game.move_text(move_)).collect();
        Opening { position: game.beginning().to_string(), moves, origin: origin.into() }
    }

    /// The game as far as the opening goes.
    ///
    /// # Errors
    /// When it is not one of the variant, or leaves nothing to play.
    pub fn game(&self, variant: &Arc<Variant>) -> Result<Game, BadOpening> {
        let mut game = Game::from_text(&self.position, Some(variant)).map_err(|error| BadOpening(error.to_string()))?;
        let (expected, found) = (variant.id(), game.variant().id());
        if found != expected {
            return Err(BadOpening(format!("expected a position of {expected}, found one of {found}")));
        }
        for (ply, text) in (1..).zip(&self.moves) {
            let move_ = game.parse_move(None, text);
            game.play(move_.map_err(|error| BadOpening(format!("ply {ply}: {text}: {error}")))?);
        }
        going_on(game)
    }
}

/// What openings are wanted.
#[derive(Debug, Clone, Copy)]
pub struct OpeningsRequest<'a> {
    /// The variant of the match.
    pub variant: &'a Arc<Variant>,
    /// At most so many.
    pub count: usize,
    /// The number from which all choices are drawn.
    pub seed: u64,
    /// Where balanced positions are looked up.
    pub tables: &'a Tables,
    /// Ends the work when it is set.
    pub stop: &'a AtomicBool,
}

impl OpeningsRequest<'_> {
    /// The game that all play comes from.
    pub(super) fn start(&self) -> Result<Game, BadOpening> {
        going_on(self.variant.start())
    }

    pub(super) fn go_on(&self) -> Result<(), OpeningsError> {
        if self.stop.load(Ordering::Relaxed) { Err(OpeningsError::Interrupted) } else { Ok(()) }
    }
}

/// Why there are no openings.
#[derive(Debug, thiserror::Error)]
pub enum OpeningsError {
    /// The game is over where it begins.
    #[error(transparent)]
    Opening(#[from] BadOpening),
    /// There is none of the kind, or the file can't be read, or something in it is wrong.
    #[error("{0}")]
    None(String),
    /// The table can't be used.
    #[error(transparent)]
    Table(#[from] TableError),
    /// The user asked to stop.
    #[error("interrupted")]
    Interrupted,
}

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
