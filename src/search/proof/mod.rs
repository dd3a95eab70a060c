//! Proofs: exact wins in a search, and strategies for whole openings.
//!
//! # The exact proof search
//!
//! Alpha-beta weighs positions; the proof search answers yes or no to one claim: *this side has a forced win within n
//! plies*. It is a depth-first AND/OR search: the winner needs one move that wins (OR), the other side one that escapes
//! (AND). Without evaluations a yes or no prunes far more than alpha-beta does, so that the proof search looks much
//! deeper.
//!
//! `root_proof` asks the `prover` about each root move for 1 ply, then 2, then 3. A "yes" for n after a "no" for n - 1
//! is a win in exactly n plies with best play of both sides. Only then it is reported as `W n`, with a line of n plies.
//! A win that alpha-beta claims is a win, but may have a shorter one beside it: until it is proved itself it is
//! reported as an evaluation at the end of the band. The proven depth of a report is the largest n for which all
//! questions have been answered.
//!
//! The proof budget follows from the nodes of alpha-beta (`ProofRequest` in `root_proof`): an eighth of them, four for
//! each one after a time, and eight times as many when alpha-beta claims a win or loss or a side is clearly ahead.
//!
//! With n plies left most positions cannot be won in time. Admissible bounds show that: they take the task as easier
//! than it is, so they never exclude a win.
//!
//! - `bounds`: tables of a variant (the reach of the General, the points that must hold Rebels to beat it), and the
//!   fewest steps that bring Rebels to a set of points.
//! - `distance_to_win`: both together, the points to which the first step of a win in n plies must lead. The prover
//!   generates those steps alone.
//!
//! Invariants:
//!
//! - An entry in the transposition table says "wins within p plies" and "does not win within r plies" for one winner,
//!   under a separate salt. An aborted question leaves no entry.
//! - A third occurrence of a position of the game is a "yes" for a side that wins by repetition, else a "no". The
//!   bounds are unused where a side may win so, and the salt separates such answers. Within a proof repetition does not
//!   matter: the shortest win repeats nothing.
//!
//! Tests: beside `distance_to_win` and `bounds` against the rules alone; `tests/search/exact.rs` compares whole
//! searches with retrograde analysis; `tests/search/history.rs` plays with repetition and limits of plies.
//!
//! # Openings
//!
//! Where a game is won in 70 plies, no search of uniform depth sees the end. But the winner needs only one move for
//! each reply, and a search of some ten thousand nodes nearly always finds a good one. So the leaves of a `best_first`
//! search are whole searches ("job-level proof-number search", I-C. Wu et al., 2011): each finds the best move and its
//! evaluation, or proves the win. The search goes where the least effort is expected and is done when every reply has
//! an answer.
//!
//! - `strategy`: a [`Proof`], and play by it. `check`: its check by the rules alone. `file`: proof files.
//! - `leaf`: the search of a leaf. `best_first`: the tree. `prove`: the threads that search its leaves.
//!
//! Invariants:
//!
//! - *A proof rests on proofs*: a position counts as won when a search has proved it, or when every reply to one move
//!   leads to positions that count as won already. Evaluations only guide the search.
//! - *The number of plies falls* along every line of a win, so that a repetition proves nothing.
//! - *The result of a leaf depends on the leaf and the settings alone*; a stopped search is thrown away. With one
//!   thread the same request makes the same proof.

mod best_first;
pub mod bounds;
mod check;
#[doc(hidden)]
pub mod distance_to_win;
mod file;
mod leaf;
mod prove;
pub(super) mod prover;
pub(super) mod root_proof;
mod strategy;

pub use best_first::ProveProgress;
pub use check::{CheckedProof, ProofFault};
pub use file::ProofFileError;
pub use prove::{ProveError, ProveRequest, prove};
pub use strategy::{Proof, ProofMove};
