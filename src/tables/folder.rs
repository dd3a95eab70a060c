//! The folder of tables.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use privy_base::atomic_file::ensure_unused;
use privy_base::message::shell_word;
use privy_base::path_choice::PathChoice;
use privy_rules::Variant;

use super::error::TableError;
use super::file::Header;
use super::solve::effort;
use super::table::Table;

const EXTENSION: &str = "privy";

/// The chosen folder of tables.
///
/// # Errors
/// When tables are off, or the system has no folder for them.
pub fn chosen_folder(choice: &PathChoice) -> Result<PathBuf, TableError> {
    match choice {
        PathChoice::Auto => default_folder(),
        PathChoice::Off => Err(TableError::Off),
        PathChoice::Path(folder) => Ok(folder.clone()),
    }
}

/// `privy/tables` in the cache folder of the system (XDG on Linux); a browser has none.
fn default_folder() -> Result<PathBuf, TableError> {
    #[cfg(not(target_family = "wasm"))]
    let cache = dirs::cache_dir();
    #[cfg(target_family = "wasm")]
    let cache = None::<PathBuf>;
    cache.map(|cache| cache.join("privy").join("tables")).ok_or(TableError::NoFolder)
}

/// The file of a variant's table in a folder. Its name holds the fingerprint, so that variants of one name have
/// different files.
#[must_use]
pub fn table_path(folder: &Path, variant: &Variant) -> PathBuf {
    folder.join(format!("{}-{}.{EXTENSION}", variant.id(), variant.fingerprint()))
}

/// The table files of a folder, by name; empty when the folder does not exist.
///
/// # Errors
/// When the folder can't be read.
pub fn table_files(folder: &Path) -> Result<Vec<PathBuf>, TableError> {
    files(folder, |path| path.extension().is_some_and(|extension| extension == EXTENSION))
}

/// The checkpoints in a folder, and the unfinished tables that they are of, by name.
///
/// # Errors
/// When the folder can't be read.
pub fn begun_files(folder: &Path) -> Result<Vec<PathBuf>, TableError> {
    // Earlier programs had a checkpoint for each layer.
    let is_checkpoint = |path: &Path| name(path).contains(".privy.resume");
    let is_kept = |path: &Path| name(path).ends_with(".privy.unfinished") && path.with_extension("resume").exists();
    files(folder, |path| is_checkpoint(path) || is_kept(path))
}

/// Deletes the table of a variant and the checkpoints of its solve, and returns their paths.
///
/// # Errors
/// When there is none, a solve is at work, or the system refuses.
pub fn delete_table(folder: &Path, variant: &Variant) -> Result<Vec<PathBuf>, TableError> {
    let table = table_path(folder, variant);
    ensure_unused(&table).map_err(|error| TableError::system(&table, error))?;
    let mut files = begun_files(folder)?;
    files.retain(|path| name(path).starts_with(&name(&table)));
    files.extend(table.exists().then_some(table));
    if files.is_empty() {
        let of_another = |path| TableError::OfAnother(variant.id().to_owned(), path);
        return Err(find_table(folder, variant).map_or_else(|missing| missing, of_another));
    }
    files.iter().try_for_each(|path| fs::remove_file(path).map_err(|error| TableError::system(path, error)))?;
    Ok(files)
}

fn name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// Some files of a folder, by name; empty when the folder does not exist.
fn files(folder: &Path, is_wanted: impl Fn(&PathBuf) -> bool) -> Result<Vec<PathBuf>, TableError> {
    let failed = |error| TableError::system(folder, error);
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries.map_err(failed)?,
    };
    let paths: Result<Vec<PathBuf>, _> = entries.map(|entry| entry.map(|entry| entry.path())).collect();
    let mut files = paths.map_err(failed)?;
    files.retain(is_wanted);
    files.sort();
    Ok(files)
}

/// The file of the table of a variant in a folder: its own, or that of a game of another id with the same rules; the
/// one with the most Rebels.
///
/// # Errors
/// When there is none (and the variant can't be solved, if that is so), or the folder can't be read.
pub fn find_table(folder: &Path, variant: &Variant) -> Result<PathBuf, TableError> {
    existing_table(folder, variant)?.ok_or_else(|| effort(variant).err().unwrap_or_else(|| missing(folder, variant)))
}

fn existing_table(folder: &Path, variant: &Variant) -> Result<Option<PathBuf>, TableError> {
    let (end, own) = (format!("-{}.{EXTENSION}", variant.fingerprint()), table_path(folder, variant));
    let mut files = table_files(folder)?;
    files.retain(|path| name(path).ends_with(&end));
    // Of files that hold as much, or of none that can be read, the game's own.
    let most_rebels = |path: &PathBuf| Header::read(path).ok().map(|header| header.most_rebels());
    Ok(match files.len() {
        0 | 1 => files.pop(),
        _ => files.into_iter().max_by_key(|path| (most_rebels(path), *path == own)),
    })
}

