//! The state of a match: what is counted of its games.

use std::collections::{BTreeMap, HashMap};

use serde::Serialize;

use crate::rules::Side;
use crate::tournament::fault::FaultKind;

use super::game_report::{BySide, GameReport, Perfect};
use super::tally::{Pairs, Sample, Tally};

/// All games of an engine as one side.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct SideRecord {
    pub(crate) tally: Tally,
    /// Results of the games that no fault ended. Only those tell how well the engines play.
    pub(crate) played_out: Tally,
    /// Plies of all wins that were played out, together.
    pub(crate) plies_of_wins: u64,
    /// Plies of all losses that were played out, together.
    pub(crate) plies_of_losses: u64,
    /// Rebels left at the end of all games that were played out, together.
    pub(crate) rebels_left: u64,
    /// Comparison with perfect play: `wins` are games with a better result, `draws` with the same, `losses` with a worse one.
    pub(crate) against_table: Tally,
    /// Plies beyond perfect play, together, of the wins that a table grants.
    pub(crate) plies_beyond_table: i64,
    /// How many wins that are.
    pub(crate) wins_granted: u64,
}

impl SideRecord {
    /// Adds a game that the engine played as `side`.
    fn add(&mut self, side: Side, game: &GameReport) {
        let result = Tally::of_game(side, game.winner);
        self.tally += result;
        if game.fault.is_none() {
            self.played_out += result;
            self.plies_of_wins += result.wins * u64::from(game.plies);
            self.plies_of_losses += result.losses * u64::from(game.plies);
            self.rebels_left += u64::from(game.rebels_left);
        }
        let Some(perfect) = game.perfect else { return };
        let (found, due) = (result.half_points(), Tally::of_game(side, perfect.winner()).half_points());
        self.against_table +=
            Tally { wins: u64::from(found > due), draws: u64::from(found == due), losses: u64::from(found < due) };
        if let (Perfect::Win { plies: Some(plies), .. }, (2, 2), None) = (perfect, (found, due), game.fault) {
            self.wins_granted += 1;
            self.plies_beyond_table += i64::from(game.plies) - i64::from(plies);
        }
    }
}

/// An engine in the match.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct EngineRecord {
    pub(crate) name: String,
    pub(crate) sides: BySide<SideRecord>,
    /// Its complete pairs of games, against whomever.
    pub(crate) pairs: Pairs,
    /// Games that it lost by its own fault.
    pub(crate) faults: BTreeMap<FaultKind, u64>,
    /// Times of its moves.
    pub(crate) thinking: Timings,
    /// Times of its answers to commands that need no thought.
    pub(crate) latency: Timings,
}

impl EngineRecord {
    fn new(name: String) -> EngineRecord {
        EngineRecord { name, ..EngineRecord::default() }
    }

    /// All its games.
    pub(crate) fn tally(&self) -> Tally {
        let mut all = self.sides.general.tally;
        all += self.sides.rebels.tally;
        all
    }

    fn add(&mut self, side: Side, game: &GameReport) {
        self.sides.of_mut(side).add(side, game);
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
pub(crate) struct Encounter {
    pub(crate) tally: Tally,
    /// Their complete pairs of games.
    pub(crate) pairs: Pairs,
}

/// All that is counted in a match. The order in which games are added makes no difference, except to the order of engines
/// that were not named at the beginning.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Standings {
    /// In the order in which they were named.
    pub(crate) engines: Vec<EngineRecord>,
    /// By the places of the two engines, the lower first.
    encounters: BTreeMap<(usize, usize), Encounter>,
    /// First games of pairs, by number of the pair: who played the General, and its result.
    half_pairs: HashMap<u64, (usize, Tally)>,
    /// All games, as the General counts them.
    pub(crate) sides: Tally,
}

impl Standings {
    /// No games yet.
    pub(crate) fn new(engines: impl IntoIterator<Item = String>) -> Standings {
        Standings { engines: engines.into_iter().map(EngineRecord::new).collect(), ..Standings::default() }
    }

