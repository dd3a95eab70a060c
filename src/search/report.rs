//! What a search reports: the lines of an iteration ([`SearchInfo`]), scores of all root moves while it runs
//! ([`LiveAnalysis`]), and what is known of the moves beside the search ([`RootFacts`]).

use std::cmp::Reverse;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use privy_protocol::{Bound, Score, Verdict};

use privy_rules::MovePath;

use crate::eval::MAX_DISTANCE;

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
    facts: RootFacts,
}

/// Scores of all root moves while a search runs, shared by its clones. Alpha-beta scores the best move only, so after
/// each iteration the search spends as many nodes again on the others, more of them on promising moves.
#[derive(Debug, Clone, Default)]
pub struct LiveAnalysis(Arc<Mutex<LiveState>>);

impl LiveAnalysis {
    fn state(&self) -> MutexGuard<'_, LiveState> {
        // Each entry is whole, even if a thread that held the lock has panicked.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// True if no move has been searched yet, nor need be.
    pub fn is_empty(&self) -> bool {
        let state = self.state();
        state.moves.is_empty() && !state.facts.is_complete
    }

    /// Adds the move that a line begins with, or replaces its entry; the first score stays.
    pub fn put(&self, news: SearchInfo) {
        let moves = &mut self.state().moves;
        match moves.iter_mut().find(|(old, _)| old.pv.first() == news.pv.first()) {
            Some((old, _)) => *old = news,
            None => {
                let first_score = news.verdict.score;
                moves.push((news, first_score));
            }
        }
    }

    /// Sets what is known of the moves beside the search.
    pub fn set_facts(&self, facts: RootFacts) {
        self.state().facts = facts;
    }

    /// What is known of the moves beside the search.
    pub fn facts(&self) -> RootFacts {
        self.state().facts.clone()
    }

    /// Sets the best move.
    pub fn set_best(&self, best: &MovePath) {
        self.state().best = Some(best.clone());
    }

    /// Returns all moves, the best first, the others by score. The best was searched deepest.
    pub fn moves(&self) -> Vec<LiveMove> {
        let LiveState { best, mut moves, .. } = self.state().clone();
        moves.sort_by_key(|(live, _)| (live.pv.first() != best.as_ref(), Reverse(live.verdict.score)));
        moves
    }
}

/// What is known of the root moves of a request, the one to prefer first. The one source of it for all that reports on
/// a position.
///
/// | the move | score |
/// |---|---|
/// | wins or loses by a table | `+W27`, `-W27` |
/// | wins or loses by a proof, in at most this number of plies | `+W27 bound upper`, `-W27 bound upper` |
/// | ends the game as a draw; or neither side can win | `=`; `= bound lower` in the first line if another may win |
/// | does not lose | `= bound lower` |
/// | does not win | `= bound upper` |
///
/// Facts say more than a search, but not everything: a win that the search has seen goes before a move that only does
/// not lose.
#[derive(Debug, Clone, Default)]
pub struct RootFacts {
    /// A line for each move.
    facts: Vec<SearchInfo>,
    /// True if a search has nothing to add.
    pub is_complete: bool,
    /// The number of moves of the request. Jump chains with the same result count once.
    pub moves: usize,
    /// Positions looked up in a table.
    pub tbhits: u64,
}

impl RootFacts {
    /// Adds a fact to what is known of the move that a line begins with. The line shows it, or is the move alone; it is
    /// cut if it ends before the game and before a position recurs.
    pub fn add(&mut self, verdict: impl Into<Verdict>, pv: Vec<MovePath>, is_cut: bool) {
        let new = known_line(verdict.into(), pv, is_cut);
        let known = self.facts.iter_mut().find(|fact| begin_alike(&fact.pv, &new.pv));
        let Some(known) = known else { return self.facts.push(new) };
        let (known_score, score) = (known.verdict.score, new.verdict.score);
        match (known_score, known.verdict.bound, new.verdict.bound) {
            (_, None, _) => {}
            (Score::Draw, ..) | (_, _, None) => *known = new,
            _ if score.is_decided() && score.distance() < known_score.distance() => *known = new,
            _ => {}
        }
    }

