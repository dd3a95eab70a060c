//! Proofs at the root: which moves win or lose and in how many plies, and the proof budget.
//!
//! The prover is asked about every root move for one ply more each time. Each "no" raises the proven depth; a "yes"
//! after "no" for all fewer plies is an exact length.

use std::cmp::Reverse;

use crate::eval::Value;
use crate::limits::MAX_DEPTH;
use crate::root_moves::{ProofState, RootMove};
use privy_rules::{Move, Position, Side};

use super::prover::{Aborted, Prover};

/// Proofs take one node in this many as long as no win or loss is found.
const SHARE_OF_PROOFS: u64 = 8;
/// After this many nodes proofs find more than alpha-beta: from then on they take `PROOFS_AFTER_PATIENCE` nodes for one
/// of it.
const PATIENCE: u64 = 200_000;
const PROOFS_AFTER_PATIENCE: u64 = 4;
/// A side that is ahead by this, in hundredths of a Rebel, wins most games: beyond the depth only its wins are asked
/// about. When it is to move, proofs take `PROOFS_WHEN_AHEAD` nodes for one of alpha-beta.
const CLEARLY_AHEAD: i32 = 600;
const PROOFS_WHEN_AHEAD: u64 = 24;
/// A side that is ahead by this has a win within reach of the proofs: they take as many nodes as alpha-beta from the
/// beginning.
const NEAR_THE_END: i32 = 900;
/// The least proof budget within the depth of the iteration, in nodes.
const LEAST_PROOFS: u64 = 2_000;

pub(crate) struct ProofRequest {
    /// The largest number of plies to ask about.
    pub plies: u32,
    /// Ask about wins of the side to move, and about losses.
    pub wins: bool,
    pub losses: bool,
    /// Lines to report; with one line only losses of the best move are asked about.
    pub lines: usize,
    /// The total of proof nodes at which to stop.
    pub(crate) node_limit: u64,
}

/// A finished iteration, from which the proof budget follows.
pub(crate) struct Iteration {
    pub depth: u32,
    /// The deepest ply.
    pub deepest: u32,
    pub lines: usize,
    /// The value of the best line that is not proved.
    pub best: Value,
    /// The most plies to a win or loss that alpha-beta claims of such a line.
    pub(crate) longest_claim: Option<u32>,
    /// Nodes of alpha-beta of this thread.
    pub nodes: u64,
    pub threads: u64,
}

impl Iteration {
    /// The requests in their order. A claimed win, or a loss within the depth, has no limit of nodes.
    pub(crate) fn requests(&self) -> Vec<ProofRequest> {
        let is_won = self.lines == 1 && self.best.is_win();
        let is_lost = self.lines == 1 && self.best.is_loss();
        let request = |plies, node_limit| {
            let (wins, losses) = (!is_lost, !is_won);
            ProofRequest { plies, wins, losses, lines: self.lines, node_limit }
        };
        // The distance of a tablebase value may be too long to look for a shorter one.
        let is_within = |most: u32| self.best.distance().is_some_and(|plies| plies <= most);
        if is_won && is_within(self.depth.max(self.deepest)) {
            return vec![request(self.longest_claim.unwrap_or(self.depth).saturating_sub(1), u64::MAX)];
        }
        if is_lost && is_within(self.depth) {
            return vec![request(self.depth, u64::MAX)];
        }
        // Within the depth there is a least budget, beyond it the rest of the share.
        let within_depth = request(self.depth, self.share().saturating_add(LEAST_PROOFS));
        let mut beyond = request(MAX_DEPTH, self.share());
        if self.lines == 1 {
            beyond.wins &= !is_ahead(-self.best, CLEARLY_AHEAD);
            beyond.losses &= !is_ahead(self.best, CLEARLY_AHEAD);
        }
        vec![within_depth, beyond]
    }

    /// The nodes of all proofs of this thread.
    fn share(&self) -> u64 {
        let share = match self.best.distance() {
            Some(_) => self.nodes,
            None if self.lines == 1 && is_ahead(self.best, NEAR_THE_END) && self.nodes <= PATIENCE => self.nodes,
            None if self.nodes <= PATIENCE => self.nodes / SHARE_OF_PROOFS,
            None if self.lines == 1 && is_ahead(self.best, CLEARLY_AHEAD) => {
                self.nodes.saturating_mul(PROOFS_WHEN_AHEAD)
            }
            None => self.nodes.saturating_mul(PROOFS_AFTER_PATIENCE),
        };
        share / self.threads
    }
}

/// True if an evaluation is above `by`, in hundredths of a Rebel.
fn is_ahead(value: Value, by: i32) -> bool {
    value.distance().is_none() && i32::from(value.raw()) > by
}

pub(crate) struct RootProof<'a> {
    pub prover: Prover<'a>,
    root: Position,
    /// A helper thread asks in the opposite order.
    is_helper: bool,
    /// The present request has proved something.
    has_news: bool,
}

