//! Why a subcommand fails, and what the words of a command line name.

use std::io;
use std::path::Path;
use std::sync::Arc;

use crate::engine::EngineError;
use crate::rules::{MoveError, Position, PositionError, Variant, VariantError};
use crate::tablebase::TableError;

/// Why a subcommand failed.
#[derive(Debug, thiserror::Error)]
pub enum CliError {
    /// What was asked for makes no sense: exit status 2.
    #[error("{0}")]
    Usage(String),
    /// No built-in variant has this id, and it is no path.
    #[error("unknown variant: \"{0}\"; privy variants list names them all, a file is named by a path with / or .toml")]
    UnknownVariant(String),
    /// The variant file is wrong.
    #[error("cannot load file: {0}")]
    Variant(#[from] VariantError),
    /// A file that can't be read, or holds nothing of what was wanted.
    #[error("cannot load file: {0}")]
    File(String),
    /// The position text is wrong.
    #[error("illegal position: {0}")]
    Position(#[from] PositionError),
    /// A move is wrong.
    #[error("illegal move: {0}: {1}")]
    MovePath(String, MoveError),
    /// There is no table, or it can't be made or used.
    #[error(transparent)]
    Table(#[from] TableError),
    /// A match can't be played, or not to its end.
    #[error("{0}")]
    Match(String),
    /// Weights can't be fitted, or not written.
    #[error("{0}")]
    Fit(String),
    /// An interrupt has ended what can be taken up again.
    #[error("interrupted: {0}")]
    Interrupted(String),
    /// A check found faults.
    #[error("not sound: {0}")]
    Unsound(String),
    /// The engine refused.
    #[error("game over: {0}")]
    Engine(#[from] EngineError),
    /// The result can't be written.
    #[error("{0}")]
    Write(#[from] io::Error),
}

impl CliError {
    /// The exit status of a program that ends with this error: 2 for a wrong command line, else 1.
    #[must_use]
    pub fn exit_status(&self) -> u8 {
        match self {
            CliError::Usage(_) | CliError::UnknownVariant(_) => 2,
            CliError::Table(TableError::Interrupted) | CliError::Interrupted(_) => 130,
            _ => 1,
        }
    }
}

/// The variant that a word of the command line means: an id, or the path of a file.
///
/// # Errors
/// When there is no such variant or the file is wrong.
pub(super) fn find_variant(word: &str) -> Result<Arc<Variant>, CliError> {
    if word.contains('/') || word.ends_with(".toml") {
        return Ok(Arc::new(Variant::from_file(Path::new(word))?));
    }
    Variant::builtin(word).ok_or_else(|| CliError::UnknownVariant(word.to_owned()))
}

/// The position of a text, or the opening without one. The text may not name another variant than the command line.
///
/// # Errors
/// When the text is no position of the variant.
pub(super) fn find_position(variant: &Arc<Variant>, text: Option<&str>) -> Result<Position, CliError> {
    let Some(text) = text else { return Ok(variant.start()) };
    // Before the rows are looked at: they are those of the other board.
    if let Some(named) = text.split_ascii_whitespace().nth(5).filter(|named| *named != variant.id()) {
        return Err(CliError::Usage(format!(
            "the position is one of {named}, the command line names {}",
            variant.id()
        )));
    }
    Ok(Position::from_text(text, Some(variant))?)
}

/// The text of a file, or of standard input for `-`.
///
/// # Errors
/// When it can't be read or is no UTF-8.
pub(super) fn read_text(path: &Path) -> Result<String, CliError> {
    let read = if path == Path::new("-") { io::read_to_string(io::stdin()) } else { std::fs::read_to_string(path) };
    read.map_err(|error| CliError::File(format!("{}: {error}", path.display())))
}
