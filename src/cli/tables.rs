//! `privy tables`, looking after table files, and `privy probe`, the value of positions from a table.
use std::ffi::OsString;
use std::fs;
use std::io::{self, BufReader, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use clap::{Args, Subcommand};
use indicatif::ProgressBar;
use privy_program::{
    CliError, SolvableVariants, TablesArgument, VariantWord, find_variant, interrupt_stop, progress_bar, within,
};
use privy_protocol::Stop;
use privy_protocol::clock::milliseconds;
use serde::{Serialize, Serializer};

use privy_base::bounded_read::TextLines;
use privy_base::message::{counted, sanitized, shown};
use privy_oracle::PlainValue;
use privy_rules::{Game, Side, Variant};
use privy_tables::{
    Header, Mismatch, Table, TableError, TableValue, Verified, begun_files, delete_table, find_table, table_files,
    verify,
};

use super::common::{PositionArguments, find_position, open_input, print_json, shown_input};

/// Characters of an error about a table or a position.
const LONGEST_ERROR: usize = 1000;

#[derive(Subcommand)]
pub(super) enum TablesCommand {
    /// A line per table: variant, fingerprint, most plies, bytes, most Rebels, path; then one per file that an
    /// interrupted solve has kept
    List {
        /// Id or file of a variant: won, drawn and lost positions of its table by number of Rebels
        #[arg(value_parser = VariantWord, hide_possible_values = true)]
        variant: Option<OsString>,
        /// Print one JSON object for each table that can be used
        #[arg(long)]
        json: bool,
    },
    /// Say why a position has its value: what the table stores, what each move leads to, and for small games what a
    /// plain solver finds
    Why {
        #[command(flatten)]
        position: PositionArguments,
    },
    /// Check every position of tables against its successors, and the counts against the known ones
    Verify {
        #[command(flatten)]
        variants: SolvableVariants,
        /// Check N random positions instead of all
        #[arg(long, value_name = "N", value_parser = within(1_u64..=1_000_000_000_000))]
        sample: Option<u64>,
        /// Random seed of the sample
        #[arg(long, default_value_t = 1, requires = "sample", value_parser = within(0..=u64::MAX))]
        seed: u64,
    },
    /// Delete the table of a variant, and what an interrupted solve has kept
    Delete {
        /// Id or file of the variant
        #[arg(value_parser = VariantWord, hide_possible_values = true)]
        variant: OsString,
    },
}

impl TablesCommand {
    pub(super) fn run(&self, tables: &TablesArgument, output: &mut impl Write) -> Result<(), CliError> {
        let folder = tables.folder()?;
        match self {
            TablesCommand::List { variant: None, json } => list(&folder, *json, output),
            TablesCommand::List { variant: Some(variant), json } => {
                let table = open_table(&find_variant(variant)?, &folder)?;
                if *json { print_json(&TableFigures::of(&table, None)?, output) } else { describe(&table, output) }
            }
            TablesCommand::Why { position } => why(position, &folder, output),
            TablesCommand::Verify { variants, sample, seed } => {
                verify_tables(variants, &folder, sample.map(|positions| (positions, *seed)), output)
            }
            TablesCommand::Delete { variant } => {
                let deleted = delete_table(&folder, &*find_variant(variant)?)?;
                deleted.iter().try_for_each(|path| Ok(writeln!(output, "deleted {}", shown(path))?))
            }
        }
    }
}

fn open_table(variant: &Arc<Variant>, folder: &Path) -> Result<Table, TableError> {
    Table::open(&find_table(folder, variant)?, variant)
}

/// A table as JSON.
#[derive(Serialize)]
pub(super) struct TableFigures {
    variant: String,
    fingerprint: String,
    path: String,
    bytes: u64,
    max_plies: u32,
    most_rebels: u32,
    /// The value of the opening, where the table holds it.
    #[serde(skip_serializing_if = "Option::is_none")]
    opening: Option<ProbedValue>,
    /// The time of a solve in milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    time: Option<u64>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    layers: Vec<LayerCounts>,
}

/// The positions of a number of Rebels and a side to move.
#[derive(Serialize)]
struct LayerCounts {
    rebels: u32,
    side: Side,
    won: u64,
    drawn: u64,
    lost: u64,
}

impl TableFigures {
    /// The figures of a table, and the time in which it was solved.
    pub(super) fn of(table: &Table, time: Option<Duration>) -> Result<TableFigures, TableError> {
        let (variant, start) = (table.variant(), table.variant().start());
        let layers = table.layers().iter().flat_map(|layer| {
            [(Side::General, layer.general), (Side::Rebels, layer.rebel)].map(|(side, counts)| {
                let (won, drawn, lost) = (counts.won, counts.drawn, counts.lost);
                LayerCounts { rebels: layer.rebels, side, won, drawn, lost }
            })
        });
        Ok(TableFigures {
            variant: variant.id().to_owned(),
            fingerprint: variant.fingerprint().to_owned(),
            path: table.path().display().to_string(),
            bytes: table.bytes(),
            max_plies: table.max_plies(),
            most_rebels: table.layers().iter().map(|layer| layer.rebels).max().unwrap_or(0),
            opening: table.limit().is_none().then(|| table.probe(&start).map(ProbedValue)).transpose()?,
            time: time.map(milliseconds),
            layers: layers.collect(),
        })
    }
}

/// Lists table files; an unusable one with the reason. As JSON the usable ones alone.
fn list(folder: &Path, json: bool, output: &mut impl Write) -> Result<(), CliError> {
    for path in table_files(folder)? {
        let header = Header::read(&path);
        let most_rebels = header.as_ref().map_or(0, Header::most_rebels);
        match header {
            Ok(Header { variant, fingerprint, max_plies, bytes, .. }) if json => {
                let (path, opening, time, layers) = (path.display().to_string(), None, None, Vec::new());
                let figures =
                    TableFigures { variant, fingerprint, path, bytes, max_plies, most_rebels, opening, time, layers };
                print_json(&figures, output)?;
            }
            Err(error) if json => log::warn!("{error}"),
            Ok(Header { variant, fingerprint, max_plies, bytes, .. }) => {
                let (path, variant, fingerprint) = (shown(&path), sanitized(&variant, 80), sanitized(&fingerprint, 80));
                writeln!(output, "{variant} {fingerprint} {max_plies} {bytes} {most_rebels} {path}")?;
            }
            Err(error) => writeln!(output, "unusable: {}", sanitized(&error.to_string(), LONGEST_ERROR))?,
        }
    }
    for path in begun_files(folder)?.into_iter().filter(|_| !json) {
        // A solve may have removed it meanwhile.
        if let Ok(found) = fs::metadata(&path) {
            writeln!(output, "begun: {}, {} bytes", shown(&path), found.len())?;
        }
    }
    Ok(())
}

fn describe(table: &Table, output: &mut impl Write) -> Result<(), CliError> {
    let variant = table.variant();
    writeln!(output, "{} {} {}", variant.id(), variant.fingerprint(), shown(table.path()))?;
    let (plies, bytes) = (table.max_plies(), table.bytes());
    writeln!(output, "{}, longest {plies} plies with the Rebels to move, {bytes} bytes", opening_or_limit(table)?)?;
    // The heading of positions in which neither side can force an end.
    let endless = variant.rules().winner_by_repetition.map_or("drawn", |_| "repetition");
    writeln!(output, "{:>6} {:>8} {:>12} {endless:>12} {:>12}", "rebels", "to move", "won", "lost")?;
    for layer in table.layers() {
        for (side, counts) in [("general", layer.general), ("rebels", layer.rebel)] {
            let (rebels, won, drawn, lost) = (layer.rebels, counts.won, counts.drawn, counts.lost);
            writeln!(output, "{rebels:>6} {side:>8} {won:>12} {drawn:>12} {lost:>12}")?;
        }
    }
    Ok(())
}

/// Prints the stored value of a position, those of its moves, and that of the plain solver, which shares no code with
/// the tables.
fn why(position: &PositionArguments, folder: &Path, output: &mut impl Write) -> Result<(), CliError> {
    /// The most positions of a game that the plain solver takes: some seconds, and some hundred MiB.
    const MOST_PLAIN: usize = 500_000;
    let (variant, game) = (position.variant()?, position.game()?);
    if let Some(outcome) = game.outcome() {
        return Ok(writeln!(output, "game over: {outcome}")?);
    }
    let (table, no_table) = (open_table(&variant, folder)?, |error| CliError::Failed(format!("no table: {error}")));
    let stored = table.probe(&game).map_err(no_table)?;
    writeln!(output, "table: {stored}")?;
    let moves = table.values_by_text(&game).map_err(no_table)?;
    moves.iter().try_for_each(|(text, value)| writeln!(output, "  {text}: {value}"))?;
    let follows = moves.first().is_none_or(|(_, best)| *best == stored);
    let naive = position.naive(&game).map_err(CliError::Failed)?;
    let plain = naive.solve(MOST_PLAIN).and_then(|solution| solution.value(&naive.at));
    let plain = plain.map(|plain| match plain {
        PlainValue::Win(plies) => TableValue::Win(plies),
        PlainValue::Loss(plies) => TableValue::Loss(plies),
        PlainValue::Draw => TableValue::Draw,
    });
    match plain {
        Some(plain) => writeln!(output, "plain solver: {plain}")?,
        None => writeln!(output, "plain solver: not asked, there are more than {MOST_PLAIN} positions")?,
    }
    let agrees = plain.is_none_or(|plain| plain == stored || plain.plies().is_none() && stored.plies().is_none());
    if follows && agrees { Ok(()) } else { Err(CliError::Unsound(variant.id().to_owned())) }
}

/// The value of the opening, or the limit of a table that does not hold it.
pub(super) fn opening_or_limit(table: &Table) -> Result<String, TableError> {
    match table.limit() {
        Some(most) => Ok(format!("up to {most} Rebels")),
        None => {
            let (variant, start) = (table.variant(), table.variant().start());
            let value = table.probe(&start)?;
            let whose = variant.heading.names.in_names(match start.side() {
                Side::General => "for the General",
                Side::Rebels => "for the Rebels",
            });
            Ok(if value == TableValue::Draw { format!("opening {value}") } else { format!("opening {value} {whose}") })
        }
    }
}

/// Verifies every table, after faults too. `sample` is a number of positions and a seed; without it all positions are
/// verified.
fn verify_tables(
    variants: &SolvableVariants,
    folder: &Path,
    sample: Option<(u64, u64)>,
    output: &mut impl Write,
) -> Result<(), CliError> {
    let stop = interrupt_stop();
    let mut unsound = Vec::new();
    for variant in variants.find()? {
        let (id, start) = (variant.id().to_owned(), Instant::now());
        let bar = progress_bar(ProgressBar::new(0), "{prefix} {wide_bar} {percent}% [{elapsed}]", &variant);
        let mut progress = |done: u64, all: u64| {
            bar.set_length(all);
            bar.set_position(done);
        };
        let verified =
            open_table(&variant, folder).and_then(|table| verify_table(&table, sample, &mut progress, &stop));
        bar.finish_and_clear();
        let is_sound = match verified {
            Err(TableError::Interrupted) => {
                let nothing = format!("no progress saved of the verification of {id}: the same command starts it anew");
                return Err(CliError::Interrupted(nothing));
            }
            Err(error) => {
                writeln!(output, "{id}: {}", sanitized(&error.to_string(), LONGEST_ERROR))?;
                false
            }
            Ok((summary, examples, is_sound)) => {
                writeln!(output, "{id}: {summary}, {:.1} s", start.elapsed().as_secs_f64())?;
                for Mismatch { position, stored, right } in &examples {
                    writeln!(output, "  {position}: {stored} in the table, right is {right}")?;
                }
                is_sound
            }
        };
        if !is_sound {
            unsound.push(id);
        }
    }
    if unsound.is_empty() { Ok(()) } else { Err(CliError::Unsound(unsound.join(" "))) }
}

/// A summary, some wrong positions, and whether the table is valid.
fn verify_table(
    table: &Table,
    sample: Option<(u64, u64)>,
    progress: &mut (dyn FnMut(u64, u64) + Send),
    stop: &Stop,
) -> Result<(String, Vec<Mismatch>, bool), TableError> {
    let part = table.limit().map(|most| format!(" up to {most} Rebels")).unwrap_or_default();
    let verified = verify(table, sample, progress, stop)?;
    if sample.is_some() {
        let Verified { positions, mismatches, examples, .. } = verified;
        let summary = format!("{positions} positions with the Rebels to move at random, {mismatches} wrong{part}");
        return Ok((summary, examples, mismatches == 0));
    }
    let counts = match (verified.agrees_with_header, verified.agrees_with_known) {
        (false, _) => "counts differ from the header's",
        (true, Some(false)) => "counts differ from the known ones",
        (true, Some(true)) => "counts as known",
        (true, None) => "counts as in the header",
    };
    let (is_sound, Verified { positions, mismatches, examples, .. }) = (verified.is_sound(), verified);
    let positions = format!("{positions} positions with the General to move, {positions} with the Rebels");
    Ok((format!("{positions}, {mismatches} wrong, {counts}{part}"), examples, is_sound))
}

/// Print the value of a position, or of many, from a table
///
/// The value is for the side to move: `win N`, `loss N` (plies to the end) or `draw`; in games in which a repetition
/// wins, `win repetition` and `loss repetition` where neither side can force another end. `--moves` without a move
/// prints the values of all moves, best first.
#[derive(Args)]
pub(super) struct ProbeArguments {
    #[command(flatten)]
    position: PositionArguments,
    /// A file with one position per line, - for standard input; one line answers each. The exit status is 1 when lines
    /// were refused
    #[arg(long, value_name = "FILE", conflicts_with_all = ["fen", "moves"])]
    batch: Option<PathBuf>,
    /// Print one JSON object for each position
    #[arg(long)]
    json: bool,
}

/// What is said of a position, as JSON: one of its value, the end of its game and an error.
#[derive(Default, Serialize)]
struct Probed {
    #[serde(skip_serializing_if = "Option::is_none")]
    position: Option<String>,
    #[serde(flatten)]
    value: Option<ProbedValue>,
    #[serde(skip_serializing_if = "Option::is_none")]
    over: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    moves: Vec<ValuedText>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
}

/// A value, which is written as JSON in two keys: `win`, `loss` or `draw`, and the plies; a win without them is one by
/// repetition.
pub(super) struct ProbedValue(pub(super) TableValue);

impl Serialize for ProbedValue {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct ValueKeys {
            value: &'static str,
            plies: Option<u32>,
        }
        let value = ["loss", "draw", "win"][(self.0.class() + 1) as usize];
        ValueKeys { value, plies: self.0.plies() }.serialize(serializer)
    }
}

