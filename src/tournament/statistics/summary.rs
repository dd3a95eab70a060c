//! The standings as figures: what the text shows, and what programs get as JSON.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use serde::Serialize;

use super::super::fault::FaultKind;
use super::elo::Strength;
use super::side_record::SideRecord;
use super::sprt::{Parameters, Sprt, Verdict};
use super::standings::{EngineRecord, Standings};
use super::tally::{Pairs, Tally};
use super::timings::TimingFigures;

/// The figures of a match. In JSON what is unknown or infinite is `null`.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Summary {
    /// Games that have been finished.
    pub games: u64,
    /// All games, as the General counts them.
    pub sides: Tally,
    /// The engines, best first.
    pub engines: Vec<EngineSummary>,
    /// Engines that have met.
    pub encounters: Vec<EncounterSummary>,
    /// The test, if there is one.
    pub sprt: Option<SprtSummary>,
}

/// The figures of an engine.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct EngineSummary {
    /// Its name.
    pub name: String,
    /// All its games.
    pub tally: Tally,
    /// Points of all its games, from 0 to 1 a game.
    pub score: Option<f64>,
    /// Draws of all its games, from 0 to 1 a game.
    pub draw_rate: Option<f64>,
    /// Its pairs of games, by points: 0, ½, 1, 1½, 2.
    pub pairs: Pairs,
    /// Its strength compared with its opponents together.
    pub strength: Option<Strength>,
    /// Its games as General.
    pub general: SideSummary,
    /// Its games as Rebels.
    pub rebels: SideSummary,
    /// Games that it lost by its own fault.
    pub faults: BTreeMap<FaultKind, u64>,
    /// Times of its moves.
    pub thinking: Option<TimingFigures>,
    /// Times of its answers to commands that need no thought.
    pub latency: Option<TimingFigures>,
}

/// The figures of an engine on one side of the board.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct SideSummary {
    /// Results.
    pub tally: Tally,
    /// Points, from 0 to 1 a game.
    pub score: Option<f64>,
    /// Mean length of wins in plies; games that a fault ended don't count in this and the next two figures.
    pub plies_of_wins: Option<f64>,
    /// Mean length of losses in plies.
    pub plies_of_losses: Option<f64>,
    /// Mean number of Rebels at the end.
    pub rebels_left: Option<f64>,
    /// Games with a result better than, the same as and worse than that of perfect play.
    pub against_table: AgainstTable,
    /// How much longer than perfect play the wins took that a table grants, in plies on average.
    pub plies_beyond_table: Option<f64>,
}

/// Results compared with those of perfect play.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct AgainstTable {
    /// Games with a better result.
    pub better: u64,
    /// Games with the same result.
    pub same: u64,
    /// Games with a worse result.
    pub worse: u64,
}

/// The figures of two engines against each other, as the first counts them.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct EncounterSummary {
    /// The first.
    pub first: String,
    /// The other.
    pub second: String,
    /// Their games.
    pub tally: Tally,
    /// Their pairs of games, by points of the first: 0, ½, 1, 1½, 2.
    pub pairs: Pairs,
    /// How much stronger the first is.
    pub strength: Option<Strength>,
}

/// A test of the first engine, in the order of their naming, against the others.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct SprtSummary {
    /// Its parameters.
    #[serde(flatten)]
    pub parameters: Parameters,
    /// The log-likelihood ratio.
    pub log_likelihood_ratio: f64,
    /// Where H0 is accepted.
    pub lower: f64,
    /// Where H1 is accepted.
    pub upper: f64,
    /// What has been decided.
    pub verdict: Verdict,
}

impl Summary {
    /// The figures of a match, with those of a test if there is one.
    #[must_use]
    pub fn new(standings: &Standings, sprt: Option<&Sprt>) -> Summary {
        let mut engines: Vec<EngineSummary> = standings.engines().iter().map(EngineSummary::new).collect();
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
            games: standings.sides().games(),
            sides: *standings.sides(),
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
            general: SideSummary::new(&engine.general),
            rebels: SideSummary::new(&engine.rebels),
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
    /// Where a test stands.
    #[must_use]
    pub fn new(sprt: &Sprt, standings: &Standings) -> SprtSummary {
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
