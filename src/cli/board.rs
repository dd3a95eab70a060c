//! `privy board`: a position of a game or of a record, a board alone, and the built-in boards listed.

use std::ffi::OsString;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::{Args, ValueEnum};
use serde_json::json;

use privy_program::{CliError, VariantWord, find_variant, within};
use privy_rules::board::{Board, PointSet};
use privy_rules::render::{self, Charset, Labels, SvgOptions};
use privy_rules::{Game, Variant};

use super::common::{SetupArguments, find_board, print_json};
use super::replay::{invalid_game, read_game};

/// Draw a position, or a board without pieces, as text, SVG or JSON
///
/// The last move is marked. With --game it is a position of a record, and a variant is named where the record has one
/// that is not built in. Without a name it lists the built-in boards: id, points, exits, apex, title. `privy variants
/// show BOARD` prints the file of one.
#[derive(Args)]
pub(super) struct BoardArguments {
    /// Id or file of a variant or of a board
    #[arg(value_parser = VariantWord, hide_possible_values = true)]
    variant: Option<OsString>,
    #[command(flatten)]
    setup: SetupArguments,
    /// File with records, or - for standard input; the position is from one of its games
    #[arg(long, value_name = "FILE", conflicts_with_all = ["fen", "moves"])]
    game: Option<PathBuf>,
    /// Which game of the file, counted from 1
    #[arg(long, value_name = "N", requires = "game", value_parser = within(1_u64..=10_000_000))]
    number: Option<u64>,
    /// The position after N plies: 0 is the opening, -1 the last position; N is at most the length of the game
    #[arg(long, value_name = "N", requires = "game", allow_negative_numbers = true)]
    ply: Option<i64>,
    /// Draw in ASCII characters
    #[arg(long, conflicts_with_all = ["svg", "json"])]
    ascii: bool,
    /// Draw an SVG picture
    #[arg(long, conflicts_with = "json")]
    svg: bool,
    /// Print one JSON object, with the position text
    #[arg(long)]
    json: bool,
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
        let game = match (&self.game, &self.variant) {
            (Some(file), word) => self.recorded(file, word.as_deref().map(find_variant).transpose()?.as_ref())?,
            (None, None) if self.ascii || self.svg || self.json || !self.setup.is_empty() => {
                return Err(CliError::Usage("expected a variant or a board to draw, or --game FILE".to_owned()));
            }
            (None, None) => return list(output),
            (None, Some(word)) => match find_board(word)? {
                Some(board) if self.json || !self.setup.is_empty() => {
                    let text = format!("{}: a board has no positions and moves; expected a variant", board.id);
                    return Err(CliError::Usage(text));
                }
                Some(board) if self.svg => return print(&render::board_svg(&board, &options), output),
                Some(board) => return print(&render::board_text(&board, charset), output),
                None => self.setup.game(&find_variant(word)?)?,
            },
        };
        if self.json {
            let (variant, position) = (game.variant(), game.to_string());
            let position = json!({"variant": variant.id(), "fingerprint": variant.fingerprint(), "position": position});
            return print_json(&position, output);
        }
        print(&if self.svg { render::svg(&game, &options) } else { render::text(&game, charset) }, output)
    }

    /// A position of a recorded game.
    fn recorded(&self, file: &Path, variant: Option<&Arc<Variant>>) -> Result<Game, CliError> {
        let (number, record) = read_game(file, self.number, variant)?;
        let plies = record.moves.len();
        let asked = self.ply.unwrap_or(-1);
        let ply = if asked < 0 { asked.saturating_add(plies as i64 + 1) } else { asked };
        let ply = usize::try_from(ply).ok().filter(|ply| *ply <= plies).ok_or_else(|| {
            CliError::Usage(format!("--ply {asked}: expected a number from -{} to {plies}", plies + 1))
        })?;
        record.game_after(ply, variant).map_err(invalid_game(file, number))
    }
}

fn print(drawing: &str, output: &mut impl Write) -> Result<(), CliError> {
    Ok(writeln!(output, "{}", drawing.trim_end())?)
}

fn list(output: &mut impl Write) -> Result<(), CliError> {
    for board in Board::builtin_ids().filter_map(Board::builtin) {
        let named = |points: PointSet| match board.names(points) {
            names if names.is_empty() => "none".to_owned(),
            names => names,
        };
        let (exits, apex) = (named(board.exits), named(board.apex));
        let (id, points) = (&board.id, board.len());
        writeln!(output, "{id:18}  {points} points, exits {exits}, apex {apex}: {}", board.title)?;
    }
    Ok(())
}
