//! The engine: one game, its history, options and clocks, and a searcher. Silent: verbs in, answers and reports out.
//!
//! A program that embeds it calls these verbs; the protocol loop is one such program. A verb that fails changes nothing.
//!
//! ```
//! use std::time::Duration;
//! use privy::engine::{Engine, GoLimits};
//! use privy::search::Stop;
//!
//! let mut engine = Engine::new();
//! engine.choose_variant("monk-and-water")?;
//! engine.play(None, "c1-c2")?;
//! let limits = GoLimits { depth: Some(3), ..GoLimits::default() };
//! let search = engine.prepare_search(&limits)?;
//! let found = engine.search(&search, &Stop::default(), &mut |_| {});
//! assert!(found.is_some());
//! # Ok::<(), privy::engine::EngineError>(())
//! ```

mod analysis;
mod clock;
#[allow(clippy::module_inception)]
mod engine;
mod error;
mod explain;
mod go;
mod options;
mod proof_play;
mod proof_search;
mod skill;
mod tablebase_play;
mod win_rate;

pub use analysis::{Analysis, AnalyzedMove};
pub use clock::{Clocks, TIME_PER_MOVE, TimeControl};
pub use engine::Engine;
pub use error::EngineError;
pub use go::GoLimits;
pub use options::{OptionError, OptionName, Options};
pub use skill::{LEVELS, blunder};
pub use win_rate::WinRate;
