//! A match: its games, played by several workers at once, each with its own engines.

use std::collections::HashMap;
use std::ops::ControlFlow;
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use privy_protocol::{ClientError, Stop};
use serde::Serialize;
use serde_json::Value;

use privy_base::message::sanitized;
use privy_base::random::Random;
use privy_records::Record;
use privy_rules::{Game, Side};

use super::engine_spec::{EngineSpec, control_text};
use super::fault::{BadSetting, EngineFault};
use super::match_file::{GameEntry, Remark};
use super::player::{EnginePlayer, Scoresheet};
use super::referee::{Adjudicator, GameEnd, RefereedGame};
use super::session::{SessionContext, SessionError};
use super::settings::{Match, Scheduled, Settings};
use super::statistics::{BySide, GameReport, Perfect, PlayerReport};

/// How a match is carried out; nothing here affects the games.
#[derive(Debug, Clone)]
pub struct Conduct {
    /// The number of games played at the same time, at least 1.
    pub concurrency: usize,
    /// Set by an interrupt, which gives up unfinished games and ends all engines.
    pub interrupted: Stop,
}

/// What happens in a match.
#[derive(Debug)]
pub enum MatchEvent {
    /// A game has ended.
    Game(Box<GameEntry>),
    /// A fault of an engine while it was ended.
    Remark(Remark),
}

