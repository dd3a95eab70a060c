//! The work on a proof graph: its leaves are judged by threads of this process, or by workers.
//!
//! Workers are programs that read jobs and answer with results, a line each. A win that a worker reports is searched for again before
//! it counts. A worker that ends, is silent or answers anything else than a result is dropped.

use std::fmt;
use std::process::{Command, Stdio};
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::time::{Duration, Instant};

use privy_protocol::{ClientError, InputLine, LineClient};

use crate::message::sanitized;
use crate::program_stderr::ProgramStderr;
use crate::search::{PreparedVariant, Stop, StopOnPanic};

use super::graph::{Leaf, ProofGraph, ProveProgress};
use super::judge::{Job, Judge, Judgement};
use super::store::{Store, StoreError};
use super::text::parse_result;
use super::{Judges, ProveError, ProveRequest};

/// Time between reports of progress and checks for an interrupt.
const REPORT: Duration = Duration::from_millis(100);
/// Time between checks whether an answer is still needed.
const SLICE: Duration = Duration::from_millis(50);
/// The most characters of an answer in an error.
const LONGEST_ANSWER: usize = 200;

/// A graph with the store of its judgements.
struct State<G> {
    graph: G,
    store: Store,
    /// The settings of all jobs; position and moves are those of the leaf.
    settings: Job,
    searches: u64,
    /// Leaves of dropped workers.
    returned: Vec<Leaf>,
    /// Threads or workers that judge.
    judges: usize,
    failure: Option<ProveError>,
}

enum Next {
    /// A leaf is to be judged.
    Judge(Leaf, Job),
    /// A leaf was judged without a search; there may be another.
    Known,
    /// No leaf is free until others are judged.
    Nothing,
}

/// What the judging threads share.
struct Work<G> {
    state: Mutex<State<G>>,
    /// A leaf was judged or returned, or the work is done.
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
        let ProveRequest { root, nodes, mebibytes, .. } = *request;
        let settings = Job { variant: Arc::clone(variant), position: root, without: Vec::new(), nodes, mebibytes };
        let (judges, returned) = (request.judges.number(), Vec::new());
        Ok(State { graph, store, settings, searches: 0, returned, judges, failure: None })
    }

    fn is_done(&self) -> bool {
        self.failure.is_some() || self.graph.is_proved() || self.graph.is_unprovable()
    }

    /// Selects the next leaf. It needs no search when the store has its judgement, or when all its moves are judged.
    fn next(&mut self) -> Result<Next, StoreError> {
        if let Some(leaf) = self.returned.pop() {
            let job = self.job(&leaf);
            return Ok(Next::Judge(leaf, job));
        }
        let Some(leaf) = self.graph.select() else { return Ok(Next::Nothing) };
        let stored = self.store.judgements(&leaf.position, self.settings.nodes)?;
        if let Some(known) = stored.get(leaf.without.len()) {
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
        Job { position: leaf.position, without: leaf.without.clone(), ..self.settings.clone() }
    }

    fn judged(&mut self, leaf: &Leaf, judgement: Judgement) {
        self.searches += 1;
        self.graph.judged(leaf.place, Some(judgement));
        let (position, judgements) = self.graph.judgements(leaf.place);
        if let Err(error) = self.store.keep(position, self.settings.nodes, judgements) {
            self.failure = Some(error.into());
        }
    }

    fn progress(&self, time: Duration) -> ProveProgress {
        ProveProgress { time, searches: self.searches, ..self.graph.progress() }
    }
}

/// Judges leaves of a graph until it is decided; returns the graph if it is proved.
pub(super) fn work<G: ProofGraph>(
    request: &ProveRequest,
    prepared: &Arc<PreparedVariant>,
    graph: G,
    report: &mut dyn FnMut(&ProveProgress),
    stop: &Stop,
) -> Result<Option<G>, ProveError> {
    let state = State::new(request, graph)?;
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
        let (workers, patience) = match &request.judges {
            Judges::Threads(_) => (vec![None; request.judges.number()], Duration::MAX),
            Judges::Workers { commands, patience } => (commands.iter().map(Some).collect(), *patience),
        };
        for command in workers {
            let (work, mut judge) = (&work, Judge::new(prepared));
            scope.spawn(move || {
                let _guard = StopOnPanic(&work.stop);
                match command {
                    Some(command) => work.run_worker(command, patience, judge),
                    None => drop(work.judge_leaves(|job| Ok(judge.judge(job, &work.stop)))),
                }
            });
        }
        work.watch(report);
    });
    let mut state = work.state.into_inner().expect("no thread panics while it holds the lock");
    let kept = state.store.commit();
    if state.graph.is_proved() {
        // The proof is complete, whether its judgements can be kept or not.
        kept.unwrap_or_else(|error| log::warn!("judgements were not kept: {error}"));
        return Ok(Some(state.graph));
    }
    kept?;
    match state {
        State { failure: Some(failure), .. } => Err(failure),
        State { graph, .. } if graph.is_unprovable() => Ok(None),
        State { .. } => Err(ProveError::Interrupted),
    }
}

