//! Positions near even by a search, where there is no table.

use std::sync::Arc;

use crate::random::Random;
use crate::rules::Game;
use crate::search::{Limits, PreparedVariant, Searcher, Stop};

use super::balanced::Candidate;
use super::walk::walk;

/// Random plies on the way to a position: from 4 to 24.
const FEWEST_PLIES: u32 = 4;
const MORE_PLIES: u64 = 21;

/// Nodes of a search, and MiB for its table: some milliseconds, to depths of 6 to 8 plies.
const NODES: u64 = 5_000;
const MEBIBYTES: usize = 1;

/// The most that either side may be ahead of the other in hundredths of a Rebel, by grade.
const NEAR_EVEN: [u32; 3] = [50, 150, 300];

/// A position after random moves that a search of fixed size calls near even.
pub(super) fn near_even(prepared: &Arc<PreparedVariant>, start: &Game, seed: u64, attempt: u64) -> Option<Candidate> {
    let mut random = Random::numbered(seed, attempt);
    let plies = FEWEST_PLIES + random.below(MORE_PLIES) as u32;
    let mut game = start.clone();
    if !walk(&mut game, plies, &mut random) {
        return None;
    }
    let limits = Limits { nodes: Some(NODES), ..Limits::default() };
    let mut searcher = Searcher::prepared_for(Arc::clone(prepared), MEBIBYTES);
    let found = searcher.search(&game, &limits, &Stop::default(), &mut |_| {})?;
    let score = found.lines.first()?.score;
    let size = score.hundredths()?.unsigned_abs();
    let grade = NEAR_EVEN.iter().position(|most| size <= *most)?;
    let kind = (game.position().side(), 0);
    Some(Candidate { game, kind, grade: grade as u32, origin: format!("search: {score} after {NODES} nodes") })
}
