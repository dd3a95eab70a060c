//! The search: iterative deepening with alpha-beta, a transposition table, a clock, and as
//! many threads as are wanted.
//!
//! ```
//! use privy::rules::{Game, Variant};
//! use privy::search::{Limits, Searcher, Stop};
//!
//! let game = Game::new(Variant::builtin("sixteen-rebels-murray").unwrap().start());
//! let limits = Limits { depth: Some(4), ..Limits::default() };
//! let found = Searcher::new(1).search(&game, &limits, &Stop::default(), &mut |_| {}).unwrap();
//! assert!(game.legal_moves().contains(&found.best));
//! ```

pub mod bench;
mod closing;
mod deepening;
mod evaluation;
mod judging;
mod knowledge;
mod limits;
mod line;
mod memory;
mod node;
mod ordering;
mod patterns;
mod probing;
mod prover;
mod requests;
mod resources;
mod root;
mod score;
mod searcher;
mod settling;
mod soonest;
mod steps;
mod survey;
mod table;
mod task;
mod team;
mod terms;
mod weights;
mod worker;

pub use evaluation::Evaluation;
pub use knowledge::Knowledge;
pub use limits::{Clock, Limits, Stop, TimeManager};
pub use patterns::Patterns;
pub use probing::Prober;
pub use score::{MAX_DISTANCE, Score, plies};
pub use searcher::{Findings, MAX_DEPTH, Report, Searcher, nodes_per_second};
pub use survey::{Survey, SurveyedMove};
pub use table::TranspositionTable;
pub use terms::Terms;
pub use weights::{Planes, SideWeights, Weights, WeightsError};
