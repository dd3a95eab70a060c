//! Choosing half moves: a decision is a whole move, which gives its half moves.

use privy_protocol::{AnalysisRequest, ErrorCode, ProtocolError, ReplyWriter};

use privy_engine::session::{Answer, Reports, illegal};
use privy_records::half_moves::EntrySequence;
use privy_rules::board::PointSet;
use privy_rules::{Game, MovePath, Side};
use privy_search::{SearchInfo, SearchRequest, SearchResult, Stop};

use super::analysis_form::AnalysisForm;
use super::game::{HalfMoveGame, Plan};
use super::graphics::{Live, half_moves_of_line};
use super::vertex;

/// Answers `genmove`, on the engine's clock.
pub(super) fn choose(game: &mut HalfMoveGame, live: &mut Live<'_>, side: Side, stop: &Stop) -> Answer {
    if game.is_over() {
        // Referees end a game with passes. A side that passes twice in a row does no harm then.
        let _ = game.pass(side);
        return Ok("pass".to_owned());
    }
    if side != game.side() {
        return game.pass(side).map(|()| "pass".to_owned());
    }
    let plan = match game.planned() {
        Some(plan) => plan.clone(),
        None => {
            let ways = game.ways();
            let found = search(game, live, game.engine.own_limits().into(), &ways, stop)?;
            plan_of(found, ways).ok_or(ProtocolError::bare(ErrorCode::GameOver))?
        }
    };
    let point = *plan.points.get(game.begun.len()).ok_or(ProtocolError::bare(ErrorCode::GameOver))?;
    game.play_planned(plan, point)?;
    Ok(vertex::text(game.engine.game().board(), point))
}

/// The half moves of the best move.
fn plan_of(SearchResult { best, time, .. }: SearchResult, ways: Vec<EntrySequence>) -> Option<Plan> {
    let way = ways.into_iter().find(|way| way.move_ == best)?;
    Some(Plan { points: way.points, spent: time })
}

/// Searches the moves that continue the half moves played, and draws the best line.
pub(super) fn search(
    game: &mut HalfMoveGame,
    live: &mut Live<'_>,
    request: SearchRequest,
    ways: &[EntrySequence],
    stop: &Stop,
) -> Result<SearchResult, ProtocolError> {
    let request = with_moves(request, ways);
    let root = game.engine.game().clone();
    let begun = game.begun.len();
    let mut show = |report: &SearchInfo| {
        if report.multipv == 1 {
            live.show(&root, begun, report);
        }
    };
    let found = game.engine.go(&request, stop, Some(&mut show));
    live.clear();
    found
}

/// Answers `analyze`: reports on the legal half moves until the next line.
pub(super) fn analyze(
    game: &mut HalfMoveGame,
    form: AnalysisForm,
    request: &AnalysisRequest,
    reply: &mut ReplyWriter<'_>,
    stop: &Stop,
) -> Answer {
    let ways = asked_ways(game, request)?;
    let go = SearchRequest::default().analysis();
    let reports = Reports { request, line_texts: &line_texts(game.begun.len()), numbers: form.numbers() };
    reports.stream(&mut game.engine, with_moves(go, &ways), false, reply, stop)?;
    Ok(String::new())
}

/// Answers `genmove_analyze`: reports while the search runs, then plays a half move and answers it. An error comes
/// before any report. A half move that needs no search has no report.
pub(super) fn genmove_analyze(
    game: &mut HalfMoveGame,
    live: &mut Live<'_>,
    form: AnalysisForm,
    request: &AnalysisRequest,
    reply: &mut ReplyWriter<'_>,
    stop: &Stop,
) -> Answer {
    let side = request.side.unwrap_or_else(|| game.side());
    if game.is_over() || side != game.side() || game.planned().is_some() {
        let point = choose(game, live, side, stop)?;
        reply.open();
        return Ok(format!("play {point}"));
    }
    let begun = game.begun.len();
    let ways = asked_ways(game, request)?;
    let go = with_moves(game.engine.own_limits().into(), &ways);
    let reports = Reports { request, line_texts: &line_texts(begun), numbers: form.numbers() };
    let found = reports.stream(&mut game.engine, go, true, reply, stop)?;
    let plan = plan_of(found, ways).ok_or(ProtocolError::bare(ErrorCode::GameOver))?;
    let point = *plan.points.get(begun).ok_or(ProtocolError::bare(ErrorCode::GameOver))?;
    game.play_planned(plan, point)?;
    Ok(format!("play {}", vertex::text(game.engine.game().board(), point)))
}

/// The ways whose next half move an analysis allows.
fn asked_ways(game: &mut HalfMoveGame, request: &AnalysisRequest) -> Result<Vec<EntrySequence>, ProtocolError> {
    let (mut ways, begun) = (game.ways(), game.begun.len());
    let legal = game.legal_points();
    let board = game.engine.game().board();
    let read = |word: &String| {
        let point = board.point(vertex::read(word)?).filter(|point| legal.contains(*point));
        point.ok_or_else(|| illegal(format!("{word} is no legal half move")))
    };
    let points = |words: &[String]| words.iter().map(read).collect::<Result<PointSet, _>>();
    let (allowed, avoided) = (points(&request.allow)?, points(&request.avoid)?);
    ways.retain(|way| {
        let is_in = |set: PointSet| way.points.get(begun).is_some_and(|point| set.contains(*point));
        (allowed.is_empty() || is_in(allowed)) && !is_in(avoided)
    });
    // The game is over, or the request leaves no move.
    if ways.is_empty() && !legal.is_empty() { Err(illegal("there is no move to search")) } else { Ok(ways) }
}

/// The half moves of a line as texts, without the first `begun`.
fn line_texts(begun: usize) -> impl Fn(&Game, &[MovePath]) -> Vec<String> {
    move |root, line| {
        let half_moves = half_moves_of_line(root, line).into_iter().skip(begun);
        half_moves.map(|(_, point)| vertex::text(root.board(), point)).collect()
    }
}

/// A request for the moves of some ways, each once.
fn with_moves(request: SearchRequest, ways: &[EntrySequence]) -> SearchRequest {
    let mut search_moves: Vec<MovePath> = ways.iter().map(|way| way.move_.clone()).collect();
    search_moves.dedup();
    SearchRequest { search_moves, ..request }
}
