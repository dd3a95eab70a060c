//! Weights of the evaluation from games of the engine against itself.
//!
//! Positions come from games in which both sides err at rates of their own, so that all kinds of them occur. Each is labelled
//! with its value under perfect play where there is a table, else with the result of its game. A logistic regression finds
//! the weights that make the labels likeliest. All depends on the request alone, not on the number of threads.

use std::cmp::Ordering;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use crate::eval::{Evaluation, SCALE, SideWeights, Weights};
use crate::random::Random;
use crate::rules::Side;
use crate::search::PreparedVariant;

use super::games_file::PlayedGames;
use super::metrics::{self, Quality};
use super::network::{self, NetworkExample};
use super::parameters::{Example, Layout};
use super::regression;
use super::request::{FitError, FitProgress, FitRequest};
use super::self_play::{check_begins, go_on};
use super::training_games::{self, Sample};

/// One game in so many is held out of the fit, by twos, since the better side alternates.
const HELD_OUT: u32 = 10;

/// Weights, and how well they tell results.
#[derive(Debug, Clone)]
pub struct Fitted {
    /// The weights.
    pub weights: Weights,
    /// The positions are labelled by perfect play.
    pub is_exact: bool,
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

/// Fewer positions than that with a side to move say nothing.
const LEAST: usize = 100;

/// Plays games and fits weights to them.
///
/// # Errors
/// When the variant can't be played, the games give too few positions, the table turns out to be damaged, or `stop` was set.
pub fn fit_weights(
    request: &FitRequest,
    progress: &(dyn Fn(FitProgress) + Sync),
    stop: &AtomicBool,
) -> Result<Fitted, FitError> {
    check_begins(&request.variant)?;
    let prepared = Arc::new(PreparedVariant::new(&request.variant));
    let samples = training_games::play_all(request, &prepared, progress, stop)?;
    fit_to(samples, request.table.is_some(), request, &prepared, progress, stop)
}

/// Fits weights to games that have been played, as [`fit_weights`] would to the same.
///
/// # Errors
/// When the games give too few positions, or `stop` was set.
pub(crate) fn fit_weights_to(
    games: PlayedGames,
    request: &FitRequest,
    progress: &(dyn Fn(FitProgress) + Sync),
    stop: &AtomicBool,
) -> Result<Fitted, FitError> {
    let prepared = Arc::new(PreparedVariant::new(&request.variant));
    fit_to(games.samples, games.exact, request, &prepared, progress, stop)
}

fn fit_to(
    mut samples: Vec<Sample>,
    is_exact: bool,
    request: &FitRequest,
    prepared: &PreparedVariant,
    progress: &(dyn Fn(FitProgress) + Sync),
    stop: &AtomicBool,
) -> Result<Fitted, FitError> {
    let variant = &request.variant;
    thin_out(&mut samples, request.positions, request.seed);
    let (held_out, training): (Vec<Sample>, Vec<Sample>) =
        samples.iter().partition(|sample| sample.game / 2 % HELD_OUT == HELD_OUT - 1);
    let layout = Layout::new(variant);
    let fit_side = |side| -> Result<SideWeights, FitError> {
        let examples = |samples: &[Sample]| -> Vec<Example> {
            samples.iter().filter(|sample| sample.state.side() == side).map(|sample| layout.example(sample)).collect()
        };
        let (training, held_out) = (examples(&training), examples(&held_out));
        if training.len() < LEAST || held_out.is_empty() {
            return Err(FitError::TooFew { least: LEAST, found: training.len() });
        }
        let round = |done, loss| progress(FitProgress::Round { side, done, loss });
        let parameters = regression::fit(&layout, &training, &held_out, request.seed, &round, stop);
        go_on(stop)?;
        let mut weights = layout.weights(&parameters, SCALE);
        let for_network = |examples: &[Example]| -> Vec<NetworkExample> {
            examples.iter().map(|example| layout.network_example(example, &parameters)).collect()
        };
        let (training, held_out) = (for_network(&training), for_network(&held_out));
        weights.network = Some(network::train(variant, &training, &held_out, SCALE, request.seed, &round, stop));
        go_on(stop)?;
        Ok(weights)
    };
    let (general_to_move, rebels_to_move) = rayon::join(|| fit_side(Side::General), || fit_side(Side::Rebels));
    let weights = Weights { general_to_move: general_to_move?, rebels_to_move: rebels_to_move? };
    let new = Evaluation::new(variant, weights.clone());
    Ok(Fitted {
        weights,
        is_exact,
        positions: samples.len(),
        results: [Ordering::Greater, Ordering::Equal, Ordering::Less]
            .map(|order| samples.iter().filter(|sample| sample.result.total_cmp(&0.5) == order).count()),
        held_out: held_out.len(),
        before: metrics::at_its_best(variant, prepared.evaluation(), &training, &held_out),
        after: metrics::quality(variant, &new, &held_out),
    })
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
