//! What both kinds of proof graphs share: positions by number, replies to a move, and leaves to be judged.

use std::collections::HashMap;
use std::ops::{Index, IndexMut};
use std::time::Duration;

use crate::proofs::Claim;
use crate::rules::{Move, Position, Variant};

use super::judge::Judgement;

/// Positions with the proving side to move, their judgements, and the conclusions.
pub(super) trait ProofGraph: Send {
    /// A leaf that becomes pending; none when the root is decided or all leaves that could be judged are pending.
    fn select(&mut self) -> Option<Leaf>;

    /// Takes the judgement of the next best move of a place; none when there is no other move.
    fn judged(&mut self, place: u32, judgement: Option<Judgement>);

    fn judgements(&self, place: u32) -> (&Position, &[Judgement]);

    fn is_proved(&self) -> bool;

    /// There is no proof in this graph.
    fn is_unprovable(&self) -> bool;

    /// The size of the graph; time and searches are left at 0.
    fn progress(&self) -> ProveProgress;
}

/// A position to be judged, without the moves that have been.
#[derive(Debug)]
pub(super) struct Leaf {
    pub(super) place: u32,
    pub(super) position: Position,
    pub(super) without: Vec<Move>,
}

impl Leaf {
    pub(super) fn new(place: u32, position: Position, judgements: &[Judgement]) -> Leaf {
        Leaf { place, position, without: judgements.iter().map(|judgement| judgement.move_).collect() }
    }
}

/// The progress of the search.
#[derive(Debug, Clone, Copy, Default)]
pub struct ProveProgress {
    /// Since the beginning.
    pub time: Duration,
    /// Searches done.
    pub searches: u64,
    /// Positions of the graph, with the proving side to move.
    pub positions: usize,
    /// Positions that are proved; of a draw those that have a move.
    pub proved: usize,
    /// Positions proved by a search, not by the tree below them.
    pub leaves: usize,
    /// The expected effort, in units of the tree; of a draw the positions without a move.
    pub effort: u32,
}

/// Places by number, each with a position: one of two mirror images.
#[derive(Debug)]
pub(super) struct Places<P> {
    pub(super) all: Vec<P>,
    by_position: HashMap<Position, u32>,
}

impl<P> Places<P> {
    pub(super) fn new() -> Places<P> {
        Places { all: Vec::new(), by_position: HashMap::new() }
    }

    /// The number of the place of a position, which is made if there is none.
    pub(super) fn number(&mut self, position: &Position, new: impl FnOnce() -> P) -> u32 {
        *self.by_position.entry(*position).or_insert_with(|| {
            self.all.push(new());
            self.all.len() as u32 - 1
        })
    }

    pub(super) fn find(&self, position: &Position) -> Option<&P> {
        self.by_position.get(position).map(|place| &self[*place])
    }
}

impl<P> Index<u32> for Places<P> {
    type Output = P;

    fn index(&self, place: u32) -> &P {
        &self.all[place as usize]
    }
}

impl<P> IndexMut<u32> for Places<P> {
    fn index_mut(&mut self, place: u32) -> &mut P {
        &mut self.all[place as usize]
    }
}

/// The first positions with the proving side to move: the root itself, or those after the replies in it.
pub(super) fn first_positions(variant: &Variant, root: &Position, claim: Claim) -> Option<Vec<Position>> {
    if root.side() == claim.side() { Some(vec![variant.canonical(root)]) } else { replies(variant, root, claim) }
}

/// The canonical positions after all replies of the other side that do not end the game; none when a reply ends it against the claim.
pub(super) fn replies(variant: &Variant, position: &Position, claim: Claim) -> Option<Vec<Position>> {
    let mut open: Vec<Position> = Vec::new();
    for path in variant.legal_moves(position) {
        match variant.play_unchecked(position, path.action()) {
            (_, Some(outcome)) if claim.is_kept_by(outcome) => {}
            (_, Some(_)) => return None,
            (next, None) => {
                let next = variant.canonical(&next);
                if !open.contains(&next) {
                    open.push(next);
                }
            }
        }
    }
    Some(open)
}

/// The replies to a move of the proving side: [`replies`], and none of them when the move ends the game as claimed.
pub(super) fn replies_to(variant: &Variant, position: &Position, move_: &Move, claim: Claim) -> Option<Vec<Position>> {
    match variant.play_unchecked(position, move_) {
        (_, Some(outcome)) => claim.is_kept_by(outcome).then(Vec::new),
        (next, None) => replies(variant, &next, claim),
    }
}