/// Why a match ended early.
#[derive(Debug, thiserror::Error)]
pub enum MatchError<E: std::error::Error> {
    /// An engine cannot be started.
    #[error("engine {engine}: {error}")]
    CannotStart {
        /// The name of the engine.
        engine: String,
        /// The reason.
        error: ClientError,
    },
    /// An engine is not ready for its first game.
    #[error("engine {engine} is not ready for a game: {fault}")]
    NotReady {
        /// The name of the engine.
        engine: String,
        /// The reason.
        fault: EngineFault,
    },
    /// An opening is not one.
    #[error(transparent)]
    Opening(#[from] BadSetting),
    /// The system gives no thread.
    #[error("a thread cannot be started: {0}")]
    Thread(std::io::Error),
    /// It was stopped.
    #[error("interrupted")]
    Interrupted,
    /// The error of the listener.
    #[error(transparent)]
    Caller(E),
}

impl Match {
    /// Plays all games of its part for which `is_played` is false, by ascending number; concurrent games end in any
    /// order. Calls `on_event` in the thread of the caller; when it breaks off, unfinished games are given up. All
    /// engines have ended on return.
    pub fn play<E: std::error::Error>(
        &self,
        conduct: &Conduct,
        is_played: impl Fn(u64) -> bool,
        mut on_event: impl FnMut(MatchEvent) -> Result<ControlFlow<()>, E>,
    ) -> Result<(), MatchError<E>> {
        let settings = &self.settings;
        let open: Vec<Scheduled> = settings.scheduled().filter(|game| !is_played(game.number)).collect();
        self.check()?;
        let given_up = Stop::default();
        let context = WorkerContext::new(self, given_up.clone());
        let to_play = Mutex::new(open.into_iter());
        let next = || {
            let mut games = to_play.lock().unwrap_or_else(PoisonError::into_inner);
            games.next().filter(|_| !given_up.is_set())
        };
        let (sender, receiver) = mpsc::channel();
        thread::scope(|scope| {
            for _ in 0..conduct.concurrency.max(1) {
                let (sender, next) = (sender.clone(), &next);
                let worker = MatchWorker { context: &context, players: HashMap::new(), remarks: Vec::new() };
                let work = move || worker.run(next, &sender);
                if let Err(error) = thread::Builder::new().name("games".to_owned()).spawn_scoped(scope, work) {
                    given_up.set();
                    return Err(MatchError::Thread(error));
                }
            }
            drop(sender);
            let mut failure = None;
            loop {
                let error = match receiver.recv_timeout(Duration::from_millis(50)) {
                    // A game that arrives after the end does not count, or the end would depend on chance.
                    Ok(Ok(MatchEvent::Game(_))) if given_up.is_set() => None,
                    Ok(Ok(event)) => match on_event(event) {
                        Ok(ControlFlow::Continue(())) => None,
                        Ok(ControlFlow::Break(())) => {
                            given_up.set();
                            None
                        }
                        Err(error) => Some(MatchError::Caller(error)),
                    },
                    Ok(Err((index, error))) => {
                        Some(MatchError::CannotStart { engine: context.title(index).to_owned(), error })
                    }
                    Err(RecvTimeoutError::Timeout) => None,
                    Err(RecvTimeoutError::Disconnected) => return failure.map_or(Ok(()), Err),
                };
                if let Some(error) = error {
                    failure.get_or_insert(error);
                    given_up.set();
                }
                if conduct.interrupted.is_set() && !given_up.set() {
                    failure.get_or_insert(MatchError::Interrupted);
                }
            }
        })
    }
}

impl Match {
    /// Starts each engine that has a game for which `is_played` is false, makes it ready for the first of them, and
    /// ends it: an engine that does not start, or refuses its options or the variant, is an error of the user, and no
    /// game should be lost by it.
    ///
    /// # Errors
    /// The fault of an engine, the first in the order of the schedule among those tried at the same time.
    pub fn try_engines<E: std::error::Error>(
        &self,
        conduct: &Conduct,
        is_played: impl Fn(u64) -> bool,
    ) -> Result<(), MatchError<E>> {
        /// Engines tried at the same time, since some take long to start.
        const AT_ONCE: usize = 8;
        let context = WorkerContext::new(self, conduct.interrupted.clone());
        let mut first_games: Vec<(usize, Scheduled)> = Vec::new();
        for game in self.settings.scheduled().filter(|game| !is_played(game.number)) {
            for index in [game.engines.general, game.engines.rebels] {
                if first_games.iter().all(|(known, _)| *known != index) {
                    first_games.push((index, game));
                }
            }
            if first_games.len() == self.settings.engines.len() {
                break;
            }
        }
        for engines in first_games.chunks(AT_ONCE) {
            let tried = thread::scope(|scope| {
                let try_engine = |index, game| context.try_engine(index, game);
                let spawn = |(index, game): &(usize, Scheduled)| {
                    let (index, game) = (*index, *game);
                    thread::Builder::new().spawn_scoped(scope, move || (index, try_engine(index, game)))
                };
                let running: Vec<_> = engines.iter().map(spawn).collect();
                let ended = running.into_iter().map(|thread| thread.map(|thread| thread.join().ok()));
                ended.collect::<Result<Vec<_>, _>>()
            });
            for (index, result) in tried.map_err(MatchError::Thread)?.into_iter().flatten() {
                let engine = context.title(index).to_owned();
                match result {
                    Ok(()) => {}
                    Err(SessionError::Fault(fault)) => return Err(MatchError::NotReady { engine, fault }),
                    Err(SessionError::CannotStart(error)) => return Err(MatchError::CannotStart { engine, error }),
                    Err(SessionError::Interrupted) => return Err(MatchError::Interrupted),
                }
            }
        }
        Ok(())
    }

    /// The result of perfect play from a position, if there is a table.
    fn perfect(&self, game: &Game) -> Option<Perfect> {
        Some(Perfect::new(self.table.as_ref()?.probe(game).ok()?, game.side()))
    }

