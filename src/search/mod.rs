//! The search: iterative deepening with alpha-beta, a transposition table, a clock, and as
//! many threads as are wanted.
//!
//! ```
//! use privy::rules::{Game, Variant};
//! use privy::search::{Limits, Searcher, Stop};
//!
//! let game = Variant::builtin("sixteen-rebels-murray").unwrap().start();
//! let limits = Limits { depth: Some(4), ..Limits::default() };
//! let found = Searcher::new(1).search(&game, &limits, &Stop::default(), &mut |_| {}).unwrap();
//! assert!(game.legal_moves().contains(&found.best));
//! ```

mod alpha_beta;
pub mod bench;
mod context;
mod iterative_deepening;
mod knowledge;
mod limits;
mod live_analysis;
mod move_picker;
mod multi_pv;
mod prefetch;
mod proof;
mod pv_table;
mod root_moves;
mod searcher;
mod tablebase_probing;
mod task;
mod threads;
mod transposition_table;

pub use knowledge::Knowledge;
pub use limits::{Clock, Limits, Stop, TimeManager};
pub use live_analysis::{LiveAnalysis, LiveMove};
pub use searcher::{MAX_DEPTH, SearchInfo, SearchResult, Searcher, nodes_per_second};
pub use tablebase_probing::Prober;
pub use transposition_table::TranspositionTable;
