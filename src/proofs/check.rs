//! Is a proof right? By the rules alone.

use std::collections::HashMap;

use rayon::prelude::*;

use crate::rules::{Position, Side, Variant};

use super::{Claim, Proof, Step};

/// Positions won within so many plies may be left out of a proof.
const LEFT_OUT: u32 = 7;

/// What a proof that is right proves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Checked {
    /// Positions that it names.
    pub positions: usize,
    /// Replies that lead to no position of the proof and were found to be won by plain search.
    pub left_out: usize,
    /// Plies within which the root is won; none for a draw.
    pub plies: Option<u32>,
}

/// Why a proof is not right.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{position}: {reason}")]
pub struct Fault {
    /// The position at fault, as text.
    pub position: String,
    /// What is wrong there.
    pub reason: String,
}

impl Proof {
    /// Checks every step of the proof, and the root, by the rules alone, on all cores.
    ///
    /// # Errors
    /// Names a position at which the proof is wrong.
    pub fn check(&self) -> Result<Checked, Fault> {
        if let Some(reason) = self.claim.spoiled_by(&self.variant) {
            return Err(self.fault(&self.root, &reason));
        }
        let steps: Vec<&Step> = self.steps.values().collect();
        let left_out: usize = steps.par_iter().map(|step| self.check_step(step)).try_reduce(|| 0, |a, b| Ok(a + b))?;
        let variant = &self.variant;
        if let Some(outcome) = variant.outcome(&self.root) {
            return Err(self.fault(&self.root, &format!("the root is over: {outcome}")));
        }
        let (plies, more) = if self.root.side() == self.claim.side() {
            self.check_listed(&self.root, LEFT_OUT).ok_or_else(|| self.fault(&self.root, "the root is not listed"))?
        } else {
            let (longest, more) = self.check_replies(&self.root, u32::MAX)?;
            (longest + 1, more)
        };
        let plies = matches!(self.claim, Claim::Wins(_)).then_some(plies);
        Ok(Checked { positions: steps.len(), left_out: left_out + more, plies })
    }

    fn fault(&self, position: &Position, reason: &str) -> Fault {
        Fault { position: self.variant.position_text(position), reason: reason.to_owned() }
    }

    /// How many replies to a step were left out of the proof.
    fn check_step(&self, step: &Step) -> Result<usize, Fault> {
        let variant = &self.variant;
        let fault = |reason: &str| self.fault(&step.position, reason);
        if step.position.side() != self.claim.side() {
            return Err(fault("the other side is to move"));
        }
        if let Some(outcome) = variant.outcome(&step.position) {
            return Err(fault(&format!("the game is over: {outcome}")));
        }
        if step.plies.is_some() != matches!(self.claim, Claim::Wins(_)) {
            return Err(fault("expected a number of plies for a win, - for a draw"));
        }
        if !variant.legal_moves(&step.position).iter().any(|path| *path.action() == step.move_) {
            return Err(fault("the move is not legal"));
        }
        let (next, outcome) = variant.play_unchecked(&step.position, &step.move_);
        match outcome {
            Some(outcome) if self.claim.is_kept_by(outcome) && step.plies != Some(0) => Ok(0),
            Some(outcome) => Err(fault(&format!("the move ends the game: {outcome}"))),
            None => {
                let most = step.plies.map_or(u32::MAX, |plies| plies.saturating_sub(2));
                Ok(self.check_replies(&next, most)?.1)
            }
        }
    }

    /// The most plies that a reply leaves, and how many replies were left out of the proof. Each must be won within so many plies.
    fn check_replies(&self, position: &Position, most: u32) -> Result<(u32, usize), Fault> {
        let (mut longest, mut left_out) = (0, 0);
        for path in self.variant.legal_moves(position) {
            let reply = || format!("after the reply {}", self.variant.move_text(&path));
            let (next, outcome) = self.variant.play_unchecked(position, path.action());
            match outcome {
                Some(outcome) if self.claim.is_kept_by(outcome) => {}
                Some(outcome) => return Err(self.fault(position, &format!("{} the game ends: {outcome}", reply()))),
                None => {
                    let listed = self.check_listed(&next, most.min(LEFT_OUT));
                    let (plies, more) = listed.filter(|(plies, _)| *plies <= most).ok_or_else(|| {
                        self.fault(position, &format!("{} it is not listed with few enough plies", reply()))
                    })?;
                    longest = longest.max(plies);
                    left_out += more;
                }
            }
        }
        Ok((longest, left_out))
    }

    /// The plies of a position that the proof lists, or that plain search finds to be won within so many; and 1 in that case.
    pub(super) fn check_listed(&self, position: &Position, most: u32) -> Option<(u32, usize)> {
        if let Some(step) = self.step(position) {
            return Some((step.plies.unwrap_or(0), 0));
        }
        let mut known = HashMap::new();
        let found =
            (1..=most).find(|plies| wins_within(&self.variant, position, self.claim.side(), *plies, &mut known));
        found.map(|plies| (plies, 1))
    }
}

/// Does a side that is to move win within so many plies? Plain search over all moves.
fn wins_within(
    variant: &Variant,
    position: &Position,
    side: Side,
    plies: u32,
    known: &mut HashMap<(Position, u32), bool>,
) -> bool {
    if let Some(answer) = known.get(&(*position, plies)) {
        return *answer;
    }
    let answer = variant.legal_moves(position).iter().any(|path| {
        let (next, outcome) = variant.play_unchecked(position, path.action());
        match outcome {
            Some(outcome) => outcome.winner() == Some(side),
            None => {
                plies >= 2
                    && variant.legal_moves(&next).iter().all(|reply| {
                        let (after, outcome) = variant.play_unchecked(&next, reply.action());
                        match outcome {
                            Some(outcome) => outcome.winner() == Some(side),
                            None => plies >= 3 && wins_within(variant, &after, side, plies - 2, known),
                        }
                    })
            }
        }
    });
    known.insert((*position, plies), answer);
    answer
}
