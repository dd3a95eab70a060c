//! Where tables are kept.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use crate::atomic_file::process_writing;
use crate::path_choice::PathChoice;
use crate::rules::Variant;

use super::effort::check_size;
use super::error::TableError;
use super::table::Table;

/// The ending of table files.
const ENDING: &str = "privy";

/// In the names of files that a solve keeps on its way.
const BEGUN: &str = ".privy.resume";

/// The folder that is chosen for tables.
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

/// The folder of the user's tables: `privy/tables` in the cache folder of the system (XDG on Linux).
///
/// # Errors
/// When the system has no such folder.
pub fn default_folder() -> Result<PathBuf, TableError> {
    dirs::cache_dir().map(|cache| cache.join("privy").join("tables")).ok_or(TableError::NoFolder)
}

/// The file of a variant's table in a folder. The name holds the fingerprint, so that two variants of one name do not
/// share it.
#[must_use]
pub fn table_path(folder: &Path, variant: &Variant) -> PathBuf {
    folder.join(format!("{}-{}.{ENDING}", variant.id(), variant.fingerprint()))
}

/// The table files of a folder, by name; none when there is no such folder.
///
/// # Errors
/// When the folder can't be read.
pub fn table_files(folder: &Path) -> Result<Vec<PathBuf>, TableError> {
    let mut files = files(folder)?;
    files.retain(|path| path.extension().is_some_and(|ending| ending == ENDING));
    Ok(files)
}

/// What solves keep in a folder on their way, by name: what a later one goes on from.
///
/// # Errors
/// When the folder can't be read.
pub fn begun_files(folder: &Path) -> Result<Vec<PathBuf>, TableError> {
    let mut files = files(folder)?;
    files.retain(|path| path.file_name().is_some_and(|name| name.to_string_lossy().contains(BEGUN)));
    Ok(files)
}

/// Deletes the table of a variant and what a solve of it has kept on its way: the files that were there.
///
/// # Errors
/// When there is none, a solve is at work, or the system refuses.
pub fn delete_table(folder: &Path, variant: &Variant) -> Result<Vec<PathBuf>, TableError> {
    let table = table_path(folder, variant);
    let system = |path: &Path, error| TableError::system(path, error);
    if let Some(process) = process_writing(&table).map_err(|error| system(&table, error))? {
        return Err(TableError::InUse { path: table, process });
    }
    let name = table.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let mut files = begun_files(folder)?;
    files.retain(|path| path.file_name().is_some_and(|begun| begun.to_string_lossy().starts_with(&name)));
    files.extend(table.exists().then_some(table));
    if files.is_empty() {
        return Err(missing(folder, variant));
    }
    files.iter().try_for_each(|path| fs::remove_file(path).map_err(|error| system(path, error)))?;
    Ok(files)
}

/// All files of a folder, by name; none when there is no such folder.
fn files(folder: &Path) -> Result<Vec<PathBuf>, TableError> {
    let failed = |error| TableError::system(folder, error);
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries.map_err(failed)?,
    };
    let paths: Result<Vec<PathBuf>, _> = entries.map(|entry| entry.map(|entry| entry.path())).collect();
    let mut files = paths.map_err(failed)?;
    files.sort();
    Ok(files)
}

/// The file of a variant's table in a folder, which must be there.
///
/// # Errors
/// When there is none, or the folder can't be read.
pub fn find_table(folder: &Path, variant: &Variant) -> Result<PathBuf, TableError> {
    let path = table_path(folder, variant);
    match path.try_exists() {
        Ok(true) => Ok(path),
        Ok(false) => Err(missing(folder, variant)),
        Err(error) => Err(TableError::system(folder, error)),
    }
}

/// There is no table of a variant in a folder.
fn missing(folder: &Path, variant: &Variant) -> TableError {
    let is_builtin = Variant::builtin(variant.id()).is_some_and(|known| known.fingerprint() == variant.fingerprint());
    let what = if is_builtin { variant.id() } else { "FILE" };
    let shown = folder.display();
    let option = match folder.to_string_lossy() {
        _ if default_folder().is_ok_and(|usual| usual == folder) => String::new(),
        text if text.contains(' ') => format!(" --tables \"{shown}\""),
        _ => format!(" --tables {shown}"),
    };
    let command = format!("privy solve {what}{option}");
    TableError::Missing { variant: variant.id().to_owned(), folder: folder.to_owned(), command }
}

/// Tables by variant, opened when they are first asked for. Clones share what is open.
#[derive(Debug, Clone, Default)]
pub struct Tables {
    choice: PathChoice,
    open: Arc<Mutex<Option<Arc<Table>>>>,
}

impl Tables {
    /// Tables from a place. Nothing is opened yet.
    #[must_use]
    pub fn new(choice: PathChoice) -> Tables {
        Tables { choice, open: Arc::default() }
    }

    /// Where tables are looked for.
    #[must_use]
    pub fn choice(&self) -> &PathChoice {
        &self.choice
    }

    /// The table of a variant. The one that was asked for last stays open; a missing one is looked for again each time, so
    /// that a table that is made meanwhile is found.
    ///
    /// # Errors
    /// When there is none, or its file is damaged or foreign.
    pub fn find(&self, variant: &Arc<Variant>) -> Result<Arc<Table>, TableError> {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(table) = open.as_ref().filter(|table| table.variant().fingerprint() == variant.fingerprint()) {
            return Ok(Arc::clone(table));
        }
        let folder = chosen_folder(&self.choice)?;
        let path = match find_table(&folder, variant) {
            // Rather than to advise a solve that can't be: why there is none.
            Err(missing @ TableError::Missing { .. }) => return Err(check_size(variant).err().unwrap_or(missing)),
            found => found?,
        };
        let table = Arc::new(Table::open(&path, variant)?);
        *open = Some(Arc::clone(&table));
        Ok(table)
    }

    /// The table of a variant, if there is one.
    ///
    /// # Errors
    /// When its file is damaged or foreign.
    pub fn find_any(&self, variant: &Arc<Variant>) -> Result<Option<Arc<Table>>, TableError> {
        match self.find(variant) {
            Err(
                TableError::Missing { .. }
                | TableError::Off
                | TableError::Unsolvable(..)
                | TableError::TooLarge { .. }
                | TableError::NoFolder,
            ) => Ok(None),
            found => found.map(Some),
        }
    }
}
