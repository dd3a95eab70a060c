//! One of several hands that play the games of a match, with engines of its own.

use std::collections::HashMap;
use std::path::PathBuf;
use std::thread;
use std::time::Duration;

use crate::random::Random;
use crate::record::Record;
use crate::rules::{Game, Side};

use super::adjudication::Adjudicator;
use super::clock::MoveLimits;
use super::engine_spec::EngineSpec;
use super::fault::Fault;
use super::match_file::{GameEntry, Remark};
use super::player::{GameTerms, Player};
use super::referee::{self, End, Played};
use super::scoresheet::Scoresheet;
use super::session::{Surroundings, Trouble};
use super::settings::{Match, Scheduled, Settings};
use super::statistics::{BySide, GameReport, Perfect, PlayerReport};

/// What all workers share.
#[derive(Debug)]
pub(super) struct WorkerContext<'a> {
    pub(super) game: &'a Match,
    pub(super) surroundings: Surroundings,
    /// The folder for standard error.
    pub(super) errors: Option<PathBuf>,
}

/// A hand with its engines, by their places.
pub(super) struct Worker<'a> {
    context: &'a WorkerContext<'a>,
    players: HashMap<usize, Player>,
    /// What went wrong when engines were ended.
    remarks: Vec<Remark>,
}

impl<'a> Worker<'a> {
    pub(super) fn new(context: &'a WorkerContext<'a>) -> Worker<'a> {
        Worker { context, players: HashMap::new(), remarks: Vec::new() }
    }

    /// Plays a game from its opening.
    ///
    /// # Errors
    /// When the match is interrupted, or the engine of a side can't be started.
    pub(super) fn play(&mut self, scheduled: Scheduled, sheet: Scoresheet) -> Result<GameEntry, (Side, Trouble)> {
        let Match { settings, table, .. } = self.context.game;
        let terms = GameTerms {
            variant: settings.variant.clone(),
            seed: seed_of_pair(settings.seed, scheduled.pair),
            move_limit: settings.move_limit,
            margin: Duration::from_millis(settings.margin_ms),
            patience: Duration::from_millis(settings.patience_ms),
        };
        let opening = sheet.clone();
        self.dismiss(|place| place != scheduled.places.general && place != scheduled.places.rebels);
        let mut latency: BySide<Vec<Duration>> = BySide::default();
        let played = match self.seat_both(&scheduled, &terms, &sheet) {
            Err((side, Trouble::Fault(fault))) => Played::unplayed(sheet, side, fault),
            Err(unfinished) => return Err(unfinished),
            Ok(mut players) => {
                let adjudicator = Adjudicator::new(settings.adjudication, table.clone());
                let played = referee::play(&terms, adjudicator, sheet, &mut players);
                let played = played.map_err(|trouble| (Side::General, trouble))?;
                latency.general.extend_from_slice(&players.general.latency);
                latency.rebels.extend_from_slice(&players.rebels.latency);
                self.keep(&scheduled, players, &played);
                played
            }
        };
        for (side, fault) in &played.remarks {
            self.remark(*scheduled.places.of(*side), fault.clone());
        }
        let mut entry = self.context.entry(scheduled, &opening, played, &latency, terms.seed);
        entry.remarks = std::mem::take(&mut self.remarks);
        Ok(entry)
    }

    /// Ends all engines, and tells what went wrong with that.
    pub(super) fn finish(mut self) -> Vec<Remark> {
        self.dismiss(|_| true);
        self.remarks
    }

    /// Both players, ready for the game; or a side whose engine isn't, and why. Both get ready at the same time, since that
    /// takes longer than many a move.
    fn seat_both(
        &mut self,
        scheduled: &Scheduled,
        terms: &GameTerms,
        sheet: &Scoresheet,
    ) -> Result<BySide<Player>, (Side, Trouble)> {
        let (context, number) = (self.context, scheduled.number);
        let [one, other] =
            [scheduled.places.general, scheduled.places.rebels].map(|place| (place, self.players.remove(&place)));
        let seat = |(place, player)| context.seat(place, player, number, terms, sheet);
        let (general, rebels) = thread::scope(|scope| {
            let general = scope.spawn(|| seat(one));
            let rebels = seat(other);
            (general.join().unwrap_or(Err(Trouble::Interrupted)), rebels)
        });
        match (general, rebels) {
            (Ok(general), Ok(rebels)) => Ok(BySide { general, rebels }),
            // A fault of one is no game played as long as the match itself can't go on.
            (Err(Trouble::Fault(_)), Err(trouble @ (Trouble::Interrupted | Trouble::CannotStart(_)))) => {
                Err((Side::Rebels, trouble))
            }
            (Err(trouble), rebels) => {
                self.players.extend(rebels.ok().map(|player| (scheduled.places.rebels, player)));
                Err((Side::General, trouble))
            }
            (Ok(general), Err(trouble)) => {
                self.players.insert(scheduled.places.general, general);
                Err((Side::Rebels, trouble))
            }
        }
    }

    /// Keeps the players for the next game, except those that can't be used again or are to be started anew.
    fn keep(&mut self, scheduled: &Scheduled, players: BySide<Player>, played: &Played) {
        for (side, player) in [(Side::General, players.general), (Side::Rebels, players.rebels)] {
            if !played.broken(side) {
                self.players.insert(*scheduled.places.of(side), player);
            }
        }
        let engines = &self.context.game.settings.engines;
        self.dismiss(|place| engines.get(place).is_none_or(Settings::restarts));
    }

    /// Ends engines, all at the same time.
    fn dismiss(&mut self, which: impl Fn(usize) -> bool) {
        let mut leaving: Vec<(usize, Player)> = self.players.extract_if(|place, _| which(*place)).collect();
        leaving.sort_unstable_by_key(|(place, _)| *place);
        let faults: Vec<(usize, Fault)> = thread::scope(|scope| {
            let quit = |(place, player): (usize, Player)| scope.spawn(move || Some((place, player.quit().err()?)));
            let leaving: Vec<_> = leaving.into_iter().map(quit).collect();
            leaving.into_iter().filter_map(|leaving| leaving.join().ok()?).collect()
        });
        faults.into_iter().for_each(|(place, fault)| self.remark(place, fault));
    }

    fn remark(&mut self, place: usize, fault: Fault) {
        self.remarks.push(Remark { engine: self.context.title(place), fault });
    }
}

