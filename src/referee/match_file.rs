//! The match file: a line of JSON with the settings, then a line for every finished game.
//!
//! Each line is synced to disk before the next game counts, so no counted game is ever lost.

use std::collections::HashSet;
use std::fmt;
use std::path::Path;

use serde::{Deserialize, Serialize};

use privy_records::Record;

use super::fault::EngineFault;
use super::line_file::{LineFile, LineFileError, Lines};
use super::settings::{Match, Settings};
use super::statistics::GameReport;

/// The version of match files.
const VERSION: u32 = 2;

/// A finished game: a line of the match file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GameEntry {
    /// The figures of the game.
    pub report: GameReport,
    /// The game.
    pub record: Record,
    /// Faults that do not affect the result.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub remarks: Vec<Remark>,
}

/// A fault that does not affect a result.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Remark {
    /// The name of the engine.
    pub engine: String,
    /// The fault.
    pub fault: EngineFault,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct MatchHead {
    privy_match: u32,
    settings: Settings,
}

/// A match file open for more games.
#[derive(Debug)]
pub struct MatchFile(LineFile);

impl MatchFile {
    /// Creates a file with the settings; it must not exist.
    pub fn create(path: &Path, settings: &Settings) -> Result<MatchFile, LineFileError> {
        // What is written can be read.
        settings.check().map_err(|fault| LineFileError::new(path, fault))?;
        let head = MatchHead { privy_match: VERSION, settings: settings.clone() };
        LineFile::create(path, &head, "there is such a file; --resume takes up the match in it").map(MatchFile)
    }

    /// Reads a file and opens it for more games. `prepare` finds the variant and the table. An incomplete last line is
    /// removed. Fails while a match writes the file.
    pub fn open<E: fmt::Display>(
        path: &Path,
        prepare: impl FnOnce(Settings) -> Result<Match, E>,
    ) -> Result<(MatchFile, Match, Vec<GameEntry>), LineFileError> {
        let (file, (game, games)) = LineFile::open(path, |lines| read(lines, prepare))?;
        Ok((MatchFile(file), game, games))
    }

    /// Reads a file, even while a match writes it. An incomplete last line is ignored.
    pub fn read<E: fmt::Display>(
        path: &Path,
        prepare: impl FnOnce(Settings) -> Result<Match, E>,
    ) -> Result<(Match, Vec<GameEntry>), LineFileError> {
        LineFile::read(path, |lines| read(lines, prepare))
    }

    /// Checks that the path still has the games that were added.
    pub fn check(&self) -> Result<(), LineFileError> {
        self.0.check()
    }

    /// Adds a game and syncs the file to disk.
    pub fn add(&mut self, game: &GameEntry) -> Result<(), LineFileError> {
        self.0.add(game)?;
        self.0.sync()
    }
}

/// Reads a match file. Its games belong to its part, each at most once, and each is what the referee would have written
/// of its moves.
fn read<E: fmt::Display>(
    lines: &mut Lines<'_>,
    prepare: impl FnOnce(Settings) -> Result<Match, E>,
) -> Result<(Match, Vec<GameEntry>), LineFileError> {
    const HEAD: &str = "the settings of a match";
    const GAME: &str = "a finished game";
    let head: MatchHead = lines.head(HEAD)?;
    if head.privy_match != VERSION {
        return Err(lines.bad(HEAD, format!("expected version {VERSION}, found {}", head.privy_match)));
    }
    head.settings.check().map_err(|fault| lines.bad(HEAD, fault))?;
    let game = prepare(head.settings).map_err(|error| lines.fault(error))?;
    let schedule = game.settings.schedule();
    let mut games: Vec<GameEntry> = Vec::new();
    let mut numbers = HashSet::new();
    while let Some(entry) = lines.next::<GameEntry>(GAME)? {
        let number = entry.report.number;
        if !numbers.insert(number) {
            return Err(lines.bad(GAME, format!("game {number} is there twice")));
        }
        let is_played = |pair| game.settings.part.as_ref().is_none_or(|part| part.has(pair));
        let scheduled = schedule.game(number).filter(|scheduled| is_played(scheduled.pair));
        let scheduled = scheduled.ok_or_else(|| lines.bad(GAME, format!("game {number} is none of this file")))?;
        game.audit(scheduled, &entry).map_err(|fault| lines.bad(GAME, format!("game {number}: {fault}")))?;
        games.push(entry);
    }
    Ok((game, games))
}
