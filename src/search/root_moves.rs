//! The moves at the root, and what a search knows of each.

use crate::random::Random;
use crate::rules::{Game, Move, MovePath};

use super::limits::Limits;
use crate::eval::Score;

/// A root move and what the search knows of it.
#[derive(Debug, Clone)]
pub(super) struct RootMove {
    pub(super) move_: MovePath,
    /// Of the last search that looked at it as a best move, or proved.
    pub(super) score: Score,
    pub(super) previous: Score,
    pub(super) line: Vec<Move>,
    pub(super) proof: Proof,
    /// By what is proved it neither wins nor loses in so many plies, the move counted.
    pub(super) no_win_within: u32,
    pub(super) no_loss_within: u32,
    /// The depth of the search that gave the score, where it is no bound.
    pub(super) judged: u32,
    /// Positions reached by searching it, proofs left out.
    pub(super) nodes: u64,
    /// Nodes of the longest proof that it does not win in so many plies.
    pub(super) effort: u64,
}

/// What is proved of a root move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Proof {
    /// Neither a win nor a loss.
    None,
    /// That it loses in at most the number of plies that the score tells.
    Lost,
    /// The score, a win or loss, and the line plays it out.
    Exact,
}

impl RootMove {
    fn new(move_: &MovePath) -> RootMove {
        let score = -Score::INFINITE;
        let (line, proof) = (Vec::new(), Proof::None);
        RootMove {
            move_: move_.clone(),
            score,
            previous: score,
            line,
            proof,
            no_win_within: 0,
            no_loss_within: 0,
            judged: 0,
            nodes: 0,
            effort: 0,
        }
    }

    pub(super) fn action(&self) -> &Move {
        self.move_.action()
    }

    /// Is it worth searching?
    pub(super) fn is_open(&self) -> bool {
        self.proof == Proof::None
    }

    /// What may be told of the score: a win or loss only with its exact length.
    pub(super) fn told_score(&self) -> Score {
        match self.score.distance() {
            Some(plies) if self.proof != Proof::Exact => self.score.as_evaluation(plies),
            _ => self.score,
        }
    }

    /// Places moves that are proved to win before the open ones, and these before the lost ones.
    pub(super) fn rank(&self) -> (i32, Score, bool) {
        match self.proof {
            Proof::None => (1, Score::DRAW, false),
            proof => (if self.score.is_win() { 2 } else { 0 }, self.score, proof == Proof::Exact),
        }
    }
}

/// The legal moves to look at; of chains that do the same one is enough, unless the caller asked for a certain one.
pub(super) fn root_moves(game: &Game, limits: &Limits) -> Vec<RootMove> {
    let mut moves: Vec<RootMove> = Vec::new();
    let legal = game.legal_moves();
    let wanted = if limits.search_moves.is_empty() { &legal } else { &limits.search_moves };
    for move_ in wanted.iter().filter(|move_| legal.contains(move_)) {
        if !moves.iter().any(|known| known.action() == move_.action()) {
            moves.push(RootMove::new(move_));
        }
    }
    moves
}

/// The search keeps the first of equal moves; so the order chooses among them.
pub(super) fn shuffle(moves: &mut [RootMove], seed: u64) {
    if seed != 0 {
        Random::new(seed).shuffle(moves);
    }
}
