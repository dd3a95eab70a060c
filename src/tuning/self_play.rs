//! Games that are played to fit something: random openings, games to their end, results.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::random::Random;
use crate::rules::{Game, MovePath, Outcome, Side, Variant};
use crate::search::{Limits, Searcher, Stop};
use crate::tablebase::Table;

use super::request::FitError;

/// The least number of random moves that a game begins with.
const FEWEST_RANDOM_MOVES: u64 = 4;

/// Ends the work when the user asked for it.
pub(super) fn go_on(stop: &AtomicBool) -> Result<(), FitError> {
    if stop.load(Ordering::Relaxed) { Err(FitError::Interrupted) } else { Ok(()) }
}

/// Refuses a variant whose game is over where it begins.
pub(super) fn check_begins(variant: &Arc<Variant>) -> Result<(), FitError> {
    variant.start().outcome().map_or(Ok(()), |outcome| Err(FitError::Over(outcome)))
}

/// A game that has begun with 4 to `most` random moves and is not over.
pub(super) fn opening(variant: &Arc<Variant>, random: &mut Random, most: u64) -> Game {
    loop {
        let mut game = variant.start();
        for _ in 0..FEWEST_RANDOM_MOVES + random.below(most + 1 - FEWEST_RANDOM_MOVES) {
            let Some(move_) = random.pick(&game.legal_moves()).cloned() else { break };
            game.play(move_);
        }
        if game.outcome().is_none() {
            return game;
        }
    }
}

/// Plays a game on, until it is over or so many plies long, and says who won.
pub(super) fn play(
    game: &mut Game,
    plies: usize,
    stop: &AtomicBool,
    mut choose: impl FnMut(&Game) -> MovePath,
) -> Result<Option<Side>, FitError> {
    while game.outcome().is_none() && game.moves().len() < plies {
        go_on(stop)?;
        let move_ = choose(game);
        game.play(move_);
    }
    Ok(game.outcome().and_then(Outcome::winner))
}

/// The best move that a search finds in a game that is not over.
pub(super) fn searched(searcher: &mut Searcher, game: &Game, limits: &Limits) -> MovePath {
    let found = searcher.search(game, limits, &Stop::default(), &mut |_| {});
    found.expect("a game that goes on has a move").best
}

/// One of the best moves by the table; none when it does not cover the position.
pub(super) fn best_by_table(table: &Table, game: &Game, random: &mut Random) -> Option<MovePath> {
    let mut valued = table.values(game).ok()?;
    let best = valued.iter().map(|valued| valued.value).max()?;
    valued.retain(|valued| valued.value == best);
    random.pick(&valued).map(|valued| valued.move_.clone())
}

/// The result for the General: 1 won, 0 lost, a half drawn.
pub(super) fn result(winner: Option<Side>) -> f64 {
    match winner {
        Some(Side::General) => 1.0,
        Some(Side::Rebels) => 0.0,
        None => 0.5,
    }
}
