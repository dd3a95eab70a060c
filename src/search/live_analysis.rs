//! Live analysis: what a running search thinks of every root move, for others to look at meanwhile.
//!
//! Alpha-beta gives the best move its score, and shows of the others only that they are not better. For a live analysis the
//! search scores them too: after each iteration it spends as much again on the other moves, on the promising ones more than on
//! the bad ones. So the best move is what it is without, a little later.

use std::cmp::Reverse;
use std::sync::{Arc, Mutex, PoisonError};

use crate::rules::MovePath;

use super::report::LiveMove;
use super::root_bounds::RootBounds;

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
