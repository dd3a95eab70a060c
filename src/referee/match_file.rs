//! The match file: a line of JSON with the settings, then a line for every finished game.
//!
//! Each line is synced to disk before the next game counts, so no counted game is ever lost.

use std::collections::HashSet;
use std::path::Path;

use serde::{Deserialize, Serialize};

use privy_base::line_file::{LineFile, LineFileError, Lines};
use privy_rules::record::Record;

use super::engine_spec::is_showable;
use super::fault::EngineFault;
use super::settings::{MOST_GAMES, Settings};
use super::statistics::GameReport;

/// The version of match files.
const VERSION: u32 = 1;

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
        let head = MatchHead { privy_match: VERSION, settings: settings.clone() };
        LineFile::create(path, &head, "there is such a file; --resume takes up the match in it").map(MatchFile)
    }

    /// Reads a file and opens it for more games. An incomplete last line is removed. Fails while a match writes the file.
    pub fn open(path: &Path) -> Result<(MatchFile, Settings, Vec<GameEntry>), LineFileError> {
        let (file, (settings, games)) = LineFile::open(path, read)?;
        Ok((MatchFile(file), settings, games))
    }

    /// Reads a file, even while a match writes it. An incomplete last line is ignored.
    pub fn read(path: &Path) -> Result<(Settings, Vec<GameEntry>), LineFileError> {
        LineFile::read(path, read)
    }

    /// Adds a game and syncs the file to disk.
    pub fn add(&mut self, game: &GameEntry) -> Result<(), LineFileError> {
        self.0.add(game)?;
        self.0.sync()
    }
}

/// Reads a match file. Its games belong to its part, each at most once.
fn read(lines: &mut Lines<'_>) -> Result<(Settings, Vec<GameEntry>), LineFileError> {
    const HEAD: &str = "the settings of a match";
    const GAME: &str = "a finished game";
    let head: MatchHead = lines.head(HEAD)?;
    if head.privy_match != VERSION {
        return Err(lines.bad(HEAD, format!("expected version {VERSION}, found {}", head.privy_match)));
    }
    if !head.settings.engines.iter().all(|engine| is_showable(engine.title())) {
        return Err(lines.bad(HEAD, "the name of an engine cannot be shown"));
    }
    let settings = head.settings;
    let (schedule, part) = (settings.schedule(), settings.part());
    if schedule.games() > MOST_GAMES {
        return Err(lines.bad(HEAD, format!("expected at most {MOST_GAMES} games")));
    }
    let mut games: Vec<GameEntry> = Vec::new();
    let mut numbers = HashSet::new();
    while let Some(game) = lines.next::<GameEntry>(GAME)? {
        let number = game.report.number;
        if !numbers.insert(number) {
            return Err(lines.bad(GAME, format!("game {number} is there twice")));
        }
        if !schedule.game(number).is_some_and(|scheduled| part.has(scheduled.pair)) {
            return Err(lines.bad(GAME, format!("game {number} is none of part {part} of the match")));
        }
        games.push(game);
    }
    Ok((settings, games))
}
