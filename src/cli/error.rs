//! Why a subcommand fails, and the exit status that follows.

use std::io::{self, Write};
use std::process::ExitCode;

use crate::board::Board;
use crate::engine::EngineError;
use crate::message::{did_you_mean, sanitized_lines};
use crate::rules::{MoveError, PositionError, Variant, VariantError};
use crate::tablebase::TableError;

/// The most characters of an error: what stands in a file may stand in it.
const LONGEST_ERROR: usize = 4000;

/// Why a subcommand failed.
#[derive(Debug, thiserror::Error)]
pub enum CliError {
    /// What was asked for makes no sense: exit status 2.
    #[error("{0}")]
    Usage(String),
    /// No built-in variant has this id, and it is no path.
    #[error(
        "unknown variant: \"{0}\"; privy variants list names them all, a file is named by a path with / or .toml{meant}",
        meant = did_you_mean(.0, Variant::all_ids())
    )]
    UnknownVariant(String),
    /// No built-in board has this id.
    #[error("unknown board: \"{0}\"; privy boards list names them all{meant}", meant = did_you_mean(.0, Board::builtin_ids()))]
    UnknownBoard(String),
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
    Move(String, MoveError),
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
    /// There is no proof.
    #[error("not proved: {0}")]
    Unproved(String),
    /// A file can't be written.
    #[error("cannot save file: {0}")]
    Save(String),
    /// The engine refused.
    #[error("game over: {0}")]
    Engine(#[from] EngineError),
    /// The result can't be written.
    #[error("{0}")]
    Write(#[from] io::Error),
    /// Nobody reads what a check finds, and it was broken off.
    #[error("nobody reads what is found")]
    Unread,
    /// The table does not tell the value of a position.
    #[error("no table: {0}")]
    NotProbed(TableError),
}

impl CliError {
    /// The error of a command whose status is a verdict: without a reader there is none.
    pub(super) fn of_verdict(self) -> CliError {
        match self {
            CliError::Write(error) if error.kind() == io::ErrorKind::BrokenPipe => CliError::Unread,
            other => other,
        }
    }

    /// The exit status of a program that ends with this error: 2 for a wrong command line, 130 for an interrupt, else 1.
    fn exit_status(&self) -> u8 {
        match self {
            CliError::Usage(_) | CliError::UnknownVariant(_) | CliError::UnknownBoard(_) => 2,
            CliError::Table(TableError::Interrupted) | CliError::Interrupted(_) => 130,
            _ => 1,
        }
    }

    /// Says on standard error how a program has failed, if it has, and gives its exit status.
    pub fn exit_code(program: &str, result: Result<(), CliError>) -> ExitCode {
        match result {
            Ok(()) => ExitCode::SUCCESS,
            // The reader had enough: that is no failure of ours.
            Err(CliError::Write(error)) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
            // But what was to be found out has not been: that is said by the status alone.
            Err(error @ CliError::Unread) => ExitCode::from(error.exit_status()),
            Err(error) => {
                // Standard error may be closed; there is nobody left to tell then.
                let _ = writeln!(io::stderr(), "{program}: {}", sanitized_lines(&error.to_string(), LONGEST_ERROR));
                ExitCode::from(error.exit_status())
            }
        }
    }
}
