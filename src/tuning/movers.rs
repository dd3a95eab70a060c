//! The engine against those who do not think: a player of random moves, and one who looks at captures and at nothing else.
//!
//! Whoever plays well at all beats both. Games begin with the opening and two random plies, and end as draws at a limit; the
//! engine searches without tables.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use rayon::prelude::*;

use crate::eval::Weights;
use crate::random::Random;
use crate::rules::{Game, MovePath, Side, Variant};
use crate::search::{Limits, PreparedVariant, Searcher};

use super::request::FitError;
use super::self_play::{check_begins, play, searched};

/// Plies at random before the players begin.
const RANDOM_PLIES: usize = 2;

/// Who plays against the engine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mover {
    /// Any legal move.
    Random,
    /// The General takes the most that it can; the Rebels win at once if they can, and else leave it the least to take.
    Greedy,
}

impl Mover {
    /// Both.
    pub const ALL: [Mover; 2] = [Mover::Random, Mover::Greedy];

    /// Its move in a game that is not over; the numbers choose among equal ones.
    #[must_use]
    pub fn choose(self, game: &Game, random: &mut Random) -> MovePath {
        let mut moves = game.legal_moves();
        if self == Mover::Greedy {
            let most = moves.iter().map(|move_| self.greed(game, move_)).max();
            moves.retain(|move_| Some(self.greed(game, move_)) == most);
        }
        random.pick(&moves).cloned().expect("a game that goes on has a move")
    }

    /// What a greedy player likes: a win at once, then Rebels taken, or not given.
    fn greed(self, game: &Game, move_: &MovePath) -> (bool, i64) {
        let taken = |move_: &MovePath| i64::from(move_.action().captured.len());
        let next = game.after(move_);
        let wins = next.outcome().and_then(|outcome| outcome.winner()) == Some(game.side());
        match game.side() {
            Side::General => (wins, taken(move_)),
            Side::Rebels => (wins, -next.legal_moves().iter().map(taken).max().unwrap_or(0)),
        }
    }
}

impl fmt::Display for Mover {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Mover::Random => "random",
            Mover::Greedy => "greedy",
        })
    }
}

/// Games of the engine against a mover.
#[derive(Debug, Clone)]
pub struct MoverRequest {
    /// The game.
    pub variant: Arc<Variant>,
    /// The side that the engine plays.
    pub engine: Side,
    /// Who plays the other.
    pub mover: Mover,
    /// How many games.
    pub games: usize,
    /// Nodes of the engine's moves.
    pub nodes: u64,
    /// Plies after which a game is a draw.
    pub plies: usize,
    /// Weights of the evaluation; none for those of the variant.
    pub weights: Option<Weights>,
    /// The number from which all choices are drawn.
    pub seed: u64,
}

/// How the games went for the engine.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct MoverResult {
    /// Games won.
    pub won: usize,
    /// Games drawn, by repetition or the limit of plies.
    pub drawn: usize,
    /// Games lost.
    pub lost: usize,
    /// The median of the plies of a game that was won; 0 when none was.
    pub median_plies: usize,
}

impl MoverRequest {
    /// Plays all games.
    ///
    /// # Errors
    /// When the game is over where it begins, or `stop` was set.
    pub fn play(&self, stop: &AtomicBool) -> Result<MoverResult, FitError> {
        check_begins(&self.variant)?;
        let prepared = Arc::new(PreparedVariant::with_weights(&self.variant, self.weights.clone()));
        let played: Result<Vec<_>, FitError> =
            (0..self.games as u64).into_par_iter().map(|number| self.play_one(number, &prepared, stop)).collect();
        let mut result = MoverResult::default();
        let mut lengths = Vec::new();
        for (winner, plies) in played? {
            match winner {
                Some(side) if side == self.engine => {
                    result.won += 1;
                    lengths.push(plies);
                }
                Some(_) => result.lost += 1,
                None => result.drawn += 1,
            }
        }
        lengths.sort_unstable();
        result.median_plies = lengths.get(lengths.len() / 2).copied().unwrap_or(0);
        Ok(result)
    }

