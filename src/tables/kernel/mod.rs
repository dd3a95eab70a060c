//! The solver: retrograde analysis of one layer after the other, by planes of bits.
//!
//! A *layer* is all positions with a number of Rebels. Captures lead to layers below, which are solved before, and all
//! other moves stay in the layer. `places` and `index` say where the bit of a position is, `plane` handles 2,048 of
//! them at once. `moves` compiles the rules. `layer` computes a ply after the other: `rows` finds where the last one
//! has changed something, `rebels` and `general` the positions that either side wins or loses. What the Rebels'
//! positions are worth goes to the `log`; `solver` makes sections of it, and `captures` reads these for the layers
//! above.

mod captures;
mod cells;
mod free_jumps;
mod general;
mod index;
mod layer;
mod light;
mod log;
mod memory;
mod moves;
mod places;
mod plane;
mod ply;
mod rebels;
mod rows;
mod solver;

pub(crate) use layer::LayerBits;
pub(crate) use memory::LayerMemory;
pub use moves::knows;
pub use places::Places;
pub(crate) use ply::Ply;
pub use solver::Kernel;

/// The bits of a word that are set. A loop over them is compiled for the instructions of the function that it is in; a
/// closure would not be.
#[inline(always)]
fn ones(word: impl Into<u64>) -> impl Iterator<Item = u32> {
    let mut rest = word.into();
    std::iter::from_fn(move || {
        let bit = (rest != 0).then(|| rest.trailing_zeros());
        rest &= rest.wrapping_sub(1);
        bit
    })
}

/// By item, a bit that says whether something holds, for up to 64.
#[inline(always)]
fn bits_where<T>(items: &[T], holds: impl Fn(&T) -> bool) -> u64 {
    (0..).zip(items).fold(0, |bits, (number, item)| bits | u64::from(holds(item)) << number)
}
