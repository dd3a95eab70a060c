//! Proofs of openings and positions: best-first search over the defender's replies and the attacker's good moves.
//!
//! Where a game is won in 70 plies, no search of uniform depth sees the end. But the winner needs one move for each reply, and a search
//! of some ten thousand nodes names a good one nearly always. So the leaves of the tree are whole searches ("job-level proof-number
//! search", I-C. Wu et al., 2011): each says how good a position is for the attacker, which move is best, or that it is won. The tree
//! goes where the least effort is expected to be left, tries another move where the best one disappoints, and is done when
//! every reply has an answer. Leaves are independent of each other: threads take them in turn, or other programs, or whoever is
//! given a file of jobs and brings the results back.
//!
//! That a side does not lose needs no end: there a closed set of positions with a move each is looked for, by the same leaves.
//!
//! - `tree`: a win: which position to judge next, and what follows from judgements.
//! - `holding`: the same where a side is to hold a draw.
//! - `places`: positions by number.
//! - `replies`: what can happen after a move.
//! - `text`: jobs and results as lines.
//! - `judge`: a search of a leaf.
//! - `store`: judgements kept in a file.
//! - `worker`: a program that judges.
//! - `work`: the graph and those who judge its leaves.
//! - `batch`: jobs done for others.
//! - `exchange`: results that come from elsewhere.
//! - `strategy`: from a tree that is proved to a [`Proof`], which needs no trust in any of this.
//!
//! # Invariants
//!
//! - *A proof rests on proofs*: a position counts as won when a search has proved it, or when every reply to one move leads to positions
//!   that count as won already. Evaluations only choose the way.
//! - *The number of plies falls* along every line, so that a repetition proves nothing.
//! - *A judgement depends on its job alone* (the position, the moves left out, the number of nodes, the size of the table), not on what was
//!   searched before, nor in which process; one that was stopped is thrown away. With one thread, or one worker, the same command makes the
//!   same proof.
//! - *A win that another program claims* is searched for again before it counts.

mod batch;
mod exchange;
mod holding;
mod judge;
mod places;
mod replies;
mod store;
mod strategy;
mod text;
mod tree;
mod work;
mod worker;

use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::proofs::{Claim, Proof};
use crate::rules::{Outcome, Position, Variant};
use crate::search::{MAX_DEPTH, PreparedVariant, Searcher, Stop};

use holding::Holding;
use tree::Tree;
use work::{next_jobs, work};

pub use batch::{Batch, BatchError};
pub use exchange::{BadResult, Import, ImportError, Imported};
pub use judge::BadJob;
pub use store::StoreError;
pub use text::{BadLine, JobText, JudgementText, ResultText, Verdict};
pub use worker::WorkerCommand;

/// A tree that is proved becomes a proof in what is left of the time, or in this part of it where less is left.
const SHARE_OF_STRATEGY: u32 = 10;

/// Who judges leaves.
#[derive(Debug, Clone)]
pub enum Judges {
    /// So many threads of this process, at least one.
    Threads(usize),
    /// Other programs, each with a job at a time.
    Workers {
        /// How they are started.
        commands: Vec<WorkerCommand>,
        /// How long one may take for a job. After that it is let go, and another gets the job.
        patience: Duration,
    },
}

impl Judges {
    /// How many leaves are judged at a time.
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
    /// Who judges.
    pub judges: Judges,
    /// The size of the transposition table of each search, in MiB.
    pub mebibytes: usize,
    /// Judgements are kept here, if anywhere.
    pub store: Option<PathBuf>,
    /// The work may take so long, and a tenth more to write down what was proved at its end; without limit when none.
    pub time: Option<Duration>,
    /// What the searches know of the game, its weights above all; what an engine knows by itself when none.
    pub prepared: Option<Arc<PreparedVariant>>,
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
            judges: Judges::Threads(1),
            mebibytes: 64,
            store: None,
            time: None,
            prepared: None,
        }
    }

    /// Is there something to prove?
    fn check(&self) -> Result<(), ProveError> {
        if let Some(reason) = self.claim.spoiled_by(&self.variant) {
            return Err(ProveError::History(reason));
        }
        self.variant.outcome(&self.root).map_or(Ok(()), |outcome| Err(ProveError::Over(outcome)))
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
    /// The game's history, which a proof does not know, may end the game otherwise.
    #[error("{0}")]
    History(String),
    /// A stop came, or the time was over.
    #[error("interrupted")]
    Interrupted,
    /// The store can't be used.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// All workers are gone; what was wrong with the last one.
    #[error("no worker is left: {0}")]
    NoWorkers(String),
}

/// Proves what is asked for: the proof, or none when the engine's moves give none, or none within the plies.
///
/// # Errors
/// When the position is over, a stop came, the time was over, the store can't be used, or no worker is left. What was judged is in the
/// store then.
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
            let time = request.time.map(left);
            let proof = strategy::strategy(&tree, variant, root, attacker, &mut searcher, time, stop);
            proof.map(Some).ok_or(ProveError::Interrupted)
        }
        Claim::Holds(holder) => {
            let holding = Holding::new(variant, root, holder);
            Ok(work(request, &prepared, holding, report, stop)?.map(|holding| holding.proof()))
        }
    }
}

/// The jobs that the search would do next, a line each, at most so many, and how far the proof has come with what is in the store. There are
/// none when the store decides the matter.
///
/// # Errors
/// When the position is over, a stop came, or the store can't be used.
pub fn open_jobs(
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
