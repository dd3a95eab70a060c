//! The command line: a file for each subcommand. Only here is clap; a subcommand writes its result to a writer and returns errors.

mod arguments;
mod board;
mod compliance;
mod diagnostics;
mod error;
mod fit;
mod go;
mod loops;
mod matches;
mod perft;
mod replay;
mod run;
mod solve;
mod tables;
mod variants;

pub use error::CliError;
pub use run::{interrupt_flag, main, tables_folder};
