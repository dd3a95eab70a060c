//! What the passes of a ply share: the bits of positions, and the rows that have changed.

use privy_protocol::Stop;

use super::cells::Cells;
use super::index::StateIndex;
use super::moves::Moves;
use super::places::Places;
use super::rows::RowSet;

/// What plies have decided of the positions of a state with one side to move.
#[derive(Debug, Default)]
pub(super) struct Bits {
    /// The positions that the side has not won. No bit that is not a position is set.
    pub(super) not_won: Cells,
    /// The positions that it has lost.
    pub(super) lost: Cells,
}

impl Bits {
    /// All positions of a state, open.
    pub(super) fn open(index: &StateIndex<'_>) -> Bits {
        Bits { not_won: Cells::all(index), lost: Cells::empty(index) }
    }

    /// What a pass reads that finds positions from which a move leads to a win, or none that does not lead to a loss.
    #[inline(always)]
    pub(super) fn asked<const WINS: bool>(&self) -> &Cells {
        if WINS { &self.lost } else { &self.not_won }
    }
}

/// A ply of a layer.
#[derive(Clone, Copy)]
pub(crate) struct Ply<'a> {
    pub(super) number: u32,
    pub(super) moves: &'a Moves,
    pub(super) places: &'a Places,
    /// By state.
    pub(super) indices: &'a [StateIndex<'a>],
    /// By state, the rows that even plies have changed, and odd ones: with the Rebels to move, and with the General.
    pub(super) changes: &'a [[[RowSet; 2]; 2]],
    /// A side may lose by its own move, so that each ply brings wins and losses. Else odd plies bring wins, even ones
    /// losses.
    pub(super) is_mixed: bool,
    /// Once it is set, passes end before they are complete.
    pub(super) stop: &'a Stop,
}

impl<'a> Ply<'a> {
    /// Rows of positions with the Rebels to move, and of arrivals of the General, that a ply has changed.
    #[inline(always)]
    pub(super) fn rebels(&self, state: usize, number: u32) -> &'a RowSet {
        &self.changes[state][number as usize & 1][0]
    }

    /// Rows of positions with the General to move.
    #[inline(always)]
    pub(super) fn general(&self, state: usize, number: u32) -> &'a RowSet {
        &self.changes[state][number as usize & 1][1]
    }

    /// The number of the ply before; that before ply 0 has changed nothing.
    #[inline(always)]
    pub(super) fn last(&self) -> u32 {
        self.number.wrapping_sub(1)
    }

    /// True if positions may be won in this ply.
    pub(super) fn brings_wins(&self) -> bool {
        self.is_mixed || self.number % 2 == 1
    }

    /// True if positions may be lost in this ply.
    pub(super) fn brings_losses(&self) -> bool {
        self.is_mixed || self.number.is_multiple_of(2)
    }

    /// Adds the rows in which the last ply has changed an arrival, or a position, in one of these states.
    pub(super) fn add_targets(&self, targets: &[(usize, bool)], rows: &mut RowSet) {
        for (target, mirrored) in targets {
            let changed = self.rebels(*target, self.last());
            match self.places.mirror().filter(|_| *mirrored) {
                Some(mirror) => rows.add_images(changed, mirror),
                None => rows.add_all(changed),
            }
        }
    }

    /// The mirror image of a high part.
    #[inline(always)]
    pub(super) fn image(&self, high: u64) -> u64 {
        match self.places.mirror() {
            Some(mirror) => mirror.high(high),
            None => high,
        }
    }
}
