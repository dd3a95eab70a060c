//! The session around the engine: lines in, answers out.
#![deny(clippy::expect_used, clippy::panic)]

mod answers;
mod reader;
mod records;
mod streaming;

pub use answers::{Answer, about, answer, illegal, nothing, run, run_line};
pub use reader::{Parse, Request, Requests};
pub use records::write_record;
pub use streaming::Reports;