    /// Checks a game of a file: its moves are played by the rules, and report and record must be what the referee
    /// writes of them.
    ///
    /// # Errors
    /// The first difference.
    pub(super) fn audit(&self, scheduled: Scheduled, entry: &GameEntry) -> Result<(), String> {
        let GameEntry { report, record, remarks } = entry;
        let opening = self.opening(scheduled.round).map_err(|error| error.to_string())?;
        let mut played = RefereedGame::new(Scoresheet::new(&opening, self.settings.move_limit));
        let begun = played.moves.len();
        let moves = record.moves.get(begun..).ok_or_else(|| format!("expected the {begun} plies of the opening"))?;
        let adjudicator = Adjudicator::new(self.settings.adjudication, self.table.clone());
        played.replay(adjudicator, moves, report)?;
        let title = |side| self.settings.engines.get(*scheduled.engines.of(side)).map_or("", EngineSpec::title);
        let reports =
            BySide::new(|side| PlayerReport { engine: title(side).to_owned(), ..report.player(side).clone() });
        // A file without it may have been written before the table.
        let known = |told: Option<Perfect>, found: Option<Perfect>| told.and(found.or(told));
        let adjudged = known(report.adjudged, self.perfect(played.sheet.game()));
        let perfect = [known(report.perfect, self.perfect(&opening)), adjudged];
        let expected = self.entry(scheduled, &opening, played, reports, perfect);
        differing(&expected.report, report)?;
        differing(&expected.record, record)?;
        let is_known = |remark: &Remark| self.settings.engines.iter().any(|engine| engine.title() == remark.engine);
        if remarks.iter().all(is_known) { Ok(()) } else { Err("remarks: expected the name of an engine".to_owned()) }
    }

    /// A finished game as the match file keeps it, without remarks; `perfect` are the results of perfect play from
    /// opening and end.
    fn entry(
        &self,
        scheduled: Scheduled,
        opening: &Game,
        played: RefereedGame,
        reports: BySide<PlayerReport>,
        [perfect, adjudged]: [Option<Perfect>; 2],
    ) -> GameEntry {
        let Match { settings, variant, .. } = self;
        let BySide { general, rebels } = reports;
        let last = played.sheet.game();
        let is_adjudicated = matches!(played.end, GameEnd::Adjudicated(..));
        let fault = match &played.end {
            GameEnd::Fault(_, fault) => Some(fault.kind),
            _ => None,
        };
        let controls = BySide::new(|side| {
            settings.engines.get(*scheduled.engines.of(side)).map(|spec| spec.time_control).unwrap_or_default()
        });
        let record = Record {
            event: "Match".to_owned(),
            round: format!("{}.{}", scheduled.round + 1, scheduled.number),
            general: general.engine.clone(),
            rebels: rebels.engine.clone(),
            variant: variant.id().to_owned(),
            fingerprint: settings.fingerprint.clone(),
            opening: if last.begins_at_opening() { String::new() } else { last.beginning().to_string() },
            time_control: match controls {
                BySide { general, rebels } if general == rebels => control_text(&general),
                BySide { general, rebels } => format!("{} against {}", control_text(&general), control_text(&rebels)),
            },
            move_limit: settings.move_limit,
            seed: Some(u64::from(seed_of_pair(settings.seed, scheduled.pair))),
            result: played.end.result(),
            termination: match &played.end {
                GameEnd::Rules(outcome) => outcome.to_string(),
                end => end.reason(),
            },
            moves: played.moves,
            ..Record::default()
        };
        let report = GameReport {
            number: scheduled.number,
            pair: scheduled.pair,
            general,
            rebels,
            winner: record.result.winner(),
            reason: played.end.reason(),
            fault,
            plies: u32::try_from(record.moves.len().saturating_sub(opening.moves().len())).unwrap_or(u32::MAX),
            rebels_left: last.position().rebels_left(),
            perfect,
            adjudged: adjudged.filter(|_| is_adjudicated),
        };
        GameEntry { report, record, remarks: Vec::new() }
    }
}

/// Compares two values of a kind field by field.
fn differing(expected: &impl Serialize, found: &impl Serialize) -> Result<(), String> {
    let text =
        |value: Option<&Value>| value.map_or_else(|| "nothing".to_owned(), |value| sanitized(&value.to_string(), 200));
    let [expected, found] =
        [serde_json::to_value(expected), serde_json::to_value(found)].map(Result::unwrap_or_default);
    let (Value::Object(expected), Value::Object(found)) = (expected, found) else { return Ok(()) };
    match expected.keys().chain(found.keys()).find(|key| expected.get(*key) != found.get(*key)) {
        None => Ok(()),
        Some(key) => Err(format!("{key}: expected {}, found {}", text(expected.get(key)), text(found.get(key)))),
    }
}

#[derive(Debug)]
struct WorkerContext<'a> {
    game: &'a Match,
    session: SessionContext,
}

