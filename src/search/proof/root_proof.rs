//! Proves what root moves win or lose, with the exact length.

use crate::rules::{Family, Move, Position, Side};

use super::prover::{GivenUp, Prover};
use crate::eval::Score;
use crate::search::root_moves::{Proof, RootMove};

/// Asks the [`Prover`] about the moves of a root, a ply more each time.
pub(crate) struct RootProof<'a, F: Family> {
    prover: Prover<'a, F>,
    root: Position,
    /// A helper begins where another thread ends, so that they meet in the middle.
    is_helper: bool,
    /// No win can be longer.
    most_plies: u32,
}

/// What to ask, and how long.
pub(crate) struct ProofRequest {
    /// Up to so many plies.
    pub(crate) plies: u32,
    /// Ask about wins of the side to move, and of the other.
    pub(crate) wins: bool,
    pub(crate) losses: bool,
    /// So many lines are wanted; of one alone only the best move's loss matters.
    pub(crate) lines: usize,
    /// Total nodes of proofs at which to give up.
    pub(crate) nodes: u64,
}

impl<'a, F: Family> RootProof<'a, F> {
    pub(crate) fn new(
        prover: Prover<'a, F>,
        root: Position,
        is_helper: bool,
        plies_left: Option<usize>,
    ) -> RootProof<'a, F> {
        RootProof { prover, root, is_helper, most_plies: plies_left.map_or(LONGEST, |plies| LONGEST.min(plies as u32)) }
    }

    /// Positions reached by making a move so far.
    pub(crate) fn nodes(&self) -> u64 {
        self.prover.nodes()
    }

    /// Positions whose value a table of perfect play gave.
    pub(crate) fn table_hits(&self) -> u64 {
        self.prover.table_hits()
    }

    /// Asks until something is settled or the request is done; then sorts the moves. Is something new?
    pub(crate) fn settle(&mut self, moves: &mut [RootMove], request: &ProofRequest) -> bool {
        self.prover.set_node_limit(request.nodes);
        let mut news = false;
        // Given up: what is known stays known, and the table keeps the work done.
        let _ = self.ask_all(moves, request, &mut news);
        moves.sort_by_key(|root_move| std::cmp::Reverse(root_move.rank()));
        news
    }

    fn ask_all(&mut self, moves: &mut [RootMove], request: &ProofRequest, news: &mut bool) -> Result<(), GivenUp> {
        for plies in 1..=request.plies.min(self.most_plies) {
            if request.wins {
                self.ask_about_wins(moves, plies, request.lines, news)?;
            }
            if request.losses {
                self.ask_about_losses(moves, plies, request.lines, news)?;
            }
        }
        self.believe(moves, request)
    }

    fn ask_about_wins(
        &mut self,
        moves: &mut [RootMove],
        plies: u32,
        lines: usize,
        news: &mut bool,
    ) -> Result<(), GivenUp> {
        let winner = self.root.side();
        // What was hardest to refute a few plies ago wins most often now.
        let is_asked = |known: &RootMove| known.is_open() && known.no_win_within < plies;
        let mut places: Vec<usize> = (0..moves.len()).filter(|place| moves.get(*place).is_some_and(is_asked)).collect();
        places.sort_by_key(|place| std::cmp::Reverse(moves.get(*place).map(|known| known.effort)));
        if self.is_helper {
            places.reverse();
        }
        for place in places {
            if moves.iter().filter(|known| known.proof == Proof::Exact && known.score.is_win()).count() >= lines {
                break;
            }
            let Some(asked) = moves.get_mut(place) else { break };
            let before = self.prover.nodes();
            let won = self.prover.move_wins(&self.root, asked.action(), winner, plies as usize)?;
            asked.effort = asked.effort.max(self.prover.nodes() - before);
            if won {
                asked.line = self.line(*asked.action(), winner, plies)?;
                (asked.score, asked.proof) = (Score::win_in(plies), Proof::Exact);
                *news = true;
            } else {
                asked.no_win_within = plies;
            }
        }
        Ok(())
    }

    fn ask_about_losses(
        &mut self,
        moves: &mut [RootMove],
        plies: u32,
        lines: usize,
        news: &mut bool,
    ) -> Result<(), GivenUp> {
        let winner = !self.root.side();
        for asked in moves.iter_mut().filter(|asked| asked.is_open()) {
            if asked.no_loss_within < plies {
                if self.prover.move_wins(&self.root, asked.action(), winner, plies as usize)? {
                    if asked.no_loss_within + 1 == plies {
                        asked.line = self.line(*asked.action(), winner, plies)?;
                        asked.proof = Proof::Exact;
                    } else {
                        asked.proof = Proof::Lost;
                    }
                    asked.score = Score::loss_in(plies);
                    *news = true;
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

    /// A search that says "won" is right, and only the length is in doubt: it is sure when no shorter win is left.
    fn believe(&mut self, moves: &mut [RootMove], request: &ProofRequest) -> Result<(), GivenUp> {
        let shortest = moves.iter().filter(|other| other.is_open()).map(|other| other.no_win_within).min();
        for told in moves.iter_mut().take(request.lines).filter(|told| told.is_open() && told.score.is_win()) {
            let Some(plies) = told.score.distance() else { continue };
            let known = if request.lines == 1 { shortest.unwrap_or(0) } else { told.no_win_within };
            if plies <= known + 1 {
                if told.line.len() != plies as usize {
                    told.line = self.line(*told.action(), self.root.side(), plies)?;
                }
                told.proof = Proof::Exact;
            }
        }
        Ok(())
    }

    /// Best play from a move on that wins or loses in exactly so many plies.
    fn line(&mut self, first: Move, winner: Side, plies: u32) -> Result<Vec<Move>, GivenUp> {
        let mut line = vec![first];
        let mut node = self.prover.after(&self.root, &first);
        for left in (1..plies as usize).rev() {
            let Some(next) = self.prover.best(&node, winner, left)? else { break };
            line.push(next);
            node = self.prover.after(&node, &next);
        }
        Ok(line)
    }
}

/// The longest win that is asked about, in plies.
const LONGEST: u32 = 120;
