//! The loop with whole moves: its own commands.

use nom::Parser;

use super::declaration::{Command, Entry, commands};
use super::shared::SharedRequest;
use crate::analysis::{ANSWER, ARGUMENTS, AnalysisForm, AnalysisRequest, FAILURE};
use crate::arguments::{Arguments, Parsed, count, optional, side, word};
use crate::clock::{TimeControl, TimeLeft};
use crate::limits::GoLimits;
use crate::side::Side;

impl Request {
    /// A perft of more plies has a count that 64 bits may not hold, and no end: it counts as a search without limit.
    pub const COUNTABLE_PLIES: u32 = 64;
}

commands! {
    /// What can be asked of the loop with whole moves: a command with its arguments.
    pub enum Request: Shared(SharedRequest) {
        after "echo" {
            Bench {
                "bench",
                summary: "search a fixed set of positions and measure the speed",
                answer: "the nodes searched, the nodes per second, and a signature that changes only when the search does. \
                         The game is left as it is.",
                failure: "`interrupted`, when it is stopped.",
            }
        }

        after "geometry" {
            Play(Option<Side>, String) {
                "play" ["[SIDE] MOVE"] = play,
                summary: "play a move",
                answer: "nothing. Two points, in one word or two, mean the one legal move with that first and last point.",
                failure: "`illegal move`, with the reason: it is the other side's turn, the game is over, the rules forbid it, \
                          or two points fit several moves; the game stays as it is.",
            }
            Undo(u32) {
                "undo" ["[N]"] = optional(count(None, "a number of moves", 1), 1).map(Request::Undo),
                summary: "take back moves",
                answer: "nothing. N whole moves are taken back, one when N is not given.",
                failure: "`cannot undo`, when fewer moves have been played; then none is taken back.",
            }
        }

        after "final_score" {
            Perft(u32) {
                "perft" ["N"] = count(None, "plies", 0).map(Request::Perft),
                summary: "count the games of N plies from here",
                answer: "the count; 1 for no plies. The game is left as it is.",
                failure: "`interrupted`, when it is stopped; `value out of range`, when N is too large for any count.",
            }
            Divide(u32) {
                "divide" ["N"] = count(None, "plies", 1).map(Request::Divide),
                summary: "count the games of N plies from here, move by move",
                answer: "a line with move and count for each legal move, sorted by text, then: `total COUNT`.",
                failure: "`interrupted`, when it is stopped; `value out of range`, when N is too large for any count.",
            }
            Go(GoLimits) {
                "go" ["[time MS] [depth N] [nodes N] [clock MS [inc MS] [moves N]] [infinite] [searchmoves MOVE ...]"]
                    = GoLimits::parse.map(Request::Go),
                summary: "search the position, without playing the move",
                answer: "lines that begin with `info` while it thinks, then: `bestmove MOVE`. It ends at the first limit that it \
                         reaches; without a limit, after one second; with `infinite` alone, when it is stopped.",
                failure: "`game over`, when there is no move to make; `illegal move`, when a move to search is none. \
                          Errors come before any other line.",
            }
            GenMove(Side) {
                "genmove" ["SIDE"] = side(None).map(Request::GenMove),
                summary: "choose a move on the engine's own clock and play it",
                answer: "the move, which has been played.",
                failure: "`illegal move`, when it is the other side's turn; `game over`, when there is no move to make; \
                          the game stays as it is.",
            }
            RegGenMove(Side) {
                "reg_genmove" ["SIDE"] = side(None).map(Request::RegGenMove),
                summary: "choose a move without playing it",
                answer: "the move, which has not been played.",
                failure: "`illegal move`, when it is the other side's turn; `game over`, when there is no move to make.",
            }
        }

        after "stop" {
            Analyze(AnalysisRequest) {
                "analyze" [ARGUMENTS] = AnalysisRequest::parser(AnalysisForm::Own).map(Request::Analyze),
                summary: "show what the engine thinks of all moves, until the next line", answer: ANSWER, failure: FAILURE,
                "lz-analyze" [ARGUMENTS] = AnalysisRequest::parser(AnalysisForm::Leela).map(Request::Analyze),
                summary: "as analyze, with the numbers of Leela Zero", answer: ANSWER, failure: FAILURE,
                "kata-analyze" [ARGUMENTS] = AnalysisRequest::parser(AnalysisForm::Kata).map(Request::Analyze),
                summary: "as analyze, with the numbers of KataGo", answer: ANSWER, failure: FAILURE,
            }
            GenMoveAnalyze(AnalysisRequest) {
                "genmove_analyze" [ARGUMENTS]
                    = AnalysisRequest::parser(AnalysisForm::Own).map(Request::GenMoveAnalyze),
                summary: "choose a move and play it, and show what the engine thinks", answer: CHOICE, failure: FAILURE,
                "lz-genmove_analyze" [ARGUMENTS]
                    = AnalysisRequest::parser(AnalysisForm::Leela).map(Request::GenMoveAnalyze),
                summary: "as genmove_analyze, with the numbers of Leela Zero", answer: CHOICE, failure: FAILURE,
                "kata-genmove_analyze" [ARGUMENTS]
                    = AnalysisRequest::parser(AnalysisForm::Kata).map(Request::GenMoveAnalyze),
                summary: "as genmove_analyze, with the numbers of KataGo", answer: CHOICE, failure: FAILURE,
            }
        }

        after "explain" {
            SetTimeControl(TimeControl) {
                "time_settings" ["MAIN PERIOD MOVES"] = TimeControl::parse_settings.map(Request::SetTimeControl),
                summary: "give each side a main time, then a period of time for so many moves again and again",
                answer: "nothing. Times in seconds. No period: the main time is for the whole game. A period with no moves: \
                         there is no limit.",
            }
            SetTimeLeft(TimeLeft) {
                "time_left" ["SIDE SECONDS MOVES"] = TimeLeft::parse.map(Request::SetTimeLeft),
                summary: "set the clock of a side",
                answer: "nothing. MOVES is how many moves the time is for; 0 means that it is main time. A negative time is \
                         taken as none.",
            }
            SetKataTimeControl(TimeControl) {
                "kata-time_settings" [TimeControl::KATA_ARGUMENTS] = TimeControl::parse_kata.map(Request::SetKataTimeControl),
                summary: "set the time control, by its kind",
                answer: "nothing. Times in seconds.",
            }
        }
    }
}

const CHOICE: &str = "the same reports while it thinks, then: `play MOVE`. The move has been played.";

fn play(input: Arguments<'_>) -> Parsed<'_, Request> {
    let (rest, side) = match side(None)(input) {
        Ok((rest, side)) => (rest, Some(side)),
        Err(_) => (input, None),
    };
    let expected = if side.is_some() { "a move" } else { "a move, or a side and a move" };
    let (rest, first) = word(Some("move"), expected)(rest)?;
    // A move in two words is two points: `c3 b2`.
    Ok(match rest.word() {
        (rest, Some(second)) => (rest, Request::Play(side, format!("{first} {second}"))),
        (rest, None) => (rest, Request::Play(side, first)),
    })
}
