//! What a table says of a position.

use std::fmt;

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
}

impl Value {
    /// The same value a ply earlier, for the other side.
    #[must_use]
    pub fn before(self) -> Value {
        match self {
            Value::Win(plies) => Value::Loss(plies + 1),
            Value::Loss(plies) => Value::Win(plies + 1),
            Value::Draw => Value::Draw,
        }
    }

    /// The same value a ply later, for the other side, after a move that keeps it.
    #[must_use]
    pub fn after(self) -> Value {
        match self {
            Value::Win(plies) => Value::Loss(plies.saturating_sub(1)),
            Value::Loss(plies) => Value::Win(plies.saturating_sub(1)),
            Value::Draw => Value::Draw,
        }
    }

    /// How good the value is for the side to move: a short win best, a short loss worst.
    #[must_use]
    pub fn rank(self) -> i64 {
        match self {
            Value::Win(plies) => 1_000_000 - i64::from(plies),
            Value::Draw => 0,
            Value::Loss(plies) => i64::from(plies) - 1_000_000,
        }
    }

    /// Is it the value of a game that has ended with a winner?
    #[must_use]
    pub fn is_over(self) -> bool {
        matches!(self, Value::Win(0) | Value::Loss(0))
    }

    /// Win, draw or loss, whatever the distance.
    #[must_use]
    pub fn class(self) -> i8 {
        match self {
            Value::Win(_) => 1,
            Value::Draw => 0,
            Value::Loss(_) => -1,
        }
    }
}

impl PartialOrd for Value {
    fn partial_cmp(&self, other: &Value) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Value {
    fn cmp(&self, other: &Value) -> std::cmp::Ordering {
        self.rank().cmp(&other.rank())
    }
}

/// `win 12`, `loss 38`, `draw`.
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Win(plies) => write!(f, "win {plies}"),
            Value::Loss(plies) => write!(f, "loss {plies}"),
            Value::Draw => f.write_str("draw"),
        }
    }
}
