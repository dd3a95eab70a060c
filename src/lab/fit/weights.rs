//! Weights of the evaluation, fitted to games of the engine against itself.
//!
//! Both sides of these games err, each at its own rate, so that all kinds of positions occur. A label is the value
//! under perfect play where there is a table, else a mix of searches and the result. A logistic regression finds the
//! weights that make the labels likeliest. The result depends on the request alone, not on the number of threads.
//!
//! A lower loss on games held out does not make play stronger; only games show strength. So new weights must win a
//! trial, a match against the old ones, before they are kept. Openings are random, each played twice with sides
//! swapped, and a sequential test on the pairs ends the match.
use privy_protocol::Stop;

use std::cmp::Ordering;
use std::fmt;
use std::sync::Arc;

use rayon::prelude::*;

use privy_base::random::Random;
use privy_base::threads::on_all_cores;
use privy_program::CliError;
use privy_referee::statistics::{self, EloModel, Sprt, SprtParameters, SprtVerdict, Tally};
use privy_rules::{Position, Side, Variant};
use privy_search::eval::{Evaluation, SCALE, SideWeights, Weights};
use privy_search::{Limits, PreparedVariant, Searcher};

use super::descent::{Descent, fit_line, loss};
use super::games::{FitProgress, FitRequest, LabelledPosition, play_games};
use super::linear::{Features, LinearExample, Regression};
use super::network::{NetworkExample, NetworkTraining};
use crate::play::{PairResults, best_by_search, check_begins, check_stop, play_pair, random_opening};

/// One pair of games in ten is held out: pairs, since the better side alternates.
const HELD_OUT: u32 = 10;
/// Fewest training positions with a side to move.
const LEAST: usize = 100;
/// Least slope of the line that calibrates an evaluation of another scale.
const LEAST_SLOPE: f64 = 0.001;

/// Plies after which a game counts as a draw.
const PLIES: usize = 300;
/// Most random moves of an opening.
const OPENING: u64 = 12;
/// Pairs between two evaluations of the test, so that the result does not depend on the number of threads.
const BATCH: u64 = 20;
/// The test tells an advantage of 20 Elo from none, with error probabilities of 5 %.
const ELO: f64 = 20.0;
const ERROR: f64 = 0.05;

/// The result of a fit.
pub(crate) struct Fitted {
    /// The weights.
    pub(crate) weights: Weights,
    /// Number of positions, those held out included.
    pub(crate) positions: usize,
    /// Positions won, drawn and lost for the General.
    pub(crate) results: [usize; 3],
    /// The number of positions that were held out.
    pub(crate) held_out: usize,
    /// Metrics on the held out games of the engine's present evaluation, calibrated for each side to move.
    pub(crate) before: Quality,
    /// The same of the new evaluation.
    pub(crate) after: Quality,
}

/// How well an evaluation predicts results.
#[derive(Clone, Copy)]
pub(crate) struct Quality {
    /// The mean loss in nats; that of a guess is 0.693.
    pub(crate) loss: f64,
    /// The share of won and lost positions of which it predicts the winner.
    pub(crate) right: f64,
}

