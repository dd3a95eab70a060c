//! Privy: an engine for the hunt games of one General against many Rebels.
//!
//! Modules in dependency order; nothing uses what stands below it:
//!
//! - [`board`]: named points, straight lines, and what follows from them; the board files.
//! - [`rules`]: variants, positions, legal moves, outcomes, texts, perft.
//! - [`draw`]: positions drawn as text and as SVG.
//! - [`search`]: iterative deepening with a transposition table, evaluation and clock; the benchmark of it.
//! - [`engine`]: one game with its history, options, clocks and searcher. Silent: verbs in, answers out.
//! - [`shell`]: the protocol loops around the engine: whole moves, and half moves for GoGui.
//! - [`tools`]: what the command line offers beside the loop.

pub mod board;
pub mod draw;
pub mod engine;
pub mod rules;
pub mod search;
pub mod shell;
pub mod tables;
pub mod tools;
