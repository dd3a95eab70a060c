//! The search: from a game and limits to a best move.
//!
//! ```
//! use privy_rules::Variant;
//! use privy_search::{Limits, Searcher, Stop};
//!
//! let game = Variant::builtin("sixteen-rebels-murray").unwrap().start();
//! let limits = Limits { depth: Some(4), ..Limits::default() };
//! let found = Searcher::new(1).search(&game, &limits, &Stop::default(), &mut |_| {}).unwrap();
//! assert!(game.legal_moves().contains(&found.best));
//! ```
//!
//! # Overview
//!
//! A [`Searcher`] prepares the table, the histories and the variant ([`PreparedVariant`]), and starts the threads. Each
//! thread runs `iterative_deepening`: principal variation search of the root moves (`alpha_beta`, `move_picker`,
//! `history`), one ply deeper in each iteration. After each iteration the proof search (`proof`) finds out which root
//! moves win or lose, and in exactly how many plies; then every line is reported. Threads share the transposition
//! table. The first one decides when the search ends: by a limit, the clock, a stop, or because all is proved.
//!
//! `proof` also proves openings: a best-first search whose leaves are whole searches, and the files of their
//! strategies.
//!
//! `context` holds what all of them borrow, among it exact values from outside (a [`Prober`]). A [`LiveAnalysis`] shows
//! the scores of all moves while the search runs. [`RootFacts`] come from rules, tables and proofs, and change what is
//! reported and played, not what is searched.
//!
//! # Values
//!
//! Values are those of the side to move, in hundredths of a Rebel or as a win or loss in plies
//! ([`Value`](crate::eval::Value)). In the search wins are counted from the root, in the table from the position;
//! `at_root` and `at_node` convert.
//!
//! # Invariants
//!
//! - *A win or loss in the transposition table holds on every path to the position.* A stopped search writes nothing.
//! - *Repetition in the search*: a position that has occurred before, on the way from the root or in the game since the
//!   last capture, is a draw. An evaluation in the table may rest on such a draw of another path ("graph history
//!   interaction", M. Campbell, 1985); a win or loss never does, since the side that could escape into a repetition
//!   would have the draw. Proofs ignore it: the shortest win needs no repetition.
//! - *Repetition by the rules*: a position that has occurred twice in the game ends it when it is reached again, on
//!   every path and in proofs. Searches with different such positions, or with different numbers of plies to the limit
//!   of the game, use different salts, so that their entries do not mix; the prober is not used then. Where the rules
//!   count plies without capture, positions near their limit have separate salts, and no proof is requested that
//!   reaches it.
//! - *Contempt* and *bonuses at the root* (`contempt`, `root_bonus`) choose among moves. No score, proof or analysis
//!   contains them.
//! - *Reductions* never change an exact report: a late move that raises alpha is searched again in full, and proofs
//!   find the length of wins and losses.
//! - *`W n`* is reported when it is proved that the win takes exactly n plies with best play of both sides. *Proven
//!   depth* n promises that no win of the side to move in n plies or fewer is overlooked, and no loss of a reported
//!   line (`proof`).
//! - *Reproducible*: one thread with limits of depth or nodes alone visits the same nodes every time, whatever was
//!   searched before: it clears the histories and salts the table. The nodes of [`mod@bench`] are kept in
//!   `tests/search/signature.txt`.
//!
//! Tests: beside each file; `tests/search/` has exactness against retrograde analysis (`exact.rs`), history
//! (`history.rs`), reproducibility (`repeatable.rs`), strength (`strength.rs`, `privy-lab check`), repetition
//! (`progress.rs`), the signature (`signature.rs`).

mod alpha_beta;
pub mod bench;
// The hidden modules are public for the tests of this package, which are modules of the one test program.
#[doc(hidden)]
pub mod contempt;
mod context;
pub mod eval;
mod history;
mod iterative_deepening;
#[doc(hidden)]
pub mod limits;
#[doc(hidden)]
pub mod move_picker;
mod parameters;
pub mod proof;
#[doc(hidden)]
pub mod report;
#[doc(hidden)]
pub mod root_bonus;
#[doc(hidden)]
pub mod root_moves;
mod searcher;
#[doc(hidden)]
pub mod transposition_table;

pub use context::PreparedVariant;
pub(crate) use limits::StopOnPanic;
pub use limits::{MAX_DEPTH, Prober, SearchRequest, TimeManager};
pub use parameters::Parameters;
pub use privy_protocol::{Clock, Limits, Stop, nodes_per_second};
pub use report::{LiveAnalysis, LiveMove, Observer, RootFacts, SearchInfo, begin_alike};
pub use searcher::{SearchResult, Searcher};
