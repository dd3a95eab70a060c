//! What subcommands share: variants, positions and tables as the words of a command line name them, interrupts, progress.

use std::ffi::{OsStr, OsString};
use std::fmt;
use std::fs::File;
use std::io::{self, Read, Write};
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::str::FromStr;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use clap::builder::{OsStringValueParser, PossibleValue, TypedValueParser};
use clap::{Args, FromArgMatches};
use indicatif::{ProgressBar, ProgressStyle};
use privy_protocol::{Limits, Stop};
use serde::Serialize;

use privy_base::message::{safe_json, sanitized, sanitized_lines, shown};
use privy_base::path_choice::PathChoice;
use privy_engine::{Engine, EngineError, OptionError, Options};
use privy_rules::board::Board;
use privy_rules::{BoardFile, Game, Variant};
use privy_tables::{TableError, chosen_folder, is_solvable};

use super::error::CliError;

// Ordinary comments: the doc comment of a flattened struct would replace the description of its command.
// Where tables of perfect play are kept.
#[allow(missing_docs)]
#[derive(Debug, Clone, Default, Args)]
pub struct TablesArgument {
    /// Where tables of perfect play are kept: a folder, auto (the default) for the user's cache folder, or off
    #[arg(long, value_name = "DIR", global = true, value_parser = OsStringValueParser::new().try_map(path_choice))]
    tables: Option<PathChoice>,
}

fn path_choice(text: OsString) -> Result<PathChoice, &'static str> {
    if text.is_empty() { Err("expected a folder, auto or off") } else { Ok(PathChoice::from(text.as_os_str())) }
}

impl TablesArgument {
    /// The chosen folder of tables.
    #[must_use]
    pub fn choice(&self) -> PathChoice {
        self.tables.clone().unwrap_or_default()
    }

    /// The folder of the tables, for commands that need one.
    ///
    /// # Errors
    /// When tables are off, or the system has no folder for them.
    pub fn folder(&self) -> Result<PathBuf, CliError> {
        chosen_folder(&self.choice()).map_err(|error| match error {
            TableError::Off => CliError::Usage("--tables off: this needs tables".to_owned()),
            error => error.into(),
        })
    }
}

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
    /// Choose among equal moves by this number; 0: always the same
    #[arg(long, value_name = "N", value_parser = option_number("seed"))]
    seed: Option<u64>,
    /// Strength of play, 1 for a beginner, 10 for all there is
    #[arg(long, value_name = "N", value_parser = option_number("level"))]
    level: Option<u64>,
    /// Any option that `list_options` shows, again and again
    #[arg(long, value_name = "NAME=VALUE")]
    set: Vec<OsString>,
}

impl OptionArguments {
    /// Sets these options of an engine, and some that other arguments name, which come first.
    pub(super) fn apply(
        &self,
        engine: &mut Engine,
        others: &[(&str, Option<u64>)],
        tables: &TablesArgument,
    ) -> Result<(), CliError> {
        let usage = |error: EngineError| CliError::Usage(format!("--{error}"));
        let own = [("hash", self.hash), ("seed", self.seed), ("level", self.level)];
        set_options(engine, &[others, &own[..]].concat(), tables).map_err(usage)?;
        for setting in &self.set {
            let Some((name, value)) = cut_setting(setting) else {
                let found = setting.display();
                return Err(CliError::Usage(format!("--set: expected NAME=VALUE, found \"{found}\"")));
            };
            engine.set_option(name, value).map_err(|error| match error {
                EngineError::Option(unknown @ OptionError::Unknown(_)) => {
                    CliError::Usage(format!("--set: unknown option: {unknown}"))
                }
                error => CliError::Usage(format!("--set {error}")),
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
    /// Threads of the search; of many positions, searches at a time
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
        self.options.apply(engine, &[("multi_pv", self.multi_pv), ("threads", threads)], tables)
    }
}

// Variants to solve, or solved ones.
#[allow(missing_docs)]
#[derive(Debug, Args)]
pub struct SolvableVariants {
    /// Ids or files of variants
    #[arg(required_unless_present = "all", conflicts_with = "all", value_parser = VariantWord, hide_possible_values = true)]
    variants: Vec<OsString>,
    /// All of the fourteen games that can be solved; relatives are named one by one
    #[arg(long)]
    all: bool,
}

impl SolvableVariants {
    /// Finds them all before any work begins.
    ///
    /// # Errors
    /// When an id is unknown or a file is wrong.
    pub fn find(&self) -> Result<Vec<Arc<Variant>>, CliError> {
        if !self.all {
            return find_variants(&self.variants);
        }
        Ok(Variant::builtin_ids().filter_map(Variant::builtin).filter(|variant| is_solvable(variant)).collect())
    }
}

/// The greatest limit of time on a command line in milliseconds: a week.
pub const MOST_MS: u64 = 7 * 24 * 3_600_000;

/// The greatest limit of nodes on a command line.
pub const MOST_NODES: u64 = 1_000_000_000_000_000;

/// The greatest limit of depth on a command line in plies; no search goes as deep.
pub(super) const MOST_PLIES: u32 = 1_000;

/// Reads a number of a range: `#[arg(value_parser = within(1..=1024))]`.
pub fn within<T: FromStr + PartialOrd + fmt::Display + Clone + Send + Sync + 'static>(
    range: RangeInclusive<T>,
) -> impl Fn(&str) -> Result<T, String> + Clone + Send + Sync + 'static {
    move |text| {
        let number = text.parse().ok().filter(|number| range.contains(number));
        number.ok_or_else(|| format!("expected {} to {}", range.start(), range.end()))
    }
}

/// Reads a number that is an option of the engine.
pub(super) fn option_number(name: &str) -> impl Fn(&str) -> Result<u64, String> + Clone + Send + Sync + 'static {
    within(Options::range(name).expect("the command line sets numbers that are options"))
}

