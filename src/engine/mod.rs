//! The engine: one game, its history, options and clocks, and a searcher. It prints nothing.
//!
//! The protocol loop is one program that embeds it. A call that fails changes nothing.
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
mod explain;
mod go;
mod options;
mod proof_play;
mod skill;
mod tablebase_play;

pub use analysis::{Analysis, AnalyzedMove, WinRate};
pub use clock::TimeControl;
pub use engine::{Engine, EngineError};
pub use go::GoLimits;
pub use options::{OptionError, Options};
pub use skill::{LEVELS, blunder};
