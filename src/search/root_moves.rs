//! The moves at the root, and what a search has found out about each.

use crate::eval::Value;
use crate::random::Random;
use crate::rules::{Game, Move, MovePath};

use super::limits::Limits;

/// A root move and what is known of it.
#[derive(Debug, Clone)]
pub(super) struct RootMove {
    pub(super) path: MovePath,
    /// Of the last search that looked at it as a best move, the bonus counted, or proved.
    pub(super) value: Value,
    /// What it is worth to the hunt or the approach beside what the search sees, in hundredths of a Rebel.
    pub(super) bonus: i32,
    /// The value before this iteration.
    pub(super) previous: Value,
    pub(super) line: Vec<Move>,
    pub(super) proof: Proof,
    /// Proved: it neither wins nor loses in so many plies, the move counted.
    pub(super) no_win_within: u32,
    pub(super) no_loss_within: u32,
    /// The depth of the search that gave the value, where it is no bound.
    pub(super) depth: u32,
    /// Nodes of its searches, proofs left out.
    pub(super) nodes: u64,
    /// Nodes of the longest proof that it does not win.
    pub(super) proof_nodes: u64,
}

/// What is proved of a root move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Proof {
    /// Neither a win nor a loss.
    None,
    /// It loses in at most the number of plies that the value tells.
    Lost,
    /// The value, a win or loss, and the line plays it out.
    Exact,
}

impl RootMove {
    pub(super) fn move_(&self) -> &Move {
        self.path.action()
    }

    /// Is nothing proved of it yet?
    pub(super) fn is_open(&self) -> bool {
        self.proof == Proof::None
    }

    /// The value that may be reported, where a draw is worth so much: without bonus and contempt, and a win or loss only with its exact
    /// length.
    pub(super) fn reported_value(&self, draw: Value) -> Value {
        match self.value.distance() {
            Some(plies) if self.proof != Proof::Exact => self.value.as_evaluation(plies),
            _ => Some(self.without_bonus(self.value)).filter(|value| *value != draw).unwrap_or(Value::DRAW),
        }
    }

    /// A value that the search has found, with the bonus. Wins and losses are what they are.
    pub(super) fn with_bonus(&self, value: Value) -> Value {
        if value.is_evaluation() { value.shifted(self.bonus) } else { value }
    }

    /// The same way back.
    pub(super) fn without_bonus(&self, value: Value) -> Value {
        if value.is_evaluation() { value.shifted(-self.bonus) } else { value }
    }

    /// Sorts proved wins before the open moves, and these before the losses.
    pub(super) fn rank(&self) -> (i32, Value, bool) {
        match self.proof {
            Proof::None => (1, Value::DRAW, false),
            proof => (if self.value.is_win() { 2 } else { 0 }, self.value, proof == Proof::Exact),
        }
    }
}

/// The legal moves to search; of chains that do the same one is enough, unless the caller asked for a certain one. A seed other
/// than 0 shuffles them: the search keeps the first of equal moves, so the order chooses among them.
pub(super) fn root_moves(game: &Game, limits: &Limits, seed: u64) -> Vec<RootMove> {
    let mut moves: Vec<RootMove> = Vec::new();
    let legal = game.legal_moves();
    let wanted = if limits.search_moves.is_empty() { &legal } else { &limits.search_moves };
    for path in wanted.iter().filter(|path| legal.contains(path)) {
        if moves.iter().any(|known| known.move_() == path.action()) {
            continue;
        }
        moves.push(RootMove {
            path: path.clone(),
            value: -Value::INFINITE,
            bonus: 0,
            previous: -Value::INFINITE,
            line: Vec::new(),
            proof: Proof::None,
            no_win_within: 0,
            no_loss_within: 0,
            depth: 0,
            nodes: 0,
            proof_nodes: 0,
        });
    }
    if seed != 0 {
        Random::new(seed).shuffle(&mut moves);
    }
    moves
}
