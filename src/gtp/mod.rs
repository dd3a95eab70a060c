//! The protocol sessions around the engine: lines in, answers out.
#![deny(clippy::expect_used, clippy::panic)]

pub mod gogui;
mod reader;
mod session;
mod streaming;

pub use session::run;
