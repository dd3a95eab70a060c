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

use crate::arguments::{Arguments, Parsed, count, put, side};
use crate::side::Side;

pub use report::{AnalysisForm, AnalysisReport, AnalysisReportError, AnalyzedMove};

/// The arguments of an analysis, as they are typed.
pub(crate) const ARGUMENTS: &str = "[SIDE] [INTERVAL] [interval N] [minmoves N] [maxmoves N]";

/// What an analysis answers.
pub(crate) const ANSWER: &str = "a line a report, every INTERVAL hundredths of a second, until the next line of input, which \
                                 may be empty. A report tells of every move: `info move MOVE visits N winrate W prior P \
                                 lcb L ... order K pv MOVES`, best first.";

/// When an analysis fails.
pub(crate) const FAILURE: &str = "`illegal move`, when it is the other side's turn; `game over`, when there is no move to \
                                  make. Errors come before any other line.";

/// What is asked of an analysis.
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
    pub fn count(&self, legal: usize) -> usize {
        let wanted = self.max_moves.map(|most| most.max(self.min_moves.unwrap_or(1)));
        wanted.map_or(legal, |wanted| legal.min(wanted as usize))
    }

    /// Reads a side, an interval and named values, in any order.
    pub(crate) fn parser<'a>(form: AnalysisForm) -> impl Fn(Arguments<'a>) -> Parsed<'a, Self> {
        move |arguments| Self::parse(form, arguments)
    }

    fn parse(form: AnalysisForm, arguments: Arguments<'_>) -> Parsed<'_, Self> {
        const KEYS: &str = "a side, an interval, interval, minmoves or maxmoves";
        let interval = || count(Some("interval"), "hundredths of a second", 1);
        let mut request = Self { form, ..Self::default() };
        let mut input = arguments;
        while let (rest, Some(word)) = input.word() {
            let before = request;
            let place = input;
            let is_number = word.starts_with(|letter: char| letter.is_ascii_digit() || letter == '-');
            let known;
            (input, known) = match word {
                _ if word.parse::<Side>().is_ok() => {
                    (put(&mut request.side, side(None), input)?, before.side.is_some())
                }
                _ if is_number => (put(&mut request.interval, interval(), input)?, before.interval.is_some()),
                "interval" => (put(&mut request.interval, interval(), rest)?, before.interval.is_some()),
                "minmoves" => {
                    let parser = count(Some("minmoves"), "a number of moves", 0);
                    (put(&mut request.min_moves, parser, rest)?, before.min_moves.is_some())
                }
                "maxmoves" => {
                    let parser = count(Some("maxmoves"), "a number of moves", 1);
                    (put(&mut request.max_moves, parser, rest)?, before.max_moves.is_some())
                }
                extra if EXTRAS.contains(&extra) => match rest.word() {
                    (behind, Some("false")) => (behind, false),
                    _ => {
                        let expected = format_args!("{extra} false (there is no such information)");
                        return rest.refused(Some("value"), expected);
                    }
                },
                _ => return input.refused(Some("key"), KEYS),
            };
            if known {
                return place.refused(Some("key"), "each argument once");
            }
        }
        Ok((input, request))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<AnalysisRequest, String> {
        let read = Arguments::new("kata-analyze", text).read(AnalysisRequest::parser(AnalysisForm::Kata));
        read.map_err(|error| error.to_string())
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
