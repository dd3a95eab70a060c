//! What a solve takes: memory for the largest layer and for what it has of the table beside its file, and disk.

use privy_base::memory;

use super::file::MOST_HELD;
use super::kernel::LayerMemory;

/// True if the system has this memory, and an eighth of it for what is made of it.
pub(super) fn is_memory_available(bytes: u64) -> bool {
    memory::is_available(bytes.saturating_add(bytes / 8))
}

/// The cost of solving a variant. All numbers saturate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Effort {
    /// Positions for each side to move, those in which the game is over included.
    pub positions: u64,
    /// Bytes of memory.
    pub bytes: u64,
    /// Bytes of the file, estimated.
    pub disk: u64,
}

impl Effort {
    /// True if the memory is within a limit in MiB, if there is one, and the system has it.
    #[must_use]
    pub fn fits(&self, limit: Option<u64>) -> bool {
        let is_allowed = limit.is_none_or(|mib| self.bytes.div_ceil(1 << 20) <= mib);
        is_allowed && is_memory_available(self.bytes)
    }
}

impl LayerMemory<'_> {
    /// What some layers take in each of some processes.
    pub(super) fn effort(&self, layers: &[u32], processes: usize) -> Effort {
        /// The usual bytes of a stored position, on at most 25 points, and on more (docs/NOTEBOOK.md).
        const USUAL: [f64; 2] = [0.4, 0.7];
        let (mut effort, mut stored) = (Effort::default(), 0u64);
        for rebels in layers {
            let [of_layer, all] = self.positions(*rebels);
            stored = stored.saturating_add(of_layer);
            effort.positions = effort.positions.saturating_add(all);
            effort.bytes = effort.bytes.max(self.bytes(*rebels, processes));
        }
        effort.bytes = effort.bytes.saturating_add(stored.min(MOST_HELD));
        let is_large = self.variant.rules().ground.len() > 25;
        Effort { disk: (stored as f64 * USUAL[usize::from(is_large)]) as u64, ..effort }
    }
}
