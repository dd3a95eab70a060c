//! The standings of a match, and their summary: the figures that the text shows and JSON holds.

use std::cmp::Ordering;
use std::collections::{BTreeMap, HashMap};

use serde::Serialize;

use crate::fault::FaultKind;
use privy_rules::Side;

use super::game_report::{BySide, GameReport, Perfect};
use super::sprt::{Sprt, SprtParameters, SprtVerdict};
use super::strength::{Pairs, ScoreSample, Strength, Tally};

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct SideRecord {
    pub(super) tally: Tally,
    /// Games that no fault ended: only they show the quality of play. The following sums count these games.
    played_out: Tally,
    pub(super) plies_of_wins: u64,
    pub(super) plies_of_losses: u64,
    rebels_left: u64,
    pub(super) against_table: AgainstTable,
    /// Plies beyond perfect play in wins of positions that the table calls won.
    pub(super) plies_beyond_table: i64,
    pub(super) table_wins: u64,
}

impl SideRecord {
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
        let expected = Tally::of_game(side, perfect.winner());
        match result.half_points().cmp(&expected.half_points()) {
            Ordering::Greater => self.against_table.better += 1,
            Ordering::Equal => self.against_table.same += 1,
            Ordering::Less => self.against_table.worse += 1,
        }
        if let (Perfect::Win { plies: Some(plies), .. }, None) = (perfect, game.fault)
            && result.wins + expected.wins == 2
        {
            self.table_wins += 1;
            self.plies_beyond_table += i64::from(game.plies) - i64::from(plies);
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct EngineRecord {
    pub name: String,
    pub(super) sides: BySide<SideRecord>,
    /// Its complete pairs of games, against all opponents.
    pub(super) pairs: Pairs,
    /// Games lost by its own faults.
    pub(super) faults: BTreeMap<FaultKind, u64>,
    pub(super) thinking: Timings,
    latency: Timings,
}

impl EngineRecord {
    fn new(name: String) -> EngineRecord {
        EngineRecord { name, ..EngineRecord::default() }
    }

    pub(super) fn tally(&self) -> Tally {
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

/// The games between two engines, as the first counts them.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Encounter {
    pub(super) tally: Tally,
    pub(super) pairs: Pairs,
}

/// All counts of a match. The order of games does not matter, except for the order of engines that were not named at
/// the start.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Standings {
    /// In the order in which they were named.
    pub(super) engines: Vec<EngineRecord>,
    /// By the indices of the two engines, the lower first.
    encounters: BTreeMap<(usize, usize), Encounter>,
    /// Games whose pair is incomplete, by the number of the pair: the index of the General's engine, and its result.
    half_pairs: HashMap<u64, (usize, Tally)>,
    /// All games, as the General counts them.
    pub(super) sides: Tally,
    pub(super) adjudged: Adjudged,
    /// Games of at most [`SHORT_PLIES`] plies that the rules ended.
    short: u64,
}

/// Games that are over so soon after their opening say little of the engines.
pub(super) const SHORT_PLIES: u32 = 3;

impl Standings {
    /// Standings without games.
    pub fn new(engines: impl IntoIterator<Item = String>) -> Standings {
        Standings { engines: engines.into_iter().map(EngineRecord::new).collect(), ..Standings::default() }
    }

    pub(super) fn encounters(&self) -> impl Iterator<Item = (&EngineRecord, &EngineRecord, &Encounter)> {
        self.encounters.iter().filter_map(|((first, second), encounter)| {
            Some((self.engines.get(*first)?, self.engines.get(*second)?, encounter))
        })
    }

    /// Results of the first engine against all others: the sample of a test.
    pub fn sample_of_first(&self) -> Option<ScoreSample> {
        self.engines.first().map(|engine| ScoreSample::new(&engine.tally(), &engine.pairs))
    }

    /// Adds a finished game. It completes a pair if the game of this pair with the sides swapped has been added.
    pub fn add(&mut self, game: &GameReport) {
        let (general, rebels) = (self.index_of(&game.general.engine), self.index_of(&game.rebels.engine));
        for (index, side) in [(general, Side::General), (rebels, Side::Rebels)] {
            self.engines.get_mut(index).into_iter().for_each(|engine| engine.add(side, game));
        }
        let result = Tally::of_game(Side::General, game.winner);
        self.sides += result;
        let is_by_rules = game.fault.is_none() && !game.reason.starts_with("adjudicated");
        self.short += u64::from(is_by_rules && game.plies <= SHORT_PLIES);
        if let Some(perfect) = game.adjudged {
            self.adjudged.games += 1;
            self.adjudged.against_table += u64::from(perfect.winner() != game.winner);
        }
        let as_first = |tally: Tally| if general < rebels { tally } else { tally.reversed() };
        let encounter = self.encounters.entry((general.min(rebels), general.max(rebels))).or_default();
        encounter.tally += as_first(result);
        match self.half_pairs.remove(&game.pair) {
            // The engines had swapped sides in the other game of the pair.
            Some((other_general, other)) if other_general == rebels => {
                encounter.pairs.add(as_first(result), as_first(other.reversed()));
                for (index, first, second) in [(general, result, other.reversed()), (rebels, result.reversed(), other)]
                {
                    self.engines.get_mut(index).into_iter().for_each(|engine| engine.pairs.add(first, second));
                }
            }
            _ => {
                self.half_pairs.insert(game.pair, (general, result));
            }
        }
    }

    fn index_of(&mut self, name: &str) -> usize {
        let known = self.engines.iter().position(|engine| engine.name == name);
        known.unwrap_or_else(|| {
            self.engines.push(EngineRecord::new(name.to_owned()));
            self.engines.len() - 1
        })
    }
}

/// Classes per power of two: a class is as wide as its values by this factor, so figures are exact to 0.4 %. Below it
/// each microsecond is a class.
const CLASSES: u64 = 256;

/// A histogram of durations in microseconds. Classes grow with the durations, as in HdrHistogram (Gil Tene, 2012).
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Timings {
    /// By the greatest duration of the class.
    counts: BTreeMap<u64, u64>,
    total: u64,
    longest_us: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub(super) struct TimingFigures {
    pub(super) count: u64,
    pub(super) median_ms: f64,
    pub(super) p99_ms: f64,
    pub(super) longest_ms: f64,
}

impl Timings {
    pub(super) fn add(&mut self, microseconds: u64) {
        let width = microseconds.checked_ilog2().unwrap_or(0).saturating_sub(CLASSES.ilog2());
        *self.counts.entry(microseconds | ((1 << width) - 1)).or_default() += 1;
        self.total += 1;
        self.longest_us = self.longest_us.max(microseconds);
    }

    /// The shortest duration with at least `share` of all durations not above it; `None` without durations.
    pub(super) fn quantile_us(&self, share: f64) -> Option<u64> {
        let needed = (share * self.total as f64).ceil().max(1.0);
        let mut seen = 0u64;
        let class = self.counts.iter().find(|(_, count)| {
            seen += **count;
            seen as f64 >= needed
        });
        class.map(|(greatest, _)| (*greatest).min(self.longest_us))
    }

    pub(super) fn figures(&self) -> Option<TimingFigures> {
        let ms = |us: u64| us as f64 / 1000.0;
        Some(TimingFigures {
            count: self.total,
            median_ms: ms(self.quantile_us(0.5)?),
            p99_ms: ms(self.quantile_us(0.99)?),
            longest_ms: ms(self.longest_us),
        })
    }
}

/// The figures of a match. In JSON an unknown or infinite figure is `null`.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Summary {
    pub(super) games: u64,
    /// All games, as the General counts them.
    pub(super) sides: Tally,
    pub(super) adjudged: Adjudged,
    /// Games that the rules ended at most three plies after their opening.
    pub(super) short: u64,
    pub(super) engines: Vec<EngineSummary>,
    pub(super) encounters: Vec<EncounterSummary>,
    pub(super) sprt: Option<SprtSummary>,
}

/// Games ended by adjudication in a position that a table knows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub(super) struct Adjudged {
    pub(super) games: u64,
    /// Those whose result is not that of perfect play from there.
    pub(super) against_table: u64,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub(super) struct EngineSummary {
    pub(super) name: String,
    pub(super) tally: Tally,
    /// Points a game, from 0 to 1.
    pub(super) score: Option<f64>,
    pub(super) draw_rate: Option<f64>,
    pub(super) pairs: Pairs,
    pub(super) strength: Option<Strength>,
    pub(super) general: SideSummary,
    pub(super) rebels: SideSummary,
    pub(super) faults: BTreeMap<FaultKind, u64>,
    pub(super) thinking: Option<TimingFigures>,
    pub(super) latency: Option<TimingFigures>,
}

/// The games of an engine as one side; means are over games that no fault ended.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub(super) struct SideSummary {
    pub(super) tally: Tally,
    pub(super) score: Option<f64>,
    pub(super) plies_of_wins: Option<f64>,
    pub(super) plies_of_losses: Option<f64>,
    pub(super) rebels_left: Option<f64>,
    pub(super) against_table: AgainstTable,
    /// Mean excess over the shortest win, in wins of positions that the table calls won.
    pub(super) plies_beyond_table: Option<f64>,
}

/// Numbers of games by their result, compared with that of perfect play.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub(super) struct AgainstTable {
    pub(super) better: u64,
    pub(super) same: u64,
    pub(super) worse: u64,
}

