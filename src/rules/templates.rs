//! The General's moves as templates: what must hold, what must be empty, where a move ends, what falls.
//!
//! A rule is compiled once, into these. Whatever asks about all positions at once, such as the tables of perfect play, reads
//! them; the fast generator answers for one position, and is tested against them.

use crate::board::{Point, PointSet};

use super::{MoveKind, Position};

/// A move of the General in all positions that allow it. Of a chain of jumps it is one jump.
#[derive(Debug, Clone)]
pub struct Template {
    /// The kind of move. A free jump needs one that is left.
    pub kind: MoveKind,
    /// Where the General stands before.
    pub from: Point,
    /// Where it stands after.
    pub to: Point,
    /// Points that must hold Rebels.
    pub rebels: PointSet,
    /// Points that must be empty.
    pub empty: PointSet,
    /// The Rebels that fall, whatever else stands on the board.
    pub captured: PointSet,
    /// Each of these pairs falls too if both its points hold Rebels.
    pub pairs: Vec<PointSet>,
}

/// A [`Template`] for one choice of its pairs: these hold Rebels at both ends, and no others.
#[derive(Debug, Clone)]
pub struct Choice {
    /// Points that must hold Rebels.
    pub rebels: PointSet,
    /// Pairs that must not hold Rebels at both ends.
    pub not_held: Vec<PointSet>,
    /// The Rebels that fall.
    pub captured: PointSet,
}

/// Every choice of pairs: the points of those chosen, and the pairs that are not.
pub(crate) fn choices(pairs: &[PointSet]) -> impl Iterator<Item = (PointSet, Vec<PointSet>)> {
    (0..1u32 << pairs.len()).map(|choice| {
        let (mut held, mut not_held) = (PointSet::EMPTY, Vec::new());
        for (number, pair) in pairs.iter().enumerate() {
            if choice >> number & 1 != 0 { held |= *pair } else { not_held.push(*pair) }
        }
        (held, not_held)
    })
}

impl Template {
    /// The template split by what falls; choices that no position allows are left out.
    pub fn choices(&self) -> impl Iterator<Item = Choice> {
        let allowed = choices(&self.pairs).filter(|(held, _)| !held.meets(self.empty));
        allowed.map(|(held, not_held)| Choice { rebels: self.rebels | held, not_held, captured: self.captured | held })
    }

    /// Can the move be made in a position, a duty to capture apart?
    #[must_use]
    pub fn allows(&self, position: &Position) -> bool {
        position.general() == self.from
            && position.rebels().contains_all(self.rebels)
            && !position.rebels().meets(self.empty)
            && (self.kind != MoveKind::FreeJump || position.free_jumps() > 0)
    }

    /// What falls when it is made in a position.
    #[must_use]
    pub fn falls(&self, position: &Position) -> PointSet {
        let held = self.pairs.iter().filter(|pair| position.rebels().contains_all(**pair));
        held.fold(self.captured, |all, pair| all | *pair)
    }
}