    /// Sorts the facts, best first; equal ones keep their order.
    pub fn sort(&mut self) {
        self.facts.sort_by_key(|fact| Reverse(fact.verdict.score));
    }

    /// Gives the facts with the best scores, up to this number, the lines of `line_of`, with true for one that is cut.
    ///
    /// # Errors
    /// Those of `line_of`.
    pub fn extend_best<E>(
        &mut self,
        most: usize,
        mut line_of: impl FnMut(&SearchInfo) -> Result<(Vec<MovePath>, bool), E>,
    ) -> Result<(), E> {
        let mut best: Vec<&mut SearchInfo> = self.facts.iter_mut().collect();
        best.sort_by_key(|fact| Reverse(fact.verdict.score));
        for fact in best.into_iter().take(most) {
            let (pv, is_cut) = line_of(fact)?;
            *fact = known_line(fact.verdict, pv, is_cut);
        }
        Ok(())
    }

    /// The facts, the move to prefer first.
    pub fn iter(&self) -> impl Iterator<Item = &SearchInfo> {
        self.facts.iter()
    }

    /// What is known of the move that a line begins with.
    pub fn of(&self, line: &[MovePath]) -> Option<&SearchInfo> {
        self.facts.iter().find(|fact| begin_alike(&fact.pv, line))
    }

    /// The lines without a search, best first.
    pub fn known_lines(&self) -> Vec<SearchInfo> {
        let tbhits = self.tbhits;
        let mut lines: Vec<SearchInfo> = self.facts.iter().map(|fact| SearchInfo { tbhits, ..fact.clone() }).collect();
        lines.sort_by_key(|info| Reverse(info.verdict.score));
        number(&mut lines);
        lines
    }

    /// A line with what is known of its move.
    fn apply(&self, info: SearchInfo) -> SearchInfo {
        let Some(fact) = self.of(&info.pv).filter(|fact| !surpasses(info.verdict.score, fact.verdict)) else {
            return info;
        };
        let verdict = fact.verdict;
        let is_proved_alike = verdict.score == info.verdict.score && verdict.is_exact();
        let (pv, is_cut) = match fact.pv.len() > 1 && !is_proved_alike {
            true => (fact.pv.clone(), fact.is_cut),
            false => (info.pv, info.is_cut),
        };
        let winrate = info.winrate.map(|chance| verdict.winrate(chance));
        SearchInfo { verdict, winrate, pv, is_cut, ..info }
    }

    /// The order of lines: wins, what is open, losses. Where nothing is known it is that of the search.
    fn class(&self, score: Score) -> u8 {
        match score {
            _ if self.facts.is_empty() => 1,
            Score::Win(_) => 2,
            Score::Loss(_) | Score::UnprovedLoss(_) | Score::RepetitionLoss => 0,
            _ => 1,
        }
    }

    /// True if some move may win, for all that is known.
    fn leaves_a_win_open(&self) -> bool {
        let cannot_win = |fact: &&SearchInfo| match fact.verdict.score {
            Score::Draw => fact.verdict.bound != Some(Bound::Lower),
            score => score.is_decided() && !score.is_win(),
        };
        self.facts.iter().filter(cannot_win).count() < self.moves
    }

    /// The lines of an iteration, with what is known of their moves. The first one has the score of the position: a
    /// draw is a bound of it while another move may win.
    pub fn lines(&self, found: Vec<SearchInfo>) -> Vec<SearchInfo> {
        // By the limit of plies, whatever is played.
        let is_drawn = found.iter().any(|info| info.verdict.score == Score::Draw);
        let mut lines = self.lines_of_moves(found);
        if let Some(first) = lines.first_mut().filter(|_| !is_drawn && self.leaves_a_win_open())
            && first.verdict.score == Score::Draw
        {
            first.verdict.bound = first.verdict.bound.or(Some(Bound::Lower));
        }
        lines
    }

