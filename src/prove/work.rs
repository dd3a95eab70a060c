//! The graph and those who judge its leaves: threads of this process, or other programs.

use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::time::{Duration, Instant};

use crate::rules::{Move, Position};
use crate::search::{PreparedVariant, Stop, StopOnPanic};

use super::judge::{Job, Judge, Judgement};
use super::store::{Store, StoreError};
use super::worker::{Worker, WorkerCommand, WorkerFault};
use super::{Judges, ProveError, ProveProgress, ProveRequest};

/// How often progress is reported, and an interrupt seen.
const REPORT: Duration = Duration::from_millis(100);

/// What is to be judged.
#[derive(Debug, Clone)]
pub(super) struct Leaf {
    pub(super) place: u32,
    pub(super) position: Position,
    /// Moves that have been judged.
    pub(super) without: Vec<Move>,
}

/// How large a graph is: see [`ProveProgress`].
#[derive(Debug, Clone, Copy)]
pub(super) struct Counts {
    pub(super) positions: usize,
    pub(super) proved: usize,
    pub(super) leaves: usize,
    pub(super) effort: u32,
}

/// Positions with the proving side to move, what searches said of them, and what follows.
pub(super) trait ProofGraph: Send {
    /// A leaf that is not pending, and is from now on; none when all that could be judged is, or when the root is decided.
    fn select(&mut self) -> Option<Leaf>;

    /// What a search said of the next best move of a place; none when it has no other.
    fn judged(&mut self, place: u32, judgement: Option<Judgement>);

    /// The position of a place, and what was judged of it.
    fn judgements(&self, place: u32) -> (&Position, &[Judgement]);

    fn is_proved(&self) -> bool;

    /// There is no proof.
    fn is_hopeless(&self) -> bool;

    fn counts(&self) -> Counts;
}

/// A graph with the store of what was judged.
struct State<G> {
    graph: G,
    store: Store,
    /// The terms of all jobs; the position and the moves left out are those of the last leaf.
    terms: Job,
    searches: u64,
    stored: u64,
    /// Leaves whose workers are gone.
    returned: Vec<Leaf>,
    judges: usize,
    failure: Option<ProveError>,
}

/// What there is to do.
enum Next {
    /// A leaf is to be judged.
    Judge(Leaf, Job),
    /// A leaf was judged without a search; there may be another.
    Known,
    /// Nothing, until others have judged.
    Nothing,
}

/// What those who judge share.
struct Work<G> {
    state: Mutex<State<G>>,
    /// A judgement has come, or the work is done.
    news: Condvar,
    stop: Stop,
    start: Instant,
    time: Duration,
}

impl<G: ProofGraph> State<G> {
    fn new(request: &ProveRequest, graph: G) -> Result<State<G>, StoreError> {
        let variant = &request.variant;
        let store = match &request.store {
            Some(path) => Store::open(path, variant)?,
            None => Store::none(variant),
        };
        let terms = Job {
            variant: Arc::clone(variant),
            position: request.root,
            without: Vec::new(),
            nodes: request.nodes,
            mebibytes: request.mebibytes,
        };
        Ok(State { graph, store, terms, searches: 0, stored: 0, returned: Vec::new(), judges: 0, failure: None })
    }

    fn is_done(&self) -> bool {
        self.failure.is_some() || self.graph.is_proved() || self.graph.is_hopeless()
    }

    /// Takes the next leaf, and its judgement when it needs no search: when an earlier run has made it, or all moves are judged.
    fn next(&mut self) -> Result<Next, StoreError> {
        if let Some(leaf) = self.returned.pop() {
            let job = self.job(&leaf);
            return Ok(Next::Judge(leaf, job));
        }
        let Some(leaf) = self.graph.select() else { return Ok(Next::Nothing) };
        let stored = self.store.judgements(&leaf.position, self.terms.nodes)?;
        if let Some(known) = stored.get(leaf.without.len()) {
            self.stored += 1;
            self.graph.judged(leaf.place, Some(*known));
            return Ok(Next::Known);
        }
        let job = self.job(&leaf);
        if !job.has_moves() {
            self.graph.judged(leaf.place, None);
            return Ok(Next::Known);
        }
        Ok(Next::Judge(leaf, job))
    }

    fn job(&self, leaf: &Leaf) -> Job {
        Job { position: leaf.position, without: leaf.without.clone(), ..self.terms.clone() }
    }

    /// Takes what a search has said of a leaf.
    fn judged(&mut self, leaf: &Leaf, judgement: Judgement) {
        self.searches += 1;
        self.graph.judged(leaf.place, Some(judgement));
        let (position, judgements) = self.graph.judgements(leaf.place);
        if let Err(error) = self.store.keep(position, self.terms.nodes, judgements) {
            self.failure = Some(error.into());
        }
    }

    fn progress(&self, time: Duration) -> ProveProgress {
        let Counts { positions, proved, leaves, effort } = self.graph.counts();
        ProveProgress { time, searches: self.searches, stored: self.stored, positions, proved, leaves, effort }
    }
}

