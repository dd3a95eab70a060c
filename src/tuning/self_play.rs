//! Games played to fit or to measure something: random openings, games to their end, results.

use std::sync::Arc;

use crate::line_file::LineFileError;
use crate::random::Random;
use crate::rules::{Game, MovePath, Outcome, Side, Variant};
use crate::search::{SearchRequest, Searcher, Stop};
use crate::tablebase::{Table, TableError};
use crate::tournament::statistics::{Pairs, Strength, Tally};

/// Fewest random moves of an opening.
const FEWEST_RANDOM_MOVES: u64 = 4;

/// Why a fit or a measurement failed.
#[derive(Debug, thiserror::Error)]
pub(crate) enum FitError {
    #[error("game over: {0}: the opening ends the game, so there is nothing to play")]
    Over(Outcome),
    #[error(
        "too few positions: expected at least {least} with either side to move, found {found}; more games, or longer ones, would be right"
    )]
    TooFew { least: usize, found: usize },
    #[error(transparent)]
    File(#[from] LineFileError),
    /// Files whose games do not make up one fit.
    #[error("{0}")]
    Games(String),
    #[error(transparent)]
    Table(#[from] TableError),
    #[error("interrupted")]
    Interrupted,
}

/// Fails once the user has asked to stop.
pub(super) fn check_stop(stop: &Stop) -> Result<(), FitError> {
    if stop.is_set() { Err(FitError::Interrupted) } else { Ok(()) }
}

/// Refuses a variant whose opening is over.
pub(super) fn check_begins(variant: &Arc<Variant>) -> Result<(), FitError> {
    variant.start().outcome().map_or(Ok(()), |outcome| Err(FitError::Over(outcome)))
}

/// A game after 4 to `most` random moves that is not over.
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

/// Plays until the game is over or `plies` long; returns the winner.
pub(super) fn play(
    game: &mut Game,
    plies: usize,
    stop: &Stop,
    mut choose: impl FnMut(&Game) -> MovePath,
) -> Result<Option<Side>, FitError> {
    while game.outcome().is_none() && game.moves().len() < plies {
        check_stop(stop)?;
        let move_ = choose(game);
        game.play(move_);
    }
    Ok(game.outcome().and_then(Outcome::winner))
}

/// The best move by search in a game that is not over.
pub(super) fn best_by_search(searcher: &mut Searcher, game: &Game, request: impl Into<SearchRequest>) -> MovePath {
    let found = searcher.search(game, request, &Stop::default(), &mut |_| {});
    found.expect("a game that goes on has a move").best
}

/// A best move by the table, drawn at random; `None` outside the table.
pub(super) fn best_by_table(table: &Table, game: &Game, random: &mut Random) -> Option<MovePath> {
    let mut valued = table.values(game).ok()?;
    let best = valued.iter().map(|valued| valued.value).max()?;
    valued.retain(|valued| valued.value == best);
    random.pick(&valued).map(|valued| valued.move_.clone())
}

/// Pairs of games with sides swapped, as the first player counts them.
#[derive(Default)]
pub(super) struct PairResults {
    pub(super) as_general: Tally,
    pub(super) as_rebels: Tally,
    pub(super) pairs: Pairs,
}

impl PairResults {
    /// Adds the two games of an opening.
    pub(super) fn add(&mut self, [as_general, as_rebels]: [Tally; 2]) {
        self.as_general += as_general;
        self.as_rebels += as_rebels;
        self.pairs.add(as_general, as_rebels);
    }

    pub(super) fn games(&self) -> Tally {
        let mut games = self.as_general;
        games += self.as_rebels;
        games
    }

    pub(super) fn strength(&self) -> Option<Strength> {
        Strength::new(&self.games(), &self.pairs)
    }
}

/// Plays an opening with the first player as General, then as Rebels. `choose` gets the players and the index of the one to move.
pub(super) fn play_pair<P>(
    opening: &Game,
    plies: usize,
    stop: &Stop,
    new_players: impl Fn() -> [P; 2],
    choose: impl Fn(&mut [P; 2], usize, &Game) -> MovePath,
) -> Result<[Tally; 2], FitError> {
    let game = |side: Side| -> Result<Tally, FitError> {
        let mut players = new_players();
        let winner = play(&mut opening.clone(), plies, stop, |game| {
            choose(&mut players, usize::from(game.side() != side), game)
        })?;
        Ok(Tally::of_game(side, winner))
    };
    Ok([game(Side::General)?, game(Side::Rebels)?])
}
