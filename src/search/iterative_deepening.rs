//! Iterative deepening: each iteration searches one ply deeper, with proofs of wins and losses in between.
//!
//! Every line of multi-PV is searched in turn, without the moves of the lines before it. A live analysis also scores
//! the other moves after each iteration, less deep than the best.

use std::cmp::Reverse;

use privy_protocol::Score;

use crate::eval::Value;
use privy_rules::{Game, MovePath};

use super::alpha_beta::AlphaBeta;
use super::context::Context;
use super::history::History;
use super::limits::{MAX_DEPTH, SearchRequest};
use super::proof::prover::Prover;
use super::proof::root_proof::{ProofRequest, RootProof};
use super::report::{LiveAnalysis, Observer, SearchInfo};
use super::root_moves::{ProofState, RootMove};

/// In a live analysis a move is searched one ply less deep for each step of this size by which it is worse than the
/// best, in hundredths of a Rebel.
const WORTH_OF_A_PLY: i32 = 100;
/// The most plies by which a bad move is searched less deep than the best.
const MOST_PLIES_BEHIND: u32 = 6;
/// Proofs for moves that are in no line take one node in this many.
const LIVE_SHARE_OF_PROOFS: u64 = 4;

pub(super) struct IterativeDeepening<'a> {
    alpha_beta: AlphaBeta<'a>,
    root_proof: RootProof<'a>,
    game: &'a Game,
    request: &'a SearchRequest,
    context: Context<'a>,
    moves: &'a mut Vec<RootMove>,
}

