//! The half-move loop, for GoGui and for referees that know games whose moves are single points.

mod analysis;
mod decision;
mod game;
mod graphics;
mod half_moves;
mod live;
mod rules;
mod setup;
mod vertex;

use std::io::{self, Read, Write};

use privy_protocol::{
    ErrorPhrase, Form, HalfMoveRequest, NumberedRequest, ProtocolError, Reply, Request, SidedPoint, TimeControl,
};

use crate::engine::{Engine, Options};
use crate::search::Stop;

use super::conversions::{engine_error, engine_side, time_control};
use super::{Answering, answer, serve};

use decision::illegal;
use game::HalfMoveGame;
use live::Live;

/// Answers half-move requests until `quit` or the end of the input. Nothing but answers is written to `output`; live
/// graphics go to `errors`, once the client has asked for the commands that draw.
///
/// # Errors
/// When the output can't be written any more; a reader that went away is such a case.
pub fn run(
    engine: Engine,
    input: impl Read + Send + 'static,
    output: impl Write,
    errors: impl Write,
) -> io::Result<()> {
    let mut shell = HalfMoveShell { game: HalfMoveGame::new(engine), live: Live::new(errors), output, byo_yomi: false };
    serve(Form::HalfMoves, input, &mut shell)
}

struct HalfMoveShell<W, E> {
    game: HalfMoveGame,
    live: Live<E>,
    output: W,
    /// With byo-yomi, `time_left` counts periods and not half moves.
    byo_yomi: bool,
}

impl<W: Write, E: Write> Answering for HalfMoveShell<W, E> {
    fn reply(&mut self, reply: Reply) -> io::Result<()> {
        reply.write_to(&mut self.output)
    }

    fn answer(&mut self, numbered: NumberedRequest, stop: &Stop) -> io::Result<()> {
        let NumberedRequest { id, request } = numbered;
        let result = match request {
            Request::Analyze(request) => match self.game.engine().prepare_analysis(request.side.map(engine_side)) {
                Ok(limits) => return decision::analyze(&mut self.game, &mut self.output, id, &request, limits, stop),
                Err(error) => Err(engine_error(error)),
            },
            request => self.result(request, stop),
        };
        self.reply(Reply::from_result(id, &result))
    }

    fn ponder(&mut self, next_line: &Stop) {
        // Between the half moves of a move it is not the opponent's time.
        if self.game.begun().is_empty() {
            self.game.engine_mut().ponder(next_line);
        }
    }
}

/// An answer without text.
fn nothing<T, E>(result: Result<T, E>) -> Result<String, E> {
    result.map(|_| String::new())
}

impl<W: Write, E: Write> HalfMoveShell<W, E> {
    fn result(&mut self, request: Request, stop: &Stop) -> Result<String, ProtocolError> {
        if let Some(control) = request.time_control() {
            self.byo_yomi = matches!(control, TimeControl::ByoYomi { .. });
            let control = decision::control_of_decisions(time_control(control));
            self.game.engine_mut().set_time_control(control);
            return Ok(String::new());
        }
        let game = &mut self.game;
        match request {
            Request::Play { side: Some(side), movement } => nothing(play(game, side, &movement)),
            Request::Undo(count) | Request::HalfMoves(HalfMoveRequest::GgUndo(count)) => undo(game, count),
            Request::GenMove(side) => decision::choose(game, &mut self.live, engine_side(side), stop, true),
            Request::RegGenMove(side) => decision::choose(game, &mut self.live, engine_side(side), stop, false),
            Request::TimeLeft { side, time, moves } => {
                let count = if self.byo_yomi { moves } else { decision::decisions(moves) };
                game.engine_mut().set_time_left(engine_side(side), time.into(), count);
                Ok(String::new())
            }
            request @ (Request::BoardSize(_)
            | Request::ClearBoard
            | Request::Variant(Some(_))
            | Request::Position { .. }) => game.begin(|engine| answer::answer(engine, Form::HalfMoves, request)),
            Request::ShowBoard => show_board(game),
            Request::HalfMoves(request) => self.half_move_result(request, stop),
            other => answer::answer(game.engine_mut(), Form::HalfMoves, other),
        }
    }

