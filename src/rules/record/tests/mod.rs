//! Records written, read, and held against the rules.

mod forms;
mod replays;
mod round_trips;
