//! `go`: searches for a move, for an analysis, and on the opponent's time.
//!
//! Alpha-beta sees a win some twenty plies off; openings of the large boards are decided in a hundred. So a long search without a table is first
//! alpha-beta, which says which side is ahead, then the search for a proof that this side wins ([`prove`]), then alpha-beta again with the
//! rest of the time. Both use all threads in turn.

use std::sync::Arc;
use std::time::{Duration, Instant};

pub use privy_protocol::GoLimits;
use privy_protocol::Score;

use crate::rules::{Game, IllegalMove, MoveError, Side};
use crate::search::proof::{ProofGoal, ProveRequest, prove};
use crate::search::{Clock, Limits, MAX_DEPTH, Observer, Prober, SearchInfo, SearchResult, Stop, TimeManager};
use crate::tablebase::{Table, TableError};

use super::clock::TIME_PER_MOVE;
use super::engine::{Engine, EngineError, parse_listed};
use super::options::OptionName;
use super::proof_play;
use super::skill::{Skill, blunder};
use super::tablebase_play;

/// A search of at least this time is long.
const LONG: Duration = Duration::from_secs(20);
/// The shares of a search without a time limit.
const WITHOUT_END: Shares = Shares { alpha_beta: Duration::from_secs(10), proof: Duration::from_secs(120) };
/// Nodes and the most MiB of the search of a leaf of the proof.
const NODES: u64 = 50_000;
const MEBIBYTES: u64 = 64;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Shares {
    /// For the first alpha-beta search.
    alpha_beta: Duration,
    /// For the proof, at most.
    proof: Duration,
}

impl Shares {
    /// None for a search that is all alpha-beta: it is short, or more than the best move is requested, or the history or the limit of plies of the
    /// game could invalidate a proof.
    fn of(limits: &Limits, game: &Game) -> Option<Shares> {
        let wants_best = limits.search_moves.is_empty() && limits.multi_pv <= 1 && limits.live_analysis.is_none();
        let is_provable = game.plies_to_limit().is_none_or(|left| left >= MAX_DEPTH) && game.seen_twice().is_empty();
        if !wants_best || !is_provable || limits.depth.is_some() || limits.nodes.is_some() {
            return None;
        }
        match TimeManager::new(limits).soft {
            None => Some(WITHOUT_END),
            Some(time) if time >= LONG => Some(Shares { alpha_beta: time / 8, proof: time / 2 }),
            Some(_) => None,
        }
    }
}

impl Engine {
    fn overhead(&self) -> Duration {
        Duration::from_millis(self.options.number(OptionName::MoveOverhead))
    }

    fn check_turn(&self, side: Option<Side>) -> Result<(), EngineError> {
        self.check_on()?;
        let to_move = self.game.side();
        match side {
            Some(side) if side != to_move => Err(MoveError::Illegal(IllegalMove::OtherSide(to_move)).into()),
            _ => Ok(()),
        }
    }

    /// The limits of a search. All errors of a request are found here. Without any limit a search takes a second.
    ///
    /// # Errors
    /// When the game is over, or a move to search is not legal.
    pub fn prepare_search(&self, limits: &GoLimits) -> Result<Limits, EngineError> {
        self.check_on()?;
        let listed = limits.search_moves.iter().enumerate();
        let search_moves =
            listed.map(|(place, text)| parse_listed(&self.game, place, text)).collect::<Result<_, _>>()?;
        let ms = Duration::from_millis;
        let clock = limits.clock.map(|clock| Clock {
            remaining: ms(clock.remaining_ms),
            increment: ms(clock.increment_ms),
            moves_to_go: clock.moves,
            overhead: self.overhead(),
        });
        let GoLimits { time_ms, depth, nodes, infinite, .. } = *limits;
        let unlimited = time_ms.is_none() && depth.is_none() && nodes.is_none() && clock.is_none();
        Ok(Limits {
            time: if unlimited && !infinite { Some(TIME_PER_MOVE) } else { time_ms.map(ms) },
            depth,
            nodes,
            clock,
            search_moves,
            multi_pv: self.options.number(OptionName::MultiPv) as usize,
            live_analysis: None,
            ponder: false,
        })
    }

