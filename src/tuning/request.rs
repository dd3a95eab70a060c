//! What is asked of a fit of weights, how far it is, and why it fails.

use std::sync::Arc;

use crate::rules::{Outcome, Side, Variant};
use crate::tablebase::{Table, TableError};

/// What to fit.
#[derive(Debug, Clone)]
pub struct FitRequest {
    /// The game.
    pub variant: Arc<Variant>,
    /// Its table of perfect play, for exact labels.
    pub table: Option<Arc<Table>>,
    /// Games to play.
    pub games: u32,
    /// Nodes of a move.
    pub nodes: u64,
    /// The number from which all choices are drawn.
    pub seed: u64,
    /// At most so many positions.
    pub positions: usize,
    /// Threads that play games.
    pub threads: usize,
}

/// How far the work is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum FitProgress {
    /// A game has been played.
    Game {
        /// Games played.
        done: u32,
    },
    /// The regression has gone through all positions with a side to move once more.
    Round {
        /// The side to move.
        side: Side,
        /// Rounds made.
        done: u32,
        /// Loss on the games held out, in nats a position.
        loss: f64,
    },
}

/// Why nothing came out.
#[derive(Debug, thiserror::Error)]
pub enum FitError {
    /// The game is over where it begins.
    #[error("game over: {0}: there are no games to learn from")]
    Over(Outcome),
    /// Too few positions to learn anything.
    #[error(
        "too few positions: expected at least {least} with either side to move, found {found}; more games would be right"
    )]
    TooFew {
        /// How many there should be.
        least: usize,
        /// How many there are.
        found: usize,
    },
    /// A file of games can't be read or written, or the games in it are not those that are wanted.
    #[error("{0}")]
    Games(String),
    /// The table can't be used.
    #[error(transparent)]
    Table(#[from] TableError),
    /// The user asked to stop.
    #[error("interrupted")]
    Interrupted,
}
