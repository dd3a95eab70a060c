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

/// Draw a position as text or SVG; the last move is marked
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
        let game = self.position.game()?;
        let labels = match self.labels {
            LabelChoice::None => Labels::None,
            LabelChoice::Edges => Labels::Edges,
            LabelChoice::Points => Labels::Points,
        };
        let drawing = if self.svg {
            render::svg(&game, &SvgOptions { labels, size_px: self.size })
        } else {
            render::text(&game, if self.ascii { Charset::Ascii } else { Charset::Unicode })
        };
        Ok(writeln!(output, "{}", drawing.trim_end())?)
    }
}
