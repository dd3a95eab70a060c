//! Analysis: what a running search finds of all moves, as chances to win, lines and ranks.

use privy_protocol::{Bound, MoveInfo, Score, Verdict};

use privy_rules::{Game, MovePath};
use privy_search::{LiveAnalysis, LiveMove, SearchInfo, SearchRequest, begin_alike};

use super::facts::LineReport;

/// Observes a search that another thread runs.
#[derive(Debug)]
pub struct Analysis {
    moves: Vec<MovePath>,
    line_report: LineReport,
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
            line_report: LineReport::of(game),
            live,
        }
    }

    /// True once a move has been searched.
    pub fn has_begun(&self) -> bool {
        !self.live.is_empty()
    }

    /// Returns all moves, best first, with the chances of the side to move, a draw counted as half, within proved
    /// bounds. The prior is the share of the move by a search of one ply: its odds of winning, which are exponential in
    /// the score. Moves without a score yet count as even and come last.
    pub fn moves(&self) -> Vec<MoveInfo<MovePath>> {
        let (live, facts) = (self.live.moves(), self.live.facts());
        let mut found: Vec<SearchInfo> = live.iter().map(|(info, _)| self.line_report.line(info)).collect();
        let is_unseen = |known: &SearchInfo| live.iter().all(|(info, _)| !begin_alike(&info.pv, &known.pv));
        found.extend(facts.known_lines().into_iter().filter(is_unseen));
        let mut open = self.moves.clone();
        let mut analyzed: Vec<MoveInfo<MovePath>> = Vec::new();
        for line in facts.lines_of_moves(found) {
            let Some(first) = line.pv.first() else { continue };
            let first_found = live.iter().find(|(info, _)| begin_alike(&info.pv, &line.pv));
            analyzed.push(self.analyzed(&line, first_found, first));
            // Of jump chains with the same result the search has one; the others are as good.
            for move_ in open.extract_if(.., |move_| move_.action() == first.action()).filter(|move_| move_ != first) {
                analyzed.push(self.analyzed(&line, first_found, &move_));
            }
        }
        let unseen = SearchInfo::default();
        analyzed.extend(open.iter().map(|move_| self.analyzed(&unseen, None, move_)));
        let all: f64 = analyzed.iter().map(|analyzed| analyzed.prior).sum();
        for (analyzed, order) in analyzed.iter_mut().zip(0..) {
            (analyzed.prior, analyzed.order) = (analyzed.prior / all, order);
        }
        analyzed
    }

    fn analyzed(&self, line: &SearchInfo, found: Option<&LiveMove>, move_: &MovePath) -> MoveInfo<MovePath> {
        let rest = line.pv.iter().skip(1).cloned();
        let (winrate, Verdict { score, bound }) = (line.chance(), line.verdict);
        let LineReport { win_rate, side, .. } = &self.line_report;
        let first_chance = found.map_or(winrate, |(_, score)| win_rate.reported(*score, *side).winrate());
        let is_open = !score.is_proved() || score == Score::Draw && bound.is_some();
        let lower = |(info, _): &LiveMove| win_rate.reported_at_least(info.verdict.score, *side, info.depth).winrate();
        let least = if bound == Some(Bound::Lower) { winrate.min(0.5) } else { 0.0 };
        MoveInfo {
            pv: std::iter::once(move_.clone()).chain(rest).collect(),
            verdict: line.verdict,
            winrate,
            prior: (first_chance + LEAST_CHANCE) / (1.0 - first_chance + LEAST_CHANCE),
            lcb: found.filter(|_| is_open).map_or(winrate, lower).clamp(least, winrate),
            visits: line.nodes.max(1),
            order: 0,
        }
    }
}

/// Limits the odds of a decided move to a thousand to one.
const LEAST_CHANCE: f64 = 0.001;
