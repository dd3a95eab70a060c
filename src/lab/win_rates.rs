//! Win rates: the probability of a win by score.
//!
//! The engine plays against itself from random openings, without tables, with a fixed number of nodes a move, and each
//! side errs at its own rate: without errors one side wins nearly every game of some variants, whatever the score. Each
//! position gives a score and the result of its game; a logistic regression, in which all games have the same weight,
//! finds the constants that make the results likeliest. [`Reliability`] checks predictions in games that no fit has
//! seen.

use std::fmt;
use std::fs;
use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;
use privy_base::random::Random;
use privy_engine::WinRate;
use privy_program::{CliError, MOST_NODES, find_variants, within};
use privy_protocol::Score;
use privy_referee::statistics::{LinePlot, Tally};
use privy_rules::{Side, Variant};
use privy_search::{Limits, Searcher, Stop};
use rayon::prelude::*;
use serde_json::{Value, json};

use super::Lab;
use super::fit::{fit_line, loss, probability};
use super::play::{check_begins, play_out, random_opening};

/// The first number of games that no fit has seen.
const UNSEEN: u64 = u32::MAX as u64;
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

// Games of the engine against itself.
#[derive(Args)]
pub(super) struct ScoredGamesArguments {
    /// Ids or files of variants
    #[arg(value_name = "VARIANT", required = true)]
    variants: Vec<String>,
    /// Games of each variant
    #[arg(long, value_name = "N", default_value_t = 300, value_parser = within(1_u32..=10_000_000))]
    games: u32,
    /// Positions that the engine looks at for a move
    #[arg(long, value_name = "N", default_value_t = 1_000, value_parser = within(1_u64..=MOST_NODES))]
    nodes: u64,
}

impl ScoredGamesArguments {
    /// Prints `win_rates.toml` of each variant, of several variants also for all together.
    pub(super) fn fit(&self, lab: &mut Lab<'_>) -> Result<(), CliError> {
        let mut all = Vec::new();
        for variant in find_variants(&self.variants)? {
            let scored = ScoredGames::play(&variant, 0, self.games, self.nodes, lab.stop)?;
            writeln!(lab.output, "# {}\n{scored}", variant.id())?;
            all.push(scored);
        }
        if all.len() > 1 {
            writeln!(lab.output, "# all\n{}", all.into_iter().sum::<ScoredGames>())?;
        }
        Ok(())
    }
}

// Predicted win rates against results.
#[derive(Args)]
pub(super) struct CalibrationArguments {
    #[command(flatten)]
    games: ScoredGamesArguments,
    /// Draw them as a diagram, too: an SVG file
    #[arg(long, value_name = "FILE")]
    diagram: Option<PathBuf>,
}

impl CalibrationArguments {
    pub(super) fn run(&self, lab: &mut Lab<'_>) -> Result<(), CliError> {
        let mut lines = vec![("as told".to_owned(), vec![(0.0, 0.0), (100.0, 100.0)])];
        for variant in find_variants(&self.games.variants)? {
            let win_rate = WinRate::of(&variant);
            let predicted = |rebels: f64| {
                let score = Score::Evaluation((rebels * 100.0).round() as i32);
                win_rate.reported(score, Side::General).winrate()
            };
            let games = ScoredGames::play(&variant, UNSEEN, self.games.games, self.games.nodes, lab.stop)?;
            let reliability = games.reliability(predicted);
            lab.tell(format_args!("{}: {reliability}", variant.id()), || {
                let tenths = reliability.tenths.iter().filter(|tenth| tenth.positions > 0).map(|tenth| {
                    let (told, came_true) = tenth.shares();
                    json!({"positions": tenth.positions, "told": told / 100.0, "came_true": came_true / 100.0})
                });
                let (error, tenths) = (reliability.error(), tenths.collect::<Value>());
                json!({"variant": variant.id(), "games": reliability.games, "error": error, "tenths": tenths})
            })?;
            lines.push((variant.id().to_owned(), reliability.points()));
        }
        let Some(path) = &self.diagram else { return Ok(()) };
        let title = "How often the General wins, by the chance told".to_owned();
        let plot = LinePlot { title, across: "chance told, %".to_owned(), dots: true, lines, marks: Vec::new() };
        fs::write(path, plot.svg()).map_err(|error| CliError::Save(format!("{}: {error}", path.display())))
    }
}

/// Scores of games with their results.
#[derive(Default)]
pub(super) struct ScoredGames {
    pub(super) games: usize,
    pub(super) positions: Vec<ScoredPosition>,
    /// Sum of squared differences between the last score of a search and one at most half as deep, each times the lower
    /// depth: the variance falls with the depth.
    pub(super) squares: f64,
    pub(super) differences: f64,
}

/// A position: its score in Rebels and its result, both for the General, and its weight.
#[derive(Clone, Copy)]
pub(super) struct ScoredPosition {
    pub(super) score: f64,
    pub(super) result: f64,
    pub(super) weight: f64,
}

fn hundredths(score: Score) -> Option<f64> {
    score.hundredths().filter(|score| score.abs() < NEARLY_PROVED).map(f64::from)
}

