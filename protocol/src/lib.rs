//! The text protocol of the Privy engine: requests, replies, the grammar of lines, and a client.
//!
//! The framing is that of the Go Text Protocol, version 2. A request is a line, `[id] command arguments`; its answer is
//! `=[id] text`, or `?[id] text` when it failed, and an empty line. The crate knows no game: moves and positions are
//! text.
//!
//! A loop that answers two commands:
//!
//! ```
//! use privy_protocol::{Command, InputLine, LineReader, ReplyWriter, Stop};
//!
//! let input = "name\n\n2 known_command name # a comment\n3 undo none";
//! let mut output = Vec::new();
//! for line in LineReader::new(input.as_bytes()) {
//!     let read = match line? {
//!         InputLine::Blank | InputLine::Interrupt => continue,
//!         InputLine::Rejected(rejection) => Err(rejection),
//!         InputLine::Command(line) => Command::read(&line),
//!     };
//!     let (id, answer) = match read {
//!         Err(rejection) => (rejection.id, Err(rejection.error)),
//!         Ok((id, Command::Name)) => (id, Ok("Example".to_owned())),
//!         Ok((id, Command::KnownCommand(name))) => (id, Ok((name == "name").to_string())),
//!         Ok((id, _)) => (id, Ok(String::new())),
//!     };
//!     ReplyWriter::new(&mut output, id, Stop::default()).close(answer)?;
//! }
//! assert_eq!(
//!     String::from_utf8_lossy(&output),
//!     "= Example\n\n=2 true\n\n\
//!      ?3 syntax error: undo: expected a number of moves from 1, found \"none\"\n\n"
//! );
//! # Ok::<(), std::io::Error>(())
//! ```
#![deny(clippy::expect_used, clippy::panic)]

pub mod analysis;
pub mod arguments;
pub mod client;
pub mod clock;
pub mod command;
pub mod error;
pub mod framing;
pub mod grammar;
pub mod info;
pub mod limits;
#[cfg(target_family = "wasm")]
mod page;
pub mod reply;
mod safe_text;
pub mod score;
pub mod side;
pub mod stop;
pub mod verdict;

pub use analysis::{AnalysisRequest, MoveInfo, analysis_line};
pub use arguments::Arguments;
pub use client::{Client, ClientError, Interrupter, Process};
pub use clock::{Clock, Instant, TimeControl};
pub use command::{Command, CommandHelp, CommandRow, Interruption, Setup, VariantSource};
pub use error::{ErrorCode, ProtocolError, Rejection, Unexpected};
pub use framing::{InputLine, LINE_LIMIT, Line, LineAssembler, LineReader};
pub use info::{SearchInfo, SearchLine, nodes_per_second};
pub use limits::{GoArguments, Limits};
pub use reply::{REPLY_LIMIT, Reply, ReplyError, ReplyWriter};
pub use safe_text::{is_unsafe, sanitized, sanitized_lines};
pub use score::Score;
#[doc(hidden)]
pub use serde;
pub use side::Side;
pub use stop::Stop;
pub use verdict::{Bound, Verdict};
