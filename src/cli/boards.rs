//! `privy boards`: the built-in boards.

use std::io::Write;

use clap::Subcommand;

use crate::board::{Board, PointSet};

use super::error::CliError;

#[derive(Subcommand)]
pub(super) enum BoardsCommand {
    /// A line per board: id, points, exits, apex, title
    ///
    /// `privy variants show BOARD` prints the file of one, with a drawing.
    List,
}

impl BoardsCommand {
    pub(super) fn run(&self, output: &mut impl Write) -> Result<(), CliError> {
        match self {
            BoardsCommand::List => {
                for board in Board::builtin_ids().filter_map(Board::builtin) {
                    let named = |points: PointSet| match board.names(points) {
                        names if names.is_empty() => "none".to_owned(),
                        names => names,
                    };
                    let (exits, apex) = (named(board.exits()), named(board.apex()));
                    let (id, points) = (board.id(), board.len());
                    writeln!(output, "{id:18}  {points} points, exits {exits}, apex {apex}: {}", board.title())?;
                }
                Ok(())
            }
        }
    }
}
