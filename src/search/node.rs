//! A position on the way of a search, and the one behind a move.

use crate::rules::{CompiledRules, Move, Outcome, Side, State, zobrist};

/// A position on the way of the search.
#[derive(Debug, Clone, Copy)]
pub(super) struct Node {
    pub(super) state: State,
    pub(super) hash: u64,
}

impl Node {
    /// The position after an action, and what the action has decided, a side without moves apart.
    #[inline(always)]
    pub(super) fn after(&self, rules: &CompiledRules, action: &Move) -> (Node, Option<Outcome>) {
        match self.state.side {
            Side::Rebels => {
                let state = self.state.after_rebel_step(action.from, action.to);
                let hash = zobrist::after_rebel_step(self.hash, action.from, action.to);
                (Node { state, hash }, rules.goal_after_rebels(&state, Some(action.to)))
            }
            Side::General => {
                let state = self.state.after(action, rules.return_apex);
                let hash = zobrist::after_general_action(self.hash, &self.state, action, &state);
                (Node { state, hash }, rules.goal_after_general(&state))
            }
        }
    }
}
