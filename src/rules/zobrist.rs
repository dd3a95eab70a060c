//! Hash keys of positions, kept up to date move by move (A. L. Zobrist, 1970).

use crate::board::{MAX_POINTS, Point, PointSet};
use crate::random::Random;

pub use crate::random::mix;

use super::{Move, Side, State};

struct Keys {
    rebels: [u64; MAX_POINTS],
    general: [u64; MAX_POINTS],
    free_jumps: [u64; 10],
    rebels_to_move: u64,
    apex_visited: u64,
}

const fn fill<const N: usize>(random: &mut Random) -> [u64; N] {
    let mut keys = [0; N];
    let mut i = 0;
    while i < N {
        keys[i] = random.next_number();
        i += 1;
    }
    keys
}

static KEYS: Keys = {
    let mut random = Random::new(0);
    Keys {
        rebels: fill(&mut random),
        general: fill(&mut random),
        free_jumps: fill(&mut random),
        rebels_to_move: random.next_number(),
        apex_visited: random.next_number(),
    }
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
pub fn after_general_action(hash: u64, before: &State, action: &Move, after: &State) -> u64 {
    let places = KEYS.general[action.from.index()] ^ KEYS.general[action.to.index()];
    hash ^ places ^ rebels(action.captured) ^ KEYS.rebels_to_move ^ flags(before) ^ flags(after)
}

/// The hash after an action of either side.
#[must_use]
pub fn after(hash: u64, before: &State, action: &Move, after: &State) -> u64 {
    match before.side {
        Side::Rebels => after_rebel_step(hash, action.from, action.to),
        Side::General => after_general_action(hash, before, action, after),
    }
}
