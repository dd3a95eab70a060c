//! Reports of an analysis in the forms of Leela Zero and KataGo.

use privy_protocol::{MoveInfo, Score};

/// The form of the numbers in a report, by the name of the command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AnalysisForm {
    /// `analyze`, the form of the ordinary session.
    Own,
    /// `lz-analyze`, as Leela Zero: ten-thousandths as whole numbers, and no score.
    Leela,
    /// `kata-analyze`, as KataGo: decimal fractions, the score, and the same as a lead.
    Kata,
}

impl AnalysisForm {
    /// Returns the function that writes the numbers of a move in this form.
    pub(super) fn numbers(self) -> fn(&MoveInfo) -> String {
        match self {
            Self::Own => MoveInfo::numbers,
            Self::Leela => leela,
            Self::Kata => kata,
        }
    }
}

fn leela(MoveInfo { winrate, prior, lcb, .. }: &MoveInfo) -> String {
    let [winrate, prior, lcb] = [winrate, prior, lcb].map(|share| share * 10_000.0);
    format!("winrate {winrate:.0} prior {prior:.0} lcb {lcb:.0}")
}

fn kata(MoveInfo { winrate, prior, lcb, verdict, .. }: &MoveInfo) -> String {
    let lead = lead(verdict.score);
    format!("winrate {winrate:.4} prior {prior:.4} lcb {lcb:.4} scoreLead {lead:.2} score {verdict}")
}

/// The score as a number; a decided game counts as a hundred.
fn lead(score: Score) -> f64 {
    match score {
        Score::Win(_) => 100.0,
        Score::Loss(_) => -100.0,
        other => other.hundredths().map_or(0.0, f64::from) / 100.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use privy_protocol::{Bound, Verdict, analysis_line};

    #[test]
    fn each_form_has_its_numbers() {
        let best = MoveInfo {
            visits: 1200,
            winrate: 0.75,
            prior: 0.5,
            lcb: 0.7,
            verdict: Score::Evaluation(42).into(),
            pv: vec!["C3".to_owned(), "B2".to_owned()],
            ..MoveInfo::default()
        };
        let lost = MoveInfo {
            pv: vec!["D3".to_owned()],
            order: 1,
            verdict: Verdict::bounded(Score::Loss(6), Bound::Lower),
            ..MoveInfo::default()
        };
        let moves = [best, lost];
        let text = |form: AnalysisForm| analysis_line(&moves, form.numbers());
        assert_eq!(
            text(AnalysisForm::Own),
            "info move C3 visits 1200 winrate 0.7500 prior 0.5000 lcb 0.7000 score +0.42 order 0 pv C3 B2 \
             info move D3 visits 0 winrate 0.0000 prior 0.0000 lcb 0.0000 score -W6 bound lower order 1 pv D3"
        );
        assert_eq!(
            text(AnalysisForm::Leela),
            "info move C3 visits 1200 winrate 7500 prior 5000 lcb 7000 order 0 pv C3 B2 \
             info move D3 visits 0 winrate 0 prior 0 lcb 0 order 1 pv D3"
        );
        assert_eq!(
            text(AnalysisForm::Kata),
            "info move C3 visits 1200 winrate 0.7500 prior 0.5000 lcb 0.7000 scoreLead 0.42 score +0.42 order 0 pv C3 \
             B2 info move D3 visits 0 winrate 0.0000 prior 0.0000 lcb 0.0000 scoreLead -100.00 score -W6 bound lower \
             order 1 pv D3"
        );
    }
}
