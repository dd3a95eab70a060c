//! `go`: searches for a move, for an analysis, and on the opponent's time.
//!
//! Alpha-beta sees a win some twenty plies off; openings of the large boards are decided in a hundred. So a long search without a table is first
//! alpha-beta, which says which side is ahead, then the search for a proof that this side wins ([`prove`]), then alpha-beta again with the
//! rest of the time. Both use all threads in turn.

use std::sync::{Arc, PoisonError};
use std::time::Duration;

use privy_protocol::{AnalysisRequest, Clock, GoArguments, Instant, Limits, Score, Stop};

use privy_rules::{Game, IllegalMove, MoveError, Side};
use privy_search::proof::{ProveRequest, prove};
use privy_search::{MAX_DEPTH, Observer, Prober, RootFacts, SearchInfo, SearchRequest, SearchResult, TimeManager};
use privy_tables::{Table, TableError};

use super::engine::{Engine, EngineError, parse_all};
use super::facts::{Told, candidates, distinct};
use super::proof_play;
use super::skill::{Skill, blunder};
use super::tablebase_play::TableProber;

/// The time of a move without any limit.
pub const TIME_PER_MOVE: Duration = Duration::from_secs(1);
/// Multiples of the move overhead that are kept back from a time for the whole game.
const LAST_MOVES: u32 = 20;
/// A search of at least this time is long.
const LONG: Duration = Duration::from_secs(20);
/// Nodes and the most MiB of the search of a leaf of the proof.
const PROOF_LEAF_NODES: u64 = 50_000;
const PROOF_LEAF_MEBIBYTES: usize = 64;

/// The times of a search in parts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Parts {
    /// Of the first alpha-beta search.
    alpha_beta: Duration,
    /// Of the proof, at most.
    proof: Duration,
}

impl Parts {
    /// Returns [`None`] for a search that is all alpha-beta: it is short, or more than the best move is requested, or the history or the limit
    /// of plies of the game could invalidate a proof.
    fn of(request: &SearchRequest, game: &Game) -> Option<Parts> {
        let wants_best = request.search_moves.is_empty() && !request.wants_more();
        let is_provable = game.plies_to_limit().is_none_or(|left| left >= MAX_DEPTH) && game.seen_twice().is_empty();
        if !wants_best || !is_provable || request.limits.depth.is_some() || request.limits.nodes.is_some() {
            return None;
        }
        let (alpha_beta, proof) = match TimeManager::new(&request.limits).soft {
            None => (Duration::from_secs(10), Duration::from_secs(120)),
            Some(time) if time >= LONG => (time / 8, time / 2),
            Some(_) => return None,
        };
        Some(Parts { alpha_beta, proof })
    }
}

/// A request to the engine for the best move of its game, or for an analysis.
#[derive(Debug, Clone, Default)]
pub struct GoRequest {
    /// The side that must be to move; either when none is named.
    pub side: Option<Side>,
    /// What is searched. The engine adds its threads and tables.
    pub search: SearchRequest,
    /// Search at full strength, whatever the option `level`.
    pub full_strength: bool,
}

impl From<Limits> for GoRequest {
    fn from(limits: Limits) -> GoRequest {
        GoRequest { search: limits.into(), ..GoRequest::default() }
    }
}

impl Engine {
    /// Reads the arguments of `go`. Without any limit a search takes a second.
    ///
    /// # Errors
    /// When the game is over, or a move to search is not legal.
    pub fn read_request(&self, arguments: &GoArguments) -> Result<GoRequest, EngineError> {
        self.check_on()?;
        let search_moves = parse_all(&self.game, &arguments.search_moves)?;
        let mut limits = arguments.limits;
        if limits.is_infinite() && !arguments.infinite {
            limits.time = Some(TIME_PER_MOVE);
        }
        limits.clock = limits.clock.map(|clock| reduced(clock, self.move_overhead()));
        let multi_pv = self.options.multi_pv as usize;
        let search = SearchRequest { limits, search_moves, multi_pv, ..SearchRequest::default() };
        Ok(GoRequest { search, ..GoRequest::default() })
    }

