//! Tablebases: values against an independent solver and published solutions, verification, play.

mod by_repetition;
mod published;
mod random_games;
mod ranking;
mod small_boards;
