//! The half-move session, for GoGui and for referees that know games whose moves are single points.

mod analysis;
mod analysis_form;
mod choice;
mod commands;
mod game;
mod graphics;
mod rules;
mod session;
mod vertex;

pub use analysis_form::AnalysisForm;
pub use commands::{HalfMoveCommand, HalfMoveRequest, all_names, help, own_names, shared_names};
pub use session::run;
