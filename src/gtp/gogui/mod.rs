//! The half-move session, for GoGui and for referees that know games whose moves are single points.
//!
//! | file | what it does |
//! |---|---|
//! | `vertex` | points as clients of other games write them |
//! | `game` | a game that is played half move by half move |
//! | `graphics` | drawing commands, and live graphics |
//! | `choice` | chooses half moves: a decision is a whole move |
//! | `rules` | what a client asks that leaves the rules to the engine |
//! | `analysis` | what the engine knows, drawn on the board of a client |
//! | `session` | the session |

mod analysis;
mod choice;
mod game;
mod graphics;
mod rules;
mod session;
mod vertex;

pub use session::run;
