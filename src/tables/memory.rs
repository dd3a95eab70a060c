//! The memory that a solve takes: that of the largest layer, and what it has of the table beside its file.

use privy_base::memory;
use privy_rules::Variant;

use super::file::MOST_HELD;
use super::kernel::LayerMemory;
use super::states::{GeneralState, States};

/// True if the system has this memory, and an eighth of it for what is made of it.
pub(super) fn is_memory_available(bytes: u64) -> bool {
    memory::is_available(bytes.saturating_add(bytes / 8))
}

/// What the analysis of a variant takes, whatever the layers. Making it takes a millisecond or two, asking it nothing.
pub(super) struct Sizes<'a> {
    pub(super) variant: &'a Variant,
    states: Vec<GeneralState>,
    of_layer: LayerMemory,
}

impl Sizes<'_> {
    pub(super) fn of(variant: &Variant) -> Sizes<'_> {
        let states = States::of(variant).solved;
        Sizes { variant, of_layer: LayerMemory::new(variant, &states), states }
    }

    /// Stored positions of a layer.
    fn positions(&self, rebels: u32) -> u64 {
        self.states.iter().map(|state| state.sets(self.variant, rebels)).fold(0, u64::saturating_add)
    }

    /// Stored positions of all layers.
    pub(super) fn all_positions(&self, layers: &[u32]) -> u64 {
        layers.iter().map(|rebels| self.positions(*rebels)).fold(0, u64::saturating_add)
    }

    /// Bytes of memory of a layer in each of some processes.
    pub(super) fn of_layer(&self, rebels: u32, processes: usize) -> u64 {
        self.of_layer.bytes(rebels, self.positions(rebels), processes)
    }

    /// Bytes of memory in each of some processes.
    pub(super) fn memory(&self, layers: &[u32], processes: usize) -> u64 {
        let layer = layers.iter().map(|rebels| self.of_layer(*rebels, processes)).max().unwrap_or(0);
        layer.saturating_add(self.all_positions(layers).min(MOST_HELD))
    }
}
