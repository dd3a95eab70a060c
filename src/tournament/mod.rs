//! The referee: matches between engines that speak the protocol, as processes, with the rules on the referee's side.
//!
//! An engine is a program that someone else may have written, in any state of repair. The referee trusts none of its
//! answers: it keeps a [`Game`](crate::rules::Game) of its own, checks every move with it, measures the time itself,
//! and names what an engine does wrong. Nothing here uses the [`shell`](crate::gtp), nor the shell anything here: the
//! two meet in the protocol alone.
#![deny(clippy::expect_used, clippy::panic)]

mod adjudication;
mod by_side;
mod clock;
mod commands;
pub mod compliance;
mod conversation;
mod dialect;
mod engine_spec;
mod fault;
mod game_entry;
mod match_file;
mod match_play;
mod openings;
mod player;
mod process;
mod referee;
mod running_time;
mod schedule;
mod scoresheet;
mod settings;
mod standard_error;
pub mod statistics;
mod time_control;
mod worker;

pub use adjudication::{Adjudication, Agreement, BadAgreement, Decision};
pub use clock::Clock;
pub use dialect::Dialect;
pub use engine_spec::{BadEngineSpec, EngineSpec, name_engines};
pub use fault::{Fault, FaultKind};
pub use game_entry::{GameEntry, Remark};
pub use match_file::{MatchFile, MatchFileError};
pub use match_play::{Conduct, Finish, GoOn, Match, MatchError, MatchEvent};
pub use openings::{BadOpening, BadOpenings, Opening, OpeningsChoice, OpeningsError, OpeningsRequest};
pub use process::QUIT_PATIENCE;
pub use running_time::{Enrolled, RunningTime, Stopwatch};
pub use schedule::{Format, Schedule, Scheduled};
pub use scoresheet::Scoresheet;
pub use settings::Settings;
pub use standard_error::ERRORS_LIMIT;
pub use time_control::{BadTimeControl, ClockControl, TimeControl};
