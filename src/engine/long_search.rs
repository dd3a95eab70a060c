//! A long search, with its proof.
//!
//! Alpha-beta sees a win some twenty plies off; openings of the large boards are decided in a hundred. So a long search
//! without a table is first alpha-beta, which says which side is ahead, then the search for a proof that this side wins
//! ([`prove`]), then alpha-beta again with the rest of the time. Both use all threads in turn.

use std::sync::Arc;
use std::time::Duration;

use privy_protocol::{Limits, Score, Stop};

use privy_rules::Game;
use privy_search::proof::{ProveRequest, prove};
use privy_search::{MAX_DEPTH, Observer, RootFacts, SearchInfo, SearchRequest, SearchResult};

use super::engine::Engine;
use super::facts::candidates;
use super::proof_play;

/// A search of at least this time is long.
const LONG: Duration = Duration::from_secs(20);
/// Nodes and the most MiB of the search of a leaf of the proof.
const PROOF_LEAF_NODES: u64 = 50_000;
const PROOF_LEAF_MEBIBYTES: usize = 64;

/// The times of the first alpha-beta search and of the proof, at most; [`None`] for a search that is all alpha-beta: it
/// is short, or more than the best move is requested, or the history or the limit of plies of the game could invalidate
/// a proof.
fn split(request: &SearchRequest, game: &Game) -> Option<[Duration; 2]> {
    let wants_best = request.search_moves.is_empty() && !request.wants_more();
    let is_provable = game.plies_to_limit().is_none_or(|left| left >= MAX_DEPTH) && game.seen_twice().is_empty();
    if !wants_best || !is_provable || request.limits.depth.is_some() || request.limits.nodes.is_some() {
        return None;
    }
    match request.deadline().soft {
        None => Some([10, 120].map(Duration::from_secs)),
        Some(time) if time >= LONG => Some([time / 8, time / 2]),
        Some(_) => None,
    }
}

impl Engine {
    /// Finds the best move by [`Searcher::search`](privy_search::Searcher::search), a long search also by a proof that
    /// a side wins.
    pub(super) fn search(
        &mut self,
        request: &SearchRequest,
        stop: &Stop,
        observer: Observer<'_>,
    ) -> Option<SearchResult> {
        match split(request, &self.game) {
            Some(times) => self.search_and_prove(times, request, stop, observer),
            None => self.searcher.search(&self.game, request, stop, observer),
        }
    }

