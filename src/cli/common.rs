//! What subcommands share: positions and options as the words of a command line name them, inputs, lines of JSON.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{self, Read, Write};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use clap::Args;
use privy_program::{CliError, MOST_MS, MOST_NODES, TablesArgument, VariantWord, find_variant, is_path, within};
use privy_protocol::{ErrorCode, Limits};
use serde::Serialize;

use privy_base::message::{safe_json, shown};
use privy_engine::{Engine, Options};
use privy_oracle::{NaivePosition, Rules};
use privy_rules::board::Board;
use privy_rules::{BoardFile, Game, Variant, VariantFile};

// A variant, and a position of it.
#[derive(Args)]
pub(super) struct PositionArguments {
    /// Id or file of the variant
    #[arg(value_parser = VariantWord, hide_possible_values = true)]
    variant: OsString,
    #[command(flatten)]
    setup: SetupArguments,
}

// A position, and moves from it.
#[derive(Args)]
pub(super) struct SetupArguments {
    /// Position text; the opening without it
    #[arg(long, value_name = "TEXT")]
    fen: Option<String>,
    /// Moves to play first, as one word or several
    #[arg(long, value_name = "MOVE", num_args = 0..)]
    moves: Option<Vec<String>>,
}

impl PositionArguments {
    pub(super) fn variant(&self) -> Result<Arc<Variant>, CliError> {
        find_variant(&self.variant)
    }

    pub(super) fn game(&self) -> Result<Game, CliError> {
        self.setup.game(&self.variant()?)
    }

    /// The position of a game as the oracle reads it.
    pub(super) fn naive(&self, game: &Game) -> Result<NaivePosition, String> {
        let (path, variant) = (Path::new(&self.variant), game.variant());
        let file = is_path(&self.variant).then(|| VariantFile::read(path)).transpose();
        let file = file.map_err(|error| error.to_string())?;
        let texts = file.as_ref().map_or_else(|| vec![&variant.heading.source], VariantFile::texts);
        let rules = Rules::read(&texts, &variant.board().source)?;
        NaivePosition::from_text(&Arc::new(rules), &game.to_string())
    }

    /// True for `--moves` without any.
    pub(super) fn names_no_move(&self) -> bool {
        self.setup.moves.as_ref().is_some_and(Vec::is_empty)
    }
}

impl SetupArguments {
    pub(super) fn game(&self, variant: &Arc<Variant>) -> Result<Game, CliError> {
        let mut game = find_position(variant, self.fen.as_deref())?;
        for text in self.moves.iter().flatten().flat_map(|word| word.split_ascii_whitespace()) {
            let move_ = game.parse_move(None, text).map_err(|error| CliError::Move(text.to_owned(), error))?;
            game.play(move_);
        }
        Ok(game)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.fen.is_none() && self.moves.is_none()
    }
}

// Options of the engine, for commands that search or play.
#[derive(Args, Debug, Default, PartialEq)]
pub(super) struct OptionArguments {
    /// Size of the transposition table
    #[arg(long, value_name = "MIB", value_parser = option_number("hash"))]
    pub(super) hash: Option<u64>,
    /// Random seed of the choice among equal moves; 0: always the same move
    #[arg(long, value_name = "N", value_parser = option_number("seed"))]
    seed: Option<u64>,
    /// Strength of play, 1 for a beginner, 10 for all there is
    #[arg(long, value_name = "N", value_parser = option_number("level"))]
    level: Option<u64>,
    /// Any option that `list_options` shows; repeatable
    #[arg(long, value_name = "NAME=VALUE")]
    set: Vec<OsString>,
}

impl OptionArguments {
    /// Sets these options of an engine, and some that other arguments name, which come first.
    pub(super) fn apply(
        &self,
        engine: &mut Engine,
        others: impl FnOnce(&mut Options),
        tables: &TablesArgument,
    ) -> Result<(), CliError> {
        let configured = engine.configure(|options| {
            others(options);
            options.hash = self.hash.unwrap_or(options.hash);
            options.seed = self.seed.unwrap_or(options.seed);
            options.level = self.level.unwrap_or(options.level);
            set_tables(options, tables);
        });
        configured.map_err(|error| CliError::Usage(format!("--{}", error.detail())))?;
        for setting in &self.set {
            let Some((name, value)) = cut_setting(setting) else {
                let found = setting.display();
                return Err(CliError::Usage(format!("--set: expected NAME=VALUE, found \"{found}\"")));
            };
            engine.set_option(name, value).map_err(|error| match error.code() {
                ErrorCode::UnknownOption => CliError::Usage(format!("--set: {error}")),
                _ => CliError::Usage(format!("--set {}", error.detail())),
            })?;
        }
        Ok(())
    }
}

/// Cuts `NAME=VALUE`. On Unix a value may be a path that is not UTF-8.
fn cut_setting(setting: &OsStr) -> Option<(&str, &OsStr)> {
    #[cfg(unix)]
    {
        use std::os::unix::ffi::OsStrExt;
        let bytes = setting.as_bytes();
        let end = bytes.iter().position(|byte| *byte == b'=')?;
        Some((str::from_utf8(&bytes[..end]).ok()?, OsStr::from_bytes(&bytes[end + 1..])))
    }
    #[cfg(not(unix))]
    setting.to_str()?.split_once('=').map(|(name, value)| (name, OsStr::new(value)))
}

