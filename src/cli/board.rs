//! `privy board`, a position drawn, and `privy boards`, the built-in boards.

use std::io::Write;

use clap::{Args, Subcommand, ValueEnum};

use privy_rules::board::{Board, PointSet};
use privy_rules::render::{self, Charset, Labels, SvgOptions};

use super::common::{PositionArguments, within};
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
        let BoardsCommand::List = self;
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

/// Draw a position, or a board without pieces, as text or SVG; the last move is marked
///
/// The variant may be the id or the file of a board.
#[derive(Args)]
pub(super) struct BoardArguments {
    #[command(flatten)]
    position: PositionArguments,
    /// Draw in ASCII characters
    #[arg(long, conflicts_with = "svg")]
    ascii: bool,
    /// Draw an SVG picture
    #[arg(long)]
    svg: bool,
    /// Labels of the picture
    #[arg(long, value_enum, default_value = "edges", requires = "svg")]
    labels: LabelChoice,
    /// Longer side of the picture in pixels
    #[arg(long, value_name = "PX", default_value_t = 480, requires = "svg", value_parser = within(SvgOptions::SIZES))]
    size: u32,
}

#[derive(Clone, Copy, ValueEnum)]
enum LabelChoice {
    /// No labels
    None,
    /// File letters and row numbers along the edges
    Edges,
    /// The name of every point
    Points,
}

impl BoardArguments {
    pub(super) fn run(&self, output: &mut impl Write) -> Result<(), CliError> {
        let labels = match self.labels {
            LabelChoice::None => Labels::None,
            LabelChoice::Edges => Labels::Edges,
            LabelChoice::Points => Labels::Points,
        };
        let options = SvgOptions { labels, size_px: self.size };
        let charset = if self.ascii { Charset::Ascii } else { Charset::Unicode };
        let drawing = match self.position.board()? {
            Some(board) if self.svg => render::board_svg(&board, &options),
            Some(board) => render::board_text(&board, charset),
            None if self.svg => render::svg(&self.position.game()?, &options),
            None => render::text(&self.position.game()?, charset),
        };
        Ok(writeln!(output, "{}", drawing.trim_end())?)
    }
}
