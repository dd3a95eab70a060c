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
    /// The game reached the limit of plies that was set, or one of plies without capture that wins for nobody.
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

    /// Who has won; none in a draw.
    #[inline]
    #[must_use]
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
    #[must_use]
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
}

impl Outcome {
    /// The end by a position that occurs for the third time; none is the winner where it is a draw.
    #[must_use]
    pub fn repetition(winner: Option<Side>) -> Outcome {
        match winner {
            None => Outcome::Repetition,
            Some(Side::General) => Outcome::GeneralRepetition,
            Some(Side::Rebels) => Outcome::RebelsRepetition,
        }
    }

    /// The end by the limit of plies without capture; none is the winner where it is a draw.
    #[must_use]
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
    /// What the General's move has decided, the Rebels' lack of moves apart: items 1 to 3 of RULES §4.
    #[inline(always)]
    #[must_use]
    pub fn goal_after_general(&self, position: &Position) -> Option<Outcome> {
        if self.winning_apex.contains(position.general()) {
            return Some(Outcome::GeneralApex);
        }
        if self.losing_apex.contains(position.general()) {
            return Some(Outcome::RebelsApex);
        }
        if position.apex_visited() && self.field.contains(position.general()) {
            return Some(Outcome::GeneralReturn);
        }
        if self.winning_bottom.contains(position.general()) {
            return Some(Outcome::GeneralBottom);
        }
        if self.winning_goal.contains(position.general()) {
            return Some(Outcome::GeneralGoal);
        }
        (position.rebels().len() as i32 <= self.rebels_at_most).then_some(Outcome::GeneralAttrition)
    }

    /// What a Rebel's move has decided, the General's lack of moves apart: items 1 and 2. `moved_to` is where the Rebel
    /// arrived; none when the position was set up.
    #[inline(always)]
    #[must_use]
    pub fn goal_after_rebels(&self, position: &Position, moved_to: Option<Point>) -> Option<Outcome> {
        let custody = &self.custody[position.general()];
        if let Some(to) = moved_to
            && custody.as_slice().iter().any(|pair| pair.contains(to) && position.rebels().contains_all(*pair))
        {
            return Some(Outcome::RebelsCustodial);
        }
        self.privy_is_closed(position).then_some(Outcome::RebelsPrivyClosed)
    }

    #[inline(always)]
    fn privy_is_closed(&self, position: &Position) -> bool {
        self.closable.contains(position.general()) && position.rebels().contains_all(self.gate)
    }

    /// How the game ended with a position; `moved_to` as in [`goal_after_rebels`](CompiledRules::goal_after_rebels).
    #[must_use]
    pub fn outcome<F: Family>(&self, position: &Position, moved_to: Option<Point>) -> Option<Outcome> {
        let goal = match position.side() {
            Side::Rebels => self.goal_after_general(position),
            Side::General => self.goal_after_rebels(position, moved_to),
        };
        goal.or_else(|| self.outcome_if_stuck::<F>(position))
    }

    /// Has the side to move a legal move?
    #[inline(always)]
    #[must_use]
    pub fn can_move<F: Family>(&self, position: &Position) -> bool {
        match position.side() {
            Side::General => self.general_can_move::<F>(position),
            Side::Rebels => self.rebels_can_move(position),
        }
    }

    /// Who wins when the side to move has no legal move, if it has none.
    #[inline(always)]
    pub(super) fn outcome_if_stuck<F: Family>(&self, position: &Position) -> Option<Outcome> {
        (!self.can_move::<F>(position)).then_some(match position.side() {
            Side::General => Outcome::RebelsNoMove,
            Side::Rebels => Outcome::GeneralNoMove,
        })
    }
}
