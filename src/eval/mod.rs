//! Evaluation of positions that are not decided, in hundredths of a Rebel.

mod evaluation;
mod known_weights;
mod patterns;
mod piece_square;
mod terms;
mod value;
mod weights;
mod weights_file;

pub use evaluation::Evaluation;
pub use patterns::Patterns;
pub use terms::Terms;
pub use value::{MAX_DISTANCE, Score, plies};
pub use weights::{SideWeights, Weights};
pub use weights_file::WeightsError;
