//! The standings as figures: what the text shows, and what programs get as JSON.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use serde::Serialize;

use crate::tournament::fault::FaultKind;

use super::elo::Strength;
use super::sprt::{Parameters, Sprt, Verdict};
use super::standings::{EngineRecord, SideRecord, Standings, TimingFigures};
use super::tally::{Pairs, Tally};

/// The figures of a match. In JSON what is unknown or infinite is `null`.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct Summary {
    /// Games that have been finished.
    pub(crate) games: u64,
    /// All games, as the General counts them.
    pub(crate) sides: Tally,
    /// The engines, best first.
    pub(crate) engines: Vec<EngineSummary>,
    /// Engines that have met.
    pub(crate) encounters: Vec<EncounterSummary>,
    /// The test, if there is one.
    pub(crate) sprt: Option<SprtSummary>,
}

/// The figures of an engine.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct EngineSummary {
    pub(crate) name: String,
    /// All its games.
    pub(crate) tally: Tally,
    /// Points of all its games, from 0 to 1 a game.
    pub(crate) score: Option<f64>,
    /// Draws of all its games, from 0 to 1 a game.
    pub(crate) draw_rate: Option<f64>,
    /// Its pairs of games, by points: 0, ½, 1, 1½, 2.
    pub(crate) pairs: Pairs,
    /// Its strength compared with its opponents together.
    pub(crate) strength: Option<Strength>,
    /// Its games as General.
    pub(crate) general: SideSummary,
    /// Its games as Rebels.
    pub(crate) rebels: SideSummary,
    /// Games that it lost by its own fault.
    pub(crate) faults: BTreeMap<FaultKind, u64>,
    /// Times of its moves.
    pub(crate) thinking: Option<TimingFigures>,
    /// Times of its answers to commands that need no thought.
    pub(crate) latency: Option<TimingFigures>,
}

/// The figures of an engine on one side of the board.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub(crate) struct SideSummary {
    pub(crate) tally: Tally,
    /// Points, from 0 to 1 a game.
    pub(crate) score: Option<f64>,
    /// Mean length of wins in plies; games that a fault ended don't count in this and the next two figures.
    pub(crate) plies_of_wins: Option<f64>,
    /// Mean length of losses in plies.
    pub(crate) plies_of_losses: Option<f64>,
    /// Mean number of Rebels at the end.
    pub(crate) rebels_left: Option<f64>,
    /// Games with a result better than, the same as and worse than that of perfect play.
    pub(crate) against_table: AgainstTable,
    /// How much longer than perfect play the wins took that a table grants, in plies on average.
    pub(crate) plies_beyond_table: Option<f64>,
}

/// Games with a better, the same and a worse result than perfect play.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub(crate) struct AgainstTable {
    pub(crate) better: u64,
    pub(crate) same: u64,
    pub(crate) worse: u64,
}

/// The figures of two engines against each other, as the first counts them.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct EncounterSummary {
    pub(crate) first: String,
    pub(crate) second: String,
    pub(crate) tally: Tally,
    /// Their pairs of games, by points of the first: 0, ½, 1, 1½, 2.
    pub(crate) pairs: Pairs,
    /// How much stronger the first is.
    pub(crate) strength: Option<Strength>,
}

/// A test of the first engine, in the order of their naming, against the others.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub(crate) struct SprtSummary {
    #[serde(flatten)]
    pub(crate) parameters: Parameters,
    pub(crate) log_likelihood_ratio: f64,
    /// Where H0 is accepted.
    pub(crate) lower: f64,
    /// Where H1 is accepted.
    pub(crate) upper: f64,
    pub(crate) verdict: Verdict,
}

impl Summary {
    /// The figures of a match, with those of a test if there is one.
    pub(crate) fn new(standings: &Standings, sprt: Option<&Sprt>) -> Summary {
        let mut engines: Vec<EngineSummary> = standings.engines.iter().map(EngineSummary::new).collect();
        let score = |engine: &EngineSummary| engine.score.unwrap_or(-1.0);
        engines.sort_by(|one, other| score(other).partial_cmp(&score(one)).unwrap_or(Ordering::Equal));
        let encounters = standings.encounters().map(|(first, second, encounter)| EncounterSummary {
            first: first.name.clone(),
            second: second.name.clone(),
            tally: encounter.tally,
            pairs: encounter.pairs,
            strength: Strength::new(&encounter.tally, &encounter.pairs),
        });
        Summary {
            games: standings.sides.games(),
            sides: standings.sides,
            engines,
            encounters: encounters.collect(),
            sprt: sprt.map(|sprt| SprtSummary::new(sprt, standings)),
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
        let Tally { wins: better, draws: same, losses: worse } = side.against_table;
        SideSummary {
            tally: side.tally,
            score: side.tally.score(),
            plies_of_wins: mean(side.plies_of_wins as f64, side.played_out.wins),
            plies_of_losses: mean(side.plies_of_losses as f64, side.played_out.losses),
            rebels_left: mean(side.rebels_left as f64, side.played_out.games()),
            against_table: AgainstTable { better, same, worse },
            plies_beyond_table: mean(side.plies_beyond_table as f64, side.wins_granted),
        }
    }
}

impl SprtSummary {
    fn new(sprt: &Sprt, standings: &Standings) -> SprtSummary {
        let sample = standings.sample_of_first();
        let ratio = sample.map_or(0.0, |sample| sprt.log_likelihood_ratio(&sample));
        SprtSummary {
            parameters: *sprt.parameters(),
            log_likelihood_ratio: ratio,
            lower: sprt.lower(),
            upper: sprt.upper(),
            verdict: sprt.verdict(ratio),
        }
    }
}
