//! The engine without tables against opponents: perfect play from won positions, and movers from the opening.
//!
//! Conversion and defence: does the engine win won positions, and hold out in lost ones? Positions come from games in which both sides
//! err, and are spread evenly over the distance to the end. The opponent plays by the table: as loser the longest defence, as winner
//! the shortest win. A won position counts as converted when the game is won within three times the distance.
//!
//! Movers are players without search: one moves at random, the other looks at captures only. Any decent engine beats both. Games
//! begin with the opening and two random plies, and end as draws at a limit of plies.
use privy_protocol::Stop;

use std::collections::{BTreeMap, HashSet};
use std::fmt;
use std::ops::RangeInclusive;
use std::sync::Arc;

use rayon::prelude::*;

use crate::eval::Weights;
use crate::message::counted;
use crate::random::Random;
use crate::rules::{Game, MovePath, Side, Variant};
use crate::search::{Limits, PreparedVariant, SearchRequest, Searcher};
use crate::tablebase::{Table, TableError, Value};
use crate::tournament::statistics::Tally;

use super::self_play::{FitError, best_by_search, best_by_table, check_begins, play};

/// A game is given up after this multiple of the distance to the end.
const PATIENCE: usize = 3;
/// Games from which positions are taken, and their most plies.
const GAMES: u64 = 3_000;
const PLIES: usize = 200;
/// Most random plies at the beginning of such a game; later one move in N is an error.
const RANDOM_PLIES: u64 = 40;
const ERRORS: [u64; 4] = [2, 3, 6, 12];
/// Random plies at the beginning of a game against a mover.
const MOVER_RANDOM_PLIES: usize = 2;

/// Games of the engine from positions won for a side.
pub(crate) struct EndgameRequest {
    pub(crate) table: Arc<Table>,
    /// The side of the engine, which is to move.
    pub(crate) engine: Side,
    /// The engine wins; else it defends.
    pub(crate) wins: bool,
    /// Plies to the end by the table.
    pub(crate) distances: RangeInclusive<u32>,
    /// Most positions.
    pub(crate) positions: usize,
    /// Limits of a move.
    pub(crate) limits: Limits,
    /// Threads of a search.
    pub(crate) threads: usize,
    /// Size of the transposition table, in MiB.
    pub(crate) mebibytes: usize,
    pub(crate) games_at_a_time: usize,
    /// Weights of the evaluation; those of the variant if none.
    pub(crate) weights: Option<Weights>,
    pub(crate) seed: u64,
}

pub(crate) struct Endgame {
    pub(crate) start: Game,
    /// Plies to the end by the table.
    distance: u32,
    /// Plies played.
    pub(crate) plies: usize,
    /// None for a draw, or when the game was given up.
    pub(crate) winner: Option<Side>,
}

pub(crate) struct Endgames {
    engine: Side,
    wins: bool,
    /// In the order of their positions.
    pub(crate) games: Vec<Endgame>,
}

impl EndgameRequest {
    pub(crate) fn play(&self, stop: &Stop) -> Result<Endgames, FitError> {
        check_begins(self.table.variant())?;
        let positions = self.positions(stop)?;
        let prepared = Arc::new(PreparedVariant::with_weights(self.table.variant(), self.weights.clone()));
        let threads = rayon::ThreadPoolBuilder::new().num_threads(self.games_at_a_time).build();
        let played: Result<Vec<Endgame>, FitError> = threads.expect("threads can be started").install(|| {
            let numbered = positions.into_par_iter().enumerate().with_max_len(1);
            numbered
                .map(|(number, (distance, start))| self.play_one(number, distance, start, &prepared, stop))
                .collect()
        });
        Ok(Endgames { engine: self.engine, wins: self.wins, games: played? })
    }

    /// The distance to the end, if the position fits the request.
    fn fitting_distance(&self, game: &Game) -> Result<Option<u32>, TableError> {
        if game.side() != self.engine {
            return Ok(None);
        }
        let plies = match self.table.probe(game) {
            Ok(Value::Win(plies)) if self.wins => plies,
            Ok(Value::Loss(plies)) if !self.wins => plies,
            Ok(_) | Err(TableError::NotCovered(_)) => return Ok(None),
            Err(error) => return Err(error),
        };
        Ok(self.distances.contains(&plies).then_some(plies))
    }

    /// Distinct positions, spread evenly over the distances as far as there are enough.
    fn positions(&self, stop: &Stop) -> Result<Vec<(u32, Game)>, FitError> {
        let found: Result<Vec<_>, FitError> =
            (0..GAMES).into_par_iter().map(|number| self.positions_of_game(number, stop)).collect();
        let (mut seen, mut by_distance) = (HashSet::new(), BTreeMap::<u32, Vec<Game>>::new());
        for (distance, game) in found?.into_iter().flatten() {
            if seen.insert(game.position().hash()) {
                by_distance.entry(distance).or_default().push(game);
            }
        }
        let mut chosen = Vec::new();
        while chosen.len() < self.positions && by_distance.values().any(|games| !games.is_empty()) {
            for (distance, games) in &mut by_distance {
                chosen.extend(games.pop().map(|game| (*distance, game)));
            }
        }
        chosen.truncate(self.positions);
        Ok(chosen)
    }

