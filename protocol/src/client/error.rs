//! What can go wrong with an engine.

use std::io;
use std::process::{Command, ExitStatus};
use std::time::Duration;

use thiserror::Error;

use crate::reply_reader::ReplyError;

/// Why a client has no answer to give.
#[derive(Debug, Error)]
pub enum ClientError {
    /// The process, or a thread for it, cannot be started.
    #[error("cannot start {program:?}: {source}")]
    Start {
        /// The program that was to be started.
        program: String,
        /// What the system says.
        source: io::Error,
    },
    /// The engine has ended, or closed its pipes, before it answered.
    #[error("the engine ended{} before it answered {command:?}", ended(*.status))]
    Exited {
        /// The oldest command without answer; empty when there is none.
        command: String,
        /// How the process ended, where that is known.
        status: Option<ExitStatus>,
    },
    /// There was no complete answer in time. The client stays usable: the answer can still be received.
    #[error("no answer to {command:?} within {limit:?}")]
    Timeout {
        /// The command.
        command: String,
        /// How long the client waited.
        limit: Duration,
    },
    /// The engine has answered, but it still runs.
    #[error("the engine has not ended within {0:?} after quit")]
    StillRunning(
        /// How long the client waited.
        Duration,
    ),
    /// The answer is malformed, too large, or not to what was asked.
    #[error("{source}, in answer to {command:?}")]
    Reply {
        /// The command.
        command: String,
        /// What is wrong with the answer.
        source: ReplyError,
    },
    /// An earlier answer was malformed, so that nobody can say which answer belongs to what.
    #[error("out of step with the engine after an earlier error")]
    OutOfStep,
    /// The engine does not read its input: 16 MiB are waiting.
    #[error("the engine does not read its input")]
    Backlog,
    /// The text is no single line with a command, so that the number of answers to it would be in doubt.
    #[error("cannot send {line:?}: {reason}")]
    Unsendable {
        /// The text.
        line: String,
        /// Why not.
        reason: &'static str,
    },
    /// There is no command whose answer has not been received.
    #[error("nothing was asked that has not been answered")]
    NothingAsked,
}

impl ClientError {
    /// A program that could not be started.
    pub(super) fn no_start(command: &Command, source: io::Error) -> Self {
        Self::Start { program: command.get_program().to_string_lossy().into_owned(), source }
    }
}

fn ended(status: Option<ExitStatus>) -> String {
    status.map(|status| format!(" ({status})")).unwrap_or_default()
}
