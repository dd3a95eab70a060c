//! Root moves and their results.

use crate::eval::Value;
use privy_base::random::Random;
use privy_rules::{Game, Move, MovePath};

use super::limits::SearchRequest;

#[derive(Debug, Clone)]
pub struct RootMove {
    pub(super) path: MovePath,
    /// Of the last search as a best move, with the bonus; or proved.
    pub(super) value: Value,
    /// Of the hunt, the approach and traps, in hundredths of a Rebel.
    pub bonus: i32,
    pub(super) previous: Value,
    pub(super) line: Vec<Move>,
    pub(super) proof: ProofState,
    /// Proved: no win and no loss within this number of plies, the move included.
    pub(super) no_win_within: u32,
    pub(super) no_loss_within: u32,
    /// The depth of the search that gave the value, if it is exact.
    pub(super) depth: u32,
    /// Nodes of alpha-beta.
    pub(super) nodes: u64,
    /// Nodes of the largest proof that it does not win.
    pub(super) proof_nodes: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ProofState {
    /// Neither a win nor a loss.
    None,
    /// Loses within the number of plies of the value.
    Lost,
    /// The value is a win or loss of exact length, and the line plays it out.
    Exact,
}

impl RootMove {
    pub fn move_(&self) -> &Move {
        self.path.action()
    }

    pub(super) fn is_open(&self) -> bool {
        self.proof == ProofState::None
    }

    /// The value to report: without bonus, with a draw of value `draw` as a draw, and a win or loss only with its exact
    /// length.
    pub(super) fn reported_value(&self, draw: Value) -> Value {
        match self.value.distance() {
            Some(plies) if self.proof != ProofState::Exact => self.value.as_evaluation(plies),
            _ => Some(self.without_bonus(self.value)).filter(|value| *value != draw).unwrap_or(Value::DRAW),
        }
    }

    pub(super) fn with_bonus(&self, value: Value) -> Value {
        if value.is_evaluation() { value.shifted(self.bonus) } else { value }
    }

    pub(super) fn without_bonus(&self, value: Value) -> Value {
        if value.is_evaluation() { value.shifted(-self.bonus) } else { value }
    }

    /// Sorts proved wins before open moves, and these before losses.
    pub(super) fn rank(&self) -> (i32, Value, bool) {
        match self.proof {
            ProofState::None => (1, Value::DRAW, false),
            proof => (if self.value.is_win() { 2 } else { 0 }, self.value, proof == ProofState::Exact),
        }
    }
}

/// The legal moves to search. Of jump chains with the same result one is enough, unless the request names one. A seed
/// other than 0 shuffles the moves: the search keeps the first of equal moves.
pub fn root_moves(game: &Game, request: &SearchRequest, seed: u64) -> Vec<RootMove> {
    let mut moves: Vec<RootMove> = Vec::new();
    let legal = game.legal_moves();
    let candidates = if request.search_moves.is_empty() { &legal } else { &request.search_moves };
    for path in candidates.iter().filter(|path| legal.contains(path)) {
        if moves.iter().any(|known| known.move_() == path.action()) {
            continue;
        }
        moves.push(RootMove {
            path: path.clone(),
            value: -Value::INFINITE,
            bonus: 0,
            previous: -Value::INFINITE,
            line: Vec::new(),
            proof: ProofState::None,
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
