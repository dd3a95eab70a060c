//! The report of a finished game that statistics count.

use serde::{Deserialize, Serialize};

use crate::fault::FaultKind;
use privy_base::message::sanitized;
use privy_rules::Side;
use privy_tables::TableValue;

/// A value for each side.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct BySide<T> {
    pub(crate) general: T,
    pub(crate) rebels: T,
}

impl<T> BySide<T> {
    /// A value for each side.
    pub(crate) fn new(value: impl Fn(Side) -> T) -> BySide<T> {
        BySide { general: value(Side::General), rebels: value(Side::Rebels) }
    }

    pub(crate) fn of(&self, side: Side) -> &T {
        match side {
            Side::General => &self.general,
            Side::Rebels => &self.rebels,
        }
    }

    pub(crate) fn of_mut(&mut self, side: Side) -> &mut T {
        match side {
            Side::General => &mut self.general,
            Side::Rebels => &mut self.rebels,
        }
    }
}

/// A finished game, with all that [`Standings`](super::Standings) count, so that the reports in a file restore them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct GameReport {
    /// Its number in the match, from 1.
    pub number: u64,
    /// Shared by the two games from one opening with the sides swapped.
    pub pair: u64,
    /// The engine that played the General.
    pub(crate) general: PlayerReport,
    /// The engine that played the Rebels.
    pub(crate) rebels: PlayerReport,
    /// None in a draw.
    pub winner: Option<Side>,
    /// Why the game ended, without the winner: `apex`, `repetition`, `time`.
    pub reason: String,
    /// The fault of the loser, if it ended the game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fault: Option<FaultKind>,
    /// Length in plies, without the opening.
    pub plies: u32,
    /// Rebels on the board at the end.
    pub rebels_left: u32,
    /// The result of perfect play from the opening, by the table.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub perfect: Option<Perfect>,
    /// The same of the position in which scores ended the game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub adjudged: Option<Perfect>,
}

/// An engine in a game.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(crate) struct PlayerReport {
    /// The name of the engine, unique in the match.
    pub engine: String,
    /// The time of each of its moves in microseconds, as the referee measured it.
    #[serde(default)]
    pub(crate) thinking_us: Vec<u64>,
    /// The times of answers to commands that need no search (`position`, `play`, `status`), in microseconds.
    #[serde(default)]
    pub(crate) latency_us: Vec<u64>,
}

/// The result of perfect play.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Perfect {
    /// A side wins.
    Win {
        /// The winner.
        side: Side,
        /// The distance to win in plies; `None` for a win by repetition.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        plies: Option<u32>,
    },
    /// A draw.
    Draw,
}

impl Perfect {
    /// The table value of a position with `to_move` to move.
    pub fn new(value: TableValue, to_move: Side) -> Perfect {
        match value.class() {
            1 => Perfect::Win { side: to_move, plies: value.plies() },
            -1 => Perfect::Win { side: !to_move, plies: value.plies() },
            _ => Perfect::Draw,
        }
    }

    pub(crate) fn winner(self) -> Option<Side> {
        match self {
            Perfect::Win { side, .. } => Some(side),
            Perfect::Draw => None,
        }
    }
}

impl GameReport {
    pub(crate) fn player(&self, side: Side) -> &PlayerReport {
        match side {
            Side::General => &self.general,
            Side::Rebels => &self.rebels,
        }
    }

    /// The result with its reason: `rebels win: privy closed`.
    pub fn result(&self) -> String {
        let who = match self.winner {
            Some(Side::General) => "general wins",
            Some(Side::Rebels) => "rebels win",
            None => "draw",
        };
        // A match file may come from anywhere.
        format!("{who}: {}", sanitized(&self.reason, 400))
    }
}
