//! What the games of a match depend on: its settings, and the schedule that follows from them.

use std::fmt::Display;
use std::str::FromStr;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use privy_protocol::Limits;

use crate::part::Part;
use privy_base::message::counted;
use privy_rules::{Game, Variant};
use privy_tables::Table;

use super::engine_spec::{EngineSpec, LONGEST_WAIT_MS, MOST_DEPTH, MOST_ENGINES, MOST_NODES, is_showable};
use super::fault::BadSetting;
use super::statistics::{BySide, Sprt};

/// The settings of a match: the first line of its file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Settings {
    /// The argument of `variant`: an id, or the path of a file.
    pub variant: String,
    /// The fingerprint of the variant.
    pub fingerprint: String,
    /// The engines, each with its own time control.
    pub engines: Vec<EngineSpec>,
    /// Who plays whom.
    #[serde(default)]
    pub format: MatchFormat,
    /// The number of pairs of games of each pairing.
    pub rounds: u64,
    /// The openings, one a round, in a cycle.
    pub openings: Vec<Opening>,
    /// Milliseconds beyond the clock before the flag falls.
    pub margin_ms: u64,
    /// The longest silence of an engine in milliseconds.
    pub patience_ms: u64,
    /// Plies after which a game is a draw.
    #[serde(default)]
    pub move_limit: Option<u32>,
    /// The rules by which the referee ends games.
    #[serde(default)]
    pub adjudication: Adjudication,
    /// `auto`, `off` or a folder, as on the command line.
    pub tables: String,
    /// The seed of openings and of engines.
    pub seed: u64,
    /// The match continues after the failure of an engine.
    pub recover: bool,
    /// A test that can end the match early.
    #[serde(default)]
    pub sprt: Option<Sprt>,
    /// The part of the schedule to play; none: all of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub part: Option<Part>,
}

/// The most plies that a user can set for a game, or for its adjudication.
pub const MOST_PLIES: u32 = 1_000_000;

/// The most games of a match: a bound on the time to walk through the schedule.
pub const MOST_GAMES: u64 = 10_000_000;

impl Settings {
    pub(crate) fn schedule(&self) -> Schedule {
        Schedule::new(self.engines.len(), self.format, self.rounds)
    }

    /// The number of games of all parts.
    pub fn games(&self) -> u64 {
        self.schedule().games()
    }

    /// The games of the part to play, by ascending number.
    pub fn scheduled(&self) -> impl Iterator<Item = Scheduled> {
        self.schedule().games_of(self.part.clone())
    }

    /// The settings that all parts of a match share: without the part and without paths of this machine.
    pub fn in_common(&self) -> Settings {
        let mut common = Settings { part: None, variant: String::new(), tables: String::new(), ..self.clone() };
        common.engines.iter_mut().for_each(|engine| engine.folder = None);
        common
    }

    /// The settings as read back from a file, where numbers may lose their last digit.
    pub fn as_read(&self) -> Settings {
        let read = serde_json::to_string(self).and_then(|text| serde_json::from_str(&text));
        read.unwrap_or_else(|_| self.clone())
    }

    /// The name of a setting that differs.
    pub fn difference(&self, others: &Settings) -> Option<String> {
        let fields = |settings: &Settings| match serde_json::to_value(settings) {
            Ok(serde_json::Value::Object(fields)) => fields,
            _ => serde_json::Map::new(),
        };
        let (own, others) = (fields(self), fields(others));
        own.keys().chain(others.keys()).find(|key| own.get(*key) != others.get(*key)).cloned()
    }

    /// Checks the numbers and names that a file may hold.
    ///
    /// # Errors
    /// The first that is out of range.
    pub(crate) fn check(&self) -> Result<(), String> {
        let within = |name: &str, found: u64, low: u64, high: u64| {
            let expected = || format!("{name}: expected {low} to {high}, found {found}");
            if (low..=high).contains(&found) { Ok(()) } else { Err(expected()) }
        };
        within("engines", self.engines.len() as u64, 2, MOST_ENGINES as u64)?;
        for engine in &self.engines {
            if !is_showable(engine.title()) {
                return Err("the name of an engine cannot be shown".to_owned());
            }
            let Limits { time, nodes, depth, .. } = engine.time_control;
            let time = time.map_or(1, |time| u64::try_from(time.as_millis()).unwrap_or(u64::MAX));
            within("time", time, 1, LONGEST_WAIT_MS)?;
            within("nodes", nodes.unwrap_or(1), 1, MOST_NODES)?;
            within("depth", u64::from(depth.unwrap_or(1)), 1, u64::from(MOST_DEPTH))?;
        }
        within("games", self.games(), 1, MOST_GAMES)?;
        within("margin_ms", self.margin_ms, 0, LONGEST_WAIT_MS)?;
        within("patience_ms", self.patience_ms, 1, LONGEST_WAIT_MS)?;
        within("move_limit", u64::from(self.move_limit.unwrap_or(1)), 1, u64::from(MOST_PLIES))
    }

    fn opening(&self, round: u64) -> Option<&Opening> {
        let count = self.openings.len() as u64;
        self.openings.get(usize::try_from(round.checked_rem(count)?).ok()?)
    }

