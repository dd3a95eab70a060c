//! Drawings of positions: text for a terminal, SVG for a page.
//!
//! Both drawings derive from the coordinates of the board, so boards of users are drawn like the built-in ones. Both
//! show the last move of the game.
//!
//! ```
//! use privy_rules::render::{self, Charset, SvgOptions};
//! use privy_rules::{Game, Variant};
//!
//! let variant = Variant::builtin("sixteen-rebels").expect("a built-in variant");
//! let mut game = variant.start();
//! let step = game.parse_move(None, "c3-b2").unwrap();
//! game.play(step);
//!
//! let drawing = render::text(&game, Charset::Ascii);
//! assert!(drawing.contains("r--[G]--+---+---r"));
//! assert!(drawing.ends_with("last move: general c3-b2 takes c1 a3  (o from, [ ] to, x taken)"));
//!
//! let picture = render::svg(&game, &SvgOptions::default());
//! assert!(picture.starts_with("<svg "));
//! ```

#[doc(hidden)]
pub mod labels;
#[doc(hidden)]
pub mod shapes;
mod svg;
#[doc(hidden)]
pub mod text;

use crate::board::{Point, PointSet};
use crate::{Game, MoveKind};
use privy_base::message::counted;

pub use labels::{BoardLabel, Labels, board_labels};
pub use shapes::Coord;
pub use svg::{SvgOptions, board_svg, svg};
pub use text::{Charset, board_text, position_text, text, text_with_names};

/// The title of the variant with its id: `King's Gonu (kings-gonu)`.
fn heading(game: &Game) -> String {
    let (id, title) = (game.variant().id(), &game.variant().heading.title);
    format!("{} ({id})", if title.is_empty() { id } else { title })
}

/// The side to move or the outcome, the ply number, the number of Rebels, the flags.
fn status(game: &Game) -> String {
    let position = game.position();
    let mut status = match game.outcome() {
        Some(outcome) => outcome.to_string(),
        None => format!("{} to move", position.side()),
    };
    status += &format!(", ply {}, {}", game.ply(), counted(position.rebels().len(), "rebel"));
    if position.hand() > 0 {
        status += &format!(", {} in hand", counted(position.hand(), "rebel"));
    }
    if !game.board().has(position.general()) {
        status += ", general in hand";
    }
    if position.apex_visited() {
        status += ", apex visited";
    }
    if game.variant().rule_set().free_jumps > 0 {
        status += &format!(", {} left", counted(position.free_jumps(), "free jump"));
    }
    status
}

/// The last move of a game as its board shows it.
#[doc(hidden)]
pub struct LastMove {
    /// Side, move and captures: `general c3-b2 takes c1 a3`.
    text: String,
    /// The start, then every landing; the start alone for a static intervention.
    pub way: Vec<Point>,
    /// Where the piece stands now.
    pub to: Point,
    /// The points that lost a Rebel.
    pub captured: PointSet,
    is_free_jump: bool,
}

impl LastMove {
    pub fn of(game: &Game) -> Option<LastMove> {
        let move_ = game.moves().next_back().filter(|move_| game.board().has(move_.action().to))?;
        let action = move_.action();
        let captured = action.captured;
        let mut text = format!("{} {}", !game.side(), game.move_text(move_));
        if !captured.is_empty() {
            text += &format!(" takes {}", game.board().names(captured));
        }
        let mut way: Vec<Point> = Some(action.from).filter(|from| game.board().has(*from)).into_iter().collect();
        if !matches!(action.kind, MoveKind::Static | MoveKind::Pass) {
            way.extend(move_.landings());
        }
        Some(LastMove { text, way, to: action.to, captured, is_free_jump: action.kind == MoveKind::FreeJump })
    }

    /// The start and the landings, without the last one.
    pub fn left(&self) -> PointSet {
        self.way.iter().copied().collect::<PointSet>().without(self.to)
    }
}
