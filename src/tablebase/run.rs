//! A solve that is under way: what it was asked for, and how far it is.

use std::fmt;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use crate::rules::Variant;

use super::layout::{Coding, Coverage};
use super::memory::Memory;

/// How far a solve is.
#[derive(Debug, Clone, Copy)]
pub struct Progress {
    /// The number of Rebels that is being solved, where one is after the other.
    pub rebels: Option<u32>,
    /// The last ply that is complete: positions decided in as many plies or fewer are known.
    pub ply: u32,
    /// Positions decided so far, both sides to move.
    pub decided: u64,
    /// All positions, both sides to move, legal or not.
    pub positions: u64,
    /// What an earlier run had reached that this one goes on from, if there was one.
    pub resumed_from: Option<Resumed>,
    /// Memory that the solve has taken, in bytes.
    pub memory: u64,
    /// Bytes that this process has sent to others that solve with it.
    pub sent: u64,
    /// Time since the start.
    pub time: Duration,
}

/// What an interrupted run had reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Resumed {
    /// This ply was complete.
    Ply(u32),
    /// All positions with at most so many Rebels were solved.
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

/// A longer solve is kept beside the table from time to time.
pub(super) const CHECKPOINT_INTERVAL: Duration = Duration::from_secs(30);

/// A solve that is under way, with checkpoints beside the table's path.
pub(super) struct Run<'a> {
    pub(super) variant: &'a Arc<Variant>,
    pub(super) coverage: Coverage,
    pub(super) coding: Coding,
    pub(super) memory: Memory,
    pub(super) path: &'a Path,
    pub(super) start: Instant,
    pub(super) stop: &'a AtomicBool,
    pub(super) pool: &'a rayon::ThreadPool,
}
