//! What is known of a layer while it is solved, by state of the General.

use crate::tablebase::layout::MOST_LAPS;

use super::marks::Marks;

/// Bytes that a position of the layer that is being solved takes, both sides to move together: the value, two counts, what
/// captures are worth, and eight bits of what was decided.
pub(super) const BYTES_OF_LAYER: u64 = 5;

/// In place of what captures are worth: the position is decided.
pub(super) const DECIDED: u8 = u8::MAX;

/// What a ply decided, for one side to move.
#[derive(Debug, Default)]
pub(super) struct Decided {
    pub(super) won: Marks,
    pub(super) lost: Marks,
}

impl Decided {
    pub(super) fn new(positions: usize) -> Decided {
        Decided { won: Marks::new(positions), lost: Marks::new(positions) }
    }

    pub(super) fn clear(&mut self) {
        self.won.clear();
        self.lost.clear();
    }

    pub(super) fn count(&self) -> u64 {
        self.won.count() + self.lost.count()
    }
}

/// What is known of a position; side by side, since a ply asks for both, and they come from memory together.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Known {
    /// With the Rebels to move the value, as `Coding` writes it without laps, 0 while open. With the General to move what the best capture is worth;
    /// 0 where there is none that decides, and [`DECIDED`] once the position is.
    pub(super) value: u8,
    /// Moves that do not lead to a win of the other side, as far as is known: with the Rebels to move steps; with the General to
    /// move quiet moves, and one more for a capture that draws.
    pub(super) left: u8,
}

/// The laps of the values of a layer and state, two bits each; no memory while there are none.
#[derive(Debug, Default)]
pub(super) struct Laps(Vec<u8>);

impl Laps {
    #[inline(always)]
    pub(super) fn get(&self, rank: usize) -> u8 {
        self.0.get(rank / 4).map_or(0, |byte| byte >> (rank % 4 * 2) & MOST_LAPS)
    }

    /// Sets those of one of so many positions, which had none.
    #[inline(always)]
    pub(super) fn set(&mut self, rank: usize, positions: usize, laps: u8) {
        if laps > 0 {
            if self.0.is_empty() {
                self.0 = vec![0; positions.div_ceil(4)];
            }
            self.0[rank / 4] |= laps << (rank % 4 * 2);
        }
    }
}

/// The layer of one state with the Rebels to move.
#[derive(Debug)]
pub(super) struct RebelsToMove {
    pub(super) known: Vec<Known>,
    pub(super) laps: Laps,
    /// Won at once, by a custodial capture.
    pub(super) captures: Marks,
    pub(super) next: Decided,
}

/// The layer of one state with the General to move.
#[derive(Debug)]
pub(super) struct GeneralToMove {
    pub(super) known: Vec<Known>,
    /// Of what captures are worth.
    pub(super) laps: Laps,
    pub(super) decided: Decided,
    pub(super) next: Decided,
    /// Won, lost, and over.
    pub(super) counts: [u64; 3],
    /// The most plies that a capture is worth.
    pub(super) longest: u32,
}
