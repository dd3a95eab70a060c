//! The memory that a layer takes.

use privy_rules::rule_set::{JumpRule, NoMove, StaticRule};
use privy_rules::{Side, Variant};

use crate::states::{GeneralState, binomial};

use super::places::Places;
use super::plane::{MOST_LOW, Plane};

/// Memory of layers without solving them.
#[derive(Debug)]
pub(crate) struct LayerMemory {
    places: Places,
    states: Vec<GeneralState>,
    /// Planes for each slot.
    planes: u64,
}

impl LayerMemory {
    pub(crate) fn new(variant: &Variant, states: &[GeneralState]) -> LayerMemory {
        let words = variant.rule_set();
        let has_arrivals = words.intervention && !words.compulsory;
        let has_captures = words.jump != JumpRule::None
            || words.deferred
            || words.static_rule != StaticRule::None
            || words.intervention && !has_arrivals
            || !variant.rules().losing_points.is_empty();
        let draws =
            [Side::General, Side::Rebels].map(|side| matches!(words.no_move.of(side), NoMove::Draw | NoMove::Pass));
        let planes = 4
            + 2 * u64::from(has_arrivals)
            + u64::from(has_captures || draws[0])
            + u64::from(words.compulsory)
            + u64::from(draws[1]);
        LayerMemory { places: Places::new(variant, MOST_LOW), states: states.to_vec(), planes }
    }

    /// Bytes of a layer with so many positions: its planes; captures, and what plies decide, which take up to three bytes of a position. Its codes
    /// take two, once the planes have gone.
    pub(crate) fn bytes(&self, rebels: u32, positions: u64) -> u64 {
        let slots = self.states.iter().map(|state| self.slots(*state, rebels)).fold(0, u64::saturating_add);
        let planes = slots.saturating_mul(self.planes * size_of::<Plane>() as u64 + 8);
        planes.saturating_add(positions.saturating_mul(3))
    }

    fn slots(&self, state: GeneralState, rebels: u32) -> u64 {
        let Some(placed) = state.placed(rebels) else { return 0 };
        let is_high = self.places.place(state.general).is_some_and(|place| place >= self.places.low);
        let high = self.places.high() - u32::from(is_high);
        let classes = |parity: u32| {
            let classes =
                (0..=high.min(placed)).filter(|class| class % 2 == parity && placed - class <= self.places.low);
            classes.map(|class| binomial(high, class)).max().unwrap_or(0)
        };
        classes(0).saturating_add(classes(1))
    }
}
