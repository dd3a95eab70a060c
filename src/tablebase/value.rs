//! Values of positions under best play.

use std::fmt;

use crate::rules::{Outcome, Side};

/// The value of a position under best play, for the side to move. Plies are counted to the end of the game, the winner
/// taking the shortest way and the loser the longest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Value {
    /// The side to move wins in as many plies.
    Win(u32),
    /// The side to move loses in as many plies; 0: the game is over.
    Loss(u32),
    /// Neither side can win.
    Draw,
    /// No side can force another end, and the forced repetition wins for the side to move.
    WinByRepetition,
    /// No side can force another end, and the forced repetition wins for the other side.
    LossByRepetition,
}

impl Value {
    /// The value of an outcome for a side.
    #[must_use]
    pub fn of_outcome(outcome: Outcome, side: Side) -> Value {
        match outcome.winner() {
            Some(winner) if winner == side => Value::Win(0),
            Some(_) => Value::Loss(0),
            None => Value::Draw,
        }
    }

    /// The value for a side where no side can force an end: a draw, or a repetition that wins for `winner`.
    pub(super) fn without_end(winner: Option<Side>, side: Side) -> Value {
        match winner {
            None => Value::Draw,
            Some(winner) if winner == side => Value::WinByRepetition,
            Some(_) => Value::LossByRepetition,
        }
    }

    /// Plies to the end; none where no side can force one.
    #[must_use]
    pub fn plies(self) -> Option<u32> {
        match self {
            Value::Win(plies) | Value::Loss(plies) => Some(plies),
            Value::Draw | Value::WinByRepetition | Value::LossByRepetition => None,
        }
    }

    /// The same value a ply earlier, for the other side.
    #[must_use]
    pub fn before(self) -> Value {
        match self {
            Value::Win(plies) => Value::Loss(plies + 1),
            Value::Loss(plies) => Value::Win(plies + 1),
            _ => self.without_end_for_other(),
        }
    }

    /// The same value a ply later, for the other side, after a move that keeps it.
    #[must_use]
    pub fn after(self) -> Value {
        match self {
            Value::Win(plies) => Value::Loss(plies.saturating_sub(1)),
            Value::Loss(plies) => Value::Win(plies.saturating_sub(1)),
            _ => self.without_end_for_other(),
        }
    }

    fn without_end_for_other(self) -> Value {
        match self {
            Value::WinByRepetition => Value::LossByRepetition,
            Value::LossByRepetition => Value::WinByRepetition,
            _ => self,
        }
    }

    /// Has the game ended with a winner?
    #[must_use]
    pub fn is_over(self) -> bool {
        matches!(self, Value::Win(0) | Value::Loss(0))
    }

    /// 1 for a win, 0 for a draw, -1 for a loss.
    #[must_use]
    pub fn class(self) -> i8 {
        match self {
            Value::Win(_) | Value::WinByRepetition => 1,
            Value::Draw => 0,
            Value::Loss(_) | Value::LossByRepetition => -1,
        }
    }
}

impl PartialOrd for Value {
    fn partial_cmp(&self, other: &Value) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

/// For the side to move a short win is best, a short loss worst, and repetition is next to a draw.
impl Ord for Value {
    fn cmp(&self, other: &Value) -> std::cmp::Ordering {
        let rank = |value: &Value| match *value {
            Value::Win(plies) => 1_000_000 - i64::from(plies),
            Value::WinByRepetition => 1,
            Value::Draw => 0,
            Value::LossByRepetition => -1,
            Value::Loss(plies) => i64::from(plies) - 1_000_000,
        };
        rank(self).cmp(&rank(other))
    }
}

/// `win 12`, `loss 38`, `draw`, `win repetition`, `loss repetition`.
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Win(plies) => write!(f, "win {plies}"),
            Value::Loss(plies) => write!(f, "loss {plies}"),
            Value::Draw => f.write_str("draw"),
            Value::WinByRepetition => f.write_str("win repetition"),
            Value::LossByRepetition => f.write_str("loss repetition"),
        }
    }
}
