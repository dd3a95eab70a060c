//! The analysis commands of both sessions: the search runs on a separate thread, and a line reports on the moves at every interval.

use std::io::{self, Write};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use privy_protocol::{AnalysisReport, AnalysisRequest, Instant, MoveInfo, StreamedReply};

use crate::{Analysis, Engine, EngineError, GoRequest};
use privy_rules::{Game, MovePath};
use privy_search::{SearchResult, Stop};

/// The open answer and what the search has found, or an error of the request, which comes before the answer.
type Begun<'w, W> = Result<(StreamedReply<&'w mut W>, Option<SearchResult>), EngineError>;

/// An answer that reports on the moves while the engine searches.
pub struct Streamed<'a, T: Fn(&Game, &[MovePath]) -> Vec<String>> {
    /// The id, which the answer repeats.
    pub id: Option<u32>,
    /// The command and its arguments.
    pub request: &'a AnalysisRequest,
    /// The search.
    pub go: GoRequest,
    /// The texts of a line of moves from the position that is analysed.
    pub line_texts: T,
    /// The text of a report.
    pub report_text: fn(&AnalysisReport) -> String,
}

impl<T: Fn(&Game, &[MovePath]) -> Vec<String>> Streamed<'_, T> {
    /// Answers `analyze`: reports until the search is stopped.
    pub fn analyze(
        self,
        engine: &mut Engine,
        output: &mut impl Write,
        stop: &Stop,
    ) -> io::Result<Result<(), EngineError>> {
        match self.stream(engine, output, stop, false)? {
            Ok((reply, _)) => reply.close().map(|_| Ok(())),
            Err(error) => Ok(Err(error)),
        }
    }

    /// Answers `genmove_analyze`: reports while the search runs, then plays the move and answers it.
    pub fn genmove_analyze(
        self,
        engine: &mut Engine,
        output: &mut impl Write,
        stop: &Stop,
    ) -> io::Result<Result<(), EngineError>> {
        match self.stream(engine, output, stop, true)? {
            Ok((mut reply, found)) => {
                if let Some(SearchResult { best, time, .. }) = found {
                    let text = engine.game().move_text(&best);
                    engine.play_found(best, time);
                    reply.line(&format!("play {text}"))?;
                }
                reply.close().map(|_| Ok(()))
            }
            Err(error) => Ok(Err(error)),
        }
    }

    /// Finds the errors of the request. Else opens the answer, runs the search and writes at least one report; with `concludes` also one
    /// after the end of the search, which decides the move. The search is stopped when a report can't be written.
    pub fn stream<'w, W: Write>(
        mut self,
        engine: &mut Engine,
        output: &'w mut W,
        stop: &Stop,
        concludes: bool,
    ) -> io::Result<Begun<'w, W>> {
        if let Err(error) = engine.check(&self.go) {
            return Ok(Err(error));
        }
        let mut reply = StreamedReply::open(output, self.id)?;
        let analysis = Analysis::of(engine.game(), &mut self.go.search);
        let root = engine.game().clone();
        let report = || (self.report_text)(&self.report(&root, &analysis));
        let mut reports = Reports::new(self.request, &mut reply);
        let request = &self.go;
        let found = thread::scope(|scope| {
            let (sender, ended) = mpsc::channel::<()>();
            let (engine, stop) = (&mut *engine, stop);
            let search = move || {
                let found = engine.go_silently(request, stop);
                drop(sender);
                found
            };
            let searching = thread::Builder::new().name("search".to_owned()).spawn_scoped(scope, search).ok()?;
            while ended.recv_timeout(reports.left()) == Err(RecvTimeoutError::Timeout) {
                reports.write_due(&analysis, &report, stop);
            }
            Some(searching.join().map_err(|_| io::Error::other("the search has failed")))
        });
        // Where the system gives no thread, the search reports when it has found something.
        let found = match found {
            Some(joined) => joined?,
            None => engine.go(request, stop, &mut |_| reports.write_due(&analysis, &report, stop)),
        };
        reports.end(report, concludes)?;
        stop.set();
        Ok(Ok((reply, found.ok())))
    }

    /// The current state of the moves. Of moves with the same first half move only the best is reported.
    fn report(&self, root: &Game, analysis: &Analysis) -> AnalysisReport {
        let mut moves: Vec<MoveInfo> = Vec::new();
        for MoveInfo { visits, winrate, prior, lcb, score, bound, pv, .. } in analysis.moves() {
            let pv = (self.line_texts)(root, &pv);
            if !pv.is_empty() && moves.iter().all(|other| other.pv.first() != pv.first()) {
                let order = u32::try_from(moves.len()).unwrap_or(u32::MAX);
                moves.push(MoveInfo { visits, winrate, prior, lcb, score, bound, order, pv });
            }
        }
        moves.truncate(self.request.count(moves.len()));
        AnalysisReport { moves }
    }
}

/// Reports at every interval.
struct Reports<'r, 'w, W: Write> {
    reply: &'r mut StreamedReply<&'w mut W>,
    interval: Duration,
    due: Instant,
    is_silent: bool,
    written: io::Result<()>,
}

impl<'r, 'w, W: Write> Reports<'r, 'w, W> {
    fn new(request: &AnalysisRequest, reply: &'r mut StreamedReply<&'w mut W>) -> Self {
        let hundredths = request.interval.unwrap_or(AnalysisRequest::USUAL_INTERVAL);
        let interval = Duration::from_millis(10 * u64::from(hundredths));
        Reports { reply, interval, due: Instant::now() + interval, is_silent: true, written: Ok(()) }
    }

    /// Returns the time until the next report.
    fn left(&self) -> Duration {
        self.due.saturating_duration_since(Instant::now())
    }

    /// Writes a report, if one is due and there is something to report. Stops the search when it can't be written.
    fn write_due(&mut self, analysis: &Analysis, report: &impl Fn() -> String, stop: &Stop) {
        if !self.left().is_zero() {
            return;
        }
        // A late report does not delay the next one; a missed report is dropped.
        self.due = (self.due + self.interval).max(Instant::now());
        if analysis.has_begun() && self.written.is_ok() {
            self.written = self.reply.line(&report());
            self.is_silent = false;
            if self.written.is_err() {
                stop.set();
            }
        }
    }

    /// Writes the only report, or the one that concludes.
    fn end(self, report: impl Fn() -> String, concludes: bool) -> io::Result<()> {
        self.written?;
        if self.is_silent || concludes { self.reply.line(&report()) } else { Ok(()) }
    }
}
