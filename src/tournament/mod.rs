//! The referee: matches between engines that speak the protocol, as processes, with the rules on the referee's side.
//!
//! An engine is a program that someone else may have written, in any state of repair. The referee trusts none of its
//! answers: it keeps a [`Game`](crate::rules::Game) of its own, checks every move with it, measures the time itself,
//! and names what an engine does wrong. Nothing here uses [`gtp`](crate::gtp), nor does that use anything here: the
//! two meet in the protocol alone.
//!
//! From the ground up: engines and limits as users describe them; the session with an engine's
//! process; a player, which plays a game through its session; the referee of a game; the settings of a match, its openings and
//! its file; the match itself.
#![deny(clippy::expect_used, clippy::panic)]

mod clock;
pub(crate) mod compliance;
mod engine_spec;
mod fault;
mod match_file;
mod match_play;
mod openings;
mod player;
mod referee;
mod session;
mod settings;
pub mod statistics;
mod suspend_clock;

pub(crate) use clock::{ClockControl, MoveLimits};
pub(crate) use engine_spec::{EngineSpec, name_engines};
pub(crate) use fault::FaultKind;
pub(crate) use match_file::{GameEntry, MatchFile, Remark};
pub(crate) use match_play::{Conduct, MatchError, MatchEvent};
pub use openings::{BadOpening, BadOpenings, Opening, OpeningsChoice, OpeningsError, OpeningsRequest};
pub(crate) use referee::{Adjudication, Agreement};
pub(crate) use settings::{MOST_GAMES, Match, MatchFormat, Settings};
pub(crate) use suspend_clock::SuspendClock;

/// The longest time that a user can set for a move, a margin or a silence: a day, in milliseconds.
pub(crate) const LONGEST_WAIT_MS: u64 = 86_400_000;
/// The most nodes and the most plies of depth that a user can set for a move.
pub(crate) const MOST_NODES: u64 = 1_000_000_000_000;
pub(crate) const MOST_DEPTH: u32 = 1000;
/// The most plies that a user can set for a game, or for its adjudication.
pub(crate) const MOST_PLIES: u32 = 1_000_000;
