//! Positions drawn for people: as text for a terminal, as SVG for a page.
//!
//! Both drawings come from the coordinates of the board, so a user's own board is drawn like the built-in ones. Both show
//! the last move when they know it.
//!
//! ```
//! use privy::render::{self, Charset, SvgOptions, View};
//! use privy::rules::{Game, Variant};
//!
//! let variant = Variant::builtin("sixteen-rebels").expect("a built-in variant");
//! let mut game = variant.start();
//! let step = game.parse_move(None, "c3-b2").unwrap();
//! game.play(step);
//!
//! let drawing = render::text(&View::of_game(&game), Charset::Ascii);
//! assert!(drawing.contains("r--[G]--+---+---r"));
//! assert!(drawing.ends_with("last move: general c3-b2 takes c1 a3  (o from, [ ] to, x taken)"));
//!
//! let picture = render::svg(&View::of_game(&game), &SvgOptions::default());
//! assert!(picture.starts_with("<svg "));
//! ```

mod canvas;
mod figures;
mod geometry;
mod labels;
mod line_plot;
mod svg;
mod text;
mod view;

pub use labels::Labels;
pub use line_plot::LinePlot;
pub use svg::{SvgOptions, svg};
pub use text::{Charset, board_text, text};
pub use view::View;

#[cfg(test)]
mod tests;