/// There is no table of a variant that can be solved.
fn missing(folder: &Path, variant: &Variant) -> TableError {
    let is_builtin = Variant::builtin(variant.id()).is_some_and(|known| known.fingerprint() == variant.fingerprint());
    let what = match &variant.heading.path {
        _ if is_builtin => variant.id().to_owned(),
        Some(file) => shell_word(file),
        None => "FILE".to_owned(),
    };
    let is_usual = default_folder().is_ok_and(|usual| usual == folder);
    let option = if is_usual { String::new() } else { format!(" --tables {}", shell_word(folder)) };
    let command = format!("privy solve {what}{option}");
    TableError::Missing { variant: variant.id().to_owned(), folder: folder.to_owned(), command }
}

/// A table, or why there is none.
type Found = Result<Arc<Table>, Option<String>>;

/// Tables by variant, opened on first use. Clones share the open table.
#[derive(Debug, Clone, Default)]
pub struct Tables {
    choice: PathChoice,
    keeps: bool,
    /// By fingerprint the last table, or why there is none: that it can't be solved, if that is so. All of them where
    /// they are kept.
    known: Arc<Mutex<Vec<(String, Found)>>>,
}

impl Tables {
    /// Tables of a folder; opens nothing yet.
    #[must_use]
    pub fn new(choice: PathChoice) -> Tables {
        Tables { choice, ..Tables::default() }
    }

    fn known(&self) -> MutexGuard<'_, Vec<(String, Found)>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The same tables, where each variant is looked for once and its table stays open: for many positions of several
    /// games.
    #[must_use]
    pub fn kept(&self) -> Tables {
        let open = self.known().iter().filter(|(_, found)| found.is_ok()).cloned().collect();
        Tables { choice: self.choice.clone(), keeps: true, known: Arc::new(Mutex::new(open)) }
    }

    /// The choice of the folder.
    #[must_use]
    pub fn choice(&self) -> &PathChoice {
        &self.choice
    }

    /// Takes a table that has no file. It is the open one until that of another variant is found.
    pub fn keep_in_memory(&self, table: Table) {
        let fingerprint = table.variant().fingerprint().to_owned();
        self.remember(&mut self.known(), fingerprint, Ok(Arc::new(table)));
    }

    fn remember(&self, known: &mut Vec<(String, Found)>, fingerprint: String, found: Found) {
        known.retain(|(other, before)| *other != fingerprint && (self.keeps || before.is_ok() != found.is_ok()));
        known.push((fingerprint, found));
    }

    /// The table of a variant. The last one stays open. A missing one is searched each time, so that a new table is
    /// found.
    ///
    /// # Errors
    /// When there is none, or its file is damaged or foreign.
    pub fn find(&self, variant: &Arc<Variant>) -> Result<Arc<Table>, TableError> {
        let (mut known, fingerprint) = (self.known(), variant.fingerprint());
        let before = known.iter().find(|(other, _)| other == fingerprint).map(|(_, found)| found.clone());
        let folder = match &before {
            Some(Ok(table)) => return Ok(Arc::clone(table)),
            _ => chosen_folder(&self.choice)?,
        };
        let is_sought = before.is_none() || !self.keeps;
        let path = is_sought.then(|| existing_table(&folder, variant)).transpose()?.flatten();
        let found = match (path, before) {
            (Some(path), _) => Ok(Arc::new(Table::open(&path, variant)?)),
            (None, Some(before)) => before,
            // Searches come here, which have no time to find out the size of the game each time.
            (None, None) => Err(match effort(variant) {
                Err(TableError::Unsolvable(_, reason)) => Some(reason),
                _ => None,
            }),
        };
        self.remember(&mut known, fingerprint.to_owned(), found.clone());
        found.map_err(|reason| match reason {
            Some(reason) => TableError::Unsolvable(variant.id().to_owned(), reason),
            None => missing(&folder, variant),
        })
    }

    /// True if there is a table that has the opening of a variant. No more than headers is read.
    #[must_use]
    pub fn covers_opening(&self, variant: &Variant) -> bool {
        let path = chosen_folder(&self.choice).and_then(|folder| existing_table(&folder, variant)).ok().flatten();
        path.and_then(|path| Header::read(&path).ok()).is_some_and(|header| {
            header.fingerprint == variant.fingerprint() && header.most_rebels() >= variant.opening().rebels().len()
        })
    }

    /// The table of a variant, if there is one.
    ///
    /// # Errors
    /// When its file is damaged or foreign.
    pub fn find_any(&self, variant: &Arc<Variant>) -> Result<Option<Arc<Table>>, TableError> {
        match self.find(variant) {
            Err(TableError::Missing { .. } | TableError::Off | TableError::Unsolvable(..) | TableError::NoFolder) => {
                Ok(None)
            }
            found => found.map(Some),
        }
    }
}
