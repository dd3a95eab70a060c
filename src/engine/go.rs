//! `go`: searches for a move, for an analysis, and on the opponent's time.

use std::sync::{Arc, PoisonError};
use std::time::Duration;

use privy_protocol::{AnalysisRequest, Clock, GoArguments, Limits, ProtocolError, Side, Stop};

use privy_rules::MoveError;
use privy_search::{Observer, Prober, SearchInfo, SearchRequest, SearchResult};
use privy_tables::{Table, TableError};

use super::engine::{Engine, no_move, parse_all};
use super::facts::{LineReport, candidates, distinct};
use super::skill::{Skill, blunder};
use super::tablebase_play::TableProber;

/// The time of a move without any limit.
pub const TIME_PER_MOVE: Duration = Duration::from_secs(1);
/// Multiples of the move overhead that are kept back from a time for the whole game.
const LAST_MOVES: u32 = 20;

impl Engine {
    /// Reads the arguments of `go`. Without any limit a search takes a second.
    ///
    /// # Errors
    /// When the game is over, or a move to search is not legal.
    pub fn read_request(&self, arguments: &GoArguments) -> Result<SearchRequest, ProtocolError> {
        self.check_on()?;
        let search_moves = parse_all(&self.game, &arguments.search_moves)?;
        let mut limits = arguments.limits;
        if limits.is_infinite() && !arguments.infinite {
            limits.time = Some(TIME_PER_MOVE);
        }
        limits.clock = limits.clock.map(|clock| reduced(clock, self.move_overhead()));
        let multi_pv = self.options.multi_pv as usize;
        Ok(SearchRequest { limits, search_moves, multi_pv, ..SearchRequest::default() })
    }

    /// Reads the moves of an analysis within limits.
    ///
    /// # Errors
    /// When the game is over, a move to allow or to avoid is not legal, or no move is left.
    pub(crate) fn read_analysis(
        &self,
        request: &AnalysisRequest,
        limits: Limits,
    ) -> Result<SearchRequest, ProtocolError> {
        self.check_on()?;
        let mut search_moves = parse_all(&self.game, &request.allow)?;
        if !request.avoid.is_empty() {
            let avoided = parse_all(&self.game, &request.avoid)?;
            search_moves = self.game.legal_moves();
            search_moves.retain(|move_| !avoided.contains(move_));
            if search_moves.is_empty() {
                return Err(no_move());
            }
        }
        Ok(SearchRequest { search_moves, ..limits.into() })
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

    /// Checks that the game is not over, and that a side, if one is named, is to move.
    ///
    /// # Errors
    /// When that is not so.
    pub fn check_to_move(&self, side: Option<Side>) -> Result<(), ProtocolError> {
        self.check_on()?;
        let to_move = self.game.side();
        match side {
            Some(side) if side != to_move => Err(MoveError::OtherSide(to_move).into()),
            _ => Ok(()),
        }
    }

    /// Finds a move to play, at the strength of the option `level` unless the request says otherwise, and reports lines
    /// meanwhile. The game stays as it is. Lines show what is known of the moves beside the search, and evaluations as
    /// winning chances ([`WinRate`](crate::WinRate)); a level errs, its lines do not.
    ///
    /// # Errors
    /// When the game is over, or no move to search is legal.
    pub fn go(
        &mut self,
        request: &SearchRequest,
        stop: &Stop,
        mut observer: Option<Observer<'_>>,
    ) -> Result<SearchResult, ProtocolError> {
        self.check_on()?;
        let mut search = SearchRequest { deadline: Some(request.deadline()), ..request.clone() };
        let (facts, line_report) = (self.facts(&search, stop), LineReport::of(&self.game));
        if search.wait_for_proofs {
            search.deadline = Some(request.deadline());
        }
        let clock = search.deadline();
        if let Some(live) = &search.live_analysis {
            live.set_facts(facts.clone());
        }
        let skill = self.skill().filter(|_| !search.full_strength);
        if facts.is_complete {
            let shown = if search.live_analysis.is_some() { usize::MAX } else { search.multi_pv.max(1) };
            let known = facts.known_lines().into_iter().take(shown);
            let lines: Vec<SearchInfo> = known.map(|line| SearchInfo { time: clock.elapsed(), ..line }).collect();
            observer.into_iter().for_each(|observer| lines.iter().for_each(observer));
            let mut best = facts.iter().next().and_then(|fact| fact.pv.first()).cloned().ok_or_else(no_move)?;
            if let Some(live) = search.live_analysis.take() {
                live.set_best(&best);
            }
            if let Some(skill) = skill {
                let found = self.search_at_level(skill, &search, stop, &mut |_| {});
                best = found.ok_or_else(no_move)?.best;
            }
            search.wait_for_stop(stop);
            return Ok(SearchResult { best, lines, nodes: 0, time: clock.elapsed() });
        }
        // Facts change the order of the lines, so an iteration is reported as a whole.
        let ranks = match search.live_analysis {
            None if search.multi_pv > 1 => search.multi_pv.min(distinct(&candidates(&self.game, &search))),
            _ => 1,
        };
        let mut iteration = Vec::new();
        let observer: Observer<'_> = &mut |info| {
            // Beside a search of 100 nodes the time of lines counts that nobody hears.
            let Some(observer) = &mut observer else { return };
            iteration.push(line_report.line(info));
            if iteration.len() >= ranks {
                facts.lines(std::mem::take(&mut iteration)).iter().for_each(observer);
            }
        };
        let found = match skill {
            Some(skill) => self.search_at_level(skill, &search, stop, observer),
            None => {
                self.add_means(&mut search);
                self.search(&search, stop, observer)
            }
        };
        // The first search of a session may get less memory than it asks for.
        self.options.hash = self.searcher.mebibytes() as u64;
        let mut found = found.ok_or_else(no_move)?;
        found.lines = facts.lines(found.lines.iter().map(|info| line_report.line(info)).collect());
        if skill.is_none() {
            found.best = facts.choose(found.best, &found.lines);
            if let Some(live) = &search.live_analysis {
                live.set_best(&found.best);
            }
        }
        Ok(found)
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

    /// Searches on the opponent's time, if that is useful, to fill the transposition table. Ends when it is stopped or
    /// has nothing left to search.
    pub fn ponder(&mut self, stop: &Stop) {
        let useful = self.options.ponder && self.skill().is_none();
        if !useful || stop.is_set() || self.game.outcome().is_some() || self.probe().is_ok() {
            return;
        }
        // With a limit: an infinite search waits to be stopped when it is done.
        let mut request = SearchRequest { ponder: true, ..Limits::of_time(Duration::MAX).into() };
        self.add_means(&mut request);
        self.searcher.search(&self.game, request, stop, &mut |_| {});
    }

    /// Adds the threads of the engine to a request, and the table, which may cover positions that the search reaches.
    fn add_means(&self, request: &mut SearchRequest) {
        request.threads = self.options.threads as usize;
        let table = self.tables.find(self.game.variant()).ok();
        request.prober = table.map(|table| Arc::new(TableProber(table)) as Arc<dyn Prober>);
    }

    /// The table of the variant. The reason for its absence is logged once, unless tables are off.
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
}

/// A clock without what is kept back for the delay between engine and clock.
fn reduced(clock: Clock, overhead: Duration) -> Clock {
    Clock { remaining: clock.remaining.saturating_sub(overhead), ..clock }
}

#[cfg(test)]
mod tests {
    use privy_protocol::TimeControl;

    use super::*;

    #[test]
    fn time_for_a_whole_game_is_never_used_up() {
        let mut engine = Engine::new();
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
        let mut engine = Engine::new();
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
