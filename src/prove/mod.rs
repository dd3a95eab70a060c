//! Proofs of openings: best-first search over the defender's replies and the attacker's good moves.
//!
//! Where a game is won in 70 plies, no search of uniform depth sees the end. But the winner needs one move for each reply, and a search
//! of some ten thousand nodes names a good one nearly always. So the leaves of the tree are whole searches ("job-level proof-number
//! search", I-C. Wu et al., 2011): each says how good a position is for the attacker, which move is best, or that it is won. The tree
//! goes where the least effort is expected to be left, tries another move where the best one disappoints, and is done when
//! every reply has an answer. Leaves are independent of each other: threads take them in turn.
//!
//! - `tree`: which position to judge next, and what follows from judgements.
//! - `judge`: a search of a leaf.
//! - `store`: judgements kept in a file.
//! - `strategy`: from a tree that is proved to a [`Proof`], which needs no trust in any of this.
//!
//! # Invariants
//!
//! - *A proof rests on proofs*: a position counts as won when a search has proved it, or when every reply to one move leads to positions
//!   that count as won already. Evaluations only choose the way.
//! - *The number of plies falls* along every line, so that a repetition proves nothing.
//! - *A judgement depends on its position alone* (and the number of nodes), not on what was searched before; one that was
//!   stopped is thrown away. With one thread the same command makes the same proof.

mod judge;
mod store;
mod strategy;
mod tree;

use std::path::PathBuf;
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::time::{Duration, Instant};

use crate::proofs::Proof;
use crate::rules::{Outcome, Position, Side, Variant};
use crate::search::{PreparedVariant, Searcher, Stop};

use judge::{Judge, Judgement};
use store::Store;
use tree::Tree;

pub use store::StoreError;

/// How often progress is reported, and an interrupt seen.
const REPORT: Duration = Duration::from_millis(100);

/// What to prove, and how.
#[derive(Debug, Clone)]
pub struct ProveRequest {
    /// The game.
    pub variant: Arc<Variant>,
    /// The position to prove; its history counts as empty.
    pub root: Position,
    /// The side that is to win.
    pub attacker: Side,
    /// It is to win within so many plies.
    pub plies: u16,
    /// Nodes of a judgement.
    pub nodes: u64,
    /// Searches at a time.
    pub threads: usize,
    /// The size of the transposition table of each search, in MiB.
    pub mebibytes: usize,
    /// Judgements are kept here, if anywhere.
    pub store: Option<PathBuf>,
    /// The work may take so long; without limit when none.
    pub time: Option<Duration>,
}

/// How far the work has come.
#[derive(Debug, Clone, Copy)]
pub struct ProveProgress {
    /// Since the beginning.
    pub time: Duration,
    /// Searches done.
    pub searches: u64,
    /// Judgements taken from the store.
    pub stored: u64,
    /// Positions in the tree, with the attacker to move.
    pub positions: usize,
    /// Positions that are proved.
    pub proved: usize,
    /// Positions proved by a search, not by the tree below them.
    pub leaves: usize,
    /// The effort that is expected to be left, in units of the tree.
    pub effort: u32,
}

