//! Exact wins: the proof search and its admissible bounds.
//!
//! Alpha-beta weighs positions; the proof search asks one question with two answers: *has this side a forced win within n
//! plies?* It is a depth-first AND/OR search: the winner needs one move that wins (OR), the other side one that escapes (AND).
//! Without evaluations a yes or no prunes far more than alpha-beta does, so that the proof search looks much deeper.
//!
//! # From a question to a length
//!
//! [`root_proof`] asks the [`prover`] about each root move for 1 ply, then 2, then 3. A "yes" for n after a "no" for n - 1 is a win in exactly n
//! plies with best play of both sides. Only then it is reported as `W n`, with a line of n plies. A win that alpha-beta claims is a win, but may
//! have a shorter one beside it: until all fewer plies are refuted it is reported as an evaluation at the end of the band. The proven
//! depth of a report is the largest n for which all questions have been answered.
//!
//! The proof budget in nodes follows from the iteration before (`Iteration` in [`root_proof`]): a share of the nodes of alpha-beta, more
//! when that claims a win or loss.
//!
//! # Pruning
//!
//! With n plies left most positions cannot be won in time. Admissible bounds show that: they take the task as easier than it is, so they
//! never exclude a win.
//!
//! - [`bounds`]: tables of a variant (the reach of the General, the points that must hold Rebels to beat it), and the fewest steps that
//!   bring Rebels to a set of points.
//! - [`distance_to_win`]: both together, with the General's escapes: can there be a win in n plies, and to which points must its first
//!   step lead? The prover generates those steps alone.
//!
//! # Invariants
//!
//! - An entry in the transposition table says "wins within p plies" and "does not win within r plies" for one winner, under a salt of
//!   its own. An aborted question leaves no entry.
//! - A third occurrence of a position of the game is a "yes" for a side that wins by repetition, else a "no". The bounds are unused where a side
//!   may win so, and the salt keeps such answers apart. Within a proof repetition does not matter: the shortest win repeats nothing.
//!
//! Tests: beside [`distance_to_win`] and [`bounds`] against the rules alone; `tests/search/exact.rs` compares whole searches with
//! retrograde analysis; `tests/search/history.rs` plays with repetition and limits of plies.

pub(super) mod bounds;
mod distance_to_win;
pub(super) mod prover;
pub(super) mod root_proof;
