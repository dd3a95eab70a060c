//! Live analysis: what a running search thinks of every root move, for others to look at meanwhile.
//!
//! Alpha-beta gives the best move its score, and shows of the others only that they are not better. For a live analysis the
//! search scores them too: after each iteration it spends as much again on the other moves, on the promising ones more than on
//! the bad ones. So the best move is what it is without, a little later.

use std::cmp::Reverse;
use std::sync::{Arc, Mutex, PoisonError};

use privy_protocol::Score;

use crate::rules::MovePath;

use super::root_bounds::RootBounds;

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

#[derive(Debug, Default)]
struct Known {
    best: Option<MovePath>,
    moves: Vec<LiveMove>,
    bounds: Option<RootBounds>,
}

/// A place where a search keeps what it thinks of the root moves. Clones share it.
#[derive(Debug, Clone, Default)]
pub struct LiveAnalysis(Arc<Mutex<Known>>);

impl LiveAnalysis {
    fn with<T>(&self, act: impl FnOnce(&mut Known) -> T) -> T {
        // Each entry is whole, even if a thread that held the lock has ended by a panic.
        act(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Has no move been looked at yet?
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.with(|known| known.moves.is_empty())
    }

    /// Keeps what is known of a move in place of what was; the first score stays.
    pub fn put(&self, mut news: LiveMove) {
        self.with(|known| match known.moves.iter_mut().find(|old| old.root_move() == news.root_move()) {
            Some(old) => {
                news.first_score = old.first_score;
                *old = news;
            }
            None => known.moves.push(news),
        });
    }

    /// Says what is proved of the moves beside the search.
    pub fn set_bounds(&self, bounds: RootBounds) {
        self.with(|known| known.bounds = Some(bounds));
    }

    /// What is proved of the moves beside the search.
    pub(crate) fn bounds(&self) -> Option<RootBounds> {
        self.with(|known| known.bounds.clone())
    }

    /// Says which move is the best.
    pub fn set_best(&self, best: &MovePath) {
        self.with(|known| known.best = Some(best.clone()));
    }

    /// What is known by now, the best move first, the others by score. The best was searched deepest and against all
    /// others: a higher score that another has from a shallower search is brought down to its score. No score is beyond what is proved of its
    /// move.
    #[must_use]
    pub fn moves(&self) -> Vec<LiveMove> {
        let (mut best, mut moves, bounds) =
            self.with(|known| (known.best.clone(), known.moves.clone(), known.bounds.clone()));
        if let Some(bounds) = bounds {
            best = best.map(|best| bounds.best_of(best, &moves));
            moves.iter_mut().for_each(|live| bounds.clamp(live));
        }
        moves.sort_by_key(|live| (live.root_move() != best.as_ref(), Reverse(live.score)));
        if let Some(highest) = moves.first().map(|live| live.score) {
            for live in moves.iter_mut().filter(|live| !live.is_exact) {
                live.score = live.score.min(highest);
            }
        }
        moves
    }
}