    /// Finds the best move with its score, or a win of a side with a bound of its length.
    fn search_and_prove(
        &mut self,
        [alpha_beta, proof]: [Duration; 2],
        request: &SearchRequest,
        stop: &Stop,
        observer: Observer<'_>,
    ) -> Option<SearchResult> {
        let clock = request.deadline();
        let request = &SearchRequest { deadline: Some(clock), ..request.clone() };
        // A part ends by its time alone.
        let until = |end| {
            let limits = Limits { time: end, clock: None, ..request.limits };
            SearchRequest { limits, deadline: Some(clock.until(end)), ..request.clone() }
        };
        let begun = clock.elapsed();
        let found = self.searcher.search(&self.game, until(Some(begun + alpha_beta)), stop, observer)?;
        let score = found.lines.first().map(|line| line.verdict.score);
        let open = score.filter(|score| !score.is_proved() && !stop.is_set());
        let Some(hundredths) = open.and_then(Score::hundredths) else {
            request.wait_for_stop(stop);
            return Some(SearchResult { time: clock.elapsed(), ..found });
        };
        // Nodes are those of all times.
        let counted = |info: &SearchInfo| SearchInfo { nodes: found.nodes + info.nodes, ..info.clone() };
        let whole =
            |part: SearchResult| SearchResult { time: clock.elapsed(), nodes: found.nodes + part.nodes, ..part };
        let mut proved = |info: &SearchInfo| observer(&counted(info));
        if let Some(proved) = self.prove(hundredths, proof, request, stop, &mut proved) {
            return Some(whole(proved));
        }
        // Reports of lesser depth are not repeated, and do not replace the result.
        let depth = found.lines.first().map_or(0, |line| line.depth);
        let is_news = |info: &SearchInfo| info.depth > depth || info.verdict.score.is_proved();
        let mut deeper = |info: &SearchInfo| {
            if is_news(info) {
                observer(&counted(info));
            }
        };
        let rest = until(clock.soft);
        let again = (!stop.is_set()).then(|| self.searcher.search(&self.game, rest, stop, &mut deeper)).flatten();
        match again {
            Some(again) if again.lines.first().is_some_and(is_news) => Some(whole(again)),
            _ => Some(SearchResult { time: clock.elapsed(), ..found }),
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
        let threads = request.threads.max(1);
        let side = self.game.side();
        let winner = if hundredths > 0 { side } else { !side };
        let wanted = ProveRequest {
            root: *self.game.position(),
            nodes: PROOF_LEAF_NODES,
            threads,
            mebibytes: (self.options.hash as usize / threads).clamp(1, PROOF_LEAF_MEBIBYTES),
            time: Some(time),
            prepared: self.searcher.prepared(),
            ..ProveRequest::of_opening(self.game.variant(), winner)
        };
        let proof = prove(&wanted, &mut |_| {}, stop).ok().flatten()?;
        if let Err(fault) = proof.check(stop) {
            log::error!("a proof is not sound: {fault}; searching instead");
            return None;
        }
        let mut facts = RootFacts::default();
        proof_play::add_facts(&proof, &self.game, &candidates(&self.game, request), &mut facts);
        self.proofs.found = Some(Arc::new(proof));
        let time = request.deadline().elapsed();
        let lines: Vec<SearchInfo> =
            facts.known_lines().into_iter().take(1).map(|line| SearchInfo { time, ..line }).collect();
        let best = lines.first()?.pv.first()?.clone();
        lines.iter().for_each(&mut *observer);
        request.wait_for_stop(stop);
        Some(SearchResult { best, lines, nodes: 0, time })
    }
}

#[cfg(test)]
mod tests {
    use privy_base::path_choice::PathChoice;
    use privy_protocol::Bound;

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
        assert_eq!(line.verdict.bound, Some(Bound::Upper), "{line:?}");
        let Score::Loss(mut plies) = line.verdict.score else { panic!("{line:?}") };
        let mut best = found.best;
        while engine.game().outcome().is_none() {
            engine.play(None, &engine.game().move_text(&best)).unwrap();
            let short = Limits { nodes: Some(2_000), ..Limits::default() };
            let Ok(next) = engine.go(&short.into(), &Stop::default(), None) else { break };
            let (Score::Win(left) | Score::Loss(left)) = next.lines[0].verdict.score else { panic!("{next:?}") };
            assert!(left < plies, "{next:?}");
            (plies, best) = (left, next.best);
        }
        assert!(engine.game().outcome().is_some());
    }

    /// A long search whose first part takes no time, or on a slow machine as much as a first line needs, and its
    /// reports. What has been prepared and touched once needs less: so that the first part does not find all, no time
    /// is tried again first.
    fn long_search(engine: &mut Engine, proof: Duration, limits: Limits) -> (SearchResult, Vec<SearchInfo>) {
        let times = [0, 0, 0, 0, 1, 2, 20, 200, 2_000].map(Duration::from_millis);
        let search = |alpha_beta| {
            let mut reported = Vec::new();
            let mut observer = |info: &SearchInfo| reported.push(info.clone());
            let found =
                engine.search_and_prove([alpha_beta, proof], &limits.into(), &Stop::default(), &mut observer).unwrap();
            (found, reported)
        };
        times.into_iter().map(search).find(|(found, _)| !found.lines.is_empty()).unwrap()
    }

    #[test]
    fn a_proof_without_time_leaves_the_search_as_it_is() {
        let mut engine = murray();
        let limits = Limits::of_time(Duration::from_millis(200));
        let (found, reported) = long_search(&mut engine, Duration::ZERO, limits);
        assert!(engine.game().legal_moves().contains(&found.best) && found.lines[0].verdict.bound.is_none());
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
        assert_eq!(found.lines[0].verdict.bound, Some(Bound::Upper), "{found:?}");
        assert!(reported.len() > 1 && reported.is_sorted() && reported[0].1 > 0, "{reported:?}");
        assert!(reported.last() <= Some(&(found.time, found.nodes)), "{reported:?} {found:?}");
    }

    #[test]
    fn only_a_long_search_for_the_best_move_is_shared() {
        let engine = murray();
        let of = |request: &SearchRequest| split(request, engine.game());
        let time = |seconds| Limits::of_time(Duration::from_secs(seconds));
        assert_eq!(of(&SearchRequest::default()), Some([10, 120].map(Duration::from_secs)));
        assert_eq!(of(&time(40).into()), Some([5, 20].map(Duration::from_secs)));
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
}
