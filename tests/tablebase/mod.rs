//! Tablebases: values against an independent solver, verification, play.

mod by_repetition;
mod ranking;
mod small_boards;