/// Plays games, and fits weights to their positions.
pub(crate) fn fit_weights(
    request: &FitRequest,
    progress: &(dyn Fn(FitProgress) + Sync),
    stop: &Stop,
) -> Result<Fitted, CliError> {
    let FitRequest { variant, seed, .. } = request;
    let mut positions = play_games(request, progress, stop)?;
    thin_out(&mut positions, request.positions, *seed);
    let (held_out, training): (Vec<LabelledPosition>, Vec<LabelledPosition>) =
        positions.iter().partition(|position| position.game / 2 % HELD_OUT == HELD_OUT - 1);
    let features = Features::new(variant);
    let fit_side = |side| -> Result<SideWeights, CliError> {
        let examples = |positions: &[LabelledPosition]| -> Vec<LinearExample> {
            let of_side = positions.iter().filter(|position| position.state.side() == side);
            of_side.map(|position| features.example(position)).collect()
        };
        let (training, held_out) = (examples(&training), examples(&held_out));
        if training.len() < LEAST || held_out.is_empty() {
            let (least, found) = (LEAST, training.len());
            let expected = format!("expected at least {least} with either side to move, found {found}");
            let what = format!("too few positions: {expected}; more games, or longer ones, would be right");
            return Err(CliError::Failed(what));
        }
        let round = |done, loss| progress(FitProgress::Round { side, done, loss });
        let parameters = Regression::new(&features, training.len()).train(&training, &held_out, *seed, &round, stop);
        check_stop(stop)?;
        let for_network = |examples: &[LinearExample]| -> Vec<NetworkExample> {
            examples.iter().map(|example| features.network_example(example, &parameters)).collect()
        };
        let (training, held_out) = (for_network(&training), for_network(&held_out));
        let mut network = NetworkTraining::new(variant, *seed);
        let rows = network.train(&training, &held_out, *seed, &round, stop);
        check_stop(stop)?;
        Ok(SideWeights { network: Some(network.network(&rows, SCALE)), ..features.weights(&parameters, SCALE) })
    };
    let (general_to_move, rebels_to_move) =
        on_all_cores(|| rayon::join(|| fit_side(Side::General), || fit_side(Side::Rebels)));
    let weights = Weights { general_to_move: general_to_move?, rebels_to_move: rebels_to_move? };
    let new = Evaluation::new(variant, weights.clone());
    Ok(Fitted {
        weights,
        positions: positions.len(),
        results: [Ordering::Greater, Ordering::Equal, Ordering::Less]
            .map(|order| positions.iter().filter(|position| position.result.total_cmp(&0.5) == order).count()),
        held_out: held_out.len(),
        before: calibrated_quality(variant, PreparedVariant::new(variant).evaluation(), &training, &held_out),
        after: quality(&held_out, |position| logit(variant, &new, &position.state)),
    })
}

/// Keeps at most `most` positions, evenly from all games.
fn thin_out(positions: &mut Vec<LabelledPosition>, most: usize, seed: u64) {
    let (mut left, mut needed) = (positions.len() as u64, most as u64);
    let mut random = Random::numbered(seed, u64::MAX);
    positions.retain(|_| {
        let is_kept = random.below(left) < needed;
        left -= 1;
        needed -= u64::from(is_kept);
        is_kept
    });
}

/// The quality of an evaluation of another scale and zero, by the line through the training positions of each side to
/// move.
fn calibrated_quality(
    variant: &Variant,
    evaluation: &Evaluation,
    training: &[LabelledPosition],
    held_out: &[LabelledPosition],
) -> Quality {
    let logit = |position: &LabelledPosition| logit(variant, evaluation, &position.state);
    let line = |side| {
        let training = training.iter().filter(|position| position.state.side() == side);
        fit_line(&training.map(|position| [logit(position), position.result, 1.0]).collect::<Vec<_>>(), LEAST_SLOPE)
    };
    let (general, rebels) = (line(Side::General), line(Side::Rebels));
    quality(held_out, |position| {
        let (offset, slope) = if position.state.side() == Side::General { general } else { rebels };
        offset + slope * logit(position)
    })
}

fn quality(positions: &[LabelledPosition], logit: impl Fn(&LabelledPosition) -> f64) -> Quality {
    let (mut sum, mut right, mut decided) = (0.0, 0.0, 0.0);
    for position in positions {
        let logit = logit(position);
        sum += loss(logit, position.result);
        if position.result != 0.5 {
            decided += 1.0;
            right += f64::from(u8::from((logit > 0.0) == (position.result > 0.5)));
        }
    }
    Quality { loss: sum / positions.len().max(1) as f64, right: right / f64::max(decided, 1.0) }
}

