//! The principal variation while it is being found: a triangle of lines, one a ply.

use crate::rules::Move;

use super::move_picker::MAX_PLY;

/// The best line from each ply on.
#[derive(Debug)]
pub(super) struct PvTable(Vec<Vec<Move>>);

impl PvTable {
    pub(super) fn new() -> PvTable {
        PvTable(vec![Vec::new(); MAX_PLY + 2])
    }

    /// Nothing is known from this ply on.
    #[inline(always)]
    pub(super) fn clear(&mut self, ply: usize) {
        if let Some(line) = self.0.get_mut(ply) {
            line.clear();
        }
    }

    /// The line of a ply becomes this action and the line of the next ply.
    #[inline]
    pub(super) fn set(&mut self, ply: usize, action: Move) {
        if let Some([line, next, ..]) = self.0.get_mut(ply..) {
            line.clear();
            line.push(action);
            line.extend_from_slice(next);
        }
    }

    /// The line from this ply on.
    pub(super) fn from(&self, ply: usize) -> &[Move] {
        self.0.get(ply).map_or(&[], Vec::as_slice)
    }
}
