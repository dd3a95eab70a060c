//! What the programs of Privy share as programs: the words of a command line that several have, their errors and exit
//! status, interrupts, standard output and progress.
//!
//! `privy`, `privy-lab` and `privy-verdicts` use it; no library does.

mod arguments;
mod error;
mod process;

pub use arguments::{
    MOST_MS, MOST_NODES, SolvableVariants, TablesArgument, VariantWord, find_variant, find_variants, is_path,
    read_arguments, within,
};
pub use error::CliError;
#[cfg(unix)]
pub use process::when_unread;
pub use process::{InterruptibleOutput, grouped, interrupt_stop, outlive_limits, progress_bar};