impl WorkerContext<'_> {
    fn spec(&self, place: usize) -> Option<&EngineSpec> {
        self.game.settings.engines.get(place)
    }

    fn title(&self, place: usize) -> String {
        self.spec(place).map_or("", EngineSpec::title).to_owned()
    }

    /// A player, ready for the game: the one that is there already, or a new one.
    fn seat(
        &self,
        place: usize,
        player: Option<Player>,
        number: u64,
        terms: &GameTerms,
        sheet: &Scoresheet,
    ) -> Result<Player, Trouble> {
        let spec = self.spec(place).ok_or(Trouble::Interrupted)?;
        let errors = self.errors.as_ref().map(|folder| folder.join(errors_name(number, spec.title())));
        let mut player = match player {
            Some(player) => {
                player.keep_errors(errors);
                player
            }
            None => Player::start(spec, &terms.variant, &self.surroundings, errors)?,
        };
        player.begin_game(terms, sheet)?;
        Ok(player)
    }

    /// A finished game as the match file keeps it.
    fn entry(
        &self,
        scheduled: Scheduled,
        opening: &Scoresheet,
        played: Played,
        latency: &BySide<Vec<Duration>>,
        seed: u32,
    ) -> GameEntry {
        let Match { settings, variant, table } = self.game;
        let report_of = |side| PlayerReport {
            engine: self.title(*scheduled.places.of(side)),
            thinking_us: microseconds(played.thinking.of(side)),
            latency_us: microseconds(latency.of(side)),
        };
        let last = played.sheet.game();
        let perfect = |game: &Game| Some(Perfect::new(table.as_ref()?.probe(game).ok()?, game.side()));
        let report = GameReport {
            number: scheduled.number,
            pair: scheduled.pair,
            general: report_of(Side::General),
            rebels: report_of(Side::Rebels),
            winner: played.end.result().winner(),
            reason: played.end.reason(),
            fault: match &played.end {
                End::Fault(_, fault) => Some(fault.kind),
                _ => None,
            },
            plies: u32::try_from(played.moves.len().saturating_sub(opening.moves().len())).unwrap_or(u32::MAX),
            rebels_left: last.position().rebels().len(),
            perfect: perfect(opening.game()),
        };
        let control = |place| self.spec(place).map(|spec| spec.time_control);
        let controls = [scheduled.places.general, scheduled.places.rebels].map(control);
        let record = Record {
            event: settings.event.clone(),
            round: format!("{}.{}", scheduled.round + 1, scheduled.number),
            general: report.general.engine.clone(),
            rebels: report.rebels.engine.clone(),
            variant: variant.id().to_owned(),
            fingerprint: settings.fingerprint.clone(),
            opening: if played.sheet.begins_at_opening() { String::new() } else { last.beginning().to_string() },
            time_control: match controls {
                [Some(general), Some(rebels)] if general == rebels => general.to_string(),
                controls => {
                    let text = |control: Option<MoveLimits>| control.map(|c| c.to_string()).unwrap_or_default();
                    controls.map(text).join(" against ")
                }
            },
            move_limit: settings.move_limit,
            seed: Some(u64::from(seed)),
            result: played.end.result(),
            termination: match &played.end {
                End::Rules(outcome) => outcome.to_string(),
                end => end.reason(),
            },
            moves: played.moves,
            ..Record::default()
        };
        GameEntry { report, record, remarks: Vec::new() }
    }
}

impl Played {
    /// Whether the engine of a side can't go on.
    fn broken(&self, side: Side) -> bool {
        let fatal = |fault: &Fault| !fault.kind.leaves_engine_usable();
        self.remarks.iter().any(|(other, fault)| *other == side && fatal(fault))
            || matches!(&self.end, End::Fault(other, fault) if *other == side && fatal(fault))
    }
}

/// The seed that both engines get in both games of a pair: never 0, and small enough for a signed 32-bit number.
fn seed_of_pair(seed: u64, pair: u64) -> u32 {
    let drawn = Random::numbered(seed, pair).below(0x7fff_fffe);
    u32::try_from(drawn).unwrap_or(0) + 1
}

/// The file of standard error of an engine in a game.
fn errors_name(number: u64, engine: &str) -> String {
    let fits = |letter: char| letter.is_alphanumeric() || matches!(letter, '-' | '_' | '.' | ' ' | '+');
    let engine: String = engine.chars().map(|letter| if fits(letter) { letter } else { '_' }).collect();
    format!("game-{number:06}-{engine}.txt")
}

fn microseconds(times: &[Duration]) -> Vec<u64> {
    times.iter().map(|time| u64::try_from(time.as_micros()).unwrap_or(u64::MAX)).collect()
}
