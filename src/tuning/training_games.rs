//! Games of the engine against itself, and the positions in them.

use std::collections::BTreeMap;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, PoisonError};

use privy_protocol::Score;
use rayon::prelude::*;

use crate::random::Random;
use crate::rules::family::Every;
use crate::rules::{Game, MovePath, Outcome, Position, Side, Variant};
use crate::search::{Limits, PreparedVariant, SearchResult, Searcher, Stop};
use crate::tablebase::TableError;

use super::labels::{self, Course};
use super::request::{FitError, FitProgress, FitRequest};
use super::self_play::{best_by_table, go_on};

/// A position and what came of it, or must come of it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Sample {
    pub(super) state: Position,
    /// For the General: near 1 won soon, near 0 lost soon, a half drawn.
    pub(super) result: f64,
    /// Plies from the beginning of its game.
    pub(super) ply: u32,
    /// The number of its game.
    pub(super) game: u32,
}

/// Plies after which a game is taken for a draw.
const PLIES: usize = 400;

/// Up to so many random plies begin a game.
const RANDOM_PLIES: u64 = 40;

/// Errors of the better side and of the worse one: one move in so many. These games are lopsided: only if the side that is
/// better off errs more do both sides win often enough. Who never errs often draws, which would tell nothing.
const ERRORS: [[u64; 4]; 2] = [[4, 8, 16, 32], [1, 2, 4, 8]];

/// Positions of one game without a table: they say much the same.
const MOST_PER_GAME: u64 = 40;

/// From a position on the way a random line of up to so many plies leads to another, where a table knows its value: the
/// search looks at positions that no player would reach.
const ASIDE_PLIES: u64 = 4;

/// So many such lines begin at each position.
const LINES_ASIDE: usize = 2;

/// MiB of a searcher's table: a move takes few nodes.
const MEBIBYTES: usize = 1;

/// Plays all games; the samples are in the order of the games.
pub(super) fn play_all(
    request: &FitRequest,
    prepared: &Arc<PreparedVariant>,
    progress: &(dyn Fn(FitProgress) + Sync),
    stop: &AtomicBool,
) -> Result<Vec<Sample>, FitError> {
    let played = Mutex::new(BTreeMap::new());
    let keep = |game: u32, samples: Vec<Sample>| {
        let mut played = played.lock().unwrap_or_else(PoisonError::into_inner);
        played.insert(game, samples);
        progress(FitProgress::Game { done: played.len() as u32 });
        Ok(())
    };
    let numbers: Vec<u32> = (0..request.games).collect();
    play_each(request, prepared, &numbers, &keep, stop)?;
    Ok(played.into_inner().unwrap_or_else(PoisonError::into_inner).into_values().flatten().collect())
}

/// Plays games and hands over each as it ends, whatever their order.
pub(super) fn play_each(
    request: &FitRequest,
    prepared: &Arc<PreparedVariant>,
    numbers: &[u32],
    keep: &(dyn Fn(u32, Vec<Sample>) -> Result<(), FitError> + Sync),
    stop: &AtomicBool,
) -> Result<(), FitError> {
    let play = |number: &u32| -> Result<(), FitError> {
        go_on(stop)?;
        keep(*number, Play::new(request, prepared, *number).play()?)
    };
    let threads = rayon::ThreadPoolBuilder::new().num_threads(request.threads).build().expect("threads can be started");
    threads.install(|| numbers.par_iter().try_for_each(play))
}

/// Who plays by the table, where there is one, in a game of this number: in half of the games one side does, but for its errors. So
/// the positions occur into which the longest defence leads, and the engine is wrong about those most often.
fn plays_by_table(number: u32) -> Option<Side> {
    match number % 8 {
        2 | 3 => Some(Side::General),
        6 | 7 => Some(Side::Rebels),
        _ => None,
    }
}

/// One game.
struct Play<'a> {
    request: &'a FitRequest,
    number: u32,
    random: Random,
    searcher: Searcher,
    samples: Vec<Sample>,
}

