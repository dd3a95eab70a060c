//! Analysis: what a running search finds of all moves, as chances to win, lines and ranks.
//!
//! The chance to win is a logistic function of the score, as in the rating of players (A. Elo, 1978). Its constants are fitted to games of the
//! engine against itself, game by game (`win_rates.toml` in the folder of the game); games without a fit share one entry.

use privy_protocol::{MoveInfo, Score};
use serde::Deserialize;

use privy_rules::{Game, MovePath, Side, Variant};
use privy_search::eval::Value;
use privy_search::{LiveAnalysis, LiveMove, SearchInfo, SearchRequest};

/// Observes a search that another thread runs.
#[derive(Debug)]
pub struct Analysis {
    moves: Vec<MovePath>,
    side: Side,
    win_rate: WinRate,
    live: LiveAnalysis,
}

impl Analysis {
    /// Makes a search score all its moves of this game.
    pub fn of(game: &Game, request: &mut SearchRequest) -> Analysis {
        let live = LiveAnalysis::default();
        request.live_analysis = Some(live.clone());
        let all = request.search_moves.is_empty();
        Analysis {
            moves: if all { game.legal_moves() } else { request.search_moves.clone() },
            side: game.side(),
            win_rate: WinRate::of(game.variant()),
            live,
        }
    }

    /// True once a move has been searched.
    pub fn has_begun(&self) -> bool {
        !self.live.is_empty()
    }

    /// Returns all moves, best first, with the chances of the side to move, a draw counted as half, within proved bounds. The prior is the share
    /// of the move by a search of one ply: its odds of winning, which are exponential in the score. Moves without a score yet count as even
    /// and come last.
    pub fn moves(&self) -> Vec<MoveInfo<MovePath>> {
        let mut open = self.moves.clone();
        let mut analyzed: Vec<MoveInfo<MovePath>> = Vec::new();
        for known in &self.live.moves() {
            let Some(first) = known.0.pv.first() else { continue };
            analyzed.push(self.analyzed(known, first));
            // Of jump chains with the same result the search has one; the others are as good.
            for move_ in open.extract_if(.., |move_| move_.action() == first.action()).filter(|move_| move_ != first) {
                analyzed.push(self.analyzed(known, &move_));
            }
        }
        let unseen = (SearchInfo::default(), Score::default());
        analyzed.extend(open.iter().map(|move_| self.analyzed(&unseen, move_)));
        let all: f64 = analyzed.iter().map(|analyzed| analyzed.prior).sum();
        for (analyzed, order) in analyzed.iter_mut().zip(0..) {
            (analyzed.prior, analyzed.order) = (analyzed.prior / all, order);
        }
        analyzed
    }

    fn analyzed(&self, (known, first_score): &LiveMove, move_: &MovePath) -> MoveInfo<MovePath> {
        let rest = known.pv.iter().skip(1).cloned();
        let first_chance = self.win_rate.winning(*first_score, self.side);
        let bounds = self.live.bounds();
        let bounded = |chance| bounds.as_ref().map_or(chance, |bounds| bounds.clamp_chance(move_, chance));
        MoveInfo {
            pv: std::iter::once(move_.clone()).chain(rest).collect(),
            score: known.score,
            winrate: bounded(self.win_rate.winning(known.score, self.side)),
            prior: (first_chance + LEAST_CHANCE) / (1.0 - first_chance + LEAST_CHANCE),
            lcb: bounded(self.win_rate.winning_at_least(known.score, self.side, known.depth)),
            visits: known.nodes.max(1),
            order: 0,
        }
    }
}

/// Limits the odds of a decided move to a thousand to one.
const LEAST_CHANCE: f64 = 0.001;
/// The least chance of a side that is not proved to lose.
const LEAST: f64 = 0.0001;

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
    /// For games without a fit: 3900 games of the relatives, with weights of their families. General 66 %; mean error of the chance 9.1 %, loss
    /// 0.357.
    const OTHER: WinRate = WinRate { even: -721.2, scale: 742.6, doubt: 290.1 };

    /// The constants of a variant, whatever its name.
    pub fn of(variant: &Variant) -> WinRate {
        let text = variant.known_game(|files| files.win_rates.is_some()).and_then(|files| files.win_rates);
        text.map_or(WinRate::OTHER, |text| toml::from_str(text).expect("a test reads all win rates"))
    }

    /// The chance of the side to move to win, 0 to 1, a draw counted as half.
    pub fn winning(&self, score: Score, side: Side) -> f64 {
        let hundredths = match score {
            Score::Win(_) => return 1.0,
            Score::Draw => return 0.5,
            Score::Loss(_) => return 0.0,
            other => other.hundredths().map_or(0.0, f64::from),
        };
        let even = match side {
            Side::General => self.even,
            Side::Rebels => -self.even,
        };
        let chance = 1.0 / (1.0 + (-(hundredths - even) / self.scale).exp());
        // Only what is proved is certain.
        chance.clamp(LEAST, 1.0 - LEAST)
    }

    /// The same for a score that is too high by the standard deviation of a search of this depth.
    fn winning_at_least(&self, score: Score, side: Side, depth: u32) -> f64 {
        let evaluation = score.hundredths().filter(|_| !score.is_proved());
        let Some(hundredths) = evaluation else { return self.winning(score, side) };
        let doubt = self.doubt / f64::from(depth.max(1)).sqrt();
        self.winning(Value::evaluation(hundredths - doubt.round() as i32).into(), side)
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
    fn proved_scores_are_certain() {
        let chances = WinRate::OTHER;
        for side in [Side::General, Side::Rebels] {
            assert_eq!(chances.winning(Score::Win(70), side), 1.0);
            assert_eq!(chances.winning_at_least(Score::Win(70), side, 1), 1.0);
            assert_eq!(chances.winning(Score::Loss(7), side), 0.0);
        }
    }
}
