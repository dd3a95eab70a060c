//! The proof of an opening or a position: threads search the leaves of one best-first search.
//!
//! With one thread the same request makes the same proof.

use std::sync::{Arc, Condvar, Mutex};
use std::time::Duration;

use privy_protocol::{Instant, Stop};

use crate::{MAX_DEPTH, PreparedVariant, Searcher, StopOnPanic};
use privy_base::message::counted;
use privy_base::threads::useful;
use privy_rules::{Outcome, Position, Side, Variant};

use super::best_first::{BestFirst, ProveProgress};
use super::strategy::{Proof, unprovable};

/// At least this part of the time is for the strategy of a proved tree.
const SHARE_OF_STRATEGY: u32 = 10;

/// Time between reports of progress while no leaf is free, and between checks for an interrupt.
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

/// Searches for a proof; `None` if the engine's moves give none within the plies. The calling thread reports after each
/// leaf that it has searched.
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
    let tree = Mutex::new(BestFirst::new(variant, root, *winner, *plies));
    let work = ProofWork { request, tree, news: Condvar::new(), stop, start };
    // With a smaller table the results would be others.
    let new_searcher = || {
        let mut searcher = Searcher::prepared_for(Arc::clone(&prepared), *mebibytes);
        let no_memory = || format!("a transposition table of {mebibytes} MiB; --hash sets the size");
        if searcher.resize(*mebibytes) { Ok(searcher) } else { Err(ProveError::Memory(no_memory())) }
    };
    let first = new_searcher()?;
    std::thread::scope(|scope| {
        for number in 1..useful(request.threads) {
            let help = |searcher| {
                let search = || work.search_leaves(searcher, &mut |_| {});
                let started = std::thread::Builder::new().spawn_scoped(scope, search);
                started.map_err(|error| ProveError::Memory(format!("another thread ({error})")))
            };
            if let Err(error) = new_searcher().and_then(help) {
                log::warn!("{error}: proving with {}", counted(number, "thread"));
                break;
            }
        }
        work.search_leaves(first, report);
    });
    let tree = work.tree.into_inner().expect(UNPOISONED);
    if !tree.is_proved() {
        return match tree.is_refuted() {
            true => Ok(None),
            false if tree.is_full => {
                Err(ProveError::Memory(format!("more than {} positions", tree.progress().positions)))
            }
            false => Err(ProveError::Interrupted),
        };
    }
    let mut searcher = Searcher::prepared_for(prepared, *mebibytes);
    let left = time.map(|time| time.saturating_sub(start.elapsed()).max(time / SHARE_OF_STRATEGY));
    let proof = tree.strategy(&mut searcher, left, stop);
    let proof = proof.map_err(|_| ProveError::Memory("the proof of a proved root".to_owned()))?;
    proof.map(Some).ok_or(ProveError::Interrupted)
}

const UNPOISONED: &str = "no thread panics while it holds the lock";

/// What the threads share.
struct ProofWork<'a> {
    request: &'a ProveRequest,
    tree: Mutex<BestFirst>,
    /// A leaf has a result, or the work is done.
    news: Condvar,
    stop: &'a Stop,
    start: Instant,
}

impl ProofWork<'_> {
    /// Searches leaves until the root is decided, the memory is full or the work is interrupted.
    fn search_leaves(&self, mut searcher: Searcher, report: &mut dyn FnMut(&ProveProgress)) {
        let _guard = StopOnPanic(self.stop);
        let ProveRequest { variant, nodes, time, .. } = self.request;
        let mut tree = self.tree.lock().expect(UNPOISONED);
        loop {
            let elapsed = self.start.elapsed();
            report(&ProveProgress { time: elapsed, ..tree.progress() });
            if tree.is_done() || self.stop.is_set() || time.is_some_and(|time| elapsed >= time) {
                break;
            }
            if let Some(leaf) = tree.select() {
                drop(tree);
                let result = leaf.search(variant, &mut searcher, *nodes, self.stop);
                tree = self.tree.lock().expect(UNPOISONED);
                if let Some(result) = result {
                    tree.take_result(&leaf.position, result);
                }
                self.news.notify_all();
            } else if !tree.is_done() {
                // No leaf is free until others have results.
                (tree, _) = self.news.wait_timeout(tree, REPORT).expect(UNPOISONED);
            }
        }
        self.news.notify_all();
    }
}
