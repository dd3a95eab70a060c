//! Labels: what a position is worth for the General, as a chance to win that falls with the plies to the end.
//!
//! With a table the label is the value under perfect play. Without one the result of a game tells little of its beginning, since both
//! sides err. There a label is a temporal difference (R. Sutton, "Learning to predict by the methods of temporal differences",
//! 1988): a mean of what a search says of the position and of the label of the next one, a ply older. An error ends that: what came of it
//! tells nothing of the position before. A game that stands still grows older without coming nearer to an end, so its labels
//! fall: that is what teaches the evaluation to see progress.

use privy_protocol::Score;

use crate::eval::{SCALE, log_odds_before, log_odds_of_win_in};
use crate::rules::Side;
use crate::search::SearchResult;
use crate::tablebase::Value;

use super::logistic::chance;

/// The share of what follows in a label; the rest is that of the search of the position.
const LAMBDA: f64 = 0.8;

/// The logarithm of the odds for the General, of odds for a side.
fn for_general(side: Side, log_odds: f64) -> f64 {
    if side == Side::General { log_odds } else { -log_odds }
}

/// The label of a position of this value for the side to move.
pub(super) fn exact(side: Side, value: Value) -> f64 {
    chance(match value {
        Value::Win(plies) => for_general(side, log_odds_of_win_in(plies)),
        Value::Loss(plies) => for_general(!side, log_odds_of_win_in(plies)),
        Value::Draw => 0.0,
        Value::WinByRepetition => for_general(side, log_odds_of_win_in(u32::MAX)),
        Value::LossByRepetition => for_general(!side, log_odds_of_win_in(u32::MAX)),
    })
}

/// What was found out in a game, ply by ply, as logarithms of the odds for the General.
#[derive(Debug, Default)]
pub(super) struct Course(Vec<Turn>);

#[derive(Debug)]
struct Turn {
    estimate: f64,
    /// The move was chosen at random, and what came of it tells nothing of the position.
    is_error: bool,
}

impl Course {
    /// Takes in what a search has found for the side to move, and whether its move was played.
    pub(super) fn push(&mut self, side: Side, found: Option<&SearchResult>, is_error: bool) {
        let estimate = found.and_then(|found| found.lines.first()).map_or(0.0, |line| match line.score {
            Score::Win(plies) => log_odds_of_win_in(plies),
            Score::Loss(plies) => -log_odds_of_win_in(plies),
            Score::Draw => 0.0,
            // It is the evaluation of a position so many plies on.
            Score::Evaluation(hundredths) => log_odds_before(f64::from(hundredths) / SCALE, f64::from(line.depth)),
        });
        self.0.push(Turn { estimate: for_general(side, estimate), is_error });
    }

    /// The last move was not the one that the search chose.
    pub(super) fn last_is_an_error(&mut self) {
        self.0.iter_mut().next_back().into_iter().for_each(|turn| turn.is_error = true);
    }

    /// The labels of all positions of a game that ends so many plies after the last of them.
    pub(super) fn labels(self, winner: Option<Side>, plies: u32) -> Vec<f64> {
        let mut later = winner.map_or(0.0, |winner| for_general(winner, log_odds_of_win_in(plies)));
        let mut labels: Vec<f64> = Vec::with_capacity(self.0.len());
        for turn in self.0.into_iter().rev() {
            later = if turn.is_error {
                turn.estimate
            } else {
                (1.0 - LAMBDA) * turn.estimate + LAMBDA * log_odds_before(later, 1.0)
            };
            labels.push(chance(later));
        }
        labels.reverse();
        labels
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A course of estimates in logarithms of the odds, each with whether an error followed.
    fn course(turns: &[(f64, bool)]) -> Course {
        Course(turns.iter().map(|(estimate, is_error)| Turn { estimate: *estimate, is_error: *is_error }).collect())
    }

    #[test]
    fn a_win_is_the_nearer_the_later_the_position() {
        let labels = course(&[(0.0, false); 8]).labels(Some(Side::Rebels), 0);
        assert!(labels.is_sorted_by(|before, after| before > after) && labels[0] < 0.5, "{labels:?}");
        let for_general = course(&[(0.0, false); 8]).labels(Some(Side::General), 0);
        labels.iter().zip(&for_general).for_each(|(one, other)| assert!((one + other - 1.0).abs() < 1e-9));
    }

    #[test]
    fn what_came_of_an_error_tells_nothing_of_the_position_before() {
        let turns = [(0.4, false), (0.7, true), (-1.0, false)];
        let (won, lost) = (course(&turns).labels(Some(Side::General), 0), course(&turns).labels(Some(Side::Rebels), 0));
        assert_eq!(won[..2], lost[..2]);
        assert_eq!(won[1], chance(0.7));
        assert!(won[2] > lost[2]);
    }

    #[test]
    fn who_stands_still_comes_to_nothing() {
        let labels = course(&[(0.9, false); 400]).labels(None, 0);
        assert!(labels.iter().all(|label| *label < chance(0.9) && *label >= 0.5), "{labels:?}");
        let mut aside = course(&[(0.9, false), (0.9, false)]);
        aside.last_is_an_error();
        assert_eq!(aside.labels(Some(Side::Rebels), 0)[1], chance(0.9));
    }

    #[test]
    fn values_of_a_table_are_those_of_the_general() {
        assert_eq!(exact(Side::General, Value::Win(4)), exact(Side::Rebels, Value::Loss(4)));
        assert!(exact(Side::Rebels, Value::Win(4)) < exact(Side::Rebels, Value::Win(14)));
        assert_eq!(exact(Side::Rebels, Value::Draw), 0.5);
    }
}
