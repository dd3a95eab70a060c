//! Perfect play: solving a variant, keeping its table, probing it.
//!
//! A variant is solved for every position: who wins under best play, and in how many plies. Where the Rebels stand on at most 25
//! points all numbers of Rebels are solved at once, elsewhere one after the other. The file holds the positions with the Rebels to move; those with the General to move follow from its few
//! moves. See `docs/TABLES.md` for how it is done and how fast.
//!
//! ```no_run
//! use std::path::Path;
//! use std::sync::atomic::AtomicBool;
//! use privy::rules::Variant;
//! use privy::tablebase::{SolveOptions, Table, Value, solve};
//!
//! let variant = Variant::builtin("sixteen-rebels").expect("a built-in variant");
//! let path = Path::new("sixteen-rebels.privy");
//! solve(&variant, path, &SolveOptions::default(), &mut |_| {}, &AtomicBool::new(false))?;
//! assert_eq!(Table::open(path, &variant)?.probe(&variant.start())?, Value::Loss(40));
//! # Ok::<(), privy::tablebase::TableError>(())
//! ```

mod build;
mod by_layers;
mod compression;
mod counts;
mod effort;
mod error;
mod exchange;
mod file;
mod folder;
mod general_state;
mod index;
mod layout;
mod memory;
#[cfg(feature = "mpi")]
mod mpi;
mod numbering;
mod play_style;
mod ranking;
mod run;
mod sections;
mod table;
mod value;
mod verify;
mod whole_board;

pub use build::{SolveOptions, Solved, solve, solve_among};
pub use counts::known_counts;
pub use effort::{Effort, effort, is_solvable};
pub use error::{NotCovered, TableError};
pub use exchange::{Alone, Exchange};
pub use folder::{
    Tables, begun_files, chosen_folder, default_folder, delete_table, find_table, table_files, table_path,
};
pub use layout::{Counts, Layer};
#[cfg(feature = "mpi")]
pub use mpi::Mpi;
pub use play_style::{FallibleOpponent, PlayStyle, ValuedMove};
pub use run::{Progress, Resumed};
pub use table::{Decompressed, Table, TableFileInfo};
pub use value::Value;
pub use verify::{Mismatch, Sampled, Verified, verify, verify_sample};

#[cfg(test)]
mod tests;
