//! A position: what stands where, who is to move, the flags, and its hash (A. L. Zobrist, 1970).

use crate::board::{MAX_POINTS, Point, PointSet};
use crate::random::Random;

use super::{Move, MoveKind, Side};

/// All that the future of a game depends on, repetition apart (RULES §4): two equal positions are the same in the sense of
/// the repetition rule. Small and copied freely; making a move gives a new one, and its hash is kept up to date on the way.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Position {
    hash: u64,
    rebels: PointSet,
    general: Point,
    side: Side,
    apex_visited: bool,
    free_jumps: u8,
}

impl Position {
    /// The position with these pieces, side to move and flags.
    #[inline]
    #[must_use]
    pub fn new(rebels: PointSet, general: Point, side: Side, apex_visited: bool, free_jumps: u8) -> Position {
        let hash = rebels_key(rebels)
            ^ KEYS.general[general.index()]
            ^ if side == Side::Rebels { KEYS.rebels_to_move } else { 0 }
            ^ flags_key(apex_visited, free_jumps);
        Position { hash, rebels, general, side, apex_visited, free_jumps }
    }

    /// Where the Rebels stand.
    #[inline(always)]
    #[must_use]
    pub const fn rebels(&self) -> PointSet {
        self.rebels
    }

    /// Where the General stands.
    #[inline(always)]
    #[must_use]
    pub const fn general(&self) -> Point {
        self.general
    }

    /// Who is to move.
    #[inline(always)]
    #[must_use]
    pub const fn side(&self) -> Side {
        self.side
    }

    /// Has the General stood on an apex? Always false where that means nothing.
    #[inline(always)]
    #[must_use]
    pub const fn apex_visited(&self) -> bool {
        self.apex_visited
    }

    /// How many free jumps the General has left.
    #[inline(always)]
    #[must_use]
    pub const fn free_jumps(&self) -> u8 {
        self.free_jumps
    }

    /// The hash. Equal positions have equal hashes, whatever moves led to them.
    #[inline(always)]
    #[must_use]
    pub const fn hash(&self) -> u64 {
        self.hash
    }

    /// The points with a piece.
    #[inline(always)]
    #[must_use]
    pub const fn occupied(&self) -> PointSet {
        self.rebels.with(self.general)
    }

    /// The position with a certain side to move.
    #[inline(always)]
    #[must_use]
    pub fn with_side(self, side: Side) -> Position {
        let changed = if side == self.side { 0 } else { KEYS.rebels_to_move };
        Position { hash: self.hash ^ changed, side, ..self }
    }

    /// The position with the pieces on other points.
    #[inline(always)]
    #[must_use]
    pub fn with_pieces(self, rebels: PointSet, general: Point) -> Position {
        let general_key = KEYS.general[self.general.index()] ^ KEYS.general[general.index()];
        Position { hash: self.hash ^ rebels_key(self.rebels ^ rebels) ^ general_key, rebels, general, ..self }
    }

    /// The position after a Rebel's step.
    #[inline(always)]
    pub(super) fn after_rebel_step(&self, from: Point, to: Point) -> Position {
        Position {
            hash: self.hash ^ KEYS.rebels[from.index()] ^ KEYS.rebels[to.index()] ^ KEYS.rebels_to_move,
            rebels: self.rebels ^ PointSet::of(from) ^ PointSet::of(to),
            side: Side::General,
            ..*self
        }
    }

    /// The position after a move of the General. `return_apex` are the apex points of a variant in which the visit of an
    /// apex is remembered, else the empty set.
    #[inline(always)]
    pub(super) fn after_general_move(&self, action: &Move, return_apex: PointSet) -> Position {
        let apex_visited = self.apex_visited | return_apex.contains(action.to);
        let free_jumps = self.free_jumps.saturating_sub(u8::from(action.kind == MoveKind::FreeJump));
        let flags = flags_key(self.apex_visited, self.free_jumps) ^ flags_key(apex_visited, free_jumps);
        let places = KEYS.general[action.from.index()] ^ KEYS.general[action.to.index()];
        Position {
            hash: self.hash ^ places ^ rebels_key(action.captured) ^ KEYS.rebels_to_move ^ flags,
            rebels: self.rebels.minus(action.captured),
            general: action.to,
            side: Side::Rebels,
            apex_visited,
            free_jumps,
        }
    }
}

/// A random number for each thing that can be true of a position; its hash is the exclusive or of those that are.
struct Keys {
    rebels: [u64; MAX_POINTS],
    general: [u64; MAX_POINTS],
    free_jumps: [u64; 10],
    rebels_to_move: u64,
    apex_visited: u64,
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

const fn fill<const N: usize>(random: &mut Random) -> [u64; N] {
    let mut keys = [0; N];
    let mut i = 0;
    while i < N {
        keys[i] = random.next_number();
        i += 1;
    }
    keys
}

#[inline(always)]
fn rebels_key(set: PointSet) -> u64 {
    set.into_iter().fold(0, |hash, point| hash ^ KEYS.rebels[point.index()])
}

#[inline(always)]
fn flags_key(apex_visited: bool, free_jumps: u8) -> u64 {
    let free_jumps = KEYS.free_jumps[usize::from(free_jumps) % KEYS.free_jumps.len()];
    if apex_visited { free_jumps ^ KEYS.apex_visited } else { free_jumps }
}
