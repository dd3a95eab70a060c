//! A match: all its games, played by several workers at once.

use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use privy_protocol::ClientError;

use super::engine_spec::EngineSpec;
use super::match_file::{GameEntry, Remark};
use super::openings::BadOpening;
use super::session::{Surroundings, Trouble};
use super::settings::{Match, Scheduled};
use super::suspend_clock::SuspendClock;
use super::worker::{Worker, WorkerContext};

/// How a match is carried out: what makes no difference to its games.
#[derive(Debug, Clone)]
pub(crate) struct Conduct {
    /// How many games are played at the same time, at least one.
    pub(crate) concurrency: usize,
    /// A folder for what engines say on standard error; it is thrown away without one.
    pub(crate) errors: Option<PathBuf>,
    /// Set by an interrupt. The games under way are given up then, and all engines are ended.
    pub(crate) interrupted: Arc<AtomicBool>,
    /// The time in which the referee runs.
    pub(crate) time: SuspendClock,
}

/// What the caller of [`Match::play`] hears of.
#[derive(Debug)]
pub(crate) enum MatchEvent {
    Game(Box<GameEntry>),
    /// An engine did something wrong when it was ended.
    Remark(Remark),
}

/// Why a match can't be played, or not to its end.
#[derive(Debug, thiserror::Error)]
pub(crate) enum MatchError<E: std::error::Error> {
    /// An engine can't be started. The match can be resumed when that has been put right.
    #[error("engine {engine}: {error}")]
    CannotStart { engine: String, error: ClientError },
    #[error(transparent)]
    Opening(#[from] BadOpening),
    #[error("a thread cannot be started: {0}")]
    Thread(std::io::Error),
    /// The user has ended it.
    #[error("interrupted")]
    Interrupted,
    #[error(transparent)]
    Caller(E),
}

impl Match {
    /// Plays all games of its part that `is_played` does not know, by ascending number; several at a time end in any order. Calls
    /// `on_event` for each in the thread of the caller; when it breaks off, games under way are given up.
    ///
    /// # Errors
    /// [`MatchError`]. All engines have been ended then.
    pub(crate) fn play<E: std::error::Error>(
        &self,
        conduct: &Conduct,
        is_played: impl Fn(u64) -> bool,
        mut on_event: impl FnMut(MatchEvent) -> Result<ControlFlow<()>, E>,
    ) -> Result<(), MatchError<E>> {
        let schedule = self.settings.schedule();
        let open: Vec<Scheduled> =
            schedule.games_of(self.settings.part()).filter(|game| !is_played(game.number)).collect();
        self.check()?;
        let given_up = Arc::new(AtomicBool::new(false));
        let surroundings = Surroundings {
            time: conduct.time.clone(),
            interrupted: Arc::clone(&given_up),
            patience: Duration::from_millis(self.settings.patience_ms),
        };
        let context = WorkerContext { game: self, surroundings, errors: conduct.errors.clone() };
        let to_play = Mutex::new(open.into_iter());
        let next = || {
            let mut games = to_play.lock().unwrap_or_else(PoisonError::into_inner);
            games.next().filter(|_| !given_up.load(Ordering::Relaxed))
        };
        let (sender, receiver) = mpsc::channel();
        thread::scope(|scope| {
            for _ in 0..conduct.concurrency.max(1) {
                let (sender, worker, next) = (sender.clone(), Worker::new(&context), &next);
                let work = move || self.work(worker, next, &sender);
                if let Err(error) = thread::Builder::new().name("games".to_owned()).spawn_scoped(scope, work) {
                    given_up.store(true, Ordering::Relaxed);
                    return Err(MatchError::Thread(error));
                }
            }
            drop(sender);
            let mut failure = None;
            loop {
                match receiver.recv_timeout(Duration::from_millis(50)) {
                    // What comes in after the end does not count, or the end would depend on chance.
                    Ok(Ok(MatchEvent::Game(_))) if given_up.load(Ordering::Relaxed) => {}
                    Ok(Ok(event)) => match on_event(event) {
                        Ok(ControlFlow::Continue(())) => {}
                        Ok(ControlFlow::Break(())) => given_up.store(true, Ordering::Relaxed),
                        Err(error) => {
                            failure.get_or_insert(MatchError::Caller(error));
                            given_up.store(true, Ordering::Relaxed);
                        }
                    },
                    Ok(Err((place, error))) => {
                        let engine = self.settings.engines.get(place).map_or("", EngineSpec::title).to_owned();
                        failure.get_or_insert(MatchError::CannotStart { engine, error });
                        given_up.store(true, Ordering::Relaxed);
                    }
                    Err(RecvTimeoutError::Timeout) => {}
                    Err(RecvTimeoutError::Disconnected) => return failure.map_or(Ok(()), Err),
                }
                // The user may have had enough.
                if conduct.interrupted.load(Ordering::Relaxed) && !given_up.swap(true, Ordering::Relaxed) {
                    failure.get_or_insert(MatchError::Interrupted);
                }
            }
        })
    }

    /// Plays games until there are no more, or an engine, by its place, can't be started.
    fn work(
        &self,
        mut worker: Worker<'_>,
        next: &impl Fn() -> Option<Scheduled>,
        sender: &Sender<Result<MatchEvent, (usize, ClientError)>>,
    ) {
        while let Some(scheduled) = next() {
            // All openings have been looked at before the first game.
            let Ok(sheet) = self.sheet(scheduled.round) else { return };
            let message = match worker.play(scheduled, sheet) {
                Ok(entry) => Ok(MatchEvent::Game(Box::new(entry))),
                Err((side, Trouble::CannotStart(error))) => Err((*scheduled.places.of(side), error)),
                Err(_) => break,
            };
            let last = message.is_err();
            if sender.send(message).is_err() || last {
                break;
            }
        }
        for remark in worker.finish() {
            // Nobody may listen any more.
            let _ = sender.send(Ok(MatchEvent::Remark(remark)));
        }
    }
}
