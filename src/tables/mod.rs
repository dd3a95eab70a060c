//! Perfect play.
#![allow(missing_docs, dead_code)]
mod bits;
mod chains;
mod error;
mod file;
mod general_stage;
mod header;
mod map;
mod places;
mod rebels_stage;
mod section;
mod solver;
mod space;
mod table;
mod value;

pub use error::TableError;
pub use header::{Counts, Layer};
pub use table::Table;
pub use value::Value;
