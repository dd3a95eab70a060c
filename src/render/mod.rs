//! Drawings of positions: text for a terminal, SVG for a page.
//!
//! Both drawings derive from the coordinates of the board, so boards of users are drawn like the built-in ones. Both show
//! the last move of the game.
//!
//! ```
//! use privy::render::{self, Charset, SvgOptions};
//! use privy::rules::{Game, Variant};
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

mod canvas;
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

#[cfg(test)]
mod tests;