    fn half_move_result(&mut self, request: HalfMoveRequest, stop: &Stop) -> Result<String, ProtocolError> {
        let game = &mut self.game;
        match request {
            HalfMoveRequest::GgUndo(count) => undo(game, count),
            HalfMoveRequest::PlaySequence(points) => nothing(play_all(game, &points)),
            HalfMoveRequest::Setup(pieces) => nothing(game.begin(|engine| setup::set_up(engine, &pieces))),
            HalfMoveRequest::SetupPlayer(side) => {
                if !game.is_fresh() {
                    let detail = "moves have been played; it is for a position that was set up";
                    return Err(ProtocolError::new(ErrorPhrase::IllegalPosition, detail));
                }
                let set = game.begin(|engine| setup::set_player(engine, engine_side(side)));
                nothing(set.map_err(engine_error))
            }
            HalfMoveRequest::Title => Ok(title(game.engine())),
            HalfMoveRequest::Version(_) => Ok(String::new()),
            HalfMoveRequest::Rules(query) => Ok(rules::answer(game, query)),
            HalfMoveRequest::AnalyzeCommands => {
                self.live.switch_on();
                Ok(analysis::commands())
            }
            HalfMoveRequest::Analysis(query) => analysis::answer(game, &mut self.live, query, stop),
            HalfMoveRequest::Parameters(None) => Ok(parameters(game.engine().options())),
            HalfMoveRequest::Parameters(Some((name, value))) => {
                nothing(game.engine_mut().set_option(&name, &value).map_err(engine_error))
            }
        }
    }
}

/// The drawing of the position, and the half moves of a move that has begun.
fn show_board(game: &mut HalfMoveGame) -> Result<String, ProtocolError> {
    let mut drawing = answer::answer(game.engine_mut(), Form::HalfMoves, Request::ShowBoard)?;
    let board = game.engine().game().board();
    let begun: Vec<String> = game.begun().iter().map(|point| vertex::text(board, *point)).collect();
    if !begun.is_empty() {
        drawing += &format!("\nhalf moves of the next move: {}", begun.join(" "));
    }
    Ok(drawing)
}

/// Plays a half move or passes.
fn play(game: &mut HalfMoveGame, side: privy_protocol::Side, word: &str) -> Result<(), ProtocolError> {
    let side = engine_side(side);
    if word.eq_ignore_ascii_case("pass") {
        return game.pass(side).map_err(illegal);
    }
    let name = vertex::read(word).map_err(|error| ProtocolError::syntax(error.to_string()))?;
    let board = game.engine().game().board();
    let point = board
        .point(name)
        .ok_or_else(|| illegal(game::IllegalHalfMove::NoPoint(vertex::text_of(name), board.id().to_owned())))?;
    game.play(side, point).map_err(illegal)
}

/// Plays half moves, all or none.
fn play_all(game: &mut HalfMoveGame, points: &[SidedPoint]) -> Result<(), ProtocolError> {
    let before = game.len();
    for (place, (side, word)) in points.iter().enumerate() {
        if let Err(error) = play(game, *side, word) {
            let _ = game.undo(game.len() - before);
            let detail = format!("half move {} ({word}): {}", place + 1, error.detail());
            return Err(ProtocolError::new(error.phrase(), detail));
        }
    }
    Ok(())
}

fn undo(game: &mut HalfMoveGame, count: u32) -> Result<String, ProtocolError> {
    game.undo(count as usize).map(|()| String::new()).map_err(|played| {
        let detail = format!("asked for {count}, half moves played: {played}");
        ProtocolError::new(ErrorPhrase::CannotUndo, detail)
    })
}

fn title(engine: &Engine) -> String {
    let variant = engine.variant();
    format!("{} ({})", variant.title(), variant.id())
}

/// The options as a dialog shows them: a line `[TYPE] NAME VALUE` for each.
fn parameters(options: &Options) -> String {
    let line = |name: &'static str| {
        let kind = match Options::choices(name) {
            [] => "string".to_owned(),
            choices => format!("list/{}", choices.join("/")),
        };
        Some(format!("[{kind}] {name} {}", options.get_by_name(name).ok()?))
    };
    Options::summaries().filter_map(|(name, _)| line(name)).collect::<Vec<_>>().join("\n")
}
