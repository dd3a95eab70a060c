//! The solver: retrograde analysis of one layer after the other, by planes of bits.
//!
//! A *layer* is all positions with a number of Rebels. Captures lead to layers below, which are solved before, and all other moves stay
//! in the layer. `places` and `index` say where the bit of a position is, `plane` handles 2,048 of them at a time. `moves` compiles the
//! rules. `layer` solves a layer ply by ply: in each one `rebels` and `general` find the positions that one side or the other wins or
//! loses; what the Rebels' positions are worth goes to the `log`, and `captures` reads it for the layers above.

mod captures;
mod general;
mod index;
mod layer;
mod log;
mod moves;
mod places;
mod plane;
mod ply;
mod rebels;
mod rows;

pub use index::Index;
pub use layer::{Kernel, SolvedLayer};
pub use moves::{Moves, knows};
pub use places::Places;

/// The bits of a word that are set. A loop over them is compiled for the instructions of the function that it is in; a closure would not be.
#[derive(Debug, Clone, Copy)]
struct Ones(u32);

impl Iterator for Ones {
    type Item = u32;

    #[inline(always)]
    fn next(&mut self) -> Option<u32> {
        let bit = (self.0 != 0).then(|| self.0.trailing_zeros());
        self.0 &= self.0.wrapping_sub(1);
        bit
    }
}
