//! The referee: matches between engines that speak the protocol, as processes, with the rules on the referee's side.
//!
//! An engine is a program that someone else may have written, in any state of repair. The referee trusts none of its
//! answers: it keeps a [`Game`](crate::rules::Game) of its own, checks every move with it, measures the time itself,
//! and names what an engine does wrong. Nothing here uses the [`shell`](crate::shell), nor the shell anything here: the
//! two meet in the protocol alone.

mod openings;
pub mod statistics;

pub use openings::{BadOpening, Opening};
