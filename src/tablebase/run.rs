//! A solve under way: what both methods share, its progress, its memory.
use privy_protocol::Stop;

use std::fmt;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::rules::Variant;

use super::error::TableError;
use super::layout::{Coding, Coverage};

/// Progress of a solve.
#[derive(Debug, Clone, Copy)]
pub struct Progress {
    /// The layer under way, by its number of Rebels, where layers are solved one by one.
    pub rebels: Option<u32>,
    /// The last complete ply: all positions decided in that many plies are found.
    pub ply: u32,
    /// Positions decided so far, both sides to move.
    pub decided: u64,
    /// Where this run took over from an interrupted one.
    pub resumed_from: Option<Resumed>,
    /// Bytes of memory in use.
    pub memory: u64,
    /// Bytes sent to other processes of the solve.
    pub sent: u64,
    /// Time since the start.
    pub time: Duration,
}

/// What an interrupted run had completed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Resumed {
    /// This ply.
    Ply(u32),
    /// All positions with at most this number of Rebels.
    Rebels(u32),
}

impl fmt::Display for Resumed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Resumed::Ply(ply) => write!(f, "ply {ply}"),
            Resumed::Rebels(rebels) => write!(f, "{rebels} Rebels"),
        }
    }
}

pub(super) const CHECKPOINT_INTERVAL: Duration = Duration::from_secs(30);

/// Memory that an analysis takes, in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Needs {
    /// Before the first ply.
    pub(super) least: u64,
    /// If one ply decided everything.
    pub(super) most: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shortage {
    /// The limit is reached.
    Limit,
    /// The system has no more.
    System,
}

/// A solve under way, with checkpoints beside the table's path.
#[derive(Clone, Copy)]
pub(super) struct Run<'a> {
    pub(super) variant: &'a Arc<Variant>,
    pub(super) coverage: Coverage,
    pub(super) coding: Coding,
    pub(super) needs: Needs,
    pub(super) allowed: Option<u64>,
    pub(super) path: &'a Path,
    pub(super) start: Instant,
    pub(super) stop: &'a Stop,
    pub(super) pool: &'a rayon::ThreadPool,
}

fn mib(bytes: u64) -> u64 {
    bytes.div_ceil(1 << 20)
}

/// Does the system have this memory, and an eighth of it for all else? A program that asks for more than it gets in the middle of its
/// work is aborted.
pub(super) fn is_memory_available(bytes: u64) -> bool {
    let mut probe: Vec<u8> = Vec::new();
    let size = usize::try_from(bytes.saturating_add(bytes / 8)).unwrap_or(usize::MAX);
    let is_available = probe.try_reserve_exact(size).is_ok();
    // Without this the compiler drops the unused allocation.
    std::hint::black_box(&probe);
    is_available
}

impl Run<'_> {
    fn memory_error(&self, needs: String) -> TableError {
        TableError::Memory(self.variant.id().to_owned(), needs)
    }

    pub(super) fn check_limit(&self) -> Result<(), TableError> {
        let (least, most) = (mib(self.needs.least), mib(self.needs.most));
        match self.allowed.filter(|allowed| least > *allowed) {
            Some(allowed) => {
                let needs = format!("{least} to {most} MiB, allowed are {allowed}; --memory sets the limit");
                Err(self.memory_error(needs))
            }
            None => Ok(()),
        }
    }

    /// The system has not even the least memory.
    pub(super) fn no_memory(&self) -> TableError {
        let (least, most) = (mib(self.needs.least), mib(self.needs.most));
        self.memory_error(format!("{least} to {most} MiB of memory, which the system does not give"))
    }

    pub(super) fn bytes_of_plies(&self) -> u64 {
        self.allowed.map_or(u64::MAX, |mib| mib.saturating_mul(1 << 20).saturating_sub(self.needs.least))
    }

    pub(super) fn check_layer(&self, rebels: u32, bytes: u64) -> Result<(), TableError> {
        match self.allowed.filter(|allowed| bytes > allowed.saturating_mul(1 << 20)) {
            Some(allowed) => Err(self.memory_error(format!(
                "{} MiB for {rebels} Rebels, allowed are {allowed}; with a higher --memory the same command goes on from here",
                mib(bytes)
            ))),
            None => Ok(()),
        }
    }

    /// A ply decides more than there is memory for.
    pub(super) fn short_in_ply(&self, shortage: Shortage, ply: u32) -> TableError {
        let most = mib(self.needs.most);
        self.memory_error(match (shortage, self.allowed) {
            (Shortage::Limit, Some(allowed)) => format!(
                "more than {allowed} MiB in ply {ply}, and up to {most}; with a higher --memory the same command goes on from here"
            ),
            _ => format!(
                "up to {most} MiB of memory, which the system does not give in ply {ply}; the same command goes on from here"
            ),
        })
    }
}
