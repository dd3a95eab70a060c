//! A solve under way: what it shares, its progress, and the checkpoints from which an interrupted one continues: files in the format
//! of tables, beside the table's path.
//!
//! A solve keeps each solved layer (`NAME.privy.resume-07`). What the plies of the layer under way decide goes to a file, too, once it is
//! large (`NAME.privy.plies`), but a run does not continue from it. A checkpoint serves only a solve of the same rules and layers; another one is ignored.

use std::borrow::Cow;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::time::Duration;

use privy_protocol::Instant;

use privy_base::threads::Threads;

use super::error::TableError;
use super::file::{self, CHECKPOINT_MAGIC, Header, TableFile};
use super::interrupt::Interrupt;
use super::memory::MemoryPlan;
use super::numbering::Numbering;

/// Time between two checkpoints of a solve.
pub(super) const CHECKPOINT_INTERVAL: Duration = Duration::from_secs(30);

/// The ending of the path of the log of plies.
const LOG: &str = ".plies";

/// The checkpoints of a solve.
#[derive(Debug, Clone, Copy)]
pub struct Checkpoints<'a> {
    /// The path of the table; a table in memory has no checkpoints.
    pub(super) table: Option<&'a Path>,
    pub(super) numbering: &'a Numbering,
    pub(super) interrupt: &'a Interrupt<'a>,
}

impl Checkpoints<'_> {
    /// The path of a solved layer, by its number of Rebels.
    fn path(&self, rebels: u32) -> Option<PathBuf> {
        self.beside_table(&format!(".resume-{rebels:02}"))
    }

    /// The path of the log of what the plies of a layer decide in the share of a process.
    pub(super) fn path_of_log(&self, process: usize) -> Option<PathBuf> {
        self.beside_table(&if process == 0 { LOG.to_owned() } else { format!("{LOG}-{process}") })
    }

    fn beside_table(&self, ending: &str) -> Option<PathBuf> {
        let table = self.table?;
        let mut name = table.file_name().unwrap_or_default().to_owned();
        name.push(ending);
        Some(table.with_file_name(name))
    }

    /// Writes a layer and returns its file, if there is one, to be synced.
    pub(super) fn write<'b>(
        &self,
        rebels: u32,
        header: Header,
        sections: impl IntoIterator<Item = Result<Cow<'b, [u8]>, TableError>>,
    ) -> Result<Option<File>, TableError> {
        let Some(path) = self.path(rebels) else { return Ok(None) };
        let file = file::create(&path)?;
        let file = file::write_to(file, &path, CHECKPOINT_MAGIC, header, sections, self.interrupt)?;
        file.commit_unsynced().map(Some).map_err(|error| TableError::system(&path, error))
    }

    /// Opens a layer with this number of sections.
    pub(super) fn open(&self, rebels: u32, expected: usize) -> Result<TableFile, TableError> {
        let path = self.path(rebels).ok_or(TableError::Off)?;
        let file = TableFile::open(&path, CHECKPOINT_MAGIC)?;
        let Header { fingerprint, layers, sections, .. } = &file.header;
        let is_of_solve = fingerprint == self.numbering.variant.fingerprint()
            && layers.iter().map(|layer| layer.rebels).eq([rebels])
            && sections.len() == expected;
        if is_of_solve { Ok(file) } else { Err(TableError::foreign(&path, "a checkpoint of another solve")) }
    }

    /// Removes all files. One that can't be removed does no harm: only a solve of the same rules reads it.
    pub(super) fn remove(&self) {
        self.numbering
            .layers
            .iter()
            .filter_map(|rebels| self.path(*rebels))
            .for_each(|path| _ = std::fs::remove_file(path));
        let Some(log) = self.path_of_log(0) else { return };
        let folder = log.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let name = |path: &Path| path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        // An earlier run may have had more processes.
        let beside = std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
        let of_processes = beside.filter(|path| name(path).starts_with(&name(&log)));
        of_processes.for_each(|path| _ = std::fs::remove_file(path));
    }
}

/// A solve under way.
pub struct Solve<'a> {
    pub numbering: Numbering,
    pub memory: MemoryPlan,
    /// The path of the table, if it gets a file.
    pub path: Option<&'a Path>,
    pub start: Instant,
    pub interrupt: Interrupt<'a>,
    pub threads: Threads,
}

impl Solve<'_> {
    pub fn checkpoints(&self) -> Checkpoints<'_> {
        let Solve { path: table, numbering, interrupt, .. } = self;
        Checkpoints { table: *table, numbering, interrupt }
    }
}

/// Progress of a solve.
#[derive(Debug, Clone, Copy)]
pub struct Progress {
    /// The layer under way, by its number of Rebels, where layers are solved one by one.
    pub rebels: Option<u32>,
    /// The last complete ply: all positions decided in that many plies are found.
    pub ply: u32,
    /// Positions decided so far, both sides to move.
    pub decided: u64,
    /// Where this run took over from an interrupted one: all positions with at most this number of Rebels.
    pub resumed_from: Option<u32>,
    /// Bytes of memory in use.
    pub memory: u64,
    /// Bytes sent to other processes of the solve.
    pub sent: u64,
    /// Time since the start.
    pub time: Duration,
}
