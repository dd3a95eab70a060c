//! Commands for what tables of perfect play know.

use super::Command;
use crate::arguments::Arguments;
use crate::error::ProtocolError;
use crate::request::Request;

pub(super) const COMMANDS: &[Command] = &[
    Command {
        name: "probe",
        arguments: "[moves]",
        summary: "the value of the position, or of each legal move, from a table of perfect play",
        answer: "for the side to move win N or loss N, N plies from the end, or draw; with moves a line for each legal \
                 move, as c3-b2 win 38, this move counted: wins short to long, draws, losses long to short, equal ones \
                 sorted by their text.",
        failure: "no table, when the variant has none or it does not cover the position; game over.",
        parse: probe,
    },
    Command {
        name: "table",
        arguments: "",
        summary: "the table of perfect play of the variant",
        answer: "ID FINGERPRINT MAX_PLIES BYTES PATH.",
        failure: "no table.",
        parse: |arguments| arguments.finished(Request::Table),
    },
    Command {
        name: "explain",
        arguments: "",
        summary: "the position in words",
        answer: "who is winning and how surely, which moves keep the result, what each capture leads to, where the General \
                 can step and what he threatens; from the table, or without one from a short search.",
        failure: "game over.",
        parse: |arguments| arguments.finished(Request::Explain),
    },
];

fn probe(mut arguments: Arguments<'_>) -> Result<Request, ProtocolError> {
    let moves = arguments.flag("moves")?;
    arguments.finished(Request::Probe { moves })
}
