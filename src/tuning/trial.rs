//! New weights against old ones: a match that a fit must win before its weights are kept.
//!
//! A loss that falls on games held out does not make play stronger; only games tell. Openings are random, each played twice with
//! sides swapped, and a sequential test on the pairs ends the match.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use rayon::prelude::*;

use crate::eval::Weights;
use crate::random::Random;
use crate::rules::{Side, Variant};
use crate::search::{Limits, PreparedVariant, Searcher};
use crate::tournament::statistics::{EloModel, Pairs, Parameters, Sample, Sprt, Strength, Tally, Verdict};

use super::request::FitError;
use super::self_play::{check_begins, opening, play, searched};

/// Plies after which a game is taken for a draw.
const PLIES: usize = 300;

/// Random moves that a game begins with, at most.
const OPENING: u64 = 12;

/// Pairs between two looks at the test: what is found does not depend on the number of threads.
const BATCH: u64 = 20;

/// The test asks whether the new weights are better by this much, or not at all; wrong one time in twenty.
const ELO: f64 = 20.0;
const ERROR: f64 = 0.05;

/// What is to be tried.
#[derive(Debug, Clone)]
pub struct TrialRequest {
    /// The game.
    pub variant: Arc<Variant>,
    /// The weights that are to be kept if they win.
    pub new: Weights,
    /// The weights that the engine has.
    pub old: Weights,
    /// Nodes of a move.
    pub nodes: u64,
    /// A match that is not decided ends after so many pairs.
    pub most_pairs: u64,
    /// The number from which all choices are drawn.
    pub seed: u64,
}

/// How it went for the new weights.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Trial {
    /// Games.
    pub games: Tally,
    /// The same by pairs.
    pub pairs: Pairs,
    /// What the sequential test says.
    pub verdict: Verdict,
}

impl TrialRequest {
    /// Plays the match; `progress` is told the pairs played.
    ///
    /// # Errors
    /// When the game is over where it begins, or `stop` was set.
    pub fn play(&self, progress: &(dyn Fn(u64) + Sync), stop: &AtomicBool) -> Result<Trial, FitError> {
        check_begins(&self.variant)?;
        let hypotheses = Parameters { model: EloModel::Logistic, elo0: 0.0, elo1: ELO, alpha: ERROR, beta: ERROR };
        let test = Sprt::try_from(hypotheses).expect("a test that makes sense");
        let prepared =
            |weights: &Weights| Arc::new(PreparedVariant::with_weights(&self.variant, Some(weights.clone())));
        let players = [prepared(&self.new), prepared(&self.old)];
        let mut trial = Trial { games: Tally::default(), pairs: Pairs::default(), verdict: Verdict::Undecided };
        for batch in 0..self.most_pairs.div_ceil(BATCH) {
            let numbers = batch * BATCH..self.most_pairs.min((batch + 1) * BATCH);
            let played: Result<Vec<[Tally; 2]>, FitError> =
                numbers.into_par_iter().map(|number| self.play_pair(number, &players, stop)).collect();
            for [first, second] in played? {
                trial.games += first;
                trial.games += second;
                trial.pairs.add(first, second);
            }
            progress(trial.pairs.count());
            trial.verdict = test.verdict(test.log_likelihood_ratio(&Sample::new(&trial.games, &trial.pairs)));
            if trial.verdict != Verdict::Undecided {
                break;
            }
        }
        Ok(trial)
    }

    /// The two games of an opening, for the new weights: as General, then as Rebels.
    fn play_pair(
        &self,
        number: u64,
        players: &[Arc<PreparedVariant>; 2],
        stop: &AtomicBool,
    ) -> Result<[Tally; 2], FitError> {
        let opening = opening(&self.variant, &mut Random::numbered(self.seed, number), OPENING);
        let limits = Limits { nodes: Some(self.nodes), ..Limits::default() };
        let game = |side: Side| -> Result<Tally, FitError> {
            let [mut new, mut old] = players.each_ref().map(|player| Searcher::prepared_for(Arc::clone(player), 4));
            let winner = play(&mut opening.clone(), PLIES, stop, |game| {
                let searcher = if game.side() == side { &mut new } else { &mut old };
                searched(searcher, game, &limits)
            })?;
            Ok(Tally::of_game(side, winner))
        };
        Ok([game(Side::General)?, game(Side::Rebels)?])
    }
}

impl Trial {
    /// Have the new weights won? Where the test came to no end, its games must leave no doubt all the same.
    #[must_use]
    pub fn is_won(&self) -> bool {
        let strength = Strength::new(&self.games, &self.pairs);
        let is_sure = || strength.and_then(|strength| strength.elo_interval).is_some_and(|interval| interval.low > 0.0);
        self.verdict == Verdict::H1 || self.verdict == Verdict::Undecided && is_sure()
    }
}

/// `120 won, 31 drawn, 89 lost, +45.1 +- 20.3 Elo, H1 accepted`.
impl fmt::Display for Trial {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Tally { wins, draws, losses } = self.games;
        write!(f, "{wins} won, {draws} drawn, {losses} lost")?;
        let strength = Strength::new(&self.games, &self.pairs);
        if let Some((strength, error)) = strength.and_then(|strength| Some((strength, strength.elo_interval?.error()?)))
        {
            write!(f, ", {:+.1} +- {error:.1} Elo", strength.elo)?;
        }
        write!(f, ", {}", self.verdict)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::SideWeights;

    fn request(new: Weights, old: Weights) -> TrialRequest {
        let variant = Variant::builtin("shap-luk-kon").unwrap();
        TrialRequest { variant, new, old, nodes: 300, most_pairs: 60, seed: 1 }
    }

    #[test]
    fn weights_that_say_nothing_lose_and_those_that_say_something_win() {
        let fitted = Weights::of(&Variant::builtin("shap-luk-kon").unwrap());
        let nothing = Weights { general_to_move: SideWeights::none(), rebels_to_move: SideWeights::none() };
        let stop = AtomicBool::new(false);
        let won = request(fitted.clone(), nothing.clone()).play(&|_| {}, &stop).unwrap();
        assert!(won.is_won(), "{won}");
        let lost = request(nothing, fitted.clone()).play(&|_| {}, &stop).unwrap();
        assert!(!lost.is_won(), "{lost}");
        let equal = request(fitted.clone(), fitted).play(&|_| {}, &stop).unwrap();
        assert!(!equal.is_won() && equal.games.wins == equal.games.losses, "{equal}");
    }
}
