//! Games of the engine against itself, and their positions with labels.
//!
//! A label is the probability that the General wins, and falls with the plies to the end. With a table it is the value
//! under perfect play. Without one the result of a game says little about its beginning, since both sides err. There a
//! label is a temporal difference (R. Sutton, "Learning to predict by the methods of temporal differences", 1988): a
//! mean of the search of the position and of the label of the next one, a ply older. An error ends the chain, since its
//! outcome says nothing about the position before. In a game without progress the labels fall, which teaches the
//! evaluation to see progress.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use privy_protocol::Score;
use rayon::prelude::*;

use privy_base::random::Random;
use privy_base::threads::Threads;
use privy_program::CliError;
use privy_rules::family::Every;
use privy_rules::{Game, MovePath, Outcome, Position, Side, Variant};
use privy_search::eval::{SCALE, log_odds_before, log_odds_of_win_in};
use privy_search::{Limits, PreparedVariant, SearchResult, Searcher, Stop};
use privy_tables::{Table, TableError, TableValue};

use super::descent::probability;
use crate::play::{best_by_table, check_begins, check_stop};

/// What to fit, and how.
#[derive(Debug, Clone)]
pub(crate) struct FitRequest {
    /// The variant.
    pub(crate) variant: Arc<Variant>,
    /// Its table of perfect play, for exact labels.
    pub(crate) table: Option<Arc<Table>>,
    /// The number of games.
    pub(crate) games: u32,
    /// Nodes of a move.
    pub(crate) nodes: u64,
    /// The seed.
    pub(crate) seed: u64,
    /// Most positions used.
    pub(crate) positions: usize,
    /// Threads that play games.
    pub(crate) threads: usize,
}

/// The progress of a fit.
pub(crate) enum FitProgress {
    /// Games played so far.
    Game {
        /// Games so far.
        done: u32,
    },
    /// Rounds of the descent for a side to move, and the loss on the games held out, in nats a position.
    Round {
        /// The side to move of the positions.
        side: Side,
        /// Rounds so far.
        done: u32,
        /// The loss on the positions held out.
        loss: f64,
    },
}

/// A position with its label.
#[derive(Debug, Clone, Copy)]
pub(crate) struct LabelledPosition {
    pub(super) state: Position,
    /// For the General: near 1 won soon, near 0 lost soon, 0.5 drawn.
    pub(super) result: f64,
    /// Plies from the beginning of the game.
    pub(super) ply: u32,
    /// The number of the game.
    pub(super) game: u32,
}

/// Plies after which a game counts as a draw.
const PLIES: usize = 400;
/// Most random plies at the beginning of a game.
const RANDOM_PLIES: u64 = 40;
/// Error rates, one move in N, of the better side and of the worse one. The games are lopsided: both sides win often
/// enough only if the better side errs more. Play without errors often ends in a draw, which teaches nothing.
const ERRORS: [[u64; 4]; 2] = [[4, 8, 16, 32], [1, 2, 4, 8]];
/// Positions kept of one game without a table: they are much alike.
const MOST_PER_GAME: u64 = 40;
/// Random lines from each position of a game with a table, and their most plies: the search looks at positions that no
/// player would reach.
const LINES_ASIDE: usize = 2;
const ASIDE_PLIES: u64 = 4;
/// The transposition table in MiB: a move takes few nodes.
const MEBIBYTES: usize = 1;
/// The weight of the next label in a label; the rest is that of the search of the position.
const LAMBDA: f64 = 0.8;

/// Plays all games; returns their positions in the order of the games.
pub(crate) fn play_games(
    request: &FitRequest,
    progress: &(dyn Fn(FitProgress) + Sync),
    stop: &Stop,
) -> Result<Vec<LabelledPosition>, CliError> {
    check_begins(&request.variant)?;
    let prepared = Arc::new(PreparedVariant::new(&request.variant));
    let done = AtomicU32::new(0);
    let play = |number: u32| {
        let random = Random::numbered(request.seed, u64::from(number));
        let searcher = Searcher::prepared_for(Arc::clone(&prepared), MEBIBYTES);
        let game = TrainingGame { request, number, random, searcher, stop, positions: Vec::new() };
        let positions = game.play()?;
        progress(FitProgress::Game { done: done.fetch_add(1, Ordering::Relaxed) + 1 });
        Ok(positions)
    };
    let played: Result<Vec<Vec<LabelledPosition>>, CliError> =
        Threads::new(request.threads).run(|| (0..request.games).into_par_iter().map(play).collect());
    Ok(played?.into_iter().flatten().collect())
}