/// The evaluation for the General, in logits of the scale [`SCALE`].
fn logit(variant: &Variant, evaluation: &Evaluation, state: &Position) -> f64 {
    let value = f64::from(evaluation.evaluate(variant.rules(), state).raw());
    if state.side() == Side::General { value / SCALE } else { -value / SCALE }
}

/// A match of new weights against old ones.
pub(crate) struct WeightsTrial {
    /// The variant.
    pub(crate) variant: Arc<Variant>,
    /// The new weights.
    pub(crate) new: Weights,
    /// The old weights.
    pub(crate) old: Weights,
    /// Nodes of a move.
    pub(crate) nodes: u64,
    /// The most pairs of games.
    pub(crate) most_pairs: u64,
    /// The seed of the openings.
    pub(crate) seed: u64,
}

/// Results of the new weights.
pub(crate) struct TrialResult {
    pub(super) results: PairResults,
    verdict: SprtVerdict,
}

impl WeightsTrial {
    /// Plays the match; calls `progress` with the number of pairs played.
    pub(crate) fn play(&self, progress: &(dyn Fn(u64) + Sync), stop: &Stop) -> Result<TrialResult, CliError> {
        check_begins(&self.variant)?;
        let hypotheses = SprtParameters { model: EloModel::Logistic, elo0: 0.0, elo1: ELO, alpha: ERROR, beta: ERROR };
        let test = Sprt::try_from(hypotheses).expect("the hypotheses differ");
        let prepared =
            |weights: &Weights| Arc::new(PreparedVariant::with_weights(&self.variant, Some(weights.clone())));
        let players = [prepared(&self.new), prepared(&self.old)];
        let mut trial = TrialResult { results: PairResults::default(), verdict: SprtVerdict::Undecided };
        for batch in 0..self.most_pairs.div_ceil(BATCH) {
            let numbers = batch * BATCH..self.most_pairs.min((batch + 1) * BATCH);
            let played: Result<Vec<[Tally; 2]>, CliError> =
                on_all_cores(|| numbers.into_par_iter().map(|number| self.play_pair(number, &players, stop)).collect());
            played?.into_iter().for_each(|games| trial.results.add(games));
            let PairResults { pairs, .. } = trial.results;
            progress(pairs.count());
            trial.verdict =
                test.verdict(test.log_likelihood_ratio(&statistics::ScoreSample::new(&trial.results.games(), &pairs)));
            if trial.verdict != SprtVerdict::Undecided {
                break;
            }
        }
        Ok(trial)
    }

    fn play_pair(&self, number: u64, players: &[Arc<PreparedVariant>; 2], stop: &Stop) -> Result<[Tally; 2], CliError> {
        let opening = random_opening(&self.variant, &mut Random::numbered(self.seed, number), OPENING, stop)?;
        let limits = Limits { nodes: Some(self.nodes), ..Limits::default() };
        let searchers = || players.each_ref().map(|player| Searcher::prepared_for(Arc::clone(player), 4));
        play_pair(&opening, PLIES, stop, searchers, |searchers, mover, game| {
            best_by_search(&mut searchers[mover], game, limits, stop)
        })
    }
}

impl TrialResult {
    /// The new weights have won by the test, or by the 95 % interval where the test is undecided.
    pub(crate) fn is_won(&self) -> bool {
        let interval = || self.results.strength()?.elo_interval;
        self.verdict == SprtVerdict::H1
            || self.verdict == SprtVerdict::Undecided && interval().is_some_and(|interval| interval.low > 0.0)
    }
}

/// `120 won, 31 drawn, 89 lost, +45.1 +- 20.3 Elo, H1 accepted`.
impl fmt::Display for TrialResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Tally { wins, draws, losses } = self.results.games();
        write!(f, "{wins} won, {draws} drawn, {losses} lost")?;
        let strength = self.results.strength();
        if let Some((strength, error)) = strength.and_then(|strength| Some((strength, strength.elo_interval?.error()?)))
        {
            write!(f, ", {:+.1} +- {error:.1} Elo", strength.elo)?;
        }
        write!(f, ", {}", self.verdict)
    }
}
