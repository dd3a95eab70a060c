//! Proofs at the root: which moves win or lose, with the exact length, and how many nodes may be spent on it.
//!
//! The prover is asked about every root move for one ply more each time. What it denies bounds the proven depth; the first
//! "yes" after "no" for all fewer plies is an exact length.

use std::cmp::Reverse;

use crate::eval::Value;
use crate::rules::{Family, Move, Position, Side};
use crate::search::limits::MAX_DEPTH;
use crate::search::root_moves::{Proof, RootMove};

use super::prover::{GivenUp, Prover};

/// Proofs may take one node in so many while nothing is known to be won or lost.
const SHARE_OF_PROOFS: u64 = 8;

/// After so many nodes proofs find more than the search does: from then on they take so many nodes for one of the search.
const PATIENCE: u64 = 200_000;
const PROOFS_AFTER_PATIENCE: u64 = 4;

/// A side that is so much ahead, in hundredths of a Rebel, wins in most games: then only its wins are asked about beyond the depth.
/// When it is to move, proofs take so many nodes for one of the search.
const CLEARLY_AHEAD: i32 = 600;
const PROOFS_WHEN_AHEAD: u64 = 24;

/// A side that is so much ahead has a win within reach of the proofs: they take as many nodes as the search from the beginning.
const NEAR_THE_END: i32 = 900;

/// Proofs within the depth of the iteration may always take so many nodes.
const LEAST_PROOFS: u64 = 2_000;

/// What to ask, and how long.
pub(crate) struct ProofRequest {
    /// Up to so many plies.
    pub(crate) plies: u32,
    /// Ask about wins of the side to move, and of the other.
    pub(crate) wins: bool,
    pub(crate) losses: bool,
    /// Lines to report; of one alone only the best move's loss matters.
    pub(crate) lines: usize,
    /// Total nodes of proofs at which to give up.
    pub(crate) node_limit: u64,
}

/// An iteration of the search that has ended, from which the budget of proofs follows.
pub(crate) struct Iteration {
    pub(crate) depth: u32,
    /// The most plies looked ahead.
    pub(crate) deepest: u32,
    /// Lines to report.
    pub(crate) lines: usize,
    /// Of the best line whose value is not proved yet, as it decides how much proofs may take.
    pub(crate) best: Value,
    /// The most plies to a win or loss that the search claims of such a line.
    pub(crate) longest_claim: Option<u32>,
    /// Nodes of the search so far, by this thread.
    pub(crate) nodes: u64,
    /// As many threads share the proofs.
    pub(crate) threads: u64,
}

impl Iteration {
    /// What to ask, in this order. A win that the search claims, or a loss within the depth, has no limit of nodes.
    pub(crate) fn requests(&self) -> Vec<ProofRequest> {
        let is_won = self.lines == 1 && self.best.is_win();
        let is_lost = self.lines == 1 && self.best.is_loss();
        let request = |plies, node_limit| {
            let (wins, losses) = (!is_lost, !is_won);
            ProofRequest { plies, wins, losses, lines: self.lines, node_limit }
        };
        // What a table says may be too far off to look for something shorter.
        let is_within = |most: u32| self.best.distance().is_some_and(|plies| plies <= most);
        if is_won && is_within(self.depth.max(self.deepest)) {
            return vec![request(self.longest_claim.unwrap_or(self.depth).saturating_sub(1), u64::MAX)];
        }
        if is_lost && is_within(self.depth) {
            return vec![request(self.depth, u64::MAX)];
        }
        // Within the depth a little always, beyond it what the share leaves.
        let within_depth = request(self.depth, self.share().saturating_add(LEAST_PROOFS));
        let mut beyond = request(MAX_DEPTH, self.share());
        if self.lines == 1 {
            beyond.wins &= !is_ahead(-self.best, CLEARLY_AHEAD);
            beyond.losses &= !is_ahead(self.best, CLEARLY_AHEAD);
        }
        vec![within_depth, beyond]
    }

    /// Nodes that proofs of this thread may take in all.
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

/// Does an evaluation say that the side is ahead by more than so many hundredths of a Rebel?
fn is_ahead(value: Value, by: i32) -> bool {
    value.distance().is_none() && i32::from(value.raw()) > by
}

/// Proves what the moves of a root win or lose.
pub(crate) struct RootProof<'a, F: Family> {
    prover: Prover<'a, F>,
    root: Position,
    /// A helper begins where another thread ends, so that they meet in the middle.
    is_helper: bool,
    /// The present request has proved something.
    has_news: bool,
}