    /// Reads the side and the moves of an analysis within limits.
    ///
    /// # Errors
    /// When the game is over, a move to allow or to avoid is not legal, or none is left.
    pub(crate) fn read_analysis(&self, request: &AnalysisRequest, limits: Limits) -> Result<GoRequest, EngineError> {
        self.check_on()?;
        let mut search_moves = parse_all(&self.game, &request.allow)?;
        if !request.avoid.is_empty() {
            let avoided = parse_all(&self.game, &request.avoid)?;
            search_moves = self.game.legal_moves();
            search_moves.retain(|move_| !avoided.contains(move_));
            if search_moves.is_empty() {
                return Err(EngineError::NoMove);
            }
        }
        let search = SearchRequest { search_moves, ..limits.into() };
        Ok(GoRequest { side: request.side, search, ..GoRequest::default() })
    }

    /// Returns the limits of a move by the engine's own clock of the side to move; without time control a second.
    pub fn own_limits(&self) -> Limits {
        let clock = self.clocks[self.game.side() as usize].map(|clock| {
            // Without more time to come, the reserve must last for the last moves of a long game.
            let is_all = clock.moves.is_none() && clock.increment.is_zero();
            let overhead = self.move_overhead();
            reduced(clock, if is_all { overhead * LAST_MOVES } else { overhead })
        });
        Limits { clock, ..Limits::default() }.or(Limits::of_time(TIME_PER_MOVE))
    }

    fn move_overhead(&self) -> Duration {
        Duration::from_millis(self.options.move_overhead)
    }

    /// Finds the errors of a request, for callers that must know them before the search begins.
    ///
    /// # Errors
    /// When the game is over or the other side is to move.
    pub fn check(&self, request: &GoRequest) -> Result<(), EngineError> {
        self.check_on()?;
        let to_move = self.game.side();
        match request.side {
            Some(side) if side != to_move => Err(MoveError::Illegal(IllegalMove::OtherSide(to_move)).into()),
            _ => Ok(()),
        }
    }

    /// Finds a move to play, at the strength of the option `level` unless the request says otherwise, and tells lines meanwhile. The game stays
    /// as it is. Lines tell what is known of the moves beside the search, and evaluations as winning chances ([`WinRate`](crate::WinRate)); a
    /// level errs, its lines do not.
    ///
    /// # Errors
    /// Those of [`check`](Engine::check); when no move to search is legal.
    pub fn go(
        &mut self,
        request: &GoRequest,
        stop: &Stop,
        observer: Observer<'_>,
    ) -> Result<SearchResult, EngineError> {
        self.find(request, stop, Some(observer))
    }

    /// Finds a move as [`go`](Engine::go) does, and tells its lines only at the end.
    ///
    /// # Errors
    /// Those of [`go`](Engine::go).
    pub fn go_silently(&mut self, request: &GoRequest, stop: &Stop) -> Result<SearchResult, EngineError> {
        self.find(request, stop, None)
    }

