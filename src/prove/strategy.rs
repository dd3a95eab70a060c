//! From a tree that is proved to a strategy: every position that can arise, with the move that wins.
//!
//! What the tree proved by searches of its leaves is played out by the proof search, to the end.

use std::sync::Arc;
use std::time::Duration;

use crate::proofs::{Claim, Proof, Step};
use crate::rules::{Position, Side, Variant};
use crate::search::{Searcher, Stop, WinFinder};

use super::replies::{Replies, replies_to};
use super::tree::Tree;

/// Positions won within so many plies are left out: any program sees them at once.
const LEFT_OUT: u32 = 1;

/// Builds the strategy of a tree that is proved; none when it was stopped, or took longer than the time.
pub(super) fn strategy(
    tree: &Tree,
    variant: &Arc<Variant>,
    root: &Position,
    attacker: Side,
    searcher: &mut Searcher,
    time: Option<Duration>,
    stop: &Stop,
) -> Option<Proof> {
    let mut proof = Proof::new(variant, Claim::Wins(attacker), *root);
    let plies = u32::from(tree.root_plies());
    let mut open: Vec<(Position, u32)> = tree.first_positions().map(|position| (position, plies)).collect();
    let mut is_whole = true;
    searcher.find_wins(variant, time, stop, &mut |finder| {
        while let Some((position, plies)) = open.pop() {
            if proof.step(&position).is_some_and(|step| step.plies <= Some(plies)) {
                continue;
            }
            let Some(step) = step(tree, &position, plies, finder) else {
                is_whole = false;
                return;
            };
            proof.insert(step);
            if let (Replies::Open(positions), Some(plies)) =
                (replies_to(variant, &position, &step.move_, Claim::Wins(attacker)), step.plies)
            {
                open.extend(positions.into_iter().map(|position| (position, plies - 2)));
            }
        }
    });
    proof.retain(|step| step.plies > Some(LEFT_OUT));
    is_whole.then_some(proof)
}

/// A move that wins within so many plies, by the tree where it knows one.
fn step(tree: &Tree, position: &Position, plies: u32, finder: &mut dyn WinFinder) -> Option<Step> {
    let place = tree.find(position);
    let known = place.and_then(|place| place.proof).filter(|(_, most)| u32::from(*most) <= plies);
    if let Some((move_, most)) = known {
        return Some(Step { position: *position, move_, plies: Some(u32::from(most)) });
    }
    let move_ = finder.winning_move(position, plies)?;
    Some(Step { position: *position, move_, plies: Some(plies) })
}
