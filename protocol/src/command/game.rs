//! Commands that play and look at the game.

use super::Command;
use crate::arguments::Arguments;
use crate::error::ProtocolError;
use crate::request::Request;

pub(super) const COMMANDS: &[Command] = &[
    Command {
        name: "play",
        arguments: "[SIDE] MOVE",
        summary: "play a move",
        answer: "nothing. Two points, in one word or two, mean the one legal move with that first and last point.",
        failure: "illegal move, with the reason: it is the other side's turn, the game is over, the rules forbid it, \
                  or two points fit several moves; the game stays as it is.",
        parse: play,
    },
    Command {
        name: "undo",
        arguments: "[N]",
        summary: "take back moves",
        answer: "nothing. N whole moves are taken back, one when N is not given.",
        failure: "cannot undo, when fewer moves have been played; then none is taken back.",
        parse: |mut arguments| {
            let count = match arguments.peek() {
                Some(_) => arguments.small_number(None, "a number of moves", 1)?,
                None => 1,
            };
            arguments.finished(Request::Undo(count))
        },
    },
    Command {
        name: "legal_moves",
        arguments: "[verbose]",
        summary: "the moves that can be played",
        answer: "the moves in one line, sorted by their text, none when the game is over; with verbose a line each, \
                 such as: c3-b2 takes a1 c3.",
        failure: "",
        parse: legal_moves,
    },
    Command {
        name: "status",
        arguments: "",
        summary: "whose turn it is, or how the game ended",
        answer: "general to move; rebels to move; general wins, rebels win or draw, with a colon and the reason.",
        failure: "",
        parse: |arguments| arguments.finished(Request::Status),
    },
    Command {
        name: "final_score",
        arguments: "",
        summary: "the result of a finished game",
        answer: "W+R when the General has won, B+R when the Rebels have won, 0 for a draw.",
        failure: "cannot score, when the game is not over.",
        parse: |arguments| arguments.finished(Request::FinalScore),
    },
    Command {
        name: "perft",
        arguments: "N",
        summary: "count the games of N plies from here",
        answer: "the count; 1 for no plies. The game is left as it is.",
        failure: "",
        parse: |mut arguments| {
            let depth = arguments.small_number(None, "plies", 0)?;
            arguments.finished(Request::Perft(depth))
        },
    },
    Command {
        name: "divide",
        arguments: "N",
        summary: "count the games of N plies from here, move by move",
        answer: "a line with move and count for each legal move, sorted by text, then: total COUNT.",
        failure: "",
        parse: |mut arguments| {
            let depth = arguments.small_number(None, "plies", 1)?;
            arguments.finished(Request::Divide(depth))
        },
    },
];

fn play(mut arguments: Arguments<'_>) -> Result<Request, ProtocolError> {
    let side = arguments.peek().and_then(|word| word.parse().ok());
    if side.is_some() {
        arguments.word();
    }
    let expected = match side {
        Some(_) => "a move",
        None => "a move, or a side and a move",
    };
    let first = arguments.required(Some("move"), expected)?;
    // A move in two words is two points: `c3 b2`.
    let movement = match arguments.word() {
        Some(second) => format!("{first} {second}"),
        None => first.to_owned(),
    };
    arguments.finished(Request::Play { side, movement })
}

fn legal_moves(mut arguments: Arguments<'_>) -> Result<Request, ProtocolError> {
    let verbose = arguments.flag("verbose")?;
    arguments.finished(Request::LegalMoves { verbose })
}