/// A thread that plays games one after another, and its engines by their indices.
struct MatchWorker<'a> {
    context: &'a WorkerContext<'a>,
    players: HashMap<usize, EnginePlayer>,
    /// Faults of engines while they were ended.
    remarks: Vec<Remark>,
}

impl MatchWorker<'_> {
    /// Plays games until all are played, or an engine, given by its index, cannot be started.
    fn run(mut self, next: &impl Fn() -> Option<Scheduled>, sender: &Sender<Result<MatchEvent, (usize, ClientError)>>) {
        while let Some(scheduled) = next() {
            let message = match self.play(scheduled) {
                Ok(entry) => Ok(MatchEvent::Game(Box::new(entry))),
                Err((side, SessionError::CannotStart(error))) => Err((*scheduled.engines.of(side), error)),
                Err(_) => break,
            };
            let is_last = message.is_err();
            if sender.send(message).is_err() || is_last {
                break;
            }
        }
        self.dismiss(|_| true);
        for remark in self.remarks {
            // The receiver may be gone.
            let _ = sender.send(Ok(MatchEvent::Remark(remark)));
        }
    }

    /// Plays a game. The errors are [`SessionError::Interrupted`], and [`SessionError::CannotStart`] with its side.
    fn play(&mut self, scheduled: Scheduled) -> Result<GameEntry, (Side, SessionError)> {
        let Match { settings, table, .. } = self.context.game;
        let seed = seed_of_pair(settings.seed, scheduled.pair);
        // All openings have been checked before the first game.
        let opening =
            self.context.game.opening(scheduled.round).map_err(|_| (Side::General, SessionError::Interrupted))?;
        self.dismiss(|index| index != scheduled.engines.general && index != scheduled.engines.rebels);
        let mut played = RefereedGame::new(Scoresheet::new(&opening, settings.move_limit));
        let reports = match self.seat_both(&scheduled, seed, &played.sheet) {
            Err((side, SessionError::Fault(fault))) => {
                played.end = GameEnd::Fault(side, fault);
                let title = |side| self.context.title(*scheduled.engines.of(side)).to_owned();
                BySide::new(|side| PlayerReport { engine: title(side), ..PlayerReport::default() })
            }
            Err(unfinished) => return Err(unfinished),
            Ok(mut players) => {
                let adjudicator = Adjudicator::new(settings.adjudication, table.clone());
                played.play(adjudicator, &mut players).map_err(|error| (Side::General, error))?;
                let reports = BySide::new(|side| players.of(side).report.clone());
                self.keep(&scheduled, players, &played);
                reports
            }
        };
        for (side, fault) in &played.remarks {
            self.remark(*scheduled.engines.of(*side), fault.clone());
        }
        let remarks = std::mem::take(&mut self.remarks);
        let perfect = [&opening, played.sheet.game()].map(|game| self.context.game.perfect(game));
        Ok(GameEntry { remarks, ..self.context.game.entry(scheduled, &opening, played, reports, perfect) })
    }

    /// Both players, ready for the game, or the side of an engine that is not, and why. Both get ready at the same
    /// time, since that can take longer than a move.
    fn seat_both(
        &mut self,
        scheduled: &Scheduled,
        seed: u32,
        sheet: &Scoresheet,
    ) -> Result<BySide<EnginePlayer>, (Side, SessionError)> {
        let (context, BySide { general, rebels }) = (self.context, scheduled.engines);
        let [first, second] = [general, rebels].map(|index| (index, self.players.remove(&index)));
        let seat = |(index, player)| context.seat(index, player, seed, sheet);
        let seated = thread::scope(|scope| {
            let spawned = thread::Builder::new().spawn_scoped(scope, || seat(first));
            let second = seat(second);
            let first = spawned.map_err(|source| {
                SessionError::CannotStart(ClientError::Start { program: context.title(general).to_owned(), source })
            });
            (first.and_then(|first| first.join().unwrap_or(Err(SessionError::Interrupted))), second)
        });
        match seated {
            (Ok(general), Ok(rebels)) => Ok(BySide { general, rebels }),
            // An error that ends the match comes before a fault that ends the game.
            (Err(SessionError::Fault(_)), Err(error @ (SessionError::Interrupted | SessionError::CannotStart(_)))) => {
                Err((Side::Rebels, error))
            }
            (Err(error), player) => {
                self.players.extend(player.ok().map(|player| (rebels, player)));
                Err((Side::General, error))
            }
            (Ok(player), Err(error)) => {
                self.players.insert(general, player);
                Err((Side::Rebels, error))
            }
        }
    }

    /// Keeps the players for the next game, except those that are unusable or must be restarted.
    fn keep(&mut self, scheduled: &Scheduled, players: BySide<EnginePlayer>, played: &RefereedGame) {
        for (side, player) in [(Side::General, players.general), (Side::Rebels, players.rebels)] {
            if !played.is_unusable(side) {
                self.players.insert(*scheduled.engines.of(side), player);
            }
        }
        let engines = &self.context.game.settings.engines;
        self.dismiss(|index| engines.get(index).is_none_or(Settings::restarts));
    }

    /// Ends engines, all at the same time.
    fn dismiss(&mut self, which: impl Fn(usize) -> bool) {
        let mut leaving: Vec<(usize, EnginePlayer)> = self.players.extract_if(|index, _| which(*index)).collect();
        leaving.sort_unstable_by_key(|(index, _)| *index);
        let faults: Vec<(usize, EngineFault)> = thread::scope(|scope| {
            let quit = |(index, player): (usize, EnginePlayer)| {
                // Without a thread the engine is ended at once.
                thread::Builder::new().spawn_scoped(scope, move || Some((index, player.quit().err()?))).ok()
            };
            let leaving: Vec<_> = leaving.into_iter().filter_map(quit).collect();
            leaving.into_iter().filter_map(|leaving| leaving.join().ok()?).collect()
        });
        faults.into_iter().for_each(|(index, fault)| self.remark(index, fault));
    }

    fn remark(&mut self, index: usize, fault: EngineFault) {
        self.remarks.push(Remark { engine: self.context.title(index).to_owned(), fault });
    }
}

