//! From a game and limits to a best move, with reports on the way.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use crate::random::mix;
use crate::rules::family::for_family;
use crate::rules::{Game, MovePath, Variant};

use super::context::Context;
use super::knowledge::Knowledge;
use super::limits::{Limits, Stop, TimeManager};
use super::move_picker::{History, MAX_PLY};
use super::root_moves::{root_moves, shuffle};
use super::tablebase_probing::{Prober, TablebaseProbing};
use super::task::Task;
use super::threads::Threads;
use super::transposition_table::TranspositionTable;
use crate::eval::Score;

/// The deepest iteration.
pub const MAX_DEPTH: u32 = 120;

/// The speed of a search that visited so many nodes.
#[must_use]
pub fn nodes_per_second(nodes: u64, time: Duration) -> u64 {
    u64::try_from(u128::from(nodes) * 1_000_000 / time.as_micros().max(1)).unwrap_or(u64::MAX)
}

/// A report on one line, after an iteration.
#[derive(Debug, Clone)]
pub struct SearchInfo {
    /// The iteration: plies that the moves which look best are searched.
    pub depth: u32,
    /// The most plies looked ahead.
    pub selective_depth: u32,
    /// Plies within which nothing is overlooked: of the moves of a search all wins in so many plies or fewer are known, and
    /// of the reported lines all losses.
    pub proven_depth: u32,
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
    pub hashfull: u32,
    /// Time since the search began.
    pub time: Duration,
    /// The line.
    pub line: Vec<MovePath>,
}

/// What a search found.
#[derive(Debug, Clone)]
pub struct SearchResult {
    /// The best move.
    pub best: MovePath,
    /// The reports of the last iteration that ended, best line first; empty when not even one move was searched.
    pub lines: Vec<SearchInfo>,
    /// Positions reached by making a move.
    pub nodes: u64,
    /// Time of the whole search.
    pub time: Duration,
}

/// Searches games of one variant, and keeps what it learns for the next search.
#[derive(Debug)]
pub struct Searcher {
    table: TranspositionTable,
    /// One a thread.
    histories: Vec<History>,
    knowledge: Option<Arc<Knowledge>>,
    prober: Option<Arc<dyn Prober>>,
    mebibytes: usize,
    threads: usize,
    seed: u64,
    searches: u64,
}

impl Searcher {
    /// A searcher with one thread whose transposition table may take so many MiB; they are taken at the first search.
    #[must_use]
    pub fn new(mebibytes: usize) -> Searcher {
        Searcher {
            table: TranspositionTable::default(),
            histories: Vec::new(),
            knowledge: None,
            prober: None,
            mebibytes,
            threads: 1,
            seed: 0,
            searches: 0,
        }
    }

    /// A searcher who has been told what is known of a variant: the same as [`Searcher::new`], but sooner at work.
    #[must_use]
    pub fn knowing(knowledge: Arc<Knowledge>, mebibytes: usize) -> Searcher {
        Searcher { knowledge: Some(knowledge), ..Searcher::new(mebibytes) }
    }

    /// Changes the size of the transposition table, in MiB, from the next search on.
    pub fn set_table_size(&mut self, mebibytes: usize) {
        self.mebibytes = mebibytes;
    }

    /// Changes how many threads the next searches take; at least one. What one thread finds by limits of depth or nodes is
    /// always the same; with several it depends on how they happen to meet.
    pub fn set_threads(&mut self, threads: usize) {
        self.threads = threads.max(1);
    }

    /// Chooses among equal moves by this number; 0 chooses always the same.
    pub fn set_seed(&mut self, seed: u64) {
        self.seed = seed;
    }

    /// Takes exact values of positions of one variant from a prober; none to search alone. They end the lines of a search, and are
    /// left aside where a limit of plies or positions that have occurred twice may change them.
    pub fn set_prober(&mut self, prober: Option<Arc<dyn Prober>>) {
        self.prober = prober;
    }

    /// Forgets all earlier searches.
    pub fn clear(&mut self) {
        self.table.clear();
        self.histories.iter_mut().for_each(History::clear);
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
        report: &mut dyn FnMut(&SearchInfo),
    ) -> Option<SearchResult> {
        let clock = TimeManager::new(limits);
        let variant = game.variant();
        let mut moves = root_moves(game, limits);
        shuffle(&mut moves, self.seed);
        moves.first()?;
        self.prepare(variant, limits);
        let knowledge = self.knowledge.as_ref()?;
        let repeated = twice_occurred(game);
        let fresh = if limits.is_reproducible() { mix(self.searches) } else { 0 };
        let node_limit = limits.nodes.unwrap_or(u64::MAX);
        let threads = (self.threads > 1).then(|| Threads::new(self.threads, node_limit));
        let plies_left = game.plies_left().map(|plies| plies as usize).filter(|plies| *plies <= MAX_PLY);
        let prober = self.prober.as_ref().filter(|known| {
            let fits = known.variant().fingerprint() == variant.fingerprint();
            fits && plies_left.is_none() && repeated.is_empty()
        });
        let context = Context {
            rules: variant.rules(),
            evaluation: knowledge.evaluation(),
            bounds: &knowledge.bounds,
            leaves: TablebaseProbing::new(prober),
            table: &self.table,
            stop,
            clock,
            node_limit,
            salt: fresh ^ repeated.iter().fold(0, |salt, hash| salt ^ mix(*hash)),
            repeated: &repeated,
            plies_left,
            threads: threads.as_ref(),
        };
        let task = Task { context, game, limits };
        let (lines, nodes) = for_family!(variant.family(), F => task.run::<F>(&mut self.histories, &mut moves, report));
        limits.wait_for_stop(stop);
        let best = moves.first()?.move_.clone();
        Some(SearchResult { best, lines, nodes, time: clock.elapsed() })
    }

    /// Makes table, histories and knowledge fit the search to come.
    fn prepare(&mut self, variant: &Arc<Variant>, limits: &Limits) {
        if !self.knowledge.as_ref().is_some_and(|known| known.holds_for(variant)) {
            self.clear();
            self.knowledge = Some(Arc::new(Knowledge::new(variant)));
        }
        self.table.resize(self.mebibytes);
        self.table.begin_search();
        self.searches += 1;
        self.histories.resize_with(self.threads, History::new);
        for history in &mut self.histories {
            if limits.is_reproducible() {
                history.clear();
            } else {
                history.age();
            }
        }
    }
}

/// Hashes of the positions that have occurred twice and may come again.
fn twice_occurred(game: &Game) -> Vec<u64> {
    let rebels = game.position().rebels().len();
    let mut counts: HashMap<u64, u32> = HashMap::new();
    for position in game.positions().rev().take_while(|position| position.rebels().len() == rebels) {
        *counts.entry(position.hash()).or_default() += 1;
    }
    let mut twice: Vec<u64> = counts.into_iter().filter(|(_, count)| *count >= 2).map(|(hash, _)| hash).collect();
    twice.sort_unstable();
    twice
}
