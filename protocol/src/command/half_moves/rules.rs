//! Questions of a client that leaves the rules of the game to the engine.

use super::Command;
use crate::arguments::Arguments;
use crate::error::ProtocolError;
use crate::request::{HalfMoveRequest, Request, RulesQuery};

pub(super) const COMMANDS: &[Command] = &[
    Command {
        name: "gogui-rules_game_id",
        arguments: "",
        summary: "a word for the game",
        answer: "Privy- and the id of the variant.",
        failure: "",
        parse: |arguments| query(&arguments, RulesQuery::GameId),
    },
    Command {
        name: "gogui-rules_board_size",
        arguments: "",
        summary: "the size of the board",
        answer: "the side of the square that holds the board.",
        failure: "",
        parse: |arguments| query(&arguments, RulesQuery::BoardSize),
    },
    Command {
        name: "gogui-rules_board",
        arguments: "",
        summary: "what stands on the board",
        answer: "a row of the square a line, the top row first: X a Rebel, O the General, . an empty point, ? no point.",
        failure: "",
        parse: |arguments| query(&arguments, RulesQuery::Board),
    },
    Command {
        name: "gogui-rules_board_gfx",
        arguments: "",
        summary: "what is to be drawn on the board beside the stones",
        answer: "drawing commands, one a line: the privy, its exits and apex, diagonal lines, the last move, a move \
                 that has begun.",
        failure: "",
        parse: |arguments| query(&arguments, RulesQuery::BoardGfx),
    },
    Command {
        name: "gogui-rules_legal_moves",
        arguments: "",
        summary: "the points that may be played now",
        answer: "the points in one line; none when the game is over.",
        failure: "",
        parse: |arguments| query(&arguments, RulesQuery::LegalMoves),
    },
    Command {
        name: "gogui-rules_side_to_move",
        arguments: "",
        summary: "whose half move it is",
        answer: "white (the General) or black (the Rebels).",
        failure: "",
        parse: |arguments| query(&arguments, RulesQuery::SideToMove),
    },
    Command {
        name: "gogui-rules_captured_count",
        arguments: "",
        summary: "how many pieces each side has captured",
        answer: "what Black has captured, then what White has.",
        failure: "",
        parse: |arguments| query(&arguments, RulesQuery::CapturedCount),
    },
    Command {
        name: "gogui-rules_final_result",
        arguments: "",
        summary: "the result in a sentence",
        answer: "who has won and why; while the game is on, that it is.",
        failure: "",
        parse: |arguments| query(&arguments, RulesQuery::FinalResult),
    },
];

fn query(arguments: &Arguments<'_>, query: RulesQuery) -> Result<Request, ProtocolError> {
    arguments.finished(Request::HalfMoves(HalfMoveRequest::Rules(query)))
}
