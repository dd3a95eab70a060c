//! Commands that play half moves, take them back, set up positions and time them.

use super::Command;
use crate::arguments::Arguments;
use crate::command::{GENMOVE, REG_GENMOVE, clock};
use crate::error::ProtocolError;
use crate::request::{HalfMoveRequest, Request, SidedPoint};

pub(super) const COMMANDS: &[Command] = &[
    Command {
        name: "play",
        arguments: "SIDE POINT",
        summary: "play a half move",
        answer: "nothing. POINT may be pass for the side that is not to move: at the beginning, between the half moves \
                 of the other side, and after the end.",
        failure: "illegal move, with the reason; the game stays as it is.",
        parse: |mut arguments| {
            let side = arguments.side(Some("side"))?;
            let movement = arguments.required(Some("point"), POINT_OR_PASS)?.to_owned();
            arguments.finished(Request::Play { side: Some(side), movement })
        },
    },
    Command {
        name: "gogui-play_sequence",
        arguments: "[SIDE POINT ...]",
        summary: "play half moves",
        answer: "nothing.",
        failure: "illegal move, with its number and the reason; then none is played.",
        parse: |arguments| Ok(Request::HalfMoves(HalfMoveRequest::PlaySequence(points(arguments, POINT_OR_PASS)?))),
    },
    Command {
        name: "genmove",
        arguments: "SIDE",
        summary: "choose a half move on the engine's own clock and play it",
        answer: "a point, which has been played. The second half of a move comes at once, unless the first was played \
                 by hand. pass when SIDE is not to move and may pass, and after the end.",
        failure: "illegal move, when it is the other side's turn; the game stays as it is.",
        parse: GENMOVE,
    },
    Command {
        name: "reg_genmove",
        arguments: "SIDE",
        summary: "choose a half move without playing it",
        answer: "a point, or pass, as genmove.",
        failure: "illegal move, when it is the other side's turn.",
        parse: REG_GENMOVE,
    },
    Command {
        name: "undo",
        arguments: "[N]",
        summary: "take back half moves",
        answer: "nothing. N half moves are taken back, one when N is not given; a pass counts as one.",
        failure: "cannot undo, when fewer have been played; then none is taken back.",
        parse: |mut arguments| {
            let count = match arguments.peek() {
                Some(_) => arguments.small_number(None, HALF_MOVES, 1)?,
                None => 1,
            };
            arguments.finished(Request::Undo(count))
        },
    },
    Command {
        name: "gg-undo",
        arguments: "N",
        summary: "take back half moves",
        answer: "nothing. As undo.",
        failure: "cannot undo, when fewer have been played; then none is taken back.",
        parse: |mut arguments| {
            let count = arguments.small_number(None, HALF_MOVES, 1)?;
            arguments.finished(Request::HalfMoves(HalfMoveRequest::GgUndo(count)))
        },
    },
    Command {
        name: "gogui-setup",
        arguments: "[SIDE POINT ...]",
        summary: "begin a game from a position with these pieces",
        answer: "nothing. One piece is the General, White; all others are Rebels, Black.",
        failure: "illegal position, with the reason; the game stays as it is.",
        parse: |arguments| Ok(Request::HalfMoves(HalfMoveRequest::Setup(points(arguments, "a point")?))),
    },
    Command {
        name: "gogui-setup_player",
        arguments: "SIDE",
        summary: "set the side to move in a position in which nothing has been played",
        answer: "nothing.",
        failure: "illegal position, with the reason; the game stays as it is.",
        parse: |mut arguments| {
            let side = arguments.side(None)?;
            arguments.finished(Request::HalfMoves(HalfMoveRequest::SetupPlayer(side)))
        },
    },
    Command {
        name: "time_settings",
        arguments: "MAIN PERIOD MOVES",
        summary: "give each side a main time, then a period of time for so many half moves again and again",
        answer: "nothing. Times in seconds. Two half moves are one decision.",
        failure: "",
        parse: clock::time_settings,
    },
    Command {
        name: "time_left",
        arguments: "SIDE SECONDS MOVES",
        summary: "set the clock of a side",
        answer: "nothing. MOVES is how many half moves the time is for; 0 means that it is main time.",
        failure: "",
        parse: clock::time_left,
    },
    Command {
        name: "kata-time_settings",
        arguments: clock::KATA_ARGUMENTS,
        summary: "set the time control, by its kind",
        answer: "nothing. Times in seconds, moves are half moves.",
        failure: "",
        parse: clock::kata_time_settings,
    },
    Command {
        name: "gogui-title",
        arguments: "",
        summary: "a title for the window",
        answer: "the title of the variant.",
        failure: "",
        parse: |arguments| arguments.finished(Request::HalfMoves(HalfMoveRequest::Title)),
    },
    Command {
        name: "gogui-version",
        arguments: "[VERSION]",
        summary: "take notice of the version of the client",
        answer: "nothing. It has no effect.",
        failure: "never.",
        parse: |mut arguments| Ok(Request::HalfMoves(HalfMoveRequest::Version(arguments.rest().to_owned()))),
    },
];

const POINT_OR_PASS: &str = "a point or pass";
const HALF_MOVES: &str = "a number of half moves";

fn points(mut arguments: Arguments<'_>, expected: &str) -> Result<Vec<SidedPoint>, ProtocolError> {
    let mut points = Vec::new();
    while arguments.peek().is_some() {
        let side = arguments.side(Some("side"))?;
        points.push((side, arguments.required(Some("point"), expected)?.to_owned()));
    }
    Ok(points)
}
