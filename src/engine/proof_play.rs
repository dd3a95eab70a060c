//! Play by a proof: where a game has no table, but a proof of its opening lies in the tables' folder.

use std::sync::Arc;
use std::time::Instant;

use privy_protocol::{Bound, Score};

use crate::proofs::{Claim, Known, Proof};
use crate::rules::{Game, MovePath, Variant};
use crate::search::{Limits, LiveMove, SearchInfo, SearchResult, Stop};
use crate::tablebase::TableChoice;

/// How many plies of a line a report shows.
const LINE_PLIES: usize = 200;

/// The proofs of the variant that was asked for last.
#[derive(Debug, Default)]
pub(super) struct Proofs {
    /// That of its opening, with the fingerprint; none when its file is no sound proof.
    last: Option<(String, Option<Arc<Proof>>)>,
    /// One that the engine has found itself.
    found: Option<Arc<Proof>>,
}

impl Proofs {
    /// Keeps a proof that a search has found, instead of another.
    pub(super) fn keep(&mut self, proof: Arc<Proof>) {
        self.found = Some(proof);
    }

    /// What is proved of a variant: from its file, and what a search has found.
    pub(super) fn all(&mut self, tables: &TableChoice, variant: &Arc<Variant>) -> impl Iterator<Item = Arc<Proof>> {
        let is_of_variant = |proof: &Arc<Proof>| proof.variant().fingerprint() == variant.fingerprint();
        let found = self.found.clone().filter(is_of_variant);
        self.find(tables, variant).into_iter().chain(found)
    }

    /// The proof of a variant's opening. A missing one is looked for again each time; one that is not sound is told once and left aside.
    pub(super) fn find(&mut self, tables: &TableChoice, variant: &Arc<Variant>) -> Option<Arc<Proof>> {
        if let Some((fingerprint, proof)) = &self.last
            && fingerprint == variant.fingerprint()
        {
            return proof.clone();
        }
        let path = Proof::path(&tables.folder()?, variant);
        if !path.exists() {
            return None;
        }
        let checked = Proof::read(&path, variant)
            .map_err(|error| error.to_string())
            .and_then(|proof| proof.check().map(|_| Arc::new(proof)).map_err(|fault| format!("not sound: {fault}")));
        let proof = checked.map_err(|error| log::error!("{}: {error}; searching instead", path.display())).ok();
        self.last = Some((variant.fingerprint().to_owned(), proof.clone()));
        proof
    }
}

/// What the proof knows of a game, as a search would report it; none when it says nothing of the position, or when the game's history or
/// its limit of plies may spoil what it says.
pub(super) fn search(
    proof: &Proof,
    game: &Game,
    limits: &Limits,
    stop: &Stop,
    observer: &mut dyn FnMut(&SearchInfo),
) -> Option<SearchResult> {
    let start = Instant::now();
    let known = usable(proof, game)?;
    let is_listed = limits.search_moves.is_empty() || limits.search_moves.contains(&known.move_);
    // Of the winning side the proof knows one move alone.
    let wants_more = limits.multi_pv > 1 || limits.live_analysis.is_some();
    if !is_listed || wants_more && game.side() == proof.claim().side() {
        return None;
    }
    let plies = known.plies?;
    let line = line(proof, game, &known);
    let depth = u32::try_from(line.len()).unwrap_or(u32::MAX);
    let is_win = game.side() == proof.claim().side();
    let info = SearchInfo {
        depth,
        selective_depth: depth,
        proven_depth: 0,
        rank: 1,
        score: if is_win { Score::Win(plies) } else { Score::Loss(plies) },
        bound: Some(Bound::Upper),
        nodes: 0,
        table_hits: 0,
        hashfull: 0,
        time: start.elapsed(),
        line,
    };
    if let Some(live_analysis) = &limits.live_analysis {
        for move_ in game.legal_moves() {
            let next = game.after(&move_);
            let plies = if next.outcome().is_some() { 1 } else { usable(proof, &next)?.plies? + 1 };
            live_analysis.put(LiveMove {
                line: vec![move_],
                score: Score::Loss(plies),
                first_score: Score::Loss(plies),
                is_exact: false,
                depth: 1,
                nodes: 1,
            });
        }
        live_analysis.set_best(&known.move_);
    }
    observer(&info);
    limits.wait_for_stop(stop);
    Some(SearchResult { best: known.move_, lines: vec![info], nodes: 0, time: start.elapsed() })
}

/// What the proof says of a position in a game, where history can't change it.
fn usable(proof: &Proof, game: &Game) -> Option<Known> {
    if !matches!(proof.claim(), Claim::Wins(_)) || game.outcome().is_some() || !game.seen_twice().is_empty() {
        return None;
    }
    let known = proof.known(game.position())?;
    let is_in_time = known.plies.is_some_and(|plies| game.plies_left().is_none_or(|left| plies <= left));
    is_in_time.then_some(known)
}

/// The line of the proof against the longest resistance that it knows.
fn line(proof: &Proof, game: &Game, first: &Known) -> Vec<MovePath> {
    let mut game = game.clone();
    let mut line = vec![first.move_.clone()];
    game.play(first.move_.clone());
    while line.len() < LINE_PLIES && game.outcome().is_none() {
        let Some(known) = proof.known(game.position()) else { break };
        line.push(known.move_.clone());
        game.play(known.move_);
    }
    line
}
