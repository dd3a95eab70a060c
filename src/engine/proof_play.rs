//! Play by proofs: where a game has no table, but proofs of its opening lie in the folder of tables.
//!
//! A proof that a side wins bounds the length of the win; a proof that a side does not lose bounds the result ([`add_facts`]). The history of
//! the game cannot invalidate the latter: a repetition, like the limit of plies, is a draw, and where a repetition wins no such proof is sound.

use std::collections::HashMap;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use privy_protocol::{Bound, Score};

use privy_base::path_choice::PathChoice;
use privy_rules::{Game, MovePath, Side, Variant};
use privy_search::proof::{Proof, ProofFileError, ProofGoal};
use privy_search::{RootFact, RootFacts, SearchRequest, Stop, TimeManager};
use privy_tables::chosen_folder;

/// Of the time of a search, this part may pass until proofs are read.
const SHARE_OF_READING: u32 = 2;

/// Files with proofs.
type ProofFiles = Vec<(PathBuf, Arc<ProofReading>)>;

/// The proofs of the variant of the last call.
#[derive(Debug, Default)]
pub(super) struct Proofs {
    fingerprint: String,
    files: ProofFiles,
    /// The files of all variants by fingerprint, where engines share them: they are looked for once.
    shared: Option<Arc<Mutex<HashMap<String, ProofFiles>>>>,
    /// A proof that the engine has found, or has read of those that it was given.
    pub(super) found: Option<Arc<Proof>>,
    /// Contents of files, by the fingerprint of the rules.
    pub(super) given: Vec<(String, Vec<u8>)>,
}

/// A proof that has been read; none of an unsound file.
type ReadProof = Option<Arc<Proof>>;

/// A file that is read and checked on a thread, since that takes longer than a move may.
#[derive(Debug)]
struct ProofReading {
    reading: Mutex<(Receiver<ReadProof>, ReadProof)>,
    stop: Stop,
}

impl Drop for ProofReading {
    fn drop(&mut self) {
        self.stop.set();
    }
}

impl ProofReading {
    fn begin(path: &Path, variant: &Arc<Variant>) -> Arc<ProofReading> {
        let (sender, reading) = channel();
        let (path, variant, stop) = (path.to_owned(), Arc::clone(variant), Stop::default());
        let stopped = stop.clone();
        let read = move || {
            _ = sender.send(sound(path.display(), Proof::read(&path, &variant, &stopped), &stopped));
        };
        // Without a thread there is no proof.
        if let Err(error) = thread::Builder::new().name("proof".to_owned()).spawn(read) {
            log::warn!("no thread to read a proof: {error}");
        }
        Arc::new(ProofReading { reading: Mutex::new((reading, None)), stop })
    }

    /// The proof, once it is read, or when `is_over`.
    fn wait(&self, is_over: &dyn Fn() -> bool) -> Option<Arc<Proof>> {
        loop {
            // Another engine may wait, too.
            let (reading, proof) = &mut *self.reading.lock().unwrap_or_else(PoisonError::into_inner);
            match reading.recv_timeout(Duration::from_millis(1)) {
                Ok(read) => *proof = read,
                Err(RecvTimeoutError::Timeout) if !is_over() => {}
                // Its thread sends one proof, and ends.
                Err(_) => return proof.clone(),
            }
        }
    }
}

/// Checks a proof that has been read. An unsound one is logged.
fn sound(name: impl fmt::Display, read: Result<Proof, ProofFileError>, stop: &Stop) -> Option<Arc<Proof>> {
    let checked = read
        .map_err(|error| error.to_string())
        .and_then(|proof| proof.check(stop).map(|_| Arc::new(proof)).map_err(|fault| format!("not sound: {fault}")));
    if let Err(error) = &checked
        && !stop.is_set()
    {
        log::error!("{name}: {error}; searching instead");
    }
    checked.ok()
}

/// Begins to read the files of a variant that are not among these yet.
fn begin_files(files: &mut ProofFiles, tables: &PathChoice, variant: &Arc<Variant>) {
    for path in chosen_folder(tables).iter().flat_map(|folder| Proof::paths(folder, variant)) {
        if files.iter().all(|(known, _)| *known != path) && path.exists() {
            let reading = ProofReading::begin(&path, variant);
            files.push((path, reading));
        }
    }
}

impl Proofs {
    /// Forgets what was read and found, but not what was given.
    pub(super) fn forget(&mut self) {
        *self = Proofs { given: std::mem::take(&mut self.given), ..Proofs::default() };
    }

    /// True if a proof of a variant was given.
    pub(super) fn is_given(&self, variant: &Variant) -> bool {
        self.given.iter().any(|(fingerprint, _)| fingerprint == variant.fingerprint())
    }

    /// The same for another engine, which shares the files.
    pub(super) fn shared(&mut self) -> Proofs {
        let (fingerprint, files) = (self.fingerprint.clone(), self.files.clone());
        let first = || Arc::new(Mutex::new(HashMap::from([(fingerprint, files)])));
        let shared = Some(Arc::clone(self.shared.get_or_insert_with(first)));
        Proofs { shared, given: self.given.clone(), ..Proofs::default() }
    }

    /// Begins to read the proofs of a variant. A missing file is looked for each time, unless engines share them; an unsound one is read once.
    pub(super) fn begin(&mut self, tables: &PathChoice, variant: &Arc<Variant>) {
        let is_new = self.fingerprint != variant.fingerprint();
        if is_new {
            (self.fingerprint, self.files) = (variant.fingerprint().to_owned(), Vec::new());
            let given = self.given.iter().find(|(fingerprint, _)| fingerprint == variant.fingerprint());
            if let Some((_, bytes)) = given.filter(|_| *tables != PathChoice::Off) {
                let stop = Stop::default();
                self.found = sound("a given proof", Proof::read_bytes(bytes.clone(), variant, &stop), &stop);
            }
        }
        match &self.shared {
            Some(shared) if is_new => {
                let mut shared = shared.lock().unwrap_or_else(PoisonError::into_inner);
                let files = shared.entry(self.fingerprint.clone()).or_insert_with(|| {
                    let mut files = ProofFiles::new();
                    begin_files(&mut files, tables, variant);
                    files
                });
                self.files.clone_from(files);
            }
            Some(_) => {}
            None => begin_files(&mut self.files, tables, variant),
        }
    }

    /// The proofs of a variant: from its files, and the one that a search has found. A search whose time passes already does without those that
    /// are not read by a part of it.
    pub(super) fn all(
        &mut self,
        tables: &PathChoice,
        variant: &Arc<Variant>,
        request: &SearchRequest,
        stop: &Stop,
    ) -> Vec<Arc<Proof>> {
        self.begin(tables, variant);
        let clock = TimeManager::of(request);
        let hard = clock.hard.filter(|_| request.start.is_some());
        let is_over = || stop.is_set() || hard.is_some_and(|hard| clock.elapsed() >= hard / SHARE_OF_READING);
        let is_of_variant = |proof: &Arc<Proof>| proof.variant().fingerprint() == variant.fingerprint();
        let found = self.found.clone().filter(is_of_variant);
        self.files.iter().filter_map(|(_, reading)| reading.wait(&is_over)).chain(found).collect()
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
