//! Perfect play: solving a variant, storing its table, probing it.
//!
//! A solve finds the value of every position: the winner under best play, and the plies to the end. One number of
//! Rebels is solved after the other, fewest first. The file holds the positions with the Rebels to move; those with the
//! General to move follow from its few moves. See `docs/TABLES.md` for methods and speed.
//!
//! ```no_run
//! use std::path::Path;
//! use privy_rules::Variant;
//! use privy_tables::{SolveOptions, Table, TableValue, solve};
//! use privy_protocol::Stop;
//!
//! let variant = Variant::builtin("sixteen-rebels").expect("a built-in variant");
//! let path = Path::new("sixteen-rebels.privy");
//! solve(&variant, path, &SolveOptions::default(), &mut |_| {}, &Stop::default())?;
//! assert_eq!(Table::open(path, &variant)?.probe(&variant.start())?, TableValue::Loss(40));
//! # Ok::<(), privy_tables::TableError>(())
//! ```

// The hidden modules are public for the tests of this package, which are modules of the one test program.
#[doc(hidden)]
pub mod by_layers;
#[doc(hidden)]
pub mod coding;
#[doc(hidden)]
pub mod compression;
mod error;
#[doc(hidden)]
pub mod file;
mod folder;
#[doc(hidden)]
pub mod kernel;
mod memory;
#[doc(hidden)]
pub mod numbering;
#[doc(hidden)]
pub mod sets;
mod solve;
#[doc(hidden)]
pub mod states;
mod table;
mod value;
mod verify;

pub use by_layers::{Exchange, Progress};
pub use coding::{Counts, Layer};
pub use error::{NotCovered, TableError};
pub use file::Header;
pub use folder::{Tables, begun_files, chosen_folder, delete_table, find_table, table_files, table_path};
pub use memory::Effort;
pub use solve::{SolveOptions, Solved, effort, effort_of, solve, solve_among, solve_in_memory};
pub use table::Table;
pub use value::TableValue;
pub use verify::{Mismatch, Verified, verify};
