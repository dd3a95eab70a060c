//! How a game ends.

use std::fmt;

use super::Side;

/// The end of a game, with its reason (RULES §4).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// The General stands on an apex point.
    GeneralApex,
    /// The General has been on an apex point and is back on the field.
    GeneralReturn,
    /// The General stands on row 1.
    GeneralBottom,
    /// Too few Rebels are left.
    GeneralAttrition,
    /// The Rebels have no legal move.
    GeneralNoMove,
    /// The General stands on an apex point where that loses.
    RebelsApex,
    /// A Rebel moved to the General's other side.
    RebelsCustodial,
    /// The privy is closed with the General in it.
    RebelsPrivyClosed,
    /// The General has no legal move.
    RebelsNoMove,
    /// The same position for the third time.
    Repetition,
    /// The game reached the limit of plies that was set.
    MoveLimit,
}

impl Outcome {
    /// All outcomes.
    pub const ALL: [Outcome; 11] = [
        Outcome::GeneralApex,
        Outcome::GeneralReturn,
        Outcome::GeneralBottom,
        Outcome::GeneralAttrition,
        Outcome::GeneralNoMove,
        Outcome::RebelsApex,
        Outcome::RebelsCustodial,
        Outcome::RebelsPrivyClosed,
        Outcome::RebelsNoMove,
        Outcome::Repetition,
        Outcome::MoveLimit,
    ];

    /// Who has won; none in a draw.
    #[inline]
    #[must_use]
    pub fn winner(self) -> Option<Side> {
        match self {
            Outcome::GeneralApex
            | Outcome::GeneralReturn
            | Outcome::GeneralBottom
            | Outcome::GeneralAttrition
            | Outcome::GeneralNoMove => Some(Side::General),
            Outcome::RebelsApex | Outcome::RebelsCustodial | Outcome::RebelsPrivyClosed | Outcome::RebelsNoMove => {
                Some(Side::Rebels)
            }
            Outcome::Repetition | Outcome::MoveLimit => None,
        }
    }

    /// The reason in words, without the winner.
    #[must_use]
    pub fn reason(self) -> &'static str {
        match self {
            Outcome::GeneralApex | Outcome::RebelsApex => "apex",
            Outcome::GeneralReturn => "apex and return",
            Outcome::GeneralBottom => "bottom",
            Outcome::GeneralAttrition => "attrition",
            Outcome::GeneralNoMove | Outcome::RebelsNoMove => "no move",
            Outcome::RebelsCustodial => "custodial capture",
            Outcome::RebelsPrivyClosed => "privy closed",
            Outcome::Repetition => "repetition",
            Outcome::MoveLimit => "move limit",
        }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let who = match self.winner() {
            Some(Side::General) => "general wins",
            Some(Side::Rebels) => "rebels win",
            None => "draw",
        };
        write!(f, "{who}: {}", self.reason())
    }
}
