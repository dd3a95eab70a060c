//! The states of the General: its point with the flags.
//!
//! Steps of Rebels do not change the state, so a table has a section for each. Of two mirror images one is solved and stored.

use crate::board::{Point, PointSet};
use crate::rules::{Outcome, Position, Side, Variant};

/// The General's point and the flags of a position with the Rebels to move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct GeneralState {
    pub(super) general: Point,
    pub(super) apex_visited: bool,
    pub(super) free_jumps: u8,
}

impl GeneralState {
    #[inline(always)]
    pub(super) fn of(position: &Position) -> GeneralState {
        let (general, apex_visited) = (position.general(), position.apex_visited());
        GeneralState { general, apex_visited, free_jumps: position.free_jumps() }
    }

    /// A number of the state among all combinations of flags and points.
    #[inline(always)]
    pub(super) fn slot(self, variant: &Variant) -> usize {
        let flags = usize::from(self.free_jumps) * 2 + usize::from(self.apex_visited);
        flags * variant.board().len() + self.general.index()
    }

    /// All combinations of flags and points, by slot.
    pub(super) fn slots(variant: &Variant) -> impl Iterator<Item = GeneralState> {
        let flags = (0..=variant.rule_set().free_jumps).flat_map(|jumps| [(jumps, false), (jumps, true)]);
        flags.flat_map(|(free_jumps, apex_visited)| {
            variant.board().all().into_iter().map(move |general| GeneralState { general, apex_visited, free_jumps })
        })
    }

    /// The states from which a game with many Rebels, to move, goes on, in the order of their slots.
    pub(super) fn all(variant: &Variant) -> Vec<GeneralState> {
        let rules = variant.rules();
        let is_remembered = |state: &GeneralState| match state.apex_visited {
            true => !rules.return_apex().is_empty(),
            false => !rules.return_apex().contains(state.general),
        };
        GeneralState::slots(variant).filter(|state| is_remembered(state) && state.winner(variant).is_none()).collect()
    }

    #[inline(always)]
    pub(super) fn position(self, rebels: PointSet, side: Side) -> Position {
        Position::new(rebels, self.general, side, self.apex_visited, self.free_jumps)
    }

    /// The mirror image, where the variant is mirrored; else the state itself.
    pub(super) fn image(self, variant: &Variant) -> GeneralState {
        match variant.board().mirror() {
            Some(mirror) if variant.is_mirrored() => GeneralState { general: mirror.point(self.general), ..self },
            _ => self,
        }
    }

    /// Those of [`all`](GeneralState::all) that are solved: of two mirror images the one whose General stands on the lower point.
    pub(super) fn solved(variant: &Variant) -> Vec<GeneralState> {
        let mut states = GeneralState::all(variant);
        states.retain(|state| state.image(variant).general >= state.general);
        states
    }

    /// The number of states that a solved one stands for: 2 where its mirror image is another one.
    pub(super) fn times(self, variant: &Variant) -> u64 {
        if self.image(variant) == self { 1 } else { 2 }
    }

    /// The winner if the General's point decides the game.
    pub(super) fn winner(self, variant: &Variant) -> Option<Side> {
        let many = variant.rules().ground().without(self.general);
        variant.rules().goal_after_general(&self.position(many, Side::Rebels)).and_then(Outcome::winner)
    }
}
