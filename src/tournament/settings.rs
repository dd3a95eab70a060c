//! Everything on which the games of a match depend.

use serde::{Deserialize, Serialize};

use super::adjudication::Adjudication;
use super::engine_spec::EngineSpec;
use super::openings::Opening;
use super::schedule::{Format, Schedule};
use super::statistics::Sprt;

/// A match: the first line of its file, and enough to play it to the end from there.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Settings {
    /// What records call the match.
    pub event: String,
    /// The variant as engines are told: an id, or the path of a file.
    pub variant: String,
    /// The fingerprint of its rules.
    pub fingerprint: String,
    /// The engines, each with its own time control.
    pub engines: Vec<EngineSpec>,
    /// Who meets whom.
    #[serde(default)]
    pub format: Format,
    /// How many pairs of games each pairing plays.
    pub rounds: u64,
    /// The openings, one a round; after the last the first again.
    pub openings: Vec<Opening>,
    /// Milliseconds that the flag is given beyond the clock.
    pub margin_ms: u64,
    /// Milliseconds for which an engine may be silent.
    pub patience_ms: u64,
    /// Plies after which a game is a draw.
    #[serde(default)]
    pub move_limit: Option<u32>,
    /// Games decided early.
    #[serde(default)]
    pub adjudication: Adjudication,
    /// Where tables are looked for, as the command line says it: `auto`, `off` or a folder.
    pub tables: String,
    /// The number from which everything random is drawn.
    pub seed: u64,
    /// Whether the match goes on after an engine has failed.
    pub recover: bool,
    /// The test that may end the match early.
    #[serde(default)]
    pub sprt: Option<Sprt>,
}

impl Settings {
    /// All games.
    #[must_use]
    pub fn schedule(&self) -> Schedule {
        Schedule::new(self.engines.len(), self.format, self.rounds)
    }

    /// The opening of a round.
    #[must_use]
    pub fn opening(&self, round: u64) -> Option<&Opening> {
        let count = self.openings.len() as u64;
        self.openings.get(usize::try_from(round.checked_rem(count)?).ok()?)
    }

    /// Whether every game has a process of its own for an engine: when the user says so, or when the games can be repeated
    /// and must not depend on what the engine has kept from earlier ones.
    #[must_use]
    pub fn restarts(engine: &EngineSpec) -> bool {
        engine.restart.unwrap_or_else(|| engine.time_control.is_reproducible())
    }
}
