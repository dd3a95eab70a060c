//! What the engine shows on the board of a client.

use super::Command;
use crate::arguments::Arguments;
use crate::error::{ErrorPhrase, ProtocolError};
use crate::request::{AnalysisQuery, HalfMoveRequest, Request};

pub(super) const COMMANDS: &[Command] = &[
    Command {
        name: "gogui-analyze_commands",
        arguments: "",
        summary: "the commands whose answers can be shown on the board",
        answer: "a line for each: TYPE/LABEL/COMMAND. From now on, searches draw what they think on standard error.",
        failure: "",
        parse: |arguments| arguments.finished(Request::HalfMoves(HalfMoveRequest::AnalyzeCommands)),
    },
    Command {
        name: "privy-move_values",
        arguments: "",
        summary: "what each half move leads to",
        answer: "drawing commands: labels and colours by the table, else by a short search.",
        failure: "game over.",
        parse: |arguments| analysis(&arguments, AnalysisQuery::MoveValues),
    },
    Command {
        name: "privy-best_line",
        arguments: "",
        summary: "the best play found",
        answer: "half moves, each a colour and a point, by the table, else by a short search.",
        failure: "game over.",
        parse: |arguments| analysis(&arguments, AnalysisQuery::BestLine),
    },
    Command {
        name: "privy-reach",
        arguments: "",
        summary: "how many steps the General needs to each point if nothing else moves",
        answer: "a row of the square a line, the top row first: a number for each point, \"\" where he cannot go.",
        failure: "",
        parse: |arguments| analysis(&arguments, AnalysisQuery::Reach),
    },
    Command {
        name: "privy-danger",
        arguments: "",
        summary: "the Rebels that the General could take with his next move",
        answer: "their points in one line.",
        failure: "",
        parse: |arguments| analysis(&arguments, AnalysisQuery::Danger),
    },
    Command {
        name: "privy-threats",
        arguments: "",
        summary: "the only move that keeps the result, and what the other side threatens",
        answer: "drawing commands.",
        failure: "game over.",
        parse: |arguments| analysis(&arguments, AnalysisQuery::Threats),
    },
    Command {
        name: "privy-think",
        arguments: "",
        summary: "search for some seconds and draw what is found meanwhile",
        answer: "drawing commands: the best line, and its value in words.",
        failure: "game over.",
        parse: |arguments| analysis(&arguments, AnalysisQuery::Think),
    },
    Command {
        name: "privy-parameters",
        arguments: "[NAME VALUE]",
        summary: "the options as a dialog shows them, or set one",
        answer: "a line for each option: [TYPE] NAME VALUE. With a name and a value, nothing; the value may stand in \
                 quotation marks.",
        failure: "unknown option, or value out of range; the option keeps its value.",
        parse: parameters,
    },
];

fn analysis(arguments: &Arguments<'_>, query: AnalysisQuery) -> Result<Request, ProtocolError> {
    arguments.finished(Request::HalfMoves(HalfMoveRequest::Analysis(query)))
}

fn parameters(mut arguments: Arguments<'_>) -> Result<Request, ProtocolError> {
    let Some(name) = arguments.word() else {
        return Ok(Request::HalfMoves(HalfMoveRequest::Parameters(None)));
    };
    let value = arguments.rest();
    if value.is_empty() {
        return Err(arguments.complaint(ErrorPhrase::SyntaxError, Some("value"), "a value", None));
    }
    // A value with spaces, or an empty one, comes in quotation marks.
    let bare = value.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')).unwrap_or(value);
    Ok(Request::HalfMoves(HalfMoveRequest::Parameters(Some((name.to_owned(), bare.to_owned())))))
}
