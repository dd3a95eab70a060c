//! One thread of the search: principal variation search with a transposition table.
//!
//! Near the horizon it leaves out quiet moves that look futility_bound, but never where it tells a win or loss: each is one, and
//! the proofs beside the search find out its length.
//!
//! What the table keeps of a position must be true however it is reached. So a position that comes back on the way of the
//! search is no draw ("graph history interaction", M. Campbell, 1985): the shortest win needs no repetition, and a loss that
//! could be put off by one is found out in the game itself, where a position that has occurred twice is a draw when it is
//! reached again, on every way.
//!
//! Beyond the horizon it follows the General's captures, and where a side has a single move it looks one ply deeper.

use std::marker::PhantomData;

use crate::board::PointSet;
use crate::rules::{Family, Move, MoveKind, Outcome, Position, Side};

use super::context::{Context, NODES_PER_LOOK};
use super::move_picker::{History, MAX_PLY, MoveList};
use super::pv_table::PvTable;
use super::threads::MoveInSearch;
use super::transposition_table::{Bound, Entry, MoveCode};
use crate::eval::Score;

/// Up to so many plies before the horizon, quiet moves that can't reach alpha are left out.
const FUTILE_DEPTH: i32 = 3;

/// What a quiet move may gain with each ply to the horizon, in hundredths of a Rebel.
const FUTILITY_MARGIN: i32 = 150;

/// The search of one thread.
pub(super) struct AlphaBeta<'a, F: Family> {
    context: Context<'a>,
    history: &'a mut History,
    lists: Vec<MoveList>,
    lines: PvTable,
    nodes: u64,
    table_hits: u64,
    deepest: usize,
    ply_limit: usize,
    stopped: bool,
    family: PhantomData<F>,
}

