//! Play by proofs: where a game has no table, but proofs of its opening lie in the folder of tables.
//!
//! A proof that a side wins answers at once ([`search`]). A proof that a side does not lose bounds the search ([`bounds`], [`search_within`]). The
//! history of the game cannot invalidate it: a repetition, like the limit of plies, is a draw, and where a repetition wins no such proof is
//! sound.

use std::collections::HashSet;
use std::path::PathBuf;
use std::sync::Arc;

use privy_protocol::{Bound, Instant, Score};

use privy_base::path_choice::PathChoice;
use privy_rules::{Game, MovePath, Side, Variant};
use privy_search::proof::{Proof, ProofGoal, ProofMove};
use privy_search::{Observer, RootBounds, SearchInfo, SearchRequest, SearchResult, Stop};
use privy_tables::chosen_folder;

/// The most plies of a reported line.
const LINE_PLIES: usize = 200;

/// The proofs of the variant of the last call.
#[derive(Debug, Default)]
pub(super) struct Proofs {
    fingerprint: String,
    /// The proofs of its files; `None` for an unsound file.
    files: Vec<(PathBuf, Option<Arc<Proof>>)>,
    /// A proof that the engine has found.
    pub(super) found: Option<Arc<Proof>>,
}

impl Proofs {
    /// The proofs of a variant: from its files, and the one that a search has found.
    pub(super) fn all(&mut self, tables: &PathChoice, variant: &Arc<Variant>) -> Vec<Arc<Proof>> {
        let is_of_variant = |proof: &Arc<Proof>| proof.variant().fingerprint() == variant.fingerprint();
        let found = self.found.clone().filter(is_of_variant);
        if self.fingerprint != variant.fingerprint() {
            (self.fingerprint, self.files) = (variant.fingerprint().to_owned(), Vec::new());
        }
        let paths = chosen_folder(tables).ok().map(|folder| Proof::paths(&folder, variant));
        let files = paths.into_iter().flatten().filter_map(|path| self.read(path, variant));
        files.chain(found).collect()
    }

    /// The proof in a file. A missing file is looked for each time; an unsound one is logged once.
    fn read(&mut self, path: PathBuf, variant: &Arc<Variant>) -> Option<Arc<Proof>> {
        if let Some((_, proof)) = self.files.iter().find(|(known, _)| *known == path) {
            return proof.clone();
        }
        if !path.exists() {
            return None;
        }
        let checked = Proof::read(&path, variant)
            .map_err(|error| error.to_string())
            .and_then(|proof| proof.check().map(|_| Arc::new(proof)).map_err(|fault| format!("not sound: {fault}")));
        let proof = checked.map_err(|error| log::error!("{}: {error}; searching instead", path.display())).ok();
        self.files.push((path, proof.clone()));
        proof
    }
}

/// The moves that a search may play.
fn candidates(game: &Game, request: &SearchRequest) -> Vec<MovePath> {
    let mut moves = game.legal_moves();
    moves.retain(|move_| request.admits(move_));
    moves
}

/// True if it is proved that a side does not lose, whatever the side to move plays.
pub(super) fn is_held(proofs: &[Arc<Proof>], side: Side, game: &Game) -> bool {
    let is_about = |proof: &&Arc<Proof>| proof.goal() == ProofGoal::NotLose(side);
    proofs.iter().filter(is_about).any(|proof| proof.find_move(game.position()).is_some())
}

/// The bounds that proofs put on the root moves: those that stay in the closed set of the side to move, the proof's own move first, and
/// the existence of such a set for the opponent. `None` if no proof covers the position.
pub(super) fn bounds(proofs: &[Arc<Proof>], game: &Game, request: &SearchRequest) -> Option<RootBounds> {
    let (side, position) = (game.side(), game.position());
    let mut holding = Vec::new();
    for proof in proofs.iter().filter(|proof| proof.goal() == ProofGoal::NotLose(side)) {
        holding.extend(candidates(game, request).into_iter().filter(|move_| proof.keeps(position, move_.action())));
        let named = proof.find_move(position).map(|known| known.move_);
        holding.sort_by_key(|move_| Some(move_) != named.as_ref());
    }
    RootBounds::new(holding, is_held(proofs, !side, game))
}

