//! What a search tells of its root moves: the lines of an iteration, and in a live analysis what is known of each move.

use std::time::Duration;

use privy_protocol::{Bound, Score};

use crate::rules::MovePath;

/// One line of a search after an iteration.
#[derive(Debug, Clone)]
pub struct SearchInfo {
    /// The iteration: plies that the moves which look best are searched.
    pub depth: u32,
    /// The most plies looked ahead.
    pub selective_depth: u32,
    /// Plies within which nothing is overlooked: of the moves of a search all wins in so many plies or fewer are known, and
    /// of the reported lines all losses.
    pub proven_depth: u32,
    /// The rank of the line, from 1.
    pub rank: usize,
    /// Its score for the side to move. A win or loss has its exact length: the winner has no shorter way, the loser no
    /// longer one. Until that is proved, what is won or lost has an evaluation at the end of the band.
    pub score: Score,
    /// A length from a proof is a bound; that of a search or a table is exact. A draw is a bound where it is proved that one side does not lose.
    pub bound: Option<Bound>,
    /// Positions looked up in a table of perfect play.
    pub table_hits: u64,
    /// Positions reached by making a move.
    pub nodes: u64,
    /// How full the transposition table is, in thousandths.
    pub hashfull: u32,
    /// Time since the search began.
    pub time: Duration,
    /// The line.
    pub line: Vec<MovePath>,
}

/// What is known of a root move.
#[derive(Debug, Clone)]
pub struct LiveMove {
    /// The best line that begins with the move; it never goes beyond the end of the game.
    pub line: Vec<MovePath>,
    /// The score of the move for the side to move.
    pub score: Score,
    /// Is the score the true value of the move, which cannot change any more?
    pub is_exact: bool,
    /// The score that it had at first sight, by a search of one ply.
    pub first_score: Score,
    /// Plies searched for the score.
    pub depth: u32,
    /// Positions looked at for the move.
    pub nodes: u64,
}

impl LiveMove {
    /// The move.
    #[must_use]
    pub fn root_move(&self) -> Option<&MovePath> {
        self.line.first()
    }

    /// A move of which nothing is known.
    #[must_use]
    pub fn unseen(move_: &MovePath) -> LiveMove {
        let (score, line) = (Score::default(), vec![move_.clone()]);
        LiveMove { line, score, is_exact: false, first_score: score, depth: 0, nodes: 0 }
    }
}
