//! Game records: games with players, moves and results, comments and variations, written, read, and checked against the
//! rules.
//!
//! A record is text in the manner of PGN in chess (`docs/FORMATS.md` has the grammar), or a line of JSON with the same
//! content. Reading checks the form alone; [`Record::replay`] plays the moves by the rules. [`sgf`] has the same games
//! as half moves; [`RecordFormat`] reads and writes all three.
//!
//! ```
//! use privy_records::{GameResult, Record};
//!
//! let text = r#"
//! [General "Zhang"]
//! [Rebels "Li"]
//! [Variant "sixteen-rebels"]
//! [Result "*"]
//!
//! 1. c3-b2! {-0.31/8 12ms} {a bold start} (1. c3-c4) 2. a2-a3 *
//! "#;
//! let record: Record = text.parse().unwrap();
//! assert_eq!(record.result, GameResult::Unfinished);
//! let game = record.replay(None).unwrap();
//! assert_eq!(game.to_string(), "1/3/rrrrr/r3r/r3r/1G2r/rr1rr g - 1 2 sixteen-rebels");
//! ```

pub mod format;
mod glyph;
pub mod half_moves;
mod reader;
mod record;
pub mod sgf;
mod text;

pub use format::RecordFormat;
pub use glyph::Glyph;
pub use reader::{RecordError, records};
pub use record::{GameResult, Record, RecordedMove, ReplayError, Tag};
