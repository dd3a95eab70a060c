//! The state of a match.

use std::collections::{BTreeMap, HashMap};

use crate::rules::Side;

use super::super::fault::FaultKind;
use super::game_report::GameReport;
use super::sample::Sample;
use super::side_record::SideRecord;
use super::tally::{Pairs, Tally};
use super::timings::Timings;

/// An engine in the match.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct EngineRecord {
    /// Its name.
    pub name: String,
    /// Its games as General.
    pub general: SideRecord,
    /// Its games as Rebels.
    pub rebels: SideRecord,
    /// Its complete pairs of games, against whomever.
    pub pairs: Pairs,
    /// Games that it lost by its own fault.
    pub faults: BTreeMap<FaultKind, u64>,
    /// Times of its moves.
    pub thinking: Timings,
    /// Times of its answers to commands that need no thought.
    pub latency: Timings,
}

impl EngineRecord {
    /// All its games.
    #[must_use]
    pub fn tally(&self) -> Tally {
        let mut all = self.general.tally;
        all += self.rebels.tally;
        all
    }

    fn add(&mut self, side: Side, game: &GameReport) {
        match side {
            Side::General => self.general.add(side, game),
            Side::Rebels => self.rebels.add(side, game),
        }
        if let Some(fault) = game.fault.filter(|_| game.winner == Some(!side)) {
            *self.faults.entry(fault).or_default() += 1;
        }
        let player = game.player(side);
        player.thinking_us.iter().for_each(|time| self.thinking.add(*time));
        player.latency_us.iter().for_each(|time| self.latency.add(*time));
    }
}

/// Two engines against each other; results are those of the one that was named first.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Encounter {
    /// Their games.
    pub tally: Tally,
    /// Their complete pairs of games.
    pub pairs: Pairs,
}

/// All that is counted in a match. The order in which games are added makes no difference, except to the order of engines
/// that were not named at the beginning.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Standings {
    engines: Vec<EngineRecord>,
    /// By the places of the two engines, the lower first.
    encounters: BTreeMap<(usize, usize), Encounter>,
    /// First games of pairs, by number of the pair: who played the General, and its result.
    half_pairs: HashMap<u64, (usize, Tally)>,
    /// All games, as the General counts them.
    sides: Tally,
}

impl Standings {
    /// No games yet.
    #[must_use]
    pub fn new(engines: impl IntoIterator<Item = String>) -> Standings {
        let engines = engines.into_iter().map(|name| EngineRecord { name, ..EngineRecord::default() });
        Standings { engines: engines.collect(), ..Standings::default() }
    }

    /// The engines in the order in which they were named.
    #[must_use]
    pub fn engines(&self) -> &[EngineRecord] {
        &self.engines
    }

    /// Engines that have met: the one named first, the other, and their games.
    pub fn encounters(&self) -> impl Iterator<Item = (&EngineRecord, &EngineRecord, &Encounter)> {
        self.encounters.iter().filter_map(|((first, second), encounter)| {
            Some((self.engines.get(*first)?, self.engines.get(*second)?, encounter))
        })
    }

    /// All games, as the General counts them.
    #[must_use]
    pub fn sides(&self) -> &Tally {
        &self.sides
    }

    /// Results of the first engine against all others, as a test takes them.
    #[must_use]
    pub fn sample_of_first(&self) -> Option<Sample> {
        self.engines.first().map(|engine| Sample::new(&engine.tally(), &engine.pairs))
    }

    /// Adds a finished game. It completes a pair when there is a game of the same pair with the sides swapped.
    pub fn add(&mut self, game: &GameReport) {
        let general = self.place_of(&game.general.engine);
        let rebels = self.place_of(&game.rebels.engine);
        for (place, side) in [(general, Side::General), (rebels, Side::Rebels)] {
            if let Some(engine) = self.engines.get_mut(place) {
                engine.add(side, game);
            }
        }
        let result = Tally::of_game(Side::General, game.winner);
        self.sides += result;
        let first = general < rebels;
        let from_first = |tally: Tally, general_is_first: bool| if general_is_first { tally } else { tally.reversed() };
        let encounter = self.encounters.entry((general.min(rebels), general.max(rebels))).or_default();
        encounter.tally += from_first(result, first);
        match self.half_pairs.remove(&game.pair) {
            // The earlier game was the other engine's as General.
            Some((other, earlier)) if other == rebels => {
                encounter.pairs.add(from_first(result, first), from_first(earlier, !first));
                self.add_pair(general, result, earlier.reversed());
                self.add_pair(rebels, result.reversed(), earlier);
            }
            _ => {
                self.half_pairs.insert(game.pair, (general, result));
            }
        }
    }

    fn add_pair(&mut self, engine: usize, first: Tally, second: Tally) {
        if let Some(engine) = self.engines.get_mut(engine) {
            engine.pairs.add(first, second);
        }
    }

    fn place_of(&mut self, name: &str) -> usize {
        let known = self.engines.iter().position(|engine| engine.name == name);
        known.unwrap_or_else(|| {
            self.engines.push(EngineRecord { name: name.to_owned(), ..EngineRecord::default() });
            self.engines.len() - 1
        })
    }
}
