//! Proofs: strategies that win against every reply.
//!
//! A [`Proof`] gives for every position that can arise a move of the winner and the plies within which it wins.
//! `check` finds its faults, `file` reads and writes it.

use std::collections::HashMap;
use std::sync::Arc;

use privy_protocol::Stop;
use privy_rules::{Move, MovePath, Position, Side, Variant};

/// Play by a proof finds wins within these plies that the proof leaves out.
const AT_SIGHT: u32 = 3;

/// Why no proof of a win is possible in a game: plies without capture that are limited are part of its history, which a
/// proof does not have.
pub(crate) fn unprovable(variant: &Variant) -> Option<&'static str> {
    if variant.rules().move_limit().is_some() {
        return Some("a proof counts no plies without capture, which end this game");
    }
    (!variant.rule_set().uses_only(KNOWN)).then_some("proofs do not know one of its rule words")
}

/// The words whose meaning lies in the position alone, or in its repetition.
const KNOWN: &str = "intervention deferred static orthogonal jump jump_lines leap slide free_jumps jump_rows \
    orthogonal_steps compulsory forward enter_privy rebels_never_on general_drops_on rebels_drop_on general_waits \
    custodial apex bottom general_loses_on goal goal_on_return past_rebels rebels_goal no_move repetition \
    rebels_at_most close_privy";

/// The move of the winner in a position.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ProofStep {
    /// One of two mirror images.
    pub position: Position,
    pub move_: Move,
    /// The plies within which it wins.
    pub plies: u32,
}

/// A strategy from a root.
#[derive(Debug, Clone)]
pub struct Proof {
    pub(super) variant: Arc<Variant>,
    pub(super) winner: Side,
    pub(super) root: Position,
    /// By canonical position.
    pub(super) steps: HashMap<Position, ProofStep>,
}

/// A move by a proof, of either side.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProofMove {
    /// The move of the winner, or the reply of longest defence.
    pub move_: MovePath,
    /// The plies within which the winner wins.
    pub plies: u32,
}

impl Proof {
    /// A proof without steps.
    pub(super) fn new(variant: &Arc<Variant>, winner: Side, root: Position) -> Proof {
        Proof { variant: Arc::clone(variant), winner, root, steps: HashMap::new() }
    }

    /// The variant.
    #[must_use]
    pub fn variant(&self) -> &Arc<Variant> {
        &self.variant
    }

    /// The same strategy in another game on the same board, where it may not be sound.
    #[must_use]
    pub fn under(&self, variant: &Arc<Variant>) -> Proof {
        Proof { variant: Arc::clone(variant), ..self.clone() }
    }

    /// The side that wins, whose moves the proof names.
    #[must_use]
    pub fn winner(&self) -> Side {
        self.winner
    }

    /// The position that it is about.
    #[must_use]
    pub fn root(&self) -> &Position {
        &self.root
    }

    /// The number of positions.
    #[must_use]
    pub fn positions(&self) -> usize {
        self.steps.len()
    }

    /// The step of a position or of its mirror image.
    pub(super) fn step(&self, position: &Position) -> Option<&ProofStep> {
        self.steps.get(&self.variant.canonical(position))
    }

    /// Adds a step, or replaces that of the position.
    pub(super) fn insert(&mut self, step: ProofStep) {
        self.steps.insert(self.variant.canonical(&step.position), step);
    }

    /// The plies within which the root is won; `None` if the proof leaves out its root.
    #[must_use]
    pub fn root_plies(&self) -> Option<u32> {
        self.find_move(&self.root).map(|known| known.plies)
    }

    /// The move in a position that is not over, with either side to move, and the plies of the win.
    #[must_use]
    pub fn find_move(&self, position: &Position) -> Option<ProofMove> {
        let legal = self.variant.legal_moves(position);
        if position.side() == self.winner {
            let step = self.step(position)?;
            let after = |position: &Position, move_: &Move| {
                self.variant.canonical(&self.variant.play_unchecked(position, move_).0)
            };
            // The step of a mirror image: the move that leads to the same position.
            let next = after(&step.position, &step.move_);
            let is_step = |path: &MovePath| match step.position == *position {
                true => *path.action() == step.move_,
                false => after(position, path.action()) == next,
            };
            return legal.into_iter().find(is_step).map(|move_| ProofMove { move_, plies: step.plies });
        }
        let (mut longest, endless) = (None::<ProofMove>, Stop::default());
        for move_ in legal {
            let (next, outcome) = self.variant.play_unchecked(position, move_.action());
            let plies = match outcome {
                Some(outcome) if outcome.winner() == Some(self.winner) => 1,
                Some(_) => return None,
                None => self.listed_plies(&next, AT_SIGHT, &endless)?.0 + 1,
            };
            if longest.as_ref().is_none_or(|longest| longest.plies < plies) {
                longest = Some(ProofMove { move_, plies });
            }
        }
        longest
    }

    /// Returns the plies within which the winner wins from a position that is not over, with either side to move;
    /// `None` if the proof does not cover the position.
    #[must_use]
    pub fn plies(&self, position: &Position) -> Option<u32> {
        match position.side() == self.winner {
            true => self.listed_plies(position, AT_SIGHT, &Stop::default()).map(|(plies, _)| plies),
            false => Some(self.find_move(position)?.plies),
        }
    }

    /// The plies of a position of the proof, and 0; or of one that plain search finds to be won within `most`, and 1.
    /// Means nothing once `stop` is set.
    pub(super) fn listed_plies(&self, position: &Position, most: u32, stop: &Stop) -> Option<(u32, usize)> {
        if let Some(step) = self.step(position) {
            return Some((step.plies, 0));
        }
        let mut search = PlainSearch { variant: &self.variant, side: self.winner, known: HashMap::new(), stop };
        let found = (1..=most).find(|plies| search.wins_within(position, *plies));
        found.map(|plies| (plies, 1))
    }
}

/// Plain search over all moves for the win of a side, to move or not.
struct PlainSearch<'a> {
    variant: &'a Variant,
    side: Side,
    known: HashMap<(Position, u32), bool>,
    stop: &'a Stop,
}

impl PlainSearch<'_> {
    /// True if the side wins within `plies`. Means nothing once the search is stopped.
    fn wins_within(&mut self, position: &Position, plies: u32) -> bool {
        if let Some(answer) = self.known.get(&(*position, plies)) {
            return *answer;
        }
        let (moves, is_winner) = (self.variant.legal_moves(position), position.side() == self.side);
        let mut wins = |path: &MovePath| match self.variant.play_unchecked(position, path.action()) {
            (_, Some(outcome)) => outcome.winner() == Some(self.side),
            (next, None) => plies > 1 && !self.stop.is_set() && self.wins_within(&next, plies - 1),
        };
        let answer = if is_winner { moves.iter().any(wins) } else { moves.iter().all(&mut wins) };
        self.known.insert((*position, plies), answer);
        answer
    }
}
