//! Play by proofs: where a game has no table, but a proof of its opening lies in the folder of tables.
//!
//! The proof bounds the length of the win ([`add_facts`]).

use std::collections::HashMap;
use std::fmt;
use std::panic::{self, AssertUnwindSafe};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, SystemTime};

use once_cell::sync::{Lazy, OnceCell};
use privy_protocol::{Bound, Score, Verdict};

use privy_base::path_choice::PathChoice;
use privy_rules::{Game, MovePath, Variant};
use privy_search::proof::{Proof, ProofFileError};
use privy_search::{RootFacts, SearchRequest, Stop};
use privy_tables::chosen_folder;

/// Of the time of a search, this part may pass until proofs are read.
const SHARE_OF_READING: u32 = 2;

/// The proof of a file, once a thread has read and checked it, which takes longer than a move may; nothing of an
/// invalid file.
type Reading = Arc<OnceCell<Option<Arc<Proof>>>>;

/// Files by path and time of their last change.
type Files = HashMap<(PathBuf, Option<SystemTime>), Reading>;

/// The files of the process. Each is read once.
static READ: Lazy<Mutex<Files>> = Lazy::new(Mutex::default);

/// Begins to read the file of a variant, if there is one, unless that has begun.
fn read(tables: &PathChoice, variant: &Arc<Variant>) -> Option<Reading> {
    let path = Proof::path(&chosen_folder(tables).ok()?, variant);
    let changed = path.metadata().ok()?.modified().ok();
    let mut all = READ.lock().unwrap_or_else(PoisonError::into_inner);
    let reading = all.entry((path.clone(), changed)).or_insert_with(|| {
        let reading = Reading::default();
        let (read, variant, stop) = (Arc::clone(&reading), Arc::clone(variant), Stop::default());
        let work = move || sound(path.display(), Proof::read(&path, &variant, &stop), &stop);
        // A panic ends the wait for it, too.
        let work = move || read.set(panic::catch_unwind(AssertUnwindSafe(work)).unwrap_or_default());
        if let Err(error) = thread::Builder::new().name("proof".to_owned()).spawn(work) {
            log::warn!("no thread to read a proof: {error}");
            return Arc::new(OnceCell::with_value(None));
        }
        reading
    });
    Some(Arc::clone(reading))
}

/// Checks a proof that has been read. An invalid one is logged.
fn sound(name: impl fmt::Display, read: Result<Proof, ProofFileError>, stop: &Stop) -> Option<Arc<Proof>> {
    let checked = read
        .map_err(|error| error.to_string())
        .and_then(|proof| proof.check(stop).map(|_| Arc::new(proof)).map_err(|fault| format!("not sound: {fault}")));
    checked.map_err(|error| log::error!("{name}: {error}; searching instead")).ok()
}

/// The proofs of the variant of the last call.
#[derive(Debug, Clone, Default)]
pub(super) struct Proofs {
    fingerprint: String,
    file: Option<Reading>,
    /// True where a missing file is looked for only when the variant changes.
    pub(super) is_settled: bool,
    /// A proof that the engine has found, or has read of those that it was given.
    pub(super) found: Option<Arc<Proof>>,
    /// Contents of files, by the fingerprint of the rules.
    pub(super) given: HashMap<String, Vec<u8>>,
}

impl Proofs {
    /// Forgets what was read and found, but not what was given.
    pub(super) fn forget(&mut self) {
        *self = Proofs { given: std::mem::take(&mut self.given), ..Proofs::default() };
    }

    /// Begins to read the proofs of a variant.
    pub(super) fn begin(&mut self, tables: &PathChoice, variant: &Arc<Variant>) {
        let is_new = self.fingerprint != variant.fingerprint();
        if is_new {
            (self.fingerprint, self.file) = (variant.fingerprint().to_owned(), None);
            let given = self.given.get(variant.fingerprint());
            if let Some(bytes) = given.filter(|_| *tables != PathChoice::Off) {
                let stop = Stop::default();
                self.found = sound("a given proof", Proof::read_bytes(bytes.clone(), variant, &stop), &stop);
            }
        }
        if is_new || !self.is_settled {
            self.file = self.file.take().or_else(|| read(tables, variant));
        }
    }

    /// The proofs of a variant: from its file, and the one that a search has found. A search does without those that
    /// are not read by a part of its time, unless it waits for them.
    pub(super) fn all(
        &mut self,
        tables: &PathChoice,
        variant: &Arc<Variant>,
        request: &SearchRequest,
        stop: &Stop,
    ) -> Vec<Arc<Proof>> {
        self.begin(tables, variant);
        let clock = request.deadline();
        let hard = clock.hard.filter(|_| !request.wait_for_proofs);
        let is_over = || stop.is_set() || hard.is_some_and(|hard| clock.elapsed() >= hard / SHARE_OF_READING);
        let wait = |reading: &Reading| {
            while reading.get().is_none() && !is_over() {
                thread::sleep(Duration::from_millis(1));
            }
            reading.get().cloned().flatten()
        };
        let is_of_variant = |proof: &Arc<Proof>| proof.variant().fingerprint() == variant.fingerprint();
        let found = self.found.clone().filter(is_of_variant);
        self.file.iter().filter_map(wait).chain(found).collect()
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
        facts.add(Verdict::bounded(score, Bound::Upper), pv, is_cut);
    }
}

/// The line of the proof after a move, against its longest resistance. True if it ends before the game: a proof leaves
/// out the last plies.
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
