//! The engine: one game, its history, options and clocks, and a searcher. It prints nothing.
//!
//! The protocol loop is one program that embeds it. A call that fails changes nothing.
//!
//! ```
//! use privy_engine::Engine;
//! use privy_search::{Limits, Stop};
//!
//! let mut engine = Engine::new();
//! engine.choose_variant("monk-and-water")?;
//! engine.play(None, "c1-c2")?;
//! let limits = Limits { depth: Some(3), ..Limits::default() };
//! let found = engine.go(&limits.into(), &Stop::default(), Some(&mut |info| println!("{info:?}")))?;
//! assert!(engine.game().legal_moves().contains(&found.best));
//! # Ok::<(), privy_engine::EngineError>(())
//! ```

mod analysis;
mod catalogue;
#[allow(clippy::module_inception)]
mod engine;
mod explain;
mod facts;
mod go;
mod long_search;
mod options;
mod proof_play;
mod review;
pub mod session;
mod skill;
mod tablebase_play;
mod win_rate;

pub use analysis::Analysis;
pub use engine::{Engine, EngineError};
pub use go::TIME_PER_MOVE;
pub use options::{OptionError, Options};
pub use privy_base::path_choice::PathChoice;
pub use review::{GameReview, Judgement, MoveReview, TIME_PER_POSITION};
pub use skill::{LEVELS, blunder};
pub use win_rate::WinRate;
