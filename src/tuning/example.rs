//! A position as the regression sees it.

use crate::board::PointSet;

/// How many terms are counted, beside points and tables.
pub(super) const COUNTS: usize = 10;

/// A position as the regression sees it: one of two mirror images.
#[derive(Debug, Clone, Copy)]
pub(super) struct Example {
    /// Where the Rebels stand.
    pub(super) rebels: PointSet,
    /// Index of the General's point.
    pub(super) general: usize,
    /// Number of Rebels, mobility, freedom.
    pub(super) tables: [u8; 3],
    /// Terms in which the value is linear, brought to a like size.
    pub(super) counts: [f32; COUNTS],
    /// For the General: 1 won, 0 lost, a half drawn.
    pub(super) result: f32,
}
