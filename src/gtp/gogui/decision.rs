//! Choosing half moves: a decision is a whole move, and its half moves follow from it.

use std::io::{self, Write};
use std::time::Duration;

use privy_protocol::{AnalysisRequest, ErrorPhrase, ProtocolError};

use crate::engine::{Engine, TimeControl};
use crate::gtp::analysis::{Search, Streamed};
use crate::gtp::conversions::engine_error;
use crate::rules::{Game, MovePath, Side};
use crate::search::{Limits, SearchResult, Stop};

use super::game::{HalfMoveGame, IllegalHalfMove, Plan};
use super::half_moves::Way;
use super::live::{Live, half_moves_of_line};
use super::vertex;

/// Answers `genmove` (`play`, on the engine's clock) and `reg_genmove`.
pub(super) fn choose<E: Write>(
    game: &mut HalfMoveGame,
    live: &mut Live<E>,
    side: Side,
    stop: &Stop,
    play: bool,
) -> Result<String, ProtocolError> {
    if game.is_over() {
        // Referees end a game with passes. Who passes twice in a row does no harm: nothing is left to be played.
        if play {
            let _ = game.pass(side);
        }
        return Ok("pass".to_owned());
    }
    if side != game.side() {
        let passed = if play { game.pass(side) } else { game.may_pass(side) };
        return passed.map(|()| "pass".to_owned()).map_err(illegal);
    }
    let entered = game.begun().len();
    let plan = match game.planned().filter(|_| play) {
        Some(plan) => plan.clone(),
        None => find(game, live, side, stop, play)?,
    };
    let Some(point) = plan.points.get(entered).copied() else {
        return Err(ProtocolError::bare(ErrorPhrase::GameOver));
    };
    if play {
        game.set_plan(plan);
        game.play_planned(point).map_err(illegal)?;
    }
    Ok(vertex::text(game.engine().game().board(), point))
}

/// Finds the best move that goes on with what has been entered.
fn find<E: Write>(
    game: &mut HalfMoveGame,
    live: &mut Live<E>,
    side: Side,
    stop: &Stop,
    by_clock: bool,
) -> Result<Plan, ProtocolError> {
    let limits = game.engine().prepare_move(side, by_clock).map_err(engine_error)?;
    let ways = game.ways();
    let findings = search(game, live, limits, &ways, stop, Engine::choose);
    let SearchResult { best, time, .. } = findings.ok_or(ProtocolError::bare(ErrorPhrase::GameOver))?;
    let way = ways.into_iter().find(|way| way.move_ == best).ok_or(ProtocolError::bare(ErrorPhrase::GameOver))?;
    Ok(Plan { points: way.points, spent: time })
}

/// Searches the moves that can still be entered, and shows what it finds.
pub(super) fn search<E: Write>(
    game: &mut HalfMoveGame,
    live: &mut Live<E>,
    limits: Limits,
    ways: &[Way],
    stop: &Stop,
    search: Search,
) -> Option<SearchResult> {
    let limits = Limits { search_moves: moves_of(ways), ..limits };
    let root = game.engine().game().clone();
    let begun = game.begun().len();
    let findings = search(game.engine_mut(), &limits, stop, &mut |report| {
        if report.rank == 1 {
            live.show(&root, begun, report);
        }
    });
    live.clear();
    findings
}

/// Answers `analyze`: reports on the half moves that may be played now, until the next line.
pub(super) fn analyze<W: Write>(
    game: &mut HalfMoveGame,
    output: &mut W,
    id: Option<u32>,
    request: &AnalysisRequest,
    limits: Limits,
    stop: &Stop,
) -> io::Result<()> {
    let limits = Limits { search_moves: moves_of(&game.ways()), ..limits };
    let begun = game.begun().len();
    let line_texts = |root: &Game, line: &[MovePath]| {
        let half_moves = half_moves_of_line(root, line).into_iter().skip(begun);
        half_moves.map(|(_, point)| vertex::text(root.board(), point)).collect()
    };
    Streamed { id, request, limits, line_texts }.analyze(game.engine_mut(), output, stop)
}

/// The moves of some ways, each once.
fn moves_of(ways: &[Way]) -> Vec<MovePath> {
    let mut moves: Vec<MovePath> = ways.iter().map(|way| way.move_.clone()).collect();
    moves.dedup();
    moves
}

/// An illegal half move as an answer.
pub(super) fn illegal(error: IllegalHalfMove) -> ProtocolError {
    ProtocolError::new(ErrorPhrase::IllegalMove, error.to_string())
}

/// How many decisions so many half moves may need: a move has two at least.
pub(super) fn decisions(half_moves: u32) -> u32 {
    half_moves.div_ceil(2)
}

/// A time control of half moves as one of decisions.
pub(super) fn control_of_decisions(control: TimeControl) -> TimeControl {
    match control {
        TimeControl::Canadian { main, period, moves } => {
            TimeControl::Canadian { main, period, moves: decisions(moves) }
        }
        // The client adds the increment for both half moves.
        TimeControl::Fischer { main, increment } => {
            TimeControl::Fischer { main, increment: increment.checked_mul(2).unwrap_or(Duration::MAX) }
        }
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_half_moves_are_one_decision() {
        assert_eq!([0, 1, 2, 9, 10].map(decisions), [0, 1, 1, 5, 5]);
        let [main, period] = [60, 30].map(Duration::from_secs);
        let canadian = |moves| TimeControl::Canadian { main, period, moves };
        assert_eq!(control_of_decisions(canadian(10)), canadian(5));
        let fischer = |increment| TimeControl::Fischer { main, increment };
        assert_eq!(control_of_decisions(fischer(period)), fischer(period * 2));
        let byo_yomi = TimeControl::ByoYomi { main, period, periods: 3 };
        assert_eq!(control_of_decisions(byo_yomi), byo_yomi);
    }
}
