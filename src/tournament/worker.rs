//! One of several hands that play the games of a match, with engines of its own.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use privy_protocol::ClientError;

use crate::random::Random;
use crate::rules::Side;
use crate::tablebase::Table;

use super::by_side::BySide;
use super::conversation::{Surroundings, Trouble};
use super::fault::Fault;
use super::game_entry::Remark;
use super::player::{GameTerms, NoPlayer, Player};
use super::referee::{Played, Referee, unplayed};
use super::schedule::Scheduled;
use super::scoresheet::Scoresheet;
use super::settings::Settings;

/// What all workers share.
#[derive(Debug)]
pub(super) struct Bench<'a> {
    pub(super) settings: &'a Settings,
    pub(super) table: Option<Arc<Table>>,
    pub(super) surroundings: Surroundings,
    /// The folder for standard error.
    pub(super) errors: Option<PathBuf>,
}

/// Why a game was not played to an end.
#[derive(Debug)]
pub(super) enum Unfinished {
    /// The match is to end.
    Interrupted,
    /// An engine can't be started.
    CannotStart(usize, ClientError),
}

/// A hand with its engines, by their places.
pub(super) struct Worker<'a> {
    bench: &'a Bench<'a>,
    players: HashMap<usize, Player>,
    /// What went wrong when engines were ended.
    remarks: Vec<Remark>,
}

/// A finished game and what belongs to it.
pub(super) struct Finished {
    pub(super) scheduled: Scheduled,
    pub(super) played: Played,
    pub(super) seed: u32,
    pub(super) latency: BySide<Vec<Duration>>,
    pub(super) remarks: Vec<Remark>,
}

