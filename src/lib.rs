//! Privy: an engine for the hunt games of one General against many Rebels.
//!
//! Modules in dependency order; nothing uses what stands below it:
//!
//! - [`path_choice`]: `auto`, `off` or a path.
//! - `cpu`: hot code compiled twice; the processor at hand chooses.
//! - `sync`: what threads share, by names behind which tests put models.
//! - `bounded_read`: files that somebody else may have made, read up to a bound.
//! - [`atomic_file`]: files that are written whole or not at all.
//! - `file_lock`: files that one process at a time writes.
//! - `message`: text that comes from outside made fit to be shown and kept.
//! - `huge_pages`: large memory that is read at random places.
//! - `line_file`: files of lines of JSON to which an interrupted run adds more.
//! - `noun`: nouns behind numbers.
//! - `part`: parts of a work that several processes do.
//! - `program_stderr`: what programs that were started say on standard error.
//! - [`random`]: numbers that look random and are the same in every run.
//! - `similar`: "did you mean …?".
//! - [`toml_file`]: TOML files that somebody wrote, and what is wrong with them, line by line.
//! - [`games`]: the built-in games as data, a folder for each.
//! - [`board`]: named points, straight lines, and what follows from them; the board files.
//! - [`rules`]: variants, positions, legal moves, outcomes, texts, perft.
//! - [`render`]: positions drawn as text and as SVG.
//! - [`record`]: game records: written, read, checked against the rules.
//! - [`proofs`]: strategies that win, as files that anyone can check.
//! - [`tablebase`]: perfect play: solving a variant, keeping its table, asking it.
//! - [`eval`]: evaluation of positions: values, terms, weights.
//! - [`search`]: iterative deepening with a transposition table and a clock; proofs of exact wins; the benchmark of it.
//! - [`prove`]: proofs of openings: best-first search whose leaves are whole searches.
//! - [`engine`]: one game with its history, options, clocks and searcher. Silent: verbs in, answers out.
//! - [`gtp`]: the protocol loops around the engine: whole moves, and half moves for GoGui.
//! - [`tournament`]: the referee of matches between engines.
//! - [`tuning`]: what is fitted to games: weights of the evaluation, skill levels, win rates; and how well the engine plays without tables.
//! - [`cli`]: the command line: the loop, and a file for each subcommand beside it.

pub mod atomic_file;
pub mod board;
mod bounded_read;
pub mod cli;
mod cpu;
pub mod engine;
pub mod eval;
mod file_lock;
pub mod games;
pub mod gtp;
mod huge_pages;
mod line_file;
mod message;
mod part;
pub mod path_choice;
mod program_stderr;
pub mod proofs;
pub mod prove;
pub mod random;
pub mod record;
pub mod render;
pub mod rules;
pub mod search;
mod sync;
pub mod tablebase;
pub mod toml_file;
pub mod tournament;
pub mod tuning;
