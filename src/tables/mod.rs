//! Perfect play.
#![allow(missing_docs, dead_code)]
mod bits;
mod chains;
mod checkpoint;
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

pub use error::TableError;
pub use file::remove_unfinished;
pub use folder::{TableChoice, Tables, default_folder, table_files, table_path};
pub use header::{Counts, Layer};
pub use solve::{Progress, SolveOptions, Solved, is_solvable, solve};
pub use style::{PlayStyle, ValuedMove};
pub use table::{Table, TableFileInfo};
pub use unpacked::Unpacked;
pub use value::Value;