pub(super) fn search_within(
    bounds: &RootBounds,
    game: &Game,
    request: &SearchRequest,
    observer: Observer<'_>,
    search: impl FnOnce(Observer<'_>) -> Option<SearchResult>,
) -> Option<SearchResult> {
    let mut ranks = 1;
    if let Some(live_analysis) = &request.live_analysis {
        live_analysis.set_bounds(bounds.clone());
    } else if request.multi_pv > 1 {
        // Of jump chains with the same result the search has one.
        let moves = candidates(game, request);
        ranks = request.multi_pv.min(moves.iter().map(MovePath::action).collect::<HashSet<_>>().len());
    }
    // The bounds change the order of the lines, so an iteration is reported as a whole.
    let mut iteration = Vec::with_capacity(ranks);
    let mut found = search(&mut |info| {
        iteration.push(info.clone());
        if iteration.len() >= ranks {
            bounds.lines(std::mem::take(&mut iteration)).iter().for_each(&mut *observer);
        }
    })?;
    found.lines = bounds.lines(found.lines);
    found.best = bounds.choose(found.best, &found.lines);
    Some(found)
}

/// The result of a proof that a side wins; `None` if it does not cover the position, or where the history or the limit of plies may invalidate it.
pub(super) fn search(
    proof: &Proof,
    game: &Game,
    request: &SearchRequest,
    stop: &Stop,
    observer: Observer<'_>,
) -> Option<SearchResult> {
    let start = Instant::now();
    let known = usable(proof, game)?;
    // A proof has a single move of the winning side.
    let wants_more = request.wants_more();
    if !request.admits(&known.move_) || wants_more && game.side() == proof.goal().side() {
        return None;
    }
    let plies = known.plies?;
    let line = line(proof, game, &known);
    let depth = u32::try_from(line.len()).unwrap_or(u32::MAX);
    let is_win = game.side() == proof.goal().side();
    let info = SearchInfo {
        depth,
        seldepth: depth,
        multipv: 1,
        score: if is_win { Score::Win(plies) } else { Score::Loss(plies) },
        bound: Some(Bound::Upper),
        time: start.elapsed(),
        pv: line,
        ..SearchInfo::default()
    };
    if let Some(live_analysis) = &request.live_analysis {
        for move_ in game.legal_moves() {
            let next = game.after(&move_);
            let plies = if next.outcome().is_some() { 1 } else { usable(proof, &next)?.plies? + 1 };
            live_analysis.put(SearchInfo {
                pv: vec![move_],
                score: Score::Loss(plies),
                bound: Some(Bound::Upper),
                depth: 1,
                nodes: 1,
                ..SearchInfo::default()
            });
        }
        live_analysis.set_best(&known.move_);
    }
    observer(&info);
    request.wait_for_stop(stop);
    Some(SearchResult { best: known.move_, lines: vec![info], nodes: 0, time: start.elapsed() })
}

/// The entry of the position, unless the history or the limit of plies may invalidate it.
fn usable(proof: &Proof, game: &Game) -> Option<ProofMove> {
    if !matches!(proof.goal(), ProofGoal::Win(_)) || game.outcome().is_some() || !game.seen_twice().is_empty() {
        return None;
    }
    let known = proof.find_move(game.position())?;
    let is_in_time = known.plies.is_some_and(|plies| game.plies_to_limit().is_none_or(|left| plies <= left));
    is_in_time.then_some(known)
}

/// The line of the proof against its longest resistance.
fn line(proof: &Proof, game: &Game, first: &ProofMove) -> Vec<MovePath> {
    let mut game = game.clone();
    let mut line = vec![first.move_.clone()];
    game.play(first.move_.clone());
    while line.len() < LINE_PLIES && game.outcome().is_none() {
        let Some(known) = proof.find_move(game.position()) else { break };
        line.push(known.move_.clone());
        game.play(known.move_);
    }
    line
}
