//! Errors of a client.

use std::io;
use std::process::ExitStatus;
use std::time::Duration;

use thiserror::Error;

use crate::reply::ReplyError;

/// Why a client cannot send a command or has no answer.
#[derive(Debug, Error)]
pub enum ClientError {
    /// The process, or a thread for it, cannot be started.
    #[error("cannot start {program:?}: {source}")]
    Start {
        /// The program.
        program: String,
        /// The error of the system.
        source: io::Error,
    },
    /// The engine has ended, or closed its pipes, before it answered.
    #[error("the engine ended{} before it answered {command:?}", ended(*.status))]
    Exited {
        /// The oldest command without answer; empty when there is none.
        command: String,
        /// The exit status, if the client has it.
        status: Option<ExitStatus>,
    },
    /// There was no complete answer in time. It can still be received.
    #[error("no answer to {command:?} within {limit:?}")]
    Timeout {
        /// The command.
        command: String,
        /// The time that the client has waited.
        limit: Duration,
    },
    /// The engine has answered, but it still runs.
    #[error("the engine has not ended within {0:?} after quit")]
    StillRunning(Duration),
    /// The answer is malformed, too large, or has an id that the command does not have.
    #[error("{source}, in answer to {command:?}")]
    Reply {
        /// The command.
        command: String,
        /// The fault.
        source: ReplyError,
    },
    /// An earlier answer was malformed: later answers cannot be assigned to commands.
    #[error("out of step with the engine after an earlier error")]
    OutOfStep,
    /// The engine does not read its input: 16 MiB are waiting.
    #[error("the engine does not read its input")]
    Backlog,
    /// The text is not exactly one command.
    #[error("cannot send {line:?}: {reason}")]
    Unsendable {
        /// The text.
        line: String,
        /// The reason.
        reason: &'static str,
    },
    /// All commands have been answered.
    #[error("nothing was asked that has not been answered")]
    NothingAsked,
}

fn ended(status: Option<ExitStatus>) -> String {
    status.map(|status| format!(" ({status})")).unwrap_or_default()
}
