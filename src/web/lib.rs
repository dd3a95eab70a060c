//! The page in the browser: one HTML file without a framework, in files by subject in `page`. Its engine is the program
//! that serves it, or the same session compiled for the browser and put into the file: two back ends that carry lines
//! of the protocol.

#[cfg(target_family = "wasm")]
pub mod browser;
#[cfg(not(target_family = "wasm"))]
mod page;
#[cfg(not(target_family = "wasm"))]
mod puzzles;

#[cfg(not(target_family = "wasm"))]
pub use page::{Begin, page};
#[cfg(not(target_family = "wasm"))]
pub use puzzles::{Puzzle, PuzzleGoal};
