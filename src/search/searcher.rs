//! The searcher: from a game and limits to a best move, on one thread or several.

use std::sync::Arc;
use std::time::Duration;

use privy_protocol::{Limits, Stop};

use crate::eval::Weights;
use privy_base::path_choice::PathChoice;
use privy_base::random::mix;
use privy_base::threads::useful;
use privy_rules::{Game, MovePath, Position, Side, Variant};

use super::contempt::Contempt;
use super::context::{Context, PreparedVariant, SharedCount};
use super::history::History;
use super::iterative_deepening::IterativeDeepening;
use super::limits::{Prober, SearchRequest, StopOnPanic, TimeManager};
use super::move_picker::MAX_PLY;
use super::proof::prover::Prover;
use super::report::{Observer, SearchInfo};
use super::root_bonus;
use super::root_moves::{RootMove, root_moves};
use super::transposition_table::TranspositionTable;

/// The most variants that stay prepared for a searcher.
const MOST_PREPARED: usize = 16;

/// What a search found.
#[derive(Debug, Clone)]
pub struct SearchResult {
    /// The best move.
    pub best: MovePath,
    /// The lines of the last complete iteration, best first; empty when not even one move was searched.
    pub lines: Vec<SearchInfo>,
    /// Positions reached by making a move.
    pub nodes: u64,
    /// Time of the whole search.
    pub time: Duration,
}

/// Searches games of one variant. The transposition table and the histories stay for the next search.
#[derive(Debug)]
pub struct Searcher {
    table: TranspositionTable,
    histories: Vec<History>,
    /// The variants of the last searches, that of the last one first.
    prepared: Vec<Arc<PreparedVariant>>,
    weights: PathChoice,
    /// The seed of the choice among equal moves; 0 always chooses the same.
    pub seed: u64,
    searches: u64,
}

impl Searcher {
    /// `mebibytes` is the size of the transposition table, which is allocated at the first search.
    pub fn new(mebibytes: usize) -> Searcher {
        Searcher {
            table: TranspositionTable::new(mebibytes),
            histories: Vec::new(),
            prepared: Vec::new(),
            weights: PathChoice::default(),
            seed: 0,
            searches: 0,
        }
    }

    /// As [`Searcher::new`], with a variant that is prepared already.
    pub fn prepared_for(variant: Arc<PreparedVariant>, mebibytes: usize) -> Searcher {
        Searcher { prepared: vec![variant], ..Searcher::new(mebibytes) }
    }

    /// Changes the size of the transposition table, in MiB, and clears it. False if the system has less memory: then
    /// the size stays.
    pub fn resize(&mut self, mebibytes: usize) -> bool {
        self.table.resize(mebibytes)
    }

    /// The size of the transposition table in MiB: less than the requested one where the system gave less to the first
    /// search.
    pub fn mebibytes(&self) -> usize {
        self.table.mebibytes()
    }

    /// Sets the weights from the next search on. Where a file has none for the variant, the log says why, and the
    /// variant has its own.
    pub fn set_weights(&mut self, choice: PathChoice) {
        self.weights = choice;
        self.prepared.clear();
    }

    /// Forgets all earlier searches.
    pub fn clear(&mut self) {
        self.table.clear();
        self.histories.iter_mut().for_each(History::clear);
    }

    /// Finds the best move; `None` if the game is over.
    ///
    /// Calls `report` with every line after every iteration. The search ends with the first limit, with `stop`, when a
    /// win or loss and its length are proved, and by a clock when there is a single legal move.
    pub fn search(
        &mut self,
        game: &Game,
        request: impl Into<SearchRequest>,
        stop: &Stop,
        report: Observer<'_>,
    ) -> Option<SearchResult> {
        let request: &SearchRequest = &request.into();
        let limits = &request.limits;
        let clock = request.deadline();
        let mut moves = root_moves(game, request, self.seed);
        if moves.is_empty() {
            return None;
        }
        let variant = game.variant();
        let threads = useful(request.threads);
        let prepared = self.prepare(variant, limits, threads, room_for(limits, threads));
        let mut contempt = Contempt::default();
        // An analysis has neither bonuses nor contempt.
        if !request.wants_more() {
            let side = if request.ponder { !game.side() } else { game.side() };
            if prepared.rebels_have_contempt || side == Side::General {
                contempt = Contempt::of(side, game, prepared.evaluation());
            }
            if !request.ponder {
                let is_over = || clock.is_over() || stop.is_set();
                root_bonus::add_bonuses(game, prepared.evaluation(), contempt, &is_over, &mut moves);
            }
        }
        let visited = game.positions_since_capture().filter(|position| contempt.draws_at(position));
        let mut visited: Vec<u64> = visited.map(Position::hash).collect();
        visited.sort_unstable();
        let repeated: Vec<u64> = game.seen_twice().into_iter().map(Position::hash).collect();
        let fresh = if limits.is_reproducible() { mix(self.searches) } else { 0 };
        let shared = (threads > 1).then(|| SharedCount::new(threads, limits.nodes.unwrap_or(u64::MAX)));
        let plies_left = game.plies_left().map(|plies| plies as usize).filter(|plies| *plies <= MAX_PLY);
        let prober = request.prober.as_deref().filter(|prober| {
            let fits = prober.variant().fingerprint() == variant.fingerprint();
            fits && plies_left.is_none() && repeated.is_empty()
        });
        let context = Context {
            prober,
            most_probed_rebels: prober.map_or(0, Prober::most_rebels),
            salt: fresh ^ repeated.iter().fold(0, |salt, hash| salt ^ mix(*hash)),
            contempt,
            repeated: &repeated,
            visited: &visited,
            plies_left,
            plies_since_capture: game.plies_since_capture(),
            shared: shared.as_ref(),
            ..Context::without_history(variant, &prepared, &self.table, stop, clock)
        };
        let (lines, nodes) = search_on_threads(context, game, request, &mut self.histories, &mut moves, report);
        request.wait_for_stop(stop);
        Some(SearchResult { best: moves.swap_remove(0).path, lines, nodes, time: clock.elapsed() })
    }

