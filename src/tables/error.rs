//! Errors of solving, opening and probing tables.

use std::io;
use std::path::{Path, PathBuf};

use privy_protocol::{ErrorCode, ProtocolError};
use privy_rules::Variant;

/// Why a table has no value of a position. It allocates nothing: a search probes often.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NotCovered {
    /// Captures can't reach an even number of Rebels from the opening, or an odd one.
    #[error("{0} number of Rebels")]
    Parity(&'static str),
    /// The table was solved for fewer Rebels.
    #[error("{rebels} Rebels; the table covers up to {most}")]
    Rebels {
        /// Rebels of the position.
        rebels: u32,
        /// The largest number that is covered.
        most: u32,
    },
    /// No game reaches the General's point with the position's flags.
    #[error("this position")]
    GeneralState,
}

/// Why there is no table, or it can't be used.
#[derive(Debug, thiserror::Error)]
pub enum TableError {
    /// The variant, by its id, is of a kind that is not solved, or takes too much memory.
    #[error("{0} can't be solved: {1}")]
    Unsolvable(String, String),
    /// There is no file.
    #[error("no table of {variant} in {}; {command} makes one", folder.display())]
    Missing {
        /// The variant's id.
        variant: String,
        /// The folder of tables.
        folder: PathBuf,
        /// The command that solves the variant into that folder; `FILE` means a variant that is neither built in nor
        /// read from a file.
        command: String,
    },
    /// A variant, by its id, has no table; that of another game with the same rules serves it.
    #[error("no table of {0} of its own; that of another game with its rules serves it: {path}", path = .1.display())]
    OfAnother(String, PathBuf),
    /// Tables are switched off.
    #[error("tables are switched off")]
    Off,
    /// The table does not cover the position.
    #[error(transparent)]
    NotCovered(#[from] NotCovered),
    /// The file is truncated or damaged, or not a table of these rules.
    #[error("{path}: {1}", path = .0.display())]
    Unusable(PathBuf, String),
    /// The system refused access to a file or folder.
    #[error("{path}: {1}", path = .0.display())]
    System(PathBuf, io::Error),
    /// Another process of the same solve has ended.
    #[error("another process of this solve has ended: {0}; the same command resumes from the last layer")]
    Process(io::Error),
    /// The solve of a variant, by its id, needs more memory than is allowed or than the system has.
    #[error("{0} needs {1}")]
    Memory(String, String),
    /// The user asked to stop.
    #[error("interrupted")]
    Interrupted,
    /// There is no folder for tables on this system.
    #[error("no folder for tables: neither XDG_CACHE_HOME nor HOME is set; name one with --tables DIR")]
    NoFolder,
    /// No game has that many Rebels, or games end with that few.
    #[error("value out of range: rebels: expected {least} to {most} for {variant}, found {found}")]
    Rebels {
        /// The variant's id.
        variant: String,
        /// The number that was asked for.
        found: u32,
        /// The fewest Rebels with which a game continues.
        least: u32,
        /// Rebels of the opening.
        most: u32,
    },
}

impl TableError {
    /// Some wins take more plies than the coding can write.
    pub(super) fn too_long(variant: &Variant, most: u32) -> TableError {
        let reason = format!("some wins take more than {most} plies, more than its table can hold");
        TableError::Unsolvable(variant.id().to_owned(), reason)
    }

    pub(super) fn unusable(path: &Path, reason: impl Into<String>) -> TableError {
        TableError::Unusable(path.to_owned(), reason.into())
    }

    pub(super) fn system(path: &Path, error: io::Error) -> TableError {
        TableError::System(path.to_owned(), error)
    }
}

impl From<TableError> for ProtocolError {
    fn from(error: TableError) -> ProtocolError {
        let code = if matches!(error, TableError::Interrupted) { ErrorCode::Interrupted } else { ErrorCode::NoTable };
        let text = error.to_string();
        // The phrase repeats the beginning of this text.
        let is_missing = matches!(error, TableError::Missing { .. });
        ProtocolError::new(code, if is_missing { text.replacen("no table", "none", 1) } else { text })
    }
}
