//! Judgements kept in a file, so that a proof in the making can be taken up again.
//!
//! An embedded database: what was committed survives a crash, and a second process is refused. The key is the text of a position, the
//! value has a line for each judgement. Judgements by other numbers of nodes stand in tables of their own.

use std::collections::HashMap;
use std::fs;
use std::io;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use redb::{Database, DatabaseError, ReadableDatabase, ReadableTable, TableDefinition};

use crate::atomic_file::{path_beside, remove_unfinished};
use crate::rules::{Position, Side, Variant};

use super::judge::{Judgement, Verdict};

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

/// Makes an empty database. It has its name when it is whole: a failure leaves nothing that a later run would trip over.
fn begin(path: &Path) -> Result<(), StoreError> {
    let system = |error: io::Error| StoreError::Failed(error.to_string());
    remove_unfinished(path).map_err(system)?;
    let beside = path_beside(path).map_err(system)?;
    let made = Database::create(&beside).map(drop).map_err(failed);
    // Unlike a new name a link never takes the place of a file that another process has made since.
    let named = made.and_then(|()| match fs::hard_link(&beside, path) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => Err(system(error)),
        _ => Ok(()),
    });
    let _ = fs::remove_file(&beside);
    named
}

/// The judgements of one game for one attacker.
#[derive(Debug)]
pub(super) struct Store {
    variant: Arc<Variant>,
    database: Option<Database>,
    table: String,
    /// Not yet on the disk: all judgements of a position.
    waiting: HashMap<Position, Vec<Judgement>>,
    committed: Instant,
}

impl Store {
    /// A store that keeps nothing.
    pub(super) fn none(variant: &Arc<Variant>) -> Store {
        Store {
            variant: Arc::clone(variant),
            database: None,
            table: String::new(),
            waiting: HashMap::new(),
            committed: Instant::now(),
        }
    }

    /// Opens a file, or begins one.
    pub(super) fn open(path: &Path, variant: &Arc<Variant>, attacker: Side, nodes: u64) -> Result<Store, StoreError> {
        if !path.exists() {
            begin(path)?;
        }
        let database = Database::open(path).map_err(|error| match error {
            DatabaseError::DatabaseAlreadyOpen => StoreError::InUse,
            error => failed(error),
        })?;
        let store =
            Store { database: Some(database), table: format!("{} {nodes}", attacker.letter()), ..Store::none(variant) };
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
            transaction.open_table(TableDefinition::<&str, &str>::new(&self.table)).map_err(failed)?;
        }
        transaction.commit().map_err(failed)
    }

    /// What was judged of a position in earlier runs, best move first.
    pub(super) fn judgements(&self, position: &Position) -> Result<Vec<Judgement>, StoreError> {
        let Some(database) = &self.database else { return Ok(Vec::new()) };
        let transaction = database.begin_read().map_err(failed)?;
        let table = transaction.open_table(TableDefinition::<&str, &str>::new(&self.table)).map_err(failed)?;
        let text = table.get(&*self.variant.position_text(position)).map_err(failed)?;
        Ok(text.map_or_else(Vec::new, |text| self.parse(position, text.value())))
    }

    /// Keeps all judgements of a position.
    pub(super) fn keep(&mut self, position: &Position, judgements: &[Judgement]) -> Result<(), StoreError> {
        if self.database.is_none() {
            return Ok(());
        }
        self.waiting.insert(*position, judgements.to_vec());
        if self.committed.elapsed() < COMMIT { Ok(()) } else { self.commit() }
    }

    /// Brings what waits to the disk.
    pub(super) fn commit(&mut self) -> Result<(), StoreError> {
        let Some(database) = &self.database else { return Ok(()) };
        let transaction = database.begin_write().map_err(failed)?;
        {
            let definition = TableDefinition::<&str, &str>::new(&self.table);
            let mut table = transaction.open_table(definition).map_err(failed)?;
            for (position, judgements) in &self.waiting {
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
        let legal = self.variant.legal_moves(position);
        let line = |judgement: &Judgement| -> Option<String> {
            let path = legal.iter().find(|path| *path.action() == judgement.move_)?;
            let verdict = match judgement.verdict {
                Verdict::Wins(plies) => format!("wins {plies}"),
                Verdict::Open { hundredths, no_win_within } => format!("open {hundredths} {no_win_within}"),
                Verdict::Fails => "fails".to_owned(),
            };
            Some(format!("{} {verdict}\n", self.variant.move_text(path)))
        };
        judgements.iter().map_while(line).collect()
    }

    /// Reads what [`text`](Store::text) has written, up to the first line that says nothing.
    fn parse(&self, position: &Position, text: &str) -> Vec<Judgement> {
        let judgement = |line: &str| -> Option<Judgement> {
            let words: Vec<&str> = line.split_ascii_whitespace().collect();
            let (move_, verdict) = words.split_first()?;
            let verdict = match *verdict {
                ["wins", plies] => Verdict::Wins(plies.parse().ok()?),
                ["open", hundredths, plies] => {
                    Verdict::Open { hundredths: hundredths.parse().ok()?, no_win_within: plies.parse().ok()? }
                }
                ["fails"] => Verdict::Fails,
                _ => return None,
            };
            let path = self.variant.find_move(position, &move_.parse().ok()?).ok()?;
            Some(Judgement { move_: *path.action(), verdict })
        };
        text.lines().map_while(judgement).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn judgements_come_back_and_another_game_is_refused() {
        let path = std::env::temp_dir().join(format!("privy-store-{}", std::process::id()));
        let _ = std::fs::remove_file(&path);
        let variant = Variant::builtin("subjugatio").unwrap();
        let open = |variant: &Arc<Variant>| Store::open(&path, variant, Side::General, 1_000);
        let legal = variant.legal_moves(variant.opening());
        let verdicts = [Verdict::Wins(17), Verdict::Open { hundredths: -250, no_win_within: 9 }, Verdict::Fails];
        let judgements: Vec<Judgement> =
            legal.iter().zip(verdicts).map(|(path, verdict)| Judgement { move_: *path.action(), verdict }).collect();
        assert!(!judgements.is_empty());
        let mut store = open(&variant).unwrap();
        assert!(matches!(open(&variant), Err(StoreError::InUse)));
        store.keep(variant.opening(), &judgements).unwrap();
        store.commit().unwrap();
        drop(store);
        assert_eq!(open(&variant).unwrap().judgements(variant.opening()).unwrap(), judgements);
        let other = Store::open(&path, &variant, Side::General, 2_000).unwrap();
        assert!(other.judgements(variant.opening()).unwrap().is_empty());
        drop(other);
        let free = Variant::builtin("subjugatio-free").unwrap();
        assert!(matches!(open(&free), Err(StoreError::OtherGame { .. })));
        std::fs::remove_file(path).unwrap();
    }
}