    /// Engines that have met: the one named first, the other, and their games.
    pub(crate) fn encounters(&self) -> impl Iterator<Item = (&EngineRecord, &EngineRecord, &Encounter)> {
        self.encounters.iter().filter_map(|((first, second), encounter)| {
            Some((self.engines.get(*first)?, self.engines.get(*second)?, encounter))
        })
    }

    /// Results of the first engine against all others, as a test takes them.
    pub(crate) fn sample_of_first(&self) -> Option<Sample> {
        self.engines.first().map(|engine| Sample::new(&engine.tally(), &engine.pairs))
    }

    /// Adds a finished game. It completes a pair when there is a game of the same pair with the sides swapped.
    pub(crate) fn add(&mut self, game: &GameReport) {
        let general = self.place_of(&game.general.engine);
        let rebels = self.place_of(&game.rebels.engine);
        for (place, side) in [(general, Side::General), (rebels, Side::Rebels)] {
            self.engines.get_mut(place).into_iter().for_each(|engine| engine.add(side, game));
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
                for (place, one, other) in [(general, result, earlier.reversed()), (rebels, result.reversed(), earlier)]
                {
                    self.engines.get_mut(place).into_iter().for_each(|engine| engine.pairs.add(one, other));
                }
            }
            _ => {
                self.half_pairs.insert(game.pair, (general, result));
            }
        }
    }

    fn place_of(&mut self, name: &str) -> usize {
        let known = self.engines.iter().position(|engine| engine.name == name);
        known.unwrap_or_else(|| {
            self.engines.push(EngineRecord::new(name.to_owned()));
            self.engines.len() - 1
        })
    }
}

/// Classes per power of two. A class is narrower than its values by this factor, so figures are exact to 0.4 %; below it,
/// each microsecond has its own class.
const CLASSES: u64 = 256;

/// Counts of durations in microseconds. Classes grow with the durations, as in HdrHistogram (Gil Tene, 2012).
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Timings {
    /// By the greatest duration of the class.
    counts: BTreeMap<u64, u64>,
    total: u64,
    longest_us: u64,
}

/// The figures of many durations, in milliseconds.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub(crate) struct TimingFigures {
    /// How many.
    pub(crate) count: u64,
    /// Half of them are no longer than this.
    pub(crate) median_ms: f64,
    /// 99 % of them are no longer than this.
    pub(crate) p99_ms: f64,
    /// The longest of all.
    pub(crate) longest_ms: f64,
}

impl Timings {
    /// Adds a duration.
    pub(crate) fn add(&mut self, microseconds: u64) {
        *self.counts.entry(greatest_alike(microseconds)).or_default() += 1;
        self.total += 1;
        self.longest_us = self.longest_us.max(microseconds);
    }

    /// The shortest duration such that the share of durations no longer than it is at least `share`; none without any.
    pub(super) fn quantile_us(&self, share: f64) -> Option<u64> {
        let needed = (share * self.total as f64).ceil().max(1.0);
        let mut seen = 0u64;
        let class = self.counts.iter().find(|(_, count)| {
            seen += **count;
            seen as f64 >= needed
        });
        class.map(|(greatest, _)| (*greatest).min(self.longest_us))
    }

    /// The figures; none without durations.
    pub(crate) fn figures(&self) -> Option<TimingFigures> {
        let ms = |us: u64| us as f64 / 1000.0;
        Some(TimingFigures {
            count: self.total,
            median_ms: ms(self.quantile_us(0.5)?),
            p99_ms: ms(self.quantile_us(0.99)?),
            longest_ms: ms(self.longest_us),
        })
    }
}

/// The greatest duration in the class of a duration.
fn greatest_alike(microseconds: u64) -> u64 {
    let powers = microseconds.checked_ilog2().unwrap_or(0).saturating_sub(CLASSES.ilog2());
    microseconds | ((1u64 << powers) - 1)
}
