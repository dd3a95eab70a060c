//! Learning: weights of the evaluation from games of the engine against itself.
//!
//! Positions come from games in which both sides err at rates of their own, so that all kinds of them occur. Each is labelled
//! with its value under perfect play where there is a table, else with the result of its game. A logistic regression finds
//! the weights that make the labels likeliest. All depends on the request alone, not on the number of threads.

mod example;
mod games;
mod layout;
mod regression;
mod yardstick;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::eval::{Evaluation, Weights};
use crate::random::Random;
use crate::rules::{Outcome, Side, Variant};
use crate::search::PreparedVariant;
use crate::tablebase::{Table, TableError};

use example::Example;
use games::Sample;
use layout::Layout;

pub use yardstick::{Quality, fit_line};

/// Hundredths of a Rebel that make one side e times as likely to win: in all variants the same, so that the margins of the
/// search mean the same everywhere.
pub const SCALE: f64 = 300.0;

/// One game in so many is held out of the fit, by twos, since the better side alternates.
const HELD_OUT: u32 = 10;

/// What to fit.
#[derive(Debug, Clone)]
pub struct FitRequest {
    /// The game.
    pub variant: Arc<Variant>,
    /// Its table of perfect play, for exact labels.
    pub table: Option<Arc<Table>>,
    /// Games to play.
    pub games: u32,
    /// Nodes of a move.
    pub nodes: u64,
    /// The number from which all choices are drawn.
    pub seed: u64,
    /// At most so many positions.
    pub positions: usize,
    /// Threads that play games.
    pub threads: usize,
}

/// How far the work is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum FitProgress {
    /// A game has been played.
    Game {
        /// Games played.
        done: u32,
    },
    /// The regression has gone through all positions with a side to move once more.
    Round {
        /// The side to move.
        side: Side,
        /// Rounds made.
        done: u32,
        /// Loss on the games held out, in nats a position.
        loss: f64,
    },
}

/// What came out.
#[derive(Debug, Clone)]
pub struct Fitted {
    /// The weights.
    pub weights: Weights,
    /// Positions that were used, those held out among them.
    pub positions: usize,
    /// How many of them are won, drawn and lost for the General.
    pub results: [usize; 3],
    /// Positions of games that were held out.
    pub held_out: usize,
    /// The evaluation that the engine had, on the games held out, with the scale and offset that suit it best.
    pub before: Quality,
    /// The new evaluation on the games held out.
    pub after: Quality,
}

/// Why nothing came out.
#[derive(Debug, thiserror::Error)]
pub enum FitError {
    /// The game is over where it begins.
    #[error("game over: {0}: there are no games to learn from")]
    Over(Outcome),
    /// Too few positions to learn anything.
    #[error(
        "too few positions: expected at least {least} with either side to move, found {found}; more games would be right"
    )]
    TooFew {
        /// How many there should be.
        least: usize,
        /// How many there are.
        found: usize,
    },
    /// The table can't be used.
    #[error(transparent)]
    Table(#[from] TableError),
    /// The user asked to stop.
    #[error("interrupted")]
    Interrupted,
}

/// Fewer positions than that with a side to move say nothing.
const LEAST: usize = 100;

/// Plays games and fits weights to them.
///
/// # Errors
/// When the variant can't be played, the games give too few positions, the table turns out to be damaged, or `stop` was set.
pub fn fit(
    request: &FitRequest,
    progress: &(dyn Fn(FitProgress) + Sync),
    stop: &AtomicBool,
) -> Result<Fitted, FitError> {
    let variant = &request.variant;
    if let Some(outcome) = variant.start().outcome() {
        return Err(FitError::Over(outcome));
    }
    let prepared = Arc::new(PreparedVariant::new(variant));
    let mut samples = games::play_all(request, &prepared, progress, stop)?;
    thin_out(&mut samples, request.positions, request.seed);
    let (held_out, training): (Vec<Sample>, Vec<Sample>) =
        samples.iter().partition(|sample| sample.game / 2 % HELD_OUT == HELD_OUT - 1);
    let layout = Layout::new(variant);
    let mut sides = Vec::new();
    for side in [Side::General, Side::Rebels] {
        let examples = |samples: &[Sample]| -> Vec<Example> {
            samples.iter().filter(|sample| sample.state.side() == side).map(|sample| layout.example(sample)).collect()
        };
        let (training, held_out) = (examples(&training), examples(&held_out));
        if training.len() < LEAST || held_out.is_empty() {
            return Err(FitError::TooFew { least: LEAST, found: training.len() });
        }
        let told = |done, loss| progress(FitProgress::Round { side, done, loss });
        let parameters = regression::fit(&layout, &training, &held_out, request.seed, &told, stop);
        go_on(stop)?;
        sides.push(layout.weights(&parameters, SCALE));
    }
    let [general_to_move, rebels_to_move]: [_; 2] =
        sides.try_into().map_err(|_| FitError::TooFew { least: LEAST, found: 0 })?;
    let weights = Weights { general_to_move, rebels_to_move };
    let new = Evaluation::with_weights(variant, weights.clone());
    Ok(Fitted {
        weights,
        positions: samples.len(),
        results: [1.0, 0.5, 0.0].map(|result| samples.iter().filter(|sample| sample.result == result).count()),
        held_out: held_out.len(),
        before: yardstick::at_its_best(variant, prepared.evaluation(), &training, &held_out),
        after: yardstick::quality(variant, &new, &held_out),
    })
}

fn go_on(stop: &AtomicBool) -> Result<(), FitError> {
    if stop.load(Ordering::Relaxed) { Err(FitError::Interrupted) } else { Ok(()) }
}

/// Leaves at most so many samples, evenly from all games.
fn thin_out(samples: &mut Vec<Sample>, most: usize, seed: u64) {
    let mut left = samples.len() as u64;
    let mut wanted = most as u64;
    let mut random = Random::numbered(seed, u64::MAX);
    samples.retain(|_| {
        let kept = random.below(left) < wanted;
        left -= 1;
        wanted -= u64::from(kept);
        kept
    });
}
