//! The text protocol of the Privy engine: requests, replies, the grammar of lines, and a client.
//!
//! The protocol has the framing of the Go Text Protocol, version 2. A line asks, `[id] command arguments`; the answer
//! is `=[id] text`, or `?[id] text` when the request failed, and an empty line. The crate knows no game: it carries
//! moves and positions as text, and leaves it to the engine what they mean.
//!
//! | module | what it is about |
//! |---|---|
//! | [`framing`] | from bytes to lines |
//! | [`grammar`] | from a line to id, command and arguments |
//! | [`error`](mod@error) | the stable error codes |
//! | [`side`], [`clock`], [`limits`], [`score`] | the values that arguments and answers are made of |
//! | [`command`] | every command, declared once: name, arguments, help, and the request that it makes |
//! | [`reply`], [`reply_reader`] | answers, written and read |
//! | [`info`] | the lines of a search |
//! | [`analysis`] | what is asked of an analysis, and its reports |
//! | [`client`] | driving an engine process |
//!
//! A loop that answers two commands:
//!
//! ```
//! use privy_protocol::{InputLine, LineReader, NumberedRequest, Reply, Request, SharedRequest};
//!
//! fn answer(line: InputLine) -> Option<Reply> {
//!     let line = match line {
//!         InputLine::Blank | InputLine::Interrupt => return None,
//!         InputLine::Rejected(rejection) => return Some(rejection.into()),
//!         InputLine::Command(line) => line,
//!     };
//!     Some(match NumberedRequest::<Request>::read(&line) {
//!         Err(rejection) => rejection.into(),
//!         Ok(numbered) => match numbered.request {
//!             Request::Shared(SharedRequest::Name) => Reply::success(numbered.id, "Example"),
//!             Request::Shared(SharedRequest::Echo(text)) => Reply::success(numbered.id, &text),
//!             _ => Reply::success(numbered.id, ""),
//!         },
//!     })
//! }
//!
//! let input = "name\n\n2 echo hello # a comment\n3 undo none";
//! let mut output = Vec::new();
//! for line in LineReader::new(input.as_bytes()) {
//!     if let Some(reply) = answer(line?) {
//!         reply.write_to(&mut output)?;
//!     }
//! }
//! assert_eq!(
//!     String::from_utf8_lossy(&output),
//!     "= Example\n\n=2 hello\n\n\
//!      ?3 syntax error: undo: expected a number of moves from 1, found \"none\"\n\n"
//! );
//! # Ok::<(), std::io::Error>(())
//! ```
#![deny(clippy::expect_used, clippy::panic)]

pub mod analysis;
mod arguments;
pub mod client;
pub mod clock;
pub mod command;
pub mod error;
pub mod framing;
pub mod grammar;
pub mod info;
pub mod limits;
pub mod reply;
pub mod reply_reader;
pub mod score;
pub mod side;

pub use analysis::{AnalysisForm, AnalysisReport, AnalysisRequest, AnalyzedMove};
pub use client::{Client, ClientError, Interrupter, LineClient, ProcessGroup, adopt_orphans};
pub use clock::{Seconds, TimeControl, TimeLeft};
pub use command::{
    Command, CommandSet, HalfMoveRequest, Interruption, NumberedRequest, Request, Requests, Setup, SharedRequest,
    SidedPoint, Start, VariantSource,
};
pub use error::{ErrorCode, ProtocolError, Rejection};
pub use framing::{InputLine, LINE_LIMIT, LineAssembler, LineReader, RawLine};
pub use grammar::Line;
pub use info::{BestMove, Bound, InfoError, SearchInfo, SearchLine};
pub use limits::{ClockLimit, GoLimits};
pub use reply::{Reply, StreamedReply};
pub use reply_reader::{REPLY_LIMIT, ReplyError, ReplyReader};
pub use score::Score;
pub use side::Side;
