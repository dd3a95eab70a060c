//! The states of the General that are solved, and its moves from them that capture nothing, compiled: where they lead, and which
//! sets of Rebels allow them.

use crate::board::PointSet;
use crate::rules::{MoveKind, Variant};
use crate::tablebase::general_state::GeneralState;
use crate::tablebase::layout::Coding;

use super::positions::bits_of_position;

/// A move of the General that captures nothing, into a state that was solved or is the mirror image of one.
#[derive(Debug)]
pub(super) struct Quiet {
    pub(super) target: usize,
    pub(super) mirrored: bool,
    /// It can be made where one of these holds.
    pub(super) ways: Vec<Way>,
}

/// What a quiet move asks of the set of Rebels.
#[derive(Debug)]
pub(super) struct Way {
    pub(super) rebels: PointSet,
    pub(super) empty: PointSet,
    pub(super) not_held: Vec<PointSet>,
}

impl Way {
    #[inline(always)]
    pub(super) fn admits(&self, rebels: PointSet) -> bool {
        rebels.contains_all(self.rebels)
            && !rebels.meets(self.empty)
            && !self.not_held.iter().any(|pair| rebels.contains_all(*pair))
    }
}

/// A state of the General that is solved.
#[derive(Debug)]
pub(super) struct Compiled {
    pub(super) state: GeneralState,
    /// 2 with its mirror image.
    pub(super) times: u64,
    pub(super) quiet: Vec<Quiet>,
    /// By slot of the state that a move leads to, the number among the quiet moves.
    pub(super) quiet_of_slot: Vec<u8>,
}

impl Compiled {
    /// Bits that a position of a layer takes while it is solved.
    pub(super) fn bits_of_position(&self, variant: &Variant, coding: Coding) -> u64 {
        bits_of_position(coding, self.quiet.len(), !variant.rules().custody(self.state.general).is_empty())
    }
}

/// By slot, the state that is solved for it, and whether it is the mirror image; none where no game goes on.
pub(super) type SolvedForSlot = Vec<Option<(usize, bool)>>;

/// The states of a variant that are solved, of mirror images one.
pub(super) fn compile(variant: &Variant) -> (Vec<Compiled>, SolvedForSlot) {
    let states = GeneralState::solved(variant);
    let solved: SolvedForSlot = GeneralState::slots(variant)
        .map(|slot| {
            let find = |wanted: GeneralState| states.iter().position(|state| *state == wanted);
            find(slot).map(|state| (state, false)).or_else(|| Some((find(slot.image(variant))?, true)))
        })
        .collect();
    let compile = |state: GeneralState| {
        let (quiet, quiet_of_slot) = quiet_moves(variant, state, &solved);
        Compiled { state, times: state.times(variant), quiet, quiet_of_slot }
    };
    (states.into_iter().map(compile).collect(), solved)
}

/// The General's moves from a state that may capture nothing, by the state that they lead to; and by slot their number.
fn quiet_moves(variant: &Variant, state: GeneralState, solved: &SolvedForSlot) -> (Vec<Quiet>, Vec<u8>) {
    let rules = variant.rules();
    let mut quiet: Vec<Quiet> = Vec::new();
    let mut quiet_of_slot = vec![u8::MAX; solved.len()];
    for template in rules.templates(state.general) {
        let spent = u8::from(template.kind == MoveKind::FreeJump);
        let Some(free_jumps) = state.free_jumps.checked_sub(spent) else { continue };
        let apex_visited = state.apex_visited || rules.return_apex().contains(template.to);
        let slot = GeneralState { general: template.to, apex_visited, free_jumps }.slot(variant);
        let Some((target, mirrored)) = solved[slot] else { continue };
        for choice in template.choices().filter(|choice| choice.captured.is_empty()) {
            let way = Way { rebels: choice.rebels, empty: template.empty, not_held: choice.not_held };
            match quiet.get_mut(usize::from(quiet_of_slot[slot])) {
                Some(known) => known.ways.push(way),
                None => {
                    quiet_of_slot[slot] = quiet.len() as u8;
                    quiet.push(Quiet { target, mirrored, ways: vec![way] });
                }
            }
        }
    }
    (quiet, quiet_of_slot)
}
