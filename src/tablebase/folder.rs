//! Where tables are kept.

use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use crate::rules::Variant;

use super::TableError;
use super::build::check_solvable;
use super::table::Table;

/// The ending of table files.
const ENDING: &str = "privy";

/// Where to look for tables.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum TableChoice {
    /// In the user's cache folder.
    #[default]
    Auto,
    /// Nowhere: play without tables.
    Off,
    /// In this folder.
    Folder(PathBuf),
}

impl From<&str> for TableChoice {
    /// Reads `auto`, `off`, or a folder.
    fn from(text: &str) -> TableChoice {
        match text {
            "auto" => TableChoice::Auto,
            "off" => TableChoice::Off,
            folder => TableChoice::Folder(PathBuf::from(folder)),
        }
    }
}

impl fmt::Display for TableChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TableChoice::Auto => f.write_str("auto"),
            TableChoice::Off => f.write_str("off"),
            TableChoice::Folder(folder) => folder.display().fmt(f),
        }
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
    let failed = |error| TableError::system(folder, error);
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(failed(error)),
    };
    let mut files = Vec::new();
    for entry in entries {
        let path = entry.map_err(failed)?.path();
        if path.extension().is_some_and(|ending| ending == ENDING) {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}

/// Tables by variant, opened when they are first asked for. Clones share what is open.
#[derive(Debug, Clone, Default)]
pub struct Tables {
    choice: TableChoice,
    open: Arc<Mutex<Option<Arc<Table>>>>,
}

impl Tables {
    /// Tables from a place. Nothing is opened yet.
    #[must_use]
    pub fn new(choice: TableChoice) -> Tables {
        Tables { choice, open: Arc::default() }
    }

    /// Where tables are looked for.
    #[must_use]
    pub fn choice(&self) -> &TableChoice {
        &self.choice
    }

    /// The folder; none when tables are off.
    ///
    /// # Errors
    /// When the system has no folder for tables.
    pub fn folder(&self) -> Result<Option<PathBuf>, TableError> {
        match &self.choice {
            TableChoice::Auto => default_folder().map(Some),
            TableChoice::Off => Ok(None),
            TableChoice::Folder(folder) => Ok(Some(folder.clone())),
        }
    }

    /// The table of a variant. The one that was asked for last stays open; a missing one is looked for again each time, so
    /// that a table that is made meanwhile is found.
    ///
    /// # Errors
    /// When there is none, or its file is damaged or foreign.
    pub fn find(&self, variant: &Arc<Variant>) -> Result<Arc<Table>, TableError> {
        let mut open = self.open.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        if let Some(table) = open.as_ref().filter(|table| table.variant().fingerprint() == variant.fingerprint()) {
            return Ok(Arc::clone(table));
        }
        let Some(folder) = self.folder()? else { return Err(TableError::Off) };
        check_solvable(variant)?;
        let path = table_path(&folder, variant);
        if !path.exists() {
            return Err(TableError::missing(variant, folder));
        }
        let table = Arc::new(Table::open(&path, variant)?);
        *open = Some(Arc::clone(&table));
        Ok(table)
    }
}
