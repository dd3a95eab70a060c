//! Records written, read, and held against the rules.

mod forms;
mod half_moves;
mod random_games;
mod replays;
mod round_trips;
mod sgf;