#[derive(Serialize)]
struct ValuedText {
    r#move: String,
    #[serde(flatten)]
    value: ProbedValue,
}

impl ProbeArguments {
    /// A faulty line of a batch is answered with its fault.
    pub(super) fn run(&self, tables: &TablesArgument, output: &mut impl Write) -> Result<(), CliError> {
        /// Bytes of a line.
        const LONGEST_LINE: u64 = 1 << 16;
        let variant = self.position.variant()?;
        let folder = tables.folder()?;
        let Some(path) = &self.batch else {
            let table = open_table(&variant, &folder)?;
            return self.print(self.probe(&table, &self.position.game()?)?, output);
        };
        let input = open_input(path)?;
        let table = open_table(&variant, &folder)?;
        let mut lines = TextLines::new(BufReader::new(input), LONGEST_LINE);
        let mut refused = 0;
        loop {
            let answer = match lines.next_line() {
                Ok(None) if refused == 0 => return Ok(()),
                Ok(None) => {
                    let fault = format!("{refused} of {} refused", counted(lines.number, "line"));
                    return Err(CliError::Failed(format!("{}: {fault}", shown_input(path))));
                }
                Ok(Some(line)) => {
                    let game = find_position(&variant, Some(line.trim()));
                    game.and_then(|game| self.probe(&table, &game)).map_err(|error| error.to_string())
                }
                Err(error) if error.kind() == io::ErrorKind::InvalidData => Err(format!("illegal position: {error}")),
                Err(error) => return Err(CliError::cannot_load(path)(error)),
            };
            refused += u64::from(answer.is_err());
            let error = |error: String| Probed { error: Some(sanitized(&error, LONGEST_ERROR)), ..Probed::default() };
            self.print(answer.unwrap_or_else(error), output)?;
        }
    }

