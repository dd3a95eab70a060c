//! Judgements kept in a file, so that a proof in the making can be taken up again.
//!
//! An embedded database: what was committed survives a crash, and a second process is refused. The key is the text of a position, the
//! value has a line for each judgement. Each side to move and number of nodes has a table of its own.

use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::io;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use redb::{Database, DatabaseError, ReadableDatabase, ReadableTable, TableDefinition, TableError};

use crate::atomic_file::{path_beside, remove_unfinished};
use crate::rules::{Position, Variant};

use super::judge::Judgement;
use super::text::JudgementText;

/// What the file says of itself.
const ABOUT: TableDefinition<&str, &str> = TableDefinition::new("about");

/// How often judgements are brought to the disk.
const COMMIT: Duration = Duration::from_secs(2);

/// Why a store can't be used.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// Another process works with it.
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

/// Makes an empty database and leaves it open. It has its name when it is whole: a failure leaves nothing that a later run would trip over.
fn begin(path: &Path) -> Result<Database, StoreError> {
    let system = |error: io::Error| StoreError::Failed(error.to_string());
    loop {
        remove_unfinished(path).map_err(system)?;
        let beside = path_beside(path).map_err(system)?;
        let made = Database::create(&beside);
        // Unlike a new name a link never takes the place of a file that another process has made since.
        let named = if made.is_ok() { fs::hard_link(&beside, path) } else { Ok(()) };
        let _ = fs::remove_file(&beside);
        match (made, named) {
            (Ok(database), Ok(())) => return Ok(database),
            // Before the database was locked another process took it for left over, or still does.
            (Err(DatabaseError::DatabaseAlreadyOpen), _) => {}
            (Ok(_), Err(error)) if error.kind() == io::ErrorKind::NotFound => {}
            (Ok(_), Err(error)) if error.kind() == io::ErrorKind::AlreadyExists => return open(path),
            (Ok(_), Err(error)) => return Err(system(error)),
            (Err(error), _) => return Err(failed(error)),
        }
    }
}

/// Opens the database of an earlier run.
fn open(path: &Path) -> Result<Database, StoreError> {
    Database::open(path).map_err(|error| match error {
        DatabaseError::DatabaseAlreadyOpen => StoreError::InUse,
        error => failed(error),
    })
}

/// The judgements of one game.
#[derive(Debug)]
pub(super) struct Store {
    variant: Arc<Variant>,
    database: Option<Database>,
    /// Not yet on the disk: all judgements of a position by so many nodes.
    waiting: HashMap<(Position, u64), Vec<Judgement>>,
    committed: Instant,
}

/// The table of a position.
fn table_of(position: &Position, nodes: u64) -> String {
    format!("{} {nodes}", position.side().letter())
}

impl Store {
    /// A store that keeps nothing.
    pub(super) fn none(variant: &Arc<Variant>) -> Store {
        Store { variant: Arc::clone(variant), database: None, waiting: HashMap::new(), committed: Instant::now() }
    }

    /// Opens a file, or begins one.
    pub(super) fn open(path: &Path, variant: &Arc<Variant>) -> Result<Store, StoreError> {
        let database = if path.exists() { open(path) } else { begin(path) }?;
        let store = Store { database: Some(database), ..Store::none(variant) };
        store.check_game()?;
        Ok(store)
    }

    /// Is it of the variant? A new one is from now on.
    fn check_game(&self) -> Result<(), StoreError> {
        let Some(database) = &self.database else { return Ok(()) };
        let expected = self.variant.fingerprint();
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
        transaction.commit().map_err(failed)
    }

    /// What was judged of a position with so many nodes, best move first.
    pub(super) fn judgements(&self, position: &Position, nodes: u64) -> Result<Vec<Judgement>, StoreError> {
        if let Some(waiting) = self.waiting.get(&(*position, nodes)) {
            return Ok(waiting.clone());
        }
        let Some(database) = &self.database else { return Ok(Vec::new()) };
        let transaction = database.begin_read().map_err(failed)?;
        let table = match transaction.open_table(TableDefinition::<&str, &str>::new(&table_of(position, nodes))) {
            Err(TableError::TableDoesNotExist(_)) => return Ok(Vec::new()),
            table => table.map_err(failed)?,
        };
        let text = table.get(&*self.variant.position_text(position)).map_err(failed)?;
        Ok(text.map_or_else(Vec::new, |text| self.parse(position, text.value())))
    }

    /// Keeps all judgements of a position.
    pub(super) fn keep(&mut self, position: &Position, nodes: u64, judgements: &[Judgement]) -> Result<(), StoreError> {
        self.keep_until_commit(position, nodes, judgements);
        if self.committed.elapsed() < COMMIT { Ok(()) } else { self.commit() }
    }

    /// The same, and brings nothing to the disk before [`Store::commit`].
    pub(super) fn keep_until_commit(&mut self, position: &Position, nodes: u64, judgements: &[Judgement]) {
        if self.database.is_some() {
            self.waiting.insert((*position, nodes), judgements.to_vec());
        }
    }

    /// Brings what waits to the disk, all of it or nothing.
    pub(super) fn commit(&mut self) -> Result<(), StoreError> {
        let Some(database) = &self.database else { return Ok(()) };
        let mut tables: BTreeMap<String, Vec<(&Position, &[Judgement])>> = BTreeMap::new();
        for ((position, nodes), judgements) in &self.waiting {
            tables.entry(table_of(position, *nodes)).or_default().push((position, judgements));
        }
        let transaction = database.begin_write().map_err(failed)?;
        for (name, waiting) in tables {
            let definition = TableDefinition::<&str, &str>::new(&name);
            let mut table = transaction.open_table(definition).map_err(failed)?;
            for (position, judgements) in waiting {
                let text = self.text(position, judgements);
                table.insert(&*self.variant.position_text(position), &*text).map_err(failed)?;
            }
        }
        transaction.commit().map_err(failed)?;
        self.waiting.clear();
        self.committed = Instant::now();
        Ok(())
    }

    fn text(&self, position: &Position, judgements: &[Judgement]) -> String {
        judgements.iter().map(|judgement| format!("{}\n", judgement.text(&self.variant, position))).collect()
    }

    /// Reads what [`text`](Store::text) has written, up to the first line that says nothing.
    fn parse(&self, position: &Position, text: &str) -> Vec<Judgement> {
        let judgement = |line: &str| {
            let text: JudgementText = line.parse().ok()?;
            Judgement::from_text(&text, &self.variant, position).ok()
        };
        text.lines().map_while(judgement).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::super::text::Verdict;
    use super::*;

    #[test]
    fn of_many_who_begin_one_has_it_and_the_others_are_told() {
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
    fn judgements_come_back_and_another_game_is_refused() {
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