    fn find(
        &mut self,
        request: &GoRequest,
        stop: &Stop,
        mut observer: Option<Observer<'_>>,
    ) -> Result<SearchResult, EngineError> {
        let start = Instant::now();
        self.check(request)?;
        // An analysis waits for proofs; a move of a game has no time for that.
        let counts_from = (!request.full_strength).then_some(start);
        let search = &SearchRequest { start: counts_from, ..request.search.clone() };
        let skill = self.skill().filter(|_| !request.full_strength);
        let (facts, told) = (self.facts(search, stop), Told::of(&self.game));
        if let Some(live) = &search.live_analysis {
            live.set_facts(facts.clone());
        }
        if facts.is_complete {
            let mut lines = facts.known_lines();
            if search.live_analysis.is_none() {
                lines.truncate(search.multi_pv.max(1));
            }
            for line in &mut lines {
                line.time = start.elapsed();
                if let Some(observer) = &mut observer {
                    observer(line);
                }
            }
            let mut best = facts.iter().next().and_then(|fact| fact.pv.first()).cloned().ok_or(EngineError::NoMove)?;
            if let Some(live) = &search.live_analysis {
                live.set_best(&best);
            }
            if let Some(skill) = skill {
                let silent = SearchRequest { live_analysis: None, ..search.clone() };
                let found = self.search_at_level(skill, &silent, stop, &mut |_| {});
                best = found.ok_or(EngineError::NoMove)?.best;
            }
            search.wait_for_stop(stop);
            return Ok(SearchResult { best, lines, nodes: 0, time: start.elapsed() });
        }
        // Facts change the order of the lines, so an iteration is told as a whole.
        let ranks = match search.live_analysis {
            None if search.multi_pv > 1 => search.multi_pv.min(distinct(&candidates(&self.game, search))),
            _ => 1,
        };
        let mut iteration = Vec::new();
        let observer: Observer<'_> = &mut |info| {
            // Beside a search of 100 nodes the time of lines counts that nobody hears.
            let Some(observer) = &mut observer else { return };
            iteration.push(told.line(info));
            if iteration.len() >= ranks {
                facts.lines(std::mem::take(&mut iteration)).iter().for_each(observer);
            }
        };
        let found = match skill {
            Some(skill) => self.search_at_level(skill, search, stop, observer),
            None => self.search(search, stop, observer),
        };
        // The first search of a session may get less memory than it asks for.
        self.options.hash = self.searcher.mebibytes() as u64;
        let found = found.ok_or(EngineError::NoMove)?;
        let lines = facts.lines(found.lines.iter().map(|info| told.line(info)).collect());
        if skill.is_some() {
            return Ok(SearchResult { lines, ..found });
        }
        let best = facts.choose(found.best, &lines);
        if let Some(live) = &search.live_analysis {
            live.set_best(&best);
        }
        Ok(SearchResult { best, lines, ..found })
    }

    fn skill(&self) -> Option<Skill> {
        Skill::new(self.options.level, self.game.variant(), self.game.side())
    }

    /// Searches with one thread and without a table: results of helper threads would change the strength.
    fn search_at_level(
        &mut self,
        skill: Skill,
        request: &SearchRequest,
        stop: &Stop,
        observer: Observer<'_>,
    ) -> Option<SearchResult> {
        let limited = SearchRequest { limits: skill.limits(request.limits), ..request.clone() };
        let mut found = self.searcher.search(&self.game, limited, stop, observer)?;
        if let Some(dice) = skill.errs(&self.game, self.seed())
            && let Some(error) =
                blunder(&mut self.searcher, &self.game, &request.search_moves, skill.errors, dice, stop)
        {
            found.best = error;
        }
        request.wait_for_stop(stop);
        Some(found)
    }

    /// Searches on the opponent's time, if that is useful, to fill the transposition table. Ends when it is stopped or has nothing left to search.
    pub fn ponder(&mut self, stop: &Stop) {
        let useful = self.options.ponder && self.skill().is_none();
        if !useful || stop.is_set() || self.game.outcome().is_some() || self.probe().is_ok() {
            return;
        }
        // With a limit: an infinite search waits to be stopped when it is done.
        let table = self.tables.find(self.game.variant()).ok();
        let request = SearchRequest { ponder: true, ..Limits::of_time(Duration::MAX).into() };
        self.searcher.search(&self.game, self.with_means(&request, table), stop, &mut |_| {});
    }

    /// Adds the threads and the table of the engine to a request.
    fn with_means(&self, request: &SearchRequest, table: Option<Arc<Table>>) -> SearchRequest {
        let threads = self.options.threads as usize;
        // The table may cover positions that the search reaches.
        SearchRequest {
            threads,
            prober: table.map(|table| Arc::new(TableProber(table)) as Arc<dyn Prober>),
            ..request.clone()
        }
    }

    /// The table of the variant. A reason for having none is logged once, unless tables are off.
    pub(super) fn find_table(&mut self) -> Option<Arc<Table>> {
        let found = self.tables.find(self.game.variant());
        match &found {
            Ok(_) | Err(TableError::Off | TableError::Unsolvable(..)) => {}
            Err(error) => {
                let mut logged = self.logged_tables.lock().unwrap_or_else(PoisonError::into_inner);
                if logged.insert(self.game.variant().fingerprint().to_owned()) {
                    log::warn!("{error}");
                }
            }
        }
        found.ok()
    }

    /// Finds the best move by [`Searcher::search`](privy_search::Searcher::search), a long search also by a proof that a side wins.
    fn search(&mut self, request: &SearchRequest, stop: &Stop, observer: Observer<'_>) -> Option<SearchResult> {
        let table = self.tables.find(self.game.variant()).ok();
        let request = &self.with_means(request, table);
        match Parts::of(request, &self.game) {
            Some(parts) => self.search_and_prove(parts, request, stop, observer),
            None => self.searcher.search(&self.game, request, stop, observer),
        }
    }

    /// Finds the best move with its score, or a win of a side with a bound of its length.
    fn search_and_prove(
        &mut self,
        parts: Parts,
        request: &SearchRequest,
        stop: &Stop,
        observer: Observer<'_>,
    ) -> Option<SearchResult> {
        let start = request.start.unwrap_or_else(Instant::now);
        let timed = |time| {
            let limits = Limits { time, clock: None, ..request.limits };
            SearchRequest { limits, start: None, ..request.clone() }
        };
        let found = self.searcher.search(&self.game, timed(Some(parts.alpha_beta)), stop, observer)?;
        let score = found.lines.first().map(|line| line.score).filter(|score| !score.is_proved() && !stop.is_set());
        let Some(hundredths) = score.and_then(Score::hundredths) else {
            request.wait_for_stop(stop);
            return Some(SearchResult { time: start.elapsed(), ..found });
        };
        // Time and nodes are those of all parts.
        let counted = |before: Duration, info: &SearchInfo| SearchInfo {
            time: before + info.time,
            nodes: found.nodes + info.nodes,
            ..info.clone()
        };
        let whole =
            |part: SearchResult| SearchResult { time: start.elapsed(), nodes: found.nodes + part.nodes, ..part };
        let mut proved = |info: &SearchInfo| observer(&counted(start.elapsed().saturating_sub(info.time), info));
        if let Some(proved) = self.prove(hundredths, parts.proof, request, stop, &mut proved) {
            return Some(whole(proved));
        }
        // Reports of lesser depth are not repeated, and do not replace the result.
        let depth = found.lines.first().map_or(0, |line| line.depth);
        let is_news = |info: &SearchInfo| info.depth > depth || info.score.is_proved();
        let before = start.elapsed();
        let mut deeper = |info: &SearchInfo| {
            if is_news(info) {
                observer(&counted(before, info));
            }
        };
        let left = TimeManager::new(&request.limits).soft.map(|time| time.saturating_sub(before));
        let again =
            (!stop.is_set()).then(|| self.searcher.search(&self.game, timed(left), stop, &mut deeper)).flatten();
        match again {
            Some(again) if again.lines.first().is_some_and(is_news) => Some(whole(again)),
            _ => Some(SearchResult { time: start.elapsed(), ..found }),
        }
    }

    /// Tries to prove a win for the side that is ahead, and keeps the proof for later moves.
    fn prove(
        &mut self,
        hundredths: i32,
        time: Duration,
        request: &SearchRequest,
        stop: &Stop,
        observer: Observer<'_>,
    ) -> Option<SearchResult> {
        let threads = self.options.threads as usize;
        let side = self.game.side();
        let winner = if hundredths > 0 { side } else { !side };
        let wanted = ProveRequest {
            root: *self.game.position(),
            nodes: PROOF_LEAF_NODES,
            threads,
            mebibytes: (self.options.hash as usize / threads.max(1)).clamp(1, PROOF_LEAF_MEBIBYTES),
            time: Some(time),
            prepared: self.searcher.prepared(),
            ..ProveRequest::of_opening(self.game.variant(), winner)
        };
        let proof = prove(&wanted, &mut |_| {}, stop).ok().flatten()?;
        if let Err(fault) = proof.check(stop) {
            log::error!("a proof is not sound: {fault}; searching instead");
            return None;
        }
        let (start, mut facts) = (Instant::now(), RootFacts::default());
        proof_play::add_facts(&proof, &self.game, &candidates(&self.game, request), &mut facts);
        self.proofs.found = Some(Arc::new(proof));
        let lines: Vec<SearchInfo> = facts.known_lines().into_iter().take(1).collect();
        let best = lines.first()?.pv.first()?.clone();
        lines.iter().for_each(&mut *observer);
        request.wait_for_stop(stop);
        Some(SearchResult { best, lines, nodes: 0, time: start.elapsed() })
    }
}

