//! The protocol sessions around the engine: lines in, answers out.
#![deny(clippy::expect_used, clippy::panic)]

mod commands;
pub mod gogui;
mod queue;
mod reader;
mod session;
mod streaming;

#[cfg(unix)]
pub use reader::when_unread;
pub use session::run;
pub use streaming::info;
