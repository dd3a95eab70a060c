//! What a search reports: the lines of an iteration ([`SearchInfo`]), scores of all root moves while it runs ([`LiveAnalysis`]), and
//! bounds that proofs put on both ([`RootBounds`]).

use std::cmp::Reverse;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use privy_protocol::{Bound, Score};

use privy_rules::MovePath;

/// One line of a search after an iteration.
pub type SearchInfo = privy_protocol::SearchInfo<MovePath>;

/// Receives every reported line.
pub type Observer<'a> = &'a mut dyn FnMut(&SearchInfo);

/// A root move of a live analysis: the best line that begins with it, and the score of a search of one ply.
pub type LiveMove = (SearchInfo, Score);

#[derive(Debug, Clone, Default)]
struct LiveState {
    best: Option<MovePath>,
    moves: Vec<LiveMove>,
    bounds: Option<RootBounds>,
}

/// Scores of all root moves while a search runs, shared by its clones. Alpha-beta scores the best move only, so after each iteration the
/// search spends as many nodes again on the others, more of them on promising moves.
#[derive(Debug, Clone, Default)]
pub struct LiveAnalysis(Arc<Mutex<LiveState>>);

impl LiveAnalysis {
    fn state(&self) -> MutexGuard<'_, LiveState> {
        // Each entry is whole, even if a thread that held the lock has panicked.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// No move has been searched yet.
    pub fn is_empty(&self) -> bool {
        self.state().moves.is_empty()
    }

    /// Adds the move that a line begins with, or replaces its entry; the first score stays.
    pub fn put(&self, news: SearchInfo) {
        let moves = &mut self.state().moves;
        match moves.iter_mut().find(|(old, _)| old.pv.first() == news.pv.first()) {
            Some((old, _)) => *old = news,
            None => {
                let first_score = news.score;
                moves.push((news, first_score));
            }
        }
    }

    /// Sets what is proved of the moves beside the search.
    pub fn set_bounds(&self, bounds: RootBounds) {
        self.state().bounds = Some(bounds);
    }

    /// The bounds that proofs put on the root moves.
    pub fn bounds(&self) -> Option<RootBounds> {
        self.state().bounds.clone()
    }

    /// Sets the best move.
    pub fn set_best(&self, best: &MovePath) {
        self.state().best = Some(best.clone());
    }

    /// Returns all moves, the best first, the others by score. The best was searched deepest: no other score that is not exact is shown
    /// above it, and none outside its bounds.
    pub fn moves(&self) -> Vec<LiveMove> {
        let LiveState { mut best, mut moves, bounds } = self.state().clone();
        if let Some(bounds) = bounds {
            best = best.map(|best| bounds.best_of(best, &moves));
            moves.iter_mut().for_each(|(live, _)| bounds.clamp(live));
        }
        moves.sort_by_key(|(live, _)| (live.pv.first() != best.as_ref(), Reverse(live.score)));
        if let Some(highest) = moves.first().map(|(live, _)| live.score) {
            let is_exact = |live: &SearchInfo| live.score.is_proved() && live.bound.is_none();
            for (live, _) in moves.iter_mut().filter(|(live, _)| !is_exact(live)) {
                live.score = live.score.min(highest);
            }
        }
        moves
    }
}

/// Proved bounds of root moves: which of them do not lose, and whether any can win. They come from proofs that a side does not lose and say
/// nothing of wins: a win that the search has seen goes before all bounds. Otherwise a holding move is played, and its score is a bound:
///
/// | the side to move | the other side | score |
/// |---|---|---|
/// | does not lose by this move | may lose | `= bound lower` |
/// | may lose by this move | does not lose | `= bound upper` |
/// | does not lose by this move | does not lose | `=` |
#[derive(Debug, Clone)]
pub struct RootBounds {
    holding: Vec<MovePath>,
    is_draw_at_most: bool,
}

fn is_win(score: Score) -> bool {
    score.is_decided() && score > Score::Draw
}

impl RootBounds {
    /// Bounds of a side to move that does not lose by the moves of `holding`, and that does not win if `is_draw_at_most`. The first
    /// move of `holding` is played where a search prefers none of them. None without any bound.
    pub fn new(holding: Vec<MovePath>, is_draw_at_most: bool) -> Option<RootBounds> {
        (is_draw_at_most || !holding.is_empty()).then_some(RootBounds { holding, is_draw_at_most })
    }

    fn holds(&self, move_: &MovePath) -> bool {
        self.holding.iter().any(|known| known.action() == move_.action())
    }

