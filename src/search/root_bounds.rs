//! What is known of the root moves before a search: which of them do not lose, and whether any of them can win.
//!
//! A bound comes from a proof that a side does not lose. It says nothing of wins: those are left to the search, and one that the search
//! has seen goes before all bounds. Otherwise a move that does not lose is played, and its score says what is proved of it:
//!
//! | the side to move | the other side | score |
//! |---|---|---|
//! | does not lose by this move | may lose | `= bound lower` |
//! | may lose by this move | does not lose | `= bound upper` |
//! | does not lose by this move | does not lose | `=` |

use privy_protocol::{Bound, Score};

use crate::eval::Value;
use crate::rules::MovePath;

use super::report::{LiveMove, SearchInfo};

/// Bounds of the values of root moves.
#[derive(Debug, Clone)]
pub struct RootBounds {
    holding: Vec<MovePath>,
    is_draw_at_most: bool,
}

/// Is the game decided, in a number of plies that may not be sure?
fn is_decided(score: Score) -> bool {
    match score {
        Score::Win(_) | Score::Loss(_) => true,
        Score::Evaluation(hundredths) => Value::is_unsure_length(hundredths),
        Score::Draw => false,
    }
}

impl RootBounds {
    /// Bounds of a side to move that does not lose by the moves of a list, and does not win if its opponent does not lose. The first move of the
    /// list is played where a search prefers none of them. None when nothing is known.
    #[must_use]
    pub fn new(holding: Vec<MovePath>, is_draw_at_most: bool) -> Option<RootBounds> {
        (is_draw_at_most || !holding.is_empty()).then_some(RootBounds { holding, is_draw_at_most })
    }

    /// Is it proved that the move does not lose?
    #[must_use]
    pub fn holds(&self, move_: &MovePath) -> bool {
        self.holding.iter().any(|known| known.action() == move_.action())
    }

    /// May a move with this score of a search be played? One that does not lose, or that wins; any where none is known not to lose.
    fn admits(&self, move_: &MovePath, score: Score) -> bool {
        let wins = is_decided(score) && score > Score::Draw;
        wins || self.holding.is_empty() || self.holds(move_)
    }

    /// The lines of an iteration with the scores that are proved, those first that may be played. Where there is none of these, the first line
    /// is the move that is known not to lose.
    pub(crate) fn lines(&self, mut lines: Vec<SearchInfo>) -> Vec<SearchInfo> {
        let is_admitted = |info: &SearchInfo| info.line.first().is_some_and(|first| self.admits(first, info.score));
        lines.sort_by_key(|info| !is_admitted(info));
        if let Some(first) = lines.first().filter(|first| !is_admitted(first))
            && let Some(kept) = self.holding.first()
        {
            let kept = SearchInfo { line: vec![kept.clone()], score: Score::Draw, ..first.clone() };
            lines.pop();
            lines.insert(0, kept);
        }
        for (place, info) in lines.iter_mut().enumerate() {
            info.rank = place + 1;
            let holds = info.line.first().is_some_and(|first| self.holds(first));
            let bound = match (holds, self.is_draw_at_most) {
                _ if is_decided(info.score) => continue,
                (false, false) => continue,
                (true, true) => None,
                (true, false) => Some(Bound::Lower),
                (false, true) => Some(Bound::Upper),
            };
            (info.score, info.bound) = (Score::Draw, bound);
        }
        lines
    }

    /// The move to play of a search that found `best`, with its lines as [`lines`](RootBounds::lines) gives them.
    pub(crate) fn choose(&self, best: MovePath, lines: &[SearchInfo]) -> MovePath {
        let first = lines.first().and_then(|info| Some((info.line.first()?, info.score)));
        match first {
            Some((move_, score)) if is_decided(score) && score > Score::Draw => move_.clone(),
            _ if self.holding.is_empty() || self.holds(&best) => best,
            Some((move_, _)) if self.holds(move_) => move_.clone(),
            _ => self.holding.first().cloned().unwrap_or(best),
        }
    }

    /// The best move of a live analysis, which need not be among the moves that were looked at.
    pub(super) fn best_of(&self, best: MovePath, moves: &[LiveMove]) -> MovePath {
        let score = moves.iter().find(|live| live.root_move() == Some(&best)).map(|live| live.score);
        match self.holding.first() {
            Some(kept) if !self.admits(&best, score.unwrap_or_default()) => kept.clone(),
            _ => best,
        }
    }

