//! Weaker play, in ten steps.
//!
//! A level below the highest searches so many positions for a move, and now and then it errs: it plays any legal move instead of
//! the best it has found. How much and how often is measured, so that each level beats the one below by 100 Elo or more.
//! It never looks into a table of perfect play: so a level is as strong where there is a table as where there is none.

use crate::rules::zobrist::mix;
use crate::rules::{Game, Move};
use crate::search::Limits;

/// How weak play is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Level {
    /// Positions searched for a move.
    nodes: u64,
    /// Moves out of a thousand that are chosen blindly.
    errors: u64,
}

/// The levels from 1 on; the one above them is full strength.
const LEVELS: [Level; 9] = [
    Level { nodes: 1, errors: 900 },
    Level { nodes: 50, errors: 650 },
    Level { nodes: 100, errors: 450 },
    Level { nodes: 300, errors: 320 },
    Level { nodes: 1_000, errors: 230 },
    Level { nodes: 3_000, errors: 160 },
    Level { nodes: 10_000, errors: 100 },
    Level { nodes: 30_000, errors: 60 },
    Level { nodes: 100_000, errors: 25 },
];

/// The highest level: full strength.
pub(super) const FULL_STRENGTH: u64 = LEVELS.len() as u64 + 1;

impl Level {
    /// The level with this number; none for full strength.
    pub(super) fn new(number: u64) -> Option<Level> {
        let place = usize::try_from(number).ok()?.checked_sub(1)?;
        LEVELS.get(place).copied()
    }

    /// Limits that hold the search down to the level.
    pub(super) fn limits(self, limits: &Limits) -> Limits {
        let nodes = limits.nodes.map_or(self.nodes, |nodes| nodes.min(self.nodes));
        Limits { nodes: Some(nodes), ..limits.clone() }
    }

    /// The move to play by mistake, out of those that may be played; mostly none. The same game and seed err alike.
    pub(super) fn error(self, game: &Game, limits: &Limits, seed: u64) -> Option<Move> {
        let plies = game.moves().len() as u64;
        let luck = mix(seed ^ mix(game.position().hash() ^ plies));
        if luck % 1_000 >= self.errors {
            return None;
        }
        let mut moves = if limits.search_moves.is_empty() { game.legal_moves() } else { limits.search_moves.clone() };
        let place = (mix(luck) % moves.len().max(1) as u64) as usize;
        (place < moves.len()).then(|| moves.swap_remove(place))
    }
}
