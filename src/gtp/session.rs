//! The session with whole moves.

use std::io::{self, Read, Write};

use privy_protocol::{AnalysisRequest, CommandSet, ErrorCode, ProtocolError, Reply, Request, Side};

use crate::engine::Engine;
use crate::rules::{Game, MovePath, divide, perft};
use crate::search::{Limits, SearchResult, Stop, bench};

use super::commands::{self, Answer, interrupted, nothing};
use super::reader::{PendingRequest, Session, serve};
use super::streaming::{Streamed, stream_search};

/// Answers requests until `quit` or the end of the input. Calls `watch` at the beginning and after every answer.
///
/// # Errors
/// When the output can't be written.
pub fn run(
    engine: Engine,
    input: impl Read + Send + 'static,
    output: impl Write,
    mut watch: impl FnMut(&Engine),
) -> io::Result<()> {
    watch(&engine);
    serve(&mut WholeMoveSession { engine, output, watch }, input)
}

struct WholeMoveSession<W, F> {
    engine: Engine,
    output: W,
    watch: F,
}

impl<W: Write, F: FnMut(&Engine)> Session for WholeMoveSession<W, F> {
    type Request = Request;

    fn write(&mut self, reply: Reply) -> io::Result<()> {
        reply.write_to(&mut self.output)
    }

    fn answer(&mut self, pending: PendingRequest<Request>) -> io::Result<()> {
        self.answer_unwatched(pending)?;
        (self.watch)(&self.engine);
        Ok(())
    }
}

impl<W: Write, F: FnMut(&Engine)> WholeMoveSession<W, F> {
    fn answer_unwatched(
        &mut self,
        PendingRequest { id, request, stop, next_line }: PendingRequest<Request>,
    ) -> io::Result<()> {
        let engine = &mut self.engine;
        let mut is_moved = false;
        let result = match request {
            Request::Shared(request) => commands::answer(engine, CommandSet::WholeMoves, request, &stop),
            Request::Bench => bench::run(bench::DEPTH, &stop).map(|run| run.to_string()).ok_or_else(interrupted),
            Request::Play((side, text)) => nothing(engine.play(side, &text)),
            Request::Undo(count) => nothing(engine.undo(count as usize)),
            Request::Perft(depth) => {
                counted(perft(engine.game(), depth, &mut || stop.is_set()), &stop).map(|count| count.to_string())
            }
            Request::Divide(depth) => divided(engine.game(), depth, &stop),
            Request::Go(limits) => match engine.prepare_search(&limits) {
                Ok(limits) => return stream_search(engine, &mut self.output, id, &limits, &stop),
                Err(error) => Err(error.into()),
            },
            Request::GenMove(side) => {
                is_moved = true;
                self.choose(side, &stop, true)
            }
            Request::RegGenMove(side) => self.choose(side, &stop, false),
            Request::Analyze(request) => match engine.prepare_analysis(request.side) {
                Ok(limits) => return streamed(id, &request, limits).analyze(engine, &mut self.output, &stop),
                Err(error) => Err(error.into()),
            },
            Request::GenMoveAnalyze(request) => {
                let side = request.side.unwrap_or_else(|| engine.game().side());
                match engine.prepare_move(side, true) {
                    Ok(limits) => {
                        streamed(id, &request, limits).genmove_analyze(engine, &mut self.output, &stop)?;
                        engine.ponder(&next_line);
                        return Ok(());
                    }
                    Err(error) => Err(error.into()),
                }
            }
            Request::SetTimeControl(control) | Request::SetKataTimeControl(control) => {
                engine.set_time_control(control);
                Ok(String::new())
            }
            Request::SetTimeLeft(left) => {
                engine.set_time_left(left.side, left.time, left.moves);
                Ok(String::new())
            }
        };
        stop.set();
        self.write(Reply::from_result(id, &result))?;
        if is_moved {
            self.engine.ponder(&next_line);
        }
        Ok(())
    }

    /// Answers `genmove` (`play`, on the engine's clock) and `reg_genmove`.
    fn choose(&mut self, side: Side, stop: &Stop, play: bool) -> Answer {
        let limits = self.engine.prepare_move(side, play)?;
        let found = self.engine.choose(&limits, stop, &mut |_| {});
        let SearchResult { best, time, .. } = found.ok_or(ProtocolError::bare(ErrorCode::GameOver))?;
        let text = self.engine.game().move_text(&best);
        if play {
            self.engine.play_found(best, time);
        }
        Ok(text)
    }
}

/// The texts of whole moves.
type LineTexts = fn(&Game, &[MovePath]) -> Vec<String>;

fn streamed(id: Option<u32>, request: &AnalysisRequest, limits: Limits) -> Streamed<'_, LineTexts> {
    Streamed { id, request, limits, line_texts: Game::line_texts }
}

/// The count of a perft, unless it was stopped or the tree is too deep.
fn counted<T>(count: Option<T>, stop: &Stop) -> Result<T, ProtocolError> {
    let too_deep = || ProtocolError::new(ErrorCode::ValueOutOfRange, "the tree is too deep to be counted");
    count.ok_or_else(|| if stop.is_set() { interrupted() } else { too_deep() })
}

fn divided(game: &Game, depth: u32, stop: &Stop) -> Answer {
    let divisions = counted(divide(game, depth, &mut || stop.is_set()), stop)?;
    let total: u64 = divisions.iter().map(|(_, count)| count).sum();
    let lines = divisions.iter().map(|(text, count)| format!("{text} {count}\n"));
    Ok(lines.collect::<String>() + &format!("total {total}"))
}
