//! Iterative deepening: from a game and limits to a best move, with reports on the way.

mod judging;

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;
use std::time::Duration;

use crate::rules::family::for_family;
use crate::rules::zobrist::mix;
use crate::rules::{Action, Family, Game, Move, Variant};

use super::evaluation::Evaluation;
use super::limits::{Limits, Stop, TimeManager};
use super::ordering::{History, MAX_PLY};
use super::score::Score;
use super::table::TranspositionTable;
use super::worker::{Node, Resources, Worker};

/// The deepest iteration.
pub const MAX_DEPTH: u32 = 120;

/// The speed of a search that visited so many nodes.
#[must_use]
pub fn nodes_per_second(nodes: u64, time: Duration) -> u64 {
    u64::try_from(u128::from(nodes) * 1_000_000 / time.as_micros().max(1)).unwrap_or(u64::MAX)
}

/// A report on one line, after an iteration.
#[derive(Debug, Clone)]
pub struct Report {
    /// Plies searched in full.
    pub depth: u32,
    /// The most plies looked ahead.
    pub selective_depth: u32,
    /// The rank of the line, from 1.
    pub rank: usize,
    /// Its score for the side to move.
    pub score: Score,
    /// Is the score a draw that neither side can avoid?
    pub is_proved_draw: bool,
    /// Positions looked up in a table of perfect play.
    pub table_hits: u64,
    /// Positions reached by making a move.
    pub nodes: u64,
    /// How full the table is, in thousandths.
    pub permille_used: u32,
    /// Time since the search began.
    pub time: Duration,
    /// The line.
    pub line: Vec<Move>,
}

/// What a search found.
#[derive(Debug, Clone)]
pub struct Findings {
    /// The best move.
    pub best: Move,
    /// The reports of the last iteration that ended, best line first; empty when not even one move was searched.
    pub lines: Vec<Report>,
    /// Positions reached by making a move.
    pub nodes: u64,
    /// Time of the whole search.
    pub time: Duration,
}

/// A root move and what the search knows of it.
struct RootMove {
    move_: Move,
    score: Score,
    previous: Score,
    line: Vec<Action>,
    /// Positions looked at for it.
    nodes: u64,
    /// The depth for which the score is its own, and not a bound.
    judged: u32,
}

/// Searches games of one variant, and keeps what it learns for the next search.
#[derive(Debug)]
pub struct Searcher {
    table: TranspositionTable,
    history: History,
    evaluation: Option<(Arc<Variant>, Evaluation)>,
    mebibytes: usize,
    seed: u64,
    searches: u64,
}

impl Searcher {
    /// A searcher whose transposition table may take so many MiB; they are taken at the first search.
    #[must_use]
    pub fn new(mebibytes: usize) -> Searcher {
        Searcher {
            table: TranspositionTable::default(),
            history: History::new(),
            evaluation: None,
            mebibytes,
            seed: 0,
            searches: 0,
        }
    }

    /// Changes the size of the transposition table, in MiB, from the next search on.
    pub fn set_table_size(&mut self, mebibytes: usize) {
        self.mebibytes = mebibytes;
    }

    /// Chooses among equal moves by this number; 0 chooses always the same.
    pub fn set_seed(&mut self, seed: u64) {
        self.seed = seed;
    }

    /// Forgets all earlier searches.
    pub fn clear(&mut self) {
        self.table.clear();
        self.history.clear();
    }