impl<'a, F: Family> RootProof<'a, F> {
    pub(crate) fn new(prover: Prover<'a, F>, root: Position, is_helper: bool) -> RootProof<'a, F> {
        RootProof { prover, root, is_helper, has_news: false }
    }

    /// Positions reached by making a move so far.
    pub(crate) fn nodes(&self) -> u64 {
        self.prover.counter.nodes
    }

    /// Positions whose value the prober gave.
    pub(crate) fn table_hits(&self) -> u64 {
        self.prover.table_hits
    }

    /// Asks until the request is done or given up; then sorts the moves. Is something new?
    pub(crate) fn prove(&mut self, moves: &mut [RootMove], request: &ProofRequest) -> bool {
        self.prover.counter.limit = request.node_limit;
        self.has_news = false;
        // Given up: what is known stays known, and the table keeps the work done.
        let _ = self.answer(moves, request);
        moves.sort_by_key(|root_move| Reverse(root_move.rank()));
        self.has_news
    }

    fn answer(&mut self, moves: &mut [RootMove], request: &ProofRequest) -> Result<(), GivenUp> {
        // No win is longer than the game.
        for plies in 1..=request.plies.min(self.prover.most_plies()) {
            if request.wins {
                self.prove_wins(moves, plies, request.lines)?;
            }
            if request.losses {
                self.prove_losses(moves, plies, request.lines)?;
            }
        }
        self.confirm_claims(moves, request.lines)
    }

    /// Which moves that don't win in fewer plies win in so many?
    fn prove_wins(&mut self, moves: &mut [RootMove], plies: u32, lines: usize) -> Result<(), GivenUp> {
        let winner = self.root.side();
        let is_asked = |known: &RootMove| known.is_open() && known.no_win_within < plies;
        let mut places: Vec<usize> = (0..moves.len()).filter(|place| is_asked(&moves[*place])).collect();
        // What was hardest to refute a few plies ago wins most often now.
        places.sort_by_key(|place| Reverse(moves[*place].proof_nodes));
        if self.is_helper {
            places.reverse();
        }
        for place in places {
            if moves.iter().filter(|known| known.proof == Proof::Exact && known.value.is_win()).count() >= lines {
                break;
            }
            let asked = &mut moves[place];
            let nodes_before = self.nodes();
            let wins = self.prover.move_wins(&self.root, asked.move_(), winner, plies as usize)?;
            asked.proof_nodes = asked.proof_nodes.max(self.nodes() - nodes_before);
            if wins {
                asked.line = self.line(*asked.move_(), winner, plies)?;
                (asked.value, asked.proof) = (Value::win_in(plies), Proof::Exact);
                self.has_news = true;
            } else {
                asked.no_win_within = plies;
            }
        }
        Ok(())
    }

    /// Which moves lose in so many plies? For a single line it stops at the first that does not.
    fn prove_losses(&mut self, moves: &mut [RootMove], plies: u32, lines: usize) -> Result<(), GivenUp> {
        let winner = !self.root.side();
        for asked in moves.iter_mut().filter(|asked| asked.is_open()) {
            if asked.no_loss_within < plies {
                if self.prover.move_wins(&self.root, asked.move_(), winner, plies as usize)? {
                    if asked.no_loss_within + 1 == plies {
                        asked.line = self.line(*asked.move_(), winner, plies)?;
                        asked.proof = Proof::Exact;
                    } else {
                        asked.proof = Proof::Lost;
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

    /// A search that claims a win is right, and only the length is in doubt: it is exact when no shorter win is left.
    fn confirm_claims(&mut self, moves: &mut [RootMove], lines: usize) -> Result<(), GivenUp> {
        let no_win_within = moves.iter().filter(|other| other.is_open()).map(|other| other.no_win_within).min();
        for claimed in moves.iter_mut().take(lines).filter(|claimed| claimed.is_open() && claimed.value.is_win()) {
            let Some(plies) = claimed.value.distance() else { continue };
            let refuted = if lines == 1 { no_win_within.unwrap_or(0) } else { claimed.no_win_within };
            if plies <= refuted + 1 {
                if claimed.line.len() != plies as usize {
                    claimed.line = self.line(*claimed.move_(), self.root.side(), plies)?;
                }
                claimed.proof = Proof::Exact;
            }
        }
        Ok(())
    }

    /// Best play from a move on that wins or loses in exactly so many plies.
    fn line(&mut self, first: Move, winner: Side, plies: u32) -> Result<Vec<Move>, GivenUp> {
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
