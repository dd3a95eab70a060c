//! What it takes to solve a variant, and whether that may be expected.

use crate::rules::Variant;

use super::by_layers;
use super::error::{TableError, USUAL_MEMORY};
use super::general_state::GeneralState;
use super::layout::{Coverage, Method, check_solvable};
use super::memory::Needs;
use super::ranking::binomial;
use super::whole_board;

/// What it takes to solve a variant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Effort {
    /// Positions for each side to move, those in which the game is over included.
    pub positions: u64,
    /// Memory that [`solve`](super::solve) takes whatever the plies decide, in bytes.
    pub least_bytes: u64,
    /// Memory that it takes at most, if one ply decides everything, in bytes.
    pub most_bytes: u64,
    /// One number of Rebels is solved after the other, position by position: of any board, but slower by far.
    pub by_layers: bool,
}

/// What it takes to solve a variant, without doing it.
///
/// # Errors
/// When the variant is of a kind that is not solved, or takes more memory than may be expected.
pub fn effort(variant: &Variant) -> Result<Effort, TableError> {
    check_size(variant)?;
    Ok(effort_of(variant, Method::of(variant), Coverage::whole(variant)))
}

/// Is the variant of a kind that can be solved, with memory that may be expected?
#[must_use]
pub fn is_solvable(variant: &Variant) -> bool {
    check_size(variant).is_ok()
}

/// Refuses variants of a kind that is not solved, and those that take more memory than may be expected. Asked at each search without
/// a table.
pub(super) fn check_size(variant: &Variant) -> Result<(), TableError> {
    check_solvable(variant)?;
    // The memory of the whole board is small by the choice of the method.
    if Method::of(variant) == Method::WholeBoard {
        return Ok(());
    }
    let coverage = Coverage::whole(variant);
    match by_layers::needs(variant, coverage, 1).least <= USUAL_MEMORY {
        true => Ok(()),
        false => Err(too_large(variant, coverage)),
    }
}

fn effort_of(variant: &Variant, method: Method, coverage: Coverage) -> Effort {
    let ground = variant.rules().ground();
    let of_places = |places: u32| coverage.layers().map(|rebels| binomial(places, rebels)).fold(0, u64::saturating_add);
    // All states on the ground have as many positions, and so have those elsewhere.
    let [on_ground, elsewhere] = [ground.len().saturating_sub(1), ground.len()].map(of_places);
    let positions = GeneralState::all(variant).iter().fold(0u64, |sum, state| {
        sum.saturating_add(if ground.contains(state.general) { on_ground } else { elsewhere })
    });
    let Needs { least, most } = needs(variant, method, coverage, 1);
    Effort { positions, least_bytes: least, most_bytes: most, by_layers: method == Method::ByLayers }
}

/// Memory that a solve takes in each of some processes.
pub(super) fn needs(variant: &Variant, method: Method, coverage: Coverage, processes: usize) -> Needs {
    match method {
        Method::WholeBoard => whole_board::needs(variant, coverage),
        Method::ByLayers => by_layers::needs(variant, coverage, processes),
    }
}

/// Why a variant is not solved, and how far it can be.
pub(super) fn too_large(variant: &Variant, coverage: Coverage) -> TableError {
    let Effort { positions, least_bytes: bytes, .. } = effort_of(variant, Method::ByLayers, coverage);
    let fits = coverage
        .layers()
        .map(|rebels| (rebels, by_layers::needs(variant, coverage.limited(rebels), 1).least))
        .take_while(|(_, bytes)| *bytes <= USUAL_MEMORY)
        .last();
    TableError::TooLarge {
        variant: variant.id().to_owned(),
        rebels: coverage.most(),
        points: variant.rules().ground().len(),
        positions,
        needed: bytes.div_ceil(1 << 20),
        fits: fits.map(|(rebels, bytes)| (rebels, bytes.div_ceil(1 << 20))),
    }
}
