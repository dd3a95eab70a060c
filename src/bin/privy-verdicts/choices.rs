//! The moves of a position with the values that a table gives them.

use privy::rules::family::Every;
use privy::rules::{Outcome, Position, Side};
use privy::tablebase::{Decompressed, Value};

/// A move, by what it leads to.
#[derive(Debug, Clone, Copy)]
pub(super) struct Choice {
    pub(super) next: Position,
    /// How the game ended with it, if it did.
    pub(super) outcome: Option<Outcome>,
    /// For the side that moves.
    pub(super) value: Value,
}

/// All moves of a position that is not over. Moves that the table does not cover are left out.
pub(super) fn choices(values: &Decompressed, position: &Position) -> Vec<Choice> {
    let variant = values.variant();
    let rules = variant.rules();
    let mut choices = Vec::new();
    let mut push = |next: Position, to| {
        let outcome = rules.outcome::<Every>(&next, Some(to));
        let value = match outcome.map(Outcome::winner) {
            Some(Some(winner)) => Some(if winner == position.side() { Value::Win(1) } else { Value::Loss(1) }),
            Some(None) => Some(Value::Draw),
            None => values.value(&next).map(Value::before),
        };
        if let Some(value) = value {
            choices.push(Choice { next, outcome, value });
        }
    };
    match position.side() {
        Side::General => {
            rules.general_actions::<Every>(position, |action, _| {
                push(rules.play_general_move(position, &action).0, action.to)
            });
        }
        Side::Rebels => rules.rebel_bundles(position, |from, targets| {
            targets.into_iter().for_each(|to| push(rules.play_rebel_step(position, from, to).0, to));
        }),
    }
    choices
}
