//! Proofs of openings and positions: best-first search over the defender's replies and the attacker's good moves.
//!
//! Where a game is won in 70 plies, no search of uniform depth sees the end. But the winner needs one move for each reply, and a search
//! of some ten thousand nodes names a good one nearly always. So the leaves of the tree are whole searches ("job-level proof-number
//! search", I-C. Wu et al., 2011): each says how good a position is for the attacker, which move is best, or that it is won. The tree
//! goes where the least effort is expected to be left, tries another move where the best one disappoints, and is done when
//! every reply has an answer. Leaves are independent of each other: threads take them in turn.
//!
//! That a side does not lose needs no end: there a closed set of positions with a move each is looked for, by the same leaves.
//!
//! - `tree`: a win: which position to judge next, and what follows from judgements.
//! - `holding`: the same where a side is to hold a draw.
//! - `places`: positions by number.
//! - `replies`: what can happen after a move.
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

mod holding;
mod judge;
mod places;
mod replies;
mod store;
mod strategy;
mod tree;

use std::path::PathBuf;
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::time::{Duration, Instant};

use crate::proofs::{Claim, Proof};
use crate::rules::{Move, Outcome, Position, Variant};
use crate::search::{MAX_DEPTH, PreparedVariant, Searcher, Stop};

use holding::Holding;
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
    /// What is to be proved of it.
    pub claim: Claim,
    /// A win is to come within so many plies.
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

impl ProveRequest {
    /// That a side wins the opening of a variant, or does not lose it, at any length, on one thread, with nothing kept.
    #[must_use]
    pub fn of_opening(variant: &Arc<Variant>, claim: Claim) -> ProveRequest {
        ProveRequest {
            variant: Arc::clone(variant),
            root: *variant.opening(),
            claim,
            plies: MAX_DEPTH as u16,
            nodes: 100_000,
            threads: 1,
            mebibytes: 64,
            store: None,
            time: None,
        }
    }
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
    /// Positions that are proved; of a draw those that have a move.
    pub proved: usize,
    /// Positions proved by a search, not by the tree below them.
    pub leaves: usize,
    /// The effort that is expected to be left, in units of the tree; of a draw the positions without a move.
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

/// What to judge.
#[derive(Debug, Clone)]
struct Job {
    place: u32,
    position: Position,
    /// Moves that have been judged.
    without: Vec<Move>,
}

/// How large a graph is: see [`ProveProgress`].
#[derive(Debug, Clone, Copy)]
struct Counts {
    positions: usize,
    proved: usize,
    leaves: usize,
    effort: u32,
}

/// Positions with the proving side to move, what searches said of them, and what follows.
trait ProofGraph: Send {
    /// A job that is not pending; none when all that could be judged is, or when the root is decided.
    fn select(&mut self) -> Option<Job>;

    /// What a search said of the next best move of a place; none when it has no other.
    fn judged(&mut self, place: u32, judgement: Option<Judgement>);

    /// The position of a place, and what was judged of it.
    fn judgements(&self, place: u32) -> (&Position, &[Judgement]);

    fn is_proved(&self) -> bool;

    /// There is no proof.
    fn is_hopeless(&self) -> bool;

    fn counts(&self) -> Counts;
}

/// What the threads share.
struct Work<G> {
    state: Mutex<State<G>>,
    /// A judgement has come, or the work is done.
    news: Condvar,
    stop: Stop,
    start: Instant,
    time: Duration,
}

struct State<G> {
    graph: G,
    store: Store,
    searches: u64,
    stored: u64,
    failure: Option<StoreError>,
}

/// Proves what is asked for: the proof, or none when the engine's moves give none, or none within the plies.
///
/// # Errors
/// When the position is over, a stop came, the time was over, or the store can't be used. What was judged is in the store then.
pub fn prove(
    request: &ProveRequest,
    report: &mut dyn FnMut(&ProveProgress),
    stop: &Stop,
) -> Result<Option<Proof>, ProveError> {
    let ProveRequest { variant, root, claim, .. } = request;
    if let Some(outcome) = variant.outcome(root) {
        return Err(ProveError::Over(outcome));
    }
    let prepared = Arc::new(PreparedVariant::new(variant));
    match *claim {
        Claim::Wins(attacker) => {
            let tree = Tree::new(variant, root, attacker, request.plies);
            let Some(tree) = work(request, &prepared, tree, report, stop)? else { return Ok(None) };
            let mut searcher = Searcher::prepared_for(prepared, request.mebibytes);
            let proof = strategy::strategy(&tree, variant, root, attacker, &mut searcher, stop);
            proof.map(Some).ok_or(ProveError::Interrupted)
        }
        Claim::Holds(holder) => {
            let holding = Holding::new(variant, root, holder);
            Ok(work(request, &prepared, holding, report, stop)?.map(|holding| holding.proof()))
        }
    }
}

/// Judges leaves of a graph until it is decided: the graph when it is proved.
fn work<G: ProofGraph>(
    request: &ProveRequest,
    prepared: &Arc<PreparedVariant>,
    graph: G,
    report: &mut dyn FnMut(&ProveProgress),
    stop: &Stop,
) -> Result<Option<G>, ProveError> {
    let variant = &request.variant;
    let store = match &request.store {
        Some(path) => Store::open(path, variant, request.claim.side(), request.nodes)?,
        None => Store::none(variant),
    };
    let work = Work {
        state: Mutex::new(State { graph, store, searches: 0, stored: 0, failure: None }),
        news: Condvar::new(),
        stop: stop.clone(),
        start: Instant::now(),
        time: request.time.unwrap_or(Duration::MAX),
    };
    std::thread::scope(|scope| {
        for _ in 0..request.threads.max(1) {
            let judge = Judge::new(prepared, variant, request.mebibytes, request.nodes);
            scope.spawn(|| work.judge_leaves(judge));
        }
        work.watch(report);
    });
    let mut state = work.state.into_inner().expect("no thread panics while it holds the lock");
    state.store.commit()?;
    match state {
        State { failure: Some(failure), .. } => Err(failure.into()),
        State { graph, .. } if graph.is_proved() => Ok(Some(graph)),
        State { graph, .. } if graph.is_hopeless() => Ok(None),
        State { .. } => Err(ProveError::Interrupted),
    }
}

impl<G: ProofGraph> Work<G> {
    fn lock(&self) -> MutexGuard<'_, State<G>> {
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
            let Some(job) = state.graph.select() else {
                if !state.is_done() {
                    state = self.news.wait(state).expect("no thread panics while it holds the lock");
                }
                continue;
            };
            if let Some(known) = state.stored_judgement(&job.position, job.without.len()) {
                state.stored += 1;
                state.graph.judged(job.place, Some(known));
                continue;
            }
            drop(state);
            let judgement = judge.judge(&job.position, &job.without, &self.stop);
            state = self.lock();
            if !self.stop.is_set() {
                state.searches += 1;
                state.graph.judged(job.place, judgement);
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

impl<G: ProofGraph> State<G> {
    fn is_done(&self) -> bool {
        self.failure.is_some() || self.graph.is_proved() || self.graph.is_hopeless()
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
        let (position, judgements) = self.graph.judgements(place);
        if let Err(error) = self.store.keep(position, judgements) {
            self.failure = Some(error);
        }
    }

    fn progress(&self, time: Duration) -> ProveProgress {
        let Counts { positions, proved, leaves, effort } = self.graph.counts();
        ProveProgress { time, searches: self.searches, stored: self.stored, positions, proved, leaves, effort }
    }
}
