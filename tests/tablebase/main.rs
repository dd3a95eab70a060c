//! Tablebases: values against an independent solver, verification, play.
#![allow(clippy::print_stdout, clippy::print_stderr, clippy::unwrap_used)]

mod by_repetition;
mod ranking;
mod small_boards;
mod speed;
#[path = "../support/mod.rs"]
mod support;
mod verified;
