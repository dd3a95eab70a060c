//! Win rates: from the evaluation of a search to the score that is reported.
//!
//! The searches count in hundredths of a Rebel, whose worth differs from game to game, and an even game is seldom 0
//! there. A report has the winning chance, as odds ([`Score::winrate`]): a logistic function of the evaluation, as in
//! the rating of players (A. Elo, 1978). Its constants are fitted to games of the engine against itself, game by game
//! (`win_rates.toml` in the folder of the game); games without a fit share one entry.

use std::cell::RefCell;

use privy_protocol::Score;
use serde::Deserialize;

use privy_rules::{Side, Variant};

/// The win rate model of a variant, in hundredths of a Rebel.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WinRate {
    /// The score for the General at which both sides win equally often.
    even: f64,
    /// The difference of scores that makes one side e times as likely to win.
    scale: f64,
    /// The standard deviation of a score of a one-ply search.
    doubt: f64,
}

impl WinRate {
    /// For games without a fit: 3900 games of the relatives, with weights of their families. General 66 %; mean error
    /// of the chance 9.1 %, loss 0.357.
    const OTHER: WinRate = WinRate { even: -721.2, scale: 742.6, doubt: 290.1 };

    /// The constants of a variant, whatever its name.
    pub fn of(variant: &Variant) -> WinRate {
        thread_local! {
            // A short search takes hardly longer than to read them.
            static LAST: RefCell<(String, WinRate)> = const { RefCell::new((String::new(), WinRate::OTHER)) };
        }
        LAST.with_borrow_mut(|(fingerprint, last)| {
            if fingerprint != variant.fingerprint() {
                (*fingerprint, *last) = (variant.fingerprint().to_owned(), WinRate::read(variant));
            }
            *last
        })
    }

    fn read(variant: &Variant) -> WinRate {
        let text = variant.known_game(|files| files.win_rates.is_some()).and_then(|files| files.win_rates);
        text.map_or(WinRate::OTHER, |text| toml::from_str(text).expect("a test reads all win rates"))
    }

    /// Returns the reported form of a score of the search for the side to move. An evaluation of exactly 0 is a draw at
    /// the end of a line.
    pub fn reported(&self, score: Score, side: Side) -> Score {
        self.reported_lowered(score, 0.0, side)
    }

    /// Returns the same for a score that is too high by the standard deviation of a search of this depth.
    pub(super) fn reported_at_least(&self, score: Score, side: Side, depth: u32) -> Score {
        let doubt = self.doubt / f64::from(depth.max(1)).sqrt();
        self.reported_lowered(score, doubt, side).min(self.reported(score, side))
    }

    fn reported_lowered(&self, score: Score, doubt: f64, side: Side) -> Score {
        let even = if side == Side::General { self.even } else { -self.even };
        match score {
            Score::Evaluation(hundredths) if hundredths != 0 => {
                Score::of_log_odds((f64::from(hundredths) - doubt - even) / self.scale)
            }
            other => other,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use privy_rules::games;
    use privy_rules::rule_set::RuleSet;

    #[test]
    fn every_file_is_read() {
        for variant in Variant::all_ids().filter_map(Variant::builtin) {
            let chances = WinRate::of(&variant);
            assert_eq!(chances == WinRate::OTHER, variant.start().outcome().is_some(), "{}", variant.id());
            assert!(chances.scale > 0.0 && chances.doubt > 0.0, "{}", variant.id());
        }
    }

    #[test]
    fn the_rules_decide_and_not_the_name() {
        let sixteen = Variant::builtin("sixteen-rebels").unwrap();
        let copy = games::get("sixteen-rebels").unwrap().rules.replace("sixteen-rebels", "mine");
        let copy = Variant::from_toml(&copy, None).unwrap();
        assert_eq!((copy.id(), WinRate::of(&copy)), ("mine", WinRate::of(&sixteen)));
        let others = games::get("kings-gonu").unwrap().rules.replace("kings-gonu", "sixteen-rebels");
        let others = Variant::from_toml(&others, None).unwrap();
        assert_eq!(others.id(), "sixteen-rebels");
        assert_eq!(WinRate::of(&others), WinRate::of(&Variant::builtin("kings-gonu").unwrap()));
        let changed = RuleSet { first: Side::Rebels, custodial: true, ..sixteen.rule_set().clone() };
        assert_eq!(WinRate::of(&sixteen.with_words(changed).unwrap()), WinRate::OTHER);
    }

    #[test]
    fn scores_of_both_sides_are_opposite_and_grow_with_the_evaluation() {
        let chances = WinRate { even: 50.0, scale: 130.0, doubt: 90.0 };
        let mut before = Score::RepetitionLoss;
        for hundredths in (-1_990..=2_000).step_by(20) {
            let score = Score::Evaluation(hundredths);
            let reported = chances.reported(score, Side::General);
            assert!(reported > before);
            let other = chances.reported(Score::Evaluation(-hundredths), Side::Rebels);
            assert_eq!(reported.hundredths(), other.hundredths().map(|reported| -reported));
            let [deep, shallow] = [16, 1].map(|depth| chances.reported_at_least(score, Side::General, depth));
            assert!(shallow < deep && deep < reported);
            before = reported;
        }
        assert_eq!(chances.reported(Score::Evaluation(50), Side::General), Score::Evaluation(0));
        let tenfold = 50 + (130.0 * std::f64::consts::LN_10).round() as i32;
        assert_eq!(chances.reported(Score::Evaluation(tenfold), Side::General), Score::Evaluation(300));
    }

    #[test]
    fn what_is_no_evaluation_is_told_as_it_is() {
        for variant in Variant::all_ids().filter_map(Variant::builtin) {
            for score in [Score::Win(70), Score::Loss(7), Score::Draw, Score::Evaluation(0), Score::UnprovedWin(30)] {
                for side in [Side::General, Side::Rebels] {
                    let chances = WinRate::of(&variant);
                    assert_eq!(
                        (chances.reported(score, side), chances.reported_at_least(score, side, 1)),
                        (score, score)
                    );
                }
            }
        }
    }
}
