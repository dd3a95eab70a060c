//! A position: pieces, side to move, flags, and its hash (A. L. Zobrist, 1970); and the moves between positions.

use privy_base::random::Random;
use privy_protocol::Side;

use crate::board::{MAX_POINTS, Point, PointSet};

/// All that the future of a game depends on, except repetition (RULES §4): equal positions are the same by the
/// repetition rule. A small value; a move makes a new one and updates the hash.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Position {
    hash: u64,
    rebels: PointSet,
    general: Point,
    side: Side,
    apex_visited: bool,
    free_jumps: u8,
    hand: u8,
}

impl Position {
    /// The position with these pieces, side to move and flags. No Rebel is in hand; a General on [`Point::HAND`] is,
    /// where the game has a hand.
    #[inline]
    pub fn new(rebels: PointSet, general: Point, side: Side, apex_visited: bool, free_jumps: u8) -> Position {
        let hash = rebels_key(rebels)
            ^ KEYS.general[general.index()]
            ^ if side == Side::Rebels { KEYS.rebels_to_move } else { 0 }
            ^ flags_key(apex_visited, free_jumps);
        Position { hash, rebels, general, side, apex_visited, free_jumps, hand: 0 }
    }

    /// The position with this number of Rebels in hand.
    #[inline(always)]
    pub fn with_hand(self, hand: u8) -> Position {
        Position { hash: self.hash ^ hand_key(self.hand) ^ hand_key(hand), hand, ..self }
    }

    /// The points of the Rebels.
    #[inline(always)]
    pub const fn rebels(&self) -> PointSet {
        self.rebels
    }

    /// The point of the General.
    #[inline(always)]
    pub const fn general(&self) -> Point {
        self.general
    }

    /// The side to move.
    #[inline(always)]
    pub const fn side(&self) -> Side {
        self.side
    }

    /// True if the General has stood on an apex. Always false without `apex = return`.
    #[inline(always)]
    pub const fn apex_visited(&self) -> bool {
        self.apex_visited
    }

    /// The General's free jumps left.
    #[inline(always)]
    pub const fn free_jumps(&self) -> u8 {
        self.free_jumps
    }

    /// The Rebels in hand.
    #[inline(always)]
    pub const fn hand(&self) -> u8 {
        self.hand
    }

    /// The Rebels that have not fallen, on the board and in hand.
    #[inline(always)]
    pub const fn rebels_left(&self) -> u32 {
        self.rebels.len() + self.hand as u32
    }

    /// The hash. Equal positions have equal hashes, whatever moves led to them.
    #[inline(always)]
    pub const fn hash(&self) -> u64 {
        self.hash
    }

    /// The points with a piece.
    #[inline(always)]
    pub const fn occupied(&self) -> PointSet {
        self.rebels.with(self.general)
    }

    /// The position with a certain side to move.
    #[inline(always)]
    pub fn with_side(self, side: Side) -> Position {
        let changed = if side == self.side { 0 } else { KEYS.rebels_to_move };
        Position { hash: self.hash ^ changed, side, ..self }
    }

    /// The position with the pieces on other points.
    #[inline(always)]
    pub fn with_pieces(self, rebels: PointSet, general: Point) -> Position {
        let general_key = KEYS.general[self.general.index()] ^ KEYS.general[general.index()];
        Position { hash: self.hash ^ rebels_key(self.rebels ^ rebels) ^ general_key, rebels, general, ..self }
    }

    #[inline(always)]
    pub(super) fn after_rebel_step(&self, from: Point, to: Point) -> Position {
        Position {
            hash: self.hash ^ KEYS.rebels[from.index()] ^ KEYS.rebels[to.index()] ^ KEYS.rebels_to_move,
            rebels: self.rebels ^ PointSet::of(from) ^ PointSet::of(to),
            side: Side::General,
            ..*self
        }
    }

    /// The position after a Rebel was dropped; one is in hand.
    #[cold]
    pub(super) fn after_rebel_drop(&self, to: Point) -> Position {
        let left = self.with_hand(self.hand - 1);
        Position {
            hash: left.hash ^ KEYS.rebels[to.index()] ^ KEYS.rebels_to_move,
            rebels: self.rebels.with(to),
            side: Side::General,
            ..left
        }
    }

    /// `return_apex` are the apex points of a variant with `apex = return`, else the empty set.
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
            hand: self.hand,
        }
    }
}

/// The kinds of move (RULES §2 and §3), captures first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum MoveKind {
    /// A capturing jump, or a chain of them.
    Jump,
    /// The General removes a pair without moving.
    Static,
    /// A step or a slide.
    Walk,
    /// A leap without capture.
    Leap,
    /// The General goes to any empty field point.
    FreeJump,
    /// A piece is put on the board from the hand.
    Drop,
    /// A side without another move lets the other one move.
    Pass,
}

/// The effect of a move. Two chains of jumps that take the same Rebels and end on the same point are one `Move`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Move {
    /// The kind of move.
    pub kind: MoveKind,
    /// Where the piece stands before.
    pub from: Point,
    /// Where it stands after.
    pub to: Point,
    /// The Rebels that fall.
    pub captured: PointSet,
}

/// A legal move of a position: its effect and its path.
///
/// ```
/// use privy_rules::Game;
///
/// let game = Game::from_text("1/3/rrrrr/r3r/r1G1r/r3r/rrrrr g - 0 0 sixteen-rebels", None).unwrap();
/// let move_ = game.parse_move(None, "c3-b2").unwrap();
/// assert_eq!(game.board().names(move_.action().captured), "c1 a3");
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct MovePath {
    action: Move,
    /// Empty where the end of the move is the only one: lists of moves are made all the time, and hardly any has more.
    chain: Vec<Point>,
}

impl MovePath {
    #[doc(hidden)]
    pub fn new(action: Move, landings: &[Point]) -> MovePath {
        let chain = if landings == [action.to] { Vec::new() } else { landings.to_vec() };
        MovePath { action, chain }
    }

    /// The effect.
    pub fn action(&self) -> &Move {
        &self.action
    }

    /// Every landing of a chain of jumps in turn; of any other move its one end.
    pub fn landings(&self) -> &[Point] {
        if self.chain.is_empty() { std::slice::from_ref(&self.action.to) } else { &self.chain }
    }
}

/// A random number for each property of a position; the hash is their exclusive or.
struct HashKeys {
    rebels: [u64; MAX_POINTS],
    general: [u64; MAX_POINTS],
    free_jumps: [u64; 10],
    rebels_to_move: u64,
    apex_visited: u64,
    hand: [u64; MAX_POINTS],
}

static KEYS: HashKeys = {
    let mut random = Random::new(0);
    HashKeys {
        rebels: fill(&mut random),
        general: fill(&mut random),
        free_jumps: fill(&mut random),
        rebels_to_move: random.next_number(),
        apex_visited: random.next_number(),
        hand: fill(&mut random),
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

/// Positions of games without a hand have the hashes that they have without this key.
#[inline(always)]
fn hand_key(hand: u8) -> u64 {
    if hand == 0 { 0 } else { KEYS.hand[hand as usize % MAX_POINTS] }
}
