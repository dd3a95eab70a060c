//! Commands that show what the engine thinks while it thinks.

use super::Command;
use crate::analysis::{AnalysisForm, AnalysisRequest};
use crate::request::Request;

const ARGUMENTS: &str = "[SIDE] [INTERVAL] [interval N] [minmoves N] [maxmoves N]";

const ANALYSIS: &str = "a line a report, every INTERVAL hundredths of a second, until the next line of input, which may be \
                        empty. A report tells of every move: info move MOVE visits N winrate W prior P lcb L ... order K \
                        pv MOVES, best first.";

const CHOICE: &str = "the same reports while it thinks, then: play MOVE. The move has been played.";

const FAILURE: &str = "illegal move, when it is the other side's turn; game over, when there is no move to make. Errors \
                       come before any other line.";

const fn analyze(form: AnalysisForm, summary: &'static str, parse: super::Parse) -> Command {
    Command { name: form.analyze(), arguments: ARGUMENTS, summary, answer: ANALYSIS, failure: FAILURE, parse }
}

const fn genmove(form: AnalysisForm, summary: &'static str, parse: super::Parse) -> Command {
    Command { name: form.genmove_analyze(), arguments: ARGUMENTS, summary, answer: CHOICE, failure: FAILURE, parse }
}

pub(super) const COMMANDS: &[Command] = &[
    analyze(AnalysisForm::Own, "show what the engine thinks of all moves, until the next line", |arguments| {
        AnalysisRequest::parse(AnalysisForm::Own, arguments).map(Request::Analyze)
    }),
    analyze(AnalysisForm::Leela, "as analyze, with the numbers of Leela Zero", |arguments| {
        AnalysisRequest::parse(AnalysisForm::Leela, arguments).map(Request::Analyze)
    }),
    analyze(AnalysisForm::Kata, "as analyze, with the numbers of KataGo", |arguments| {
        AnalysisRequest::parse(AnalysisForm::Kata, arguments).map(Request::Analyze)
    }),
    genmove(AnalysisForm::Own, "choose a move and play it, and show what the engine thinks", |arguments| {
        AnalysisRequest::parse(AnalysisForm::Own, arguments).map(Request::GenMoveAnalyze)
    }),
    genmove(AnalysisForm::Leela, "as genmove_analyze, with the numbers of Leela Zero", |arguments| {
        AnalysisRequest::parse(AnalysisForm::Leela, arguments).map(Request::GenMoveAnalyze)
    }),
    genmove(AnalysisForm::Kata, "as genmove_analyze, with the numbers of KataGo", |arguments| {
        AnalysisRequest::parse(AnalysisForm::Kata, arguments).map(Request::GenMoveAnalyze)
    }),
];
