//! A line of an analysis, written and read.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use crate::grammar;
use crate::info::{ValueError, read_score, whole, wrong};
use crate::score::Score;

/// How the numbers of a report are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum AnalysisForm {
    /// `analyze`: fractions with a point, and the score.
    #[default]
    Own,
    /// `lz-analyze`, as Leela Zero has it: whole numbers, ten thousand for one.
    Leela,
    /// `kata-analyze`, as KataGo has it: fractions with a point, the score, and the lead that it means.
    Kata,
}

/// What an analysis thinks of a move. All chances are those of the side to move.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct AnalyzedMove {
    /// The text of the move.
    pub movement: String,
    /// Positions looked at to judge it.
    pub visits: u64,
    /// The chance to win, 0 to 1; a draw is half a win.
    pub winrate: f64,
    /// How good it looked at first sight: its share among all moves, 0 to 1.
    pub prior: f64,
    /// A cautious winrate: as good as the move should be at least.
    pub lcb: f64,
    /// The score. [`AnalysisForm::Leela`] leaves it out.
    pub score: Score,
    /// The rank of the move, from 0.
    pub order: u32,
    /// The best play found for both sides, beginning with the move itself.
    pub pv: Vec<String>,
}

/// A line of an analysis: the moves, best first.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct AnalysisReport {
    /// How the numbers are written.
    pub form: AnalysisForm,
    /// The moves.
    pub moves: Vec<AnalyzedMove>,
}

/// The lead that a decided game counts as, in Rebels.
const DECIDED: f64 = 100.0;

/// What one is written as in whole numbers.
const WHOLE: f64 = 10_000.0;

fn lead(score: Score) -> f64 {
    match score {
        Score::Evaluation(hundredths) => f64::from(hundredths) / 100.0,
        Score::Win(_) => DECIDED,
        Score::Loss(_) => -DECIDED,
        Score::Draw => 0.0,
    }
}

impl fmt::Display for AnalysisReport {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let chance = |share: f64| match self.form {
            AnalysisForm::Leela => format!("{:.0}", share * WHOLE),
            AnalysisForm::Own | AnalysisForm::Kata => format!("{share:.4}"),
        };
        for (place, analyzed) in self.moves.iter().enumerate() {
            let AnalyzedMove { movement, visits, winrate, prior, lcb, score, order, pv } = analyzed;
            let space = if place == 0 { "" } else { " " };
            let [winrate, prior, lcb] = [winrate, prior, lcb].map(|share| chance(*share));
            write!(formatter, "{space}info move {movement} visits {visits} winrate {winrate} prior {prior} lcb {lcb}")?;
            match self.form {
                AnalysisForm::Own => write!(formatter, " score {score}")?,
                AnalysisForm::Leela => {}
                AnalysisForm::Kata => write!(formatter, " scoreLead {:.2} score {score}", lead(*score))?,
            }
            write!(formatter, " order {order} pv {}", pv.join(" "))?;
        }
        Ok(())
    }
}

/// Why a line is no report of an analysis.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum AnalysisReportError {
    /// It does not begin with `info`.
    #[error("expected info, found {0:?}")]
    Start(String),
    /// A key that every move has is missing, or a value.
    #[error(transparent)]
    Value(#[from] ValueError),
}

impl FromStr for AnalysisReport {
    type Err = AnalysisReportError;

    /// Reads a report in any of the forms, which the numbers tell.
    ///
    /// Of each move `move` and `pv` must be there, `pv` last. Other keys that are missing have the values of
    /// [`AnalyzedMove::default`], and keys that are not known are skipped with one value each.
    fn from_str(line: &str) -> Result<Self, Self::Err> {
        let mut words = grammar::words(line).peekable();
        let mut report = Self { form: AnalysisForm::Leela, moves: Vec::new() };
        match words.next() {
            Some("info") => {}
            found => return Err(AnalysisReportError::Start(found.unwrap_or_default().to_owned())),
        }
        loop {
            let mut analyzed = AnalyzedMove::default();
            loop {
                let key = words.next().ok_or(ValueError::Missing("pv"))?;
                if key == "pv" {
                    break;
                }
                let value = words.next().unwrap_or_default();
                report.form = read_value(&mut analyzed, report.form, key, value)?;
            }
            while let Some(movement) = words.next_if(|word| *word != "info") {
                analyzed.pv.push(movement.to_owned());
            }
            if analyzed.movement.is_empty() {
                return Err(ValueError::Missing("move").into());
            }
            report.moves.push(analyzed);
            if words.next().is_none() {
                return Ok(report);
            }
        }
    }
}

