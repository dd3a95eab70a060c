//! Why there is no table, or it says nothing.

use std::io;
use std::path::{Path, PathBuf};

use crate::rules::Variant;

/// Why a table says nothing of a position. Costs nothing to make: a search may ask often.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NotCovered {
    /// Captures can't reach an even number of Rebels from the opening.
    #[error("even number of Rebels")]
    Even,
    /// Captures can't reach an odd number of Rebels from the opening.
    #[error("odd number of Rebels")]
    Odd,
    /// The table was solved for fewer Rebels.
    #[error("{rebels} Rebels; the table covers up to {most}")]
    Rebels {
        /// Those of the position.
        rebels: u32,
        /// The most that are covered.
        most: u32,
    },
    /// Games don't come to the General's point with the position's flags.
    #[error("this position")]
    GeneralState,
}

/// Why there is no table, or it can't be used.
#[derive(Debug, thiserror::Error)]
pub enum TableError {
    /// The variant is of a kind that is not solved.
    #[error("{0} can't be solved: {1}")]
    Unsolvable(String, String),
    /// The variant has more positions than there is memory for.
    #[error(
        "{variant} can't be solved: {rebels} Rebels on {points} points make {positions:.1e} positions, {} GiB of memory{}",
        needed.div_ceil(1 << 10),
        few(*.fits)
    )]
    TooLarge {
        /// The variant's id.
        variant: String,
        /// The most Rebels that were asked for.
        rebels: u32,
        /// Points that Rebels may stand on.
        points: u32,
        /// For each side to move.
        positions: u64,
        /// MiB that the solver would take.
        needed: u64,
        /// The most Rebels with which it takes no more than 16 GiB, and the MiB of these; none where even the fewest take more.
        fits: Option<(u32, u64)>,
    },
    /// There is no file.
    #[error("no table of {variant} in {}; {command} makes one", folder.display())]
    Missing {
        /// The variant's id.
        variant: String,
        /// Where it was looked for.
        folder: PathBuf,
        /// The command that solves the variant into that folder; `FILE` stands for the file of a variant that is not built in.
        command: String,
    },
    /// Tables are switched off.
    #[error("tables are switched off")]
    Off,
    /// The table says nothing of the position.
    #[error(transparent)]
    NotCovered(#[from] NotCovered),
    /// The file is not a whole and sound table.
    #[error("{}: {reason}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// The file is sound but not a table of these rules.
    #[error("{}: {reason}", path.display())]
    Foreign {
        /// The file.
        path: PathBuf,
        /// What it is instead.
        reason: String,
    },
    /// The system refused.
    #[error("{}: {error}", path.display())]
    System {
        /// The file or folder.
        path: PathBuf,
        /// What the system said.
        error: io::Error,
    },
    /// Another process is writing the file.
    #[error("{}: in use by process {process}", path.display())]
    InUse {
        /// The file.
        path: PathBuf,
        /// The id of the process.
        process: u32,
    },
    /// Another process that solved the same game with this one has ended.
    #[error("another process of this solve has ended: {0}; the same command goes on from the last layer")]
    Process(io::Error),
    /// The positions with a number of Rebels take more memory than is allowed. Those with fewer are kept.
    #[error(
        "{variant} needs {needed} MiB for {rebels} Rebels, allowed are {allowed}; with a higher --memory the same command goes on from here"
    )]
    MemoryOfLayer {
        /// The variant's id.
        variant: String,
        /// The number of Rebels.
        rebels: u32,
        /// MiB that the solver takes.
        needed: u64,
        /// MiB that it may take.
        allowed: u64,
    },
    /// The user asked to stop.
    #[error("interrupted; the same command goes on from here")]
    Interrupted,
    /// There is no folder for tables on this system.
    #[error("no folder for tables: neither XDG_CACHE_HOME nor HOME is set; name one with --tables DIR")]
    NoFolder,
    /// A game never has so many Rebels, or is over with so few.
    #[error("value out of range: rebels: expected {least} to {most} for {variant}, found {found}")]
    Rebels {
        /// The variant's id.
        variant: String,
        /// The most Rebels that were asked for.
        found: u32,
        /// The fewest with which a game goes on.
        least: u32,
        /// Those of the opening.
        most: u32,
    },
    /// The solver needs more memory than allowed, whatever is decided in a ply.
    #[error("{variant} needs {least} to {most} MiB, allowed are {allowed}; --memory sets the limit")]
    Memory {
        /// The variant's id.
        variant: String,
        /// MiB that the solver takes at least.
        least: u64,
        /// MiB that it takes at most.
        most: u64,
        /// MiB that it may take.
        allowed: u64,
    },
    /// A ply decides more than the memory that is allowed can hold. What is known by then is kept.
    #[error(
        "{variant} needs more than {allowed} MiB in ply {ply}, and up to {most}; with a higher --memory the same command goes on from here"
    )]
    MemoryOfPly {
        /// The variant's id.
        variant: String,
        /// The ply.
        ply: u32,
        /// MiB that the solver takes at most.
        most: u64,
        /// MiB that it may take.
        allowed: u64,
    },
    /// The table needs more memory than the system gives.
    #[error("{variant} needs {least} to {most} MiB of memory, which the system does not give")]
    NoMemory {
        /// The variant's id.
        variant: String,
        /// MiB that the solver takes at least.
        least: u64,
        /// MiB that it takes at most.
        most: u64,
    },
    /// A ply decides more than the memory that the system gives can hold. What is known by then is kept.
    #[error(
        "{variant} needs up to {most} MiB of memory, which the system does not give in ply {ply}; the same command goes on from here"
    )]
    NoMemoryOfPly {
        /// The variant's id.
        variant: String,
        /// The ply.
        ply: u32,
        /// MiB that the solver takes at most.
        most: u64,
    },
}

/// Memory that a solve may be expected to get, in bytes: a game that takes more is not advised to be solved.
pub(super) const USUAL_MEMORY: u64 = 16 << 30;

/// How the positions with few Rebels are solved.
fn few(fits: Option<(u32, u64)>) -> String {
    fits.map(|(rebels, needed)| format!("; privy solve --rebels {rebels} takes {needed} MiB")).unwrap_or_default()
}

impl TableError {
    /// Wins that take more plies than can be told, and what would tell them.
    pub(super) fn too_long(variant: &Variant, most: u32, cure: &str) -> TableError {
        let reason = format!("some wins take more than {most} plies, the most that its table could tell{cure}");
        TableError::Unsolvable(variant.id().to_owned(), reason)
    }

    pub(super) fn damaged(path: &Path, reason: impl Into<String>) -> TableError {
        TableError::Damaged { path: path.to_owned(), reason: reason.into() }
    }

    pub(super) fn foreign(path: &Path, reason: impl Into<String>) -> TableError {
        TableError::Foreign { path: path.to_owned(), reason: reason.into() }
    }

    pub(super) fn system(path: &Path, error: io::Error) -> TableError {
        TableError::System { path: path.to_owned(), error }
    }
}