    /// Positions of one game between players that err.
    fn positions_of_game(&self, number: u64, stop: &Stop) -> Result<Vec<(u32, Game)>, FitError> {
        let mut random = Random::numbered(self.seed, number);
        let mut found = Vec::new();
        let random_plies = random.below(RANDOM_PLIES + 1) as usize;
        let errors = [(); 2].map(|()| *random.pick(&ERRORS).expect("there are some"));
        let mut failed = None;
        play(&mut self.table.variant().start(), PLIES, stop, |game| {
            match self.fitting_distance(game) {
                Ok(distance) => found.extend(distance.map(|distance| (distance, game.without_history()))),
                Err(error) => failed = Some(error),
            }
            let rate = errors[usize::from(game.side() == Side::Rebels)];
            let errs = game.moves().len() < random_plies || random.below(rate) == 0;
            let best = if errs { None } else { best_by_table(&self.table, game, &mut random) };
            best.unwrap_or_else(|| random.pick(&game.legal_moves()).cloned().expect("a game that goes on has a move"))
        })?;
        failed.map_or(Ok(found), |error| Err(error.into()))
    }

    fn play_one(
        &self,
        number: usize,
        distance: u32,
        start: Game,
        prepared: &Arc<PreparedVariant>,
        stop: &Stop,
    ) -> Result<Endgame, FitError> {
        let mut random = Random::numbered(!self.seed, number as u64);
        let mut searcher = Searcher::prepared_for(Arc::clone(prepared), self.mebibytes);
        let request = SearchRequest { threads: self.threads, ..self.limits.into() };
        let mut game = start.clone();
        let winner = play(&mut game, PATIENCE * distance as usize, stop, |game| {
            if game.side() == self.engine {
                return best_by_search(&mut searcher, game, &request);
            }
            best_by_table(&self.table, game, &mut random).expect("the table covers the game, and it goes on")
        })?;
        Ok(Endgame { start, distance, plies: game.moves().len(), winner })
    }
}

impl Endgames {
    /// The median of plies played over plies by the table; a game that the winner did not win counts as infinite. None without games.
    fn median_ratio(&self) -> Option<f64> {
        let winner = if self.wins { self.engine } else { !self.engine };
        let ratio = |game: &Endgame| match game.winner {
            Some(side) if side == winner => game.plies as f64 / f64::from(game.distance),
            _ => f64::INFINITY,
        };
        let mut ratios: Vec<f64> = self.games.iter().map(ratio).collect();
        ratios.sort_by(f64::total_cmp);
        ratios.get(ratios.len() / 2).copied()
    }
}

/// A line: the games won or held, and the median length.
impl fmt::Display for Endgames {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let count = self.games.len();
        let Some(median) = self.median_ratio() else {
            return write!(f, "{}: no positions", self.engine);
        };
        let percent = |part: usize| 100.0 * part as f64 / count as f64;
        let won_by = |side| self.games.iter().filter(|game| game.winner == Some(side)).count();
        let (won, lost) = (won_by(self.engine), won_by(!self.engine));
        if self.wins {
            write!(f, "{}: {won} of {count} won ({:.1} %), {lost} lost", self.engine, percent(won))?;
        } else {
            write!(f, "{}: {} of {count} not lost ({:.1} %)", self.engine, count - lost, percent(count - lost))?;
        }
        write!(f, ", median length {median:.2} of the table's")
    }
}

/// A player without search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mover {
    /// Any legal move.
    Random,
    /// A win at once, else for the General the largest capture, for the Rebels the move that leaves the General the smallest one.
    Greedy,
}

impl Mover {
    /// A move in a game that is not over, drawn among equal ones.
    #[must_use]
    pub fn choose(self, game: &Game, random: &mut Random) -> MovePath {
        let mut moves = game.legal_moves();
        if self == Mover::Greedy {
            let most = moves.iter().map(|move_| self.greed(game, move_)).max();
            moves.retain(|move_| Some(self.greed(game, move_)) == most);
        }
        random.pick(&moves).cloned().expect("a game that goes on has a move")
    }

    /// A win at once first, then the Rebels taken, or minus those given.
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
pub(crate) struct MoverRequest {
    pub(crate) variant: Arc<Variant>,
    /// The side of the engine.
    pub(crate) engine: Side,
    pub(crate) mover: Mover,
    pub(crate) games: usize,
    /// Nodes of a move of the engine.
    pub(crate) nodes: u64,
    /// Plies after which a game is a draw.
    pub(crate) plies: usize,
    /// Weights of the evaluation; those of the variant if none.
    pub(crate) weights: Option<Weights>,
    pub(crate) seed: u64,
}

/// Results of the engine.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct MoverResult {
    games: Tally,
    /// Of the games won, if any.
    median_plies: Option<usize>,
}

