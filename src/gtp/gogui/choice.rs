//! Choosing half moves: a decision is a whole move, and its half moves follow from it.

use std::io::{self, Write};

use privy_protocol::{AnalysisRequest, ErrorCode, ProtocolError, StreamedReply};

use crate::engine::Engine;
use crate::gtp::conversions::engine_error;
use crate::gtp::streaming::{Search, Streamed};
use crate::rules::{Game, MovePath, Side};
use crate::search::{Limits, SearchResult, Stop};

use super::game::{HalfMoveGame, IllegalHalfMove, Plan};
use super::graphics::{Live, half_moves_of_line};
use super::vertex;
use crate::rules::half_moves::Way;

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
        return Err(ProtocolError::bare(ErrorCode::GameOver));
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
    let found = search(game, live, limits, &ways, stop, Engine::choose);
    let SearchResult { best, time, .. } = found.ok_or(ProtocolError::bare(ErrorCode::GameOver))?;
    let way = ways.into_iter().find(|way| way.move_ == best).ok_or(ProtocolError::bare(ErrorCode::GameOver))?;
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
    let found = search(game.engine_mut(), &limits, stop, &mut |report| {
        if report.rank == 1 {
            live.show(&root, begun, report);
        }
    });
    live.clear();
    found
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
    let line_texts = line_texts(game.begun().len());
    Streamed { id, request, limits, line_texts }.analyze(game.engine_mut(), output, stop)
}

/// Answers `genmove_analyze`: reports while the search runs, at its end the half move, which has been played; or the error, before
/// anything is written. A half move that needs no search has no report.
pub(super) fn genmove_analyze<W: Write, E: Write>(
    game: &mut HalfMoveGame,
    live: &mut Live<E>,
    output: &mut W,
    id: Option<u32>,
    request: &AnalysisRequest,
    stop: &Stop,
) -> io::Result<Result<(), ProtocolError>> {
    let side = request.side.unwrap_or_else(|| game.side());
    if game.is_over() || side != game.side() || game.planned().is_some() {
        return match choose(game, live, side, stop, true) {
            Ok(point) => {
                let mut reply = StreamedReply::open(output, id)?;
                stop.set();
                reply.line(&format!("play {point}"))?;
                reply.close().map(|_| Ok(()))
            }
            Err(error) => Ok(Err(error)),
        };
    }
    let limits = match game.engine().prepare_move(side, true) {
        Ok(limits) => limits,
        Err(error) => return Ok(Err(engine_error(error))),
    };
    let (ways, begun) = (game.ways(), game.begun().len());
    let limits = Limits { search_moves: moves_of(&ways), ..limits };
    let streamed = Streamed { id, request, limits, line_texts: line_texts(begun) };
    let (mut reply, found) = streamed.stream(game.engine_mut(), output, stop, Engine::choose, true)?;
    let plan = found.and_then(|SearchResult { best, time, .. }| {
        let way = ways.into_iter().find(|way| way.move_ == best)?;
        Some(Plan { points: way.points, spent: time })
    });
    let point = plan.as_ref().and_then(|plan| plan.points.get(begun).copied());
    if let (Some(plan), Some(point)) = (plan, point) {
        game.set_plan(plan);
        if game.play_planned(point).is_ok() {
            reply.line(&format!("play {}", vertex::text(game.engine().game().board(), point)))?;
        }
    }
    reply.close().map(|_| Ok(()))
}

/// The half moves of a line as text, without those that have been played.
fn line_texts(begun: usize) -> impl Fn(&Game, &[MovePath]) -> Vec<String> {
    move |root, line| {
        let half_moves = half_moves_of_line(root, line).into_iter().skip(begun);
        half_moves.map(|(_, point)| vertex::text(root.board(), point)).collect()
    }
}

/// The moves of some ways, each once.
fn moves_of(ways: &[Way]) -> Vec<MovePath> {
    let mut moves: Vec<MovePath> = ways.iter().map(|way| way.move_.clone()).collect();
    moves.dedup();
    moves
}

/// An illegal half move as an answer.
pub(super) fn illegal(error: IllegalHalfMove) -> ProtocolError {
    ProtocolError::new(ErrorCode::IllegalMove, error.to_string())
}
