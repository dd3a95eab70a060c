//! `privy boards`: the built-in boards.

use std::io::Write;

use clap::Subcommand;

use crate::board::Board;

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
                    let apex = if board.apex().is_empty() { "none".to_owned() } else { board.names(board.apex()) };
                    let (id, points, exits) = (board.id(), board.len(), board.names(board.exits()));
                    writeln!(output, "{id:16}  {points} points, exits {exits}, apex {apex}: {}", board.title())?;
                }
                Ok(())
            }
        }
    }
}
