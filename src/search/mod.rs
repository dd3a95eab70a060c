//! The search: from a game and limits to a best move.
//!
//! ```
//! use privy::rules::Variant;
//! use privy::search::{Limits, Searcher, Stop};
//!
//! let game = Variant::builtin("sixteen-rebels-murray").unwrap().start();
//! let limits = Limits { depth: Some(4), ..Limits::default() };
//! let found = Searcher::new(1).search(&game, &limits, &Stop::default(), &mut |_| {}).unwrap();
//! assert!(game.legal_moves().contains(&found.best));
//! ```
//!
//! # The way of a search
//!
//! A [`Searcher`] prepares table, histories and what it must know of the variant ([`PreparedVariant`]), and starts the threads.
//! Each thread deepens iteratively: it searches the root moves to one ply more each time (`iterative_deepening`), with
//! principal variation search in a narrow window (`alpha_beta`), best moves first (`move_picker`). After each iteration the
//! proof search (`proof`) finds out which root moves win or lose, and in how many plies exactly; then every line is reported.
//! The threads share the transposition table and leave each other the moves that another one is searching (`threads`). The
//! first thread decides when the search ends: by a limit, by the clock, by a stop, or because all is proved.
//!
//! `context` holds what all of them borrow, among it how nodes are counted, which entries of the table must not mix, and exact
//! values from outside (a [`Prober`]). A [`LiveAnalysis`] shows scores of all moves while the search runs. [`RootBounds`] are proved beside a
//! search, and change what is reported and played, not what is searched.
//!
//! # Values
//!
//! Values are of the side to move, in hundredths of a Rebel or as a win or loss in plies ([`Value`](crate::eval::Value)). In the
//! search wins are counted from the root, in the table from the position; `from_root` and `from_node` convert.
//!
//! # Invariants
//!
//! - *A win or loss in the transposition table is one on every way to the position.* A search that was stopped writes nothing.
//! - *No progress is a draw*: in alpha-beta a position that has occurred before, on the way from the root or in the game since the
//!   last capture, counts as a draw, so that a cycle is never an advantage and a side that is ahead tries something else. An
//!   evaluation in the table may rest on such a draw of another way ("graph history interaction", M. Campbell, 1985); a win or
//!   loss never does, since the side that could escape into a repetition would have the draw. Proofs know nothing of it: the
//!   shortest win needs no repetition.
//! - *Repetition by the rules* counts where the game has brought it: a position that has occurred twice in the game is a draw when
//!   it is reached again, on every way, for proofs, too. Searches with different such positions, or with different numbers of
//!   plies left to the limit of the game, use different salts, so that their entries do not mix. For the same reason the prober
//!   is left aside then. Where the rules count plies without capture, positions near their limit have salts of their own, and
//!   no proof is asked for that reaches it.
//! - *Contempt* lets Rebels avoid draws in games to which nothing was fitted, and a General against Rebels who go in circles; *bonuses at
//!   the root* (`hunt`, `approach`) choose among moves, for opponents who err and for such games. No score, proof or analysis has them.
//! - *Reductions* hide nothing that is reported as exact: a late move is searched less deep, and again in full when it raises
//!   alpha; what is won or lost, and in how many plies, the proofs find out beside it.
//! - *`W n`* is reported when it is proved that the win takes exactly n plies with best play of both sides. *Proven depth* n
//!   promises that no win of the side to move in n plies or fewer is overlooked, and no loss of a reported line. `proof`
//!   says how.
//! - *Reproducible*: one thread with limits of depth or nodes alone visits the same nodes every time, whatever was searched
//!   before: it clears the histories and salts the table. The nodes of [`mod@bench`] are kept in `tests/search/signature.txt`.
//!
//! Tests: beside each file; `tests/search/` has exactness against retrograde analysis (`exact.rs`), history (`history.rs`),
//! reproducibility (`repeatable.rs`), strength (`strength.rs`, `keeps.rs`), repetition (`progress.rs`), the signature (`signature.rs`).

mod alpha_beta;
mod approach;
pub mod bench;
mod contempt;
mod context;
mod hunt;
mod iterative_deepening;
mod limits;
mod live_analysis;
mod move_picker;
mod proof;
mod report;
mod root_bounds;
mod root_moves;
mod searcher;
mod slot;
mod threads;
mod transposition_table;

pub use context::{PreparedVariant, Prober};
pub(crate) use limits::StopOnPanic;
pub use limits::{Clock, Limits, MAX_DEPTH, Stop, TimeManager};
pub use live_analysis::LiveAnalysis;
pub use proof::prover::WinFinder;
pub use report::{LiveMove, SearchInfo};
pub use root_bounds::RootBounds;
pub use searcher::{SearchResult, Searcher, nodes_per_second};