/// Two engines against each other, as the first counts the games.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(super) struct EncounterSummary {
    pub(super) first: String,
    pub(super) second: String,
    pub(super) tally: Tally,
    pub(super) pairs: Pairs,
    pub(super) strength: Option<Strength>,
}

/// A test of the first engine against all others.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub(super) struct SprtSummary {
    #[serde(flatten)]
    pub(super) parameters: SprtParameters,
    pub(super) log_likelihood_ratio: f64,
    /// H0 is accepted at or below it.
    pub(super) lower: f64,
    /// H1 is accepted at or above it.
    pub(super) upper: f64,
    pub(super) verdict: SprtVerdict,
}

impl Summary {
    /// The summary of standings, with a sequential test if there is one.
    pub fn new(standings: &Standings, sprt: Option<&Sprt>) -> Summary {
        let mut engines: Vec<EngineSummary> = standings.engines.iter().map(EngineSummary::new).collect();
        let score = |engine: &EngineSummary| engine.score.unwrap_or(-1.0);
        engines.sort_by(|one, other| score(other).total_cmp(&score(one)));
        let encounters = standings.encounters().map(|(first, second, encounter)| EncounterSummary {
            first: first.name.clone(),
            second: second.name.clone(),
            tally: encounter.tally,
            pairs: encounter.pairs,
            strength: Strength::new(&encounter.tally, &encounter.pairs),
        });
        let sprt = sprt.map(|sprt| {
            let ratio = standings.sample_of_first().map_or(0.0, |sample| sprt.log_likelihood_ratio(&sample));
            SprtSummary {
                parameters: sprt.0,
                log_likelihood_ratio: ratio,
                lower: sprt.lower(),
                upper: sprt.upper(),
                verdict: sprt.verdict(ratio),
            }
        });
        let Standings { sides, adjudged, short, .. } = *standings;
        Summary { games: sides.games(), sides, adjudged, short, engines, encounters: encounters.collect(), sprt }
    }
}

