//! The check of a proof by the rules alone. It shares nothing with the search that finds proofs.

use privy_base::threads::{on_all_cores, try_map};
use privy_protocol::Stop;
use privy_rules::Position;

use super::strategy::{Proof, ProofStep, unprovable};

/// A proof may leave out positions won within these plies.
const LEFT_OUT: u32 = 7;
/// The steps that a thread checks at a time.
const STEPS_OF_TASK: usize = 4096;

/// The result of a sound proof.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CheckedProof {
    /// The number of positions.
    pub positions: usize,
    /// Replies to positions that the proof leaves out and that plain search found to be won.
    pub left_out: usize,
    /// Plies within which the root is won.
    pub plies: u32,
}

/// Why a proof is invalid.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{position}: {reason}")]
pub struct ProofFault {
    /// The position at fault, as text.
    pub position: String,
    /// What is wrong there.
    pub reason: String,
}

impl Proof {
    /// Checks every step of the proof, and the root, on all cores.
    ///
    /// # Errors
    /// A position at which the proof is wrong; once `stop` is set, the one at which the check was interrupted.
    pub fn check(&self, stop: &Stop) -> Result<CheckedProof, ProofFault> {
        if let Some(reason) = unprovable(&self.variant) {
            return Err(self.fault(&self.root, reason));
        }
        let steps: Vec<&ProofStep> = self.steps.values().collect();
        let check_all = |steps: &[&ProofStep]| steps.iter().map(|step| self.check_step(step, stop)).sum();
        let left_out: Vec<usize> = on_all_cores(|| try_map(steps.chunks(STEPS_OF_TASK), check_all))?;
        let left_out: usize = left_out.into_iter().sum();
        if let Some(outcome) = self.variant.outcome(&self.root) {
            return Err(self.fault(&self.root, &format!("the root is over: {outcome}")));
        }
        let (plies, more) = if self.root.side() == self.winner {
            let listed = self.listed_plies(&self.root, LEFT_OUT, stop);
            listed.ok_or_else(|| self.fault(&self.root, "the root is not listed"))?
        } else {
            let (longest, more) = self.check_replies(&self.root, u32::MAX, stop)?;
            (longest + 1, more)
        };
        Ok(CheckedProof { positions: self.steps.len(), left_out: left_out + more, plies })
    }

    fn fault(&self, position: &Position, reason: &str) -> ProofFault {
        ProofFault { position: self.variant.position_text(position), reason: reason.to_owned() }
    }

    /// Returns the number of replies to positions that the proof leaves out.
    fn check_step(&self, step: &ProofStep, stop: &Stop) -> Result<usize, ProofFault> {
        let variant = &self.variant;
        let fault = |reason: &str| self.fault(&step.position, reason);
        if stop.is_set() {
            return Err(fault("interrupted"));
        }
        if step.position.side() != self.winner {
            return Err(fault("the other side is to move"));
        }
        if let Some(outcome) = variant.outcome(&step.position) {
            return Err(fault(&format!("the game is over: {outcome}")));
        }
        if !variant.legal_moves(&step.position).iter().any(|path| *path.action() == step.move_) {
            return Err(fault("the move is not legal"));
        }
        match variant.play_unchecked(&step.position, &step.move_) {
            (_, Some(outcome)) if outcome.winner() == Some(self.winner) && step.plies != 0 => Ok(0),
            (_, Some(outcome)) => Err(fault(&format!("the move ends the game: {outcome}"))),
            (next, None) => Ok(self.check_replies(&next, step.plies.saturating_sub(2), stop)?.1),
        }
    }

    /// Checks that all replies are won within `most` plies. Returns the most plies of one, and the number of those to
    /// positions left out.
    fn check_replies(&self, position: &Position, most: u32, stop: &Stop) -> Result<(u32, usize), ProofFault> {
        let (mut longest, mut left_out) = (0, 0);
        for path in self.variant.legal_moves(position) {
            let fault = |reason: &str| {
                let reply = self.variant.move_text(&path);
                self.fault(position, &format!("after the reply {reply} {reason}"))
            };
            match self.variant.play_unchecked(position, path.action()) {
                (_, Some(outcome)) if outcome.winner() == Some(self.winner) => {}
                (_, Some(outcome)) => return Err(fault(&format!("the game ends: {outcome}"))),
                (next, None) => {
                    let sought = most.min(LEFT_OUT);
                    let (plies, more) = self.listed_plies(&next, sought, stop).ok_or_else(|| {
                        fault(&format!("the position is neither listed nor won within {sought} plies"))
                    })?;
                    if plies > most {
                        return Err(fault(&format!("the position is listed as won within {plies} plies, not {most}")));
                    }
                    longest = longest.max(plies);
                    left_out += more;
                }
            }
        }
        Ok((longest, left_out))
    }
}