impl<'a> WorkerContext<'a> {
    fn new(game: &'a Match, interrupted: Stop) -> WorkerContext<'a> {
        let Settings { patience_ms, margin_ms, .. } = game.settings;
        let session = SessionContext {
            interrupted,
            patience: Duration::from_millis(patience_ms),
            margin: Duration::from_millis(margin_ms),
        };
        WorkerContext { game, session }
    }

    /// Makes an engine ready for a game, and ends it.
    fn try_engine(&self, index: usize, scheduled: Scheduled) -> Result<(), SessionError> {
        let Match { settings, .. } = self.game;
        let opening = self.game.opening(scheduled.round).map_err(|_| SessionError::Interrupted)?;
        let sheet = Scoresheet::new(&opening, settings.move_limit);
        let seed = seed_of_pair(settings.seed, scheduled.pair);
        // That it ignores `quit` is a remark on its games.
        let _ = self.seat(index, None, seed, &sheet)?.quit();
        Ok(())
    }

    fn title(&self, index: usize) -> &str {
        self.game.settings.engines.get(index).map_or("", EngineSpec::title)
    }

    /// A player ready for the game: the running one, or a new one.
    fn seat(
        &self,
        index: usize,
        running: Option<EnginePlayer>,
        seed: u32,
        sheet: &Scoresheet,
    ) -> Result<EnginePlayer, SessionError> {
        let settings = &self.game.settings;
        let spec = settings.engines.get(index).ok_or(SessionError::Interrupted)?;
        let mut player = match running {
            Some(player) => player,
            None => EnginePlayer::start(spec, &settings.variant, &self.session)?,
        };
        player.begin_game(settings, seed, sheet)?;
        Ok(player)
    }
}

/// The seed of both engines in both games of a pair: never 0, and within a signed 32-bit number.
fn seed_of_pair(seed: u64, pair: u64) -> u32 {
    let drawn = Random::numbered(seed, pair).below(0x7fff_fffe);
    u32::try_from(drawn).unwrap_or(0) + 1
}
