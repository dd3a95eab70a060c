//! A position drawn from the command line.

use std::io::Write;
use std::sync::Arc;

use crate::render::{self, Charset, SvgOptions, View};
use crate::rules::{Game, Variant};

use super::error::{CliError, find_position};

/// What to draw and how.
#[derive(Debug, Clone, Default)]
pub(super) struct BoardRequest {
    /// A position text; the opening without one.
    pub(super) text: Option<String>,
    /// Moves to play from there; the last one is marked.
    pub(super) moves: Vec<String>,
    /// SVG instead of text.
    pub(super) svg: Option<SvgOptions>,
    /// Text in ASCII alone.
    pub(super) ascii: bool,
}

/// Draws a position of a variant.
///
/// # Errors
/// When the text is no position, a move is not legal, or the result can't be written.
pub(super) fn board(variant: &Arc<Variant>, request: &BoardRequest, output: &mut impl Write) -> Result<(), CliError> {
    let mut game = Game::new(find_position(variant, request.text.as_deref())?);
    for text in &request.moves {
        let move_ = game.position().parse_move(text).map_err(|error| CliError::MovePath(text.clone(), error))?;
        game.play(move_);
    }
    let view = View::of_game(&game);
    let drawing = match &request.svg {
        Some(options) => render::svg(&view, options),
        None => render::text(&view, if request.ascii { Charset::Ascii } else { Charset::Unicode }),
    };
    writeln!(output, "{}", drawing.trim_end())?;
    Ok(())
}