    /// True if an engine is restarted for each game: when the user says so, or when games are reproducible and so must
    /// not depend on what the engine has kept from earlier ones.
    pub(crate) fn restarts(engine: &EngineSpec) -> bool {
        engine.restart.unwrap_or_else(|| engine.time_control.is_reproducible())
    }
}

/// A match with its variant and table.
#[derive(Debug)]
pub struct Match {
    /// The settings.
    pub settings: Settings,
    /// The variant.
    pub variant: Arc<Variant>,
    /// The table, for adjudication and for figures.
    pub table: Option<Arc<Table>>,
}

impl Match {
    /// Checks that all openings can be set up, and leave something to play.
    pub fn check(&self) -> Result<(), BadSetting> {
        let Settings { rounds, openings, move_limit, .. } = &self.settings;
        (0..(*rounds).min(openings.len().max(1) as u64)).try_for_each(|round| {
            let mut game = self.opening(round)?;
            game.set_move_limit(*move_limit);
            let plies = counted(game.moves().len(), "ply");
            let over = |limit| bad_opening(format_args!("{plies}; expected fewer than the move limit, {limit}"));
            move_limit.filter(|_| game.plies_left() == Some(0)).map_or(Ok(()), |limit| Err(over(limit)))
        })
    }

    /// The game at the end of the opening of a round.
    pub(super) fn opening(&self, round: u64) -> Result<Game, BadSetting> {
        let opening = self.settings.opening(round).ok_or_else(|| bad_opening("expected one, found none"))?;
        opening.game(&self.variant)
    }
}

/// Where a pair of games begins, in the form of a file: a first position, and moves that are played for the engines.
///
/// Openings from play begin at the opening of the variant, so that an engine that cannot set up a position can follow.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Opening {
    /// Text of the first position.
    pub position: String,
    /// The moves from there, in canonical form.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub moves: Vec<String>,
    /// Its origin in words: `6 random plies`, `line 12 of critical.txt`.
    pub origin: String,
}

fn bad_opening(what: impl Display) -> BadSetting {
    BadSetting(format!("opening: {what}"))
}

/// The game, unless it is over.
pub(super) fn unfinished(game: Game) -> Result<Game, BadSetting> {
    match game.outcome() {
        Some(outcome) => Err(bad_opening(format_args!("expected an unfinished game, found {outcome}"))),
        None => Ok(game),
    }
}

impl Opening {
    /// The current position of a game as an opening.
    pub fn of_game(game: &Game, origin: impl Into<String>) -> Opening {
        let moves = game.moves().map(|move_| game.move_text(move_)).collect();
        Opening { position: game.beginning().to_string(), moves, origin: origin.into() }
    }

    /// The game at the end of the opening.
    ///
    /// # Errors
    /// When the opening is not of the variant, or the game is over with it.
    pub fn game(&self, variant: &Arc<Variant>) -> Result<Game, BadSetting> {
        let mut game = Game::from_text(&self.position, Some(variant)).map_err(|error| bad_opening(error.detail()))?;
        let (expected, found) = (variant.id(), game.variant().id());
        if found != expected {
            return Err(bad_opening(format_args!("expected a position of {expected}, found one of {found}")));
        }
        for (ply, text) in (1..).zip(&self.moves) {
            let move_ = game.parse_move(None, text);
            game.play(move_.map_err(|error| bad_opening(format_args!("ply {ply}: {text}: {error}")))?);
        }
        unfinished(game)
    }
}

/// Who plays whom.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum MatchFormat {
    /// Everybody against everybody.
    #[default]
    RoundRobin,
    /// The first engine against all others.
    Gauntlet,
}

/// When a game is ended early; never by default.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Adjudication {
    /// The first ply at which a position in the table ends the game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub table_from: Option<u32>,
    /// The agreement of both engines that ends a game as won.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub win: Option<Agreement>,
    /// The agreement that ends a game as drawn.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub draw: Option<Agreement>,
}

/// `score=S,plies=N[,from=PLY]`: the score that both engines must report, and for how long.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Agreement {
    /// In hundredths: the least score of a win, or the greatest of a draw.
    pub score: u32,
    /// Successive plies, at least 2, so that both engines have reported.
    pub plies: u32,
    /// The least number of plies played before.
    #[serde(default)]
    pub from: u32,
}

impl FromStr for Agreement {
    type Err = BadSetting;

    fn from_str(text: &str) -> Result<Agreement, BadSetting> {
        const EXPECTED: &str = "expected score=SCORE,plies=N and perhaps from=PLY, such as score=6,plies=4; SCORE up \
            to 1000, 2 to 1000000 plies";
        read_agreement(text).ok_or_else(|| BadSetting(format!("adjudication \"{text}\": {EXPECTED}")))
    }
}

