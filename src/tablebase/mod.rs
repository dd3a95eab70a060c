//! Perfect play: solving a variant, storing its table, probing it.
//!
//! A solve finds the value of every position: the winner under best play, and the plies to the end. Where the Rebels stand on at most 25
//! points all numbers of Rebels are solved at once, elsewhere layer by layer. The file holds the positions with the Rebels to move; those
//! with the General to move follow from its few moves. See `docs/TABLES.md` for methods and speed.
//!
//! ```no_run
//! use std::path::Path;
//! use privy::rules::Variant;
//! use privy::search::Stop;
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
mod error;
mod exchange;
mod file;
mod folder;
mod general_state;
mod layout;
#[cfg(feature = "mpi")]
mod mpi;
mod numbering;
mod play_style;
mod run;
mod table;
mod value;
mod verify;
mod whole_board;

pub use build::{Effort, SolveOptions, Solved, effort, effort_of, is_solvable, solve, solve_among};
pub use error::{NotCovered, TableError};
pub use exchange::{Alone, Exchange};
pub use folder::{Tables, begun_files, chosen_folder, delete_table, find_table, table_files, table_path};
pub use layout::{Counts, Layer};
#[cfg(feature = "mpi")]
pub use mpi::Mpi;
pub use play_style::{FallibleOpponent, PlayStyle, ValuedMove};
pub use run::{Progress, Resumed};
pub use table::{Decompressed, Table, TableFileInfo};
pub use value::Value;
pub use verify::{Mismatch, Sampled, Verified, known_counts, verify, verify_sample};

#[cfg(test)]
mod tests;