    /// True if a move that the search gives this score may be played. Any may where no move is proved to hold.
    fn admits(&self, move_: &MovePath, score: Score) -> bool {
        is_win(score) || self.holding.is_empty() || self.holds(move_)
    }

    /// The lines of an iteration with proved scores, playable moves first. Where no line is playable, the first holding move
    /// becomes the first line.
    pub fn lines(&self, mut lines: Vec<SearchInfo>) -> Vec<SearchInfo> {
        let is_admitted = |info: &SearchInfo| info.pv.first().is_some_and(|first| self.admits(first, info.score));
        lines.sort_by_key(|info| !is_admitted(info));
        if let Some(first) = lines.first().filter(|first| !is_admitted(first))
            && let Some(kept) = self.holding.first()
        {
            let kept = SearchInfo { pv: vec![kept.clone()], score: Score::Draw, ..first.clone() };
            lines.pop();
            lines.insert(0, kept);
        }
        for (place, info) in lines.iter_mut().enumerate() {
            info.multipv = place + 1;
            let holds = info.pv.first().is_some_and(|first| self.holds(first));
            let bound = match (holds, self.is_draw_at_most) {
                _ if info.score.is_decided() => continue,
                (false, false) => continue,
                (true, true) => None,
                (true, false) => Some(Bound::Lower),
                (false, true) => Some(Bound::Upper),
            };
            (info.score, info.bound) = (Score::Draw, bound);
        }
        lines
    }

    /// The move to play when the search found `best`; `lines` come from [`lines`](RootBounds::lines).
    pub fn choose(&self, best: MovePath, lines: &[SearchInfo]) -> MovePath {
        let first = lines.first().and_then(|info| Some((info.pv.first()?, info.score)));
        match first {
            Some((move_, score)) if is_win(score) => move_.clone(),
            _ if self.holding.is_empty() || self.holds(&best) => best,
            Some((move_, _)) if self.holds(move_) => move_.clone(),
            _ => self.holding.first().cloned().unwrap_or(best),
        }
    }

    /// The best move of a live analysis; `best` need not be among `moves`.
    fn best_of(&self, best: MovePath, moves: &[LiveMove]) -> MovePath {
        let score = moves.iter().find(|(live, _)| live.pv.first() == Some(&best)).map(|(live, _)| live.score);
        match self.holding.first() {
            Some(kept) if !self.admits(&best, score.unwrap_or_default()) => kept.clone(),
            _ => best,
        }
    }

    fn clamp(&self, live: &mut SearchInfo) {
        if live.score.is_decided() {
            return;
        }
        let holds = live.pv.first().is_some_and(|move_| self.holds(move_));
        if self.is_draw_at_most {
            (live.score, live.bound) = (live.score.min(Score::Draw), Some(Bound::Upper));
        }
        if holds {
            let bound = if self.is_draw_at_most { None } else { Some(Bound::Lower) };
            (live.score, live.bound) = (live.score.max(Score::Draw), bound);
        }
    }

    /// Brings a winning chance (0 to 1, a draw counts 0.5) within the bounds of the move.
    pub fn clamp_chance(&self, move_: &MovePath, chance: f64) -> f64 {
        let least = if self.holds(move_) { 0.5 } else { 0.0 };
        let most = if self.is_draw_at_most { 0.5 } else { 1.0 };
        chance.clamp(least, most)
    }
}

#[cfg(test)]
mod tests {
    use crate::eval::Value;
    use privy_rules::Variant;

    use super::*;

    fn moves() -> Vec<MovePath> {
        Variant::builtin("sixteen-rebels").unwrap().start().legal_moves()
    }

    fn info(move_: &MovePath, score: Score) -> SearchInfo {
        SearchInfo { depth: 1, multipv: 1, score, pv: vec![move_.clone()], ..SearchInfo::default() }
    }

    /// The move to play and the reported lines for moves that the search gives these scores, best first.
    fn of(bounds: &RootBounds, found: &[(&MovePath, Score)]) -> (MovePath, Vec<(MovePath, String)>) {
        let lines = bounds.lines(found.iter().map(|(move_, score)| info(move_, *score)).collect());
        assert!(lines.iter().map(|info| info.multipv).eq(1..=found.len()));
        let best = bounds.choose(found[0].0.clone(), &lines);
        let bound = |info: &SearchInfo| info.bound.map_or_else(String::new, |bound| format!(" {bound}"));
        (best, lines.iter().map(|info| (info.pv[0].clone(), format!("{}{}", info.score, bound(info)))).collect())
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
    fn a_side_that_cannot_win_plays_on_and_two_proofs_are_a_draw() {
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
