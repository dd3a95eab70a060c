//! Iterative deepening: a ply more each time, and in between proofs of what is won or lost.

use crate::rules::{Family, Game, MovePath, Position};

use super::alpha_beta::AlphaBeta;
use super::context::Context;
use super::limits::Limits;
use super::proof::proof_budget::Iteration;
use super::proof::root_proof::{ProofRequest, RootProof};
use super::root_moves::{Proof, RootMove};
use super::searcher::{MAX_DEPTH, SearchInfo};
use super::threads::Threads;
use crate::eval::Score;

/// Half the width of the first aspiration window, in hundredths of a Rebel.
const ASPIRATION: i32 = 60;

/// One search from a root.
pub(super) struct IterativeDeepening<'a, F: Family> {
    pub(super) worker: AlphaBeta<'a, F>,
    pub(super) settling: RootProof<'a, F>,
    pub(super) game: &'a Game,
    pub(super) root: Position,
    pub(super) limits: &'a Limits,
    pub(super) context: Context<'a>,
    pub(super) moves: &'a mut Vec<RootMove>,
}

impl<F: Family> IterativeDeepening<'_, F> {
    /// Deepens until a limit is reached or all is settled: the lines of the last iteration that ended, and all nodes.
    pub(super) fn run(mut self, report: &mut dyn FnMut(&SearchInfo)) -> (Vec<SearchInfo>, u64) {
        // A live_analysis shows all moves anyway.
        let ranks =
            if self.limits.live_analysis.is_some() { 1 } else { self.limits.multi_pv.clamp(1, self.moves.len()) };
        let last = self.limits.depth.unwrap_or(MAX_DEPTH).min(MAX_DEPTH);
        let mut lines: Vec<SearchInfo> = Vec::new();
        for depth in 1..=last {
            for root_move in self.moves.iter_mut() {
                root_move.previous = root_move.score;
            }
            let nodes_before = self.nodes();
            let Some(deepest) = self.iterate(depth, ranks) else { break };
            let proven_depth = self.proven_depth(ranks);
            let of_rank = |rank| self.report(rank, depth, deepest, proven_depth);
            let reports: Vec<SearchInfo> = (0..ranks).filter_map(of_rank).collect();
            reports.iter().for_each(&mut *report);
            lines = reports;
            let settled = self.moves.iter().take(ranks).all(|line| line.proof == Proof::Exact);
            let only_move = self.moves.len() == 1 && self.limits.clock.is_some();
            let done = settled || only_move || self.context.clock.is_late();
            if let Some(live_analysis) = &self.limits.live_analysis {
                let nodes = match done {
                    false => self.nodes() - nodes_before,
                    true if self.limits.is_infinite() => u64::MAX,
                    true => 0,
                };
                self.judge_others(live_analysis, depth, nodes);
            }
            if done || self.worker.is_stopped() {
                break;
            }
        }
        if let Some(live_analysis) = &self.limits.live_analysis {
            self.name_best(live_analysis);
        }
        let nodes = self.nodes_of_all();
        (lines, nodes)
    }

    pub(super) fn nodes(&self) -> u64 {
        self.worker.nodes() + self.settling.nodes()
    }

    /// Nodes of all threads.
    fn nodes_of_all(&self) -> u64 {
        self.context.threads.map_or(0, Threads::nodes).max(self.nodes())
    }

    /// Searches the best moves to a depth, settles what can be, and searches again when that has changed them. The most
    /// plies looked ahead; none when there was no time to end it.
    fn iterate(&mut self, depth: u32, ranks: usize) -> Option<usize> {
        let mut deepest = 0;
        loop {
            let proved = self.moves.iter().take_while(|known| !known.is_open()).count();
            let open = self.moves.iter().filter(|known| known.is_open()).count();
            for rank in proved..ranks.min(proved + open) {
                self.search_rank(rank, proved + open, depth);
                deepest = deepest.max(self.worker.deepest());
                if self.worker.is_stopped() {
                    return None;
                }
            }
            // What the table has learnt meanwhile can make a later line the better one.
            if let Some(searched) = self.moves.get_mut(proved..ranks.min(proved + open)) {
                searched.sort_by_key(|root_move| std::cmp::Reverse(root_move.score));
            }
            let news = self.settle(depth, deepest, ranks);
            if !news || !self.moves.iter().take(ranks).any(RootMove::is_open) {
                return Some(deepest);
            }
        }
    }

    /// Proves wins and losses, as far as there are nodes for it. Is something new?
    fn settle(&mut self, depth: u32, deepest: usize, ranks: usize) -> bool {
        let lines = || self.moves.iter().take(ranks).filter(|line| line.is_open());
        let searched = Iteration {
            depth,
            deepest: deepest as u32,
            lines: ranks,
            best: lines().next().map_or(Score::DRAW, |best| best.score),
            longest_claim: lines().filter_map(|line| line.score.distance()).max(),
            nodes: self.worker.nodes(),
            threads: self.context.threads.map_or(1, Threads::threads) as u64,
        };
        let most = self.limits.nodes.unwrap_or(u64::MAX);
        let mut news = false;
        for request in searched.requests() {
            let nodes = request.nodes.min(most.saturating_sub(searched.nodes));
            news |= self.settling.settle(self.moves, &ProofRequest { nodes, ..request });
        }
        self.worker.set_node_limit(most.saturating_sub(self.settling.nodes()));
        news
    }

    /// Plies within which nothing is overlooked.
    fn proven_depth(&self, ranks: usize) -> u32 {
        let shown = || self.moves.iter().take(ranks);
        let settled = shown().filter_map(|line| line.score.distance()).max().unwrap_or(0);
        let wins = self.moves.iter().filter(|line| line.is_open()).map(|line| line.no_win_within);
        let losses = shown().filter(|line| line.is_open()).map(|line| line.no_loss_within);
        if ranks == 1 && self.moves.first().is_some_and(|best| best.proof == Proof::Exact) {
            return settled;
        }
        wins.chain(losses).min().unwrap_or(settled)
    }

    /// Finds the best of the moves from a rank to an end and puts it at the rank.
    pub(super) fn search_rank(&mut self, rank: usize, end: usize, depth: u32) {
        let guess = self.moves.get(rank).map_or(Score::DRAW, |root_move| root_move.previous);
        let narrow = depth >= 5 && guess.distance().is_none() && guess > -Score::INFINITE;
        let mut width = ASPIRATION;
        let (mut alpha, mut beta) =
            if narrow { (guess.shifted(-width), guess.shifted(width)) } else { (-Score::INFINITE, Score::INFINITE) };
        loop {
            let best = self.search_window(rank, end, depth, alpha, beta);
            if self.worker.is_stopped() {
                return;
            }
            width *= 4;
            let wide = width > 2_000;
            if best <= alpha && alpha > -Score::INFINITE {
                alpha = if wide { -Score::INFINITE } else { guess.shifted(-width) };
            } else if best >= beta && beta < Score::INFINITE {
                beta = if wide { Score::INFINITE } else { guess.shifted(width) };
            } else {
                return;
            }
        }
    }

    /// Searches the moves from a rank on within a window; the best goes to the rank, the others keep their order.
    fn search_window(&mut self, rank: usize, end: usize, depth: u32, mut alpha: Score, beta: Score) -> Score {
        self.worker.begin_iteration(depth as i32);
        let mut best = -Score::INFINITE;
        let mut best_place = rank;
        for place in rank..end.min(self.moves.len()) {
            let Some(root_move) = self.moves.get(place) else { break };
            let action = *root_move.action();
            let nodes_before = self.worker.nodes();
            let mut score;
            if place == rank {
                score = self.worker.search_root_move(&self.root, &action, (alpha, beta), depth as i32);
            } else {
                score = self.worker.search_root_move(&self.root, &action, (alpha, alpha.shifted(1)), depth as i32);
                if score > alpha && score < beta && !self.worker.is_stopped() {
                    // Better than all before it, even if there is no time left to find out by how much.
                    let before = std::mem::replace(&mut best_place, place);
                    score = self.worker.search_root_move(&self.root, &action, (alpha, beta), depth as i32);
                    if !self.worker.is_stopped() {
                        best_place = before;
                    }
                }
            }
            if let Some(root_move) = self.moves.get_mut(place) {
                root_move.nodes += self.worker.nodes() - nodes_before;
            }
            if self.worker.is_stopped() {
                break;
            }
            if score > best {
                best = score;
                if score > alpha || place == rank {
                    alpha = alpha.max(score);
                    best_place = place;
                    if let Some(root_move) = self.moves.get_mut(place) {
                        root_move.score = score;
                        root_move.line = [&[action], self.worker.line()].concat();
                    }
                }
            }
            if alpha >= beta {
                break;
            }
        }
        if let Some(moves) = self.moves.get_mut(rank..=best_place) {
            moves.rotate_right(1);
        }
        best
    }

    fn report(&self, rank: usize, depth: u32, deepest: usize, proven_depth: u32) -> Option<SearchInfo> {
        let root_move = self.moves.get(rank)?;
        Some(SearchInfo {
            depth,
            selective_depth: (deepest as u32).max(depth.min(root_move.line.len() as u32)),
            proven_depth,
            rank: rank + 1,
            score: root_move.told_score(),
            is_proved_draw: false,
            table_hits: self.worker.table_hits() + self.settling.table_hits(),
            nodes: self.nodes_of_all(),
            hashfull: self.context.table.hashfull(),
            time: self.context.clock.elapsed(),
            line: replay(self.game, root_move),
        })
    }
}

/// The line of a root move as moves, as far as the game goes: a line that repeats positions ends with the game.
pub(super) fn replay(game: &Game, root_move: &RootMove) -> Vec<MovePath> {
    let mut game = game.clone();
    let mut line = vec![root_move.move_.clone()];
    game.play(root_move.move_.clone());
    for action in root_move.line.iter().skip(1) {
        let Some(move_) = game.legal_moves().into_iter().find(|move_| move_.action() == action) else { break };
        game.play(move_.clone());
        line.push(move_);
    }
    line
}
