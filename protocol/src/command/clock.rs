//! Commands for the engine's own clock, which `genmove` goes by. Times are in seconds.

use super::Command;
use crate::arguments::Arguments;
use crate::clock::TimeControl;
use crate::error::{ErrorPhrase, ProtocolError};
use crate::request::Request;

/// The arguments of `kata-time_settings`.
pub(super) const KATA_ARGUMENTS: &str =
    "none | absolute MAIN | byoyomi MAIN PERIOD PERIODS | canadian MAIN PERIOD MOVES | fischer MAIN INCREMENT";

pub(super) const COMMANDS: &[Command] = &[
    Command {
        name: "time_settings",
        arguments: "MAIN PERIOD MOVES",
        summary: "give each side a main time, then a period of time for so many moves again and again",
        answer: "nothing. Times in seconds. No period: the main time is for the whole game. A period with no moves: \
                 there is no limit.",
        failure: "",
        parse: time_settings,
    },
    Command {
        name: "time_left",
        arguments: "SIDE SECONDS MOVES",
        summary: "set the clock of a side",
        answer: "nothing. MOVES is how many moves the time is for; 0 means that it is main time. A negative time is \
                 taken as none.",
        failure: "",
        parse: time_left,
    },
    Command {
        name: "kata-time_settings",
        arguments: KATA_ARGUMENTS,
        summary: "set the time control, by its kind",
        answer: "nothing. Times in seconds.",
        failure: "",
        parse: kata_time_settings,
    },
    Command {
        name: "kata-list_time_settings",
        arguments: "",
        summary: "the kinds of time control",
        answer: "the kinds in one line, separated by spaces.",
        failure: "",
        parse: |arguments| arguments.finished(Request::KataListTimeSettings),
    },
];

pub(super) fn time_settings(mut arguments: Arguments<'_>) -> Result<Request, ProtocolError> {
    let main = arguments.seconds(Some("main"), false)?;
    let period = arguments.seconds(Some("period"), false)?;
    let moves = arguments.small_number(Some("moves"), "a number of moves", 0)?;
    arguments.finished(Request::TimeSettings { main, period, moves })
}

pub(super) fn time_left(mut arguments: Arguments<'_>) -> Result<Request, ProtocolError> {
    let side = arguments.side(Some("side"))?;
    let time = arguments.seconds(Some("seconds"), true)?;
    let moves = arguments.small_number(Some("moves"), "a number of moves", 0)?;
    arguments.finished(Request::TimeLeft { side, time, moves })
}

pub(super) fn kata_time_settings(mut arguments: Arguments<'_>) -> Result<Request, ProtocolError> {
    let kind = arguments.word();
    let control = match kind {
        Some("none") => TimeControl::None,
        Some("absolute") => TimeControl::Absolute { main: arguments.seconds(Some("main"), false)? },
        Some("byoyomi") => TimeControl::ByoYomi {
            main: arguments.seconds(Some("main"), false)?,
            period: arguments.seconds(Some("period"), false)?,
            periods: arguments.small_number(Some("periods"), "a number of periods", 0)?,
        },
        Some("canadian") => TimeControl::Canadian {
            main: arguments.seconds(Some("main"), false)?,
            period: arguments.seconds(Some("period"), false)?,
            moves: arguments.small_number(Some("moves"), "a number of moves", 0)?,
        },
        Some("fischer") => TimeControl::Fischer {
            main: arguments.seconds(Some("main"), false)?,
            increment: arguments.seconds(Some("increment"), false)?,
        },
        _ => {
            let expected = "none, absolute, byoyomi, canadian or fischer";
            return Err(arguments.complaint(ErrorPhrase::SyntaxError, Some("kind"), expected, kind));
        }
    };
    arguments.finished(Request::KataTimeSettings(control))
}