impl ScoredGames {
    /// Plays games of a variant with their numbers as seeds, from `first` on, with `nodes` a move.
    pub(super) fn play(
        variant: &Arc<Variant>,
        first: u64,
        games: u32,
        nodes: u64,
        stop: &Stop,
    ) -> Result<ScoredGames, CliError> {
        check_begins(variant)?;
        let game = |seed| ScoredGames::play_one(variant, &mut Random::new(seed), nodes, stop);
        let games: Vec<ScoredGames> =
            (first..first + u64::from(games)).into_par_iter().map(game).collect::<Result<_, _>>()?;
        Ok(games.into_iter().sum())
    }

    fn play_one(variant: &Arc<Variant>, random: &mut Random, nodes: u64, stop: &Stop) -> Result<ScoredGames, CliError> {
        let mut game = random_opening(variant, random, OPENING, stop)?;
        let [general, rebels] = [(); 2].map(|()| *random.pick(&ERRORS).expect("there are rates"));
        let mut scored = ScoredGames { games: 1, ..ScoredGames::default() };
        let mut searcher = Searcher::new(4);
        let limits = Limits { nodes: Some(nodes), ..Limits::default() };
        let winner = play_out(&mut game, PLIES, stop, |game| {
            let mut earlier: Vec<(u32, f64)> = Vec::new();
            let found = searcher.search(game, limits, stop, &mut |info| {
                earlier.extend(hundredths(info.verdict.score).map(|score| (info.depth, score)));
            });
            let found = found.expect("a game that is not over has a move");
            let (sign, rate) = if game.side() == Side::General { (1.0, general) } else { (-1.0, rebels) };
            if let Some((depth, score)) =
                found.lines.first().and_then(|line| Some((line.depth, hundredths(line.verdict.score)?)))
            {
                scored.positions.push(ScoredPosition { score: sign * score / 100.0, result: 0.0, weight: 0.0 });
                for (shallow, earlier) in earlier.into_iter().filter(|(shallow, _)| depth >= 2 * shallow) {
                    scored.squares += (score - earlier).powi(2) * f64::from(shallow);
                    scored.differences += 1.0;
                }
            }
            let error = if random.below(rate) == 0 { random.pick(&game.legal_moves()).cloned() } else { None };
            Ok(error.unwrap_or(found.best))
        })?;
        let (result, weight) =
            (Tally::of_game(Side::General, winner).points(), 1.0 / scored.positions.len().max(1) as f64);
        scored.positions.iter_mut().for_each(|position| *position = ScoredPosition { result, weight, ..*position });
        Ok(scored)
    }

    /// Compares results with predictions: probabilities of a win of the General by its score in Rebels.
    pub(super) fn reliability(&self, predict: impl Fn(f64) -> f64) -> Reliability {
        let mut tenths = [Tenth::default(); 10];
        for ScoredPosition { score, result, weight } in &self.positions {
            let predicted = predict(*score);
            let tenth = &mut tenths[((predicted * 10.0) as usize).min(9)];
            tenth.positions += 1;
            tenth.weight += weight;
            tenth.predicted += weight * predicted;
            tenth.won += weight * result;
        }
        Reliability { games: self.games, tenths }
    }

    /// The weighted mean over the positions.
    fn mean(&self, value: impl Fn(&ScoredPosition) -> f64) -> f64 {
        let weight: f64 = self.positions.iter().map(|position| position.weight).sum();
        self.positions.iter().map(|position| position.weight * value(position)).sum::<f64>() / weight
    }
}

/// Predicted probabilities beside results, by tenths of the prediction.
pub(super) struct Reliability {
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
    pub(super) fn error(&self) -> f64 {
        let weight: f64 = self.tenths.iter().map(|tenth| tenth.weight).sum();
        self.tenths.iter().map(|tenth| (tenth.predicted - tenth.won).abs()).sum::<f64>() / weight
    }

    /// Prediction and result in percent, of the tenths with at least a hundredth of the games.
    pub(super) fn points(&self) -> Vec<(f64, f64)> {
        let has_enough = |tenth: &&Tenth| tenth.weight > 0.0 && tenth.weight >= self.games as f64 / 100.0;
        self.tenths.iter().filter(has_enough).map(Tenth::shares).collect()
    }
}

/// `600 games, off by 2.4 % on average`, and a line for each tenth.
impl fmt::Display for Reliability {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} games, off by {:.1} % on average", self.games, self.error() * 100.0)?;
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
            sum.positions.extend(other.positions);
            sum.squares += other.squares;
            sum.differences += other.differences;
            sum
        })
    }
}

/// The text of `win_rates.toml`.
impl fmt::Display for ScoredGames {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let of = |position: &ScoredPosition| {
            [position.score.clamp(-MOST_REBELS, MOST_REBELS), position.result, position.weight]
        };
        let (offset, slope) = fit_line(&self.positions.iter().map(of).collect::<Vec<_>>(), LEAST_SLOPE);
        let logit = |score: f64| offset + slope * score;
        let error = self.reliability(|score| probability(logit(score))).error();
        let loss = self.mean(|position| loss(logit(position.score), position.result));
        let won = self.mean(|position| position.result);
        writeln!(
            f,
            "# {} games, General {:.0} %; chance off by {:.1} % on average, loss {loss:.3}.",
            self.games,
            won * 100.0,
            error * 100.0
        )?;
        writeln!(f, "even = {:.1}", -offset / slope * 100.0)?;
        writeln!(f, "scale = {:.1}", 100.0 / slope)?;
        writeln!(f, "doubt = {:.1}", (self.squares / self.differences.max(1.0)).sqrt())
    }
}