impl<'a> Play<'a> {
    fn new(request: &'a FitRequest, prepared: &Arc<PreparedVariant>, number: u32) -> Play<'a> {
        let random = Random::numbered(request.seed, u64::from(number));
        let searcher = Searcher::prepared_for(Arc::clone(prepared), MEBIBYTES);
        Play { request, number, random, searcher, samples: Vec::new() }
    }

    fn play(mut self) -> Result<Vec<Sample>, TableError> {
        let is_exact = self.request.table.is_some();
        let random_plies = self.random.below(RANDOM_PLIES + 1) as usize;
        let rates = ERRORS.map(|rates| self.random.pick(&rates).copied().unwrap_or(1));
        let better = if self.number.is_multiple_of(2) { Side::General } else { Side::Rebels };
        let mut game = self.request.variant.start();
        let mut course = Course::default();
        let mut proved = None;
        while game.outcome().is_none() && game.moves().len() < PLIES && proved.is_none() {
            self.note(&game)?;
            if is_exact {
                for _ in 0..LINES_ASIDE {
                    self.look_aside(game.without_history())?;
                }
            }
            let side = game.position().side();
            let [of_better, of_worse] = rates;
            let begins = game.moves().len() < random_plies;
            let rate = if side == better { of_better } else { of_worse };
            let by_table = if begins { None } else { self.best_by_table(&game) };
            let errs = begins || self.random.below(rate) == 0;
            // Where a table tells the labels, only the moves of searches are wanted.
            let found = if is_exact && (errs || by_table.is_some()) { None } else { self.search(&game) };
            if is_exact {
                self.note_end(&game, found.as_ref())?;
            } else {
                course.push(side, found.as_ref(), errs);
                // What is proved is the result, whatever errors would make of it.
                proved = found.as_ref().and_then(|found| proved_end(found, side));
            }
            let best = by_table.or(found.map(|found| found.best));
            let move_ = if errs { self.random.pick(&game.legal_moves()).cloned() } else { best };
            let Some(move_) = move_ else { break };
            game.play(move_);
            if !is_exact && game.occurrences() > 1 {
                self.turn_aside(&mut game);
                course.last_is_an_error();
            }
        }
        if !is_exact {
            let (winner, plies) =
                proved.map_or((game.outcome().and_then(Outcome::winner), 0), |(side, plies)| (Some(side), plies));
            self.label(&course.labels(winner, plies));
        }
        Ok(self.samples)
    }

    /// The move of a side that plays by the table; none for the other.
    fn best_by_table(&mut self, game: &Game) -> Option<MovePath> {
        let table = self.request.table.as_ref().filter(|_| plays_by_table(self.number) == Some(game.side()))?;
        best_by_table(table, game, &mut self.random)
    }

    /// Replaces the last move, which led back to a position of before, by a random one that doesn't, if there is one: a game
    /// drawn by repetition would tell nothing of who stood better.
    fn turn_aside(&mut self, game: &mut Game) {
        let Some(last) = game.moves().next_back().cloned() else { return };
        if game.undo(1).is_err() {
            return;
        }
        let is_new = |move_: &MovePath| {
            let after = game.after(move_);
            game.positions().all(|before| before != after.position())
        };
        let new: Vec<MovePath> = game.legal_moves().into_iter().filter(is_new).collect();
        game.play(self.random.pick(&new).cloned().unwrap_or(last));
    }

    fn search(&mut self, game: &Game) -> Option<SearchResult> {
        let limits = Limits { nodes: Some(self.request.nodes), multi_pv: 1, ..Limits::default() };
        self.searcher.search(game, &limits, &Stop::default(), &mut |_| {})
    }

    /// Notes the end of the best line of a search: its evaluation has decided, and where it is wrong a search finds it.
    fn note_end(&mut self, game: &Game, found: Option<&SearchResult>) -> Result<(), TableError> {
        let Some(best) = found.and_then(|found| found.lines.first()) else { return Ok(()) };
        let mut end = game.without_history();
        for move_ in &best.line {
            end = end.after(move_);
            if end.outcome().is_some() {
                return Ok(());
            }
        }
        self.note(&end)
    }

    /// Notes the end of a random line that begins at a position.
    fn look_aside(&mut self, mut game: Game) -> Result<(), TableError> {
        for _ in 0..=self.random.below(ASIDE_PLIES) {
            let Some(move_) = self.random.pick(&game.legal_moves()).cloned() else { return Ok(()) };
            game = game.after(&move_);
            if game.outcome().is_some() {
                return Ok(());
            }
        }
        self.note(&game)
    }

    /// Takes a position in if it is one that the search would evaluate.
    fn note(&mut self, game: &Game) -> Result<(), TableError> {
        let state = game.position();
        if !is_quiet(&self.request.variant, state) {
            return Ok(());
        }
        let result = match &self.request.table {
            None => 0.5,
            Some(table) => match table.probe_state(state) {
                Ok(value) => labels::exact(state.side(), value),
                Err(TableError::NotCovered(_)) => return Ok(()),
                Err(error) => return Err(error),
            },
        };
        let ply = game.moves().len() as u32;
        self.samples.push(Sample { state: *state, result, ply, game: self.number });
        Ok(())
    }

    /// Labels all positions, and drops some of those of a long game.
    fn label(&mut self, labels: &[f64]) {
        let count = self.samples.len() as u64;
        let random = &mut self.random;
        self.samples.retain(|_| random.below(count) < MOST_PER_GAME);
        self.samples.iter_mut().for_each(|sample| sample.result = labels[sample.ply as usize]);
    }
}

/// Who wins and in how many plies from the position that was searched, if the search has proved it. A move has been made since.
fn proved_end(found: &SearchResult, side: Side) -> Option<(Side, u32)> {
    match found.lines.first()?.score {
        Score::Win(plies) => Some((side, plies.saturating_sub(1))),
        Score::Loss(plies) => Some((!side, plies.saturating_sub(1))),
        _ => None,
    }
}

/// Would the search evaluate the position as it stands? It looks at the General's captures first.
fn is_quiet(variant: &Variant, state: &Position) -> bool {
    let mut quiet = true;
    if state.side() == Side::General {
        variant.rules().general_actions::<Every>(state, |action, _| quiet &= action.captured.is_empty());
    }
    quiet
}