/// At most `most` leaves to be judged next; none when the store decides the graph.
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

    /// Has a program judge leaves.
    fn run_worker(&self, command: &WorkerCommand, patience: Duration, judge: Judge) {
        let fault = match Worker::start(command, patience, judge) {
            Err(fault) => Some(fault),
            Ok(mut worker) => {
                let is_needed = || !self.is_interrupted() && !self.lock().is_done();
                self.judge_leaves(|job| worker.judge(job, &self.stop, is_needed))
            }
        };
        let Some(fault) = fault else { return };
        let mut state = self.lock();
        state.judges -= 1;
        log::warn!("worker \"{command}\" is let go, {} left: {fault}", state.judges);
        if state.judges == 0 {
            state.failure.get_or_insert(ProveError::NoWorkers(fault));
        }
        self.news.notify_all();
    }

    /// Judges leaves until the root is decided or the work is stopped, or until the worker fails.
    fn judge_leaves(&self, mut judge: impl FnMut(&Job) -> Result<Option<Judgement>, String>) -> Option<String> {
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

    /// Reports progress until the work is done or interrupted.
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

/// A program and its arguments.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WorkerCommand {
    program: String,
    arguments: Vec<String>,
}

impl WorkerCommand {
    /// The command of some words; none without any.
    #[must_use]
    pub fn of_words(words: Vec<String>) -> Option<WorkerCommand> {
        let mut words = words.into_iter();
        Some(WorkerCommand { program: words.next()?, arguments: words.collect() })
    }
}

impl fmt::Display for WorkerCommand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.program)?;
        self.arguments.iter().try_for_each(|word| write!(f, " {word}"))
    }
}

/// A running worker. Dropping it ends its process and all processes that it started.
struct Worker {
    client: LineClient,
    errors: Option<ProgramStderr>,
    patience: Duration,
    /// Confirms wins.
    judge: Judge,
}

impl Worker {
    fn start(command: &WorkerCommand, patience: Duration, judge: Judge) -> Result<Worker, String> {
        let mut process = Command::new(&command.program);
        process.args(&command.arguments).stderr(Stdio::piped());
        let mut client = LineClient::spawn(&mut process).map_err(|error| error.to_string())?;
        let errors = client.take_standard_error().map(ProgramStderr::follow).transpose();
        let errors = errors.map_err(|error| format!("cannot start a thread: {error}"))?;
        Ok(Worker { client, errors, patience, judge })
    }

    /// Has the program do a job; none when the answer is no longer needed, an error when the worker is to be dropped.
    fn judge(&mut self, job: &Job, stop: &Stop, is_needed: impl Fn() -> bool) -> Result<Option<Judgement>, String> {
        let line = job.text().to_string();
        self.client.send(&line).map_err(|error| self.fault(&error, &line))?;
        let mut silent = Duration::ZERO;
        let answer = loop {
            match self.client.receive(SLICE) {
                Ok(answer) => break answer,
                Err(ClientError::Timeout { .. }) if !is_needed() => return Ok(None),
                // Slices are counted, since the clock goes on while this process is suspended.
                Err(ClientError::Timeout { .. }) if silent < self.patience => silent += SLICE,
                Err(error) => return Err(self.fault(&error, &line)),
            }
        };
        let answer = match &answer {
            InputLine::Command(answer) => answer.as_str().to_owned(),
            InputLine::Rejected(rejection) => rejection.error.to_string(),
            InputLine::Blank | InputLine::Interrupt => String::new(),
        };
        let result = parse_result(&answer).ok().filter(|result| result.0 == job.text());
        let judgement = result.and_then(|result| job.judgement(&result.1).ok());
        let judgement = judgement.ok_or_else(|| nonsense(&line, &answer))?;
        match self.judge.confirms(job, &judgement, stop) {
            None => Ok(None),
            Some(true) => Ok(Some(judgement)),
            Some(false) => {
                Err(format!("the same search finds no such win here: \"{}\"", sanitized(&answer, LONGEST_ANSWER)))
            }
        }
    }

    fn fault(&self, error: &ClientError, job: &str) -> String {
        match error {
            ClientError::Timeout { .. } => format!("no answer within {} ms", self.patience.as_millis()),
            ClientError::Exited { status, .. } => {
                let status = status.map(|status| format!(" ({status})")).unwrap_or_default();
                let words = self.errors.as_ref().map(ProgramStderr::last_words).unwrap_or_default();
                format!("it ended{status}{words}")
            }
            ClientError::Reply { source, .. } => nonsense(job, &source.to_string()),
            other => nonsense(job, &other.to_string()),
        }
    }
}

fn nonsense(job: &str, found: &str) -> String {
    format!("expected a result of the job \"{job}\", found \"{}\"", sanitized(found, LONGEST_ANSWER))
}