/// Judges leaves of a graph until it is decided: the graph when it is proved.
pub(super) fn work<G: ProofGraph>(
    request: &ProveRequest,
    prepared: &Arc<PreparedVariant>,
    graph: G,
    report: &mut dyn FnMut(&ProveProgress),
    stop: &Stop,
) -> Result<Option<G>, ProveError> {
    let mut state = State::new(request, graph)?;
    state.judges = request.judges.number();
    if state.judges == 0 {
        return Err(ProveError::NoWorkers("none was named".to_owned()));
    }
    let work = Work {
        state: Mutex::new(state),
        news: Condvar::new(),
        stop: stop.clone(),
        start: Instant::now(),
        time: request.time.unwrap_or(Duration::MAX),
    };
    std::thread::scope(|scope| {
        let new_judge = || Judge::new(prepared);
        match &request.judges {
            Judges::Threads(threads) => {
                for _ in 0..(*threads).max(1) {
                    let mut judge = new_judge();
                    let work = &work;
                    scope.spawn(move || {
                        let _guard = StopOnPanic(&work.stop);
                        work.judge_leaves(|job| Ok(judge.judge(job, &work.stop)))
                    });
                }
            }
            Judges::Workers { commands, patience } => {
                for command in commands {
                    let (work, judge) = (&work, new_judge());
                    scope.spawn(move || {
                        let _guard = StopOnPanic(&work.stop);
                        work.employ(command, *patience, judge);
                    });
                }
            }
        }
        work.watch(report);
    });
    let mut state = work.state.into_inner().expect("no thread panics while it holds the lock");
    let kept = state.store.commit();
    if state.graph.is_proved() {
        // What is proved is proved, whether its judgements can be kept or not.
        kept.unwrap_or_else(|error| log::warn!("judgements were not kept: {error}"));
        return Ok(Some(state.graph));
    }
    kept?;
    match state {
        State { failure: Some(failure), .. } => Err(failure),
        State { graph, .. } if graph.is_hopeless() => Ok(None),
        State { .. } => Err(ProveError::Interrupted),
    }
}

/// The next leaves that are to be judged, at most so many. None of them when what is in the store decides the graph: then one thread would
/// have come to the same end by the same way.
pub(super) fn next_jobs<G: ProofGraph>(
    request: &ProveRequest,
    graph: G,
    most: usize,
    stop: &Stop,
) -> Result<(Vec<Job>, ProveProgress), ProveError> {
    let start = Instant::now();
    let mut state = State::new(request, graph)?;
    let mut jobs = Vec::new();
    while jobs.len() < most && !state.is_done() {
        if stop.is_set() {
            return Err(ProveError::Interrupted);
        }
        match state.next()? {
            Next::Judge(_, job) => jobs.push(job),
            Next::Known => {}
            Next::Nothing => break,
        }
    }
    Ok((jobs, state.progress(start.elapsed())))
}

impl<G: ProofGraph> Work<G> {
    fn lock(&self) -> MutexGuard<'_, State<G>> {
        self.state.lock().expect("no thread panics while it holds the lock")
    }

    /// Lets a program judge leaves.
    fn employ(&self, command: &WorkerCommand, patience: Duration, judge: Judge) {
        let fault = match Worker::start(command, patience, judge) {
            Err(fault) => Some(fault),
            Ok(mut worker) => {
                let is_wanted = || !self.is_interrupted() && !self.lock().is_done();
                self.judge_leaves(|job| worker.judge(job, &self.stop, is_wanted))
            }
        };
        let Some(fault) = fault else { return };
        let mut state = self.lock();
        state.judges -= 1;
        log::warn!("worker \"{command}\" is let go, {} left: {fault}", state.judges);
        if state.judges == 0 {
            state.failure.get_or_insert(ProveError::NoWorkers(fault.to_string()));
        }
        self.news.notify_all();
    }

    /// Takes leaves and judges them until the root is decided or the work is stopped; or gives what is wrong with who judges.
    fn judge_leaves(
        &self,
        mut judge: impl FnMut(&Job) -> Result<Option<Judgement>, WorkerFault>,
    ) -> Option<WorkerFault> {
        let mut state = self.lock();
        loop {
            if state.is_done() || self.is_interrupted() {
                self.news.notify_all();
                return None;
            }
            let (leaf, job) = match state.next() {
                Ok(Next::Judge(leaf, job)) => (leaf, job),
                Ok(Next::Known) => continue,
                Ok(Next::Nothing) => {
                    if !state.is_done() {
                        state = self.news.wait(state).expect("no thread panics while it holds the lock");
                    }
                    continue;
                }
                Err(error) => {
                    state.failure = Some(error.into());
                    continue;
                }
            };
            drop(state);
            let judged = judge(&job);
            state = self.lock();
            match judged {
                Ok(Some(judgement)) => state.judged(&leaf, judgement),
                Ok(None) => {}
                Err(fault) => {
                    state.returned.push(leaf);
                    self.news.notify_all();
                    return Some(fault);
                }
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
