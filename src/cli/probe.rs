//! `privy probe`: the value of positions from a table.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::PathBuf;

use clap::Args;

use crate::rules::Game;
use crate::tablebase::{Table, TableError};

use super::common::{PositionArguments, TablesArgument, find_position};
use super::error::CliError;
use super::tables::open_table;

/// The longest line of a batch, in bytes.
const LONGEST_LINE: u64 = 1 << 16;

/// Print the value of a position, or of many, from a table
///
/// The value is for the side to move: `win N`, `loss N` (plies to the end) or `draw`; in games in which a repetition wins, `win repetition`
/// and `loss repetition` where nobody can force another end.
#[derive(Args)]
pub(super) struct ProbeArguments {
    #[command(flatten)]
    position: PositionArguments,
    /// A file with a position a line, - for standard input; answers are a line each
    #[arg(long, value_name = "FILE", conflicts_with = "fen")]
    batch: Option<PathBuf>,
}

impl ProbeArguments {
    /// What is wrong with a line of a batch is its answer.
    pub(super) fn run(&self, tables: &TablesArgument, output: &mut impl Write) -> Result<(), CliError> {
        let variant = self.position.variant()?;
        let folder = tables.folder()?;
        let Some(path) = &self.batch else {
            let table = open_table(&variant, folder)?;
            let game = self.position.game()?;
            let answer = answer(&table, &game).map_err(CliError::NotProbed)?;
            return Ok(writeln!(output, "{answer}")?);
        };
        let input: Box<dyn BufRead> = if path.as_os_str() == "-" {
            Box::new(io::stdin().lock())
        } else {
            let file = File::open(path);
            let named = |error: io::Error| io::Error::new(error.kind(), format!("{}: {error}", path.display()));
            Box::new(BufReader::new(file.map_err(named)?))
        };
        let table = open_table(&variant, folder)?;
        let mut input = input;
        while let Some(line) = next_line(&mut input)? {
            let text = String::from_utf8_lossy(&line);
            match find_position(&variant, Some(text.trim())) {
                Ok(game) => {
                    let answer = answer(&table, &game).unwrap_or_else(|error| format!("? no table: {error}"));
                    writeln!(output, "{answer}")?;
                }
                Err(error) => writeln!(output, "? {error}")?,
            }
        }
        Ok(())
    }
}

/// The next line of a batch, without its line feed.
fn next_line(input: &mut dyn BufRead) -> io::Result<Option<Vec<u8>>> {
    let mut line = Vec::new();
    let length = input.take(LONGEST_LINE).read_until(b'\n', &mut line)? as u64;
    let is_ended = line.pop_if(|byte| *byte == b'\n').is_some();
    if length == LONGEST_LINE && !is_ended {
        let reason = format!("expected a position a line, found a line of more than {LONGEST_LINE} bytes");
        return Err(io::Error::new(io::ErrorKind::InvalidData, reason));
    }
    Ok((length > 0).then_some(line))
}

/// What a table says of a position, if it has it.
fn answer(table: &Table, game: &Game) -> Result<String, TableError> {
    match game.outcome() {
        Some(outcome) => Ok(format!("game over: {outcome}")),
        None => Ok(table.probe(game)?.to_string()),
    }
}
