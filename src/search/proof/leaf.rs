//! The leaves of the best-first search: whole searches.
//!
//! A result depends on the position, the moves left out, the nodes and the size of the transposition table alone, not
//! on earlier searches or on the process.

use std::sync::Arc;

use privy_protocol::{Score, Stop};

use crate::{Limits, SearchRequest, Searcher};
use privy_rules::{Game, Move, Position, Variant};

/// Evaluations are capped here, in hundredths of a Rebel: larger ones are unproved wins.
const WON: i32 = 10_000;

/// A position to be searched, without the moves that have been.
#[derive(Debug)]
pub(super) struct Leaf {
    pub(super) position: Position,
    pub(super) without: Vec<Move>,
}

/// The best move of a leaf, and its value.
#[derive(Debug, Clone, Copy)]
pub(super) struct LeafResult {
    pub(super) move_: Move,
    pub(super) value: LeafValue,
}

#[derive(Debug, Clone, Copy)]
pub(super) enum LeafValue {
    /// The move wins in exactly these plies.
    Win(u16),
    /// Nothing is proved but that no move wins within some plies. The evaluation is in hundredths of a Rebel.
    Open { hundredths: i32, no_win_within: u16 },
    /// The move is proved to lose.
    Loss,
}

impl Leaf {
    /// The best of the moves that have not been searched, by a search of `nodes` nodes; `Some(None)` if there is none,
    /// `None` if the search was stopped.
    pub(super) fn search(
        &self,
        variant: &Arc<Variant>,
        searcher: &mut Searcher,
        nodes: u64,
        stop: &Stop,
    ) -> Option<Option<LeafResult>> {
        let game = Game::new(variant, self.position, 0, 0);
        let mut search_moves = game.legal_moves();
        search_moves.retain(|path| !self.without.contains(path.action()));
        if search_moves.is_empty() {
            return Some(None);
        }
        let limits = Limits { nodes: Some(nodes), ..Limits::default() };
        let request = SearchRequest { limits, search_moves, ..SearchRequest::default() };
        let found = searcher.search(&game, &request, stop, &mut |_| {}).filter(|_| !stop.is_set())?;
        let value = match found.lines.first().map(|line| (line.verdict.score, line.proven_depth)) {
            Some((Score::Win(plies), _)) => LeafValue::Win(u16::try_from(plies).unwrap_or(u16::MAX)),
            Some((Score::Loss(_), _)) => LeafValue::Loss,
            Some((score, proven)) if score != Score::Draw => LeafValue::Open {
                hundredths: score.hundredths().map_or(0, |hundredths| hundredths.min(WON)),
                no_win_within: u16::try_from(proven).unwrap_or(u16::MAX),
            },
            Some(_) | None => LeafValue::Open { hundredths: 0, no_win_within: 0 },
        };
        Some(Some(LeafResult { move_: *found.best.action(), value }))
    }
}
