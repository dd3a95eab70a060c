//! Games that are decided before the rules end them.

use std::str::FromStr;
use std::sync::Arc;

use privy_protocol::Score;
use serde::{Deserialize, Serialize};

use crate::record::GameResult;
use crate::rules::{Game, Side};
use crate::tablebase::{Table, Value};

/// When a game is ended early. Nothing is, by default.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Adjudication {
    /// From this ply on a position whose value the table knows ends the game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) table_from: Option<u32>,
    /// Both engines agree that one side is winning.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) win: Option<Agreement>,
    /// Both engines agree that the game is even.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) draw: Option<Agreement>,
}

/// `score=S,plies=N[,from=PLY]`: what engines must agree upon, and how long.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Agreement {
    /// In hundredths of a Rebel: a win is at least so much, a draw at most.
    pub(crate) score: u32,
    /// For so many plies in a row, at least 2, so that both engines have spoken.
    pub(crate) plies: u32,
    /// Not before so many plies have been played.
    #[serde(default)]
    pub(crate) from: u32,
}

/// Text that is no agreement.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "adjudication \"{0}\": expected score=REBELS,plies=N and perhaps from=PLY, such as score=6.00,plies=8; at least 2 plies"
)]
pub(crate) struct BadAgreement(String);

impl FromStr for Agreement {
    type Err = BadAgreement;