impl<'a> Worker<'a> {
    pub(super) fn new(bench: &'a Bench<'a>) -> Worker<'a> {
        Worker { bench, players: HashMap::new(), remarks: Vec::new() }
    }

    /// Plays a game.
    pub(super) fn play(&mut self, scheduled: Scheduled, sheet: Scoresheet) -> Result<Finished, Unfinished> {
        let settings = self.bench.settings;
        let seed = seed_of_pair(settings.seed, scheduled.pair);
        let terms = GameTerms {
            variant: settings.variant.clone(),
            seed,
            move_limit: settings.move_limit,
            margin: Duration::from_millis(settings.margin_ms),
            patience: Duration::from_millis(settings.patience_ms),
        };
        self.dismiss(|place| place != scheduled.general && place != scheduled.rebels);
        let mut latency: BySide<Vec<Duration>> = BySide::default();
        let played = match self.seat_both(&scheduled, &terms, &sheet)? {
            Err((side, fault)) => unplayed(sheet, side, fault),
            Ok(mut players) => {
                let table = self.bench.table.clone();
                let referee = Referee { terms: &terms, adjudication: settings.adjudication, table };
                let played = referee.play(sheet, &mut players).ok_or(Unfinished::Interrupted)?;
                latency.general.extend_from_slice(players.general.latency());
                latency.rebels.extend_from_slice(players.rebels.latency());
                self.keep(&scheduled, players, &played);
                played
            }
        };
        for (side, fault) in &played.remarks {
            let place = if *side == Side::General { scheduled.general } else { scheduled.rebels };
            self.remark(place, fault.clone());
        }
        Ok(Finished { scheduled, played, seed, latency, remarks: std::mem::take(&mut self.remarks) })
    }

    /// Ends all engines, and tells what went wrong with that.
    pub(super) fn finish(mut self) -> Vec<Remark> {
        self.dismiss(|_| true);
        self.remarks
    }

    /// Both players, ready for the game; or the side whose engine isn't, and why. Both get ready at the same time, since that
    /// takes longer than many a move.
    #[allow(clippy::type_complexity, reason = "two kinds of failure, each for another reader")]
    fn seat_both(
        &mut self,
        scheduled: &Scheduled,
        terms: &GameTerms,
        sheet: &Scoresheet,
    ) -> Result<Result<BySide<Player>, (Side, Fault)>, Unfinished> {
        let (bench, number) = (self.bench, scheduled.number);
        let [one, other] = [scheduled.general, scheduled.rebels].map(|place| (place, self.players.remove(&place)));
        let seat = |(place, player)| bench.seat(place, player, number, terms, sheet);
        let (general, rebels) = std::thread::scope(|scope| {
            let general = scope.spawn(|| seat(one));
            let rebels = seat(other);
            (general.join().unwrap_or(Err(Unfinished::Interrupted)), rebels)
        });
        match (general?, rebels?) {
            (Ok(general), Ok(rebels)) => Ok(Ok(BySide { general, rebels })),
            (Err(fault), rebels) => {
                self.players.extend(rebels.ok().map(|player| (scheduled.rebels, player)));
                Ok(Err((Side::General, fault)))
            }
            (Ok(general), Err(fault)) => {
                self.players.insert(scheduled.general, general);
                Ok(Err((Side::Rebels, fault)))
            }
        }
    }

    /// Keeps the players for the next game, except those that can't be used again or are to be started anew.
    fn keep(&mut self, scheduled: &Scheduled, players: BySide<Player>, played: &Played) {
        let BySide { general, rebels } = players;
        for (side, place, player) in
            [(Side::General, scheduled.general, general), (Side::Rebels, scheduled.rebels, rebels)]
        {
            if !played.broken(side) {
                self.players.insert(place, player);
            }
        }
        let engines = &self.bench.settings.engines;
        self.dismiss(|place| engines.get(place).is_none_or(Settings::restarts));
    }

    /// Ends engines, all at the same time.
    fn dismiss(&mut self, which: impl Fn(usize) -> bool) {
        let mut places: Vec<usize> = self.players.keys().copied().filter(|place| which(*place)).collect();
        places.sort_unstable();
        let leaving: Vec<(usize, Player)> =
            places.iter().filter_map(|place| Some((*place, self.players.remove(place)?))).collect();
        let faults: Vec<(usize, Fault)> = std::thread::scope(|scope| {
            let quit = |(place, player): (usize, Player)| scope.spawn(move || Some((place, player.quit().err()?)));
            let leaving: Vec<_> = leaving.into_iter().map(quit).collect();
            leaving.into_iter().filter_map(|leaving| leaving.join().ok()?).collect()
        });
        for (place, fault) in faults {
            self.remark(place, fault);
        }
    }

    fn remark(&mut self, place: usize, fault: Fault) {
        if let Some(spec) = self.bench.settings.engines.get(place) {
            self.remarks.push(Remark { engine: spec.title().to_owned(), fault });
        }
    }
}

impl Bench<'_> {
    /// A player, ready for the game: the one that is there already, or a new one.
    fn seat(
        &self,
        place: usize,
        player: Option<Player>,
        number: u64,
        terms: &GameTerms,
        sheet: &Scoresheet,
    ) -> Result<Result<Player, Fault>, Unfinished> {
        let Some(spec) = self.settings.engines.get(place) else { return Err(Unfinished::Interrupted) };
        let errors = self.errors.as_ref().map(|folder| folder.join(errors_name(number, spec.title())));
        let player = match player {
            Some(player) => {
                player.keep_errors(errors);
                Ok(player)
            }
            None => Player::start(spec, spec.time_control, &self.surroundings, errors),
        };
        let ready = player.and_then(|mut player| {
            player.begin_game(terms, sheet)?;
            Ok(player)
        });
        match ready {
            Ok(player) => Ok(Ok(player)),
            Err(NoPlayer::CannotStart(error)) => Err(Unfinished::CannotStart(place, error)),
            Err(NoPlayer::Trouble(Trouble::Interrupted)) => Err(Unfinished::Interrupted),
            Err(NoPlayer::Trouble(Trouble::Fault(fault))) => Ok(Err(fault)),
        }
    }
}

impl Played {
    /// Whether the engine of a side can't go on.
    fn broken(&self, side: Side) -> bool {
        let fatal = |fault: &Fault| !fault.kind.leaves_engine_usable();
        self.remarks.iter().any(|(other, fault)| *other == side && fatal(fault))
            || matches!(&self.end, super::referee::End::Fault(other, fault) if *other == side && fatal(fault))
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
