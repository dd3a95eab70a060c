//! Win rates: the probability of a win by score.
//!
//! The engine plays against itself from random openings, without tables, with a fixed number of nodes a move, and each side errs
//! at a rate of its own: without errors one side wins nearly every game of some variants, whatever the score. Each position gives a
//! score and the result of its game; a logistic regression, in which all games have the same weight, finds the constants that make the
//! results likeliest. [`Reliability`] checks predictions in games that no fit has seen.

use std::fmt;
use std::sync::Arc;

use privy_protocol::Score;
use rayon::prelude::*;

use crate::random::Random;
use crate::rules::{Side, Variant};
use crate::search::{Limits, Searcher, Stop};
use crate::tournament::statistics::Tally;

use super::descent::{fit_line, loss, probability};
use super::self_play::{FitError, check_begins, opening, play};

/// The first number of games that no fit has seen.
pub(crate) const UNSEEN: u64 = u32::MAX as u64;
/// Plies after which a game counts as a draw.
const PLIES: usize = 200;
/// Most random moves of an opening.
const OPENING: u64 = 16;
/// Error rates: one move in N.
const ERRORS: [u64; 4] = [16, 8, 4, 2];
/// Larger scores are wins whose length is not proved yet.
const NEARLY_PROVED: i32 = 10_000;
/// The fit clamps scores to this, in Rebels.
const MOST_REBELS: f64 = 40.0;
/// The least slope of the regression, in nats a Rebel.
const LEAST_SLOPE: f64 = 0.02;

/// Scores of games with their results.
#[derive(Default)]
pub(crate) struct ScoredGames {
    games: usize,
    samples: Vec<Sample>,
    /// Sum of squared differences between the last score of a search and one at most half as deep, each times the lower depth: the
    /// variance falls with the depth.
    squares: f64,
    differences: f64,
}

/// A position: its score in Rebels and its result, both for the General, and its weight.
#[derive(Clone, Copy)]
struct Sample {
    score: f64,
    result: f64,
    weight: f64,
}

fn hundredths(score: Score) -> Option<f64> {
    score.hundredths().filter(|score| score.abs() < NEARLY_PROVED).map(f64::from)
}

impl ScoredGames {
    /// Plays games of a variant with their numbers as seeds, from `first` on, with `nodes` a move.
    pub(crate) fn play(
        variant: &Arc<Variant>,
        first: u64,
        games: u32,
        nodes: u64,
        stop: &Stop,
    ) -> Result<ScoredGames, FitError> {
        check_begins(variant)?;
        let game = |seed| ScoredGames::play_one(variant, &mut Random::new(seed), nodes, stop);
        let games: Vec<ScoredGames> =
            (first..first + u64::from(games)).into_par_iter().map(game).collect::<Result<_, _>>()?;
        Ok(games.into_iter().sum())
    }

    fn play_one(variant: &Arc<Variant>, random: &mut Random, nodes: u64, stop: &Stop) -> Result<ScoredGames, FitError> {
        let mut game = opening(variant, random, OPENING);
        let [general, rebels] = [(); 2].map(|()| *random.pick(&ERRORS).expect("there are rates"));
        let mut scored = ScoredGames { games: 1, ..ScoredGames::default() };
        let mut searcher = Searcher::new(4);
        let limits = Limits { nodes: Some(nodes), ..Limits::default() };
        let winner = play(&mut game, PLIES, stop, |game| {
            let mut earlier: Vec<(u32, f64)> = Vec::new();
            let found = searcher.search(game, limits, &Stop::default(), &mut |info| {
                earlier.extend(hundredths(info.score).map(|score| (info.depth, score)));
            });
            let found = found.expect("a game that is not over has a move");
            let (sign, rate) = if game.side() == Side::General { (1.0, general) } else { (-1.0, rebels) };
            if let Some((depth, score)) =
                found.lines.first().and_then(|line| Some((line.depth, hundredths(line.score)?)))
            {
                scored.samples.push(Sample { score: sign * score / 100.0, result: 0.0, weight: 0.0 });
                for (shallow, earlier) in earlier.into_iter().filter(|(shallow, _)| depth >= 2 * shallow) {
                    scored.squares += (score - earlier).powi(2) * f64::from(shallow);
                    scored.differences += 1.0;
                }
            }
            let error = if random.below(rate) == 0 { random.pick(&game.legal_moves()).cloned() } else { None };
            error.unwrap_or(found.best)
        })?;
        let (result, weight) =
            (Tally::of_game(Side::General, winner).points(), 1.0 / scored.samples.len().max(1) as f64);
        scored.samples.iter_mut().for_each(|sample| *sample = Sample { result, weight, ..*sample });
        Ok(scored)
    }

    /// Compares results with predictions: probabilities of a win of the General by its score in Rebels.
    pub(crate) fn reliability(&self, predict: impl Fn(f64) -> f64) -> Reliability {
        let mut tenths = [Tenth::default(); 10];
        for Sample { score, result, weight } in &self.samples {
            let predicted = predict(*score);
            let tenth = &mut tenths[((predicted * 10.0) as usize).min(9)];
            tenth.positions += 1;
            tenth.weight += weight;
            tenth.predicted += weight * predicted;
            tenth.won += weight * result;
        }
        Reliability { games: self.games, tenths }
    }

