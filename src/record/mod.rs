//! Game records: games with players, moves and results, written, read, and checked against the rules.
//!
//! A record is text in the manner of PGN in chess (`docs/FORMATS.md` has the grammar), or a line of JSON with the same
//! content. Reading checks the form alone; [`Record::replay`] plays the moves by the rules.
//!
//! ```
//! use privy::record::{GameResult, Record};
//!
//! let text = r#"
//! [General "Zhang"]
//! [Rebels "Li"]
//! [Variant "sixteen-rebels"]
//! [Result "*"]
//!
//! 1. c3-b2 {-0.31/8 12ms} 2. a2-a3 *
//! "#;
//! let record: Record = text.parse().unwrap();
//! assert_eq!(record.result, GameResult::Unfinished);
//! let game = record.replay(None).unwrap();
//! assert_eq!(game.to_string(), "1/3/rrrrr/r3r/r3r/1G2r/rr1rr g - 1 2 sixteen-rebels");
//! ```

mod read;
mod replay;
mod sgf;
mod types;

pub use read::{RecordError, records};
pub use replay::{ReplayError, WRONG_STATUS};
pub use sgf::{Sgf, is_sgf, sgf_records, write_sgf};
pub use types::{BadTagName, GameResult, NotAResult, Record, RecordedMove, Tag};

#[cfg(test)]
mod tests;
