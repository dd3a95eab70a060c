//! Tablebases: values against an independent solver and published solutions, verification, play.

mod by_repetition;
mod published;
mod ranking;
mod small_boards;