    /// The weighted mean over the samples.
    fn mean(&self, value: impl Fn(&Sample) -> f64) -> f64 {
        let weight: f64 = self.samples.iter().map(|sample| sample.weight).sum();
        self.samples.iter().map(|sample| sample.weight * value(sample)).sum::<f64>() / weight
    }
}

/// Predicted probabilities beside results, by tenths of the prediction.
pub(crate) struct Reliability {
    games: usize,
    tenths: [Tenth; 10],
}

/// Positions with similar predictions; weights, predictions and results are sums over games.
#[derive(Clone, Copy, Default)]
struct Tenth {
    positions: usize,
    weight: f64,
    predicted: f64,
    won: f64,
}

impl Tenth {
    /// Predicted and won, in percent of the games.
    fn shares(&self) -> (f64, f64) {
        (100.0 * self.predicted / self.weight, 100.0 * self.won / self.weight)
    }
}

impl Reliability {
    /// The mean difference between prediction and result over the tenths, from 0 to 1.
    fn error(&self) -> f64 {
        let weight: f64 = self.tenths.iter().map(|tenth| tenth.weight).sum();
        self.tenths.iter().map(|tenth| (tenth.predicted - tenth.won).abs()).sum::<f64>() / weight
    }

    /// Prediction and result in percent, of the tenths with at least a hundredth of the games.
    pub(crate) fn points(&self) -> Vec<(f64, f64)> {
        let has_enough = |tenth: &&Tenth| tenth.weight > 0.0 && tenth.weight >= self.games as f64 / 100.0;
        self.tenths.iter().filter(has_enough).map(Tenth::shares).collect()
    }
}

/// `600 games, told wrong by 2.4 % on average`, and a line for each tenth.
impl fmt::Display for Reliability {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} games, told wrong by {:.1} % on average", self.games, self.error() * 100.0)?;
        write!(f, "\n{:>9} {:>9} {:>9} {:>9}", "told", "positions", "mean told", "came true")?;
        for (number, tenth) in self.tenths.iter().enumerate().filter(|(_, tenth)| tenth.positions > 0) {
            let (range, (predicted, won)) = (format!("{}-{} %", 10 * number, 10 * number + 10), tenth.shares());
            write!(f, "\n{range:>9} {:>9} {predicted:>7.1} % {won:>7.1} %", tenth.positions)?;
        }
        Ok(())
    }
}

impl std::iter::Sum for ScoredGames {
    fn sum<I: Iterator<Item = ScoredGames>>(all: I) -> ScoredGames {
        all.fold(ScoredGames::default(), |mut sum, other| {
            sum.games += other.games;
            sum.samples.extend(other.samples);
            sum.squares += other.squares;
            sum.differences += other.differences;
            sum
        })
    }
}

/// The text of `win_rates.toml`.
impl fmt::Display for ScoredGames {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let of = |sample: &Sample| [sample.score.clamp(-MOST_REBELS, MOST_REBELS), sample.result, sample.weight];
        let (offset, slope) = fit_line(&self.samples.iter().map(of).collect::<Vec<_>>(), LEAST_SLOPE);
        let logit = |score: f64| offset + slope * score;
        let error = self.reliability(|score| probability(logit(score))).error();
        let loss = self.mean(|sample| loss(logit(sample.score), sample.result));
        let won = self.mean(|sample| sample.result);
        writeln!(
            f,
            "# {} games, General {:.0} %; chance told wrong by {:.1} % on average, loss {loss:.3}.",
            self.games,
            won * 100.0,
            error * 100.0
        )?;
        writeln!(f, "even = {:.1}", -offset / slope * 100.0)?;
        writeln!(f, "scale = {:.1}", 100.0 / slope)?;
        writeln!(f, "doubt = {:.1}", (self.squares / self.differences.max(1.0)).sqrt())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn predictions_that_match_the_results_have_no_error() {
        let sample = |score, result| Sample { score, result, weight: 0.25 };
        let games = ScoredGames {
            games: 2,
            samples: vec![sample(0.75, 1.0), sample(0.75, 1.0), sample(0.75, 1.0), sample(0.75, 0.0)],
            ..ScoredGames::default()
        };
        let right = games.reliability(|score| score);
        assert!(right.error() < 1e-12);
        assert_eq!(right.points(), [(75.0, 75.0)]);
        let wrong = games.reliability(|_| 0.25);
        assert!((wrong.error() - 0.5).abs() < 1e-12);
        assert_eq!(wrong.points(), [(25.0, 75.0)]);
        assert!(wrong.to_string().ends_with("  20-30 %         4    25.0 %    75.0 %"), "{wrong}");
    }

    #[test]
    fn the_same_games_give_the_same_file() {
        let variant = Variant::builtin("yeung-luk").unwrap();
        let play = || ScoredGames::play(&variant, 0, 4, 100, &Stop::default()).unwrap().to_string();
        let text = play();
        assert_eq!(play(), text);
        let file: toml::Table = text.parse().unwrap();
        assert_eq!(file.keys().collect::<Vec<_>>(), ["doubt", "even", "scale"]);
        assert!(file["scale"].as_float().unwrap() > 0.0, "{text}");
    }
}
