//! What to ask of the proofs after an iteration of the search, and how many nodes they may take.

use super::root_proof::ProofRequest;
use crate::eval::Score;
use crate::search::searcher::MAX_DEPTH;

/// Proofs may take one node in so many while nothing is known to be won or lost.
const SHARE_OF_PROOFS: u64 = 8;

/// After so many nodes proofs find more than the search does: from then on they take so many nodes for one of the search.
const PATIENCE: u64 = 200_000;
const PROOFS_AFTER_PATIENCE: u64 = 4;

/// A side that is so much ahead, in hundredths of a Rebel, wins in most games: then only its wins are asked about beyond the depth.
/// When it is to move, proofs take so many nodes for one of the search.
const CLEARLY_AHEAD: i32 = 600;
const PROOFS_WHEN_AHEAD: u64 = 24;

/// Proofs within the depth of the iteration may always take so many nodes.
const LEAST_PROOFS: u64 = 2_000;

/// An iteration that has ended.
pub(crate) struct Iteration {
    pub(crate) depth: u32,
    /// The most plies looked ahead.
    pub(crate) deepest: u32,
    /// So many lines are wanted.
    pub(crate) lines: usize,
    /// Of the best line whose value is not proved yet.
    pub(crate) best: Score,
    /// The most plies to a win or loss that the search tells of such a line.
    pub(crate) longest_claim: Option<u32>,
    /// Nodes of the search so far, by this thread.
    pub(crate) nodes: u64,
    /// As many threads share the proofs.
    pub(crate) threads: u64,
}

impl Iteration {
    /// What to ask, in this order. A win that the search tells, or a loss within the depth, is given all the nodes that there are.
    pub(crate) fn requests(&self) -> Vec<ProofRequest> {
        let won = self.lines == 1 && self.best.is_win();
        let lost = self.lines == 1 && self.best.is_loss();
        let request = |plies, nodes| ProofRequest { plies, wins: !lost, losses: !won, lines: self.lines, nodes };
        // What a table says may be too far off to look for something shorter.
        let within = |most: u32| self.best.distance().is_some_and(|plies| plies <= most);
        if won && within(self.depth.max(self.deepest)) {
            return vec![request(self.longest_claim.unwrap_or(self.depth).saturating_sub(1), u64::MAX)];
        }
        if lost && within(self.depth) {
            return vec![request(self.depth, u64::MAX)];
        }
        // Within the depth a little always, beyond it what the share leaves.
        let within_depth = request(self.depth, self.share().saturating_add(LEAST_PROOFS));
        let mut beyond = request(MAX_DEPTH, self.share());
        if self.lines == 1 {
            beyond.wins &= !is_clear(-self.best);
            beyond.losses &= !is_clear(self.best);
        }
        vec![within_depth, beyond]
    }

    /// Nodes that proofs of this thread may take in all.
    fn share(&self) -> u64 {
        let share = match self.best.distance() {
            Some(_) => self.nodes,
            None if self.nodes <= PATIENCE => self.nodes / SHARE_OF_PROOFS,
            None if self.lines == 1 && is_clear(self.best) => self.nodes.saturating_mul(PROOFS_WHEN_AHEAD),
            None => self.nodes.saturating_mul(PROOFS_AFTER_PATIENCE),
        };
        share / self.threads.max(1)
    }
}

/// Does an evaluation say that the side is clearly ahead?
fn is_clear(score: Score) -> bool {
    score.distance().is_none() && i32::from(score.raw()) > CLEARLY_AHEAD
}
