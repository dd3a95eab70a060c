//! Proofs at the root: which moves win or lose and in how many plies, and the proof budget.
//!
//! The prover is asked about every root move for one ply more each time. Each "no" raises the proven depth; a "yes"
//! after "no" for all fewer plies is an exact length.

use std::cmp::Reverse;

use crate::eval::Value;
use crate::root_moves::{ProofState, RootMove};
use privy_rules::{Move, Position, Side};

use super::prover::{Aborted, Prover};

/// Proofs take one node for this many of alpha-beta.
const SHARE_OF_PROOFS: u64 = 8;
/// After this many nodes proofs find more than alpha-beta: they take `PROOFS_AFTER_PATIENCE` for each one more.
const PATIENCE: u64 = 200_000;
const PROOFS_AFTER_PATIENCE: u64 = 4;
/// A side that is ahead by this, in hundredths of a Rebel, wins most games: beyond the depth only its wins are asked
/// about, with this many times as many nodes.
const CLEARLY_AHEAD: i16 = 600;
const TIMES_WHEN_AHEAD: u64 = 8;

/// Within the depth of the iteration proofs take at least this many nodes.
const LEAST_WITHIN_DEPTH: u64 = 2_000;

/// What is asked after an iteration: within its depth all wins and losses, then those that are likely.
pub(crate) struct ProofRequest {
    /// The depth of the iteration.
    pub depth: u32,
    /// Lines to report; with one line only losses of the best move are asked about.
    pub lines: usize,
    /// The value of the best line that is not proved.
    pub best: Value,
    /// The total of proof nodes at which to stop: within the depth, and beyond.
    pub node_limits: [u64; 2],
}

impl ProofRequest {
    /// The request after an iteration. The budget follows from the nodes of alpha-beta, and from its value: a win or
    /// loss that it claims counts as one that is likely.
    pub(crate) fn after(depth: u32, lines: usize, best: Value, nodes: u64) -> ProofRequest {
        let request = ProofRequest { depth, lines, best, node_limits: [0; 2] };
        let times = if request.is_ahead(best) || request.is_ahead(-best) { TIMES_WHEN_AHEAD } else { 1 };
        let share = nodes / SHARE_OF_PROOFS + nodes.saturating_sub(PATIENCE).saturating_mul(PROOFS_AFTER_PATIENCE);
        let share = share.saturating_mul(times);
        // What is claimed within the depth is soon decided.
        let is_claimed = lines == 1 && best.distance().is_some_and(|plies| plies <= depth);
        let within = if is_claimed { u64::MAX } else { share.saturating_add(LEAST_WITHIN_DEPTH) };
        ProofRequest { node_limits: [within, share], ..request }
    }

    /// True if a side with this value wins, or most likely does.
    fn is_ahead(&self, value: Value) -> bool {
        self.lines == 1 && value.raw() > CLEARLY_AHEAD
    }

    /// True if a win within this number of plies is worth a question; of the other side if `best` is from its view.
    fn asks(&self, best: Value, plies: u32) -> bool {
        !self.is_ahead(-best) || plies <= self.depth && !best.is_loss()
    }
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
        self.has_news = false;
        // Aborted: proved moves stay proved, and the table keeps the work.
        let _ = self.answer(moves, request);
        moves.sort_by_key(|root_move| Reverse(root_move.rank()));
        self.has_news
    }

    fn answer(&mut self, moves: &mut [RootMove], request: &ProofRequest) -> Result<(), Aborted> {
        for plies in 1..=self.prover.context.most_plies_of_proof() {
            self.prover.counter.set_limit(request.node_limits[usize::from(plies > request.depth)]);
            if request.asks(request.best, plies) {
                self.prove_wins(moves, plies, request.lines)?;
            }
            if request.asks(-request.best, plies) {
                self.prove_losses(moves, plies, request.lines)?;
            }
        }
        Ok(())
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