impl MoverResult {
    /// Of games with their winners and plies.
    fn of(engine: Side, played: &[(Option<Side>, usize)]) -> MoverResult {
        let mut games = Tally::default();
        played.iter().for_each(|(winner, _)| games += Tally::of_game(engine, *winner));
        let won = played.iter().filter(|(winner, _)| *winner == Some(engine));
        let mut lengths: Vec<usize> = won.map(|(_, plies)| *plies).collect();
        lengths.sort_unstable();
        MoverResult { games, median_plies: lengths.get(lengths.len() / 2).copied() }
    }
}

impl MoverRequest {
    pub(crate) fn play(&self, stop: &Stop) -> Result<MoverResult, FitError> {
        check_begins(&self.variant)?;
        let prepared = Arc::new(PreparedVariant::with_weights(&self.variant, self.weights.clone()));
        let played: Result<Vec<_>, FitError> =
            (0..self.games as u64).into_par_iter().map(|number| self.play_one(number, &prepared, stop)).collect();
        Ok(MoverResult::of(self.engine, &played?))
    }

    fn play_one(
        &self,
        number: u64,
        prepared: &Arc<PreparedVariant>,
        stop: &Stop,
    ) -> Result<(Option<Side>, usize), FitError> {
        let mut random = Random::numbered(self.seed, number);
        let mut searcher = Searcher::prepared_for(Arc::clone(prepared), 4);
        let limits = Limits { nodes: Some(self.nodes), ..Limits::default() };
        let mut game = self.variant.start();
        let winner = play(&mut game, self.plies, stop, |game| {
            if game.moves().len() < MOVER_RANDOM_PLIES {
                return Mover::Random.choose(game, &mut random);
            }
            if game.side() != self.engine {
                return self.mover.choose(game, &mut random);
            }
            best_by_search(&mut searcher, game, limits)
        })?;
        Ok((winner, game.moves().len()))
    }
}

/// `40 won, 0 drawn, 0 lost, median 31 plies`; without the median where none is won.
impl fmt::Display for MoverResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let MoverResult { games: Tally { wins, draws, losses }, median_plies } = self;
        write!(f, "{wins} won, {draws} drawn, {losses} lost")?;
        median_plies.map_or(Ok(()), |plies| write!(f, ", median {}", counted(plies, "ply")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_greedy_mover_takes_most_and_wins_at_once() {
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

    /// Deferred captures can be parried: without the hunt these games take some 300 plies.
    #[test]
    fn the_general_hunts_rebels_that_move_at_random() {
        let request = request("subjugatio-free", Side::General, Mover::Random, 8);
        assert_eq!(request.play(&Stop::default()).unwrap().games.wins, 8);
    }

    /// The evaluation does not put the Rebels ahead here: without contempt most of these games were drawn by repetition.
    #[test]
    fn rebels_of_games_without_fitted_weights_make_progress() {
        for (id, mover) in [("adugo", Mover::Greedy), ("yaguarete-kora", Mover::Random)] {
            let result = request(id, Side::Rebels, mover, 8).play(&Stop::default()).unwrap();
            assert!(result.games.wins >= 7, "{id}: {result}");
        }
    }

    /// The evaluation puts the General behind here: without contempt half of these games were drawn by repetition.
    #[test]
    fn the_general_avoids_repetition_against_rebels_that_go_in_circles() {
        for id in ["adugo", "catch-the-hare-12"] {
            let result = request(id, Side::General, Mover::Greedy, 8).play(&Stop::default()).unwrap();
            assert!(result.games.wins >= 7, "{id}: {result}");
        }
    }

    /// Geese that never step back hold out in an arm of the board: without traps three of these games were not won.
    #[test]
    fn the_general_sets_traps_for_rebels_that_go_in_circles() {
        let request = MoverRequest { plies: 500, ..request("fox-and-geese-17", Side::General, Mover::Greedy, 12) };
        let result = request.play(&Stop::default()).unwrap();
        assert!(result.games.wins >= 11, "{result}");
    }

    #[test]
    fn the_median_is_that_of_games_won() {
        let text = |played: &[(Option<Side>, usize)]| MoverResult::of(Side::General, played).to_string();
        let (general, rebels) = (Some(Side::General), Some(Side::Rebels));
        let played = [(None, 200), (general, 31), (rebels, 90), (general, 9), (general, 50), (None, 300)];
        assert_eq!(text(&played), "3 won, 2 drawn, 1 lost, median 31 plies");
        assert_eq!(text(&[(None, 200), (rebels, 40)]), "0 won, 1 drawn, 1 lost");
    }

    #[test]
    fn the_engine_beats_both_movers_with_repeatable_results() {
        for mover in [Mover::Random, Mover::Greedy] {
            let request = request("monk-and-water", Side::Rebels, mover, 4);
            let result = request.play(&Stop::default()).unwrap();
            assert_eq!(result.games, Tally { wins: 4, draws: 0, losses: 0 }, "{mover}");
            assert_eq!(request.play(&Stop::default()).unwrap(), result, "{mover}");
        }
    }
}