/// A clock without what is kept back for the delay between engine and clock.
fn reduced(clock: Clock, overhead: Duration) -> Clock {
    Clock { remaining: clock.remaining.saturating_sub(overhead), ..clock }
}

#[cfg(test)]
mod tests {
    use privy_base::path_choice::PathChoice;
    use privy_protocol::{Bound, TimeControl};

    use super::*;

    fn murray() -> Engine {
        let mut engine = Engine::new();
        engine.choose_variant("sixteen-rebels-murray").unwrap();
        engine.configure(|options| options.tables = PathChoice::Off).unwrap();
        engine
    }

    #[test]
    fn a_long_search_ends_with_a_proof_that_the_next_ones_play_by() {
        let mut engine = murray();
        let limits = Limits::of_time(Duration::from_secs(100));
        let (found, _) = long_search(&mut engine, Duration::from_secs(60), limits);
        let line = &found.lines[0];
        assert_eq!(line.bound, Some(Bound::Upper), "{line:?}");
        let Score::Loss(mut plies) = line.score else { panic!("{line:?}") };
        let mut best = found.best;
        while engine.game().outcome().is_none() {
            engine.play(None, &engine.game().move_text(&best)).unwrap();
            let short = Limits { nodes: Some(2_000), ..Limits::default() };
            let Ok(next) = engine.go(&short.into(), &Stop::default(), &mut |_| {}) else { break };
            let (Score::Win(left) | Score::Loss(left)) = next.lines[0].score else { panic!("{next:?}") };
            assert!(left < plies, "{next:?}");
            (plies, best) = (left, next.best);
        }
        assert!(engine.game().outcome().is_some());
    }

