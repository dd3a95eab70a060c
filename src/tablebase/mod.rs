//! Perfect play: solving a variant, keeping its table, asking it.
//!
//! A variant whose Rebels stand on at most 25 points is solved whole: for every position who wins under best play, and in
//! how many plies. The file holds the positions with the Rebels to move; those with the General to move follow from his few
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

mod bits;
mod chains;
mod checkpoint;
mod counts;
mod coverage;
mod error;
mod file;
mod folder;
mod general_stage;
mod header;
mod map;
mod places;
mod rebels_stage;
mod section;
mod solve;
mod solver;
mod space;
mod style;
mod table;
mod unpacked;
mod value;
mod verify;

pub use counts::{KnownCounts, known_counts};
pub use error::{NotCovered, TableError};
pub use file::remove_unfinished;
pub use folder::{TableChoice, Tables, default_folder, table_files, table_path};
pub use header::{Counts, Layer};
pub use solve::{Progress, SolveOptions, Solved, is_solvable, solve};
pub use style::{FallibleOpponent, PlayStyle, ValuedMove};
pub use table::{Table, TableFileInfo};
pub use unpacked::Unpacked;
pub use value::Value;
pub use verify::{Mismatch, Verified, verify};

#[cfg(test)]
mod tests;
