//! What the packages of the engine share and no game knows.
//!
//! - [`bounded_read`], [`atomic_file`]: bounded reads; files replaced whole or not at all.
//! - [`json`]: objects of JSON and the words of its faults.
//! - [`message`]: text from outside made safe to show, plurals, "did you mean …?".
//! - [`path_choice`]: `auto`, `off` or a path.
//! - [`random`]: pseudorandom numbers, the same in every run.
//! - [`cpu`], [`huge_pages`], [`memory`], [`threads`]: hot code for the processor at hand, large memory, as much of it
//!   and as many threads as the system gives.

pub mod atomic_file;
pub mod bounded_read;
pub mod cpu;
pub mod huge_pages;
pub mod json;
pub mod memory;
pub mod message;
pub mod path_choice;
pub mod random;
pub mod threads;
