//! `privy variants`: which there are, what their files say; files of users begun, checked and tried out.

mod check;
mod new;

use std::io::Write;
use std::path::Path;

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
    /// A line per variant: id, fingerprint of its rules, title
    List,
    /// Print the file of a variant, or of a board with a drawing
    Show {
        /// Id or file of a variant or of a board
        variant: String,
    },
    New(NewArguments),
    Check(CheckArguments),
}

impl VariantsCommand {
    pub(super) fn run(&self, output: &mut impl Write) -> Result<(), CliError> {
        match self {
            VariantsCommand::List => {
                for variant in Variant::builtin_ids().filter_map(Variant::builtin) {
                    writeln!(output, "{:24} {}  {}", variant.id(), variant.fingerprint(), variant.title())?;
                }
                Ok(())
            }
            VariantsCommand::Show { variant } => show(variant, output),
            VariantsCommand::New(arguments) => arguments.run(output),
            VariantsCommand::Check(arguments) => arguments.run(output),
        }
    }
}

fn show(word: &str, output: &mut impl Write) -> Result<(), CliError> {
    let board = if is_path(word) {
        BoardFile::read(Path::new(word))?.map(|file| file.board().clone())
    } else {
        Board::builtin(word).filter(|_| Variant::builtin(word).is_none())
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