    /// The limits for a move of a side, by its clock if `by_clock`.
    ///
    /// # Errors
    /// When the game is over or the other side is to move.
    pub fn prepare_move(&self, side: Side, by_clock: bool) -> Result<Limits, EngineError> {
        self.check_turn(Some(side))?;
        let clock = if by_clock { self.clocks.for_move(side, self.overhead()) } else { None };
        let time = if clock.is_none() { Some(TIME_PER_MOVE) } else { None };
        Ok(Limits { time, clock, multi_pv: 1, ..Limits::default() })
    }

    /// The limits of an analysis, for a given side if any: it goes on until it is stopped.
    ///
    /// # Errors
    /// As [`prepare_move`](Engine::prepare_move).
    pub fn prepare_analysis(&self, side: Option<Side>) -> Result<Limits, EngineError> {
        self.check_turn(side)?;
        Ok(Limits { multi_pv: 1, ..Limits::default() })
    }

    fn skill(&self) -> Option<Skill> {
        Skill::new(self.options.number(OptionName::Level), self.game.variant(), self.game.side())
    }

    /// Finds a move to play at the strength of the option `level`. The game stays as it is.
    pub fn choose(&mut self, limits: &Limits, stop: &Stop, observer: Observer<'_>) -> Option<SearchResult> {
        let Some(skill) = self.skill() else { return self.search(limits, stop, observer) };
        // Results of helper threads would change its strength.
        self.searcher.set_threads(1);
        self.searcher.prober = None;
        let mut found = self.searcher.search(&self.game, &skill.limits(limits), stop, observer);
        if let Some(found) = &mut found {
            if let Some(dice) = skill.errs(&self.game, self.seed())
                && let Some(error) = blunder(&mut self.searcher, &self.game, limits, skill.errors, dice, stop)
            {
                found.best = error;
            }
            limits.wait_for_stop(stop);
        }
        self.searcher.set_threads(self.options.number(OptionName::Threads) as usize);
        found
    }

    /// Searches on the opponent's time, if that is useful, to fill the transposition table. Ends when it is stopped or has nothing left to search.
    pub fn ponder(&mut self, stop: &Stop) {
        let useful = self.options.ponder && self.skill().is_none();
        if !useful || stop.is_set() || self.game.outcome().is_some() || self.probe().is_ok() {
            return;
        }
        // With a limit: an infinite search waits to be stopped when it is done.
        let table = self.tables.find(self.game.variant()).ok();
        self.searcher.prober = table.map(|table| table as Arc<dyn Prober>);
        let limits = Limits { time: Some(Duration::MAX), multi_pv: 1, ponder: true, ..Limits::default() };
        self.searcher.search(&self.game, &limits, stop, &mut |_| {});
    }

    /// The table of the variant. A reason for having none is logged once, unless tables are off.
    fn find_table(&mut self) -> Option<Arc<Table>> {
        let found = self.tables.find(self.game.variant());
        match &found {
            Ok(_) | Err(TableError::Off | TableError::Unsolvable(..)) => {}
            Err(error) => {
                if self.logged_tables.insert(self.game.variant().fingerprint().to_owned()) {
                    log::warn!("{error}");
                }
            }
        }
        found.ok()
    }

