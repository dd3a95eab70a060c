//! Values of positions under best play.

use std::cmp::Ordering;
use std::fmt;

use privy_protocol::Score;

use privy_rules::{Outcome, Side};

/// The value of a position under best play, for the side to move. Plies are counted to the end of the game, the winner
/// taking the shortest way and the loser the longest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TableValue {
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

/// The rank of a win in 0 plies; above the plies of any table.
const TOP_RANK: i16 = 2000;

impl TableValue {
    /// The value of an outcome for a side.
    #[must_use]
    pub fn of_outcome(outcome: Outcome, side: Side) -> TableValue {
        match outcome.winner() {
            Some(winner) if winner == side => TableValue::Win(0),
            Some(_) => TableValue::Loss(0),
            None => TableValue::Draw,
        }
    }

    /// The value in two bytes, higher for a better one: a win is `TOP_RANK` less its plies, a loss the negative of
    /// that.
    #[inline(always)]
    pub(super) fn rank(self) -> i16 {
        match self {
            TableValue::Win(plies) => TOP_RANK - plies as i16,
            TableValue::WinByRepetition => 1,
            TableValue::Draw => 0,
            TableValue::LossByRepetition => -1,
            TableValue::Loss(plies) => plies as i16 - TOP_RANK,
        }
    }

    /// The inverse of [`rank`](TableValue::rank).
    #[inline(always)]
    pub(super) fn of_rank(rank: i16) -> TableValue {
        match rank {
            0 => TableValue::Draw,
            1 => TableValue::WinByRepetition,
            -1 => TableValue::LossByRepetition,
            2.. => TableValue::Win((TOP_RANK - rank) as u32),
            _ => TableValue::Loss((rank + TOP_RANK) as u32),
        }
    }

    /// Plies to the end; `None` where no side can force one.
    #[must_use]
    pub fn plies(self) -> Option<u32> {
        match self {
            TableValue::Win(plies) | TableValue::Loss(plies) => Some(plies),
            TableValue::Draw | TableValue::WinByRepetition | TableValue::LossByRepetition => None,
        }
    }

    /// The same value for the other side, with other plies.
    #[inline(always)]
    fn turned(self, plies: impl Fn(u32) -> u32) -> TableValue {
        match self {
            TableValue::Win(count) => TableValue::Loss(plies(count)),
            TableValue::Loss(count) => TableValue::Win(plies(count)),
            TableValue::Draw => TableValue::Draw,
            TableValue::WinByRepetition => TableValue::LossByRepetition,
            TableValue::LossByRepetition => TableValue::WinByRepetition,
        }
    }

    /// The same value a ply earlier, for the other side.
    #[must_use]
    pub fn before(self) -> TableValue {
        self.turned(|plies| plies + 1)
    }

    /// The same value a ply later, for the other side, after a move that keeps it.
    #[must_use]
    pub fn after(self) -> TableValue {
        self.turned(|plies| plies.saturating_sub(1))
    }

    /// True if the game has ended with a winner.
    #[must_use]
    pub fn is_over(self) -> bool {
        matches!(self, TableValue::Win(0) | TableValue::Loss(0))
    }

    /// 1 for a win, 0 for a draw, -1 for a loss.
    #[must_use]
    pub fn class(self) -> i8 {
        self.rank().signum() as i8
    }
}

impl From<TableValue> for Score {
    fn from(value: TableValue) -> Score {
        match value {
            TableValue::Win(plies) => Score::Win(plies),
            TableValue::Loss(plies) => Score::Loss(plies),
            TableValue::Draw => Score::Draw,
            TableValue::WinByRepetition => Score::RepetitionWin,
            TableValue::LossByRepetition => Score::RepetitionLoss,
        }
    }
}

impl PartialOrd for TableValue {
    fn partial_cmp(&self, other: &TableValue) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// For the side to move a short win is best, a short loss worst, and repetition is next to a draw.
impl Ord for TableValue {
    fn cmp(&self, other: &TableValue) -> Ordering {
        self.rank().cmp(&other.rank())
    }
}

/// `win 12`, `loss 38`, `draw`, `win repetition`, `loss repetition`.
impl fmt::Display for TableValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TableValue::Win(plies) => write!(f, "win {plies}"),
            TableValue::Loss(plies) => write!(f, "loss {plies}"),
            TableValue::Draw => f.write_str("draw"),
            TableValue::WinByRepetition => f.write_str("win repetition"),
            TableValue::LossByRepetition => f.write_str("loss repetition"),
        }
    }
}
