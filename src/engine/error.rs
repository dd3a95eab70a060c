//! Why the engine can't do what it is asked for.

use crate::eval::WeightsFileError;
use crate::rules::{MoveError, Outcome, PositionError, VariantError};

use crate::tablebase::TableError;

use super::options::OptionError;

/// Why a verb of the engine failed. Nothing has changed then.
#[derive(Debug, thiserror::Error)]
pub enum EngineError {
    /// No built-in variant has this id.
    #[error("\"{0}\"; list_variants names them all, a file is named by a path with / or .toml")]
    UnknownVariant(String),
    /// The variant file can't be read or is wrong.
    #[error("{}", .0.in_one_line())]
    Variant(#[from] VariantError),
    /// The text is no position.
    #[error(transparent)]
    Position(#[from] PositionError),
    /// The move is not legal, or not a move.
    #[error(transparent)]
    Move(#[from] MoveError),
    /// A move of a list is not legal, or not a move.
    #[error("move {number} ({text}): {error}")]
    MoveInList {
        /// Its place in the list, from 1.
        number: usize,
        /// The move as written.
        text: String,
        /// What is wrong with it.
        error: MoveError,
    },
    /// There is nothing to search.
    #[error("{0}")]
    GameOver(Outcome),
    /// Fewer moves have been played.
    #[error("asked for {asked}, moves played: {played}")]
    CannotUndo {
        /// Moves to take back.
        asked: usize,
        /// Moves there are.
        played: usize,
    },
    /// There is no table, or it can't be used.
    #[error(transparent)]
    Table(#[from] TableError),
    /// A file gives no weights.
    #[error(transparent)]
    Weights(#[from] WeightsFileError),
    /// An option does not exist or does not take the value.
    #[error(transparent)]
    Option(#[from] OptionError),
}
