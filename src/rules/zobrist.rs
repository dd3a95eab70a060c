//! Hash keys of positions, kept up to date move by move (A. L. Zobrist, 1970).

use crate::board::{MAX_POINTS, Point, PointSet};

use super::{Action, Side, State};

struct Keys {
    rebels: [u64; MAX_POINTS],
    general: [u64; MAX_POINTS],
    free_jumps: [u64; 10],
    rebels_to_move: u64,
    apex_visited: u64,
}

/// A number that looks random and depends on the given one alone: the last step of SplitMix64 (G. L. Steele, D. Lea,
/// C. H. Flood, 2014).
#[must_use]
pub const fn mix(number: u64) -> u64 {
    let z = (number ^ (number >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// The next number of the SplitMix64 sequence.
const fn next(state: u64) -> (u64, u64) {
    let state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    (state, mix(state))
}

const fn fill<const N: usize>(mut state: u64) -> (u64, [u64; N]) {
    let mut keys = [0; N];
    let mut i = 0;
    while i < N {
        (state, keys[i]) = next(state);
        i += 1;
    }
    (state, keys)
}

static KEYS: Keys = {
    let (state, rebels) = fill(0);
    let (state, general) = fill(state);
    let (state, free_jumps) = fill(state);
    let (state, rebels_to_move) = next(state);
    let (_, apex_visited) = next(state);
    Keys { rebels, general, free_jumps, rebels_to_move, apex_visited }
};

fn rebels(set: PointSet) -> u64 {
    set.into_iter().fold(0, |hash, point| hash ^ KEYS.rebels[point.index()])
}

#[inline(always)]
fn flags(state: &State) -> u64 {
    let free_jumps = KEYS.free_jumps[usize::from(state.free_jumps) % KEYS.free_jumps.len()];
    if state.apex_visited { free_jumps ^ KEYS.apex_visited } else { free_jumps }
}

/// The hash of a state from nothing.
#[must_use]
pub fn hash(state: &State) -> u64 {
    let side = if state.side == Side::Rebels { KEYS.rebels_to_move } else { 0 };
    rebels(state.rebels) ^ KEYS.general[state.general.index()] ^ side ^ flags(state)
}

/// The hash after a Rebel's step.
#[inline(always)]
#[must_use]
pub fn after_rebel_step(hash: u64, from: Point, to: Point) -> u64 {
    hash ^ KEYS.rebels[from.index()] ^ KEYS.rebels[to.index()] ^ KEYS.rebels_to_move
}

/// The hash after an action of the General, from the states before and after it.
#[inline(always)]
#[must_use]
pub fn after_general_action(hash: u64, before: &State, action: &Action, after: &State) -> u64 {
    let places = KEYS.general[action.from.index()] ^ KEYS.general[action.to.index()];
    hash ^ places ^ rebels(action.captured) ^ KEYS.rebels_to_move ^ flags(before) ^ flags(after)
}

/// The hash after an action of either side.
#[must_use]
pub fn after(hash: u64, before: &State, action: &Action, after: &State) -> u64 {
    match before.side {
        Side::Rebels => after_rebel_step(hash, action.from, action.to),
        Side::General => after_general_action(hash, before, action, after),
    }
}
