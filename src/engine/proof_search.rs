//! Long searches in games without a table: a part of the time goes into a proof that one side wins the whole game.
//!
//! Alpha-beta sees a win that is some twenty plies off; openings of the large boards are decided in a hundred. So a long search is first
//! alpha-beta, which says who is ahead, then the search for a proof that this side wins ([`prove`]), and alpha-beta again with
//! the time that is left. Both have all threads in their turn.

use std::sync::Arc;
use std::time::{Duration, Instant};

use privy_protocol::Score;

use crate::proofs::Claim;
use crate::prove::{Judges, ProveRequest, prove};
use crate::rules::Game;
use crate::search::{Limits, MAX_DEPTH, SearchInfo, SearchResult, Stop, TimeManager};

use super::engine::Engine;
use super::options::OptionName;
use super::proof_play;

/// A search of so much time is a long one.
const LONG: Duration = Duration::from_secs(20);

/// The shares of a search that has no end of its own.
const WITHOUT_END: Shares = Shares { alpha_beta: Duration::from_secs(10), proof: Duration::from_secs(120) };

/// Nodes that a leaf of the proof is judged by, and MiB for that at most.
const NODES: u64 = 50_000;
const MEBIBYTES: u64 = 64;

/// How the time of a search is shared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Shares {
    /// For the first alpha-beta search.
    alpha_beta: Duration,
    /// For the proof, at most.
    proof: Duration,
}

impl Shares {
    /// The shares of a search; none when it is all alpha-beta: it is short, or more than the best move is asked for, or the game's history or
    /// its limit of plies could spoil a proof.
    pub(super) fn of(limits: &Limits, game: &Game) -> Option<Shares> {
        let wants_best = limits.search_moves.is_empty() && limits.multi_pv <= 1 && limits.live_analysis.is_none();
        let is_provable = game.plies_to_limit().is_none_or(|left| left >= MAX_DEPTH) && game.seen_twice().is_empty();
        if !wants_best || !is_provable || limits.depth.is_some() || limits.nodes.is_some() {
            return None;
        }
        match TimeManager::new(limits).soft() {
            None => Some(WITHOUT_END),
            Some(time) if time >= LONG => Some(Shares { alpha_beta: time / 8, proof: time / 2 }),
            Some(_) => None,
        }
    }
}

impl Engine {
    /// A search of which a share goes into a proof. Finds the best move with its score, or that the game is won with a bound of its length.
    pub(super) fn search_and_prove(
        &mut self,
        shares: &Shares,
        limits: &Limits,
        stop: &Stop,
        observer: &mut dyn FnMut(&SearchInfo),
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
        // What was reported is not reported again, and not given up for less.
        let depth = found.lines.first().map_or(0, |line| line.depth);
        let is_news = |info: &SearchInfo| info.depth > depth || !matches!(info.score, Score::Evaluation(_));
        let before = start.elapsed();
        let mut deeper = |info: &SearchInfo| {
            if is_news(info) {
                observer(&counted(before, info));
            }
        };
        let time = TimeManager::new(limits).soft().map(|time| time.saturating_sub(before));
        let limits = Limits { time, clock: None, ..limits.clone() };
        let again = (!stop.is_set()).then(|| self.searcher.search(&self.game, &limits, stop, &mut deeper)).flatten();
        match again {
            Some(again) if again.lines.first().is_some_and(is_news) => Some(whole(again)),
            _ => Some(SearchResult { time: start.elapsed(), ..found }),
        }
    }

    /// Tries to prove that the side wins that has this evaluation for it, and keeps the proof for the moves to come.
    fn prove(
        &mut self,
        hundredths: i32,
        time: Duration,
        limits: &Limits,
        stop: &Stop,
        observer: &mut dyn FnMut(&SearchInfo),
    ) -> Option<SearchResult> {
        let threads = self.options.number(OptionName::Threads);
        let side = self.game.side();
        let winner = if hundredths > 0 { side } else { !side };
        let proofs = self.proofs.all(self.tables.choice(), &self.variant);
        if proof_play::is_held(&proofs, !winner, &self.game) {
            return None;
        }
        let request = ProveRequest {
            root: *self.game.position(),
            nodes: NODES,
            judges: Judges::Threads(threads as usize),
            mebibytes: (self.options.number(OptionName::Hash) / threads.max(1)).clamp(1, MEBIBYTES) as usize,
            time: Some(time),
            prepared: self.searcher.prepared(),
            ..ProveRequest::of_opening(&self.variant, Claim::Wins(winner))
        };
        let proof = prove(&request, &mut |_| {}, stop).ok().flatten()?;
        if let Err(fault) = proof.check() {
            log::error!("a proof is not sound: {fault}; searching instead");
            return None;
        }
        let proof = Arc::new(proof);
        self.proofs.keep(Arc::clone(&proof));
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
        let told = |info: &SearchInfo| (info.depth, info.time, info.nodes);
        assert!(reported.is_sorted_by_key(told), "{reported:?}");
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