    fn probe(&self, table: &Table, game: &Game) -> Result<Probed, CliError> {
        let probed = Probed { position: Some(game.to_string()), ..Probed::default() };
        let no_table = |error| CliError::Failed(format!("no table: {error}"));
        match game.outcome() {
            Some(outcome) => Ok(Probed { over: Some(outcome.to_string()), ..probed }),
            None if self.position.names_no_move() => {
                let moves = table.values_by_text(game).map_err(no_table)?;
                let moves =
                    moves.into_iter().map(|(text, value)| ValuedText { r#move: text, value: ProbedValue(value) });
                Ok(Probed { moves: moves.collect(), ..probed })
            }
            None => Ok(Probed { value: Some(ProbedValue(table.probe(game).map_err(no_table)?)), ..probed }),
        }
    }

    fn print(&self, probed: Probed, output: &mut impl Write) -> Result<(), CliError> {
        if self.json {
            return print_json(&probed, output);
        }
        let Probed { value, over, moves, error, .. } = probed;
        let value = value.map(|ProbedValue(value)| value.to_string());
        let lines = value.into_iter().chain(over.map(|over| format!("game over: {over}")));
        let lines = lines.chain(error.map(|error| format!("? {error}")));
        let moves = moves.iter().map(|ValuedText { r#move, value: ProbedValue(value) }| format!("{} {value}", r#move));
        lines.chain(moves).try_for_each(|line| Ok(writeln!(output, "{line}")?))
    }
}