    fn from_str(text: &str) -> Result<Agreement, BadAgreement> {
        let (mut score, mut plies, mut from) = (None, None, None);
        for pair in text.split(',') {
            let bad = || BadAgreement(text.to_owned());
            let (key, value) = pair.split_once('=').ok_or_else(bad)?;
            match key.trim() {
                "score" if score.is_none() => {
                    let rebels: f64 = value.parse().map_err(|_| bad())?;
                    let fits = (0.0..=1000.0).contains(&rebels);
                    score = Some(if fits { (rebels * 100.0).round() as u32 } else { return Err(bad()) });
                }
                "plies" if plies.is_none() => plies = Some(value.parse().map_err(|_| bad())?),
                "from" if from.is_none() => from = Some(value.parse().map_err(|_| bad())?),
                _ => return Err(bad()),
            }
        }
        match (score, plies) {
            (Some(score), Some(plies)) if plies >= 2 => Ok(Agreement { score, plies, from: from.unwrap_or(0) }),
            _ => Err(BadAgreement(text.to_owned())),
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Decision {
    /// The table knows the value of the position, for the side to move.
    Table(Value, Side),
    /// Both engines see this side winning.
    Win(Side),
    Draw,
}

impl Decision {
    pub(crate) fn result(self) -> GameResult {
        match self {
            Decision::Table(Value::Win(_) | Value::WinByRepetition, side) => GameResult::won_by(side),
            Decision::Table(Value::Loss(_) | Value::LossByRepetition, side) => GameResult::won_by(!side),
            Decision::Win(side) => GameResult::won_by(side),
            Decision::Table(Value::Draw, _) | Decision::Draw => GameResult::Draw,
        }
    }

    pub(crate) fn reason(self) -> String {
        match self {
            Decision::Table(value, side) => format!("adjudicated by table: {value} for the {side} to move"),
            Decision::Win(_) | Decision::Draw => "adjudicated by score: both engines agree".to_owned(),
        }
    }
}

/// Follows a game and decides it.
#[derive(Debug)]
pub(super) struct Adjudicator {
    rules: Adjudication,
    table: Option<Arc<Table>>,
    /// How many moves in a row say that this side wins.
    winning: (Option<Side>, u32),
    /// How many moves in a row say that the game is even.
    even: u32,
    plies: u32,
}

impl Adjudicator {
    pub(super) fn new(rules: Adjudication, table: Option<Arc<Table>>) -> Adjudicator {
        Adjudicator { rules, table, winning: (None, 0), even: 0, plies: 0 }
    }

    /// Notes a move by its player's score.
    pub(super) fn note(&mut self, mover: Side, score: Option<Score>) {
        self.plies += 1;
        let winner = score.zip(self.rules.win).and_then(|(score, win)| winner(score, mover, win.score));
        self.winning = match self.winning {
            (side, plies) if side == winner => (winner, plies + 1),
            _ => (winner, 1),
        };
        let even = score.zip(self.rules.draw).is_some_and(|(score, draw)| is_even(score, draw.score));
        self.even = if even { self.even + 1 } else { 0 };
    }

    /// Looks at the position after the moves noted so far.
    pub(super) fn decide(&self, game: &Game) -> Option<Decision> {
        if self.rules.table_from.is_some_and(|from| self.plies >= from)
            && let Some(Ok(value)) = self.table.as_ref().map(|table| table.probe(game))
        {
            return Some(Decision::Table(value, game.side()));
        }
        let holds = |agreement: &Agreement, plies| plies >= agreement.plies && self.plies >= agreement.from;
        if let (Some(side), plies) = self.winning
            && self.rules.win.is_some_and(|win| holds(&win, plies))
        {
            return Some(Decision::Win(side));
        }
        self.rules.draw.filter(|draw| holds(draw, self.even)).map(|_| Decision::Draw)
    }
}

/// The side that a score says will win.
fn winner(score: Score, mover: Side, least: u32) -> Option<Side> {
    match score {
        Score::Win(_) => Some(mover),
        Score::Loss(_) => Some(!mover),
        Score::Evaluation(hundredths) if hundredths.unsigned_abs() >= least && hundredths != 0 => {
            Some(if hundredths > 0 { mover } else { !mover })
        }
        Score::Evaluation(_) | Score::Draw => None,
    }
}

fn is_even(score: Score, most: u32) -> bool {
    match score {
        Score::Draw => true,
        Score::Evaluation(hundredths) => hundredths.unsigned_abs() <= most,
        Score::Win(_) | Score::Loss(_) => false,
    }
}

#[cfg(test)]
mod tests {
    use crate::rules::{DEFAULT_VARIANT, Variant};

    use super::*;

    fn decide(rules: Adjudication, scores: &[Score]) -> Option<Decision> {
        let game = Variant::builtin(DEFAULT_VARIANT).unwrap().start();
        let mut adjudicator = Adjudicator::new(rules, None);
        let mut side = Side::General;
        for score in scores {
            assert_eq!(adjudicator.decide(&game), None);
            adjudicator.note(side, Some(*score));
            side = !side;
        }
        adjudicator.decide(&game)
    }

    #[test]
    fn a_win_needs_both_engines() {
        use Score::{Evaluation, Loss, Win};
        let rules = Adjudication { win: Some("score=5,plies=3".parse().unwrap()), ..Adjudication::default() };
        assert_eq!(decide(rules, &[Evaluation(500), Evaluation(-501), Win(9)]), Some(Decision::Win(Side::General)));
        assert_eq!(decide(rules, &[Evaluation(-500), Win(4), Loss(3)]), Some(Decision::Win(Side::Rebels)));
        assert_eq!(decide(rules, &[Evaluation(500), Evaluation(501), Evaluation(900)]), None);
        assert_eq!(decide(rules, &[Evaluation(500), Evaluation(-499), Evaluation(500), Evaluation(-500)]), None);
    }

    #[test]
    fn a_draw_needs_small_scores_and_its_ply() {
        use Score::{Draw, Evaluation};
        let rules =
            Adjudication { draw: Some("score=0.10,plies=2,from=4".parse().unwrap()), ..Adjudication::default() };
        assert_eq!(decide(rules, &[Draw, Evaluation(10)]), None);
        assert_eq!(decide(rules, &[Evaluation(99), Draw, Evaluation(10), Evaluation(-10)]), Some(Decision::Draw));
        assert_eq!(decide(rules, &[Draw, Draw, Draw, Evaluation(11)]), None);
    }

    #[test]
    fn agreements_are_read_or_refused() {
        assert_eq!("score=6.00,plies=8".parse(), Ok(Agreement { score: 600, plies: 8, from: 0 }));
        for text in [
            "",
            "score=1",
            "plies=3",
            "score=1,plies=1",
            "score=-1,plies=2",
            "score=1,plies=2,x=3",
            "score=1,score=2,plies=2",
        ] {
            assert!(text.parse::<Agreement>().is_err(), "{text}");
        }
    }
}