/// The side that plays by the table, where there is one: in half of the games one side does, but for its errors. So the
/// positions occur to which the longest defence leads, in which the engine errs most.
fn plays_by_table(number: u32) -> Option<Side> {
    match number % 8 {
        2 | 3 => Some(Side::General),
        6 | 7 => Some(Side::Rebels),
        _ => None,
    }
}

struct TrainingGame<'a> {
    request: &'a FitRequest,
    number: u32,
    random: Random,
    searcher: Searcher,
    stop: &'a Stop,
    positions: Vec<LabelledPosition>,
}

impl TrainingGame<'_> {
    fn play(mut self) -> Result<Vec<LabelledPosition>, CliError> {
        let is_exact = self.request.table.is_some();
        let random_plies = self.random.below(RANDOM_PLIES + 1) as usize;
        let rates = ERRORS.map(|rates| self.random.pick(&rates).copied().unwrap_or(1));
        let better = if self.number.is_multiple_of(2) { Side::General } else { Side::Rebels };
        let mut game = self.request.variant.start();
        let mut course = Course::default();
        let mut proved = None;
        while game.outcome().is_none() && game.moves().len() < PLIES && proved.is_none() {
            check_stop(self.stop)?;
            self.note(&game)?;
            if is_exact {
                for _ in 0..LINES_ASIDE {
                    self.look_aside(game.without_history())?;
                }
            }
            let side = game.side();
            let begins = game.moves().len() < random_plies;
            let rate = rates[usize::from(side != better)];
            let by_table = if begins { None } else { self.best_by_table(&game)? };
            let errs = begins || self.random.below(rate) == 0;
            // With exact labels a search is needed for its move only.
            let found = if is_exact && (errs || by_table.is_some()) { None } else { self.search(&game) };
            if is_exact {
                self.note_end(&game, found.as_ref())?;
            } else {
                course.push(side, found.as_ref(), errs);
                // A proved result ends the game: errors could only change it.
                proved = found.as_ref().and_then(|found| proved_end(found, side));
            }
            let best = by_table.or(found.map(|found| found.best));
            let move_ = if errs { self.random.pick(&game.legal_moves()).cloned() } else { best };
            let Some(move_) = move_ else { break };
            game.play(move_);
            if !is_exact && game.occurrences() > 1 {
                self.turn_aside(&mut game);
                course.0.last_mut().expect("the turn of the move").is_error = true;
            }
        }
        if !is_exact {
            let (winner, plies) =
                proved.map_or((game.outcome().and_then(Outcome::winner), 0), |(side, plies)| (Some(side), plies));
            let (labels, count) = (course.labels(winner, plies), self.positions.len() as u64);
            self.positions.retain(|_| self.random.below(count) < MOST_PER_GAME);
            self.positions.iter_mut().for_each(|position| position.result = labels[position.ply as usize]);
        }
        Ok(self.positions)
    }

    fn best_by_table(&mut self, game: &Game) -> Result<Option<MovePath>, TableError> {
        let table = self.request.table.as_ref().filter(|_| plays_by_table(self.number) == Some(game.side()));
        table.map_or(Ok(None), |table| best_by_table(table, game, &mut self.random))
    }

    /// Replaces a last move that repeats a position by a random one that does not, if there is one: a draw by
    /// repetition says nothing about which side was better.
    fn turn_aside(&mut self, game: &mut Game) {
        let last = game.moves().next_back().cloned().expect("a move was made");
        game.undo(1).expect("a move was made");
        let is_new = |move_: &MovePath| {
            let after = game.after(move_);
            game.positions().all(|before| before != after.position())
        };
        let new: Vec<MovePath> = game.legal_moves().into_iter().filter(is_new).collect();
        game.play(self.random.pick(&new).cloned().unwrap_or(last));
    }

    fn search(&mut self, game: &Game) -> Option<SearchResult> {
        let limits = Limits { nodes: Some(self.request.nodes), ..Limits::default() };
        self.searcher.search(game, limits, self.stop, &mut |_| {})
    }

    /// Notes the end of the best line of a search: the position whose evaluation decided.
    fn note_end(&mut self, game: &Game, found: Option<&SearchResult>) -> Result<(), TableError> {
        let Some(best) = found.and_then(|found| found.lines.first()) else { return Ok(()) };
        let mut end = game.without_history();
        for move_ in &best.pv {
            end = end.after(move_);
            if end.outcome().is_some() {
                return Ok(());
            }
        }
        self.note(&end)
    }

    /// Notes the end of a random line from a position.
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

    /// Adds a position that the search would evaluate.
    fn note(&mut self, game: &Game) -> Result<(), TableError> {
        let state = game.position();
        if !is_quiet(&self.request.variant, state) {
            return Ok(());
        }
        let result = match &self.request.table {
            None => 0.5,
            Some(table) => match table.probe_state(state) {
                Ok(value) => exact_label(state.side(), value),
                Err(TableError::NotCovered(_)) => return Ok(()),
                Err(error) => return Err(error),
            },
        };
        let (ply, game) = (game.moves().len() as u32, self.number);
        self.positions.push(LabelledPosition { state: *state, result, ply, game });
        Ok(())
    }
}