impl EncounterSummary {
    /// The other engine, where one has this name.
    pub(super) fn opponent(&self, name: &str) -> Option<&str> {
        match (self.first == name, self.second == name) {
            (true, _) => Some(&self.second),
            (_, true) => Some(&self.first),
            _ => None,
        }
    }
}

impl EngineSummary {
    fn new(engine: &EngineRecord) -> EngineSummary {
        let tally = engine.tally();
        EngineSummary {
            name: engine.name.clone(),
            tally,
            score: tally.score(),
            draw_rate: tally.draw_rate(),
            pairs: engine.pairs,
            strength: Strength::new(&tally, &engine.pairs),
            general: SideSummary::new(&engine.sides.general),
            rebels: SideSummary::new(&engine.sides.rebels),
            faults: engine.faults.clone(),
            thinking: engine.thinking.figures(),
            latency: engine.latency.figures(),
        }
    }
}

impl SideSummary {
    fn new(side: &SideRecord) -> SideSummary {
        let mean = |sum: f64, count: u64| (count > 0).then(|| sum / count as f64);
        SideSummary {
            tally: side.tally,
            score: side.tally.score(),
            plies_of_wins: mean(side.plies_of_wins as f64, side.played_out.wins),
            plies_of_losses: mean(side.plies_of_losses as f64, side.played_out.losses),
            rebels_left: mean(side.rebels_left as f64, side.played_out.games()),
            against_table: side.against_table,
            plies_beyond_table: mean(side.plies_beyond_table as f64, side.table_wins),
        }
    }
}
