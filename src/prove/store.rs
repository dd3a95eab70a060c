//! The store of judgements, with which an interrupted search for a proof goes on.
//!
//! An embedded database: committed judgements survive a crash, and a second process is refused. The key is the text of a position,
//! the value a line for each judgement. Each side to move and number of nodes has a table of its own.

use std::collections::HashMap;
use std::fs;
use std::io;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use redb::{Database, DatabaseError, ReadableDatabase, ReadableTable, TableDefinition, TableError};

use crate::atomic_file::{path_beside, remove_unfinished};
use crate::rules::{Position, Variant};

use super::judge::Judgement;
use super::text::parse_judgement;

/// Facts about the file.
const ABOUT: TableDefinition<&str, &str> = TableDefinition::new("about");
/// Time between commits.
const COMMIT: Duration = Duration::from_secs(2);

/// Why a store can't be used.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// Another process has it open.
    #[error("in use by another process")]
    InUse,
    /// It holds judgements of another game.
    #[error("it is of the game with the fingerprint {found}, expected {expected}")]
    OtherGame {
        /// The fingerprint of the variant.
        expected: String,
        /// The fingerprint in the file.
        found: String,
    },
    /// It can't be read or written.
    #[error("{0}")]
    Failed(String),
}

fn failed(error: impl Into<redb::Error>) -> StoreError {
    StoreError::Failed(error.into().to_string())
}

/// Creates and opens an empty database. It gets its name when it is complete, so that a failure leaves nothing behind.
fn create(path: &Path) -> Result<Database, StoreError> {
    let system = |error: io::Error| StoreError::Failed(error.to_string());
    loop {
        remove_unfinished(path).map_err(system)?;
        let beside = path_beside(path).map_err(system)?;
        let made = Database::create(&beside);
        // Unlike a rename, a link never replaces a file that another process has created since.
        let named = if made.is_ok() { fs::hard_link(&beside, path) } else { Ok(()) };
        let _ = fs::remove_file(&beside);
        match (made, named) {
            (Ok(database), Ok(())) => return Ok(database),
            // Another process took the unlocked database for a leftover, or is about to.
            (Err(DatabaseError::DatabaseAlreadyOpen), _) => {}
            (Ok(_), Err(error)) if error.kind() == io::ErrorKind::NotFound => {}
            (Ok(_), Err(error)) if error.kind() == io::ErrorKind::AlreadyExists => return open(path),
            (Ok(_), Err(error)) => return Err(system(error)),
            (Err(error), _) => return Err(failed(error)),
        }
    }
}

fn open(path: &Path) -> Result<Database, StoreError> {
    Database::open(path).map_err(|error| match error {
        DatabaseError::DatabaseAlreadyOpen => StoreError::InUse,
        error => failed(error),
    })
}

/// The judgements of one variant.
#[derive(Debug)]
pub(super) struct Store {
    variant: Arc<Variant>,
    /// None keeps nothing.
    database: Option<Database>,
    /// Judgements not yet on the disk, by position and nodes.
    waiting: HashMap<(Position, u64), Vec<Judgement>>,
    committed: Instant,
}

fn table_name(position: &Position, nodes: u64) -> String {
    format!("{} {nodes}", position.side().letter())
}

impl Store {
    /// A store that keeps nothing.
    pub(super) fn none(variant: &Arc<Variant>) -> Store {
        Store { variant: Arc::clone(variant), database: None, waiting: HashMap::new(), committed: Instant::now() }
    }

    /// Opens a file, or creates one, of a variant.
    pub(super) fn open(path: &Path, variant: &Arc<Variant>) -> Result<Store, StoreError> {
        let database = if path.exists() { open(path) } else { create(path) }?;
        let expected = variant.fingerprint();
        let transaction = database.begin_write().map_err(failed)?;
        {
            let mut about = transaction.open_table(ABOUT).map_err(failed)?;
            let found = about.get("fingerprint").map_err(failed)?.map(|text| text.value().to_owned());
            match found {
                Some(found) if found != expected => {
                    return Err(StoreError::OtherGame { expected: expected.to_owned(), found });
                }
                Some(_) => {}
                None => drop(about.insert("fingerprint", expected).map_err(failed)?),
            }
        }
        transaction.commit().map_err(failed)?;
        Ok(Store { database: Some(database), ..Store::none(variant) })
    }

