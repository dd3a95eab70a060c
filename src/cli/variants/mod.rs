//! `privy variants`: which there are, what their files say; files of users begun, checked and tried out.

mod check;
mod new;

use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;

use clap::Subcommand;

use crate::board::Board;
use crate::render::{self, Charset};
use crate::rules::{BoardFile, Variant};

use super::common::{find_variant, is_path};
use super::error::CliError;

use check::CheckArguments;
use new::NewArguments;

#[derive(Subcommand)]
pub(super) enum VariantsCommand {
    /// A line per variant: id, fingerprint of its rules, title; below `relatives:` the games of other families
    List,
    /// Print the file of a variant, or of a board with a drawing
    Show {
        /// Id or file of a variant or of a board
        variant: String,
        /// Print the board of the variant instead
        #[arg(long)]
        board: bool,
    },
    New(NewArguments),
    Check(CheckArguments),
}

impl VariantsCommand {
    pub(super) fn run(&self, output: &mut impl Write) -> Result<(), CliError> {
        match self {
            VariantsCommand::List => {
                list(Variant::builtin_ids(), output)?;
                writeln!(output, "relatives:")?;
                Ok(list(Variant::relative_ids(), output)?)
            }
            VariantsCommand::Show { variant, board } => show(variant, *board, output),
            VariantsCommand::New(arguments) => arguments.run(output),
            VariantsCommand::Check(arguments) => arguments.run(output),
        }
    }
}

fn list(ids: impl Iterator<Item = &'static str>, output: &mut impl Write) -> io::Result<()> {
    for variant in ids.filter_map(Variant::builtin) {
        writeln!(output, "{:24} {}  {}", variant.id(), variant.fingerprint(), variant.title())?;
    }
    Ok(())
}

fn show(word: &str, board_of_game: bool, output: &mut impl Write) -> Result<(), CliError> {
    let board = if is_path(word) {
        BoardFile::read(Path::new(word))?.map(|file| file.board().clone())
    } else {
        Board::builtin(word).filter(|_| Variant::builtin(word).is_none())
    };
    let board = match board {
        None if board_of_game => Some(Arc::clone(find_variant(word)?.board())),
        board => board,
    };
    match board {
        Some(board) => {
            output.write_all(commented(&render::board_text(&board, Charset::Unicode)).as_bytes())?;
            Ok(output.write_all(board.source().as_bytes())?)
        }
        None => Ok(output.write_all(find_variant(word)?.source().as_bytes())?),
    }
}

/// A drawing as comments of a TOML file.
fn commented(drawing: &str) -> String {
    drawing
        .lines()
        .map(|line| format!("#{}\n", if line.is_empty() { String::new() } else { format!(" {line}") }))
        .collect()
}
