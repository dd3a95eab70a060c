//! Win rate: from scores to chances to win.
//!
//! The chance is a logistic function of the score, as in the rating of players (A. Elo, 1978), with constants fitted to
//! games of the engine against itself, game by game: `win_rates.toml` in the folder of the game. Games that have not been
//! fitted share one entry.

use serde::Deserialize;

use privy_protocol::Score;

use crate::eval::Value;
use crate::rules::{Side, Variant};

/// The least chance of a side that has not been proved to lose.
const LEAST: f64 = 0.0001;

/// The constants of one variant, in hundredths of a Rebel.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WinRate {
    /// The score for the General at which both sides win as often.
    even: f64,
    /// The difference of scores that makes one side e times as likely to win.
    scale: f64,
    /// The standard deviation of a score that was searched one ply deep.
    doubt: f64,
}

impl WinRate {
    /// For games that no constants were fitted to: 3900 games of the relatives, whose weights were not fitted either. General 66 %; chance
    /// told wrong by 9.1 % on average, loss 0.357.
    const OTHER: WinRate = WinRate { even: -721.2, scale: 742.6, doubt: 290.1 };

    /// The constants for a variant, whatever it is called.
    #[must_use]
    pub fn of(variant: &Variant) -> WinRate {
        let text = variant.known_game(|files| files.win_rates.is_some()).and_then(|files| files.win_rates);
        text.map_or(WinRate::OTHER, |text| toml::from_str(text).expect("a test reads all win rates"))
    }

    /// The chance of the side to move to win, 0 to 1, a draw counted as half.
    #[must_use]
    pub fn winning(&self, score: Score, side: Side) -> f64 {
        let hundredths = match score {
            Score::Win(_) => return 1.0,
            Score::Draw => return 0.5,
            Score::Loss(_) => return 0.0,
            Score::Evaluation(hundredths) => f64::from(hundredths),
        };
        let even = match side {
            Side::General => self.even,
            Side::Rebels => -self.even,
        };
        let chance = 1.0 / (1.0 + (-(hundredths - even) / self.scale).exp());
        // Only what is proved is certain.
        chance.clamp(LEAST, 1.0 - LEAST)
    }

    /// The same for a score that is worse than told by its standard deviation, as a search so many plies deep has it.
    #[must_use]
    pub fn winning_at_least(&self, score: Score, side: Side, depth: u32) -> f64 {
        let Score::Evaluation(hundredths) = score else { return self.winning(score, side) };
        let doubt = self.doubt / f64::from(depth.max(1)).sqrt();
        self.winning(Value::evaluation(hundredths - doubt.round() as i32).into(), side)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games;
    use crate::rules::rule_set::RuleSet;

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
    fn chances_of_both_sides_are_one_together_and_grow_with_the_score() {
        let chances = WinRate { even: 50.0, scale: 130.0, doubt: 90.0 };
        let mut before = 0.0;
        for hundredths in (-2_000..=2_000).step_by(50) {
            let score = Score::Evaluation(hundredths);
            let chance = chances.winning(score, Side::General);
            assert!(chance >= before && (LEAST..=1.0 - LEAST).contains(&chance));
            assert!((chance + chances.winning(Score::Evaluation(-hundredths), Side::Rebels) - 1.0).abs() < 1e-9);
            let [deep, shallow] = [16, 1].map(|depth| chances.winning_at_least(score, Side::General, depth));
            assert!(shallow <= deep && deep <= chance);
            assert!(shallow < chance || hundredths.abs() > 1_000);
            before = chance;
        }
        assert!((chances.winning(Score::Evaluation(50), Side::General) - 0.5).abs() < 1e-9);
    }

    #[test]
    fn what_is_proved_is_certain() {
        let chances = WinRate::OTHER;
        for side in [Side::General, Side::Rebels] {
            assert_eq!(chances.winning(Score::Win(70), side), 1.0);
            assert_eq!(chances.winning_at_least(Score::Win(70), side, 1), 1.0);
            assert_eq!(chances.winning(Score::Loss(7), side), 0.0);
        }
    }
}
