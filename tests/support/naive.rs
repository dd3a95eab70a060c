//! The naive generator on positions: pieces, successors, endings.
//!
//! It is the oracle of `support/oracle` without texts and history, for tests that visit every position.

use std::sync::Arc;

use super::oracle::boards::Board;
use super::oracle::position::{Game, Placement, Position};
use super::oracle::{endings, moves, variants};

#[allow(unused_imports)]
pub use super::oracle::variants::{Apex, Jump, Rules, Side, Static};

/// A position as pieces: General, Rebels and flags. Points are indices in the order of the board.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Pieces {
    pub general: usize,
    pub rebels: Vec<usize>,
    pub to_move: Side,
    pub apex_visited: bool,
    pub free_jumps: u8,
}

/// The result of a move.
#[derive(Debug)]
pub enum Next {
    /// The game continues.
    To(Pieces),
    /// The game is over, with its winner.
    Won(Side),
}

/// A game of the naive generator.
pub struct Naive(Arc<Game>);

fn winner(ending: &str) -> Side {
    if ending.starts_with("general wins") { Side::General } else { Side::Rebels }
}

impl Naive {
    /// The rules of a built-in game.
    pub fn rules(id: &str) -> Rules {
        variants::rules(id)
    }

    pub fn new(rules: Rules) -> Naive {
        Naive(Arc::new(Game { rules, board: rules.board() }))
    }

    pub fn rules_of(&self) -> &Rules {
        &self.0.rules
    }

    /// Names of the points, in the order of their indices.
    pub fn names(&self) -> Vec<String> {
        self.0.board.points.iter().map(|point| point.name.clone()).collect()
    }

    /// True if Rebels may stand there.
    pub fn is_ground(&self, spot: usize) -> bool {
        self.0.rules.rebels_enter_privy || !self.board().points[spot].in_privy
    }

    pub fn is_apex(&self, spot: usize) -> bool {
        self.board().apex.contains(&spot)
    }

    fn board(&self) -> &Board {
        &self.0.board
    }

    fn position(&self, pieces: &Pieces) -> Position {
        let at = Placement {
            general: pieces.general,
            rebels: pieces.rebels.iter().copied().collect(),
            to_move: pieces.to_move,
            apex_visited: pieces.apex_visited,
            free_jumps_left: pieces.free_jumps,
        };
        Position { game: Arc::clone(&self.0), at, rebel_arrived: None }
    }

    /// True if the game would have ended before this position.
    pub fn is_unreachable(&self, pieces: &Pieces) -> bool {
        endings::unreachable(&self.position(pieces)).is_some()
    }

    /// The ending of the game, if it is over. Custodial capture is left out: it needs a move.
    pub fn ending(&self, pieces: &Pieces) -> Option<&'static str> {
        endings::ending(&self.position(pieces))
    }

    /// The results of all moves of a position that is not over.
    pub fn successors(&self, pieces: &Pieces) -> Vec<Next> {
        let position = self.position(pieces);
        let after = |mv: &moves::Move| {
            let next = position.after(mv);
            match endings::ending(&next) {
                Some(ending) => Next::Won(winner(ending)),
                None => Next::To(Pieces {
                    general: next.at.general,
                    rebels: next.at.rebels.iter().copied().collect(),
                    to_move: next.at.to_move,
                    apex_visited: next.at.apex_visited,
                    free_jumps: next.at.free_jumps_left,
                }),
            }
        };
        moves::moves(&position).iter().map(after).collect()
    }
}
