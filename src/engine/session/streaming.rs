//! Reports on the moves at every interval, while the search runs on a separate thread: the analysis commands of both
//! sessions.

use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use privy_protocol::{AnalysisRequest, Instant, MoveInfo, ProtocolError, ReplyWriter, analysis_line};

use crate::{Analysis, Engine};
use privy_rules::{Game, MovePath};
use privy_search::{SearchRequest, SearchResult, Stop};

/// What reports on the moves say, and in which form.
pub struct Reports<'a> {
    /// The command and its arguments.
    pub request: &'a AnalysisRequest,
    /// The texts of a line of moves from the position that is analysed.
    pub line_texts: &'a dyn Fn(&Game, &[MovePath]) -> Vec<String>,
    /// The numbers of a move.
    pub numbers: fn(&MoveInfo) -> String,
}

impl Reports<'_> {
    /// Runs a search and writes at least one report; with `concludes` also one after the end of the search, which
    /// decides the move.
    ///
    /// # Errors
    /// Those of the request, before any report.
    pub fn stream(
        &self,
        engine: &mut Engine,
        mut search: SearchRequest,
        concludes: bool,
        reply: &mut ReplyWriter<'_>,
        stop: &Stop,
    ) -> Result<SearchResult, ProtocolError> {
        engine.check_to_move(self.request.side)?;
        reply.open();
        let root = engine.game().clone();
        let analysis = Analysis::of(&root, &mut search);
        let interval = self.request.interval.unwrap_or(AnalysisRequest::USUAL_INTERVAL);
        let interval = Duration::from_millis(10 * u64::from(interval));
        let (mut due, mut is_silent) = (Instant::now() + interval, true);
        let mut write_due = |due: &mut Instant| {
            if due.saturating_duration_since(Instant::now()).is_zero() {
                // A late report does not delay the next one; a missed report is dropped.
                *due = (*due + interval).max(Instant::now());
                if analysis.has_begun() {
                    reply.line(&self.report(&root, &analysis));
                    is_silent = false;
                }
            }
        };
        let found = thread::scope(|scope| {
            let (sender, ended) = mpsc::channel::<()>();
            let (engine, request) = (&mut *engine, &search);
            let work = move || {
                let found = engine.go(request, stop, None);
                drop(sender);
                found
            };
            let searching = thread::Builder::new().name("search".to_owned()).spawn_scoped(scope, work).ok()?;
            while ended.recv_timeout(due.saturating_duration_since(Instant::now())) == Err(RecvTimeoutError::Timeout) {
                write_due(&mut due);
            }
            Some(searching.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
        });
        // Where the system gives no thread, the search reports when it has found something.
        let found = match found {
            Some(found) => found,
            None => engine.go(&search, stop, Some(&mut |_| write_due(&mut due))),
        };
        if is_silent || concludes {
            reply.line(&self.report(&root, &analysis));
        }
        found
    }

    /// The current state of the moves, as text. Of moves with the same first half move only the best is reported.
    fn report(&self, root: &Game, analysis: &Analysis) -> String {
        let mut moves: Vec<MoveInfo> = Vec::new();
        for MoveInfo { visits, winrate, prior, lcb, verdict, pv, .. } in analysis.moves() {
            let pv = (self.line_texts)(root, &pv);
            if !pv.is_empty() && moves.iter().all(|other| other.pv.first() != pv.first()) {
                let order = u32::try_from(moves.len()).unwrap_or(u32::MAX);
                moves.push(MoveInfo { visits, winrate, prior, lcb, verdict, order, pv });
            }
        }
        moves.truncate(self.request.count(moves.len()));
        analysis_line(&moves, self.numbers)
    }
}
