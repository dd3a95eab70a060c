//! The protocol sessions around the engine: lines in, answers out.
//!
//! | file | what it does |
//! |---|---|
//! | `conversions` | the words of the protocol and those of the engine |
//! | `queue` | requests that wait for their answers |
//! | `reader` | reads requests while a search runs, stops searches, serves a session |
//! | `commands` | answers the commands that both sessions have |
//! | `streaming` | answers that come line by line while the engine searches |
//! | `session` | the session with whole moves |
//! | [`gogui`] | the half-move session |
#![deny(clippy::expect_used, clippy::panic)]

mod commands;
mod conversions;
pub mod gogui;
mod queue;
mod reader;
mod session;
mod streaming;

pub use conversions::ENGINE_NAME;
#[cfg(unix)]
pub use reader::when_unread;
pub use session::{run, run_watched};
pub use streaming::info;