/// Why there is no answer.
#[derive(Debug, thiserror::Error)]
pub enum ProveError {
    /// The position is over.
    #[error("game over: {0}")]
    Over(Outcome),
    /// A stop came, or the time was over.
    #[error("interrupted")]
    Interrupted,
    /// The store can't be used.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// What the threads share.
struct Work {
    state: Mutex<State>,
    /// A judgement has come, or the work is done.
    news: Condvar,
    stop: Stop,
    start: Instant,
    time: Duration,
}

struct State {
    tree: Tree,
    store: Store,
    searches: u64,
    stored: u64,
    failure: Option<StoreError>,
}

/// Proves that a side wins: the proof, or none when no line of the engine's moves wins within the plies.
///
/// # Errors
/// When the position is over, a stop came, the time was over, or the store can't be used. What was judged is in the store then.
pub fn prove(
    request: &ProveRequest,
    report: &mut dyn FnMut(&ProveProgress),
    stop: &Stop,
) -> Result<Option<Proof>, ProveError> {
    let ProveRequest { variant, root, attacker, .. } = request;
    if let Some(outcome) = variant.outcome(root) {
        return Err(ProveError::Over(outcome));
    }
    let prepared = Arc::new(PreparedVariant::new(variant));
    let store = match &request.store {
        Some(path) => Store::open(path, variant, *attacker, request.nodes)?,
        None => Store::none(variant),
    };
    let tree = Tree::new(variant, root, *attacker, request.plies);
    let work = Work {
        state: Mutex::new(State { tree, store, searches: 0, stored: 0, failure: None }),
        news: Condvar::new(),
        stop: stop.clone(),
        start: Instant::now(),
        time: request.time.unwrap_or(Duration::MAX),
    };
    std::thread::scope(|scope| {
        for _ in 0..request.threads.max(1) {
            let judge = Judge::new(&prepared, variant, request.mebibytes, request.nodes);
            scope.spawn(|| work.judge_leaves(judge));
        }
        work.watch(report);
    });
    let mut state = work.state.into_inner().expect("no thread panics while it holds the lock");
    state.store.commit()?;
    if let Some(failure) = state.failure {
        return Err(failure.into());
    }
    if !state.tree.is_proved() {
        return if state.tree.is_hopeless() { Ok(None) } else { Err(ProveError::Interrupted) };
    }
    let mut searcher = Searcher::prepared_for(prepared, request.mebibytes);
    let proof = strategy::strategy(&state.tree, variant, root, *attacker, &mut searcher, stop);
    proof.map(Some).ok_or(ProveError::Interrupted)
}

impl Work {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().expect("no thread panics while it holds the lock")
    }

    /// Takes leaves and judges them until the root is decided or the work is stopped.
    fn judge_leaves(&self, mut judge: Judge) {
        let mut state = self.lock();
        loop {
            if state.is_done() || self.is_interrupted() {
                self.news.notify_all();
                return;
            }
            let Some(job) = state.tree.select() else {
                if !state.is_done() {
                    state = self.news.wait(state).expect("no thread panics while it holds the lock");
                }
                continue;
            };
            if let Some(known) = state.stored_judgement(&job.position, job.without.len()) {
                state.stored += 1;
                state.tree.judged(job.place, Some(known));
                continue;
            }
            drop(state);
            let judgement = judge.judge(&job.position, &job.without, &self.stop);
            state = self.lock();
            if !self.stop.is_set() {
                state.searches += 1;
                state.tree.judged(job.place, judgement);
                state.keep(job.place);
            }
            self.news.notify_all();
        }
    }

    /// Reports until the work is done or interrupted.
    fn watch(&self, report: &mut dyn FnMut(&ProveProgress)) {
        loop {
            let state = self.lock();
            let (state, _) = self.news.wait_timeout(state, REPORT).expect("no thread panics while it holds the lock");
            report(&state.progress(self.start.elapsed()));
            if state.is_done() || self.is_interrupted() {
                self.news.notify_all();
                return;
            }
        }
    }

    fn is_interrupted(&self) -> bool {
        self.stop.is_set() || self.start.elapsed() >= self.time
    }
}

impl State {
    fn is_done(&self) -> bool {
        self.failure.is_some() || self.tree.is_proved() || self.tree.is_hopeless()
    }

    /// The judgement of the next move of a place, if an earlier run has made it.
    fn stored_judgement(&mut self, position: &Position, judged: usize) -> Option<Judgement> {
        match self.store.judgements(position) {
            Ok(known) => known.get(judged).copied(),
            Err(error) => {
                self.failure = Some(error);
                None
            }
        }
    }

    fn keep(&mut self, place: u32) {
        let place = &self.tree.places[place as usize];
        if let Err(error) = self.store.keep(&place.position, &place.judgements) {
            self.failure = Some(error);
        }
    }

    fn progress(&self, time: Duration) -> ProveProgress {
        ProveProgress {
            time,
            searches: self.searches,
            stored: self.stored,
            positions: self.tree.places.len(),
            proved: self.tree.proved,
            leaves: self.tree.leaves,
            effort: self.tree.root_number(),
        }
    }
}
