//! What a running search thinks of all moves, in the terms of players: chances to win, lines, ranks.

use privy_protocol::Score;

use crate::rules::{Game, MovePath, Side};
use crate::search::{Limits, LiveAnalysis, LiveMove};

use super::win_rate::WinRate;

/// What is thought of a move. All chances are those of the side to move, 0 to 1, a draw counted as half. They are estimates between the bounds that
/// are proved: who does not lose has at least a half.
#[derive(Debug, Clone)]
pub struct AnalyzedMove {
    /// The best line that begins with the move, legal up to its end.
    pub line: Vec<MovePath>,
    /// The score for the side to move.
    pub score: Score,
    /// The chance to win.
    pub winrate: f64,
    /// The share of the move among all moves at first sight: by the odds of winning after a search of one ply, which are
    /// exponential in the score.
    pub prior: f64,
    /// The chance to win if the score is worse than it seems, by the standard deviation of scores of its depth.
    pub cautious_winrate: f64,
    /// Positions looked at for the move.
    pub visits: u64,
}

/// Looks at a search while another thread runs it.
#[derive(Debug)]
pub struct Analysis {
    moves: Vec<MovePath>,
    side: Side,
    win_rate: WinRate,
    live: LiveAnalysis,
}

impl Analysis {
    /// Has a search with these limits in this game judge all moves.
    #[must_use]
    pub fn of(game: &Game, limits: &mut Limits) -> Analysis {
        let live = LiveAnalysis::default();
        limits.live_analysis = Some(live.clone());
        let all = limits.search_moves.is_empty();
        Analysis {
            moves: if all { game.legal_moves() } else { limits.search_moves.clone() },
            side: game.side(),
            win_rate: WinRate::of(game.variant()),
            live,
        }
    }

    /// Has the search looked at a move yet?
    #[must_use]
    pub fn has_begun(&self) -> bool {
        !self.live.is_empty()
    }

    /// All moves that are searched with what is thought of them by now, best first. What has not been looked at yet counts as even, and
    /// comes last.
    #[must_use]
    pub fn moves(&self) -> Vec<AnalyzedMove> {
        let mut open = self.moves.clone();
        let mut analyzed: Vec<AnalyzedMove> = Vec::new();
        for known in &self.live.moves() {
            let Some(first) = known.root_move() else { continue };
            analyzed.push(self.analyzed(known, first));
            // Of chains that do the same the search looks at one; the others are as good.
            for move_ in open.extract_if(.., |move_| move_.action() == first.action()).filter(|move_| move_ != first) {
                analyzed.push(self.analyzed(known, &move_));
            }
        }
        analyzed.extend(open.iter().map(|move_| self.analyzed(&LiveMove::unseen(move_), move_)));
        let all: f64 = analyzed.iter().map(|analyzed| analyzed.prior).sum();
        analyzed.iter_mut().for_each(|analyzed| analyzed.prior /= all);
        analyzed
    }

    fn analyzed(&self, known: &LiveMove, move_: &MovePath) -> AnalyzedMove {
        let mut line = known.line.clone();
        if let Some(first) = line.first_mut() {
            first.clone_from(move_);
        }
        let first_chance = self.win_rate.winning(known.first_score, self.side);
        let bounds = self.live.bounds();
        let bounded = |chance| bounds.as_ref().map_or(chance, |bounds| bounds.clamp_chance(move_, chance));
        AnalyzedMove {
            line,
            score: known.score,
            winrate: bounded(self.win_rate.winning(known.score, self.side)),
            prior: (first_chance + LEAST_CHANCE) / (1.0 - first_chance + LEAST_CHANCE),
            cautious_winrate: bounded(self.win_rate.winning_at_least(known.score, self.side, known.depth)),
            visits: known.nodes.max(1),
        }
    }
}

/// Keeps the odds of what is decided at first sight within bounds: a thousand to one.
const LEAST_CHANCE: f64 = 0.001;