impl<'a> RootProof<'a> {
    pub(crate) fn new(prover: Prover<'a>, root: Position, is_helper: bool) -> RootProof<'a> {
        RootProof { prover, root, is_helper, has_news: false }
    }

    pub(crate) fn nodes(&self) -> u64 {
        self.prover.counter.nodes
    }

    /// Asks until the request is done or aborted, then sorts the moves. True if anything was proved.
    pub(crate) fn prove(&mut self, moves: &mut [RootMove], request: &ProofRequest) -> bool {
        self.prover.counter.set_limit(request.node_limit);
        self.has_news = false;
        // Aborted: proved moves stay proved, and the table keeps the work.
        let _ = self.answer(moves, request);
        moves.sort_by_key(|root_move| Reverse(root_move.rank()));
        self.has_news
    }

    fn answer(&mut self, moves: &mut [RootMove], request: &ProofRequest) -> Result<(), Aborted> {
        for plies in 1..=request.plies.min(self.prover.context.most_plies_of_proof()) {
            if request.wins {
                self.prove_wins(moves, plies, request.lines)?;
            }
            if request.losses {
                self.prove_losses(moves, plies, request.lines)?;
            }
        }
        self.confirm_claims(moves, request.lines)
    }

    /// Asks which moves win in exactly this number of plies.
    fn prove_wins(&mut self, moves: &mut [RootMove], plies: u32, lines: usize) -> Result<(), Aborted> {
        let winner = self.root.side();
        let is_asked = |known: &RootMove| known.is_open() && known.no_win_within < plies;
        let mut places: Vec<usize> = (0..moves.len()).filter(|place| is_asked(&moves[*place])).collect();
        // The moves that were hardest to refute with fewer plies win most often.
        places.sort_by_key(|place| Reverse(moves[*place].proof_nodes));
        if self.is_helper {
            places.reverse();
        }
        for place in places {
            if moves.iter().filter(|known| known.proof == ProofState::Exact && known.value.is_win()).count() >= lines {
                break;
            }
            let asked = &mut moves[place];
            let nodes_before = self.nodes();
            let wins = self.prover.move_wins(&self.root, asked.move_(), winner, plies as usize)?;
            asked.proof_nodes = asked.proof_nodes.max(self.nodes() - nodes_before);
            if wins {
                asked.line = self.line(*asked.move_(), winner, plies)?;
                (asked.value, asked.proof) = (Value::win_in(plies), ProofState::Exact);
                self.has_news = true;
            } else {
                asked.no_win_within = plies;
            }
        }
        Ok(())
    }

    /// Asks which moves lose in this number of plies. For a single line it stops at the first that does not.
    fn prove_losses(&mut self, moves: &mut [RootMove], plies: u32, lines: usize) -> Result<(), Aborted> {
        let winner = !self.root.side();
        for asked in moves.iter_mut().filter(|asked| asked.is_open()) {
            if asked.no_loss_within < plies {
                if self.prover.move_wins(&self.root, asked.move_(), winner, plies as usize)? {
                    if asked.no_loss_within + 1 == plies {
                        asked.line = self.line(*asked.move_(), winner, plies)?;
                        asked.proof = ProofState::Exact;
                    } else {
                        asked.proof = ProofState::Lost;
                    }
                    asked.value = Value::loss_in(plies);
                    self.has_news = true;
                    continue;
                }
                asked.no_loss_within = plies;
            }
            if lines == 1 {
                break;
            }
        }
        Ok(())
    }

    /// A claimed win is exact when no shorter win is left.
    fn confirm_claims(&mut self, moves: &mut [RootMove], lines: usize) -> Result<(), Aborted> {
        let no_win_within = moves.iter().filter(|other| other.is_open()).map(|other| other.no_win_within).min();
        for claimed in moves.iter_mut().take(lines).filter(|claimed| claimed.is_open() && claimed.value.is_win()) {
            let Some(plies) = claimed.value.distance() else { continue };
            let refuted = if lines == 1 { no_win_within.unwrap_or(0) } else { claimed.no_win_within };
            if plies <= refuted + 1 {
                if claimed.line.len() != plies as usize {
                    claimed.line = self.line(*claimed.move_(), self.root.side(), plies)?;
                }
                claimed.proof = ProofState::Exact;
            }
        }
        Ok(())
    }

    /// Best play from a move on that wins or loses in exactly this number of plies.
    fn line(&mut self, first: Move, winner: Side, plies: u32) -> Result<Vec<Move>, Aborted> {
        let mut line = vec![first];
        let mut position = self.prover.after(&self.root, &first);
        for left in (1..plies as usize).rev() {
            let Some(next) = self.prover.best(&position, winner, left)? else { break };
            line.push(next);
            position = self.prover.after(&position, &next);
        }
        Ok(line)
    }
}
