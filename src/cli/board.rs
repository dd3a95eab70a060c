//! `privy board`: a position drawn, a board alone, and the built-in boards listed.

use std::ffi::OsString;
use std::io::Write;

use clap::{Args, ValueEnum};

use privy_rules::board::{Board, PointSet};
use privy_rules::render::{self, Charset, Labels, SvgOptions};

use super::common::{SetupArguments, VariantWord, find_board, find_variant, within};
use super::error::CliError;

/// Draw a position, or a board without pieces, as text or SVG; the last move is marked
///
/// Without a name it lists the built-in boards: id, points, exits, apex, title. `privy variants show BOARD` prints the file of one.
#[derive(Args)]
pub(super) struct BoardArguments {
    /// Id or file of a variant or of a board
    #[arg(value_parser = VariantWord, hide_possible_values = true)]
    variant: Option<OsString>,
    #[command(flatten)]
    setup: SetupArguments,
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
        let Some(word) = &self.variant else {
            if self.ascii || self.svg || !self.setup.is_empty() {
                return Err(CliError::Usage("expected a variant or a board to draw".to_owned()));
            }
            return list(output);
        };
        let labels = match self.labels {
            LabelChoice::None => Labels::None,
            LabelChoice::Edges => Labels::Edges,
            LabelChoice::Points => Labels::Points,
        };
        let options = SvgOptions { labels, size_px: self.size };
        let charset = if self.ascii { Charset::Ascii } else { Charset::Unicode };
        let drawing = match find_board(word)? {
            Some(board) if !self.setup.is_empty() => {
                let text = format!("{}: a board has no positions and moves; expected a variant", board.id());
                return Err(CliError::Usage(text));
            }
            Some(board) if self.svg => render::board_svg(&board, &options),
            Some(board) => render::board_text(&board, charset),
            None => {
                let game = self.setup.game(&find_variant(word)?)?;
                if self.svg { render::svg(&game, &options) } else { render::text(&game, charset) }
            }
        };
        Ok(writeln!(output, "{}", drawing.trim_end())?)
    }
}

fn list(output: &mut impl Write) -> Result<(), CliError> {
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