    /// A long search whose first part takes no time, or on a slow machine as much as a first line needs, and its reports. What has been
    /// prepared and touched once needs less: so that the first part does not find all, no time is tried again first.
    fn long_search(engine: &mut Engine, proof: Duration, limits: Limits) -> (SearchResult, Vec<SearchInfo>) {
        let times = [0, 0, 0, 0, 1, 2, 20, 200, 2_000].map(Duration::from_millis);
        let search = |alpha_beta| {
            let mut reported = Vec::new();
            let mut observer = |info: &SearchInfo| reported.push(info.clone());
            let parts = Parts { alpha_beta, proof };
            let found = engine.search_and_prove(parts, &limits.into(), &Stop::default(), &mut observer).unwrap();
            (found, reported)
        };
        times.into_iter().map(search).find(|(found, _)| !found.lines.is_empty()).unwrap()
    }

    #[test]
    fn a_proof_without_time_leaves_the_search_as_it_is() {
        let mut engine = murray();
        let limits = Limits::of_time(Duration::from_millis(200));
        let (found, reported) = long_search(&mut engine, Duration::ZERO, limits);
        assert!(engine.game().legal_moves().contains(&found.best) && found.lines[0].bound.is_none());
        let key = |info: &SearchInfo| (info.depth, info.time, info.nodes);
        assert!(reported.is_sorted_by_key(key), "{reported:?}");
    }

