//! What an engine does wrong, with a word of its own for each cause.

use std::fmt;

use serde::{Deserialize, Serialize};

/// The kinds of faults. Every one but the last costs the game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum FaultKind {
    /// The process ended before a game began.
    ExitsAtStart,
    /// The process ended during a game.
    ExitsInGame,
    /// Standard output was closed by a process that goes on.
    ClosesOutput,
    /// No answer within the patience of the referee.
    DoesNotAnswer,
    /// The answer came when the input was closed: it lay in a buffer that was not flushed.
    DoesNotFlush,
    /// The input is not read, so that nothing more can be sent.
    DoesNotRead,
    /// Output that is no answer.
    PrintsGarbage,
    /// Output without end.
    Floods,
    /// More answers than commands.
    AnswersTwice,
    /// A command that the game needs is refused.
    Refuses,
    /// The answer to `go` or `genmove` holds no move.
    UnreadableAnswer,
    /// The rules don't allow the move.
    IllegalMove,
    /// `status` does not say how the game has ended.
    WrongStatus,
    /// The flag fell.
    Time,
    /// The engine gave up: no fault, but a loss without a word from the rules.
    Resigns,
    /// The process goes on after `quit`. Costs nothing, since the game is over.
    IgnoresQuit,
}

impl FaultKind {
    /// The fault in words, which stay the same in all versions.
    fn as_str(self) -> &'static str {
        match self {
            FaultKind::ExitsAtStart => "exits at start",
            FaultKind::ExitsInGame => "exits in the game",
            FaultKind::ClosesOutput => "closes its output",
            FaultKind::DoesNotAnswer => "does not answer",
            FaultKind::DoesNotFlush => "does not flush its output",
            FaultKind::DoesNotRead => "does not read its input",
            FaultKind::PrintsGarbage => "prints garbage",
            FaultKind::Floods => "floods",
            FaultKind::AnswersTwice => "answers twice",
            FaultKind::Refuses => "refuses",
            FaultKind::UnreadableAnswer => "unreadable answer",
            FaultKind::IllegalMove => "illegal move",
            FaultKind::WrongStatus => "wrong status",
            FaultKind::Time => "time",
            FaultKind::Resigns => "resigns",
            FaultKind::IgnoresQuit => "ignores quit",
        }
    }

    /// Whether the process ended, or closed its output, when it should have played.
    pub(crate) fn is_crash(self) -> bool {
        matches!(self, FaultKind::ExitsAtStart | FaultKind::ExitsInGame | FaultKind::ClosesOutput)
    }

    /// Whether the engine can go on with another game as if nothing had happened: it is in step with the referee.
    pub(crate) fn leaves_engine_usable(self) -> bool {
        matches!(self, FaultKind::Time | FaultKind::Resigns | FaultKind::IllegalMove | FaultKind::WrongStatus)
    }
}

impl fmt::Display for FaultKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A fault and its circumstances.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Fault {
    /// What kind it is.
    pub(crate) kind: FaultKind,
    /// What was sent, what came, what was expected.
    pub(crate) detail: String,
}

impl Fault {
    /// A fault with its circumstances.
    pub(crate) fn new(kind: FaultKind, detail: impl Into<String>) -> Fault {
        Fault { kind, detail: detail.into() }
    }
}

/// `illegal move: c3-c9: there is no point c9 on the board privy`.
impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.detail.as_str() {
            "" => self.kind.fmt(f),
            detail => write!(f, "{}: {detail}", self.kind),
        }
    }
}
