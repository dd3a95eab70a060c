//! `go`: searches of the engine for a move, for an analysis, on the opponent's time.

use std::time::Duration;

pub use privy_protocol::GoLimits;

use crate::rules::{IllegalMove, MoveError, Side};
use crate::search::{Clock, Limits, SearchInfo, SearchResult, Stop};
use crate::tablebase::TableError;

use super::clock::TIME_PER_MOVE;
use super::engine::{Engine, parse_listed};
use super::error::EngineError;
use super::options::OptionName;
use super::proof_play;
use super::proof_search::Shares;
use super::skill::{Skill, blunder};
use super::tablebase_play::{self, TableProber};

impl Engine {
    fn overhead(&self) -> Duration {
        Duration::from_millis(self.options.number(OptionName::MoveOverhead))
    }

    /// Is the game on, and the side to move, if one is given, that one?
    fn check_turn(&self, side: Option<Side>) -> Result<(), EngineError> {
        self.check_on()?;
        let to_move = self.game.side();
        match side {
            Some(side) if side != to_move => Err(MoveError::Illegal(IllegalMove::OtherSide(to_move)).into()),
            _ => Ok(()),
        }
    }

    /// Checks what a search asks for, and gives its limits. Everything that can be wrong with it is found here. Without any limit a
    /// search takes [`TIME_PER_MOVE`].
    ///
    /// # Errors
    /// When the game is over, or a move to look at is not legal.
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
        })
    }

    /// Checks that a side may be asked for a move, and gives the limits of its clock.
    ///
    /// # Errors
    /// When the game is over or the other side is to move.
    pub fn prepare_move(&self, side: Side, by_clock: bool) -> Result<Limits, EngineError> {
        self.check_turn(Some(side))?;
        let clock = if by_clock { self.clocks.for_move(side, self.overhead()) } else { None };
        let time = if clock.is_none() { Some(TIME_PER_MOVE) } else { None };
        Ok(Limits { time, clock, multi_pv: 1, ..Limits::default() })
    }

    /// Checks that a position may be analysed, for a side if one is given, and gives limits that let the search go on until it
    /// is stopped.
    ///
    /// # Errors
    /// As [`prepare_move`](Engine::prepare_move).
    pub fn prepare_analysis(&self, side: Option<Side>) -> Result<Limits, EngineError> {
        self.check_turn(side)?;
        Ok(Limits { multi_pv: 1, ..Limits::default() })
    }

    /// How weak the engine is to play now; none for full strength.
    fn skill(&self) -> Option<Skill> {
        Skill::new(self.options.number(OptionName::Level), &self.variant, self.game.side())
    }

    /// Finds a move to play, as good as the option `level` wants it. The game stays as it is.
    pub fn choose(
        &mut self,
        limits: &Limits,
        stop: &Stop,
        observer: &mut dyn FnMut(&SearchInfo),
    ) -> Option<SearchResult> {
        let Some(skill) = self.skill() else { return self.search(limits, stop, observer) };
        // What helpers happen to find would change how weak it is.
        self.searcher.set_threads(1);
        self.searcher.set_prober(None);
        let found = self.search_with_skill(skill, limits, stop, observer);
        self.searcher.set_threads(self.options.number(OptionName::Threads) as usize);
        found
    }

    /// The move of a level, with what the searcher may use set already.
    fn search_with_skill(
        &mut self,
        skill: Skill,
        limits: &Limits,
        stop: &Stop,
        observer: &mut dyn FnMut(&SearchInfo),
    ) -> Option<SearchResult> {
        let mut found = self.searcher.search(&self.game, &skill.limits(limits), stop, observer)?;
        if let Some(dice) = skill.errs(&self.game, self.seed()) {
            let error = blunder(&mut self.searcher, &self.game, limits, skill.errors(), dice, stop);
            found.best = error.unwrap_or(found.best);
        }
        limits.wait_for_stop(stop);
        Some(found)
    }

    /// Thinks while the opponent does, if that is wanted and of any use, and keeps what it learns for the searches to come. Ends
    /// when it is stopped, or when there is nothing more to learn.
    pub fn ponder(&mut self, stop: &Stop) {
        let useful = self.options.ponder() && self.skill().is_none();
        if !useful || stop.is_set() || self.game.outcome().is_some() || self.probe().is_ok() {
            return;
        }
        // Not without limit: such a search waits to be stopped when it is done.
        let table = self.tables.find(&self.variant).ok();
        self.searcher.set_prober(table.map(TableProber::shared));
        let limits = Limits { time: Some(Duration::MAX), multi_pv: 1, ..Limits::default() };
        self.searcher.search(&self.game, &limits, stop, &mut |_| {});
    }

    /// Finds the best move: from the table of the variant, if there is one that covers the position, or a proof that a side wins; else by
    /// [`Searcher::search`](crate::search::Searcher::search), within what is proved of a side that does not lose. The game stays as it is.
    pub fn search(
        &mut self,
        limits: &Limits,
        stop: &Stop,
        observer: &mut dyn FnMut(&SearchInfo),
    ) -> Option<SearchResult> {
        let table = self.missing_tables.find_table(&self.tables, &self.game);
        let style = (self.options.play_style(), self.seed());
        if let Some(table) = &table {
            match tablebase_play::search(table, &self.game, limits, style, stop, observer) {
                Ok(Some(known)) => return Some(known),
                Err(error @ TableError::Damaged { .. }) => log::error!("{error}; searching instead"),
                Ok(None) | Err(_) => {}
            }
        }
        let proofs = self.proofs.all(self.tables.choice(), &self.variant);
        for proof in &proofs {
            if let Some(known) = proof_play::search(proof, &self.game, limits, stop, observer) {
                return Some(known);
            }
        }
        // It may know positions that the search comes to.
        self.searcher.set_prober(table.map(TableProber::shared));
        let Some(bounds) = proof_play::bounds(&proofs, &self.game, limits) else {
            return self.search_without_bounds(limits, stop, observer);
        };
        let game = self.game.clone();
        proof_play::search_within(&bounds, &game, limits, observer, |observer| {
            self.search_without_bounds(limits, stop, observer)
        })
    }

    /// A search of which nothing is known before.
    fn search_without_bounds(
        &mut self,
        limits: &Limits,
        stop: &Stop,
        observer: &mut dyn FnMut(&SearchInfo),
    ) -> Option<SearchResult> {
        match Shares::of(limits, &self.game) {
            Some(shares) => self.search_and_prove(&shares, limits, stop, observer),
            None => self.searcher.search(&self.game, limits, stop, observer),
        }
    }
}