    /// What a proof finds at once is booked with what all parts took.
    #[test]
    fn time_and_nodes_of_a_long_search_are_those_of_all_its_parts() {
        let mut engine = murray();
        let limits = Limits::of_time(Duration::from_secs(100));
        let (found, reported) = long_search(&mut engine, Duration::from_secs(60), limits);
        let reported: Vec<_> = reported.iter().map(|info| (info.time, info.nodes)).collect();
        assert_eq!(found.lines[0].bound, Some(Bound::Upper), "{found:?}");
        assert!(reported.len() > 1 && reported.is_sorted() && reported[0].1 > 0, "{reported:?}");
        assert!(reported.last() <= Some(&(found.time, found.nodes)), "{reported:?} {found:?}");
    }

    #[test]
    fn only_a_long_search_for_the_best_move_is_shared() {
        let engine = murray();
        let of = |request: &SearchRequest| Parts::of(request, engine.game());
        let parts = |alpha_beta, proof| {
            Some(Parts { alpha_beta: Duration::from_secs(alpha_beta), proof: Duration::from_secs(proof) })
        };
        let time = |seconds| Limits::of_time(Duration::from_secs(seconds));
        assert_eq!(of(&SearchRequest::default()), parts(10, 120));
        assert_eq!(of(&time(40).into()), parts(5, 20));
        for request in [
            time(10).into(),
            Limits { nodes: Some(9), ..time(40) }.into(),
            Limits { depth: Some(9), ..time(40) }.into(),
            SearchRequest { multi_pv: 2, ..time(40).into() },
            SearchRequest { search_moves: engine.game().legal_moves(), ..SearchRequest::default() },
        ] {
            assert_eq!(of(&request), None, "{request:?}");
        }
    }

    #[test]
    fn time_for_a_whole_game_is_never_used_up() {
        let mut engine = murray();
        let seconds = Duration::from_secs;
        let mut left = |control| {
            engine.set_time_control(control);
            engine.own_limits().clock.unwrap().remaining
        };
        assert_eq!(left(TimeControl::absolute(seconds(5))), Duration::from_millis(4_800));
        let main = seconds(5);
        assert_eq!(left(TimeControl::Main { main, increment: seconds(1), moves: None }), Duration::from_millis(4_990));
        assert_eq!(left(TimeControl::ByoYomi { main, period: seconds(1), periods: 1 }), Duration::from_millis(4_990));
    }

    #[test]
    fn a_time_from_the_client_replaces_the_clock_and_may_become_the_control() {
        let mut engine = murray();
        assert_eq!(engine.own_limits(), Limits::of_time(TIME_PER_MOVE));
        let (main, period) = (Duration::from_secs(10), Duration::from_secs(20));
        let side = engine.game().side();
        let mut set = |control, remaining, moves| {
            engine.set_time_control(control);
            engine.set_clock(side, Clock { remaining: Duration::from_secs(remaining), moves, ..Clock::default() });
            let Clock { remaining, increment, moves } = engine.clocks[side as usize].unwrap();
            (remaining.as_secs(), increment.as_secs(), moves)
        };
        let canadian = TimeControl::Canadian { main, period, moves: 5 };
        assert_eq!(set(canadian, 7, Some(3)), (7, 0, Some(3)));
        assert_eq!(set(canadian, 4, None), (4, 4, None));
        assert_eq!(set(TimeControl::ByoYomi { main, period, periods: 5 }, 4, Some(3)), (4, 0, Some(1)));
        assert_eq!(set(TimeControl::None, 7, None), (7, 0, None));
        assert_eq!(set(TimeControl::None, 7, Some(5)), (7, 0, Some(5)));
        engine.set_time_control(canadian);
        engine.set_clock(side, Clock::default());
        engine.new_game();
        assert_eq!(engine.clocks[side as usize].unwrap().remaining, main);
    }
}
