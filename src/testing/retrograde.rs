//! Exact values of positions in two ways, from the public rules alone and independent of the search.
//!
//! [`Solution`] is retrograde analysis of every position that moves reach. [`Bounded`] searches all sequences of a few
//! plies, for positions with too many descendants.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use privy_oracle::{Next, PlainEnd, PlainSolution, PlainValue};
use privy_rules::{Game, MovePath, Position, Side, Variant};

/// The value of a position for the side to move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exact {
    /// Won in this number of plies.
    Win(u32),
    /// Lost in this number of plies; 0 is a lost game that is over.
    Loss(u32),
    /// Neither won nor lost in this many plies or fewer; `u32::MAX` is a proved draw.
    Neither(u32),
}

impl From<PlainValue> for Exact {
    fn from(value: PlainValue) -> Exact {
        match value {
            PlainValue::Win(plies) => Exact::Win(plies),
            PlainValue::Loss(plies) => Exact::Loss(plies),
            PlainValue::Draw => Exact::DRAW,
        }
    }
}

impl Exact {
    /// The value where neither side can force a win.
    pub const DRAW: Exact = Exact::Neither(u32::MAX);

    /// The value of a move for the side that makes it, from the value of the position after it.
    pub fn of_move_to(child: Exact) -> Exact {
        match child {
            Exact::Win(plies) => Exact::Loss(plies + 1),
            Exact::Loss(plies) => Exact::Win(plies + 1),
            Exact::Neither(plies) => Exact::Neither(plies.saturating_add(1)),
        }
    }

    /// The value of a move that ends the game, for the side that makes it.
    fn of_end(end: PlainEnd) -> Exact {
        match end {
            PlainEnd::Win => Exact::Win(1),
            PlainEnd::Loss => Exact::Loss(1),
            PlainEnd::Draw => Exact::DRAW,
        }
    }

    /// The value of a position from the values of its moves: the shortest win, else no decision, else the longest loss.
    pub fn best_of(values: impl Iterator<Item = Exact>) -> Exact {
        let rank = |value: &Exact| match *value {
            Exact::Win(plies) => 1_000_000 - i64::from(plies),
            Exact::Neither(_) => 0,
            Exact::Loss(plies) => i64::from(plies) - 1_000_000,
        };
        values.max_by_key(rank).unwrap()
    }

    /// Plies to the end; `None` without a decision.
    pub fn plies(self) -> Option<u32> {
        match self {
            Exact::Win(plies) | Exact::Loss(plies) => Some(plies),
            Exact::Neither(_) => None,
        }
    }
}

/// The end of a game by its winner, for the side that made the last move.
fn end(winner: Option<Side>, mover: Side) -> PlainEnd {
    match winner {
        None => PlainEnd::Draw,
        Some(winner) if winner == mover => PlainEnd::Win,
        Some(_) => PlainEnd::Loss,
    }
}

/// Where a move leads, except by repetition and limits of plies. Custodial capture depends on the move, not on the
/// position after it.
fn next(variant: &Variant, position: &Position, move_: &MovePath) -> Next<Position> {
    match variant.play_unchecked(position, move_.action()) {
        (next, None) => Next::Position(next),
        (_, Some(outcome)) => Next::End(end(outcome.winner(), position.side())),
    }
}

/// All positions reachable from a root, with their values.
pub struct Solution {
    variant: Arc<Variant>,
    plain: PlainSolution<Position>,
    /// Positions that end the game by repetition.
    repeated: HashSet<Position>,
}

impl Solution {
    /// Solves everything reachable from a position that is not over. `None` if there are more than `most` positions.
    pub fn of(root: &Game, most: usize) -> Option<Solution> {
        assert!(root.outcome().is_none());
        let variant = Arc::clone(root.variant());
        let nexts = |position: &Position| {
            let moves = variant.legal_moves(position);
            moves.iter().map(|move_| next(&variant, position, move_)).collect()
        };
        let plain = PlainSolution::of([*root.position()], most, nexts)?;
        Some(Solution { variant, plain, repeated: HashSet::new() })
    }

    fn by_repetition(&self, mover: Side) -> PlainEnd {
        end(self.variant.rules().winner_by_repetition, mover)
    }

    /// The same positions where a move to one of `repeated` ends the game by repetition, unless another rule ends it.
    pub fn with_repeated(&self, repeated: &HashSet<Position>) -> Solution {
        let plain = self.plain.with_ends(repeated.iter().copied(), |before| self.by_repetition(before.side()));
        Solution { variant: Arc::clone(&self.variant), plain, repeated: repeated.clone() }
    }

    /// Positions in the order in which they were found, each with its value.
    pub fn positions(&self) -> impl ExactSizeIterator<Item = (&Position, Exact)> {
        self.plain.positions().iter().zip(self.plain.values().iter().map(|value| Exact::from(*value)))
    }

    /// A game that begins with a position.
    pub fn game(&self, position: &Position) -> Game {
        Game::new(&self.variant, *position, 0, 0)
    }

    /// The value of a reached position that is not over.
    pub fn value(&self, position: &Game) -> Exact {
        self.value_of_state(position.position()).expect("a reached position")
    }

    /// The value of a position that is not over; `None` if it is not reachable.
    pub fn value_of_state(&self, state: &Position) -> Option<Exact> {
        self.plain.value(state).map(Exact::from)
    }

    /// The value of a move for the side that makes it.
    pub fn value_of_move(&self, position: &Game, move_: &MovePath) -> Exact {
        let (mover, next) = (position.side(), next(&self.variant, position.position(), move_));
        match next {
            Next::Position(next) if !self.repeated.contains(&next) => {
                Exact::of_move_to(self.value_of_state(&next).expect("a reached position"))
            }
            Next::Position(_) => Exact::of_end(self.by_repetition(mover)),
            Next::End(end) => Exact::of_end(end),
        }
    }
}

/// A full search of a few plies.
#[derive(Default)]
pub struct Bounded {
    /// By position, plies since the last capture and plies of the search.
    known: HashMap<(Position, u32, u32), Exact>,
}

impl Bounded {
    /// The value of a position that is not over within `plies` plies.
    pub fn value(&mut self, position: &Game, plies: u32) -> Exact {
        if plies == 0 {
            return Exact::Neither(0);
        }
        let key = (*position.position(), position.plies_since_capture(), plies);
        if let Some(value) = self.known.get(&key) {
            return *value;
        }
        let mut best = None;
        for move_ in position.legal_moves() {
            best = Some(Exact::best_of(best.into_iter().chain([self.value_of_move(position, &move_, plies)])));
            if best == Some(Exact::Win(1)) {
                break;
            }
        }
        let value = match best.expect("a position that is not over has moves") {
            Exact::Neither(_) => Exact::Neither(plies),
            decided => decided,
        };
        self.known.insert(key, value);
        value
    }

    /// The value of a move for the side that makes it. The move is the first of the plies.
    pub fn value_of_move(&mut self, position: &Game, move_: &MovePath, plies: u32) -> Exact {
        let after = position.after(move_);
        match after.outcome() {
            Some(outcome) => Exact::of_end(end(outcome.winner(), position.side())),
            None => Exact::of_move_to(self.value(&after, plies - 1)),
        }
    }
}
