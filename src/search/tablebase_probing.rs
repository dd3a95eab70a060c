//! Exact values from outside: perfect play of positions that a search comes to.

use std::fmt;
use std::sync::Arc;

use crate::rules::{Position, Variant};

use crate::eval::Score;

/// Knows exact values of some positions of one variant, such as those with few Rebels. Several threads ask at once.
pub trait Prober: fmt::Debug + Send + Sync {
    /// The variant whose positions it knows.
    fn variant(&self) -> &Variant;

    /// Positions with more Rebels need not be asked about.
    fn most_rebels(&self) -> u32;

    /// The exact value of a position that is not over, for the side to move: a win or loss in so many plies, or a draw. None
    /// when it is not known.
    fn probe(&self, state: &Position) -> Option<Score>;
}

/// A prober or none, with a quick look at whether it is worth asking.
#[derive(Debug, Clone, Copy)]
pub(super) struct TablebaseProbing<'a> {
    prober: Option<&'a dyn Prober>,
    most_rebels: u32,
}

impl<'a> TablebaseProbing<'a> {
    pub(super) fn new(prober: Option<&'a Arc<dyn Prober>>) -> TablebaseProbing<'a> {
        let prober = prober.map(|prober| &**prober);
        TablebaseProbing { prober, most_rebels: prober.map_or(0, Prober::most_rebels) }
    }

    /// The exact value of a position that is not over.
    #[inline(always)]
    pub(super) fn probe(&self, state: &Position) -> Option<Score> {
        if state.rebels().len() > self.most_rebels {
            return None;
        }
        self.prober?.probe(state)
    }
}