    /// Runs `work` with the proof search alone, for positions of a variant, without the history of a game. It ends with
    /// `stop` or `time`.
    pub(crate) fn find_wins<T>(
        &mut self,
        variant: &Arc<Variant>,
        time: Option<Duration>,
        stop: &Stop,
        work: impl FnOnce(&mut Prover<'_>) -> T,
    ) -> T {
        let limits = Limits { time, ..Limits::default() };
        // Position after position fills the table, whatever each of them takes.
        let prepared = self.prepare(variant, &limits, self.histories.len().max(1), u64::MAX);
        let context = Context::without_history(variant, &prepared, &self.table, stop, TimeManager::new(&limits));
        work(&mut Prover::new(context))
    }

    /// The variant as the last search prepared it.
    pub fn prepared(&self) -> Option<Arc<PreparedVariant>> {
        self.prepared.first().cloned()
    }

    /// Prepares a variant, and the memory, for the next search.
    pub fn make_ready(&mut self, variant: &Arc<Variant>) -> Arc<PreparedVariant> {
        self.table.make_ready();
        let place = self.prepared.iter().position(|prepared| prepared.holds_for(variant));
        if place != Some(0) {
            self.clear();
            let prepared = place.map(|place| self.prepared.remove(place)).unwrap_or_else(|| {
                let chosen = Weights::chosen(&self.weights, variant);
                let chosen = chosen.inspect_err(|error| log::warn!("{error}; not used"));
                Arc::new(PreparedVariant::with_weights(variant, chosen.ok()))
            });
            self.prepared.insert(0, prepared);
            self.prepared.truncate(MOST_PREPARED);
        }
        Arc::clone(&self.prepared[0])
    }

    fn prepare(&mut self, variant: &Arc<Variant>, limits: &Limits, threads: usize, room: u64) -> Arc<PreparedVariant> {
        let prepared = self.make_ready(variant);
        self.table.begin_search(room, !limits.is_reproducible());
        self.searches += 1;
        self.histories.resize_with(threads, History::new);
        let refresh = if limits.is_reproducible() { History::clear } else { History::age };
        self.histories.iter_mut().for_each(refresh);
        prepared
    }
}

/// The nodes for which a search has room in the transposition table, where the table has it: for its limit of nodes,
/// for 64 MiB for each second and thread, about as many as it visits, and for 4 to the power of its depth, more than
/// nearly all visit. A first touch of that much memory takes a few hundredths of the time.
fn room_for(limits: &Limits, threads: usize) -> u64 {
    const NODES_IN_A_SECOND: f64 = (1 << 22) as f64;
    let in_time = |time: Duration| (time.as_secs_f64() * threads as f64 * NODES_IN_A_SECOND) as u64;
    let by_time = TimeManager::new(limits).hard.map(in_time);
    let by_depth = limits.depth.map(|depth| 4_u64.saturating_pow(depth));
    by_time.into_iter().chain(by_depth).chain(limits.nodes).min().unwrap_or(u64::MAX)
}

/// Runs a thread for each history. Returns the lines of the first thread and the nodes of all; `moves` is sorted by the
/// first.
fn search_on_threads(
    context: Context,
    game: &Game,
    request: &SearchRequest,
    histories: &mut [History],
    moves: &mut Vec<RootMove>,
    report: Observer<'_>,
) -> (Vec<SearchInfo>, u64) {
    let (first, helpers) = histories.split_first_mut().expect("a searcher has at least one thread");
    // The first thread alone decides when the search ends.
    let is_done = Stop::default();
    let limits = Limits { nodes: None, ..request.limits };
    let helped = &SearchRequest { limits, live_analysis: None, ..request.clone() };
    std::thread::scope(|scope| {
        let _guard = StopOnPanic(&is_done);
        for history in helpers {
            let mut moves = moves.clone();
            let context = Context { stop: &is_done, ..context };
            let help = move || {
                IterativeDeepening::new(context, game, helped, history, &mut moves, true).run(&mut |_| {});
            };
            if let Err(error) = std::thread::Builder::new().spawn_scoped(scope, help) {
                log::warn!("the system gives no more threads ({error}): searching with fewer");
                break;
            }
        }
        let found = IterativeDeepening::new(context, game, request, first, moves, false).run(report);
        is_done.set();
        found
    })
}
