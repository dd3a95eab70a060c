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

mod block;
mod build;
mod by_layers;
mod checkpoint;
mod compression;
mod counts;
mod error;
mod exchange;
mod file;
mod finished_layers;
mod folder;
mod general_states;
mod general_to_move;
mod index;
mod jump_chains;
mod layout;
mod marks;
#[cfg(feature = "mpi")]
mod mpi;
mod numbering;
mod play_style;
mod ranking;
mod rebels_to_move;
mod retrograde;
mod table;
mod value;
mod verify;

pub use build::{Effort, Progress, Resumed, SolveOptions, Solved, effort, is_solvable, solve, solve_among};
pub use counts::known_counts;
pub use error::{NotCovered, TableError};
pub use exchange::{Alone, Exchange};
pub use folder::{
    Tables, begun_files, chosen_folder, default_folder, delete_table, find_table, table_files, table_path,
};
pub use layout::{Counts, Layer};
#[cfg(feature = "mpi")]
pub use mpi::Mpi;
pub use play_style::{FallibleOpponent, PlayStyle, ValuedMove};
pub use table::{Decompressed, Table, TableFileInfo};
pub use value::Value;
pub use verify::{Mismatch, Sampled, Verified, verify, verify_sample};

#[cfg(test)]
mod tests;
