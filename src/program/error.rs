//! Why a program fails, and the exit status that follows.

use std::fmt;
use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;

use privy_base::message::{did_you_mean, sanitized, sanitized_lines, shown};
use privy_protocol::ProtocolError;
use privy_rules::board::Board;
use privy_rules::{MoveError, Variant, VariantError};
use privy_tables::TableError;

/// Characters of an error, which may quote a file.
const LONGEST_ERROR: usize = 4000;

/// Why a program or its subcommand failed.
#[derive(Debug, thiserror::Error)]
pub enum CliError {
    /// Wrong use of the command line: exit status 2.
    #[error("{0}")]
    Usage(String),
    /// Programs that a file would start, a line each: exit status 2.
    #[error("{0}")]
    Untrusted(String),
    /// No built-in variant has this id, and it is no path.
    #[error(
        "unknown variant: \"{0}\"; privy variants list names them all, a file is named by a path with / or \
         .toml{meant}",
        meant = did_you_mean(.0, Variant::all_ids())
    )]
    UnknownVariant(String),
    /// No built-in board has this id.
    #[error(
        "unknown board: \"{0}\"; privy board names them all{meant}",
        meant = did_you_mean(.0, Board::builtin_ids())
    )]
    UnknownBoard(String),
    /// The variant file is wrong.
    #[error("cannot load file: {0}")]
    Variant(#[from] VariantError),
    /// A file that cannot be read, or does not hold what its command needs.
    #[error("cannot load file: {0}")]
    File(String),
    /// A move is wrong.
    #[error("illegal move: {0}: {1}")]
    Move(String, MoveError),
    /// There is no table, or it can't be made or used.
    #[error(transparent)]
    Table(#[from] TableError),
    /// A match or a fit cannot be done to its end.
    #[error("{0}")]
    Failed(String),
    /// An interrupt ended work that can be resumed.
    #[error("interrupted: {0}")]
    Interrupted(String),
    /// A check found faults.
    #[error("not sound: {0}")]
    Unsound(String),
    /// An engine can't be examined; what it answered, in lines.
    #[error("not sound: {0}")]
    Unexamined(String),
    /// There is no proof.
    #[error("not proved: {0}")]
    Unproved(String),
    /// A file can't be written.
    #[error("cannot save file: {0}")]
    Save(String),
    /// The engine refused.
    #[error(transparent)]
    Engine(#[from] ProtocolError),
    /// The result can't be written.
    #[error("{0}")]
    Write(#[from] io::Error),
    /// The reader of a check's findings went away before the check was complete.
    #[error("standard output is closed: the result was not read")]
    Unread,
}

impl CliError {
    /// For `map_err`: the file at this path cannot be read.
    pub fn cannot_load<E: fmt::Display>(path: &Path) -> impl FnOnce(E) -> CliError {
        move |error| CliError::File(format!("{}: {error}", shown(path)))
    }

    /// For `map_err`: the file at this path cannot be written.
    pub fn cannot_save<E: fmt::Display>(path: &Path) -> impl FnOnce(E) -> CliError {
        move |error| CliError::Save(format!("{}: {error}", shown(path)))
    }

    /// The error of a command whose exit status is a verdict: a broken pipe is no success there.
    #[must_use]
    pub fn of_verdict(self) -> CliError {
        match self {
            CliError::Write(error) if error.kind() == io::ErrorKind::BrokenPipe => CliError::Unread,
            other => other,
        }
    }

    /// Writes an error to standard error and gives the exit status of the program: 2 for a wrong command line, 130 for
    /// an interrupt, else 1.
    pub fn exit_code(program: &str, result: Result<(), CliError>) -> ExitCode {
        let Err(error) = result else { return ExitCode::SUCCESS };
        match &error {
            // A reader that has read enough is no failure.
            CliError::Write(error) if error.kind() == io::ErrorKind::BrokenPipe => return ExitCode::SUCCESS,
            // The status alone says that the check is incomplete.
            CliError::Unread => {}
            // Standard error may be closed, too.
            _ => {
                // A line feed of an argument or a path begins no line.
                let is_in_lines =
                    matches!(error, CliError::Variant(_) | CliError::Untrusted(_) | CliError::Unexamined(_));
                let safe = if is_in_lines { sanitized_lines } else { sanitized };
                let _ = writeln!(io::stderr(), "{program}: {}", safe(&error.to_string(), LONGEST_ERROR));
            }
        }
        ExitCode::from(match error {
            CliError::Usage(_) | CliError::Untrusted(_) | CliError::UnknownVariant(_) | CliError::UnknownBoard(_) => 2,
            CliError::Table(TableError::Interrupted) | CliError::Interrupted(_) => 130,
            CliError::Write(error) if error.kind() == io::ErrorKind::WouldBlock => 130,
            _ => 1,
        })
    }
}