    /// Finds the best move in a game that is not over. None when it is over.
    ///
    /// Calls `report` with every line after every iteration. Ends with the first limit reached or when `stop` is set;
    /// a forced win or loss whose length is sure ends it too, and so does a single legal move when the search plays by
    /// a clock. Without limits it goes on until it is stopped.
    pub fn search(
        &mut self,
        game: &Game,
        limits: &Limits,
        stop: &Stop,
        report: &mut dyn FnMut(&Report),
    ) -> Option<Findings> {
        let clock = TimeManager::new(limits);
        let position = game.position();
        let variant = position.variant();
        let mut moves = root_moves(game, limits);
        shuffle(&mut moves, self.seed);
        moves.first()?;
        self.prepare(variant, limits);
        let Some((_, evaluation)) = &self.evaluation else { return None };
        let spoiled = twice_occurred(game);
        let fresh = if limits.is_reproducible() { mix(self.searches) } else { 0 };
        let resources = Resources {
            masks: variant.masks(),
            evaluation,
            table: &self.table,
            stop,
            clock,
            node_limit: limits.nodes.unwrap_or(u64::MAX),
            salt: fresh ^ spoiled.iter().fold(0, |salt, hash| salt ^ mix(*hash)),
            spoiled: &spoiled,
            plies_left: game.plies_left().map(|plies| plies as usize).filter(|plies| *plies <= MAX_PLY),
        };
        let history = &mut self.history;
        let root = Node { state: *position.state(), hash: position.hash() };
        let reports = for_family!(variant.family(), F => {
            let worker = Worker::<F>::new(resources, history);
            Deepening { worker, game, root, limits, clock, table: &self.table, moves: &mut moves }.run(report)
        });
        limits.wait_for_stop(stop);
        let best = moves.first()?.move_.clone();
        Some(Findings { best, lines: reports.lines, nodes: reports.nodes, time: clock.elapsed() })
    }

    /// Makes table, history and evaluation fit the search to come.
    fn prepare(&mut self, variant: &Arc<Variant>, limits: &Limits) {
        let same = self.evaluation.as_ref().is_some_and(|(old, _)| old.fingerprint() == variant.fingerprint());
        if !same {
            self.clear();
            self.evaluation = Some((Arc::clone(variant), Evaluation::new(variant)));
        }
        self.table.resize(self.mebibytes);
        self.table.begin_search();
        self.searches += 1;
        if limits.is_reproducible() {
            self.history.clear();
        } else {
            self.history.age();
        }
    }
}

/// The legal moves to look at; of chains that do the same one is enough, unless the caller asked for a certain one.
fn root_moves(game: &Game, limits: &Limits) -> Vec<RootMove> {
    let mut moves: Vec<RootMove> = Vec::new();
    let legal = game.legal_moves();
    let wanted = if limits.search_moves.is_empty() { &legal } else { &limits.search_moves };
    for move_ in wanted.iter().filter(|move_| legal.contains(move_)) {
        if !moves.iter().any(|known| known.move_.action() == move_.action()) {
            let score = -Score::INFINITE;
            let (move_, line) = (move_.clone(), Vec::new());
            moves.push(RootMove { move_, score, previous: score, line, nodes: 0, judged: 0 });
        }
    }
    moves
}

/// The search keeps the first of equal moves; so the order chooses among them.
fn shuffle(moves: &mut [RootMove], seed: u64) {
    if seed != 0 {
        for last in (1..moves.len()).rev() {
            let other = mix(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(last as u64)) % (last as u64 + 1);
            moves.swap(last, other as usize);
        }
    }
}

/// Hashes of the positions that have occurred twice and may come again.
fn twice_occurred(game: &Game) -> Vec<u64> {
    let rebels = game.position().state().rebels.len();
    let mut counts: HashMap<u64, u32> = HashMap::new();
    for position in game.positions().rev().take_while(|position| position.state().rebels.len() == rebels) {
        *counts.entry(position.hash()).or_default() += 1;
    }
    let mut twice: Vec<u64> = counts.into_iter().filter(|(_, count)| *count >= 2).map(|(hash, _)| hash).collect();
    twice.sort_unstable();
    twice
}

/// What the deepening leaves behind.
struct Deepened {
    lines: Vec<Report>,
    nodes: u64,
}

/// Half the width of the first aspiration window, in hundredths of a Rebel.
const ASPIRATION: i32 = 60;

/// One search from a root.
struct Deepening<'a, F: Family> {
    worker: Worker<'a, F>,
    game: &'a Game,
    root: Node,
    limits: &'a Limits,
    clock: TimeManager,
    table: &'a TranspositionTable,
    moves: &'a mut Vec<RootMove>,
}