impl<'a, F: Family> AlphaBeta<'a, F> {
    pub(super) fn new(context: Context<'a>, history: &'a mut History) -> AlphaBeta<'a, F> {
        let lists = (0..=MAX_PLY).map(|_| MoveList::default()).collect();
        let lines = PvTable::new();
        AlphaBeta {
            context,
            history,
            lists,
            lines,
            nodes: 0,
            table_hits: 0,
            deepest: 0,
            ply_limit: 0,
            stopped: false,
            family: PhantomData,
        }
    }

    /// Ends the search at so many nodes.
    pub(super) fn set_node_limit(&mut self, nodes: u64) {
        self.context.node_limit = nodes;
    }

    /// Positions reached by making a move so far.
    pub(super) fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Positions whose value a table of perfect play gave.
    pub(super) fn table_hits(&self) -> u64 {
        self.table_hits
    }

    /// The most plies looked ahead in this iteration, extensions and captures included.
    pub(super) fn deepest(&self) -> usize {
        self.deepest
    }

    /// Has a limit or the outside world ended the search? What a search returns from then on means nothing.
    pub(super) fn is_stopped(&self) -> bool {
        self.stopped
    }

    /// The best line after the last root move searched with a full window.
    pub(super) fn line(&self) -> &[Move] {
        self.lines.from(1)
    }

    /// Prepares an iteration of a depth.
    pub(super) fn begin_iteration(&mut self, depth: i32) {
        self.deepest = 0;
        self.ply_limit = (2 * depth as usize + 8).min(MAX_PLY);
    }

    /// The score of a root move for the side to move at the root.
    pub(super) fn search_root_move(
        &mut self,
        root: &Position,
        action: &Move,
        window: (Score, Score),
        depth: i32,
    ) -> Score {
        self.lines.clear(1);
        self.search_child(root, action, window, depth - 1, 0, true)
    }

    /// Checks the limits; called with every node.
    #[inline(always)]
    fn count_node(&mut self) {
        self.nodes += 1;
        if self.nodes.is_multiple_of(NODES_PER_LOOK) {
            self.stopped |= self.context.look_around();
        }
        self.stopped |= self.nodes >= self.context.node_limit;
    }

    /// Makes an action and gives its score for the side that makes it.
    #[inline(always)]
    fn search_child(
        &mut self,
        node: &Position,
        action: &Move,
        window: (Score, Score),
        depth: i32,
        ply: usize,
        pv: bool,
    ) -> Score {
        let rules = self.context.rules;
        self.count_node();
        let mover = node.side();
        let (child, goal) = rules.play_unchecked(node, action);
        if let Some(outcome) = goal {
            self.lines.clear(ply + 1);
            return Self::score_of(outcome, mover, ply + 1);
        }
        if self.is_repeated(&child) || self.context.plies_left == Some(ply + 1) {
            self.lines.clear(ply + 1);
            // The rules look at the moves of the side to move first.
            let lost = match child.side() {
                Side::General => !rules.general_can_move::<F>(&child),
                Side::Rebels => !rules.rebels_can_move(&child),
            };
            return if lost { Score::win_in(ply as u32 + 1) } else { Score::DRAW };
        }
        if let Some(score) = self.context.leaves.probe(&child) {
            self.table_hits += 1;
            self.lines.clear(ply + 1);
            return -score.seen_from_above(ply + 1);
        }
        let (alpha, beta) = window;
        if depth <= 0 || ply + 1 >= MAX_PLY {
            self.lines.clear(ply + 1);
            return -self.quiesce(&child, -beta, -alpha, ply + 1);
        }
        -self.search(&child, -beta, -alpha, depth, ply + 1, pv)
    }

    /// The score of a game that a move has decided, for the side that made it.
    fn score_of(outcome: Outcome, mover: Side, ply: usize) -> Score {
        match outcome.winner() {
            Some(winner) if winner == mover => Score::win_in(ply as u32),
            Some(_) => Score::loss_in(ply as u32),
            None => Score::DRAW,
        }
    }

    /// Has the position occurred twice in the game?
    #[inline(always)]
    fn is_repeated(&self, child: &Position) -> bool {
        !self.context.repeated.is_empty() && self.context.repeated.contains(&child.hash())
    }

    /// Sets apart in the table what must not mix: other histories, and other numbers of plies left.
    #[inline(always)]
    fn salt(&self, ply: usize) -> u64 {
        match self.context.plies_left {
            None => self.context.salt,
            Some(left) => self.context.salt ^ (left.wrapping_sub(ply) as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15),
        }
    }

    /// Puts the legal moves of a node into the list of its ply, ranked.
    fn generate(&mut self, node: &Position, ply: usize, table: MoveCode) -> MoveList {
        let mut list = self.lists.get_mut(ply).map(std::mem::take).unwrap_or_default();
        list.clear();
        let (rules, history, state) = (self.context.rules, &*self.history, node);
        match state.side() {
            Side::Rebels => rules.rebel_bundles(state, |from, targets| {
                for to in targets {
                    let action = Move::rebel_step(from, to);
                    list.push(history.rank(Side::Rebels, ply, &action, table), action);
                }
            }),
            Side::General => rules.general_actions::<F>(state, |action, _| {
                if !(F::JUMP && action.kind == MoveKind::Jump && list.contains(&action)) {
                    list.push(history.rank(Side::General, ply, &action, table), action);
                }
            }),
        }
        list
    }

    fn give_back(&mut self, list: MoveList, ply: usize) {
        if let Some(slot) = self.lists.get_mut(ply) {
            *slot = list;
        }
    }

    /// Searches a position that is neither decided by its last move nor a repetition.
    fn search(
        &mut self,
        node: &Position,
        mut alpha: Score,
        mut beta: Score,
        depth: i32,
        ply: usize,
        pv: bool,
    ) -> Score {
        self.lines.clear(ply);
        if self.stopped {
            return Score::DRAW;
        }
        self.deepest = self.deepest.max(ply);
        // No line from here is better than winning with the next move, or worse than having lost already.
        alpha = alpha.max(Score::loss_in(ply as u32));
        beta = beta.min(Score::win_in(ply as u32 + 1));
        if alpha >= beta {
            return alpha;
        }
        let salt = self.salt(ply);
        let known = self.context.table.get(node.hash(), salt);
        if let Some(score) = known.filter(|_| !pv).and_then(|entry| entry.answer(alpha, beta, depth, ply)) {
            return score;
        }
        let mut list = self.generate(node, ply, known.map_or(MoveCode::NONE, |entry| entry.best));
        if list.len() == 0 {
            self.give_back(list, ply);
            return Score::loss_in(ply as u32);
        }
        let forced = list.len() == 1 && ply < self.ply_limit;
        let next_depth = if forced { depth } else { depth - 1 };
        let futility_bound = self.futility_bound(node, alpha, depth, pv);
        let shared = self.context.sharing(depth);
        if next_depth > 0 && futility_bound.is_none() {
            list.moves().for_each(|action| self.context.fetch_after(node, &action));
        }
        let first_alpha = alpha;
        let mut best = -Score::INFINITE;
        let mut best_action = None;
        let mut picked = 0;
        while let Some(action) = list.pick(picked) {
            let count = picked;
            picked += 1;
            if let Some(at_most) = futility_bound.filter(|_| count > 0 && action.captured.is_empty()) {
                best = best.max(at_most);
                if node.side() == Side::Rebels {
                    // None of their steps takes anything.
                    break;
                }
                continue;
            }
            let work = MoveInSearch::new(node.hash(), MoveCode::of(&action));
            if let Some(threads) = shared {
                if count > 0 && !list.was_deferred(count) && threads.is_in_work(work) {
                    list.defer(action);
                    continue;
                }
                threads.begin(work);
            }
            let mut score;
            if count == 0 {
                score = self.search_child(node, &action, (alpha, beta), next_depth, ply, pv);
            } else {
                score = self.search_child(node, &action, (alpha, alpha.shifted(1)), next_depth, ply, false);
                if pv && score > alpha && score < beta && !self.stopped {
                    score = self.search_child(node, &action, (alpha, beta), next_depth, ply, true);
                }
            }
            if let Some(threads) = shared {
                threads.end(work);
            }
            if self.stopped {
                break;
            }
            if score > best {
                best = score;
                if score > alpha {
                    alpha = score;
                    best_action = Some(action);
                    if pv {
                        self.lines.set(ply, action);
                    }
                    if score >= beta {
                        self.history.reward(node.side(), ply, depth, &action, list.picked(count));
                        break;
                    }
                }
            }
        }
        self.give_back(list, ply);
        if !self.stopped {
            let bound = match best {
                score if score >= beta => Bound::Lower,
                score if score > first_alpha => Bound::Exact,
                _ => Bound::Upper,
            };
            let best_code = best_action.map_or(MoveCode::NONE, |action| MoveCode::of(&action));
            let entry = Entry { score: best.seen_from_below(ply), bound, depth, best: best_code };
            self.context.table.put(node.hash(), salt, &entry);
        }
        best
    }

    /// Near the horizon, a score below alpha that quiet moves are taken to stay below too: then they need not be searched
    /// ("futility pruning", E. Heinz, 1998). None where one of them may matter. It is never a win or loss, so that those are
    /// told only where every move has been looked at.
    fn futility_bound(&self, node: &Position, alpha: Score, depth: i32, pv: bool) -> Option<Score> {
        if pv || depth > FUTILE_DEPTH || alpha.distance().is_some() {
            return None;
        }
        let standing = self.context.evaluation.evaluate::<F>(self.context.rules, node);
        let at_most = standing.shifted(FUTILITY_MARGIN * depth);
        (at_most <= alpha).then_some(at_most)
    }

    /// Beyond the horizon: the evaluation, or better, a capture of the General. Where capture is compulsory he can't stand.
    fn quiesce(&mut self, node: &Position, mut alpha: Score, beta: Score, ply: usize) -> Score {
        if self.stopped {
            return Score::DRAW;
        }
        self.deepest = self.deepest.max(ply);
        let rules = self.context.rules;
        let state = &node;
        if state.side() == Side::Rebels {
            if !rules.rebels_can_move(state) {
                return Score::loss_in(ply as u32);
            }
            return self.context.evaluation.evaluate::<F>(rules, state);
        }
        if !rules.general_can_move::<F>(state) {
            return Score::loss_in(ply as u32);
        }
        let mut captures = self.lists.get_mut(ply.min(MAX_PLY)).map(std::mem::take).unwrap_or_default();
        captures.clear();
        rules.general_actions::<F>(state, |action, _| {
            if action.captured != PointSet::EMPTY {
                captures.push(action.captured.len() as i32, action);
            }
        });
        let mut best = -Score::INFINITE;
        if !(F::COMPULSORY && rules.compulsory && captures.len() > 0) {
            best = self.context.evaluation.evaluate::<F>(rules, state);
            alpha = alpha.max(best);
        }
        if best < beta && ply < MAX_PLY {
            for count in 0..captures.len() {
                let Some(action) = captures.pick(count) else { break };
                let score = self.search_child(node, &action, (alpha, beta), 0, ply, false);
                best = best.max(score);
                alpha = alpha.max(score);
                if alpha >= beta || self.stopped {
                    break;
                }
            }
        }
        self.give_back(captures, ply.min(MAX_PLY));
        best
    }
}
