//! Win rates: how scores become chances to win.
//!
//! The engine plays against itself from random openings, without tables, with a fixed number of nodes a move, and each side errs
//! at a rate of its own: among equals who never err, one side wins nearly every game of some variants, and no score would tell
//! anything. Each position gives a score and the result of its game; a logistic regression finds the constants that make the
//! results likeliest. Every game weighs as much as any other. [`Reliability`] is the check: in games that no fit has seen, how often came
//! true what was told?

use std::fmt;
use std::ops::Range;
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
        ScoredGames::play_numbered(variant, 0..u64::from(games), nodes, stop)
    }

    /// The same with other games than [`play`](ScoredGames::play) can have.
    ///
    /// # Errors
    /// As there.
    pub fn play_others(
        variant: &Arc<Variant>,
        games: u32,
        nodes: u64,
        stop: &AtomicBool,
    ) -> Result<ScoredGames, FitError> {
        let first = u64::from(u32::MAX);
        ScoredGames::play_numbered(variant, first..first + u64::from(games), nodes, stop)
    }

    fn play_numbered(
        variant: &Arc<Variant>,
        numbers: Range<u64>,
        nodes: u64,
        stop: &AtomicBool,
    ) -> Result<ScoredGames, FitError> {
        check_begins(variant)?;
        let game = |seed| ScoredGames::play_one(variant, &mut Random::new(seed), nodes, stop);
        let games: Vec<ScoredGames> = numbers.into_par_iter().map(game).collect::<Result<_, _>>()?;
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

    /// How often came true what a function from scores for the General, in Rebels, to his chances tells?
    pub fn reliability(&self, told: impl Fn(f64) -> f64) -> Reliability {
        let mut tenths = [Tenth::default(); 10];
        for Sample { score, result, weight } in &self.samples {
            let chance = told(*score);
            let tenth = &mut tenths[((chance * 10.0) as usize).min(9)];
            tenth.positions += 1;
            tenth.weight += weight;
            tenth.told += weight * chance;
            tenth.won += weight * result;
        }
        Reliability { games: self.games, tenths }
    }

    /// The mean loss in nats.
    fn loss(&self, (offset, slope): (f64, f64)) -> f64 {
        let weight: f64 = self.samples.iter().map(|sample| sample.weight).sum();
        let surprise = |sample: &Sample| sample.weight * surprise(offset + slope * sample.score, sample.result);
        self.samples.iter().map(surprise).sum::<f64>() / weight
    }
}

/// Told chances beside results.
#[derive(Debug, Clone, Copy)]
pub struct Reliability {
    games: usize,
    /// By tenths of the chance told.
    tenths: [Tenth; 10],
}

/// Positions whose chances are told alike; sums of chances and results, in games.
#[derive(Debug, Clone, Copy, Default)]
struct Tenth {
    positions: usize,
    weight: f64,
    told: f64,
    won: f64,
}

impl Tenth {
    /// Told and won, in percent of the games.
    fn shares(&self) -> (f64, f64) {
        (100.0 * self.told / self.weight, 100.0 * self.won / self.weight)
    }
}

impl Reliability {
    /// The mean difference between what was told and what came, over the tenths, as a part of one.
    pub fn miss(&self) -> f64 {
        let weight: f64 = self.tenths.iter().map(|tenth| tenth.weight).sum();
        self.tenths.iter().map(|tenth| (tenth.told - tenth.won).abs()).sum::<f64>() / weight
    }

    /// What was told, and how often it came true, in percent: of the tenths that have at least a hundredth of the games.
    pub fn points(&self) -> Vec<(f64, f64)> {
        let has_enough = |tenth: &&Tenth| tenth.weight > 0.0 && tenth.weight >= self.games as f64 / 100.0;
        self.tenths.iter().filter(has_enough).map(Tenth::shares).collect()
    }
}

/// `600 games, told wrong by 2.4 % on average`, and a line for each tenth.
impl fmt::Display for Reliability {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} games, told wrong by {:.1} % on average", self.games, self.miss() * 100.0)?;
        write!(f, "\n{:>9} {:>9} {:>9} {:>9}", "told", "positions", "mean told", "came true")?;
        for (number, tenth) in self.tenths.iter().enumerate().filter(|(_, tenth)| tenth.positions > 0) {
            let (range, (told, won)) = (format!("{}-{} %", 10 * number, 10 * number + 10), tenth.shares());
            write!(f, "\n{range:>9} {:>9} {told:>7.1} % {won:>7.1} %", tenth.positions)?;
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
        let (miss, loss) =
            (self.reliability(|score| chance(offset + slope * score)).miss(), self.loss((offset, slope)));
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
    fn what_comes_true_as_often_as_told_is_not_wrong() {
        let sample = |score, result| Sample { score, result, weight: 0.25 };
        let games = ScoredGames {
            games: 2,
            samples: vec![sample(0.75, 1.0), sample(0.75, 1.0), sample(0.75, 1.0), sample(0.75, 0.0)],
            ..ScoredGames::default()
        };
        let right = games.reliability(|score| score);
        assert!(right.miss() < 1e-12);
        assert_eq!(right.points(), [(75.0, 75.0)]);
        let wrong = games.reliability(|_| 0.25);
        assert!((wrong.miss() - 0.5).abs() < 1e-12);
        assert_eq!(wrong.points(), [(25.0, 75.0)]);
        assert!(wrong.to_string().ends_with("  20-30 %         4    25.0 %    75.0 %"), "{wrong}");
    }

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
