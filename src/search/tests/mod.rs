//! Tests of the parts of the search.

mod bench;
mod bounds;
mod contempt;
mod default_weights;
mod distance_to_win;
mod evaluation;
mod limits;
mod move_picker;
mod nearness;
mod network;
mod report;
mod root_bonus;
mod terms;
mod transposition_table;
mod value;
mod weights;
