//! The opening of a pair of games, the request for openings, and random walks to them.

use std::collections::HashSet;
use std::sync::Arc;

use privy_protocol::Stop;
use serde::{Deserialize, Serialize};

use privy_base::random::Random;
use privy_rules::{Game, MovePath, Position, Variant};
use privy_tables::{TableError, Tables};

/// Where a pair of games begins, in the form of a file: a first position, and moves that are played for the engines.
///
/// Openings from play begin at the opening of the variant, so that an engine that cannot set up a position can follow.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Opening {
    /// Text of the first position.
    pub position: String,
    /// The moves from there, in canonical form.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub moves: Vec<String>,
    /// Its origin in words: `6 random plies`, `line 12 of critical.txt`.
    pub origin: String,
}

/// Why an opening cannot be set up.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("opening: {0}")]
pub struct BadOpening(pub String);

/// The game, unless it is over.
pub(super) fn unfinished(game: Game) -> Result<Game, BadOpening> {
    match game.outcome() {
        Some(outcome) => Err(BadOpening(format!("expected a game that goes on, found {outcome}"))),
        None => Ok(game),
    }
}

impl Opening {
    /// The current position of a game as an opening.
    pub fn of_game(game: &Game, origin: impl Into<String>) -> Opening {
        let moves = game.moves().map(|move_| game.move_text(move_)).collect();
        Opening { position: game.beginning().to_string(), moves, origin: origin.into() }
    }

    /// The game at the end of the opening.
    ///
    /// # Errors
    /// When the opening is not of the variant, or the game is over with it.
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
        unfinished(game)
    }
}

/// A request for openings.
#[derive(Debug, Clone, Copy)]
pub struct OpeningsRequest<'a> {
    /// The variant of the match.
    pub variant: &'a Arc<Variant>,
    /// The most openings.
    pub count: usize,
    /// The seed of all random choices.
    pub seed: u64,
    /// The tables for balanced positions.
    pub tables: &'a Tables,
    /// Ends the work when it is set.
    pub stop: &'a Stop,
}

impl OpeningsRequest<'_> {
    pub(super) fn start(&self) -> Result<Game, BadOpening> {
        unfinished(self.variant.start())
    }

    pub(super) fn check_interrupt(&self) -> Result<(), OpeningsError> {
        if self.stop.is_set() { Err(OpeningsError::Interrupted) } else { Ok(()) }
    }
}

/// Why there are no openings.
#[derive(Debug, thiserror::Error)]
pub enum OpeningsError {
    /// The opening of the variant is a finished game.
    #[error(transparent)]
    Opening(#[from] BadOpening),
    /// There is none of the kind, or the file is wrong or not readable.
    #[error("{0}")]
    None(String),
    /// The table is not usable.
    #[error(transparent)]
    Table(#[from] TableError),
    /// The user asked to stop.
    #[error("interrupted")]
    Interrupted,
}

/// Plays random legal moves. False if the game ends or a position repeats.
pub(super) fn walk(game: &mut Game, plies: u32, random: &mut Random) -> bool {
    (0..plies).all(|_| random.pick(&game.legal_moves()).is_some_and(|move_| play_new(game, move_)))
}

/// Plays a move. False if the game ends or a position repeats: the legal continuations must not depend on the history of the
/// opening.
pub(super) fn play_new(game: &mut Game, move_: &MovePath) -> bool {
    game.play(move_.clone());
    game.occurrences() == 1 && game.outcome().is_none()
}

/// Known positions, with their mirror images.
#[derive(Debug, Default)]
pub(super) struct Seen(HashSet<Position>);

impl Seen {
    /// Adds the position of a game. False if it was known.
    pub(super) fn is_new(&mut self, game: &Game) -> bool {
        let is_new = self.0.insert(*game.position());
        self.0.insert(game.variant().mirror(game.position()));
        is_new
    }
}