impl<'a> IterativeDeepening<'a> {
    pub(super) fn new(
        context: Context<'a>,
        game: &'a Game,
        request: &'a SearchRequest,
        history: &'a mut History,
        moves: &'a mut Vec<RootMove>,
        is_helper: bool,
    ) -> IterativeDeepening<'a> {
        let alpha_beta = AlphaBeta::new(context, history);
        let root_proof = RootProof::new(Prover::new(context), *game.position(), is_helper);
        IterativeDeepening { alpha_beta, root_proof, game, request, context, moves }
    }

    /// Deepens until a limit is reached or all is proved. Returns the lines of the last complete iteration, and all
    /// nodes. The limit of nodes does not hold for the first iteration: every search has a score.
    pub(super) fn run(mut self, report: Observer<'_>) -> (Vec<SearchInfo>, u64) {
        let SearchRequest { limits, live_analysis, .. } = self.request;
        // A live analysis shows all moves anyway.
        let ranks = if live_analysis.is_some() { 1 } else { self.request.multi_pv.clamp(1, self.moves.len()) };
        let mut lines: Vec<SearchInfo> = Vec::new();
        let (mut best, mut stable) = (None, 0);
        for depth in 1..=limits.depth.unwrap_or(MAX_DEPTH).min(MAX_DEPTH) {
            for root_move in self.moves.iter_mut() {
                root_move.previous = root_move.value;
            }
            self.limit_alpha_beta(depth);
            let nodes_before = self.nodes();
            let Some(deepest) = self.iterate(depth, ranks) else { break };
            let proven_depth = self.proven_depth(ranks);
            lines = (0..ranks).map(|rank| self.info(rank, depth, deepest, proven_depth)).collect();
            lines.iter().for_each(&mut *report);
            let is_proved = self.moves.iter().take(ranks).all(|line| line.proof == ProofState::Exact);
            let is_only_move = self.moves.len() == 1 && limits.clock.is_some();
            let (move_, value) = (*self.moves[0].move_(), i32::from(self.moves[0].value.raw()));
            let (before, value_before) = best.replace((move_, value)).unwrap_or((move_, value));
            stable = if move_ == before { stable + 1 } else { 0 };
            let is_late = self.context.clock.is_late(stable, value_before - value);
            let is_done = is_proved || is_only_move || is_late;
            if let Some(live) = live_analysis {
                let nodes = match is_done {
                    false => self.nodes() - nodes_before,
                    true if limits.is_infinite() => u64::MAX,
                    true => 0,
                };
                self.score_others(live, depth, nodes);
            }
            if is_done || self.alpha_beta.stopped {
                break;
            }
        }
        if let Some(live) = live_analysis {
            live.set_best(&self.moves[0].path);
        }
        let nodes = self.nodes_of_all();
        (lines, nodes)
    }

    fn nodes(&self) -> u64 {
        self.alpha_beta.counter.nodes + self.root_proof.nodes()
    }

    fn nodes_of_all(&self) -> u64 {
        self.context.shared.map_or(0, |shared| shared.nodes()).max(self.nodes())
    }

    /// Searches the best moves to a depth, proves what it can, and searches again when a proof has changed them.
    /// Returns the deepest ply; `None` if the search was stopped.
    fn iterate(&mut self, depth: u32, ranks: usize) -> Option<usize> {
        let mut deepest = 0;
        loop {
            let proved = self.moves.iter().take_while(|known| !known.is_open()).count();
            let open = self.moves.iter().filter(|known| known.is_open()).count();
            let searched = proved..ranks.min(proved + open);
            for rank in searched.clone() {
                self.search_rank(rank, proved + open, depth);
                deepest = deepest.max(self.alpha_beta.deepest);
                if self.alpha_beta.stopped {
                    return None;
                }
            }
            // Later searches fill the table, so a later line can end up better.
            if let Some(searched) = self.moves.get_mut(searched) {
                searched.sort_by_key(|root_move| Reverse(root_move.value));
            }
            let best = self.moves.iter().take(ranks).find(|line| line.is_open()).map_or(Value::DRAW, |line| line.value);
            let best = self.context.contempt.for_proofs(best);
            let nodes = self.alpha_beta.counter.nodes / self.context.shared.map_or(1, |shared| shared.threads as u64);
            let has_news = self.prove(ProofRequest::after(depth, ranks, best, nodes));
            if !has_news || !self.moves.iter().take(ranks).any(RootMove::is_open) {
                return Some(deepest);
            }
        }
    }

    /// Proves wins and losses of the best lines, or of all. Proofs end at the limit of nodes, and leave the rest of it
    /// to alpha-beta. True if anything was proved.
    fn prove(&mut self, request: ProofRequest) -> bool {
        let most = self.request.limits.nodes.unwrap_or(u64::MAX);
        let left = most.saturating_sub(self.alpha_beta.counter.nodes);
        let node_limits = request.node_limits.map(|limit| limit.min(left));
        let has_news = self.root_proof.prove(self.moves, &ProofRequest { node_limits, ..request });
        self.limit_alpha_beta(request.depth);
        has_news
    }

    /// Leaves alpha-beta what the proofs have not taken of the limit of nodes; in the first iteration it has none.
    fn limit_alpha_beta(&mut self, depth: u32) {
        if depth > 1 {
            let most = self.request.limits.nodes.unwrap_or(u64::MAX);
            self.alpha_beta.counter.set_limit(most.saturating_sub(self.root_proof.nodes()));
        }
    }

    fn proven_depth(&self, ranks: usize) -> u32 {
        let lines = || self.moves.iter().take(ranks);
        let longest = lines().filter_map(|line| line.value.distance()).max().unwrap_or(0);
        if ranks == 1 && self.moves[0].proof == ProofState::Exact {
            return longest;
        }
        let wins = self.moves.iter().filter(|line| line.is_open()).map(|line| line.no_win_within);
        let losses = lines().filter(|line| line.is_open()).map(|line| line.no_loss_within);
        wins.chain(losses).min().unwrap_or(longest)
    }

    /// Finds the best of the moves `rank..end` and moves it to `rank`. Aspiration: a narrow window around the value of
    /// the previous iteration widens until the value lies inside.
    fn search_rank(&mut self, rank: usize, end: usize, depth: u32) {
        let guess = self.moves[rank].previous;
        let is_narrow = depth >= 5 && guess.is_evaluation();
        let mut width = self.context.parameters.aspiration;
        let (mut alpha, mut beta) =
            if is_narrow { (guess.shifted(-width), guess.shifted(width)) } else { (-Value::INFINITE, Value::INFINITE) };
        loop {
            let best = self.search_window(rank, end, depth, alpha, beta);
            if self.alpha_beta.stopped {
                return;
            }
            width *= 4;
            let is_wide = width > 2_000;
            if best <= alpha && alpha > -Value::INFINITE {
                alpha = if is_wide { -Value::INFINITE } else { guess.shifted(-width) };
            } else if best >= beta && beta < Value::INFINITE {
                beta = if is_wide { Value::INFINITE } else { guess.shifted(width) };
            } else {
                return;
            }
        }
    }

    /// Searches the moves `rank..end` within a window; the best goes to `rank`, the others keep their order.
    fn search_window(&mut self, rank: usize, end: usize, depth: u32, mut alpha: Value, beta: Value) -> Value {
        let root = *self.game.position();
        let depth = depth as i32;
        self.alpha_beta.begin_iteration(depth);
        let mut best = -Value::INFINITE;
        let mut best_place = rank;
        for place in rank..end {
            let root_move = &self.moves[place];
            let move_ = *root_move.move_();
            let nodes_before = self.alpha_beta.counter.nodes;
            let alpha_beta = &mut self.alpha_beta;
            let mut search = |alpha, beta| {
                let window = (root_move.without_bonus(alpha), root_move.without_bonus(beta));
                let value = alpha_beta.search_root_move(&root, &move_, window, depth);
                (root_move.with_bonus(value), alpha_beta.stopped)
            };
            let mut value;
            if place == rank {
                (value, _) = search(alpha, beta);
            } else {
                let is_stopped;
                (value, is_stopped) = search(alpha, alpha.shifted(1));
                if value > alpha && value < beta && !is_stopped {
                    // Better than all before it, even if there is no time left for its exact value.
                    let before = std::mem::replace(&mut best_place, place);
                    let is_stopped;
                    (value, is_stopped) = search(alpha, beta);
                    if !is_stopped {
                        best_place = before;
                    }
                }
            }
            let root_move = &mut self.moves[place];
            root_move.nodes += self.alpha_beta.counter.nodes - nodes_before;
            if self.alpha_beta.stopped {
                break;
            }
            if value > best {
                best = value;
                if value > alpha || place == rank {
                    alpha = alpha.max(value);
                    best_place = place;
                    root_move.value = value;
                    root_move.line = [&[move_], self.alpha_beta.line()].concat();
                }
            }
            if alpha >= beta {
                break;
            }
        }
        self.moves[rank..=best_place].rotate_right(1);
        best
    }

    fn info(&self, rank: usize, depth: u32, deepest: usize, proven_depth: u32) -> SearchInfo {
        let root_move = &self.moves[rank];
        SearchInfo {
            depth,
            seldepth: (deepest as u32).max(depth.min(root_move.line.len() as u32)),
            proven_depth,
            multipv: rank + 1,
            verdict: self.reported(root_move).into(),
            winrate: None,
            is_cut: false,
            tbhits: self.alpha_beta.table_hits + self.root_proof.prover.table_hits,
            nodes: self.nodes_of_all(),
            hashfull: self.context.table.hashfull(self.nodes_of_all()),
            time: self.context.clock.elapsed(),
            pv: self.replay(root_move),
        }
    }

    fn reported(&self, root_move: &RootMove) -> Score {
        root_move.reported_value(self.context.contempt.draw_for(self.game.side())).into()
    }

    /// The legal line of a root move. A line that repeats positions ends with the game.
    fn replay(&self, root_move: &RootMove) -> Vec<MovePath> {
        let mut game = self.game.clone();
        let mut line = vec![root_move.path.clone()];
        game.play(root_move.path.clone());
        for move_ in root_move.line.iter().skip(1) {
            let Some(path) = game.legal_moves().into_iter().find(|path| path.action() == move_) else { break };
            game.play(path.clone());
            line.push(path);
        }
        line
    }

    /// After an iteration: spends `nodes` on the moves that are not the best, until all are searched to its depth. The
    /// first iteration searches each move, whatever it takes.
    fn score_others(&mut self, live: &LiveAnalysis, depth: u32, nodes: u64) {
        self.moves[0].depth = depth;
        live.set_best(&self.moves[0].path);
        self.publish(live, |_, known| known.depth == depth || !known.is_open());
        let end = self.nodes().saturating_add(nodes);
        while let Some(place) = self.next_to_score(depth).filter(|_| depth == 1 || self.nodes() < end) {
            let root_move = &mut self.moves[place];
            root_move.previous = root_move.value;
            let next = root_move.depth + 1;
            self.search_rank(place, place + 1, next);
            if self.alpha_beta.stopped {
                return;
            }
            self.moves[place].depth = next;
            self.publish(live, |other, _| other == place);
        }
        let node_limit = self.root_proof.nodes().saturating_add(nodes / LIVE_SHARE_OF_PROOFS);
        self.prove(ProofRequest { depth, lines: self.moves.len(), best: Value::DRAW, node_limits: [node_limit; 2] });
        live.set_best(&self.moves[0].path);
        self.publish(live, |_, known| known.proof == ProofState::Exact);
    }

    /// The place of the move that is due for another ply, up to a depth.
    fn next_to_score(&self, depth: u32) -> Option<usize> {
        let best = i32::from(self.moves[0].value.raw());
        let open = self.moves.iter().enumerate().filter(|(_, known)| known.is_open() && known.depth < depth);
        let turn = open.map(|(place, known)| {
            let plies_behind = (best - i32::from(known.value.raw())).max(0) / WORTH_OF_A_PLY;
            (known.depth + plies_behind.unsigned_abs().min(MOST_PLIES_BEHIND), place)
        });
        turn.min().map(|(_, place)| place)
    }

    fn publish(&self, live: &LiveAnalysis, is_news: impl Fn(usize, &RootMove) -> bool) {
        for (_, known) in self.moves.iter().enumerate().filter(|(place, known)| is_news(*place, known)) {
            live.put(SearchInfo {
                pv: self.replay(known),
                verdict: self.reported(known).into(),
                depth: known.depth,
                proven_depth: known.no_win_within.min(known.no_loss_within),
                nodes: known.nodes,
                ..SearchInfo::default()
            });
        }
    }
}
