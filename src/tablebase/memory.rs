//! The memory of a solve: what it needs, what it is allowed, what the system gives.

use crate::rules::Variant;

use super::error::TableError;

/// Memory that an analysis takes, in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Needs {
    /// Before the first ply.
    pub(super) least: u64,
    /// If everything were decided in one ply.
    pub(super) most: u64,
}

impl Needs {
    /// The same in MiB, rounded up.
    pub(super) fn in_mib(self) -> Needs {
        Needs { least: self.least.div_ceil(1 << 20), most: self.most.div_ceil(1 << 20) }
    }
}

/// Why a pool gave no chunk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shortage {
    /// The limit is reached.
    Limit,
    /// The system gives no more.
    System,
}

/// The memory of a solve.
#[derive(Debug, Clone, Copy)]
pub(super) struct Memory {
    pub(super) needs: Needs,
    /// MiB that may be taken.
    pub(super) allowed: Option<u64>,
}

impl Memory {
    /// Refuses a solve that can't begin.
    pub(super) fn check(self, variant: &Variant) -> Result<(), TableError> {
        let Needs { least, most } = self.needs.in_mib();
        let variant = variant.id().to_owned();
        match self.allowed {
            Some(allowed) if least > allowed => Err(TableError::Memory { variant, least, most, allowed }),
            _ if !can_be_had(self.needs.least) => Err(TableError::NoMemory { variant, least, most }),
            _ => Ok(()),
        }
    }

    /// Bytes that may be taken for what single plies decide.
    pub(super) fn of_plies(self) -> u64 {
        self.allowed.map_or(u64::MAX, |mib| mib.saturating_mul(1 << 20).saturating_sub(self.needs.least))
    }

    /// The error of a layer that takes more bytes than are allowed.
    pub(super) fn short_of_layer(self, variant: &Variant, rebels: u32, needed: u64) -> TableError {
        let (variant, needed) = (variant.id().to_owned(), needed.div_ceil(1 << 20));
        TableError::MemoryOfLayer { variant, rebels, needed, allowed: self.allowed.unwrap_or(u64::MAX) }
    }

    /// The error of a ply that decides more than there is memory for.
    pub(super) fn short(self, variant: &Variant, shortage: Shortage, ply: u32) -> TableError {
        let (variant, most) = (variant.id().to_owned(), self.needs.in_mib().most);
        match (shortage, self.allowed) {
            (Shortage::Limit, Some(allowed)) => TableError::MemoryOfPly { variant, ply, most, allowed },
            _ => TableError::NoMemoryOfPly { variant, ply, most },
        }
    }
}

/// Does the system give so much memory, and an eighth of it for all else? A program that asks for more than it gets in the middle
/// of its work is aborted.
fn can_be_had(bytes: u64) -> bool {
    let mut probe: Vec<u8> = Vec::new();
    let size = usize::try_from(bytes.saturating_add(bytes / 8)).unwrap_or(usize::MAX);
    let is_given = probe.try_reserve_exact(size).is_ok();
    // Or the compiler sees that nothing is done with it, and asks for nothing.
    std::hint::black_box(&probe);
    is_given
}
