//! Privy: an engine for the hunt games of one General against many Rebels.
//!
//! Modules in dependency order; nothing uses what stands below it:
//!
//! - `cpu`, `huge_pages`: hot code for the processor at hand, large memory.
//! - `bounded_read`, `atomic_file`, `line_file`: bounded reads; files replaced whole or not at all; resumable files of JSON lines.
//! - `message`: text from outside made safe to show, plurals, "did you mean …?".
//! - [`path_choice`], `part`: `auto`, `off` or a path; parts of a match for several processes.
//! - `program_stderr`: the standard error of child processes.
//! - [`random`]: pseudorandom numbers, the same in every run.
//! - [`toml_file`]: TOML files of users, and their faults line by line.
//! - [`games`]: the built-in games as data, a folder for each.
//! - [`board`]: named points, straight lines, and what follows from them; the board files.
//! - [`rules`]: variants, positions, legal moves, outcomes, texts, perft.
//! - [`render`]: positions drawn as text and as SVG.
//! - [`record`]: game records: written, read, checked against the rules.
//! - [`tablebase`]: perfect play: solving a variant, its table file, probing.
//! - [`eval`]: evaluation of positions: values, terms, weights.
//! - [`search`]: iterative deepening with a transposition table and a clock; proofs of exact wins and of openings; the benchmark of it.
//! - [`engine`]: one game with its history, options, clocks and searcher. Silent: verbs in, answers out.
//! - [`gtp`]: the protocol loops around the engine: whole moves, and half moves for GoGui.
//! - [`tournament`]: the referee of matches between engines.
//! - [`tuning`]: weights of the evaluation, fitted to games of the engine against itself; the laboratory (`privy-lab`) uses its games, too.
//! - [`cli`]: the command line: the loop, and a file for each subcommand beside it.

mod atomic_file;
pub mod board;
mod bounded_read;
pub mod cli;
mod cpu;
pub mod engine;
pub mod eval;
pub mod games;
pub mod gtp;
mod huge_pages;
mod line_file;
mod message;
mod part;
pub mod path_choice;
mod program_stderr;
pub mod random;
pub mod record;
pub mod render;
pub mod rules;
pub mod search;
pub mod tablebase;
pub mod toml_file;
pub mod tournament;
pub mod tuning;
