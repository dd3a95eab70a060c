//! A match: all its games, played by several workers at once.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use privy_protocol::ClientError;

use crate::rules::Variant;
use crate::tablebase::Table;

use super::conversation::Surroundings;
use super::game_entry::{GameEntry, Remark};
use super::openings::BadOpening;
use super::running_time::RunningTime;
use super::schedule::Scheduled;
use super::scoresheet::Scoresheet;
use super::settings::Settings;
use super::statistics::Perfect;
use super::worker::{Bench, Finished, Unfinished, Worker};

/// A match that can be played.
#[derive(Debug)]
pub struct Match {
    settings: Settings,
    variant: Arc<Variant>,
    table: Option<Arc<Table>>,
}

/// How a match is carried out: what makes no difference to its games.
#[derive(Debug, Clone)]
pub struct Conduct {
    /// How many games are played at the same time, at least one.
    pub concurrency: usize,
    /// A folder for what engines say on standard error; it is thrown away without one.
    pub errors: Option<PathBuf>,
    /// Set by an interrupt. The games under way are given up then, and all engines are ended.
    pub interrupted: Arc<AtomicBool>,
    /// The time in which the referee runs.
    pub time: RunningTime,
}

/// What the caller of [`Match::play`] hears of.
#[derive(Debug)]
pub enum MatchEvent {
    /// A game has been finished.
    Game(Box<GameEntry>),
    /// An engine did something wrong when it was ended.
    Remark(Remark),
}

/// Whether a match goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GoOn {
    /// It does.
    Yes,
    /// It ends at once; games under way are given up.
    No,
}

/// Why no more games are played.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Finish {
    /// All have been played.
    Complete,
    /// The caller wanted no more.
    Enough,
    /// It has been interrupted.
    Interrupted,
}

/// Why a match can't be played.
#[derive(Debug, thiserror::Error)]
pub enum MatchError<E: std::error::Error> {
    /// An engine can't be started. The match can be resumed when that has been put right.
    #[error("engine {engine}: {error}")]
    CannotStart {
        /// Its name.
        engine: String,
        /// What the system says.
        error: ClientError,
    },
    /// An opening can't be set up.
    #[error(transparent)]
    Opening(#[from] BadOpening),
    /// The system gives no thread.
    #[error("a thread cannot be started: {0}")]
    Thread(std::io::Error),
    /// What the caller reports.
    #[error(transparent)]
    Caller(E),
}

enum Message {
    Finished(Box<Finished>),
    Remarks(Vec<Remark>),
    CannotStart(usize, ClientError),
}

impl Match {
    /// A match by its settings. `table` is the table of the variant, where there is one.
    #[must_use]
    pub fn new(settings: Settings, variant: Arc<Variant>, table: Option<Arc<Table>>) -> Match {
        Match { settings, variant, table }
    }

    /// The settings.
    #[must_use]
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The variant.
    #[must_use]
    pub fn variant(&self) -> &Arc<Variant> {
        &self.variant
    }

    /// How many moves the opening of a round has.
    pub(super) fn opening_length(&self, round: u64) -> usize {
        self.settings.opening(round).map_or(0, |opening| opening.moves.len())
    }

    /// What perfect play makes of the opening of a round, where the table knows it.
    pub(super) fn perfect(&self, round: u64) -> Option<Perfect> {
        let sheet = self.sheet(round).ok()?;
        let game = sheet.game();
        let value = self.table.as_ref()?.probe(game).ok()?;
        Some(Perfect::new(value, game.side()))
    }

    /// Looks whether all openings can be set up.
    ///
    /// # Errors
    /// What is wrong with the first that can't.
    pub fn check(&self) -> Result<(), BadOpening> {
        let rounds = self.settings.rounds.min(self.settings.openings.len().max(1) as u64);
        (0..rounds).try_for_each(|round| self.sheet(round).map(drop))
    }

    /// The scoresheet of a game before its first move, with the moves of the opening on it.
    ///
    /// # Errors
    /// When the opening is not one of the variant, or the game is over with it.
    pub fn sheet(&self, round: u64) -> Result<Scoresheet, BadOpening> {
        let opening = self.settings.opening(round).ok_or(BadOpening::None)?;
        Ok(Scoresheet::new(&opening.game(&self.variant)?, self.settings.move_limit))
    }