    /// An estimate of a live analysis, no lower and no higher than what is proved of its move.
    pub(super) fn clamp(&self, live: &mut LiveMove) {
        if is_decided(live.score) {
            return;
        }
        if self.is_draw_at_most {
            live.score = live.score.min(Score::Draw);
        }
        if live.root_move().is_some_and(|move_| self.holds(move_)) {
            live.is_exact |= self.is_draw_at_most;
            live.score = live.score.max(Score::Draw);
        }
    }

    /// A chance to win by a move, 0 to 1 with a draw as half, no lower and no higher than what is proved of the move.
    pub(crate) fn clamp_chance(&self, move_: &MovePath, chance: f64) -> f64 {
        let least = if self.holds(move_) { 0.5 } else { 0.0 };
        let most = if self.is_draw_at_most { 0.5 } else { 1.0 };
        chance.clamp(least, most)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use crate::rules::Variant;

    use super::*;

    fn moves() -> Vec<MovePath> {
        Variant::builtin("sixteen-rebels").unwrap().start().legal_moves()
    }

    fn info(move_: &MovePath, score: Score) -> SearchInfo {
        SearchInfo {
            depth: 1,
            selective_depth: 1,
            proven_depth: 0,
            rank: 1,
            score,
            bound: None,
            table_hits: 0,
            nodes: 1,
            hashfull: 0,
            time: Duration::ZERO,
            line: vec![move_.clone()],
        }
    }

    /// What is reported and played when a search likes moves with these scores, best first.
    fn of(bounds: &RootBounds, found: &[(&MovePath, Score)]) -> (MovePath, Vec<(MovePath, String)>) {
        let lines = bounds.lines(found.iter().map(|(move_, score)| info(move_, *score)).collect());
        assert!(lines.iter().map(|info| info.rank).eq(1..=found.len()));
        let best = bounds.choose(found[0].0.clone(), &lines);
        let bound = |info: &SearchInfo| info.bound.map_or_else(String::new, |bound| format!(" {bound}"));
        (best, lines.iter().map(|info| (info.line[0].clone(), format!("{}{}", info.score, bound(info)))).collect())
    }

    #[test]
    fn a_move_that_does_not_lose_is_played_and_its_score_is_a_bound() {
        let moves = moves();
        let (held, open) = (&moves[1], &moves[0]);
        let bounds = RootBounds::new(vec![held.clone(), moves[2].clone()], false).unwrap();
        let bad = Score::Evaluation(-300);
        for found in [vec![(open, Score::Evaluation(50))], vec![(held, bad)]] {
            assert_eq!(of(&bounds, &found), (held.clone(), vec![(held.clone(), "= lower".to_owned())]));
        }
        let (best, lines) = of(&bounds, &[(open, Score::Evaluation(50)), (&moves[2], bad)]);
        let third = (moves[2].clone(), "= lower".to_owned());
        assert_eq!((best, lines), (moves[2].clone(), vec![third, (open.clone(), "+0.50".to_owned())]));
    }

    #[test]
    fn a_win_goes_before_all_bounds() {
        let moves = moves();
        let bounds = RootBounds::new(vec![moves[1].clone()], false).unwrap();
        let seen = Score::from(Value::win_in(30).as_evaluation(30));
        for win in [Score::Win(9), seen] {
            assert_eq!(of(&bounds, &[(&moves[0], win)]), (moves[0].clone(), vec![(moves[0].clone(), win.to_string())]));
        }
        assert_eq!(of(&bounds, &[(&moves[0], Score::Loss(9))]).0, moves[1]);
    }

    #[test]
    fn who_cannot_win_plays_on_and_two_proofs_are_a_draw() {
        let moves = moves();
        let (held, open) = (&moves[1], &moves[0]);
        let upper = RootBounds::new(Vec::new(), true).unwrap();
        let good = Score::Evaluation(200);
        assert_eq!(of(&upper, &[(open, good)]), (open.clone(), vec![(open.clone(), "= upper".to_owned())]));
        assert_eq!(of(&upper, &[(open, Score::Loss(8))]).1[0].1, "-W8");
        let both = RootBounds::new(vec![held.clone()], true).unwrap();
        let (best, lines) = of(&both, &[(open, good), (held, good)]);
        assert_eq!((best, &*lines[0].1, &*lines[1].1), (held.clone(), "=", "= upper"));
        assert!(RootBounds::new(Vec::new(), false).is_none());
    }
}
