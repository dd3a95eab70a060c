//! The engine: one game, its history, options and clocks, and a searcher. It prints nothing.
//!
//! A Rust program that plays, analyses or solves these games needs no process and no protocol: it takes this package or
//! one that it uses. The protocol loop is one program that embeds it. A call that fails changes nothing.
//!
//! ```
//! use privy_engine::Engine;
//! use privy_search::{Limits, Stop};
//!
//! let mut engine = Engine::new();
//! engine.choose_variant("monk-and-water")?;
//! engine.play(None, "c1-c2")?;
//! let limits = Limits { depth: Some(3), ..Limits::default() };
//! let found = engine.go(&limits.into(), &Stop::default(), Some(&mut |info| println!("{info:?}")))?;
//! assert!(engine.game().legal_moves().contains(&found.best));
//! # Ok::<(), privy_engine::EngineError>(())
//! ```
//!
//! Longer examples: `cargo run --release -p privy-engine --example play_game` plays a game between two strengths,
//! `--example analyze` analyses in a thread until it is stopped, and `-p privy-tables --example solve` solves a custom
//! game in memory.
//!
//! # Packages
//!
//! Take the last that you need; those before it come with it. They are not on crates.io: name them by path or by git,
//! `privy-engine = { path = "privy/src/engine" }`.
//!
//! | package | for | foreign crates in all |
//! |---|---|---|
//! | `privy-protocol` | engines and clients of the protocol in Rust, without a game | 14 |
//! | `privy-base` | nothing outside the house: files, messages, threads | 26 |
//! | `privy-rules` | rules, positions, moves, drawings, custom games | 43 |
//! | `privy-records` | game records: text, JSON, SGF, half moves | 43 |
//! | `privy-tables` | perfect play: solving, probing | 50 |
//! | `privy-search` | search, evaluation, proofs, without tables | 48 |
//! | `privy-engine` | an opponent with options, levels, clocks, tables; the session that answers lines | 55 |
//!
//! The figures are those of Linux. There is no C code, command line, terminal or database, and all compile for
//! `wasm32-unknown-unknown`. Rust 1.89 or later.
//!
//! # Manners
//!
//! - **Errors.** Whatever a text, file or option says, the answer is an error with what was wrong and what would be
//!   right, and nothing has changed. A panic is a defect. What a program must do itself is named where it is so:
//!   `Game::play` takes a move of `legal_moves`, or one that `parse_move` has read.
//! - **Stops.** Long work takes a [`Stop`](privy_protocol::Stop), whose clones share one signal, and ends within a
//!   second after it is set. A search that is stopped still has a legal move.
//! - **Threads.** An [`Engine`] is `Send` and is used by one thread only; [`Engine::clone_sharing_tables`] makes
//!   another for the same game, which shares its tables. A `Table` is probed by any number of threads. A search has one
//!   thread unless the option `threads` says otherwise; only with one, and limits of depth or nodes, it is the same
//!   every time. Solving takes all cores.
//! - **Memory.** The transposition table has 256 MiB, taken at the first search (option `hash`).
//! - **Files.** An [`Engine`] looks for tables and proofs in the user's cache folder, and writes nothing there. With
//!   the option `tables` it looks elsewhere, or nowhere (`off`). `privy-rules` and `privy-search` read files only where
//!   a path is given.
//! - **Messages** go to the crate `log`; standard output is never written to.
//! - **Time** is that of [`privy_protocol::Instant`], which also runs in a browser.
//!
//! # Promises
//!
//! - **Kept**: text forms, records, fingerprints, phrases of errors, commands and their answers, rules of the built-in
//!   games. A change is an addition, or is named in `docs/CHANGELOG.md` with a new protocol version.
//! - **Kept within a minor version**: what the examples use, and `Game`, `Variant`, `Position`, `MovePath`, `Outcome`,
//!   `MoveError`, `VariantError`, `render` of `privy-rules`; `Record`, `RecordFormat`, `GameResult` of
//!   `privy-records`; `Table`, `Tables`, `TableValue`, `TableError`, `solve`, `SolveOptions` of `privy-tables`;
//!   `Searcher`, `SearchRequest`, `SearchResult` of `privy-search`; `Engine`, `EngineError`, `Options` of this package;
//!   `Side`, `Score`, `Verdict`, `Limits`, `TimeControl`, `Clock`, `SearchInfo`, `Stop`, `Client` of `privy-protocol`.
//!   Names and meaning stay; fields and cases may be added, so construct with `..Default::default()` and match with a
//!   last arm `_`.
//! - **Free to change**: everything else that is `pub`; the format of table files, which have a number, and another
//!   version may ask for the game to be solved again; values of the evaluation, numbers of nodes, the choice among good
//!   moves. Proved wins, losses and draws do not change.

mod analysis;
mod catalogue;
#[allow(clippy::module_inception)]
mod engine;
mod explain;
mod facts;
mod go;
mod long_search;
mod options;
mod play_style;
mod proof_play;
mod review;
pub mod session;
mod skill;
mod tablebase_play;
mod win_rate;

pub use analysis::Analysis;
pub use engine::{Engine, unknown_variant};
pub use go::TIME_PER_MOVE;
pub use options::Options;
pub use play_style::{FallibleOpponent, PlayStyle, rank_by_style};
pub use privy_base::path_choice::PathChoice;
/// The error of a call, under the name that embedding programs know.
pub use privy_protocol::ProtocolError as EngineError;
pub use review::{GameReview, Judgement, MoveReview, TIME_PER_POSITION};
pub use skill::{LEVELS, blunder};
pub use win_rate::WinRate;