    fn play_one(
        &self,
        number: u64,
        prepared: &Arc<PreparedVariant>,
        stop: &AtomicBool,
    ) -> Result<(Option<Side>, usize), FitError> {
        let mut random = Random::numbered(self.seed, number);
        let mut searcher = Searcher::prepared_for(Arc::clone(prepared), 4);
        let limits = Limits { nodes: Some(self.nodes), ..Limits::default() };
        let mut game = self.variant.start();
        let winner = play(&mut game, self.plies, stop, |game| {
            if game.moves().len() < RANDOM_PLIES {
                return Mover::Random.choose(game, &mut random);
            }
            if game.side() != self.engine {
                return self.mover.choose(game, &mut random);
            }
            searched(&mut searcher, game, &limits)
        })?;
        Ok((winner, game.moves().len()))
    }
}

/// `40 won, 0 drawn, 0 lost, median 31 plies`.
impl fmt::Display for MoverResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let MoverResult { won, drawn, lost, median_plies } = self;
        write!(f, "{won} won, {drawn} drawn, {lost} lost, median {median_plies} plies")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_greedy_take_and_do_not_give() {
        let mut random = Random::numbered(1, 1);
        let game = Game::from_text("1/3/rrrrr/r3r/r1G1r/r3r/rrrrr g - 0 0 sixteen-rebels", None).unwrap();
        let taken = |move_: &MovePath| move_.action().captured.len();
        let most = game.legal_moves().iter().map(taken).max().unwrap();
        assert!(most > 0 && taken(&Mover::Greedy.choose(&game, &mut random)) == most);
        // One step closes the ring.
        let last = Game::from_text("1/1G1/1rr2/3r1/5/5/rr3 r - 0 0 sixteen-rebels", None).unwrap();
        assert_eq!(last.move_text(&Mover::Greedy.choose(&last, &mut random)), "d4-d5");
    }

    /// With 3,000 nodes a move, drawn after 200 plies.
    fn request(id: &str, engine: Side, mover: Mover, games: usize) -> MoverRequest {
        let variant = Variant::builtin(id).unwrap();
        MoverRequest { variant, engine, mover, games, nodes: 3_000, plies: 200, weights: None, seed: 1 }
    }

    /// Deferred captures can be parried: without the hunt it takes some 300 plies.
    #[test]
    fn a_general_hunts_rebels_who_move_at_random() {
        let request = request("subjugatio-free", Side::General, Mover::Random, 8);
        assert_eq!(request.play(&AtomicBool::new(false)).unwrap().won, 8);
    }

    /// The Rebels do not take themselves for ahead here: without contempt most of these games were drawn by repetition.
    #[test]
    fn rebels_of_games_that_were_never_fitted_make_progress() {
        for (id, mover) in [("adugo", Mover::Greedy), ("yaguarete-kora", Mover::Random)] {
            let result = request(id, Side::Rebels, mover, 8).play(&AtomicBool::new(false)).unwrap();
            assert!(result.won >= 7, "{id}: {result}");
        }
    }

    /// He takes himself for behind: without contempt half of these games were drawn by repetition.
    #[test]
    fn a_general_does_not_repeat_himself_against_rebels_who_go_in_circles() {
        for id in ["adugo", "catch-the-hare-12"] {
            let result = request(id, Side::General, Mover::Greedy, 8).play(&AtomicBool::new(false)).unwrap();
            assert!(result.won >= 7, "{id}: {result}");
        }
    }

    #[test]
    fn the_engine_beats_both_the_same_way_each_time() {
        for mover in Mover::ALL {
            let request = request("monk-and-water", Side::Rebels, mover, 4);
            let result = request.play(&AtomicBool::new(false)).unwrap();
            assert_eq!((result.won, result.drawn, result.lost), (4, 0, 0), "{mover}");
            assert_eq!(request.play(&AtomicBool::new(false)).unwrap(), result, "{mover}");
        }
    }
}
