//! What statistics need to know about a finished game, and of each side in it.

use serde::{Deserialize, Serialize};

use crate::message::sanitized;
use crate::rules::Side;
use crate::tablebase::Value;

use super::super::fault::FaultKind;

/// One for the General, one for the Rebels.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct BySide<T> {
    pub(crate) general: T,
    pub(crate) rebels: T,
}

impl<T> BySide<T> {
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

/// A finished game. It holds all that [`Standings`](super::Standings) count, so that they can be had again from the reports
/// kept in a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct GameReport {
    /// Its number in the match, from 1.
    pub(crate) number: u64,
    /// The two games from one opening with the sides swapped have this number in common.
    pub(crate) pair: u64,
    /// Who played the General.
    pub(crate) general: PlayerReport,
    /// Who played the Rebels.
    pub(crate) rebels: PlayerReport,
    /// Who won; none in a draw.
    pub(crate) winner: Option<Side>,
    /// Why the game ended, without the winner: `apex`, `repetition`, `time`.
    pub(crate) reason: String,
    /// What the loser did wrong, when that ended the game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) fault: Option<FaultKind>,
    /// Length in plies, without the opening.
    pub(crate) plies: u32,
    /// Rebels on the board at the end.
    pub(crate) rebels_left: u32,
    /// What perfect play makes of the opening, where a table says it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) perfect: Option<Perfect>,
}

/// An engine in a game.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(crate) struct PlayerReport {
    /// The name of the engine, which no other engine of the match has.
    pub(crate) engine: String,
    /// The time of each of its moves in microseconds, as the referee measured it.
    #[serde(default)]
    pub(crate) thinking_us: Vec<u64>,
    /// How long it took to answer commands that need no thought (`position`, `play`, `status`), in microseconds each.
    #[serde(default)]
    pub(crate) latency_us: Vec<u64>,
}

/// The result of perfect play.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Perfect {
    /// A side wins.
    Win {
        /// The side.
        side: Side,
        /// The length of the game in plies, if the winner hurries and the loser tarries; none where it is won by repetition.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        plies: Option<u32>,
    },
    /// Neither side can win.
    Draw,
}

impl Perfect {
    /// What a table says of a position in which `to_move` is to move.
    pub(crate) fn new(value: Value, to_move: Side) -> Perfect {
        match value.class() {
            1 => Perfect::Win { side: to_move, plies: value.plies() },
            -1 => Perfect::Win { side: !to_move, plies: value.plies() },
            _ => Perfect::Draw,
        }
    }

    /// The winner; none in a draw.
    pub(crate) fn winner(self) -> Option<Side> {
        match self {
            Perfect::Win { side, .. } => Some(side),
            Perfect::Draw => None,
        }
    }
}

impl GameReport {
    /// The report of a side.
    pub(crate) fn player(&self, side: Side) -> &PlayerReport {
        match side {
            Side::General => &self.general,
            Side::Rebels => &self.rebels,
        }
    }

    /// The result with its reason: `rebels win: privy closed`.
    pub(crate) fn result(&self) -> String {
        let who = match self.winner {
            Some(Side::General) => "general wins",
            Some(Side::Rebels) => "rebels win",
            None => "draw",
        };
        // A match file may be anybody's.
        format!("{who}: {}", sanitized(&self.reason, 400))
    }
}
