//! Where the games of a match begin.
//!
//! These games are lopsided: from most openings one side wins whatever the other does, and a match from there says little. So
//! a match can begin where something depends on the players. No opening of a match is another one's mirror image or the same,
//! and all depend on the seed alone: never on the number of threads, nor on the machine.

mod balanced;
mod by_search;
mod by_table;
mod choice;
mod file;
mod opening;
mod random;
mod walk;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::rules::{Game, Variant};
use crate::tablebase::{TableError, Tables};

pub use choice::{BadOpenings, OpeningsChoice};
pub use opening::{BadOpening, Opening};

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
    fn start(&self) -> Result<Game, BadOpening> {
        let game = self.variant.start();
        if let Some(outcome) = game.outcome() { Err(BadOpening::Over(outcome)) } else { Ok(game) }
    }

    fn go_on(&self) -> Result<(), OpeningsError> {
        if self.stop.load(Ordering::Relaxed) { Err(OpeningsError::Interrupted) } else { Ok(()) }
    }
}

/// Why there are no openings.
#[derive(Debug, thiserror::Error)]
pub enum OpeningsError {
    /// The game is over where it begins.
    #[error(transparent)]
    Opening(#[from] BadOpening),
    /// The file can't be read, or something in it is wrong.
    #[error("cannot load file: {path}: {reason}")]
    File {
        /// The path as given.
        path: String,
        /// What is wrong, and where.
        reason: String,
    },
    /// All games end within the random moves.
    #[error("no random openings of {0}: all games were over by then; fewer plies would be right")]
    NoneRandom(String),
    /// No position is near enough to balance.
    #[error("no balanced openings of {0}: expected positions in which moves decide, found none")]
    NoneBalanced(String),
    /// The table can't be used.
    #[error(transparent)]
    Table(#[from] TableError),
    /// The user asked to stop.
    #[error("interrupted")]
    Interrupted,
}

impl OpeningsChoice {
    /// The openings: at least one, and at most as many as are wanted. Fewer when there are no more of the kind.
    ///
    /// # Errors
    /// When there is none, a file is wrong, or the work was interrupted.
    pub fn pick(&self, request: &OpeningsRequest<'_>) -> Result<Vec<Opening>, OpeningsError> {
        match self {
            OpeningsChoice::Variant => Ok(vec![Opening::of_game(&request.start()?, "the opening of the variant")]),
            OpeningsChoice::Random(plies) => random::random(request, plies),
            OpeningsChoice::Balanced => balanced::balanced(request),
            OpeningsChoice::File(path) => file::from_file(request, path),
        }
    }
}
