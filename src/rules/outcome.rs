//! How a game ends, and when (RULES §4).

use std::fmt;

use crate::board::Point;

use super::{CompiledRules, Family, Position, Side};

/// The end of a game, with its reason (RULES §4).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// The General stands on an apex point.
    GeneralApex,
    /// The General has been on an apex point and is back on the field.
    GeneralReturn,
    /// The General stands on row 1.
    GeneralBottom,
    /// The General stands on a point of its goal.
    GeneralGoal,
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
    /// The same position for the third time, where that is a draw.
    Repetition,
    /// The same position for the third time, where the General wins by it.
    GeneralRepetition,
    /// The same position for the third time, where the Rebels win by it.
    RebelsRepetition,
    /// The game reached the limit of plies of its setting, or that of plies without capture where it is a draw.
    MoveLimit,
    /// The game reached the limit of plies without capture, where the General wins by it.
    GeneralMoveLimit,
    /// The game reached the limit of plies without capture, where the Rebels win by it.
    RebelsMoveLimit,
}

impl Outcome {
    /// All outcomes.
    pub const ALL: [Outcome; 16] = [
        Outcome::GeneralApex,
        Outcome::GeneralReturn,
        Outcome::GeneralBottom,
        Outcome::GeneralGoal,
        Outcome::GeneralAttrition,
        Outcome::GeneralNoMove,
        Outcome::RebelsApex,
        Outcome::RebelsCustodial,
        Outcome::RebelsPrivyClosed,
        Outcome::RebelsNoMove,
        Outcome::Repetition,
        Outcome::GeneralRepetition,
        Outcome::RebelsRepetition,
        Outcome::MoveLimit,
        Outcome::GeneralMoveLimit,
        Outcome::RebelsMoveLimit,
    ];

    /// The winner; none in a draw.
    #[inline]
    pub fn winner(self) -> Option<Side> {
        match self {
            Outcome::GeneralApex
            | Outcome::GeneralReturn
            | Outcome::GeneralBottom
            | Outcome::GeneralGoal
            | Outcome::GeneralAttrition
            | Outcome::GeneralNoMove
            | Outcome::GeneralRepetition
            | Outcome::GeneralMoveLimit => Some(Side::General),
            Outcome::RebelsApex
            | Outcome::RebelsCustodial
            | Outcome::RebelsPrivyClosed
            | Outcome::RebelsNoMove
            | Outcome::RebelsRepetition
            | Outcome::RebelsMoveLimit => Some(Side::Rebels),
            Outcome::Repetition | Outcome::MoveLimit => None,
        }
    }

    /// The reason in words, without the winner.
    pub fn reason(self) -> &'static str {
        match self {
            Outcome::GeneralApex | Outcome::RebelsApex => "apex",
            Outcome::GeneralReturn => "apex and return",
            Outcome::GeneralBottom => "bottom",
            Outcome::GeneralGoal => "goal",
            Outcome::GeneralAttrition => "attrition",
            Outcome::GeneralNoMove | Outcome::RebelsNoMove => "no move",
            Outcome::RebelsCustodial => "custodial capture",
            Outcome::RebelsPrivyClosed => "privy closed",
            Outcome::Repetition | Outcome::GeneralRepetition | Outcome::RebelsRepetition => "repetition",
            Outcome::MoveLimit | Outcome::GeneralMoveLimit | Outcome::RebelsMoveLimit => "move limit",
        }
    }

    /// The outcome by the third occurrence of a position; no winner means a draw.
    pub fn repetition(winner: Option<Side>) -> Outcome {
        match winner {
            None => Outcome::Repetition,
            Some(Side::General) => Outcome::GeneralRepetition,
            Some(Side::Rebels) => Outcome::RebelsRepetition,
        }
    }

    /// The outcome by the limit of plies without capture; no winner means a draw.
    pub fn move_limit(winner: Option<Side>) -> Outcome {
        match winner {
            None => Outcome::MoveLimit,
            Some(Side::General) => Outcome::GeneralMoveLimit,
            Some(Side::Rebels) => Outcome::RebelsMoveLimit,
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

impl CompiledRules {
    /// The outcome right after the General's move, the Rebels' lack of moves apart: items 1 to 3 of RULES §4.
    #[inline(always)]
    pub fn goal_after_general(&self, position: &Position) -> Option<Outcome> {
        let at = position.general();
        if self.winning_apex.contains(at) {
            return Some(Outcome::GeneralApex);
        }
        if self.losing_apex.contains(at) {
            return Some(Outcome::RebelsApex);
        }
        if position.apex_visited() && self.field.contains(at) {
            return Some(Outcome::GeneralReturn);
        }
        if self.winning_bottom.contains(at) {
            return Some(Outcome::GeneralBottom);
        }
        if self.winning_goal.contains(at) {
            return Some(Outcome::GeneralGoal);
        }
        (position.rebels().len() as i32 <= self.attrition).then_some(Outcome::GeneralAttrition)
    }

    /// The outcome right after a Rebel's move, the General's lack of moves apart: items 1 and 2. `moved_to` is where the Rebel
    /// arrived; none when the position was set up.
    #[inline(always)]
    pub fn goal_after_rebels(&self, position: &Position, moved_to: Option<Point>) -> Option<Outcome> {
        if let Some(to) = moved_to
            && self
                .custody(position.general())
                .iter()
                .any(|pair| pair.contains(to) && position.rebels().contains_all(*pair))
        {
            return Some(Outcome::RebelsCustodial);
        }
        let is_closed = self.gate(position.general()).is_some_and(|gate| position.rebels().contains_all(gate));
        is_closed.then_some(Outcome::RebelsPrivyClosed)
    }

    /// The outcome of a position; `moved_to` as in [`goal_after_rebels`](CompiledRules::goal_after_rebels).
    pub fn outcome<F: Family>(&self, position: &Position, moved_to: Option<Point>) -> Option<Outcome> {
        let goal = match position.side() {
            Side::Rebels => self.goal_after_general(position),
            Side::General => self.goal_after_rebels(position, moved_to),
        };
        goal.or_else(|| self.outcome_if_stuck::<F>(position))
    }

    /// Has the side to move a legal move?
    #[inline(always)]
    pub fn can_move<F: Family>(&self, position: &Position) -> bool {
        match position.side() {
            Side::General => self.general_can_move::<F>(position),
            Side::Rebels => self.rebels_can_move(position),
        }
    }

    #[inline(always)]
    pub(super) fn outcome_if_stuck<F: Family>(&self, position: &Position) -> Option<Outcome> {
        (!self.can_move::<F>(position)).then_some(match position.side() {
            Side::General => Outcome::RebelsNoMove,
            Side::Rebels => Outcome::GeneralNoMove,
        })
    }
}