impl<F: Family> Deepening<'_, F> {
    fn run(mut self, report: &mut dyn FnMut(&Report)) -> Deepened {
        // A survey shows all moves anyway.
        let ranks = if self.limits.survey.is_some() { 1 } else { self.limits.multi_pv.clamp(1, self.moves.len()) };
        let last = self.limits.depth.unwrap_or(MAX_DEPTH).min(MAX_DEPTH);
        let mut lines: Vec<Report> = Vec::new();
        for depth in 1..=last {
            for root_move in self.moves.iter_mut() {
                root_move.previous = root_move.score;
            }
            let mut deepest = 0;
            let nodes_before = self.worker.nodes();
            for rank in 0..ranks {
                self.search_places(rank..self.moves.len(), depth);
                deepest = deepest.max(self.worker.deepest());
                if self.worker.is_stopped() {
                    break;
                }
            }
            if self.worker.is_stopped() {
                break;
            }
            // What the table has learnt meanwhile can make a later line the better one.
            if let Some(best) = self.moves.get_mut(..ranks) {
                best.sort_by_key(|root_move| std::cmp::Reverse(root_move.score));
            }
            let reports: Vec<Report> = (0..ranks).filter_map(|rank| self.report(rank, depth, deepest)).collect();
            reports.iter().for_each(&mut *report);
            let settled = reports.iter().all(|line| line.score.distance().is_some_and(|plies| plies <= depth));
            lines = reports;
            let only_move = self.moves.len() == 1 && self.limits.clock.is_some();
            let done = settled || only_move || self.clock.is_late();
            if let Some(survey) = &self.limits.survey {
                let nodes = match done {
                    false => self.worker.nodes() - nodes_before,
                    true if self.limits.is_infinite() => u64::MAX,
                    true => 0,
                };
                self.judge_others(survey, depth, nodes);
            }
            if done || self.worker.is_stopped() {
                break;
            }
        }
        if let Some(survey) = &self.limits.survey {
            self.name_best(survey);
        }
        Deepened { lines, nodes: self.worker.nodes() }
    }

    /// Finds the best of the moves in a range of places and puts it first.
    fn search_places(&mut self, places: Range<usize>, depth: u32) {
        let guess = self.moves.get(places.start).map_or(Score::DRAW, |root_move| root_move.previous);
        let narrow = depth >= 5 && guess.distance().is_none() && guess > -Score::INFINITE;
        let mut width = ASPIRATION;
        let (mut alpha, mut beta) =
            if narrow { (guess.shifted(-width), guess.shifted(width)) } else { (-Score::INFINITE, Score::INFINITE) };
        loop {
            let best = self.search_window(places.clone(), depth, alpha, beta);
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

    /// Searches the moves in a range of places within a window; the best becomes the first, the others keep their order.
    fn search_window(&mut self, places: Range<usize>, depth: u32, mut alpha: Score, beta: Score) -> Score {
        self.worker.begin_iteration(depth as i32);
        let rank = places.start;
        let mut best = -Score::INFINITE;
        let mut best_place = rank;
        for place in places {
            let Some(root_move) = self.moves.get(place) else { break };
            let action = *root_move.move_.action();
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

    fn report(&self, rank: usize, depth: u32, deepest: usize) -> Option<Report> {
        let root_move = self.moves.get(rank)?;
        Some(Report {
            depth,
            selective_depth: (deepest as u32).max(depth.min(root_move.line.len() as u32)),
            rank: rank + 1,
            score: root_move.score,
            is_proved_draw: false,
            table_hits: 0,
            nodes: self.worker.nodes(),
            permille_used: self.table.permille_used(),
            time: self.clock.elapsed(),
            line: replay(self.game, root_move),
        })
    }
}

/// The line of a root move as moves, as far as the game goes: a line that repeats positions ends with the game.
fn replay(game: &Game, root_move: &RootMove) -> Vec<Move> {
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
