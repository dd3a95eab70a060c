//! Where the games of a match begin.
//!
//! These games are lopsided: from most openings one side wins whatever the other does, and a match from there says little. So
//! a match can begin where something depends on the players. No opening of a match is another one's mirror image or the same,
//! and all depend on the seed alone: never on the number of threads, nor on the machine.

mod balanced;
mod choice;
mod opening;

pub use choice::{BadOpenings, OpeningsChoice};
pub use opening::{BadOpening, Opening, OpeningsError, OpeningsRequest};
