//! Analysis: what is asked of it, and its reports, in the three forms that clients know.
//!
//! ```
//! use privy_protocol::{AnalysisForm, AnalysisReport, AnalyzedMove, Score};
//!
//! let best = AnalyzedMove {
//!     movement: "c3-b2".to_owned(),
//!     visits: 1200,
//!     winrate: 0.75,
//!     prior: 0.5,
//!     lcb: 0.7,
//!     score: Score::Evaluation(42),
//!     order: 0,
//!     pv: vec!["c3-b2".to_owned(), "d4-c3".to_owned()],
//! };
//! let mut report = AnalysisReport { form: AnalysisForm::Leela, moves: vec![best] };
//! let line = "info move c3-b2 visits 1200 winrate 7500 prior 5000 lcb 7000 order 0 pv c3-b2 d4-c3";
//! assert_eq!(report.to_string(), line);
//! report.form = AnalysisForm::Own;
//! let line = "info move c3-b2 visits 1200 winrate 0.7500 prior 0.5000 lcb 0.7000 score +0.42 order 0 pv c3-b2 d4-c3";
//! assert_eq!(report.to_string(), line);
//! assert_eq!(line.parse(), Ok(report));
//! ```

mod report;

use std::fmt;

use crate::arguments::{Amount, Arguments};
use crate::error::{ErrorPhrase, ProtocolError};
use crate::side::Side;

pub use report::{AnalysisReport, AnalysisReportError, AnalyzedMove};

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

impl AnalysisForm {
    /// The command that analyses until the next line, in this form.
    #[must_use]
    pub const fn analyze(self) -> &'static str {
        match self {
            Self::Own => "analyze",
            Self::Leela => "lz-analyze",
            Self::Kata => "kata-analyze",
        }
    }

    /// The command that analyses until it plays a move, in this form.
    #[must_use]
    pub const fn genmove_analyze(self) -> &'static str {
        match self {
            Self::Own => "genmove_analyze",
            Self::Leela => "lz-genmove_analyze",
            Self::Kata => "kata-genmove_analyze",
        }
    }
}

/// What is asked of an analysis. Displayed as the arguments of its command.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct AnalysisRequest {
    /// Which form the reports have. It is told by the name of the command, not by the arguments.
    pub form: AnalysisForm,
    /// The side that is to move; [`None`]: whichever it is.
    pub side: Option<Side>,
    /// Time between two reports, in hundredths of a second, from 1.
    pub interval: Option<u32>,
    /// `minmoves N`: a report names so many moves at least, where there are as many.
    pub min_moves: Option<u32>,
    /// `maxmoves N`: a report names the best N moves only, but never fewer than `minmoves`.
    pub max_moves: Option<u32>,
}

/// What KataGo's clients can switch on beside the moves. The engine has none of it, so only `false` is accepted.
const EXTRAS: [&str; 8] = [
    "rootInfo",
    "ownership",
    "ownershipStdev",
    "movesOwnership",
    "movesOwnershipStdev",
    "pvVisits",
    "pvEdgeVisits",
    "noResultValue",
];

impl AnalysisRequest {
    /// Time between two reports when none is asked for, in hundredths of a second.
    pub const USUAL_INTERVAL: u32 = 100;

    /// How many moves a report names, of so many that there are.
    #[must_use]
    pub fn count(&self, legal: usize) -> usize {
        let wanted = self.max_moves.map(|most| most.max(self.min_moves.unwrap_or(1)));
        wanted.map_or(legal, |wanted| legal.min(wanted as usize))
    }

    /// Reads a side, an interval and named values, in any order.
    pub(crate) fn parse(form: AnalysisForm, mut arguments: Arguments<'_>) -> Result<Self, ProtocolError> {
        let mut request = Self { form, ..Self::default() };
        while let Some(word) = arguments.peek() {
            let place = arguments.taken() + 1;
            let known = if let Ok(side) = word.parse() {
                arguments.word();
                request.side.replace(side).is_some()
            } else if word.starts_with(|letter: char| letter.is_ascii_digit() || letter == '-') {
                request.interval.replace(interval(&mut arguments)?).is_some()
            } else {
                arguments.word();
                match word {
                    "interval" => request.interval.replace(interval(&mut arguments)?).is_some(),
                    "minmoves" => request.min_moves.replace(moves(&mut arguments, "minmoves", 0)?).is_some(),
                    "maxmoves" => request.max_moves.replace(moves(&mut arguments, "maxmoves", 1)?).is_some(),
                    extra if EXTRAS.contains(&extra) => {
                        switched_off(&mut arguments, extra)?;
                        false
                    }
                    _ => {
                        let expected = "a side, an interval, interval, minmoves or maxmoves";
                        return Err(arguments.complaint(ErrorPhrase::SyntaxError, Some("key"), expected, Some(word)));
                    }
                }
            };
            if known {
                let expected = "each argument once";
                return Err(arguments.complaint_at(place, ErrorPhrase::SyntaxError, Some("key"), expected, Some(word)));
            }
        }
        Ok(request)
    }
}

