//! Win rates: how scores become chances to win.
//!
//! The engine plays against itself from random openings, without tables, with a fixed number of nodes a move, and each side errs
//! at a rate of its own: among equals who never err, one side wins nearly every game of some variants, and no score would tell
//! anything. Each position gives a score and the result of its game; a logistic regression finds the constants that make the
//! results likeliest. Every game weighs as much as any other.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use privy_protocol::Score;
use rayon::prelude::*;

use crate::random::Random;
use crate::rules::{Side, Variant};
use crate::search::{Limits, Searcher, Stop};

use super::logistic::{chance, fit_line, surprise};
use super::request::FitError;
use super::self_play::{check_begins, opening, play, result};

/// Plies after which a game is taken for a draw.
const PLIES: usize = 200;

/// Random moves that a game begins with, at most.
const OPENING: u64 = 16;

/// Rates of errors: one move in so many.
const ERRORS: [u64; 4] = [16, 8, 4, 2];

/// Scores beyond that stand for wins whose length is not proved yet.
const NEARLY_PROVED: i32 = 10_000;

/// In the fit, scores of more Rebels count as so many.
const MOST_REBELS: f64 = 40.0;

/// The least slope of the regression, in nats a Rebel.
const LEAST_SLOPE: f64 = 0.02;

/// Scores of games with their results.
#[derive(Debug, Default)]
pub struct ScoredGames {
    games: usize,
    samples: Vec<Sample>,
    /// Squares of the differences between the last score of a search and one at most half as deep, each times the depth of that
    /// one: the variance falls with the depth.
    squares: f64,
    differences: f64,
}

/// A position: its score for the General in Rebels, the result for it, the weight.
#[derive(Debug, Clone, Copy)]
struct Sample {
    score: f64,
    result: f64,
    weight: f64,
}

fn hundredths(score: Score) -> Option<f64> {
    score.hundredths().filter(|score| score.abs() < NEARLY_PROVED).map(f64::from)
}

impl ScoredGames {
    /// Plays games of a variant, with so many nodes a move.
    ///
    /// # Errors
    /// When the game is over where it begins, or `stop` was set.
    pub fn play(variant: &Arc<Variant>, games: u32, nodes: u64, stop: &AtomicBool) -> Result<ScoredGames, FitError> {
        check_begins(variant)?;
        let game = |seed| ScoredGames::play_one(variant, &mut Random::new(seed), nodes, stop);
        let games: Vec<ScoredGames> = (0..u64::from(games)).into_par_iter().map(game).collect::<Result<_, _>>()?;
        Ok(games.into_iter().sum())
    }

    fn play_one(
        variant: &Arc<Variant>,
        random: &mut Random,
        nodes: u64,
        stop: &AtomicBool,
    ) -> Result<ScoredGames, FitError> {
        let mut game = opening(variant, random, OPENING);
        let [general, rebels] = [(); 2].map(|()| *random.pick(&ERRORS).expect("there are rates"));
        let mut scored = ScoredGames { games: 1, ..ScoredGames::default() };
        let mut searcher = Searcher::new(4);
        let limits = Limits { nodes: Some(nodes), multi_pv: 1, ..Limits::default() };
        let winner = play(&mut game, PLIES, stop, |game| {
            let mut earlier: Vec<(u32, f64)> = Vec::new();
            let found = searcher.search(game, &limits, &Stop::default(), &mut |info| {
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
        let (result, weight) = (result(winner), 1.0 / scored.samples.len().max(1) as f64);
        scored.samples.iter_mut().for_each(|sample| *sample = Sample { result, weight, ..*sample });
        Ok(scored)
    }

    /// The mean difference between told chance and result over tenths of the chance, and the mean loss in nats.
    fn errors(&self, (offset, slope): (f64, f64)) -> (f64, f64) {
        let mut tenths = [0.0; 10];
        let (mut loss, mut total) = (0.0, 0.0);
        for Sample { score, result, weight } in &self.samples {
            let told = chance(offset + slope * score);
            tenths[((told * 10.0) as usize).min(9)] += weight * (told - result);
            loss += weight * surprise(offset + slope * score, *result);
            total += weight;
        }
        (tenths.iter().map(|miss: &f64| miss.abs()).sum::<f64>() / total, loss / total)
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
        let (miss, loss) = self.errors((offset, slope));
        let weight: f64 = self.samples.iter().map(|sample| sample.weight).sum();
        let won: f64 = self.samples.iter().map(|sample| sample.weight * sample.result).sum::<f64>() / weight;
        writeln!(
            f,
            "# {} games, General {:.0} %; chance told wrong by {:.1} % on average, loss {loss:.3}.",
            self.games,
            won * 100.0,
            miss * 100.0
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
    fn the_same_games_give_the_same_file() {
        let variant = Variant::builtin("yeung-luk").unwrap();
        let play = || ScoredGames::play(&variant, 4, 100, &AtomicBool::new(false)).unwrap().to_string();
        let text = play();
        assert_eq!(play(), text);
        let file: toml::Table = text.parse().unwrap();
        assert_eq!(file.keys().collect::<Vec<_>>(), ["doubt", "even", "scale"]);
        assert!(file["scale"].as_float().unwrap() > 0.0, "{text}");
    }
}
