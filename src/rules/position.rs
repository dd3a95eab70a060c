//! A position of a variant, with everything a player may ask of it.

use std::sync::Arc;

use crate::board::{Board, PointSet};

use super::family::for_family;
use super::{Move, MovePath, Outcome, Side, State, Variant, zobrist};

/// A position: the state, its outcome, and two counters that no rule looks at.
#[derive(Debug, Clone)]
pub struct Position {
    variant: Arc<Variant>,
    state: State,
    hash: u64,
    outcome: Option<Outcome>,
    since_capture: u32,
    ply: u32,
}

impl Position {
    /// A position set up, judged as if the side not to move had just moved.
    pub(super) fn new(variant: Arc<Variant>, state: State, since_capture: u32, ply: u32) -> Position {
        let outcome = for_family!(variant.family(), F => variant.rules().outcome::<F>(&state, None));
        Position { variant, state, hash: zobrist::hash(&state), outcome, since_capture, ply }
    }

    /// The variant.
    #[must_use]
    pub fn variant(&self) -> &Arc<Variant> {
        &self.variant
    }

    /// The variant's board.
    #[must_use]
    pub fn board(&self) -> &Board {
        self.variant.board()
    }

    /// Pieces, side to move and flags.
    #[must_use]
    pub fn state(&self) -> &State {
        &self.state
    }

    /// The hash key of the state.
    #[must_use]
    pub fn hash(&self) -> u64 {
        self.hash
    }

    /// Who is to move, also when the game is over.
    #[must_use]
    pub fn side(&self) -> Side {
        self.state.side
    }

    /// How the game ended, if this position ended it. Repetition and a limit of plies are a matter of the
    /// [`Game`](super::Game).
    #[must_use]
    pub fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }

    /// Plies since the last capture.
    #[must_use]
    pub fn plies_since_capture(&self) -> u32 {
        self.since_capture
    }

    /// The number of the ply to come, from 0.
    #[must_use]
    pub fn ply(&self) -> u32 {
        self.ply
    }

    /// All legal moves; none when the game is over. Jumps come first, then static interventions, walks, leaps, free jumps.
    #[must_use]
    pub fn legal_moves(&self) -> Vec<MovePath> {
        let mut moves = Vec::new();
        if self.outcome.is_some() {
            return moves;
        }
        let rules = self.variant.rules();
        match self.state.side {
            Side::Rebels => rules.rebel_bundles(&self.state, |from, targets| {
                moves.extend(targets.into_iter().map(|to| MovePath::new(Move::rebel_step(from, to), vec![to])));
            }),
            Side::General => for_family!(self.variant.family(), F => {
                rules.general_actions::<F>(&self.state, |action, landings| moves.push(MovePath::new(action, landings.to_vec())));
            }),
        }
        moves
    }

    /// The position with the other side to move, which tells what it threatens. There is no passing in these games, so it
    /// may be one that no game can reach; it is judged as if the side to move here had just moved.
    #[must_use]
    pub fn passed(&self) -> Position {
        let state = State { side: !self.state.side, ..self.state };
        Position::new(Arc::clone(&self.variant), state, self.since_capture, self.ply)
    }

    /// The Rebels that the General takes with one move or another; with the Rebels to move, that he would take if it were
    /// his turn.
    #[must_use]
    pub fn threatened(&self) -> PointSet {
        let moves = match self.side() {
            Side::General => self.legal_moves(),
            Side::Rebels => self.passed().legal_moves(),
        };
        moves.iter().fold(PointSet::EMPTY, |all, move_| all | move_.action().captured)
    }

    /// The position after a move, which must be one of [`legal_moves`](Position::legal_moves).
    #[must_use]
    pub fn after(&self, move_: &MovePath) -> Position {
        let action = move_.action();
        let rules = self.variant.rules();
        let state = self.state.after(action, rules.return_apex);
        let outcome = for_family!(self.variant.family(), F => rules.outcome::<F>(&state, Some(action.to)));
        Position {
            variant: Arc::clone(&self.variant),
            hash: zobrist::after(self.hash, &self.state, action, &state),
            state,
            outcome,
            since_capture: if action.captured.is_empty() { self.since_capture.saturating_add(1) } else { 0 },
            ply: self.ply.saturating_add(1),
        }
    }
}

/// Two positions are equal when their states are, in the same rules. The counters don't count.
impl PartialEq for Position {
    fn eq(&self, other: &Position) -> bool {
        self.state == other.state && self.variant.fingerprint() == other.variant.fingerprint()
    }
}

impl Eq for Position {}
