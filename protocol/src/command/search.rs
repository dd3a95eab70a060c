//! Commands that make the engine think.

use super::{Command, GENMOVE, REG_GENMOVE};
use crate::limits::GoLimits;
use crate::request::Request;

pub(super) const COMMANDS: &[Command] = &[
    Command {
        name: "go",
        arguments: "[time MS] [depth N] [nodes N] [clock MS [inc MS] [moves N]] [infinite] [searchmoves MOVE ...]",
        summary: "search the position, without playing the move",
        answer: "lines that begin with info while it thinks, then: bestmove MOVE. It ends at the first limit that it \
                 reaches; without a limit, after one second; with infinite alone, when it is stopped.",
        failure: "game over, when there is no move to make; illegal move, when a move to search is none. \
                  Errors come before any other line.",
        parse: |arguments| GoLimits::parse(arguments).map(Request::Go),
    },
    Command {
        name: "genmove",
        arguments: "SIDE",
        summary: "choose a move on the engine's own clock and play it",
        answer: "the move, which has been played.",
        failure: "illegal move, when it is the other side's turn; game over, when there is no move to make; \
                  the game stays as it is.",
        parse: GENMOVE,
    },
    Command {
        name: "reg_genmove",
        arguments: "SIDE",
        summary: "choose a move without playing it",
        answer: "the move, which has not been played.",
        failure: "illegal move, when it is the other side's turn; game over, when there is no move to make.",
        parse: REG_GENMOVE,
    },
    Command {
        name: "stop",
        arguments: "",
        summary: "end the search that was asked for last",
        answer: "nothing, after the answer of that search, which still gives a legal move. When there is nothing to \
                 stop it has no effect.",
        failure: "",
        parse: |arguments| arguments.finished(Request::Stop),
    },
];
