//! The readers of files, each with every kind of damage, in-process. That each command calls its reader, and names the
//! file in the error, is shown by `files.rs` with processes.
#![cfg(target_os = "linux")]

use std::fmt::Display;
use std::fs;
use std::io::Cursor;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;

use privy_base::path_choice::PathChoice;
use privy_engine::Engine;
use privy_protocol::Stop;
use privy_referee::{Match, MatchFile, OpeningsChoice, OpeningsRequest};
use privy_rules::{BoardFile, Variant, VariantFile};
use privy_search::eval::Weights;
use privy_search::proof::Proof;
use privy_tables::{Table, Tables};

use super::damage::{DAMAGES, Damage, Expected, Kind, Subject, damaged, feed};
use super::files::{IN_TIME, Place};
use crate::support::binary::SMALL_VARIANT;

/// What a reader makes of a file, in words that are the same for the same contents, or its error.
type Read = Result<String, String>;

struct Reader {
    what: &'static str,
    kind: Kind,
    /// The file below the home folder.
    file: &'static str,
    /// Its errors name the file; those of others are named by their callers.
    names_file: bool,
    read: fn(&Path) -> Read,
}

const fn reader(
    what: &'static str,
    kind: Kind,
    file: &'static str,
    names_file: bool,
    read: fn(&Path) -> Read,
) -> Reader {
    Reader { what, kind, file, names_file, read }
}

const READERS: [Reader; 12] = [
    reader("a variant file", Kind::Text("#"), "small.toml", true, variant_file),
    reader("a board file", Kind::Text("#"), "board.toml", true, board_file),
    reader("weights", Kind::Text("#"), "good.weights", true, weights),
    reader("a record as text", Kind::Text(""), "good.record", true, loaded),
    reader("a record as JSON", Kind::Text(""), "good.json", true, loaded),
    reader("a record as SGF", Kind::Text(""), "good.sgf", true, loaded),
    reader("a record as SGF, of half moves", Kind::Text(""), "good.sgf", true, loaded_by_half_moves),
    reader("a list of positions", Kind::Stream("#"), "good.positions", true, openings),
    reader("a proof as text", Kind::Text("#"), "good.proof", false, proof),
    reader("a packed proof", Kind::Binary, "good.proof.zst", false, proof),
    reader("a match file", Kind::Lines, "match.jsonl", true, match_file),
    reader("a table", Kind::Binary, "good.table", true, table),
];

fn small() -> Arc<Variant> {
    Arc::new(Variant::from_file(SMALL_VARIANT.as_ref()).unwrap())
}

fn words(error: impl Display) -> String {
    error.to_string()
}

fn variant_file(path: &Path) -> Read {
    let file = VariantFile::read(path).map_err(words)?;
    let loaded = Variant::from_file(path).map_err(words)?;
    assert_eq!(loaded.fingerprint(), file.variant.fingerprint());
    Ok(format!("{} {} {}", loaded.id(), loaded.heading.title, loaded.fingerprint()))
}

/// A file that is none of a board has the error of a variant file.
fn board_file(path: &Path) -> Read {
    match BoardFile::read(path).map_err(words)? {
        Some(file) => Ok(format!("{} {} {:?}", file.board.id, file.board.len(), file.board.lines)),
        None => variant_file(path),
    }
}

fn weights(path: &Path) -> Read {
    Weights::from_file(path, &small()).map(|weights| format!("{weights:?}")).map_err(words)
}

/// The answers of a session, if all are successes.
fn answers(output: Vec<u8>) -> Read {
    let output = String::from_utf8(output).unwrap();
    if output.lines().any(|line| line.starts_with('?')) { Err(output) } else { Ok(output) }
}

fn loaded(path: &Path) -> Read {
    let lines = format!("variant {SMALL_VARIANT}\nload {} 1\nfen\nhistory\n", path.display());
    let mut output = Vec::new();
    privy_engine::session::run(Engine::new(), Cursor::new(lines), &mut output, |_| {}).unwrap();
    answers(output)
}

fn loaded_by_half_moves(path: &Path) -> Read {
    let lines = format!("loadsgf {}\nfen\n", path.display());
    let mut output = Vec::new();
    privy_gogui::run(Engine::at(small().start()), Cursor::new(lines), &mut output, std::io::sink()).unwrap();
    answers(output)
}

