//! The faults of engines, each with its own name; and the error of a text of a user.

use serde::{Deserialize, Serialize};

use privy_base::message::sanitized;

/// The most characters of a detail: an engine may write millions.
const LONGEST_DETAIL: usize = 300;

/// The kinds of faults; their names are stable. All but the last lose the game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, thiserror::Error)]
#[serde(rename_all = "kebab-case")]
pub enum FaultKind {
    /// The process ends before it answers.
    #[error("exits at start")]
    ExitsAtStart,
    /// The process ends in a game.
    #[error("exits in the game")]
    ExitsInGame,
    /// The process runs on after it has closed its standard output.
    #[error("closes its output")]
    ClosesOutput,
    /// No answer comes within the patience.
    #[error("does not answer")]
    DoesNotAnswer,
    /// The answer came only when the input was closed: it was in a buffer.
    #[error("does not flush its output")]
    DoesNotFlush,
    /// It does not read its input.
    #[error("does not read its input")]
    DoesNotRead,
    /// Output that is not an answer.
    #[error("prints garbage")]
    PrintsGarbage,
    /// It writes without end.
    #[error("floods")]
    Floods,
    /// It answers a command more than once.
    #[error("answers twice")]
    AnswersTwice,
    /// A failure in answer to a command that the game needs.
    #[error("refuses")]
    Refuses,
    /// The answer to `go` or `genmove` is not a move.
    #[error("unreadable answer")]
    UnreadableAnswer,
    /// It plays an illegal move.
    #[error("illegal move")]
    IllegalMove,
    /// `status` contradicts the rules.
    #[error("wrong status")]
    WrongStatus,
    /// The flag fell.
    #[error("time")]
    Time,
    /// A loss without a rule, but no error.
    #[error("resigns")]
    Resigns,
    /// The process runs on after `quit`. The game is over then.
    #[error("ignores quit")]
    IgnoresQuit,
}

impl FaultKind {
    pub(crate) fn is_crash(self) -> bool {
        matches!(self, FaultKind::ExitsAtStart | FaultKind::ExitsInGame | FaultKind::ClosesOutput)
    }

    /// True if the engine is in step with the referee, so that it can play another game.
    pub fn leaves_engine_usable(self) -> bool {
        matches!(self, FaultKind::Time | FaultKind::Resigns | FaultKind::IllegalMove | FaultKind::WrongStatus)
    }
}

/// A fault and its circumstances: `illegal move: c3-c9: there is no point c9 on the board privy`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[error("{kind}{}{detail}", if detail.is_empty() { "" } else { ": " })]
pub struct EngineFault {
    pub kind: FaultKind,
    /// The command, the answer and the expectation, shortened, with control characters escaped.
    pub detail: String,
}

impl EngineFault {
    /// A fault; its detail may hold output of an engine.
    pub fn new(kind: FaultKind, detail: impl AsRef<str>) -> EngineFault {
        EngineFault { kind, detail: sanitized(detail.as_ref(), LONGEST_DETAIL) }
    }
}

/// A text that is no setting of a match: an engine, a clock, an opening, a part, a test. It says what, and what would
/// be right.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct BadSetting(pub(crate) String);
