//! How a game ends, and when (RULES §4).

use std::fmt;

use privy_protocol::Side;

use crate::board::{Point, PointSet};
use crate::compiled::CompiledRules;
use crate::family::Family;
use crate::position::Position;
use crate::rule_set::NoMove;

/// The end of a game, with its reason (RULES §4).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// The General stands on an apex point, where this side wins by that.
    Apex(Side),
    /// The General has been on an apex point and is back on the field, and wins.
    Return,
    /// The General stands on a point where it loses.
    Trap,
    /// The General stands on row 1, and wins.
    Bottom,
    /// The General stands on a point of its goal, or the Rebels on all of theirs, and this side wins.
    Goal(Side),
    /// All Rebels stand higher than the General, who wins.
    Past,
    /// Too few Rebels are left: the General wins.
    Attrition,
    /// The side to move has no legal move, and the side that wins by it; `None` for a draw.
    NoMove(Option<Side>),
    /// A Rebel moved to the General's other side: the Rebels win.
    Custodial,
    /// The privy is closed with the General in it: the Rebels win.
    PrivyClosed,
    /// The same position for the third time, and the side that wins by it; `None` for a draw.
    Repetition(Option<Side>),
    /// The game reached the limit of plies without capture, and the side that wins by it; `None` for a draw, as at the
    /// limit of plies of the game's setting.
    MoveLimit(Option<Side>),
}

impl Outcome {
    /// The winner; none in a draw.
    #[inline]
    pub fn winner(self) -> Option<Side> {
        match self {
            Outcome::Return | Outcome::Bottom | Outcome::Past | Outcome::Attrition => Some(Side::General),
            Outcome::Trap | Outcome::Custodial | Outcome::PrivyClosed => Some(Side::Rebels),
            Outcome::Apex(winner) | Outcome::Goal(winner) => Some(winner),
            Outcome::NoMove(winner) | Outcome::Repetition(winner) | Outcome::MoveLimit(winner) => winner,
        }
    }

    /// The reason in words, without the winner.
    pub fn reason(self) -> &'static str {
        match self {
            Outcome::Apex(_) => "apex",
            Outcome::Return => "apex and return",
            Outcome::Bottom => "bottom",
            Outcome::Goal(_) => "goal",
            Outcome::Trap => "trap",
            Outcome::Past => "past",
            Outcome::Attrition => "attrition",
            Outcome::NoMove(_) => "no move",
            Outcome::Custodial => "custodial capture",
            Outcome::PrivyClosed => "privy closed",
            Outcome::Repetition(_) => "repetition",
            Outcome::MoveLimit(_) => "move limit",
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
    /// The outcome right after the General's move, except for the Rebels' lack of moves: items 1 to 3 of RULES §4.
    #[inline(always)]
    pub fn goal_after_general(&self, position: &Position) -> Option<Outcome> {
        let at = position.general();
        if self.winning_apex.contains(at) {
            return Some(Outcome::Apex(Side::General));
        }
        if self.losing_apex.contains(at) {
            return Some(Outcome::Apex(Side::Rebels));
        }
        if position.apex_visited() && self.field.contains(at) {
            return Some(Outcome::Return);
        }
        if self.has_rare_ends && self.losing_points.contains(at) {
            return Some(Outcome::Trap);
        }
        if self.winning_bottom.contains(at) {
            return Some(Outcome::Bottom);
        }
        if self.winning_goal.contains(at) {
            return Some(Outcome::Goal(Side::General));
        }
        if self.has_rare_ends && self.is_past_rebels(position.rebels(), at, position.hand()) {
            return Some(Outcome::Past);
        }
        self.is_attrition(position).then_some(Outcome::Attrition)
    }

    /// True if so few Rebels are left that the General has won.
    #[inline(always)]
    pub(super) fn is_attrition(&self, position: &Position) -> bool {
        position.rebels_left() as i32 <= self.attrition
    }

    /// The outcome by the limit of plies without capture, once it is reached.
    #[inline(always)]
    pub fn limit_reached(&self, plies_since_capture: u32) -> Option<Outcome> {
        let limit = self.move_limit.filter(|limit| plies_since_capture >= u32::from(limit.plies))?;
        Some(Outcome::MoveLimit(limit.winner.winner()))
    }

    /// The outcome right after a Rebel's move, except for the General's lack of moves: items 1 and 2. `moved_to` is
    /// where the Rebel arrived; [`None`] if the position was set up.
    #[inline(always)]
    pub fn goal_after_rebels(&self, position: &Position, moved_to: Option<Point>) -> Option<Outcome> {
        let (rebels, general, hand) = (position.rebels(), position.general(), position.hand());
        let captures = |to| self.custody(general).iter().any(|pair| pair.contains(to) && rebels.contains_all(*pair));
        if moved_to.is_some_and(captures) {
            return Some(Outcome::Custodial);
        }
        if self.is_closed_in(general, rebels) {
            return Some(Outcome::PrivyClosed);
        }
        if self.has_rare_ends { self.rare_end_after_rebels(rebels, general, hand) } else { None }
    }

    // Pieces by value: a reference would make the compiler keep the hash of positions that are only counted.
    #[cold]
    fn rare_end_after_rebels(&self, rebels: PointSet, general: Point, hand: u8) -> Option<Outcome> {
        if self.have_reached_goal(rebels) {
            return Some(Outcome::Goal(Side::Rebels));
        }
        // A Rebel that rises may let the General past.
        self.is_past_rebels(rebels, general, hand).then_some(Outcome::Past)
    }

    #[cold]
    pub(super) fn is_past_rebels(&self, rebels: PointSet, general: Point, hand: u8) -> bool {
        let is_on_board = self.all.contains(general);
        self.wins_past_rebels && is_on_board && hand == 0 && !rebels.meets(self.rows_below[general])
    }

    pub(super) fn have_reached_goal(&self, rebels: PointSet) -> bool {
        !self.rebels_goal.is_empty() && rebels.contains_all(self.rebels_goal)
    }

    /// The outcome of a position; `moved_to` as in [`goal_after_rebels`](CompiledRules::goal_after_rebels).
    pub fn outcome<F: Family>(&self, position: &Position, moved_to: Option<Point>) -> Option<Outcome> {
        let goal = match position.side() {
            Side::Rebels => self.goal_after_general(position),
            Side::General => self.goal_after_rebels(position, moved_to),
        };
        goal.or_else(|| self.outcome_if_stuck::<F>(position))
    }

    /// True if the side to move has a legal move.
    #[inline(always)]
    pub fn can_move<F: Family>(&self, position: &Position) -> bool {
        match position.side() {
            Side::General => self.general_can_move::<F>(position),
            Side::Rebels => self.rebels_can_move(position),
        }
    }

    /// The winner where this side has no legal move; `None` if that is a draw.
    #[inline(always)]
    pub fn winner_if_stuck(&self, side: Side) -> Option<Side> {
        match self.no_move.of(side) {
            NoMove::Loss | NoMove::Pass => Some(!side),
            NoMove::Draw => None,
            NoMove::Win => Some(side),
        }
    }

    #[inline(always)]
    pub(super) fn outcome_if_stuck<F: Family>(&self, position: &Position) -> Option<Outcome> {
        (!self.can_move::<F>(position)).then(|| Outcome::NoMove(self.winner_if_stuck(position.side())))
    }
}
