//! Proofs of openings and positions: best-first search over the defender's replies and the attacker's good moves.
//!
//! Where a game is won in 70 plies, no search of uniform depth sees the end. But the winner needs only one move for each reply, and a
//! search of some ten thousand nodes nearly always finds a good one. So the leaves of the tree are whole searches ("job-level
//! proof-number search", I-C. Wu et al., 2011): each finds the best move and its evaluation, or proves the win. The search goes where
//! the least effort is expected and is done when every reply has an answer. A proof that a side does not lose needs no end: it is a
//! closed set of positions with a move each. Leaves are independent: threads judge them, or programs, or machines that exchange files.
//!
//! - `graph`: what both kinds of graphs share. `tree`: wins. `holding`: draws held.
//! - `text`: jobs and results as lines. `judge`: the search of a leaf. `store`: judgements in a file.
//! - `work`: threads and programs that judge leaves. `exchange`: jobs and results in files.
//!
//! # Invariants
//!
//! - *A proof rests on proofs*: a position counts as won when a search has proved it, or when every reply to one move leads to positions
//!   that count as won already. Evaluations only guide the search.
//! - *The number of plies falls* along every line, so that a repetition proves nothing.
//! - *A judgement depends on its job alone* (position, moves left out, nodes, size of the table), not on earlier searches or on the
//!   process; a stopped one is thrown away. With one thread, or one worker, the same command makes the same proof.
//! - *A win that another program reports* is searched for again before it counts.

mod exchange;
mod graph;
mod holding;
mod judge;
mod store;
mod text;
mod tree;
mod work;

use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::proofs::{Claim, Proof};
use crate::rules::{Outcome, Position, Variant};
use crate::search::{MAX_DEPTH, PreparedVariant, Searcher, Stop};

use holding::Holding;
use text::JobText;
use tree::Tree;
use work::{next_jobs, work};

pub(crate) use exchange::{Batch, ImportError, import};
pub use graph::ProveProgress;
pub use store::StoreError;
pub use work::WorkerCommand;

/// At least this part of the time is for the strategy of a proved tree.
const SHARE_OF_STRATEGY: u32 = 10;

/// How leaves are judged.
#[derive(Debug, Clone)]
pub enum Judges {
    /// By this number of threads, at least one.
    Threads(usize),
    /// By other programs, each with a job at a time.
    Workers {
        /// Their command lines.
        commands: Vec<WorkerCommand>,
        /// Time limit of a job. A worker that exceeds it is dropped, and another gets the job.
        patience: Duration,
    },
}

impl Judges {
    fn number(&self) -> usize {
        match self {
            Judges::Threads(threads) => (*threads).max(1),
            Judges::Workers { commands, .. } => commands.len(),
        }
    }
}

/// What to prove, and how.
#[derive(Debug, Clone)]
pub struct ProveRequest {
    /// The variant.
    pub variant: Arc<Variant>,
    /// The position; its history counts as empty.
    pub root: Position,
    /// What to prove of it.
    pub claim: Claim,
    /// Most plies of a win.
    pub plies: u16,
    /// Nodes of a judgement.
    pub nodes: u64,
    /// How leaves are judged.
    pub judges: Judges,
    /// The size of the transposition table of each search, in MiB.
    pub mebibytes: usize,
    /// The file of judgements, if they are kept.
    pub store: Option<PathBuf>,
    /// Time limit, and a tenth more for the strategy at its end; none for no limit.
    pub time: Option<Duration>,
    /// The variant as prepared for searches, with its weights; prepared anew if none.
    pub prepared: Option<Arc<PreparedVariant>>,
}

impl ProveRequest {
    /// A claim of a variant's opening, of any length, on one thread, without store.
    #[must_use]
    pub fn of_opening(variant: &Arc<Variant>, claim: Claim) -> ProveRequest {
        ProveRequest {
            variant: Arc::clone(variant),
            root: *variant.opening(),
            claim,
            plies: MAX_DEPTH as u16,
            nodes: 100_000,
            judges: Judges::Threads(1),
            mebibytes: 64,
            store: None,
            time: None,
            prepared: None,
        }
    }

    fn check(&self) -> Result<(), ProveError> {
        if let Some(reason) = self.claim.unprovable_in(&self.variant) {
            return Err(ProveError::History(reason));
        }
        self.variant.outcome(&self.root).map_or(Ok(()), |outcome| Err(ProveError::Over(outcome)))
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
    History(String),
    /// Stopped, or out of time.
    #[error("interrupted")]
    Interrupted,
    /// The store can't be used.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// All workers are dropped; the fault of the last one.
    #[error("no worker is left: {0}")]
    NoWorkers(String),
}

/// Searches for a proof; none when the engine's moves give none within the plies.
///
/// # Errors
/// See [`ProveError`]; the store keeps the judgements all the same.
pub fn prove(
    request: &ProveRequest,
    report: &mut dyn FnMut(&ProveProgress),
    stop: &Stop,
) -> Result<Option<Proof>, ProveError> {
    let ProveRequest { variant, root, claim, .. } = request;
    request.check()?;
    let start = Instant::now();
    let prepared = request.prepared.clone().unwrap_or_else(|| Arc::new(PreparedVariant::new(variant)));
    match *claim {
        Claim::Wins(attacker) => {
            let tree = Tree::new(variant, root, attacker, request.plies);
            let Some(tree) = work(request, &prepared, tree, report, stop)? else { return Ok(None) };
            let mut searcher = Searcher::prepared_for(prepared, request.mebibytes);
            let left = |time: Duration| time.saturating_sub(start.elapsed()).max(time / SHARE_OF_STRATEGY);
            let proof = tree.strategy(root, &mut searcher, request.time.map(left), stop);
            proof.map(Some).ok_or(ProveError::Interrupted)
        }
        Claim::Holds(holder) => {
            let holding = Holding::new(variant, root, holder);
            Ok(work(request, &prepared, holding, report, stop)?.map(|holding| holding.strategy()))
        }
    }
}

/// At most `most` jobs that the search would do next, and the progress with the judgements in the store. There are none when the store
/// decides the root.
pub(crate) fn open_jobs(
    request: &ProveRequest,
    most: usize,
    stop: &Stop,
) -> Result<(Vec<JobText>, ProveProgress), ProveError> {
    let ProveRequest { variant, root, claim, .. } = request;
    request.check()?;
    let (jobs, progress) = match *claim {
        Claim::Wins(attacker) => next_jobs(request, Tree::new(variant, root, attacker, request.plies), most, stop),
        Claim::Holds(holder) => next_jobs(request, Holding::new(variant, root, holder), most, stop),
    }?;
    Ok((jobs.iter().map(|job| job.text()).collect(), progress))
}