    /// Plays all games that `is_played` does not know, by ascending number; several at a time end in any order. Calls
    /// `on_event` for each in the thread of the caller.
    ///
    /// # Errors
    /// [`MatchError`]. All engines have been ended then.
    pub fn play<E: std::error::Error>(
        &self,
        conduct: &Conduct,
        is_played: impl Fn(u64) -> bool,
        mut on_event: impl FnMut(MatchEvent) -> Result<GoOn, E>,
    ) -> Result<Finish, MatchError<E>> {
        let schedule = self.settings.schedule();
        let open: Vec<u64> = (1..=schedule.games()).filter(|number| !is_played(*number)).collect();
        self.check()?;
        let given_up = Arc::new(AtomicBool::new(false));
        let bench = Bench {
            settings: &self.settings,
            table: self.table.clone(),
            surroundings: Surroundings {
                time: conduct.time.clone(),
                interrupted: Arc::clone(&given_up),
                patience: Duration::from_millis(self.settings.patience_ms),
            },
            errors: conduct.errors.clone(),
        };
        let to_play = Mutex::new(open.into_iter().filter_map(|number| schedule.game(number)));
        let next = || {
            let mut games = to_play.lock().unwrap_or_else(PoisonError::into_inner);
            games.next().filter(|_| !given_up.load(Ordering::Relaxed))
        };
        let (sender, receiver) = mpsc::channel();
        thread::scope(|scope| {
            for _ in 0..conduct.concurrency.max(1) {
                let (sender, bench, next) = (sender.clone(), &bench, &next);
                let work = move || self.work(Worker::new(bench), next, &sender);
                if let Err(error) = thread::Builder::new().name("games".to_owned()).spawn_scoped(scope, work) {
                    given_up.store(true, Ordering::Relaxed);
                    return Err(MatchError::Thread(error));
                }
            }
            drop(sender);
            let mut listener = Listener { conduct, given_up: &given_up, finish: Finish::Complete, failure: None };
            loop {
                match receiver.recv_timeout(Duration::from_millis(50)) {
                    Ok(message) => listener.hear(self, message, &mut on_event),
                    Err(RecvTimeoutError::Timeout) => listener.look(),
                    Err(RecvTimeoutError::Disconnected) => break,
                }
            }
            listener.failure.map_or(Ok(listener.finish), Err)
        })
    }

    /// Plays games until there are no more.
    fn work(&self, mut worker: Worker<'_>, next: &impl Fn() -> Option<Scheduled>, sender: &Sender<Message>) {
        while let Some(scheduled) = next() {
            // All openings have been looked at before the first game.
            let Ok(sheet) = self.sheet(scheduled.round) else { return };
            let message = match worker.play(scheduled, sheet) {
                Ok(finished) => Message::Finished(Box::new(finished)),
                Err(Unfinished::CannotStart(place, error)) => Message::CannotStart(place, error),
                Err(Unfinished::Interrupted) => break,
            };
            let last = matches!(message, Message::CannotStart(..));
            if sender.send(message).is_err() || last {
                break;
            }
        }
        // Nobody may listen any more.
        let _ = sender.send(Message::Remarks(worker.finish()));
    }
}

/// The thread that plays nothing itself: it passes on what the workers send, and ends the match.
struct Listener<'a, E: std::error::Error> {
    conduct: &'a Conduct,
    given_up: &'a AtomicBool,
    finish: Finish,
    failure: Option<MatchError<E>>,
}

impl<E: std::error::Error> Listener<'_, E> {
    /// Looks whether the user has had enough.
    fn look(&mut self) {
        if self.conduct.interrupted.load(Ordering::Relaxed) && !self.given_up.swap(true, Ordering::Relaxed) {
            self.finish = Finish::Interrupted;
        }
    }

    fn give_up(&mut self) {
        self.given_up.store(true, Ordering::Relaxed);
    }

    fn hear(&mut self, game: &Match, message: Message, on_event: &mut impl FnMut(MatchEvent) -> Result<GoOn, E>) {
        let events: Vec<MatchEvent> = match message {
            // What comes in after the end does not count, or the end would depend on chance.
            Message::Finished(_) if self.given_up.load(Ordering::Relaxed) => Vec::new(),
            Message::Finished(finished) => vec![MatchEvent::Game(Box::new(GameEntry::new(game, *finished)))],
            Message::Remarks(remarks) => remarks.into_iter().map(MatchEvent::Remark).collect(),
            Message::CannotStart(place, error) => {
                let engine = game.settings.engines.get(place).map_or("", |spec| spec.title()).to_owned();
                self.failure.get_or_insert(MatchError::CannotStart { engine, error });
                self.give_up();
                Vec::new()
            }
        };
        for event in events {
            match on_event(event) {
                Ok(GoOn::Yes) => {}
                Ok(GoOn::No) => {
                    self.finish = Finish::Enough;
                    self.give_up();
                }
                Err(error) => {
                    self.failure.get_or_insert(MatchError::Caller(error));
                    self.give_up();
                }
            }
        }
        self.look();
    }
}
