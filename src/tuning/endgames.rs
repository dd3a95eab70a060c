//! Conversion and defence: does the engine without tables win what is won, and hold out in what is lost?
//!
//! Positions are won for one side and come from games in which both sides err, spread evenly over the distance to the win. The
//! engine plays one side without tables; the other side has the table: as loser it holds out as long as it can, as winner it
//! takes the shortest way. A won position counts as converted when the game is won within three times the distance.

use std::collections::{BTreeMap, HashSet};
use std::fmt;
use std::ops::RangeInclusive;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use rayon::prelude::*;

use crate::eval::Weights;
use crate::random::Random;
use crate::rules::{Game, Side};
use crate::search::{Limits, PreparedVariant, Searcher};
use crate::tablebase::{Table, TableError, Value};

use super::request::FitError;
use super::self_play::{best_by_table, check_begins, play, searched};

/// A won position is converted when the game takes at most so many times its distance.
const PATIENCE: usize = 3;

/// Games that are looked through for positions, and their length.
const GAMES: u64 = 3_000;
const PLIES: usize = 200;

/// Up to so many random plies begin a game; later one move in so many is an error.
const RANDOM_PLIES: u64 = 40;
const ERRORS: [u64; 4] = [2, 3, 6, 12];

/// What the engine does from positions that are won for a side.
#[derive(Debug, Clone)]
pub struct EndgameRequest {
    /// The table, and with it the variant.
    pub table: Arc<Table>,
    /// The side that the engine plays; it is to move.
    pub engine: Side,
    /// Does it win, or defend?
    pub wins: bool,
    /// Plies to the end by the table.
    pub distances: RangeInclusive<u32>,
    /// At most so many positions.
    pub positions: usize,
    /// What ends a search for a move.
    pub limits: Limits,
    /// Threads of a search.
    pub threads: usize,
    /// Size of the transposition table, in MiB.
    pub mebibytes: usize,
    /// Games at a time.
    pub games_at_a_time: usize,
    /// Weights of the evaluation; none for those of the variant.
    pub weights: Option<Weights>,
    /// The number from which all choices are drawn.
    pub seed: u64,
}

/// How one game went.
#[derive(Debug, Clone)]
pub struct Endgame {
    /// The position that it began with.
    pub start: Game,
    /// Plies to the end by the table.
    pub distance: u32,
    /// Plies that were played.
    pub plies: usize,
    /// The winner; none for a draw, or when the game was given up.
    pub winner: Option<Side>,
}

/// All games of a request.
#[derive(Debug, Clone)]
pub struct Endgames {
    engine: Side,
    wins: bool,
    /// The games, in the order of their positions.
    pub games: Vec<Endgame>,
}

impl EndgameRequest {
    /// Finds the positions and plays all games.
    ///
    /// # Errors
    /// When the game is over where it begins, the table is damaged, or `stop` was set.
    pub fn play(&self, stop: &AtomicBool) -> Result<Endgames, FitError> {
        check_begins(self.table.variant())?;
        let positions = self.positions(stop)?;
        let weights = self.weights.clone();
        let prepared = Arc::new(PreparedVariant::with_weights(self.table.variant(), weights));
        let threads = rayon::ThreadPoolBuilder::new().num_threads(self.games_at_a_time).build();
        let played: Result<Vec<Endgame>, FitError> = threads.expect("threads can be started").install(|| {
            let numbered = positions.into_par_iter().enumerate().with_max_len(1);
            numbered
                .map(|(number, (distance, start))| self.play_one(number, distance, start, &prepared, stop))
                .collect()
        });
        Ok(Endgames { engine: self.engine, wins: self.wins, games: played? })
    }

    /// The distance to the end when the position is one of those that are wanted.
    fn wanted(&self, game: &Game) -> Result<Option<u32>, TableError> {
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

    /// Different positions, as many of each distance as there are.
    fn positions(&self, stop: &AtomicBool) -> Result<Vec<(u32, Game)>, FitError> {
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

    /// Positions of one game between players who err.
    fn positions_of_game(&self, number: u64, stop: &AtomicBool) -> Result<Vec<(u32, Game)>, FitError> {
        let mut random = Random::numbered(self.seed, number);
        let mut found = Vec::new();
        let random_plies = random.below(RANDOM_PLIES + 1) as usize;
        let errors = [(); 2].map(|()| *random.pick(&ERRORS).expect("there are some"));
        let mut failed = None;
        play(&mut self.table.variant().start(), PLIES, stop, |game| {
            match self.wanted(game) {
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
        stop: &AtomicBool,
    ) -> Result<Endgame, FitError> {
        let mut random = Random::numbered(!self.seed, number as u64);
        let mut searcher = Searcher::prepared_for(Arc::clone(prepared), self.mebibytes);
        searcher.set_threads(self.threads);
        let mut game = start.clone();
        let winner = play(&mut game, PATIENCE * distance as usize, stop, |game| {
            if game.side() == self.engine {
                return searched(&mut searcher, game, &self.limits);
            }
            best_by_table(&self.table, game, &mut random).expect("the table covers the game, and it goes on")
        })?;
        Ok(Endgame { start, distance, plies: game.moves().len(), winner })
    }
}

impl Endgames {
    /// Games won by the engine.
    fn won(&self) -> usize {
        self.games.iter().filter(|game| game.winner == Some(self.engine)).count()
    }

    /// Games lost by the engine.
    fn lost(&self) -> usize {
        self.games.iter().filter(|game| game.winner == Some(!self.engine)).count()
    }

    /// The median of plies played over plies of the table; a game that the winner did not win counts as endless. None without
    /// games.
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

/// A line: how many were won or held, and the median of the length.
impl fmt::Display for Endgames {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let count = self.games.len();
        let Some(median) = self.median_ratio() else {
            return write!(f, "{}: no positions", self.engine);
        };
        let percent = |part: usize| 100.0 * part as f64 / count as f64;
        let (won, lost) = (self.won(), self.lost());
        if self.wins {
            write!(f, "{}: {won} of {count} won ({:.1} %), {lost} lost", self.engine, percent(won))?;
        } else {
            write!(f, "{}: {} of {count} not lost ({:.1} %)", self.engine, count - lost, percent(count - lost))?;
        }
        write!(f, ", median length {median:.2} of the table's")
    }
}