// A search, of one position or of many.
#[derive(Args)]
pub(super) struct SearchArguments {
    /// Wall time in milliseconds
    #[arg(long, value_name = "MS", value_parser = within(0..=MOST_MS))]
    time: Option<u64>,
    /// Depth in plies
    #[arg(long, value_name = "N", value_parser = within(1..=MOST_PLIES))]
    depth: Option<u32>,
    /// Positions reached by making a move
    #[arg(long, value_name = "N", value_parser = within(1..=MOST_NODES))]
    nodes: Option<u64>,
    /// How many best lines to report
    #[arg(long, value_name = "N", value_parser = option_number("multi_pv"))]
    multi_pv: Option<u64>,
    /// Threads of the search; for many positions, parallel searches
    #[arg(long, value_name = "N", value_parser = option_number("threads"))]
    pub(super) threads: Option<u64>,
    #[command(flatten)]
    pub(super) options: OptionArguments,
}

impl SearchArguments {
    pub(super) fn limits(&self) -> Limits {
        let time = self.time.map(Duration::from_millis);
        Limits { time, depth: self.depth, nodes: self.nodes, clock: None }
    }

    /// Sets the options of an engine.
    pub(super) fn apply(
        &self,
        engine: &mut Engine,
        threads: Option<u64>,
        tables: &TablesArgument,
    ) -> Result<(), CliError> {
        let others = |options: &mut Options| {
            options.multi_pv = self.multi_pv.unwrap_or(options.multi_pv);
            options.threads = threads.unwrap_or(options.threads);
        };
        self.options.apply(engine, others, tables)
    }
}

/// The greatest limit of depth on a command line in plies; no search goes as deep.
pub(super) const MOST_PLIES: u32 = 1_000;

/// Reads a number that is an option of the engine.
pub(super) fn option_number(name: &str) -> impl Fn(&str) -> Result<u64, String> + Clone + Send + Sync + 'static {
    within(Options::range(name).expect("the command line sets numbers that are options"))
}

/// The board of an id that is not one of a variant, or of the path of a board file.
pub(super) fn find_board(word: &OsStr) -> Result<Option<Arc<Board>>, CliError> {
    if is_path(word) {
        return Ok(BoardFile::read(Path::new(word))?.map(|file| Arc::clone(&file.board)));
    }
    let id = word.to_string_lossy();
    Ok(Board::builtin(&id).filter(|_| Variant::builtin(&id).is_none()))
}

/// The position of a text, or the opening without one. The text may not name another variant than the command line.
pub(super) fn find_position(variant: &Arc<Variant>, text: Option<&str>) -> Result<Game, CliError> {
    let Some(text) = text else { return Ok(variant.start()) };
    // Checked before the rows, which are those of the other board.
    if let Some(named) = text.split_ascii_whitespace().nth(5).filter(|named| *named != variant.id()) {
        let id = variant.id();
        return Err(CliError::Usage(format!("the position is one of {named}, the command line names {id}")));
    }
    Ok(Game::from_text(text, Some(variant))?)
}

/// Sets the folder of tables that the command line names.
pub(super) fn set_tables(options: &mut Options, tables: &TablesArgument) {
    if let Some(choice) = tables.named() {
        options.tables.clone_from(choice);
    }
}

/// A file, a pipe or, for `-`, standard input.
pub(super) fn open_input(path: &Path) -> Result<Box<dyn Read + Send>, CliError> {
    if path == Path::new("-") {
        return Ok(Box::new(io::stdin()));
    }
    Ok(Box::new(File::open(path).map_err(CliError::cannot_load(path))?))
}

/// The name of an input in a message.
pub(super) fn shown_input(path: &Path) -> String {
    if path == Path::new("-") { "standard input".to_owned() } else { shown(path) }
}

/// Prints an object of JSON as a line.
pub(super) fn print_json(object: &impl Serialize, output: &mut impl Write) -> Result<(), CliError> {
    let json = serde_json::to_string(object).map_err(io::Error::from)?;
    Ok(writeln!(output, "{}", safe_json(&json))?)
}

/// Makes this process adopt what the programs it starts leave running, so that all of it ends with this process; `risk`
/// says what may happen where the system refuses.
pub(super) fn adopt_orphans(risk: &str) {
    if let Err(error) = privy_referee::adopt_orphans() {
        log::warn!("{risk}: {error}");
    }
}

/// The free space of the disk of a folder, which need not exist yet, in bytes, if the system tells it.
pub(super) fn free_bytes(folder: &Path) -> Option<u64> {
    let folder = std::path::absolute(folder).ok()?;
    free_bytes_in(folder.ancestors().find(|folder| folder.exists())?)
}

#[cfg(unix)]
fn free_bytes_in(folder: &Path) -> Option<u64> {
    rustix::fs::statvfs(folder).ok().map(|disk| disk.f_bavail.saturating_mul(disk.f_frsize))
}

#[cfg(not(unix))]
fn free_bytes_in(_: &Path) -> Option<u64> {
    None
}
