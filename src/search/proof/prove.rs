//! The proof of an opening or a position: threads search the leaves of one best-first search.
//!
//! With one thread the same request makes the same proof.

use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::time::Duration;

use privy_protocol::{Instant, Stop};

use crate::{MAX_DEPTH, PreparedVariant, Searcher, StopOnPanic};
use privy_base::message::counted;
use privy_base::threads::useful;
use privy_rules::{Outcome, Position, Side, Variant};

use super::best_first::{BestFirst, ProveProgress};
use super::leaf::{Leaf, LeafResult};
use super::strategy::{Proof, unprovable};

/// At least this part of the time is for the strategy of a proved tree.
const SHARE_OF_STRATEGY: u32 = 10;
/// Time between reports of progress and checks for an interrupt.
const REPORT: Duration = Duration::from_millis(100);

/// What to prove, and how.
#[derive(Debug, Clone)]
pub struct ProveRequest {
    /// The variant.
    pub variant: Arc<Variant>,
    /// The position; its history counts as empty.
    pub root: Position,
    /// The side that is to win.
    pub winner: Side,
    /// Most plies of a win.
    pub plies: u16,
    /// Nodes of a leaf search.
    pub nodes: u64,
    /// Parallel leaf searches; at least one, and no more than the machine has cores, or 16.
    pub threads: usize,
    /// The size of the transposition table of each search, in MiB.
    pub mebibytes: usize,
    /// Time limit, and a tenth more for the strategy at its end; `None` for no limit.
    pub time: Option<Duration>,
    /// The variant as prepared for searches, with its weights; prepared anew if `None`.
    pub prepared: Option<Arc<PreparedVariant>>,
}

impl ProveRequest {
    /// A win of a variant's opening, of any length, on one thread.
    #[must_use]
    pub fn of_opening(variant: &Arc<Variant>, winner: Side) -> ProveRequest {
        ProveRequest {
            variant: Arc::clone(variant),
            root: *variant.opening(),
            winner,
            plies: MAX_DEPTH as u16,
            nodes: 100_000,
            threads: 1,
            mebibytes: 64,
            time: None,
            prepared: None,
        }
    }
}

/// Why there is no answer.
#[derive(Debug, thiserror::Error)]
pub enum ProveError {
    /// The position is over.
    #[error("game over: {0}")]
    Over(Outcome),
    /// The game's history, which a proof does not have, may end the game otherwise.
    #[error("{0}")]
    History(&'static str),
    /// Stopped, or out of time.
    #[error("interrupted")]
    Interrupted,
    /// The system does not give the memory: for what.
    #[error("no memory: {0}")]
    Memory(String),
}

/// Searches for a proof; `None` if the engine's moves give none within the plies.
///
/// # Errors
/// See [`ProveError`].
pub fn prove(
    request: &ProveRequest,
    report: &mut dyn FnMut(&ProveProgress),
    stop: &Stop,
) -> Result<Option<Proof>, ProveError> {
    let ProveRequest { variant, root, winner, plies, mebibytes, time, .. } = request;
    if let Some(reason) = unprovable(variant) {
        return Err(ProveError::History(reason));
    }
    if let Some(outcome) = variant.outcome(root) {
        return Err(ProveError::Over(outcome));
    }
    let start = Instant::now();
    let prepared = request.prepared.clone().unwrap_or_else(|| Arc::new(PreparedVariant::new(variant)));
    let state = ProveState { tree: BestFirst::new(variant, root, *winner, *plies), searches: 0, failure: None };
    let work = ProofWork { request, state: Mutex::new(state), news: Condvar::new(), stop, start };
    // With a smaller table the results would be others.
    let new_searcher = || {
        let mut searcher = Searcher::prepared_for(Arc::clone(&prepared), *mebibytes);
        let no_memory =
            || ProveError::Memory(format!("a transposition table of {mebibytes} MiB; --hash sets the size"));
        if searcher.resize(*mebibytes) { Ok(searcher) } else { Err(no_memory()) }
    };
    let mut searchers = vec![new_searcher()?];
    for number in 1..useful(request.threads) {
        match new_searcher() {
            Ok(searcher) => searchers.push(searcher),
            Err(error) => {
                log::warn!("{error}: proving with {}", counted(number, "thread"));
                break;
            }
        }
    }
    std::thread::scope(|scope| {
        for (number, searcher) in searchers.into_iter().enumerate() {
            let search = || {
                let _guard = StopOnPanic(stop);
                work.search_leaves(searcher);
            };
            if let Err(error) = std::thread::Builder::new().spawn_scoped(scope, search) {
                log::warn!("the system gives no more threads ({error}): proving with {number}");
                if number == 0 {
                    match new_searcher() {
                        Ok(searcher) => work.search_leaves(searcher),
                        Err(error) => work.lock().failure = Some(error),
                    }
                }
                break;
            }
        }
        work.watch(report);
    });
    let ProveState { tree, failure, .. } = work.state.into_inner().expect(UNPOISONED);
    if !tree.is_proved() {
        return match failure {
            Some(failure) => Err(failure),
            _ if tree.is_refuted() => Ok(None),
            _ => Err(ProveError::Interrupted),
        };
    }
    let mut searcher = Searcher::prepared_for(prepared, *mebibytes);
    let left = time.map(|time| time.saturating_sub(start.elapsed()).max(time / SHARE_OF_STRATEGY));
    let proof = tree.strategy(&mut searcher, left, stop);
    let proof = proof.map_err(|_| ProveError::Memory("the proof of a proved root".to_owned()))?;
    proof.map(Some).ok_or(ProveError::Interrupted)
}

const UNPOISONED: &str = "no thread panics while it holds the lock";

struct ProveState {
    tree: BestFirst,
    searches: u64,
    /// There is no more memory.
    failure: Option<ProveError>,
}

impl ProveState {
    fn is_done(&self) -> bool {
        self.failure.is_some() || self.tree.is_proved() || self.tree.is_refuted()
    }

