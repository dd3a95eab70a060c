//! The half-move session, for GoGui and for referees that know games whose moves are single points.

mod analysis;
mod choice;
mod game;
mod graphics;
mod rules;
mod session;
mod vertex;

pub use session::run;
