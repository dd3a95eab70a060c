//! What an engine does wrong, with a word of its own for each cause.

use serde::{Deserialize, Serialize};

use crate::message::sanitized;

/// The most characters of a detail: an engine may have said ten million.
const LONGEST_DETAIL: usize = 300;

/// The kinds of faults, with words that stay the same in all versions. Every one but the last costs the game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, thiserror::Error)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum FaultKind {
    #[error("exits at start")]
    ExitsAtStart,
    #[error("exits in the game")]
    ExitsInGame,
    /// Standard output was closed by a process that goes on.
    #[error("closes its output")]
    ClosesOutput,
    /// No answer within the patience of the referee.
    #[error("does not answer")]
    DoesNotAnswer,
    /// The answer came when the input was closed: it lay in a buffer that was not flushed.
    #[error("does not flush its output")]
    DoesNotFlush,
    /// The input is not read, so that nothing more can be sent.
    #[error("does not read its input")]
    DoesNotRead,
    /// Output that is no answer.
    #[error("prints garbage")]
    PrintsGarbage,
    #[error("floods")]
    Floods,
    #[error("answers twice")]
    AnswersTwice,
    /// A command that the game needs is refused.
    #[error("refuses")]
    Refuses,
    /// The answer to `go` or `genmove` holds no move.
    #[error("unreadable answer")]
    UnreadableAnswer,
    #[error("illegal move")]
    IllegalMove,
    /// `status` does not say how the game has ended.
    #[error("wrong status")]
    WrongStatus,
    /// The flag fell.
    #[error("time")]
    Time,
    /// The engine gave up: no fault, but a loss without a word from the rules.
    #[error("resigns")]
    Resigns,
    /// The process goes on after `quit`. Costs nothing, since the game is over.
    #[error("ignores quit")]
    IgnoresQuit,
}

impl FaultKind {
    /// Whether the process ended, or closed its output, when it should have played.
    pub(crate) fn is_crash(self) -> bool {
        matches!(self, FaultKind::ExitsAtStart | FaultKind::ExitsInGame | FaultKind::ClosesOutput)
    }

    /// Whether the engine can go on with another game as if nothing had happened: it is in step with the referee.
    pub(crate) fn leaves_engine_usable(self) -> bool {
        matches!(self, FaultKind::Time | FaultKind::Resigns | FaultKind::IllegalMove | FaultKind::WrongStatus)
    }
}

/// A fault and its circumstances: `illegal move: c3-c9: there is no point c9 on the board privy`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[error("{kind}{}{detail}", if detail.is_empty() { "" } else { ": " })]
pub(crate) struct Fault {
    pub(crate) kind: FaultKind,
    /// What was sent, what came, what was expected; shortened, and without what an engine could do to a terminal by it.
    pub(crate) detail: String,
}

impl Fault {
    /// A fault; what an engine has said may stand in its detail as it came.
    pub(crate) fn new(kind: FaultKind, detail: impl AsRef<str>) -> Fault {
        Fault { kind, detail: sanitized(detail.as_ref(), LONGEST_DETAIL) }
    }
}