    /// Finds the best move: by a table that covers the position, or by a proof that a side wins, else by
    /// [`Searcher::search`](crate::search::Searcher::search) within proved bounds. The game stays as it is.
    pub fn search(&mut self, limits: &Limits, stop: &Stop, observer: Observer<'_>) -> Option<SearchResult> {
        let table = self.find_table();
        let style = (self.options.play_style, self.seed());
        if let Some(table) = &table {
            match tablebase_play::search(table, &self.game, limits, style, stop, observer) {
                Ok(Some(known)) => return Some(known),
                Err(error @ TableError::Damaged { .. }) => log::error!("{error}; searching instead"),
                Ok(None) | Err(_) => {}
            }
        }
        let proofs = self.proofs.all(self.tables.choice(), self.game.variant());
        for proof in &proofs {
            if let Some(known) = proof_play::search(proof, &self.game, limits, stop, observer) {
                return Some(known);
            }
        }
        // It may cover positions that the search reaches.
        self.searcher.prober = table.map(|table| table as Arc<dyn Prober>);
        let Some(bounds) = proof_play::bounds(&proofs, &self.game, limits) else {
            return self.search_without_bounds(limits, stop, observer);
        };
        let game = self.game.clone();
        proof_play::search_within(&bounds, &game, limits, observer, |observer| {
            self.search_without_bounds(limits, stop, observer)
        })
    }

    fn search_without_bounds(&mut self, limits: &Limits, stop: &Stop, observer: Observer<'_>) -> Option<SearchResult> {
        match Shares::of(limits, &self.game) {
            Some(shares) => self.search_and_prove(&shares, limits, stop, observer),
            None => self.searcher.search(&self.game, limits, stop, observer),
        }
    }

    /// Finds the best move with its score, or a win of a side with a bound of its length.
    fn search_and_prove(
        &mut self,
        shares: &Shares,
        limits: &Limits,
        stop: &Stop,
        observer: Observer<'_>,
    ) -> Option<SearchResult> {
        let start = Instant::now();
        let first = Limits { time: Some(shares.alpha_beta), clock: None, ..limits.clone() };
        let found = self.searcher.search(&self.game, &first, stop, observer)?;
        let Some(Score::Evaluation(hundredths)) = found.lines.first().map(|line| line.score) else {
            limits.wait_for_stop(stop);
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
        if let Some(proved) = self.prove(hundredths, shares.proof, limits, stop, &mut proved) {
            return Some(whole(proved));
        }
        // Reports of lesser depth are not repeated, and do not replace the result.
        let depth = found.lines.first().map_or(0, |line| line.depth);
        let is_news = |info: &SearchInfo| info.depth > depth || !matches!(info.score, Score::Evaluation(_));
        let before = start.elapsed();
        let mut deeper = |info: &SearchInfo| {
            if is_news(info) {
                observer(&counted(before, info));
            }
        };
        let time = TimeManager::new(limits).soft.map(|time| time.saturating_sub(before));
        let limits = Limits { time, clock: None, ..limits.clone() };
        let again = (!stop.is_set()).then(|| self.searcher.search(&self.game, &limits, stop, &mut deeper)).flatten();
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
        limits: &Limits,
        stop: &Stop,
        observer: Observer<'_>,
    ) -> Option<SearchResult> {
        let threads = self.options.number(OptionName::Threads);
        let side = self.game.side();
        let winner = if hundredths > 0 { side } else { !side };
        let proofs = self.proofs.all(self.tables.choice(), self.game.variant());
        if proof_play::is_held(&proofs, !winner, &self.game) {
            return None;
        }
        let request = ProveRequest {
            root: *self.game.position(),
            nodes: NODES,
            threads: threads as usize,
            mebibytes: (self.options.number(OptionName::Hash) / threads.max(1)).clamp(1, MEBIBYTES) as usize,
            time: Some(time),
            prepared: self.searcher.prepared(),
            ..ProveRequest::of_opening(self.game.variant(), ProofGoal::Win(winner))
        };
        let proof = prove(&request, &mut |_| {}, stop).ok().flatten()?;
        if let Err(fault) = proof.check() {
            log::error!("a proof is not sound: {fault}; searching instead");
            return None;
        }
        let proof = Arc::new(proof);
        self.proofs.found = Some(Arc::clone(&proof));
        proof_play::search(&proof, &self.game, limits, stop, observer)
    }
}

#[cfg(test)]
mod tests {
    use privy_protocol::Bound;

    use super::*;

    fn murray() -> Engine {
        let mut engine = Engine::new();
        engine.choose_variant("sixteen-rebels-murray").unwrap();
        engine.set_option("tables", "off").unwrap();
        engine
    }