fn interval(arguments: &mut Arguments<'_>) -> Result<u32, ProtocolError> {
    arguments.small_number(Some("interval"), "hundredths of a second", 1)
}

fn moves(arguments: &mut Arguments<'_>, label: &'static str, least: u64) -> Result<u32, ProtocolError> {
    let amount = Amount::new("a number of moves", least..=u64::from(u32::MAX));
    arguments.number(Some(label), &amount).map(|count| u32::try_from(count).unwrap_or(u32::MAX))
}

fn switched_off(arguments: &mut Arguments<'_>, extra: &str) -> Result<(), ProtocolError> {
    match arguments.word() {
        Some("false") => Ok(()),
        found => {
            let expected = format!("{extra} false (there is no such information)");
            Err(arguments.complaint(ErrorPhrase::SyntaxError, Some("value"), expected, found))
        }
    }
}

impl fmt::Display for AnalysisRequest {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let words = [
            self.side.map(|side| side.to_string()),
            self.interval.map(|interval| interval.to_string()),
            self.min_moves.map(|count| format!("minmoves {count}")),
            self.max_moves.map(|count| format!("maxmoves {count}")),
        ];
        formatter.write_str(&words.into_iter().flatten().collect::<Vec<_>>().join(" "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<AnalysisRequest, String> {
        let arguments = Arguments::new("kata-analyze", text);
        AnalysisRequest::parse(AnalysisForm::Kata, arguments).map_err(|error| error.to_string())
    }

    #[test]
    fn the_forms_of_clients_are_understood() {
        let kata = AnalysisRequest { form: AnalysisForm::Kata, ..AnalysisRequest::default() };
        let side = Some(Side::Rebels);
        for (text, expected) in [
            ("", kata),
            ("10", AnalysisRequest { interval: Some(10), ..kata }),
            ("B 50", AnalysisRequest { side, interval: Some(50), ..kata }),
            ("interval 50 black", AnalysisRequest { side, interval: Some(50), ..kata }),
            ("b 5 ownership false maxmoves 3", AnalysisRequest { side, interval: Some(5), max_moves: Some(3), ..kata }),
            ("minmoves 0 maxmoves 1", AnalysisRequest { min_moves: Some(0), max_moves: Some(1), ..kata }),
        ] {
            assert_eq!(parse(text), Ok(expected), "{text}");
        }
    }

    #[test]
    fn errors() {
        for (text, message) in [
            ("x", "argument 1 (key): expected a side, an interval, interval, minmoves or maxmoves, found \"x\""),
            ("b w", "argument 2 (key): expected each argument once, found \"w\""),
            ("5 interval 5", "argument 2 (key): expected each argument once, found \"interval\""),
            ("interval", "argument 2 (interval): expected hundredths of a second from 1, found nothing"),
            ("1.5", "argument 1 (interval): expected hundredths of a second from 1, found \"1.5\""),
            ("maxmoves x", "argument 2 (maxmoves): expected a number of moves from 1, found \"x\""),
            (
                "avoid b c3-c4 1",
                "argument 1 (key): expected a side, an interval, interval, minmoves or maxmoves, found \"avoid\"",
            ),
            (
                "ownership true",
                "argument 2 (value): expected ownership false (there is no such information), found \"true\"",
            ),
        ] {
            assert_eq!(parse(text), Err(format!("syntax error: kata-analyze: {message}")), "{text}");
        }
        assert!(parse("0").unwrap_err().starts_with("value out of range: kata-analyze: argument 1 (interval): "));
        assert!(parse("-5").unwrap_err().starts_with("value out of range"));
    }

    #[test]
    fn a_report_names_all_moves_unless_fewer_are_asked_for() {
        let request = |min_moves, max_moves| AnalysisRequest { min_moves, max_moves, ..AnalysisRequest::default() };
        assert_eq!(request(None, None).count(20), 20);
        assert_eq!(request(Some(5), None).count(20), 20);
        assert_eq!(request(None, Some(3)).count(20), 3);
        assert_eq!(request(Some(5), Some(3)).count(20), 5);
        assert_eq!(request(None, Some(30)).count(20), 20);
    }
}
