//! From a game and limits to a best move, with reports on the way.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use crate::rules::family::for_family;
use crate::rules::zobrist::mix;
use crate::rules::{Game, Move, Variant};

use super::deepening::Deepening;
use super::evaluation::Evaluation;
use super::limits::{Limits, Stop, TimeManager};
use super::node::Node;
use super::ordering::{History, MAX_PLY};
use super::prover::Prover;
use super::root::{root_moves, shuffle};
use super::score::Score;
use super::settling::Settling;
use super::soonest::Soonest;
use super::table::TranspositionTable;
use super::worker::{Resources, Worker};

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
    /// The iteration: plies that the moves which look best are searched.
    pub depth: u32,
    /// The most plies looked ahead.
    pub selective_depth: u32,
    /// Plies within which nothing is overlooked: of the moves of a search all wins in so many plies or fewer are known, and
    /// of the reported lines all losses.
    pub sure_depth: u32,
    /// The rank of the line, from 1.
    pub rank: usize,
    /// Its score for the side to move. A win or loss has its exact length: the winner has no shorter way, the loser no
    /// longer one. Until that is proved, what is won or lost has a score at the end of the band of evaluations.
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
        let soonest = Soonest::new(variant);
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
        let (lines, nodes) = for_family!(variant.family(), F => {
            let worker = Worker::<F>::new(resources, history);
            let settling = Settling::new(Prover::<F>::new(resources, &soonest), root, resources.plies_left);
            Deepening { worker, settling, game, root, limits, clock, table: &self.table, moves: &mut moves }.run(report)
        });
        limits.wait_for_stop(stop);
        let best = moves.first()?.move_.clone();
        Some(Findings { best, lines, nodes, time: clock.elapsed() })
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
