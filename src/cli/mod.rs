//! The command line of `privy`: a file for each subcommand, its arguments and its work together.
//!
//! Only here is clap. The comments of arguments are the help texts. A subcommand writes its result to a writer and
//! returns errors; [`main`] turns them into words and an exit status.

mod board;
mod boards;
mod command_line;
mod common;
mod compliance;
mod error;
mod fit;
mod go;
mod matches;
mod measure;
mod perft;
mod probe;
mod prove;
mod replay;
mod session;
mod solve;
mod tables;
mod terminal;
mod variants;

pub use command_line::main;
pub use common::{TablesArgument, grouped, interrupt_flag};
pub use error::CliError;