    /// The judgements of a position by searches of `nodes`, best move first.
    pub(super) fn judgements(&self, position: &Position, nodes: u64) -> Result<Vec<Judgement>, StoreError> {
        if let Some(waiting) = self.waiting.get(&(*position, nodes)) {
            return Ok(waiting.clone());
        }
        let Some(database) = &self.database else { return Ok(Vec::new()) };
        let transaction = database.begin_read().map_err(failed)?;
        let table = match transaction.open_table(TableDefinition::<&str, &str>::new(&table_name(position, nodes))) {
            Err(TableError::TableDoesNotExist(_)) => return Ok(Vec::new()),
            table => table.map_err(failed)?,
        };
        let text = table.get(&*self.variant.position_text(position)).map_err(failed)?;
        // Up to the first line that does not parse.
        let judgement = |line: &str| {
            let text = parse_judgement(line).ok()?;
            Judgement::from_text(&text, &self.variant, position).ok()
        };
        Ok(text.map_or_else(Vec::new, |text| text.value().lines().map_while(judgement).collect()))
    }

    /// Keeps all judgements of a position, and commits now and then.
    pub(super) fn keep(&mut self, position: &Position, nodes: u64, judgements: &[Judgement]) -> Result<(), StoreError> {
        self.keep_until_commit(position, nodes, judgements);
        if self.committed.elapsed() < COMMIT { Ok(()) } else { self.commit() }
    }

    pub(super) fn keep_until_commit(&mut self, position: &Position, nodes: u64, judgements: &[Judgement]) {
        if self.database.is_some() {
            self.waiting.insert((*position, nodes), judgements.to_vec());
        }
    }

    /// Writes the waiting judgements to the disk, all or none.
    pub(super) fn commit(&mut self) -> Result<(), StoreError> {
        let Some(database) = &self.database else { return Ok(()) };
        let transaction = database.begin_write().map_err(failed)?;
        for ((position, nodes), judgements) in &self.waiting {
            let name = table_name(position, *nodes);
            let mut table = transaction.open_table(TableDefinition::<&str, &str>::new(&name)).map_err(failed)?;
            let line = |judgement: &Judgement| format!("{}\n", judgement.text(&self.variant, position));
            let text: String = judgements.iter().map(line).collect();
            table.insert(&*self.variant.position_text(position), &*text).map_err(failed)?;
        }
        transaction.commit().map_err(failed)?;
        self.waiting.clear();
        self.committed = Instant::now();
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::text::Verdict;
    use super::*;

    #[test]
    fn of_several_threads_that_open_a_store_one_gets_it_and_the_others_are_refused() {
        let folder = std::env::temp_dir().join(format!("privy-store-rivals-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        let variant = Variant::builtin("subjugatio").unwrap();
        for round in 0..30 {
            let path = folder.join(round.to_string()).join("store");
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            let opened = std::thread::scope(|scope| {
                let rivals: Vec<_> = (0..8).map(|_| scope.spawn(|| Store::open(&path, &variant))).collect();
                rivals.into_iter().map(|rival| rival.join().unwrap()).collect::<Vec<_>>()
            });
            assert_eq!(opened.iter().filter(|store| store.is_ok()).count(), 1);
            for refused in opened.into_iter().filter_map(Result::err) {
                assert!(matches!(refused, StoreError::InUse), "{refused}");
            }
            assert_eq!(fs::read_dir(path.parent().unwrap()).unwrap().count(), 1);
        }
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn judgements_are_kept_and_another_game_is_refused() {
        let path = std::env::temp_dir().join(format!("privy-store-{}", std::process::id()));
        let _ = std::fs::remove_file(&path);
        let variant = Variant::builtin("subjugatio").unwrap();
        let open = |variant: &Arc<Variant>| Store::open(&path, variant);
        let legal = variant.legal_moves(variant.opening());
        let verdicts = [Verdict::Wins(17), Verdict::Open { hundredths: -250, no_win_within: 9 }, Verdict::Fails];
        let judgements: Vec<Judgement> =
            legal.iter().zip(verdicts).map(|(path, verdict)| Judgement { move_: *path.action(), verdict }).collect();
        assert!(!judgements.is_empty());
        let mut store = open(&variant).unwrap();
        assert!(matches!(open(&variant), Err(StoreError::InUse)));
        store.keep_until_commit(variant.opening(), 1_000, &judgements);
        assert_eq!(store.judgements(variant.opening(), 1_000).unwrap(), judgements);
        store.commit().unwrap();
        drop(store);
        let store = open(&variant).unwrap();
        assert_eq!(store.judgements(variant.opening(), 1_000).unwrap(), judgements);
        assert!(store.judgements(variant.opening(), 2_000).unwrap().is_empty());
        drop(store);
        let free = Variant::builtin("subjugatio-free").unwrap();
        assert!(matches!(open(&free), Err(StoreError::OtherGame { .. })));
        std::fs::remove_file(path).unwrap();
    }
}