    /// Selects the next leaf that has a move to search.
    fn next(&mut self, variant: &Variant, is_interrupted: impl Fn() -> bool) -> Option<Leaf> {
        while !self.is_done() && !is_interrupted() {
            if self.tree.make_room().is_err() {
                self.failure =
                    Some(ProveError::Memory(format!("more than {} positions", self.tree.progress().positions)));
                return None;
            }
            let leaf = self.tree.select()?;
            if leaf.has_moves(variant) {
                return Some(leaf);
            }
            self.tree.take_result(leaf.place, None);
        }
        None
    }

    fn take_result(&mut self, leaf: &Leaf, result: LeafResult) {
        self.searches += 1;
        self.tree.take_result(leaf.place, Some(result));
    }
}

/// What the threads share.
struct ProofWork<'a> {
    request: &'a ProveRequest,
    state: Mutex<ProveState>,
    /// A leaf has a result, or the work is done.
    news: Condvar,
    stop: &'a Stop,
    start: Instant,
}

impl ProofWork<'_> {
    fn lock(&self) -> MutexGuard<'_, ProveState> {
        self.state.lock().expect(UNPOISONED)
    }

    fn is_interrupted(&self) -> bool {
        self.stop.is_set() || self.request.time.is_some_and(|time| self.start.elapsed() >= time)
    }

    /// Searches leaves until the root is decided or the work is interrupted.
    fn search_leaves(&self, mut searcher: Searcher) {
        let ProveRequest { variant, nodes, .. } = self.request;
        let mut state = self.lock();
        while !self.is_interrupted() {
            if let Some(leaf) = state.next(variant, || self.is_interrupted()) {
                drop(state);
                let result = leaf.search(variant, &mut searcher, *nodes, self.stop);
                state = self.lock();
                if let Some(result) = result {
                    state.take_result(&leaf, result);
                }
                self.news.notify_all();
            } else if state.is_done() {
                break;
            } else {
                // No leaf is free until others have results.
                state = self.news.wait(state).expect(UNPOISONED);
            }
        }
        self.news.notify_all();
    }

    /// Reports progress until the work is done or interrupted, which may be before it begins to wait.
    fn watch(&self, report: &mut dyn FnMut(&ProveProgress)) {
        let mut state = self.lock();
        loop {
            let is_over = state.is_done() || self.is_interrupted();
            report(&ProveProgress { time: self.start.elapsed(), searches: state.searches, ..state.tree.progress() });
            if is_over {
                self.news.notify_all();
                return;
            }
            (state, _) = self.news.wait_timeout(state, REPORT).expect(UNPOISONED);
        }
    }
}
