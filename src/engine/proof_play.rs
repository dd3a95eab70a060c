//! Play by proofs: where a game has no table, but a proof of its opening lies in the folder of tables.
//!
//! The proof bounds the length of the win ([`add_facts`]).

use std::collections::HashMap;
use std::fmt;
use std::path::Path;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use privy_protocol::{Bound, Score};

use privy_base::path_choice::PathChoice;
use privy_rules::{Game, MovePath, Variant};
use privy_search::proof::{Proof, ProofFileError};
use privy_search::{RootFact, RootFacts, SearchRequest, Stop, TimeManager};
use privy_tables::chosen_folder;

/// Of the time of a search, this part may pass until proofs are read.
const SHARE_OF_READING: u32 = 2;

/// The file with the proof of a variant, if it is there.
type ProofFile = Option<Arc<ProofReading>>;

/// The proofs of the variant of the last call.
#[derive(Debug, Default)]
pub(super) struct Proofs {
    fingerprint: String,
    file: ProofFile,
    /// The files of all variants by fingerprint, where engines share them: they are looked for once.
    shared: Option<Arc<Mutex<HashMap<String, ProofFile>>>>,
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

/// Begins to read the file of a variant.
fn begin_file(tables: &PathChoice, variant: &Arc<Variant>) -> ProofFile {
    let path = Proof::path(&chosen_folder(tables).ok()?, variant);
    path.exists().then(|| ProofReading::begin(&path, variant))
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
        let (fingerprint, file) = (self.fingerprint.clone(), self.file.clone());
        let first = || Arc::new(Mutex::new(HashMap::from([(fingerprint, file)])));
        let shared = Some(Arc::clone(self.shared.get_or_insert_with(first)));
        Proofs { shared, given: self.given.clone(), ..Proofs::default() }
    }

    /// Begins to read the proofs of a variant. A missing file is looked for each time, unless engines share them; an unsound one is read once.
    pub(super) fn begin(&mut self, tables: &PathChoice, variant: &Arc<Variant>) {
        let is_new = self.fingerprint != variant.fingerprint();
        if is_new {
            (self.fingerprint, self.file) = (variant.fingerprint().to_owned(), None);
            let given = self.given.iter().find(|(fingerprint, _)| fingerprint == variant.fingerprint());
            if let Some((_, bytes)) = given.filter(|_| *tables != PathChoice::Off) {
                let stop = Stop::default();
                self.found = sound("a given proof", Proof::read_bytes(bytes.clone(), variant, &stop), &stop);
            }
        }
        match &self.shared {
            Some(shared) if is_new => {
                let mut shared = shared.lock().unwrap_or_else(PoisonError::into_inner);
                let file = shared.entry(self.fingerprint.clone()).or_insert_with(|| begin_file(tables, variant));
                self.file.clone_from(file);
            }
            Some(_) => {}
            None => self.file = self.file.take().or_else(|| begin_file(tables, variant)),
        }
    }

    /// The proofs of a variant: from its file, and the one that a search has found. A search whose time passes already does without those that
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
        self.file.iter().filter_map(|reading| reading.wait(&is_over)).chain(found).collect()
    }
}

/// Adds what a proof says of moves of a game.
pub(super) fn add_facts(proof: &Proof, game: &Game, moves: &[MovePath], facts: &mut RootFacts) {
    let (side, winner) = (game.side(), proof.winner());
    let is_in_time = |plies: u32| game.plies_to_limit().is_none_or(|left| plies <= left);
    // The history could invalidate it.
    if !game.seen_twice().is_empty() || winner != side && proof.find_move(game.position()).is_none() {
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