/// Reads a value into its place; gives the form that the line seems to have by now.
fn read_value(
    analyzed: &mut AnalyzedMove,
    form: AnalysisForm,
    key: &str,
    value: &str,
) -> Result<AnalysisForm, ValueError> {
    match key {
        "move" => value.clone_into(&mut analyzed.movement),
        "visits" => analyzed.visits = whole(key, value)?,
        "order" => analyzed.order = whole(key, value)?,
        "winrate" => analyzed.winrate = chance(key, value)?,
        "prior" => analyzed.prior = chance(key, value)?,
        "lcb" => analyzed.lcb = chance(key, value)?,
        "score" => {
            analyzed.score = read_score(key, value)?;
            return Ok(if form == AnalysisForm::Leela { AnalysisForm::Own } else { form });
        }
        "scoreLead" => return Ok(AnalysisForm::Kata),
        _ => {}
    }
    Ok(form)
}

/// A fraction with a point, or ten-thousandths without one.
fn chance(key: &str, value: &str) -> Result<f64, ValueError> {
    let number = grammar::decimal_number(value).ok_or_else(|| wrong(key, "a number", value))?;
    Ok(if value.contains('.') { number } else { number / WHOLE })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn error(line: &str) -> String {
        line.parse::<AnalysisReport>().unwrap_err().to_string()
    }

    #[test]
    fn keys_may_be_missing_or_new() {
        let report: AnalysisReport =
            "info move a1-a2 utility -0.5 pv a1-a2 b1 info order 1 move b1 pv b1".parse().unwrap();
        let names: Vec<&str> = report.moves.iter().map(|analyzed| analyzed.movement.as_str()).collect();
        assert_eq!(names, ["a1-a2", "b1"]);
        assert_eq!(report.moves[0].pv, ["a1-a2", "b1"]);
        assert_eq!(report.moves[1].order, 1);
    }

    #[test]
    fn errors() {
        assert_eq!(error("bestmove c3"), "expected info, found \"bestmove\"");
        assert_eq!(error(""), "expected info, found \"\"");
        assert_eq!(error("info move c3"), "info without pv");
        assert_eq!(error("info visits 3 pv c3"), "info without move");
        assert_eq!(error("info move c3 visits x pv c3"), "visits: expected a whole number, found \"x\"");
        assert_eq!(error("info move c3 lcb x pv c3"), "lcb: expected a number, found \"x\"");
    }

    #[test]
    fn a_decided_game_is_a_lead_of_a_hundred_rebels() {
        let won = AnalyzedMove { movement: "a1-a2".to_owned(), score: Score::Loss(6), ..AnalyzedMove::default() };
        let report = AnalysisReport { form: AnalysisForm::Kata, moves: vec![won] };
        assert!(report.to_string().contains(" scoreLead -100.00 score -W6 order 0 pv"), "{report}");
    }

    fn share() -> impl Strategy<Value = f64> {
        (0u32..=10_000).prop_map(|share| f64::from(share) / WHOLE)
    }

    fn score() -> impl Strategy<Value = Score> {
        prop_oneof![
            any::<i16>().prop_map(|hundredths| Score::Evaluation(hundredths.into())),
            (0u32..6000).prop_map(Score::Win),
            (0u32..6000).prop_map(Score::Loss),
            Just(Score::Draw),
        ]
    }

    prop_compose! {
        fn analyzed()(
            pv in proptest::collection::vec("[a-g][1-9][-x~][a-g][1-9]", 1..5),
            visits: u64, order: u32, winrate in share(), prior in share(), lcb in share(), score in score(),
        ) -> AnalyzedMove {
            AnalyzedMove { movement: pv[0].clone(), visits, winrate, prior, lcb, score, order, pv }
        }
    }

    proptest! {
        #[test]
        fn reports_read_back(moves in proptest::collection::vec(analyzed(), 1..5), form in 0..3) {
            let form = [AnalysisForm::Own, AnalysisForm::Leela, AnalysisForm::Kata][form as usize];
            let mut report = AnalysisReport { form, moves };
            if form == AnalysisForm::Leela {
                report.moves.iter_mut().for_each(|analyzed| analyzed.score = Score::default());
            }
            let read: AnalysisReport = report.to_string().parse().unwrap();
            prop_assert_eq!(read, report);
        }

        #[test]
        fn reading_never_fails_hard(line in ".*", words in "(info |move |pv |winrate |[0-9.]* ){0,12}") {
            let _ = line.parse::<AnalysisReport>();
            let _ = words.parse::<AnalysisReport>();
        }
    }
}
