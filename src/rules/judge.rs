//! When a game is over (RULES §4).

use crate::board::Point;

use super::{CompiledRules, Family, Outcome, Side, State};

impl CompiledRules {
    /// What the General's move has decided, the Rebels' lack of moves apart: items 1 to 3 of RULES §4.
    #[inline(always)]
    #[must_use]
    pub fn goal_after_general(&self, state: &State) -> Option<Outcome> {
        if self.winning_apex.contains(state.general) {
            return Some(Outcome::GeneralApex);
        }
        if self.losing_apex.contains(state.general) {
            return Some(Outcome::RebelsApex);
        }
        if state.apex_visited && self.field.contains(state.general) {
            return Some(Outcome::GeneralReturn);
        }
        if self.winning_bottom.contains(state.general) {
            return Some(Outcome::GeneralBottom);
        }
        (state.rebels.len() as i32 <= self.rebels_at_most).then_some(Outcome::GeneralAttrition)
    }

    /// What a Rebel's move has decided, the General's lack of moves apart: items 1 and 2. `moved_to` is where the Rebel
    /// arrived; none when the position was set up.
    #[inline(always)]
    #[must_use]
    pub fn goal_after_rebels(&self, state: &State, moved_to: Option<Point>) -> Option<Outcome> {
        let custody = &self.custody[state.general.index()];
        if let Some(to) = moved_to
            && custody.as_slice().iter().any(|pair| pair.contains(to) && state.rebels.contains_all(*pair))
        {
            return Some(Outcome::RebelsCustodial);
        }
        self.privy_is_closed(state).then_some(Outcome::RebelsPrivyClosed)
    }

    #[inline(always)]
    fn privy_is_closed(&self, state: &State) -> bool {
        self.closable.contains(state.general)
            && state.rebels.contains_all(self.exits)
            && state.rebels.contains_all(self.hop_outs)
    }

    /// The outcome of a position whose last move was made by the side not to move; `moved_to` as in
    /// [`goal_after_rebels`](CompiledRules::goal_after_rebels).
    #[must_use]
    pub fn outcome<F: Family>(&self, state: &State, moved_to: Option<Point>) -> Option<Outcome> {
        match state.side {
            Side::Rebels => self
                .goal_after_general(state)
                .or_else(|| (!self.rebels_can_move(state)).then_some(Outcome::GeneralNoMove)),
            Side::General => self
                .goal_after_rebels(state, moved_to)
                .or_else(|| (!self.general_can_move::<F>(state)).then_some(Outcome::RebelsNoMove)),
        }
    }
}
