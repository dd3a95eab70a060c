//! Scores of the moves that are not the best: the part of the search that a [`LiveAnalysis`] asks for.

use crate::rules::Family;

use super::iterative_deepening::{IterativeDeepening, replay};
use super::live_analysis::{LiveAnalysis, LiveMove};
use super::proof::root_proof::ProofRequest;
use super::root_moves::{Proof, RootMove};

/// A move this much worse than the best, in hundredths of a Rebel, may be searched a ply less deep.
const WORTH_OF_A_PLY: i32 = 100;

/// A futility_bound move is searched so many plies less deep than the best, not fewer.
const MOST_PLIES_BEHIND: u32 = 6;

/// Proofs for the other moves may take one node in so many.
const SHARE_OF_PROOFS: u64 = 4;

impl<F: Family> IterativeDeepening<'_, F> {
    /// After an iteration of a depth: spends so many nodes on the other moves, or fewer when it has searched all of them to
    /// that depth. The first iteration looks at each, whatever it takes.
    pub(super) fn judge_others(&mut self, live_analysis: &LiveAnalysis, depth: u32, nodes: u64) {
        if let Some(best) = self.moves.first_mut() {
            best.judged = depth;
        }
        self.name_best(live_analysis);
        self.publish(live_analysis, |_, known| known.judged == depth || !known.is_open());
        let end = self.nodes().saturating_add(nodes);
        while let Some(place) = self.least_judged(depth).filter(|_| depth == 1 || self.nodes() < end) {
            let Some(root_move) = self.moves.get_mut(place) else { break };
            root_move.previous = root_move.score;
            let next = root_move.judged + 1;
            self.search_rank(place, place + 1, next);
            if self.worker.is_stopped() {
                return;
            }
            if let Some(root_move) = self.moves.get_mut(place) {
                root_move.judged = next;
            }
            self.publish(live_analysis, |other, _| other == place);
        }
        self.settle_others(depth, nodes / SHARE_OF_PROOFS);
        self.name_best(live_analysis);
        self.publish(live_analysis, |_, known| known.proof == Proof::Exact);
    }

    /// Proves how soon the other moves win or lose.
    fn settle_others(&mut self, plies: u32, nodes: u64) {
        let most = self.limits.nodes.unwrap_or(u64::MAX).saturating_sub(self.worker.nodes());
        let nodes = self.settling.nodes().saturating_add(nodes).min(most);
        let request = ProofRequest { plies, wins: true, losses: true, lines: self.moves.len(), nodes };
        self.settling.settle(self.moves, &request);
    }

    /// The move that most deserves to be searched a ply deeper, up to a depth; none when all is done.
    fn least_judged(&self, depth: u32) -> Option<usize> {
        let best = self.moves.first()?.score;
        let open = self.moves.iter().enumerate().filter(|(_, known)| known.is_open() && known.judged < depth);
        let turn = open.map(|(place, known)| {
            let worse = (i32::from(best.raw()) - i32::from(known.score.raw())).max(0) / WORTH_OF_A_PLY;
            (known.judged + worse.unsigned_abs().min(MOST_PLIES_BEHIND), place)
        });
        turn.min().map(|(_, place)| place)
    }

    /// Lets others see what is known of some moves, by place.
    fn publish(&self, live_analysis: &LiveAnalysis, is_news: impl Fn(usize, &RootMove) -> bool) {
        for (_, known) in self.moves.iter().enumerate().filter(|(place, known)| is_news(*place, known)) {
            live_analysis.put(LiveMove {
                line: replay(self.game, known),
                score: known.told_score(),
                is_proved_draw: false,
                is_exact: known.proof == Proof::Exact,
                first_score: known.told_score(),
                depth: known.judged,
                nodes: known.nodes,
            });
        }
    }

    /// Tells the live_analysis which move the search would play now.
    pub(super) fn name_best(&self, live_analysis: &LiveAnalysis) {
        if let Some(best) = self.moves.first() {
            live_analysis.set_best(&best.move_);
        }
    }
}