fn openings(path: &Path) -> Read {
    let (variant, tables, stop) = (small(), Tables::new(PathChoice::Off), Stop::default());
    let request = OpeningsRequest { variant: &variant, count: 9, seed: 1, tables: &tables, stop: &stop };
    let found = OpeningsChoice::File(path.to_owned()).pick(&request).map_err(words)?;
    Ok(found.iter().map(|opening| format!("{} {:?}\n", opening.position, opening.moves)).collect())
}

fn proof(path: &Path) -> Read {
    let proof = Proof::read(path, &small(), &Stop::default()).map_err(words)?;
    proof.check(&Stop::default()).map_err(|fault| format!("{fault:?}"))?;
    Ok(format!("{} positions, {:?} plies", proof.positions(), proof.root_plies()))
}

fn match_file(path: &Path) -> Read {
    let (_, games) =
        MatchFile::read(path, |settings| Ok::<_, String>(Match { settings, variant: small(), table: None }))
            .map_err(words)?;
    Ok(format!("{games:?}"))
}

fn table(path: &Path) -> Read {
    let variant = small();
    let table = Table::open(path, &variant).map_err(words)?;
    table.check().map_err(words)?;
    Ok(format!("{:?} {} plies", table.probe(&variant.start()).map_err(words)?, table.max_plies()))
}

impl Reader {
    fn subject(&self) -> Subject {
        Subject { kind: self.kind, is_lenient: self.file.ends_with(".sgf"), is_begun: false }
    }

    /// What is read of a damaged file. `None` if reading panics or does not end.
    fn read(&self, bytes: &[u8], damage: Damage, folder: &Path) -> Option<Read> {
        fs::create_dir_all(folder).unwrap();
        let path = folder.join(self.file);
        damaged(bytes, damage, self.kind, &path);
        let is_ended = AtomicBool::new(false);
        let read = thread::scope(|scope| {
            if damage == Damage::Pipe {
                scope.spawn(|| feed(&path, bytes, &is_ended));
            }
            let (sender, receiver) = mpsc::channel();
            let (read, path) = (self.read, path.clone());
            // Not of the scope: what does not end is not waited for.
            thread::spawn(move || sender.send(read(&path)));
            let read = receiver.recv_timeout(IN_TIME);
            is_ended.store(true, Ordering::Relaxed);
            read
        });
        let is_late = read == Err(RecvTimeoutError::Timeout);
        assert!(!is_late, "{} {damage:?}: reading does not end", self.what);
        fs::remove_dir_all(folder).unwrap();
        read.ok()
    }

    /// What is wrong with the way in which a damaged file is read.
    fn fault(&self, bytes: &[u8], good: &Read, damage: Damage, folder: &Path) -> Option<String> {
        let Some(read) = self.read(bytes, damage, folder) else {
            return Some(format!("{} {damage:?}: panicked", self.what));
        };
        let is_named = read.as_ref().err().is_none_or(|error| !self.names_file || error.contains(self.file));
        let is_right = match self.subject().expected(damage) {
            Expected::Same => read == *good,
            Expected::Refused => read.is_err(),
            Expected::Either => true,
        };
        (!is_named || !is_right).then(|| format!("{} {damage:?}: {read:?}", self.what))
    }
}

#[test]
fn every_damage_of_a_file_is_refused_or_changes_nothing() {
    let place = Place::new();
    let folder = place.folder.join("cache/privy/tables");
    let table = fs::read_dir(folder).unwrap().next().unwrap().unwrap().path();
    fs::copy(table, place.folder.join("good.table")).unwrap();
    let mut faults = Vec::new();
    for reader in &READERS {
        let bytes = fs::read(place.folder.join(reader.file)).unwrap();
        let folder = place.folder.join("damaged");
        let good = reader.read(&bytes, Damage::None, &folder).expect("a good file is read");
        assert!(good.is_ok(), "{}: {good:?}", reader.what);
        faults.extend(DAMAGES.iter().filter_map(|damage| reader.fault(&bytes, &good, *damage, &folder)));
    }
    assert!(faults.is_empty(), "{} faults\n{}", faults.len(), faults.join("\n"));
}
