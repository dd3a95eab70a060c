//! The command line: every subcommand as a user runs it.
#![allow(clippy::print_stdout, clippy::print_stderr, clippy::unwrap_used)]

mod commands;
mod fit;
mod measure;
mod prove;
mod prove_elsewhere;
mod prove_play;
mod replay;
mod solve_and_tables;
#[path = "../support/mod.rs"]
mod support;
mod terminal;
mod variants;
mod wrong_files;
