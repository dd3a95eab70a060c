//! The command line: every subcommand as a user runs it.

mod analyze;
mod commands;
mod json;
mod outside;
mod play;
mod prove;
mod prove_play;
mod puzzles;
mod reference;
mod replay;
mod review;
mod solve_and_tables;
mod terminal;
mod variants;
mod weights;
mod wrong_files;
