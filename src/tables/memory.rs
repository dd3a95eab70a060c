//! The memory that a solve takes: that of the largest layer, and with the solved layers that are not in files.

use privy_base::memory;

use super::error::TableError;

/// The plan of a solve, in bytes.
#[derive(Debug, Clone)]
pub struct MemoryPlan {
    /// The variant's id.
    pub variant: String,
    pub least: u64,
    pub most: u64,
    /// The limit of the user, in MiB.
    pub allowed: Option<u64>,
}

fn mib(bytes: u64) -> u64 {
    bytes.div_ceil(1 << 20)
}

/// True if the system has this memory, and an eighth of it for what is made of it.
pub(super) fn is_memory_available(bytes: u64) -> bool {
    memory::is_available(bytes.saturating_add(bytes / 8))
}

impl MemoryPlan {
    fn error(&self, needs: String) -> TableError {
        TableError::Memory(self.variant.clone(), needs)
    }

    /// Refuses a solve whose least memory is not allowed.
    pub(super) fn check_limit(&self) -> Result<(), TableError> {
        let (least, most) = (mib(self.least), mib(self.most));
        match self.allowed.filter(|allowed| least > *allowed) {
            Some(allowed) => {
                Err(self.error(format!("{least} to {most} MiB, allowed are {allowed}; --memory sets the limit")))
            }
            None => Ok(()),
        }
    }

    /// The system has not even the least memory, and some to spare.
    pub(super) fn none_left(&self) -> TableError {
        let (least, most, spare) = (mib(self.least), mib(self.most), mib(memory::HEADROOM));
        self.error(format!("{least} to {most} MiB of memory, which the system does not give, and {spare} to spare"))
    }

    /// Refuses a layer that takes so many bytes beside those of the layers before, if the limit or the system does not give them.
    pub(super) fn check_layer(&self, rebels: u32, bytes: u64, before: u64) -> Result<(), TableError> {
        let needs = format!("{} MiB for {rebels} Rebels", mib(bytes + before));
        match self.allowed.filter(|allowed| bytes + before > allowed.saturating_mul(1 << 20)) {
            Some(allowed) => Err(self.error(format!(
                "{needs}, allowed are {allowed}; with a higher --memory the same command goes on from here"
            ))),
            None if !is_memory_available(bytes) => {
                Err(self.error(format!("{needs}, which the system does not give; the same command goes on from here")))
            }
            None => Ok(()),
        }
    }
}
