//! The solved states of the General, and its moves from them that capture nothing, compiled: their targets, and the sets of Rebels that
//! allow them.

use crate::coding::Coding;
use crate::states::{GeneralState, States};
use privy_rules::board::PointSet;
use privy_rules::{MoveKind, Variant};

use super::positions::bits_of_position;

/// The moves of the General without captures into one state, which is solved or the mirror image of a solved one.
#[derive(Debug)]
pub(super) struct Quiet {
    pub(super) target: usize,
    pub(super) mirrored: bool,
    /// A pass, which is legal where no other move is.
    pub(super) is_pass: bool,
    /// It is legal where one of these admits the Rebels.
    pub(super) ways: Vec<QuietWay>,
}

#[derive(Debug)]
pub(super) struct QuietWay {
    pub(super) rebels: PointSet,
    pub(super) empty: PointSet,
    pub(super) not_held: Vec<PointSet>,
}

impl QuietWay {
    #[inline(always)]
    pub(super) fn admits(&self, rebels: PointSet) -> bool {
        rebels.contains_all(self.rebels)
            && !rebels.meets(self.empty)
            && !self.not_held.iter().any(|pair| rebels.contains_all(*pair))
    }
}

#[derive(Debug)]
pub struct Compiled {
    pub(super) state: GeneralState,
    pub(super) times: u64,
    pub(super) quiet: Vec<Quiet>,
    /// The number of the state to which a drop of the Rebels leads; none where none is in hand.
    pub(super) after_drop: Option<usize>,
    /// By slot of the target, the number among the quiet moves.
    pub(super) quiet_of_slot: Vec<u8>,
}

impl Compiled {
    pub(super) fn bits_of_position(&self, variant: &Variant, coding: Coding) -> u64 {
        bits_of_position(coding, self.quiet.len(), !variant.rules().custody(self.state.general).is_empty())
    }
}

pub fn compile(variant: &Variant, states: &States) -> Vec<Compiled> {
    let compile = |state: &GeneralState| {
        let (quiet, quiet_of_slot) = quiet_moves(variant, *state, &states.of_slot);
        let after_drop = state.hand.checked_sub(1).map(|hand| {
            let slot = GeneralState { hand, ..*state }.slot(variant);
            states.of_slot[slot].expect("a drop keeps the General in a solved state").0
        });
        Compiled { state: *state, times: state.times(variant), quiet, after_drop, quiet_of_slot }
    };
    states.solved.iter().map(compile).collect()
}

fn quiet_moves(variant: &Variant, state: GeneralState, solved: &[Option<(usize, bool)>]) -> (Vec<Quiet>, Vec<u8>) {
    let rules = variant.rules();
    let mut quiet: Vec<Quiet> = Vec::new();
    let mut quiet_of_slot = vec![u8::MAX; solved.len()];
    for template in rules.templates(state.general) {
        let spent = u8::from(template.kind == MoveKind::FreeJump);
        let Some(free_jumps) = state.free_jumps.checked_sub(spent) else { continue };
        let apex_visited = state.apex_visited || rules.return_apex().contains(template.to);
        let slot = GeneralState { general: template.to, apex_visited, free_jumps, ..state }.slot(variant);
        let Some((target, mirrored)) = solved[slot] else { continue };
        for choice in template.choices().filter(|choice| choice.captured.is_empty()) {
            let way = QuietWay { rebels: choice.rebels, empty: template.empty, not_held: choice.not_held };
            match quiet.get_mut(usize::from(quiet_of_slot[slot])) {
                Some(quiet) => quiet.ways.push(way),
                None => {
                    quiet_of_slot[slot] = quiet.len() as u8;
                    quiet.push(Quiet { target, mirrored, is_pass: false, ways: vec![way] });
                }
            }
        }
    }
    let slot = state.slot(variant);
    if let Some((target, mirrored)) = solved[slot].filter(|_| rules.general_may_pass()) {
        quiet_of_slot[slot] = quiet.len() as u8;
        quiet.push(Quiet { target, mirrored, is_pass: true, ways: Vec::new() });
    }
    (quiet, quiet_of_slot)
}
