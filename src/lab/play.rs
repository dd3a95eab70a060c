//! Games played to fit or to measure something: random openings, games to their end, pairs with sides swapped.

use std::sync::Arc;

use privy_base::random::Random;
use privy_program::CliError;
use privy_referee::statistics::{Pairs, Strength, Tally};
use privy_rules::{Game, MovePath, Outcome, Side, Variant};
use privy_search::{SearchRequest, Searcher, Stop};
use privy_tables::{Table, TableError};

/// Fewest random moves of an opening.
const FEWEST_RANDOM_MOVES: u64 = 4;
/// Random openings to try before all are taken to end the game.
const OPENING_TRIES: u32 = 10_000;

/// Fails once the user has asked to stop.
pub(crate) fn check_stop(stop: &Stop) -> Result<(), CliError> {
    if stop.is_set() { Err(interrupted()) } else { Ok(()) }
}

/// The error of work that a stop has ended.
pub(crate) fn interrupted() -> CliError {
    CliError::Interrupted("nothing has been written".to_owned())
}

/// Refuses a variant whose opening ends the game.
pub(crate) fn check_begins(variant: &Arc<Variant>) -> Result<(), CliError> {
    let Some(outcome) = variant.start().outcome() else { return Ok(()) };
    let what = "the opening ends the game, so there is nothing to play";
    Err(CliError::Failed(format!("game over: {outcome}: {what}")))
}

/// Returns a game after 4 to `most` random moves that is not over.
///
/// # Errors
/// When all games are over by then, or the user has asked to stop.
pub(crate) fn random_opening(
    variant: &Arc<Variant>,
    random: &mut Random,
    most: u64,
    stop: &Stop,
) -> Result<Game, CliError> {
    for _ in 0..OPENING_TRIES {
        check_stop(stop)?;
        let mut game = variant.start();
        for _ in 0..FEWEST_RANDOM_MOVES + random.below(most + 1 - FEWEST_RANDOM_MOVES) {
            let Some(move_) = random.pick(&game.legal_moves()).cloned() else { break };
            game.play(move_);
        }
        if game.outcome().is_none() {
            return Ok(game);
        }
    }
    let moves = format!("{FEWEST_RANDOM_MOVES} to {most} random moves");
    let what = format!("every game of {} that begins with {moves} ends with them", variant.id());
    Err(CliError::Failed(format!("game over: {what}, so there is nothing to play")))
}

/// Plays until the game is over or `plies` long; returns the winner.
///
/// # Errors
/// When `choose` fails, or the user has asked to stop.
pub(crate) fn play_out(
    game: &mut Game,
    plies: usize,
    stop: &Stop,
    mut choose: impl FnMut(&Game) -> Result<MovePath, CliError>,
) -> Result<Option<Side>, CliError> {
    while game.outcome().is_none() && game.moves().len() < plies {
        let move_ = choose(game)?;
        // A search that was stopped gives a move that does not count.
        check_stop(stop)?;
        game.play(move_);
    }
    Ok(game.outcome().and_then(Outcome::winner))
}

/// Returns the best move by search in a game that is not over.
pub(crate) fn best_by_search(
    searcher: &mut Searcher,
    game: &Game,
    request: impl Into<SearchRequest>,
    stop: &Stop,
) -> MovePath {
    searcher.search(game, request, stop, &mut |_| {}).expect("an unfinished game has a move").best
}

/// Returns a best move by the table, a random one of several; `None` outside the table.
///
/// # Errors
/// When the table is damaged.
pub(crate) fn best_by_table(table: &Table, game: &Game, random: &mut Random) -> Result<Option<MovePath>, TableError> {
    let mut valued = match table.values(game) {
        Err(TableError::NotCovered(_)) => return Ok(None),
        valued => valued?,
    };
    let best = valued.iter().map(|(_, value)| *value).max();
    valued.retain(|(_, value)| Some(*value) == best);
    Ok(random.pick(&valued).map(|(move_, _)| move_.clone()))
}

/// Pairs of games with sides swapped, as the first player counts them.
#[derive(Debug, Default)]
pub(crate) struct PairResults {
    /// Its games as General.
    pub(crate) as_general: Tally,
    /// Its games as Rebels.
    pub(crate) as_rebels: Tally,
    /// Both games of each opening together.
    pub(crate) pairs: Pairs,
}

impl PairResults {
    /// Adds the two games of an opening.
    pub(crate) fn add(&mut self, [as_general, as_rebels]: [Tally; 2]) {
        self.as_general += as_general;
        self.as_rebels += as_rebels;
        self.pairs.add(as_general, as_rebels);
    }

    /// Returns the results of all games.
    pub(crate) fn games(&self) -> Tally {
        let mut games = self.as_general;
        games += self.as_rebels;
        games
    }

    /// Returns the difference of strength; `None` without games.
    pub(crate) fn strength(&self) -> Option<Strength> {
        Strength::new(&self.games(), &self.pairs)
    }
}

/// Plays an opening with the first player as General, then as Rebels. `choose` gets the players and the index of the
/// one to move.
///
/// # Errors
/// When `choose` fails, or the user has asked to stop.
pub(crate) fn play_pair<P>(
    opening: &Game,
    plies: usize,
    stop: &Stop,
    new_players: impl Fn() -> [P; 2],
    choose: impl Fn(&mut [P; 2], usize, &Game) -> MovePath,
) -> Result<[Tally; 2], CliError> {
    let game = |side: Side| -> Result<Tally, CliError> {
        let mut players = new_players();
        let winner = play_out(&mut opening.clone(), plies, stop, |game| {
            Ok(choose(&mut players, usize::from(game.side() != side), game))
        })?;
        Ok(Tally::of_game(side, winner))
    };
    Ok([game(Side::General)?, game(Side::Rebels)?])
}
