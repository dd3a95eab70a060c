//! The referee: matches between engines that speak the protocol, as processes, with the rules on the referee's side.
//!
//! An engine is a program that someone else may have written, in any state of repair. The referee trusts none of its
//! answers: it keeps its own [`Game`](privy_rules::Game), checks every move with it, measures the time itself, and
//! names what an engine does wrong. It does not use the engine of this project, nor does the engine use anything here:
//! the two meet in the protocol alone.
//!
//! From the ground up: engines and limits as users describe them; the session with an engine's process; a player, which
//! plays a game through its session; the referee of a game; the settings of a match, its openings and its file; the
//! match itself.
#![deny(clippy::expect_used, clippy::panic)]

pub mod compliance;
mod engine_spec;
mod fault;
mod line_file;
mod match_file;
mod match_play;
mod openings;
pub mod part;
mod player;
mod process;
mod program_stderr;
mod referee;
mod session;
mod settings;
pub mod statistics;

pub use engine_spec::{EngineSpec, LONGEST_WAIT_MS, MOST_DEPTH, MOST_NODES, name_engines, read_clock};
pub use fault::{BadSetting, FaultKind};
pub use line_file::LineFileError;
pub use match_file::{GameEntry, MatchFile, Remark};
pub use match_play::{Conduct, MatchError, MatchEvent};
pub use openings::{OpeningsChoice, OpeningsError, OpeningsRequest};
pub use process::{adopt_orphans, start_engine};
pub use settings::{Adjudication, Agreement, MOST_GAMES, MOST_PLIES, Match, MatchFormat, Opening, Settings};
