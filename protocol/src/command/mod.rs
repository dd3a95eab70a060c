//! The commands, each declared once: name, arguments, parser, help, failure.
//!
//! | file | what it declares |
//! |---|---|
//! | [`shared`] | the commands that both loops have |
//! | [`whole_moves`] | the loop with whole moves: [`Request`] |
//! | [`half_moves`] | the half-move loop: [`HalfMoveRequest`] |
//!
//! `help`, `list_commands`, `known_command`, the reading of requests and the command chapter of PROTOCOL.md follow from these
//! declarations. A new command is one entry in one of the three files, and an arm in the loop that answers it.

mod declaration;
pub mod half_moves;
mod set;
pub mod shared;
pub mod whole_moves;

pub use declaration::Command;
pub use half_moves::{HalfMoveRequest, SidedPoint};
pub use set::{CommandSet, Interruption, NumberedRequest, Requests};
pub use shared::{Setup, SharedRequest, Start, VariantSource};
pub use whole_moves::Request;