/// The id or the file of a variant, for [`find_variant`]. Any word is accepted; the ids are for the completions of shells.
#[derive(Debug, Clone)]
pub(super) struct VariantWord;

impl TypedValueParser for VariantWord {
    type Value = OsString;

    fn parse_ref(&self, _: &clap::Command, _: Option<&clap::Arg>, word: &OsStr) -> Result<OsString, clap::Error> {
        Ok(word.to_owned())
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(Variant::all_ids().map(PossibleValue::new)))
    }
}

/// True if a word of the command line names a file, and no id.
pub(super) fn is_path(word: impl AsRef<OsStr>) -> bool {
    let bytes = word.as_ref().as_encoded_bytes();
    bytes.contains(&b'/') || bytes.ends_with(b".toml")
}

/// The variant of an id, or of the path of a file.
pub(super) fn find_variant(word: impl AsRef<OsStr>) -> Result<Arc<Variant>, CliError> {
    let word = word.as_ref();
    if is_path(word) {
        return Ok(Arc::new(Variant::from_file(Path::new(word))?));
    }
    let id = word.to_string_lossy();
    Variant::builtin(&id).ok_or_else(|| CliError::UnknownVariant(id.into_owned()))
}

/// The board of an id that is not one of a variant, or of the path of a board file.
pub(super) fn find_board(word: &OsStr) -> Result<Option<Arc<Board>>, CliError> {
    if is_path(word) {
        return Ok(BoardFile::read(Path::new(word))?.map(|file| Arc::clone(file.board())));
    }
    let id = word.to_string_lossy();
    Ok(Board::builtin(&id).filter(|_| Variant::builtin(&id).is_none()))
}