    /// The lines of an iteration, the preferred one first, with what is known of their moves. A known win that the
    /// search does not report replaces the last line. No score that is not exact is above that of the first line.
    pub fn lines_of_moves(&self, found: Vec<SearchInfo>) -> Vec<SearchInfo> {
        let count = found.len();
        let mut lines: Vec<SearchInfo> = found.into_iter().map(|info| self.apply(info)).collect();
        let Some(first) = lines.first().cloned() else { return lines };
        let is_missing = |fact: &&SearchInfo| lines.iter().all(|info| !begin_alike(&info.pv, &fact.pv));
        let is_win = |fact: &&SearchInfo| fact.verdict.score.is_win();
        let win = self.facts.iter().filter(is_missing).filter(is_win).max_by_key(|fact| fact.verdict.score);
        lines.extend(win.map(|fact| {
            let SearchInfo { verdict, winrate, pv, is_cut, .. } = fact.clone();
            SearchInfo { verdict, winrate, pv, is_cut, ..first }
        }));
        // Of what is open the search says what is better; of wins and losses the length does.
        lines.sort_by_key(|info| {
            let class = self.class(info.verdict.score);
            Reverse((class, Some(info.verdict.score).filter(|_| class != 1)))
        });
        lines.truncate(count);
        if let Some((first, others)) = lines.split_first_mut() {
            others.iter_mut().for_each(|other| cap(other, first));
            others.sort_by_key(|info| Reverse((self.class(info.verdict.score), info.verdict.score)));
        }
        number(&mut lines);
        lines
    }

    /// The move to play when the search found `best`; `lines` come from [`lines`](RootFacts::lines).
    pub fn choose(&self, best: MovePath, lines: &[SearchInfo]) -> MovePath {
        let Some(first) = lines.first() else { return best };
        let line = std::slice::from_ref(&best);
        let told = lines.iter().find(|info| begin_alike(&info.pv, line)).map(|info| info.verdict);
        let score = told.or_else(|| self.of(line).map(|fact| fact.verdict)).unwrap_or_default().score;
        let is_as_good = match self.class(first.verdict.score) {
            2 => score == first.verdict.score,
            class => self.class(score) >= class,
        };
        if is_as_good { best } else { first.pv.first().cloned().unwrap_or(best) }
    }
}

/// The line of a fact that no search has added to. What is exact overlooks nothing.
fn known_line(verdict: Verdict, pv: Vec<MovePath>, is_cut: bool) -> SearchInfo {
    let depth = u32::try_from(pv.len()).unwrap_or(u32::MAX);
    let proven_depth = if verdict.bound.is_none() { MAX_DISTANCE } else { 0 };
    let winrate = Some(verdict.score.winrate());
    SearchInfo { depth, seldepth: depth, proven_depth, verdict, winrate, is_cut, pv, ..SearchInfo::default() }
}

/// True if the score of a search says more than a bound: a win of exact length, or one where the fact is that the move
/// does not lose.
fn surpasses(score: Score, fact: Verdict) -> bool {
    match (fact.score, fact.bound) {
        (_, None) => false,
        (Score::Draw, Some(bound)) => score.is_decided() && (score > Score::Draw) == (bound == Bound::Lower),
        _ => score.distance().is_some(),
    }
}

/// Reports a line that is not exact no better than the first. Where the first move loses, and is the best, the others
/// lose at least as soon.
fn cap(other: &mut SearchInfo, first: &SearchInfo) {
    if other.verdict.bound.is_some() || other.verdict.score.is_proved() || first.verdict.bound.is_some() {
        return;
    }
    match (first.verdict.score, other.verdict.score) {
        (score @ Score::Loss(_), _) => other.verdict = Verdict::bounded(score, Bound::Upper),
        (score @ (Score::Evaluation(_) | Score::Draw), Score::Evaluation(hundredths)) => {
            other.verdict = Score::Evaluation(hundredths.min(score.hundredths().unwrap_or_default())).into();
        }
        _ => {}
    }
    other.winrate = other.winrate.zip(first.winrate).map(|(chance, most)| chance.min(most));
}

/// True if two lines begin with the same move. Of jump chains with the same result the search has one.
pub fn begin_alike(one: &[MovePath], other: &[MovePath]) -> bool {
    one.first().zip(other.first()).is_some_and(|(one, other)| one.action() == other.action())
}

fn number(lines: &mut [SearchInfo]) {
    lines.iter_mut().enumerate().for_each(|(place, info)| info.multipv = place + 1);
}
