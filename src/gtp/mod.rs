//! The protocol loops around the engine: lines in, answers out. One takes whole moves, the other half moves.
#![deny(clippy::expect_used, clippy::panic)]

mod analysis;
mod answer;
mod conversions;
pub mod gogui;
#[cfg(unix)]
mod hangup;
mod reader;

use std::io::{self, Read, Write};

use privy_protocol::{
    AnalysisRequest, BestMove, ErrorPhrase, Form, GoLimits, NumberedRequest, ProtocolError, Reply, Request, SearchInfo,
    StreamedReply,
};

use crate::engine::{Engine, EngineError};
use crate::rules::Game;
use crate::search::{self, Limits, SearchResult, Stop, nodes_per_second};

use analysis::Streamed;
use conversions::{engine_error, engine_side};
use reader::Message;

#[cfg(unix)]
pub use hangup::when_unread;

/// Answers requests until `quit` or the end of the input. Nothing but answers is written.
///
/// # Errors
/// When the output can't be written any more; a reader that went away is such a case.
pub fn run(engine: Engine, input: impl Read + Send + 'static, output: impl Write) -> io::Result<()> {
    serve(Form::WholeMoves, input, &mut Shell { engine, output })
}

/// What answers the requests of a loop.
trait Answering {
    /// Writes an answer.
    fn reply(&mut self, reply: Reply) -> io::Result<()>;

    /// Answers a request; `stop` ends the search that it may need.
    fn answer(&mut self, numbered: NumberedRequest, stop: &Stop) -> io::Result<()>;

    /// Uses the time until the next line comes, which sets `next_line`. It is the opponent's time: a move has been answered.
    fn ponder(&mut self, _next_line: &Stop) {}
}

/// Has the requests of an input answered, in order, until `quit` or the end of the input.
fn serve(form: Form, input: impl Read + Send + 'static, shell: &mut impl Answering) -> io::Result<()> {
    for message in reader::spawn(form, input)? {
        match message {
            Message::Rejected(rejection) => shell.reply(rejection.into())?,
            Message::Request { numbered, stop, next_line } => {
                let last = numbered.request == Request::Quit;
                let moves = matches!(numbered.request, Request::GenMove(_) | Request::GenMoveAnalyze(_));
                shell.answer(numbered, &stop)?;
                if last {
                    break;
                }
                if moves {
                    shell.ponder(&next_line);
                }
            }
        }
    }
    Ok(())
}

struct Shell<W: Write> {
    engine: Engine,
    output: W,
}

impl<W: Write> Answering for Shell<W> {
    fn reply(&mut self, reply: Reply) -> io::Result<()> {
        reply.write_to(&mut self.output)
    }

    fn answer(&mut self, numbered: NumberedRequest, stop: &Stop) -> io::Result<()> {
        let NumberedRequest { id, request } = numbered;
        let result = match request {
            Request::Go(limits) => match self.prepare(limits) {
                Ok(limits) => return self.stream(id, &limits, stop),
                Err(error) => Err(error),
            },
            Request::Analyze(request) => match self.engine.prepare_analysis(request.side.map(engine_side)) {
                Ok(limits) => {
                    let streamed = Streamed { id, request: &request, limits, line_texts: Game::line_texts };
                    return streamed.analyze(&mut self.engine, &mut self.output, stop);
                }
                Err(error) => Err(engine_error(error)),
            },
            Request::GenMoveAnalyze(request) => match self.prepare_genmove(&request) {
                Ok(limits) => {
                    let streamed = Streamed { id, request: &request, limits, line_texts: Game::line_texts };
                    return streamed.genmove_analyze(&mut self.engine, &mut self.output, stop);
                }
                Err(error) => Err(engine_error(error)),
            },
            Request::GenMove(side) => self.choose(side, stop, true),
            Request::RegGenMove(side) => self.choose(side, stop, false),
            other => answer::answer(&mut self.engine, Form::WholeMoves, other),
        };
        self.reply(Reply::from_result(id, &result))
    }

    fn ponder(&mut self, next_line: &Stop) {
        self.engine.ponder(next_line);
    }
}

impl<W: Write> Shell<W> {
    fn prepare(&self, limits: GoLimits) -> Result<Limits, ProtocolError> {
        self.engine.prepare_search(conversions::go_limits(limits)).map_err(engine_error)
    }

    /// Answers `go`: reports while the search runs, the move at its end.
    fn stream(&mut self, id: Option<u32>, limits: &Limits, stop: &Stop) -> io::Result<()> {
        let mut reply = StreamedReply::open(&mut self.output, id)?;
        let mut failure = None;
        let root = self.engine.game().clone();
        let findings = self.engine.choose(limits, stop, &mut |report| {
            if let Err(error) = reply.line(&info(&root, report).to_string()) {
                // Nobody listens any more: there is no use in going on.
                failure.get_or_insert(error);
                stop.set();
            }
        });
        if let Some(error) = failure {
            return Err(error);
        }
        if let Some(SearchResult { best, .. }) = findings {
            reply.line(&BestMove(root.move_text(&best)).to_string())?;
        }
        reply.close().map(drop)
    }

    fn prepare_genmove(&self, request: &AnalysisRequest) -> Result<Limits, EngineError> {
        let side = request.side.map_or_else(|| self.engine.game().side(), engine_side);
        self.engine.prepare_move(side, true)
    }

    /// Answers `genmove` (`play`, on the engine's clock) and `reg_genmove`.
    fn choose(&mut self, side: privy_protocol::Side, stop: &Stop, play: bool) -> Result<String, ProtocolError> {
        let limits = self.engine.prepare_move(engine_side(side), play).map_err(engine_error)?;
        let findings = self.engine.choose(&limits, stop, &mut |_| {});
        let Some(SearchResult { best, time, .. }) = findings else {
            return Err(ProtocolError::bare(ErrorPhrase::GameOver));
        };
        let text = self.engine.game().move_text(&best);
        if play {
            self.engine.play_found(best, time);
        }
        Ok(text)
    }
}

/// A report as the protocol writes it.
#[must_use]
pub fn info(root: &Game, report: &search::SearchInfo) -> SearchInfo {
    SearchInfo {
        depth: report.depth,
        seldepth: report.selective_depth,
        multipv: u32::try_from(report.rank).unwrap_or(u32::MAX),
        score: conversions::score_text(report.score, report.is_proved_draw),
        nodes: report.nodes,
        nps: nodes_per_second(report.nodes, report.time),
        hashfull: report.hashfull,
        tbhits: report.table_hits,
        time_ms: u64::try_from(report.time.as_millis()).unwrap_or(u64::MAX),
        pv: root.line_texts(&report.line),
    }
}

/// The name that `name` answers.
pub const ENGINE_NAME: &str = "Privy";
