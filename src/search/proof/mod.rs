//! Exact wins: the proof search and its admissible bounds.
//!
//! Alpha-beta weighs positions; the proof search asks one question with two answers: *has this side a forced win within n
//! plies?* It is a depth-first AND/OR search: the winner needs one move that wins (OR), the other side one that escapes (AND).
//! Yes or no without evaluations cuts so much that it looks much deeper than alpha-beta does.
//!
//! # From a question to a length
//!
//! [`root_proof`] asks the [`prover`] about each root move for 1 ply, then 2, then 3. After "no" for n - 1 and "yes" for n the
//! win takes exactly n plies: the winner has no shorter way, the loser no longer one. Only then is it reported as `W n`; the
//! line with it is best play of both sides and is n plies long. A win that alpha-beta claims is a win, but may have a shorter
//! one beside it: until the proofs have refuted all fewer plies it is shown as an evaluation at the end of the band. The proven
//! depth of a report is the largest n for which all questions have been answered: no win of the side to move in n plies or
//! fewer is overlooked, and no loss of a reported line.
//!
//! How many nodes proofs may take follows from the iteration before them (`Iteration` in [`root_proof`]): a share of the nodes
//! of alpha-beta, more when that claims a win or loss.
//!
//! # What is not searched
//!
//! With n plies left most positions can't be won in time. Three files find that out, each with bounds that are admissible: they
//! take the task as easier than it is, so they never exclude a win.
//!
//! - [`bounds`]: tables compiled once for a variant: how far the General gets in so many moves, which points must hold Rebels to
//!   beat it where.
//! - [`rebel_distance`]: the fewest steps that bring Rebels to a set of points.
//! - [`distance_to_win`]: both together, and the General's escapes: can there be a win in n plies, and to which points must the
//!   first step of it lead? The prover generates those steps alone.
//!
//! # Invariants
//!
//! - An entry in the transposition table says "wins within p plies" and "does not win within r plies" for one winner. It lies
//!   under a salt of its own, apart from the entries of alpha-beta, and never depends on a clock: a question that was given up
//!   leaves no entry.
//! - A position that has occurred twice in the game ends it when it comes again: a "yes" for a side that wins by repetition, else a
//!   "no". The bounds are left out where a side may win so, and the salt of a search keeps such answers apart. Within a proof repetition needs no care: the shortest win repeats nothing.
//! - Exact values of a prober are used as they are.
//!
//! Tests: beside [`distance_to_win`] and [`rebel_distance`] against the rules alone; `tests/search/exact.rs` compares whole
//! searches with retrograde analysis; `tests/search/history.rs` plays with repetition and limits of plies.

pub(super) mod bounds;
mod distance_to_win;
pub(super) mod prover;
mod rebel_distance;
pub(super) mod root_proof;
