//! Analysis: what a running search finds of all moves, as chances to win, lines and ranks.

use privy_protocol::{MoveInfo, Score};

use privy_rules::{Game, MovePath, Side};
use privy_search::{LiveAnalysis, LiveMove, SearchInfo, SearchRequest};

use super::win_rate::WinRate;

/// Observes a search that another thread runs.
#[derive(Debug)]
pub struct Analysis {
    moves: Vec<MovePath>,
    side: Side,
    win_rate: WinRate,
    live: LiveAnalysis,
}

impl Analysis {
    /// Makes a search score all its moves of this game.
    pub fn of(game: &Game, request: &mut SearchRequest) -> Analysis {
        let live = LiveAnalysis::default();
        request.live_analysis = Some(live.clone());
        let all = request.search_moves.is_empty();
        Analysis {
            moves: if all { game.legal_moves() } else { request.search_moves.clone() },
            side: game.side(),
            win_rate: WinRate::of(game.variant()),
            live,
        }
    }

    /// True once a move has been searched.
    pub fn has_begun(&self) -> bool {
        !self.live.is_empty()
    }

    /// Returns all moves, best first, with the chances of the side to move, a draw counted as half, within proved bounds. The prior is the share
    /// of the move by a search of one ply: its odds of winning, which are exponential in the score. Moves without a score yet count as even
    /// and come last.
    pub fn moves(&self) -> Vec<MoveInfo<MovePath>> {
        let mut open = self.moves.clone();
        let mut analyzed: Vec<MoveInfo<MovePath>> = Vec::new();
        for known in &self.live.moves() {
            let Some(first) = known.0.pv.first() else { continue };
            analyzed.push(self.analyzed(known, first));
            // Of jump chains with the same result the search has one; the others are as good.
            for move_ in open.extract_if(.., |move_| move_.action() == first.action()).filter(|move_| move_ != first) {
                analyzed.push(self.analyzed(known, &move_));
            }
        }
        let unseen = (SearchInfo::default(), Score::default());
        analyzed.extend(open.iter().map(|move_| self.analyzed(&unseen, move_)));
        // The search orders by its own scale, on which a draw at the end of a line is no even chance.
        if let Some((best, others)) = analyzed.split_first_mut() {
            for other in others.iter_mut().filter(|other| !other.score.is_proved()) {
                other.score = other.score.min(best.score);
                other.winrate = other.winrate.min(best.winrate);
                other.lcb = other.lcb.min(other.winrate);
            }
            others.sort_by(|one, next| next.winrate.total_cmp(&one.winrate));
        }
        let all: f64 = analyzed.iter().map(|analyzed| analyzed.prior).sum();
        for (analyzed, order) in analyzed.iter_mut().zip(0..) {
            (analyzed.prior, analyzed.order) = (analyzed.prior / all, order);
        }
        analyzed
    }

    fn analyzed(&self, (known, first_score): &LiveMove, move_: &MovePath) -> MoveInfo<MovePath> {
        let rest = known.pv.iter().skip(1).cloned();
        let first_chance = self.win_rate.told(*first_score, self.side).winrate();
        let score = self.win_rate.told(known.score, self.side);
        let lcb = self.win_rate.told_at_least(known.score, self.side, known.depth);
        let bounds = self.live.bounds();
        let bounded = |chance| bounds.as_ref().map_or(chance, |bounds| bounds.clamp_chance(move_, chance));
        MoveInfo {
            pv: std::iter::once(move_.clone()).chain(rest).collect(),
            score,
            winrate: bounded(score.winrate()),
            prior: (first_chance + LEAST_CHANCE) / (1.0 - first_chance + LEAST_CHANCE),
            lcb: bounded(lcb.winrate()),
            visits: known.nodes.max(1),
            order: 0,
        }
    }
}

/// Limits the odds of a decided move to a thousand to one.
const LEAST_CHANCE: f64 = 0.001;
