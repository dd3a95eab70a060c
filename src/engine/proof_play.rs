//! Play by proofs: where a game has no table, but proofs of its opening lie in the folder of tables.
//!
//! A proof that a side wins bounds the length of the win; a proof that a side does not lose bounds the result ([`add_facts`]). The history of
//! the game cannot invalidate the latter: a repetition, like the limit of plies, is a draw, and where a repetition wins no such proof is sound.

use std::path::PathBuf;
use std::sync::Arc;

use privy_protocol::{Bound, Score};

use privy_base::path_choice::PathChoice;
use privy_rules::{Game, MovePath, Side, Variant};
use privy_search::proof::{Proof, ProofGoal};
use privy_search::{RootFact, RootFacts, Stop};
use privy_tables::chosen_folder;

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
        let checked = Proof::read(&path, variant, &Stop::default())
            .map_err(|error| error.to_string())
            .and_then(|proof| proof.check().map(|_| Arc::new(proof)).map_err(|fault| format!("not sound: {fault}")));
        let proof = checked.map_err(|error| log::error!("{}: {error}; searching instead", path.display())).ok();
        self.files.push((path, proof.clone()));
        proof
    }
}

/// True if it is proved that a side does not lose, whatever the side to move plays.
pub(super) fn is_held(proofs: &[Arc<Proof>], side: Side, game: &Game) -> bool {
    let is_about = |proof: &&Arc<Proof>| proof.goal() == ProofGoal::NotLose(side);
    proofs.iter().filter(is_about).any(|proof| proof.find_move(game.position()).is_some())
}

/// Adds what a proof says of moves of a game.
pub(super) fn add_facts(proof: &Proof, game: &Game, moves: &[MovePath], facts: &mut RootFacts) {
    let (side, position) = (game.side(), game.position());
    match proof.goal() {
        ProofGoal::Win(winner) => {
            let is_in_time = |plies: u32| game.plies_to_limit().is_none_or(|left| plies <= left);
            // The history could invalidate it.
            if !game.seen_twice().is_empty() || winner != side && proof.find_move(position).is_none() {
                return;
            }
            for move_ in moves {
                let next = game.after(move_);
                let plies = match next.outcome() {
                    Some(outcome) if outcome.winner() == Some(winner) => Some(1),
                    Some(_) => None,
                    None => proof.plies(next.position()).map(|plies| plies + 1),
                };
                let Some(plies) = plies.filter(|plies| is_in_time(*plies)) else { continue };
                let score = if winner == side { Score::Win(plies) } else { Score::Loss(plies) };
                let (pv, is_cut) = line(proof, game, move_);
                facts.add(RootFact { pv, is_cut, ..RootFact::of_move(move_.clone(), score, Some(Bound::Upper)) });
            }
        }
        ProofGoal::NotLose(holder) if holder == side => {
            let named = proof.find_move(position).map(|known| known.move_);
            let mut holding: Vec<&MovePath> =
                moves.iter().filter(|move_| proof.keeps(position, move_.action())).collect();
            holding.sort_by_key(|move_| Some(*move_) != named.as_ref());
            for move_ in holding {
                let fact = RootFact::of_move(move_.clone(), Score::Draw, Some(Bound::Lower));
                facts.add(RootFact { holds: true, ..fact });
            }
        }
        ProofGoal::NotLose(_) if proof.find_move(position).is_some() => {
            for move_ in moves {
                facts.add(RootFact::of_move(move_.clone(), Score::Draw, Some(Bound::Upper)));
            }
        }
        ProofGoal::NotLose(_) => {}
    }
}

/// The line of the proof after a move, against its longest resistance. True if it ends before the game: a proof leaves out the last plies.
fn line(proof: &Proof, game: &Game, first: &MovePath) -> (Vec<MovePath>, bool) {
    let mut game = game.after(first);
    let mut line = vec![first.clone()];
    while game.outcome().is_none() {
        let Some(known) = proof.find_move(game.position()) else { break };
        line.push(known.move_.clone());
        game.play(known.move_);
    }
    (line, game.outcome().is_none())
}
