//! Where the games of a match begin.

mod opening;

pub use opening::{BadOpening, Opening};
