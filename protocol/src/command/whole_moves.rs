//! The commands of the loop with whole moves.

use nom::Parser;

use super::declaration::{Command, Entry, commands};
use super::shared::SharedRequest;
use crate::analysis::{ANSWER, ARGUMENTS, AnalysisRequest, FAILURE};
use crate::arguments::{Arguments, Parsed, count, optional, side, word};
use crate::clock::{Clock, TimeControl};
use crate::limits::GoArguments;
use crate::side::Side;

impl Request {
    /// A perft of more plies, whose count 64 bits may not hold, does not end: it is a search without limit.
    pub(super) const COUNTABLE_PLIES: u32 = 64;
}

commands! {
    /// A request to the loop with whole moves. A request that fails changes nothing.
    pub enum Request: Shared(SharedRequest) {
        after "echo" {
            Bench "bench" {
                summary: "search a fixed set of positions and measure the speed",
                answer: "the nodes searched, the nodes per second, and a signature that changes only when the search does. \
                         The game is left as it is.",
                failure: "`interrupted`, when it is stopped.",
            }
        }

        after "geometry" {
            Play((Option<Side>, String)) "play" ["[SIDE] MOVE"] (play) {
                summary: "play a move",
                answer: "nothing. Two points, in one word or two, mean the one legal move with that first and last point.",
                failure: "`illegal move`, with the reason: it is the other side's turn, the game is over, the rules forbid it, \
                          or two points fit several moves; the game stays as it is.",
            }
            Undo(u32) "undo" ["[N]"] (optional(count(None, "a number of moves", 1), 1)) {
                summary: "take back moves",
                answer: "nothing. N whole moves are taken back, one when N is not given.",
                failure: "`cannot undo`, when fewer moves have been played; then none is taken back.",
            }
        }

        after "final_score" {
            Perft(u32) "perft" ["N"] (count(None, "plies", 0)) {
                summary: "count the games of N plies from here",
                answer: "the count; 1 for no plies. The game is left as it is.",
                failure: "`interrupted`, when it is stopped; `value out of range`, when N is too large for any count.",
            }
            Divide(u32) "divide" ["N"] (count(None, "plies", 1)) {
                summary: "count the games of N plies from here, move by move",
                answer: "a line with move and count for each legal move, sorted by text, then: `total COUNT`.",
                failure: "`interrupted`, when it is stopped; `value out of range`, when N is too large for any count.",
            }
            Go(GoArguments) "go"
                ["[time MS] [depth N] [nodes N] [clock MS [inc MS] [moves N]] [infinite] [searchmoves MOVE ...]"] (GoArguments::parse) {
                summary: "search the position, without playing the move",
                answer: "lines that begin with `info` while it thinks, then: `bestmove MOVE`. It ends at the first limit that it \
                         reaches; without a limit, after one second; with `infinite` alone, when it is stopped.",
                failure: "`game over`, when there is no move to make; `illegal move`, when a move to search is none. \
                          Errors come before any other line.",
            }
            GenMove(Side) "genmove" ["SIDE"] (side(None)) {
                summary: "choose a move on the engine's own clock and play it",
                answer: "the move, which has been played.",
                failure: "`illegal move`, when it is the other side's turn; `game over`, when there is no move to make; \
                          the game stays as it is.",
            }
            RegGenMove(Side) "reg_genmove" ["SIDE"] (side(None)) {
                summary: "choose a move without playing it",
                answer: "the move, which has not been played.",
                failure: "`illegal move`, when it is the other side's turn; `game over`, when there is no move to make.",
            }
        }

        after "stop" {
            Analyze(AnalysisRequest) "analyze" [ARGUMENTS] (AnalysisRequest::parse) {
                summary: "show what the engine thinks of all moves, until the next line", answer: ANSWER, failure: FAILURE,
                also "lz-analyze": "as analyze, with the numbers of Leela Zero",
                also "kata-analyze": "as analyze, with the numbers of KataGo",
            }
            GenMoveAnalyze(AnalysisRequest) "genmove_analyze" [ARGUMENTS] (AnalysisRequest::parse) {
                summary: "choose a move and play it, and show what the engine thinks", answer: CHOICE, failure: FAILURE,
                also "lz-genmove_analyze": "as genmove_analyze, with the numbers of Leela Zero",
                also "kata-genmove_analyze": "as genmove_analyze, with the numbers of KataGo",
            }
        }

        after "explain" {
            SetTimeControl(TimeControl) "time_settings" ["MAIN PERIOD MOVES"] (TimeControl::parse_settings) {
                summary: "give each side a main time, then periods of time, each for a number of moves",
                answer: "nothing. Times in seconds. No period: the main time is for the whole game. A period with no moves: \
                         there is no limit.",
            }
            SetTimeLeft((Side, Clock)) "time_left" ["SIDE SECONDS MOVES"] (Clock::parse_time_left) {
                summary: "set the clock of a side",
                answer: "nothing. MOVES is how many moves the time is for; 0 means that it is main time. A negative time is \
                         taken as none.",
            }
            SetKataTimeControl(TimeControl) "kata-time_settings" [TimeControl::KATA_ARGUMENTS] (TimeControl::parse_kata) {
                summary: "set the time control, by its kind",
                answer: "nothing. Times in seconds.",
            }
        }
    }
}

const CHOICE: &str = "the same reports while it thinks, then: `play MOVE`. The move has been played.";

fn play(input: Arguments<'_>) -> Parsed<'_, (Option<Side>, String)> {
    let (rest, side) = match side(None)(input) {
        Ok((rest, side)) => (rest, Some(side)),
        Err(_) => (input, None),
    };
    let expected = if side.is_some() { "a move" } else { "a move, or a side and a move" };
    let (rest, first) = word(Some("move"), expected)(rest)?;
    // A move in two words is two points: `c3 b2`.
    Ok(match rest.word() {
        (rest, Some(second)) => (rest, (side, format!("{first} {second}"))),
        (rest, None) => (rest, (side, first)),
    })
}