/// Finds all variants of some ids and files, before any work begins.
///
/// # Errors
/// When an id is unknown or a file is wrong.
pub fn find_variants(words: &[impl AsRef<OsStr>]) -> Result<Vec<Arc<Variant>>, CliError> {
    words.iter().map(find_variant).collect()
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

/// Sets the options of an engine that the command line names.
pub(super) fn set_options(
    engine: &mut Engine,
    numbers: &[(&str, Option<u64>)],
    tables: &TablesArgument,
) -> Result<(), EngineError> {
    for (name, value) in numbers {
        value.map_or(Ok(()), |value| engine.set_option(name, value.to_string()))?;
    }
    tables.tables.iter().for_each(|choice| engine.set_tables(choice.clone()));
    Ok(())
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

/// Makes this process adopt what the programs it starts leave behind, so that all of it ends with this process; `risk` says what may happen
/// where the system refuses.
pub(super) fn adopt_orphans(risk: &str) {
    if let Err(error) = privy_referee::adopt_orphans() {
        log::warn!("{risk}: {error}");
    }
}

/// A number with a comma before every three digits.
#[must_use]
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// The stop that an interrupt sets; long work looks at it and ends in order. A second interrupt ends the program at once, and leaves the files
/// as they are on the disk.
#[must_use]
pub fn interrupt_stop() -> Stop {
    INTERRUPTED.get_or_init(registered_stop).clone()
}

/// Set by interrupts, once something looks at it.
static INTERRUPTED: OnceLock<Stop> = OnceLock::new();

fn registered_stop() -> Stop {
    use signal_hook::consts;
    use signal_hook::flag::{register, register_conditional_shutdown};

    let interrupted = Arc::<AtomicBool>::default();
    let signals = [
        consts::SIGINT,
        consts::SIGTERM,
        #[cfg(unix)]
        consts::SIGHUP,
    ];
    for signal in signals {
        // In this order: the first signal sets the flag, the next one finds it set.
        let registered = register_conditional_shutdown(signal, 130, Arc::clone(&interrupted))
            .and_then(|_| register(signal, Arc::clone(&interrupted)));
        if let Err(error) = registered {
            log::warn!("an interrupt will end the program at once: {error}");
        }
    }
    Stop::from(interrupted)
}

/// Standard output. What nobody reads is not waited for after an interrupt: a write then fails as one that would block.
#[derive(Debug)]
pub struct InterruptibleOutput(io::Stdout);

impl Default for InterruptibleOutput {
    fn default() -> InterruptibleOutput {
        InterruptibleOutput(io::stdout())
    }
}

#[cfg(unix)]
impl Write for InterruptibleOutput {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        use rustix::event::{PollFd, PollFlags, poll};
        use rustix::io::Errno;
        use rustix::time::Timespec;

        /// Bytes for which a pipe has room when it has any.
        const PART: usize = 4096;
        let moment = Timespec { tv_sec: 0, tv_nsec: 50_000_000 };
        loop {
            let has_room = match poll(&mut [PollFd::new(&self.0, PollFlags::OUT)], Some(&moment)) {
                Err(Errno::INTR) => false,
                ready => ready? > 0,
            };
            if has_room {
                match rustix::io::write(&self.0, bytes.get(..PART).unwrap_or(bytes)) {
                    Err(Errno::AGAIN | Errno::INTR) => {}
                    written => return Ok(written?),
                }
            } else if INTERRUPTED.get().is_some_and(Stop::is_set) {
                return Err(io::Error::new(io::ErrorKind::WouldBlock, "interrupted: nobody reads the output"));
            }
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(not(unix))]
impl Write for InterruptibleOutput {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
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

/// Reads the arguments of the process. Else the help is written, or what is wrong with them, without characters that affect a terminal.
///
/// # Errors
/// The exit status of the program.
pub fn read_arguments<T: FromArgMatches>(program: &str, command: clap::Command) -> Result<T, ExitCode> {
    /// Characters of an argument in a message.
    const LONGEST_ARGUMENT: usize = 400;
    let read = |words: &[OsString]| {
        let mut command = command.clone();
        let matches = command.try_get_matches_from_mut(words)?;
        T::from_arg_matches(&matches).map_err(|error| error.format(&mut command))
    };
    let words: Vec<OsString> = std::env::args_os().collect();
    read(&words).map_err(|error| {
        if !error.use_stderr() {
            let written = error.print().and_then(|()| io::stdout().flush());
            return CliError::exit_code(program, written.map_err(CliError::from));
        }
        let safe = words.iter().map(|word| sanitized(&word.to_string_lossy(), LONGEST_ARGUMENT).into());
        // The same error, of words that a terminal can show.
        let again = read(&safe.collect::<Vec<_>>()).err().filter(|again| again.kind() == error.kind());
        let _ = match again {
            Some(again) => again.print(),
            None => writeln!(io::stderr(), "{}", sanitized_lines(error.to_string().trim_end(), 10 * LONGEST_ARGUMENT)),
        };
        ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(2))
    })
}

/// Calls `act`, from a separate thread, when the other end of a pipe or terminal is closed. Files have no other end.
///
/// A write would fail then, but a long iteration, or a search without limit that has proved its result, writes nothing.
#[cfg(unix)]
pub(super) fn when_unread(
    output: impl std::os::fd::AsFd + Send + 'static,
    act: impl FnOnce() + Send + 'static,
) -> io::Result<()> {
    use rustix::event::{PollFd, PollFlags, poll};

    std::thread::Builder::new().name("hangup".to_owned()).spawn(move || {
        // Without flags, only errors and hangups end the poll.
        let mut polled = [PollFd::new(&output, PollFlags::empty())];
        while poll(&mut polled, None) == Err(rustix::io::Errno::INTR) {}
        let [polled] = &polled;
        if polled.revents().intersects(PollFlags::ERR | PollFlags::HUP) {
            act();
        }
    })?;
    Ok(())
}

/// A write beyond the limit of file sizes (`ulimit -f`) fails as one on a full disk does; without this the system ends the program there.
pub fn outlive_limits() {
    #[cfg(unix)]
    if let Err(error) = signal_hook::flag::register(signal_hook::consts::SIGXFSZ, Arc::<AtomicBool>::default()) {
        log::warn!("a limit of file sizes may end the program: {error}");
    }
}

/// A progress bar of work on a variant, in a form of the crate `indicatif`; shown on standard error when that is a
/// terminal.
pub(super) fn progress_bar(bar: ProgressBar, template: &str, variant: &Variant) -> ProgressBar {
    bar.set_style(ProgressStyle::with_template(template).expect("templates are fixed texts"));
    bar.with_prefix(variant.id().to_owned())
}