fn read_agreement(text: &str) -> Option<Agreement> {
    let (mut score, mut plies, mut from) = (None, None, None);
    for pair in text.split(',') {
        let (key, value) = pair.split_once('=')?;
        match key.trim() {
            "score" if score.is_none() => score = Some(value.parse().ok()?),
            "plies" if plies.is_none() => plies = Some(value.parse().ok()?),
            "from" if from.is_none() => from = Some(value.parse().ok()?),
            _ => return None,
        }
    }
    let score: f64 = score.filter(|score| (0.0..=1000.0).contains(score))?;
    let plies = plies.filter(|plies| (2..=MOST_PLIES).contains(plies))?;
    let from = Some(from.unwrap_or(0)).filter(|from| *from <= MOST_PLIES)?;
    Some(Agreement { score: (score * 100.0).round() as u32, plies, from })
}

/// All games of a match. A game follows from its number alone, so that a match can be resumed anywhere.
///
/// In a round each pairing plays two games with the sides swapped, all from the same opening.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Schedule {
    pairings: Vec<(usize, usize)>,
    rounds: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Scheduled {
    /// From 1.
    pub number: u64,
    /// The number of its pair of games, from 1.
    pub pair: u64,
    /// From 0; it determines the opening.
    pub round: u64,
    /// The indices of the engines.
    pub(crate) engines: BySide<usize>,
}

impl Schedule {
    fn new(engines: usize, format: MatchFormat, rounds: u64) -> Schedule {
        let firsts = match format {
            MatchFormat::RoundRobin => engines,
            MatchFormat::Gauntlet => engines.min(1),
        };
        let pairings = (0..firsts).flat_map(|first| (first + 1..engines).map(move |second| (first, second)));
        Schedule { pairings: pairings.collect(), rounds }
    }

    fn games(&self) -> u64 {
        self.rounds.saturating_mul(2 * self.pairings.len() as u64)
    }

    /// The games of a part, or all, by ascending number.
    fn games_of(self, part: Option<Part>) -> impl Iterator<Item = Scheduled> {
        let all = (1..=self.games()).filter_map(move |number| self.game(number));
        all.filter(move |game| part.as_ref().is_none_or(|part| part.has(game.pair)))
    }

    /// The game with a number from 1; `None` beyond the last.
    pub(crate) fn game(&self, number: u64) -> Option<Scheduled> {
        let index = number.checked_sub(1).filter(|index| *index < self.games())?;
        let (pair, swapped) = (index / 2, index % 2 == 1);
        let pairings = self.pairings.len() as u64;
        let place = usize::try_from(pair % pairings).ok()?;
        let (first, second) = *self.pairings.get(place)?;
        let (general, rebels) = if swapped { (second, first) } else { (first, second) };
        Some(Scheduled { number, pair: pair + 1, round: pair / pairings, engines: BySide { general, rebels } })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn players(schedule: &Schedule) -> Vec<(usize, usize, u64)> {
        (1..=schedule.games())
            .filter_map(|number| schedule.game(number))
            .map(|g| (g.engines.general, g.engines.rebels, g.round))
            .collect()
    }

    #[test]
    fn a_round_robin_pairs_all_engines_on_both_sides() {
        let schedule = Schedule::new(3, MatchFormat::RoundRobin, 2);
        let round = |round| [(0, 1, round), (1, 0, round), (0, 2, round), (2, 0, round), (1, 2, round), (2, 1, round)];
        assert_eq!(players(&schedule), [round(0), round(1)].concat());
        assert_eq!(schedule.game(0), None);
        assert_eq!(schedule.game(13), None);
        assert_eq!(schedule.game(7).map(|game| game.pair), Some(4));
    }

    #[test]
    fn each_pair_of_games_is_in_one_part() {
        let schedule = Schedule::new(3, MatchFormat::RoundRobin, 3);
        for parts in [&["1-9"][..], &["1-1", "2-9"], &["1-4", "5-8", "9-20"]] {
            let parts = parts.iter().map(|part| schedule.clone().games_of(part.parse().ok()).collect::<Vec<_>>());
            let games = parts.clone().flatten().map(|game| game.number).collect::<Vec<_>>();
            assert_eq!(games, (1..=18).collect::<Vec<_>>());
            for part in parts {
                assert!(part.chunks(2).all(|games| games.iter().all(|game| game.pair == games[0].pair)));
                assert!(part.len() % 2 == 0);
            }
        }
    }

    #[test]
    fn a_gauntlet_pairs_the_first_engine_with_all_others() {
        let schedule = Schedule::new(3, MatchFormat::Gauntlet, 1);
        assert_eq!(players(&schedule), [(0, 1, 0), (1, 0, 0), (0, 2, 0), (2, 0, 0)]);
        assert_eq!(Schedule::new(1, MatchFormat::Gauntlet, 5).games(), 0);
        assert_eq!(Schedule::new(0, MatchFormat::RoundRobin, 5).game(1), None);
    }

    #[test]
    fn agreements_are_read_or_refused() {
        assert_eq!("score=6.00,plies=8".parse(), Ok(Agreement { score: 600, plies: 8, from: 0 }));
        for text in [
            "",
            "score=1",
            "plies=3",
            "score=1,plies=1",
            "score=-1,plies=2",
            "score=1,plies=2,x=3",
            "score=1,score=2,plies=2",
        ] {
            assert!(text.parse::<Agreement>().is_err(), "{text}");
        }
    }
}