    #[test]
    fn a_long_search_ends_with_a_proof_that_the_next_ones_play_by() {
        let mut engine = murray();
        let shares = Shares { alpha_beta: Duration::ZERO, proof: Duration::from_secs(60) };
        let limits = Limits { time: Some(Duration::from_secs(100)), ..Limits::default() };
        let found = engine.search_and_prove(&shares, &limits, &Stop::default(), &mut |_| {}).unwrap();
        let line = &found.lines[0];
        assert_eq!(line.bound, Some(Bound::Upper), "{line:?}");
        let Score::Loss(mut plies) = line.score else { panic!("{line:?}") };
        let mut best = found.best;
        while engine.game().outcome().is_none() {
            engine.play(None, &engine.game().move_text(&best)).unwrap();
            let short = Limits { nodes: Some(2_000), ..Limits::default() };
            let Some(next) = engine.search(&short, &Stop::default(), &mut |_| {}) else { break };
            let (Score::Win(left) | Score::Loss(left)) = next.lines[0].score else { panic!("{next:?}") };
            assert!(left < plies, "{next:?}");
            (plies, best) = (left, next.best);
        }
        assert!(engine.game().outcome().is_some());
    }

    #[test]
    fn a_proof_without_time_leaves_the_search_as_it_is() {
        let mut engine = murray();
        let shares = Shares { alpha_beta: Duration::ZERO, proof: Duration::ZERO };
        let limits = Limits { time: Some(Duration::from_millis(200)), ..Limits::default() };
        let mut reported = Vec::new();
        let mut observer = |info: &SearchInfo| reported.push(info.clone());
        let found = engine.search_and_prove(&shares, &limits, &Stop::default(), &mut observer).unwrap();
        assert!(engine.game().legal_moves().contains(&found.best) && found.lines[0].bound.is_none());
        let key = |info: &SearchInfo| (info.depth, info.time, info.nodes);
        assert!(reported.is_sorted_by_key(key), "{reported:?}");
    }

    /// What a proof finds at once is booked with what all parts took.
    #[test]
    fn time_and_nodes_of_a_long_search_are_those_of_all_its_parts() {
        let mut engine = murray();
        let shares = Shares { alpha_beta: Duration::ZERO, proof: Duration::from_secs(60) };
        let limits = Limits { time: Some(Duration::from_secs(100)), ..Limits::default() };
        let mut reported = Vec::new();
        let mut observer = |info: &SearchInfo| reported.push((info.time, info.nodes));
        let found = engine.search_and_prove(&shares, &limits, &Stop::default(), &mut observer).unwrap();
        assert_eq!(found.lines[0].bound, Some(Bound::Upper), "{found:?}");
        assert!(reported.len() > 1 && reported.is_sorted() && reported[0].1 > 0, "{reported:?}");
        assert!(reported.last() <= Some(&(found.time, found.nodes)), "{reported:?} {found:?}");
    }

    #[test]
    fn only_a_long_search_for_the_best_move_is_shared() {
        let engine = murray();
        let time = |seconds| Some(Duration::from_secs(seconds));
        let of = |limits: &Limits| Shares::of(limits, engine.game());
        assert_eq!(of(&Limits::default()), Some(WITHOUT_END));
        let shares = Shares { alpha_beta: Duration::from_secs(5), proof: Duration::from_secs(20) };
        assert_eq!(of(&Limits { time: time(40), ..Limits::default() }), Some(shares));
        for limits in [
            Limits { time: time(10), ..Limits::default() },
            Limits { time: time(40), nodes: Some(9), ..Limits::default() },
            Limits { time: time(40), depth: Some(9), ..Limits::default() },
            Limits { time: time(40), multi_pv: 2, ..Limits::default() },
            Limits { search_moves: engine.game().legal_moves(), ..Limits::default() },
        ] {
            assert_eq!(of(&limits), None, "{limits:?}");
        }
    }
}
