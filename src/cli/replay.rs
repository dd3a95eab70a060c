//! `privy replay`: game records checked, and written in another form.

use std::ffi::OsString;
use std::fmt;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use privy_base::bounded_read::read_bytes;
use privy_base::message::{counted, sanitized};
use privy_program::{CliError, VariantWord, find_variant, within};
use privy_records::{GameResult, Record, RecordError, RecordFormat};
use privy_rules::{Outcome, Variant};

use super::common::open_input;

/// Check records of games move by move, or write them in another form
///
/// Writes one line for each game of the file; ends with status 1 when a record is invalid: a move is illegal, the rules
/// are other ones, or the result is not what the rules say. With --to it writes the games instead, with their comments
/// and variations. privy board --game FILE shows one position of one game.
#[derive(clap::Args)]
pub(super) struct ReplayArguments {
    /// File with records, as text, as lines of JSON, or as the SGF that GoGui and gogui-twogtp write; - for standard
    /// input
    file: PathBuf,
    /// Only this game of the file, counted from 1
    #[arg(long, value_name = "N", value_parser = within(1_u64..=10_000_000))]
    game: Option<u64>,
    /// Write the records in this form
    #[arg(
        long,
        value_name = "FORM",
        value_parser = PossibleValuesParser::new(["text", "json", "sgf"]).try_map(|form| form.parse::<RecordFormat>())
    )]
    to: Option<RecordFormat>,
    /// File of the variant of the records, if it is not built in; of an SGF file, its variant
    #[arg(long, value_name = "VARIANT", value_parser = VariantWord, hide_possible_values = true)]
    variant: Option<OsString>,
}

/// The number of a record in the file, from 1, and the record.
type Numbered = (u64, Result<Record, RecordError>);

/// The only record of a file, or one of them, with its number.
pub(super) fn read_game(
    file: &Path,
    game: Option<u64>,
    variant: Option<&Arc<Variant>>,
) -> Result<(u64, Record), CliError> {
    let mut games = read_games(file, game, variant)?;
    if games.len() > 1 {
        let count = games.len();
        return Err(CliError::Usage(format!("the file has {count} games; name one by its number")));
    }
    let (number, record) = games.remove(0);
    Ok((number, record.map_err(invalid_game(file, number))?))
}

/// For `map_err`: a record of a file is invalid.
pub(super) fn invalid_game<E: fmt::Display>(file: &Path, number: u64) -> impl FnOnce(E) -> CliError {
    move |fault| CliError::Unsound(format!("{}: game {number}: {}", file.display(), printable(&fault.to_string())))
}

/// The records of a file, or one of them, at least one.
fn read_games(file: &Path, game: Option<u64>, variant: Option<&Arc<Variant>>) -> Result<Vec<Numbered>, CliError> {
    /// Bytes: records of some hundred thousand games.
    const LARGEST_TEXT: u64 = 1 << 28;
    let bytes = read_bytes(open_input(file)?, LARGEST_TEXT);
    let read = bytes.and_then(|bytes| RecordFormat::read(bytes, variant, &Variant::builtin));
    let mut games: Vec<Numbered> = (1..).zip(read.map_err(CliError::cannot_load(file))?).collect();
    let count = games.len();
    if count == 0 {
        return Err(CliError::File(format!("{}: expected a game record, found none", file.display())));
    }
    if let Some(game) = game {
        games.retain(|(number, _)| *number == game);
        if games.is_empty() {
            return Err(CliError::Usage(format!("game {game}: expected a number from 1 to {count}")));
        }
    }
    Ok(games)
}

impl ReplayArguments {
    /// Checks all records, after faults too.
    pub(super) fn run(&self, output: &mut impl Write) -> Result<(), CliError> {
        let variant = self.variant.as_deref().map(find_variant).transpose()?;
        let games = read_games(&self.file, self.game, variant.as_ref())?;
        let mut unsound: Vec<String> = Vec::new();
        let mut is_first = true;
        for (number, record) in &games {
            let game = match record {
                Ok(record) => record.replay(variant.as_ref()).map_err(|error| error.to_string()),
                Err(error) => Err(error.to_string()),
            };
            let outcome = game.map(|game| game.outcome()).map_err(|fault| printable(&fault));
            if outcome.is_err() {
                unsound.push(number.to_string());
            }
            let record = record.as_ref().ok();
            if let Some(format) = self.to {
                // Standard output is for records alone.
                if let Err(fault) = outcome {
                    log::warn!("game {number}: {fault}");
                }
                // SGF has no place for a move that is illegal.
                if let Some(text) = record.and_then(|record| format.write(record, variant.as_ref()).ok()) {
                    let space = if is_first { "" } else { format.between() };
                    write!(output, "{space}{text}")?;
                    is_first = false;
                }
                continue;
            }
            let line = match (outcome, record) {
                (Err(fault), record) => format!("{}not sound: {fault}", record.map(players).unwrap_or_default()),
                (Ok(outcome), record) => record.map(|record| headline(record, outcome)).unwrap_or_default(),
            };
            writeln!(output, "game {number}: {line}")?;
        }
        if unsound.is_empty() {
            return Ok(());
        }
        let games = counted(games.len(), "game");
        let (file, count, numbers) = (self.file.display(), unsound.len(), unsound.join(", "));
        Err(CliError::Unsound(format!("{file}: {count} of {games}: {numbers}")))
    }
}

/// A sound game in a line: `privy - walker, sixteen-rebels, 40 plies: rebels win: no move`.
pub(super) fn headline(record: &Record, outcome: Option<Outcome>) -> String {
    let by_rules = outcome.filter(|_| record.termination.is_empty());
    players(record) + &by_rules.map_or_else(|| end_of(record), |outcome| outcome.to_string())
}

/// `privy - walker, sixteen-rebels, 40 plies: `, the General first.
fn players(record: &Record) -> String {
    let name = |name: &str| if name.is_empty() { "?".to_owned() } else { printable(name) };
    let (general, rebels, variant) = (name(&record.general), name(&record.rebels), name(&record.variant));
    format!("{general} - {rebels}, {variant}, {}: ", counted(record.moves.len(), "ply"))
}

/// `rebels win: no move`, `general wins: time`, `unfinished`.
fn end_of(record: &Record) -> String {
    let who = match record.result {
        GameResult::General => "general wins",
        GameResult::Rebels => "rebels win",
        GameResult::Draw => "draw",
        GameResult::Unfinished => "unfinished",
    };
    let why = record.termination.strip_prefix(who).unwrap_or(&record.termination).trim_start_matches([':', ' ']);
    if why.is_empty() { who.to_owned() } else { format!("{who}: {}", printable(why)) }
}

/// Records of unknown origin may hold control characters and long lines.
fn printable(text: &str) -> String {
    sanitized(text, 400)
}
