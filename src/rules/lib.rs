//! The rules of the hunt games: variants as data, positions, moves, outcomes (RULES.md).
//!
//! ```
//! use privy_rules::{Game, Variant};
//!
//! let variant = Variant::builtin("monk-and-water").expect("a built-in variant");
//! let mut game = variant.start();
//! let step = game.parse_move(None, "b4-b5").unwrap_err();
//! assert_eq!(step.to_string(), "b4 is empty");
//! let step = game.parse_move(None, "c1-c2").unwrap();
//! game.play(step);
//! assert_eq!(game.to_string(), "1/3/rrGrr/r3r/r3r/r1r1r/rr1rr g - 1 1 monk-and-water");
//! ```
//!
//! A variant file is compiled to tables of point sets ([`CompiledRules`]); moves are generated set by set and code is
//! specialised per [`Family`]. Texts come in two stages: a [`MoveText`] is well formed, a [`MovePath`] is legal.

pub mod board;
mod compiled;
pub mod family;
mod game;
pub mod games;
mod generate;
mod in_line;
mod move_text;
mod names;
mod outcome;
#[doc(hidden)]
pub mod perft;
mod position;
mod position_text;
pub mod render;
#[doc(hidden)]
pub mod rows;
pub mod rule_set;
mod rule_values;
pub mod toml_file;
#[doc(hidden)]
pub mod variant;
mod variant_file;

pub use compiled::Choice;
pub use compiled::choices;
pub use compiled::{CompiledRules, Template};
pub use family::Family;
pub use family::FamilyName;
pub use game::Game;
pub use in_line::Hop;
pub use move_text::{MoveError, MoveText};
pub use names::Names;
pub use outcome::Outcome;
pub use perft::{divide, perft};
pub use position::{Move, MoveKind, MovePath, Position};
pub use variant::{Variant, VariantError};
pub use variant_file::{BoardFile, DEFAULT_VARIANT, VariantFile};
pub use variant_file::{is_reserved, read_file};

pub use privy_protocol::Side;
