//! The memory that a layer takes.

use privy_rules::Variant;
use privy_rules::rule_set::NoMove;

use crate::sets::binomial;
use crate::states::GeneralState;

use super::cells::{Cell, for_kinds};
use super::log::LogFile;
use super::places::{COLUMNS, Places};
use super::rows::RowSet;

/// The positions of layers and their memory, without solving them. Making it takes a millisecond or two, asking it
/// nothing.
#[derive(Debug)]
pub(crate) struct LayerMemory<'a> {
    pub(crate) variant: &'a Variant,
    places: Places,
    states: Vec<GeneralState>,
    /// Planes for each slot.
    planes: u64,
    /// Those that the General's moves read.
    read_planes: u64,
}

impl LayerMemory<'_> {
    pub(crate) fn new(variant: &Variant) -> LayerMemory<'_> {
        let words = variant.rule_set();
        let has_arrivals = words.intervention && !words.compulsory;
        let others = [
            words.compulsory,
            words.no_move.general == NoMove::Pass,
            matches!(words.no_move.rebels, NoMove::Draw | NoMove::Pass),
        ];
        let planes = 5 + 2 * u64::from(has_arrivals) + others.map(u64::from).iter().sum::<u64>();
        LayerMemory {
            variant,
            places: Places::of(variant),
            states: GeneralState::solved(variant),
            planes,
            read_planes: 2 + 2 * u64::from(has_arrivals),
        }
    }

    /// Stored positions of a layer, and all, mirror images counted.
    pub(crate) fn positions(&self, rebels: u32) -> [u64; 2] {
        self.states.iter().fold([0u64; 2], |[stored, all], state| {
            let sets = state.sets(self.variant, rebels);
            let both = sets.saturating_mul(state.times(self.variant));
            [stored.saturating_add(sets), all.saturating_add(both)]
        })
    }

    /// Bytes of a layer in each of some processes: its cells, the values of captures, and what plies decide, up to what
    /// goes to a file. Measured (docs/NOTEBOOK.md), these values take up to 0.55 bytes of a position, and what plies
    /// decide up to 0.9.
    pub(crate) fn bytes(&self, rebels: u32, processes: usize) -> u64 {
        let [positions, _] = self.positions(rebels);
        let all = self.states.iter().map(|state| self.bytes_of_state(*state, rebels)).fold(0, u64::saturating_add);
        // Of states of other processes one has what the General may read.
        let (states, processes) = (self.states.len() as u64, processes as u64);
        let own = |bytes: u64| bytes / states.max(1) * states.div_ceil(processes);
        let read = if processes > 1 { all / self.planes * self.read_planes } else { 0 };
        own(all).saturating_add(read).saturating_add(own(positions).min(LogFile::MOST_HELD as u64))
    }

    /// Bytes of the cells of a state, of the values of its captures, and of what says which rows have changed and which
    /// slots a ply looks at.
    fn bytes_of_state(&self, state: GeneralState, rebels: u32) -> u64 {
        let Some(placed) = state.placed(rebels) else { return 0 };
        let is_high = self.places.place(state.general).is_some_and(|place| place >= self.places.low);
        let high = self.places.high() - u32::from(is_high);
        // Of rows that are each other's images one is kept.
        let is_half = self.places.mirror().is_some() && state.times(self.variant) == 1;
        let mut slots = [0; COLUMNS];
        for class in placed.saturating_sub(self.places.low)..=high.min(placed) {
            let of_column = &mut slots[self.places.column(placed - class)];
            *of_column = (binomial(high, class) >> u32::from(is_half)).max(*of_column);
        }
        let captures = (state.sets(self.variant, rebels) >> u32::from(is_half)) / 8 * 5;
        let mut bytes = captures.saturating_add(4 * RowSet::bytes(self.places.high()));
        for_kinds!(C => {
            let slots = slots[2 * C::KIND].saturating_add(slots[2 * C::KIND + 1]);
            bytes = bytes.saturating_add(slots.saturating_mul(self.planes * size_of::<C>() as u64 + 8));
        });
        bytes
    }
}
