//! What the other side can reply to a move of the side that proves.

use crate::proofs::Claim;
use crate::rules::{Move, Position, Variant};

/// What becomes of a claim after a move.
pub(super) enum Replies {
    /// The move ends the game as it is claimed.
    Ended,
    /// After it, or after a reply, the game ends otherwise.
    Escaped,
    /// The positions after all replies that don't end the game, each once, and one of two mirror images.
    Open(Vec<Position>),
}

/// All replies to a position with the other side to move.
pub(super) fn replies(variant: &Variant, position: &Position, claim: Claim) -> Replies {
    let mut open: Vec<Position> = Vec::new();
    for path in variant.legal_moves(position) {
        let (next, outcome) = variant.play_unchecked(position, path.action());
        match outcome {
            Some(outcome) if claim.is_kept_by(outcome) => {}
            Some(_) => return Replies::Escaped,
            None => {
                let next = variant.canonical(&next);
                if !open.contains(&next) {
                    open.push(next);
                }
            }
        }
    }
    Replies::Open(open)
}

/// All replies to a move of the side that proves.
pub(super) fn replies_to(variant: &Variant, position: &Position, move_: &Move, claim: Claim) -> Replies {
    let (next, outcome) = variant.play_unchecked(position, move_);
    match outcome {
        Some(outcome) if claim.is_kept_by(outcome) => Replies::Ended,
        Some(_) => Replies::Escaped,
        None => replies(variant, &next, claim),
    }
}