/// The winner and the plies to the end, of a win that the search of a position proved; the move since then counts.
fn proved_end(found: &SearchResult, side: Side) -> Option<(Side, u32)> {
    match found.lines.first()?.verdict.score {
        Score::Win(plies) => Some((side, plies.saturating_sub(1))),
        Score::Loss(plies) => Some((!side, plies.saturating_sub(1))),
        _ => None,
    }
}

/// Quiet positions are evaluated as they stand; captures of the General are searched first.
fn is_quiet(variant: &Variant, state: &Position) -> bool {
    let mut quiet = true;
    if state.side() == Side::General {
        variant.rules().general_actions::<Every>(state, |action, _| quiet &= action.captured.is_empty());
    }
    quiet
}

/// A logit for the General, of one for a side.
fn for_general(side: Side, logit: f64) -> f64 {
    if side == Side::General { logit } else { -logit }
}

/// The label of a position with a table value for the side to move.
pub(super) fn exact_label(side: Side, value: TableValue) -> f64 {
    probability(match value {
        TableValue::Win(plies) => for_general(side, log_odds_of_win_in(plies)),
        TableValue::Loss(plies) => for_general(!side, log_odds_of_win_in(plies)),
        TableValue::Draw => 0.0,
        TableValue::WinByRepetition => for_general(side, log_odds_of_win_in(u32::MAX)),
        TableValue::LossByRepetition => for_general(!side, log_odds_of_win_in(u32::MAX)),
    })
}

/// The turns of a game without a table.
#[derive(Default)]
pub(super) struct Course(pub(super) Vec<LabelTurn>);

pub(super) struct LabelTurn {
    /// The logit for the General, by the search.
    pub(super) estimate: f64,
    /// The move is random: its outcome says nothing about the position.
    pub(super) is_error: bool,
}

impl Course {
    fn push(&mut self, side: Side, found: Option<&SearchResult>, is_error: bool) {
        let estimate = found.and_then(|found| found.lines.first()).map_or(0.0, |line| match line.verdict.score {
            Score::Win(plies) => log_odds_of_win_in(plies),
            Score::Loss(plies) => -log_odds_of_win_in(plies),
            Score::Draw => 0.0,
            // The evaluation is that of a position `depth` plies later.
            other => {
                let hundredths = other.hundredths().map_or(0.0, f64::from);
                log_odds_before(hundredths / SCALE, f64::from(line.depth))
            }
        });
        self.0.push(LabelTurn { estimate: for_general(side, estimate), is_error });
    }

    /// The labels of all turns of a game that ends `plies` after the last of them.
    pub(super) fn labels(self, winner: Option<Side>, plies: u32) -> Vec<f64> {
        let mut later = winner.map_or(0.0, |winner| for_general(winner, log_odds_of_win_in(plies)));
        let mut labels: Vec<f64> = Vec::with_capacity(self.0.len());
        for turn in self.0.into_iter().rev() {
            later = if turn.is_error {
                turn.estimate
            } else {
                (1.0 - LAMBDA) * turn.estimate + LAMBDA * log_odds_before(later, 1.0)
            };
            labels.push(probability(later));
        }
        labels.reverse();
        labels
    }
}
