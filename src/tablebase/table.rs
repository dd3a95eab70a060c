//! A table of perfect play, ready to be asked.

use std::path::Path;
use std::sync::Arc;

use crate::board::Point;
use crate::rules::family::for_family;
use crate::rules::{Family, Game, Outcome, Position, Side, Variant};

use super::compression::{Compression, chunk_range, directory_range, unpack};
use super::coverage::Coverage;
use super::file::TableFile;
use super::header::{Coding, Layer, space_of};
use super::index::Index;
use super::value::Value;
use super::{NotCovered, TableError};

/// Where the values of a place stand.
#[derive(Debug, Clone, Copy)]
struct Section {
    offset: u64,
    compression: Compression,
}

/// The table of a variant. It may be asked by several threads at once.
#[derive(Debug)]
pub struct Table {
    variant: Arc<Variant>,
    file: TableFile,
    space: Index,
    coverage: Coverage,
    /// By free jumps, flag and point.
    sections: Vec<Option<Section>>,
}

impl Table {
    /// Opens a file as the table of a variant. Only header and checksums are read.
    ///
    /// # Errors
    /// When the file is damaged, or is not a table of these rules.
    pub fn open(path: &Path, variant: &Arc<Variant>) -> Result<Table, TableError> {
        let file = TableFile::open(path)?;
        let header = &file.header;
        if header.fingerprint != variant.fingerprint() {
            let reason = format!(
                "a table of {} {}, not of {} {}",
                header.variant,
                header.fingerprint,
                variant.id(),
                variant.fingerprint()
            );
            return Err(TableError::foreign(path, reason));
        }
        let space = space_of(variant);
        let ground = variant.rules().ground;
        if (header.points, header.parity, header.coding) != (ground.len(), space.parity(), Coding::of(variant)) {
            return Err(TableError::foreign(
                path,
                "laid out by another version of the program; solve the variant again",
            ));
        }
        let mut sections = vec![None; Table::slots(variant)];
        for section in &header.sections {
            let general = Point::new(section.general);
            let compression = Compression::new(&space, general, ground.contains(general));
            match sections.get_mut(Table::slot(variant, general, section.apex_visited, section.free_jumps)) {
                Some(slot) => *slot = Some(Section { offset: section.offset, compression }),
                None => return Err(TableError::damaged(path, "a section of no place")),
            }
        }
        // What is missing of the layers of the game was left out.
        let most = header.layers.last().map_or(0, |layer| layer.rebels);
        let coverage = Coverage::whole(variant).limited(most);
        Ok(Table { variant: Arc::clone(variant), file, space, coverage, sections })
    }

    pub(super) fn slots(variant: &Variant) -> usize {
        (usize::from(variant.rule_set().free_jumps) + 1) * 2 * variant.board().len()
    }

    pub(super) fn slot(variant: &Variant, general: Point, apex_visited: bool, free_jumps: u8) -> usize {
        let flags = usize::from(free_jumps) * 2 + usize::from(apex_visited);
        flags * variant.board().len() + general.index()
    }

    pub(super) fn space(&self) -> &Index {
        &self.space
    }

    pub(super) fn coverage(&self) -> Coverage {
        self.coverage
    }

    pub(super) fn coding(&self) -> Coding {
        self.file.header.coding
    }

    /// Where the section of a slot begins, and how its index is squeezed.
    pub(super) fn section(&self, slot: usize) -> Option<(u64, Compression)> {
        self.sections.get(slot).copied().flatten().map(|section| (section.offset, section.compression))
    }

    pub(super) fn bytes_of(&self, offset: u64, range: std::ops::Range<usize>) -> Result<&[u8], TableError> {
        self.file.section(offset, range)
    }

    /// The variant.
    #[must_use]
    pub fn variant(&self) -> &Arc<Variant> {
        &self.variant
    }

    /// The file.
    #[must_use]
    pub fn path(&self) -> &Path {
        self.file.path()
    }

    /// Bytes of the file.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.file.len()
    }

    /// The most plies to the end of any position with the Rebels to move.
    #[must_use]
    pub fn max_plies(&self) -> u32 {
        self.file.header.max_plies
    }

    /// How many positions are won, drawn and lost, by number of Rebels.
    #[must_use]
    pub fn layers(&self) -> &[Layer] {
        &self.file.header.layers
    }

    /// The most Rebels of a position that is covered, where games have more; none when all positions are covered.
    #[must_use]
    pub fn limit(&self) -> Option<u32> {
        self.coverage.limit()
    }

    /// Are all positions covered that have at most so many Rebels, or all when no number is given?
    ///
    /// # Errors
    /// When no game has so many Rebels, or goes on with so few.
    pub fn covers(&self, rebels: Option<u32>) -> Result<bool, TableError> {
        Ok(Coverage::up_to(&self.variant, rebels)?.most() <= self.coverage.most())
    }

    /// Compares the whole file with its checksums.
    ///
    /// # Errors
    /// Where the file is damaged.
    pub fn check(&self) -> Result<(), TableError> {
        self.file.check_all()
    }

    /// The value of a position of the variant for the side to move.
    ///
    /// # Errors
    /// When the table does not cover the number of Rebels, or the file turns out to be damaged.
    pub fn probe(&self, position: &Game) -> Result<Value, TableError> {
        if let Some(outcome) = position.outcome() {
            return Ok(over(outcome, position.side()));
        }
        self.probe_state(position.position())
    }

    /// The value of a position that is not over. It costs next to nothing to learn that there are too many Rebels.
    ///
    /// # Errors
    /// As [`probe`](Table::probe).
    pub fn probe_state(&self, state: &Position) -> Result<Value, TableError> {
        let (rebels, most) = (state.rebels().len(), self.coverage.most());
        if rebels > most {
            return Err(NotCovered::Rebels { rebels, most }.into());
        }
        for_family!(self.variant.family(), F => match state.side() {
            Side::Rebels => self.look_up(state),
            Side::General => self.best_of_general::<F>(state),
        })
    }

    fn best_of_general<F: Family>(&self, state: &Position) -> Result<Value, TableError> {
        let rules = self.variant.rules();
        let mut best: Option<Value> = None;
        let mut failure = None;
        rules.general_actions::<F>(state, |action, _| {
            let (next, _) = rules.play_general_move(state, &action);
            let value = match rules.goal_after_general(&next) {
                Some(outcome) => Ok(over(outcome, Side::Rebels)),
                None => self.look_up(&next),
            };
            match value {
                Ok(value) => best = best.max(Some(value.before())),
                Err(error) => failure = Some(error),
            }
        });
        match (failure, best) {
            (Some(error), _) => Err(error),
            (None, Some(best)) => Ok(best),
            // He has no move: the game is over.
            (None, None) => Ok(Value::Loss(0)),
        }
    }

    /// The value of a position with the Rebels to move, as the file has it.
    fn look_up(&self, state: &Position) -> Result<Value, TableError> {
        let Some(index) = self.space.index(state.rebels()) else {
            let is_even = state.rebels().len().is_multiple_of(2);
            return Err(if is_even { NotCovered::Even } else { NotCovered::Odd }.into());
        };
        let section_of = |state: &Position| {
            self.section(Table::slot(&self.variant, state.general(), state.apex_visited(), state.free_jumps()))
        };
        let ((offset, compression), index) = match section_of(state) {
            Some(section) => (section, index),
            None => {
                let mirrored = self.variant.mirror(state);
                let section = section_of(&mirrored).ok_or(NotCovered::GeneralState)?;
                (section, self.space.index(mirrored.rebels()).ok_or(NotCovered::GeneralState)?)
            }
        };
        let entry = compression.entry(index);
        let damaged = || TableError::damaged(self.file.path(), "a chunk is no chunk");
        let directory = self.file.section(offset, directory_range(entry))?;
        let chunk = self.file.section(offset, chunk_range(directory).ok_or_else(damaged)?)?;
        let value = unpack(chunk, entry).ok_or_else(damaged)?;
        Ok(self.coding().value(value))
    }
}

/// What a table file says of itself.
#[derive(Debug, Clone)]
pub struct TableFileInfo {
    /// Id of the variant.
    pub variant: String,
    /// Fingerprint of its rules.
    pub fingerprint: String,
    /// The most plies to the end of any position with the Rebels to move.
    pub max_plies: u32,
    /// Size of the file.
    pub bytes: u64,
    /// The most Rebels of a position that it covers.
    pub most_rebels: u32,
}

impl TableFileInfo {
    /// Reads the header of a file, whatever variant it is of.
    ///
    /// # Errors
    /// When it is no table file, or a damaged one.
    pub fn read(path: &Path) -> Result<TableFileInfo, TableError> {
        let file = TableFile::open(path)?;
        let (variant, fingerprint) = (file.header.variant.clone(), file.header.fingerprint.clone());
        let most_rebels = file.header.layers.last().map_or(0, |layer| layer.rebels);
        Ok(TableFileInfo { variant, fingerprint, max_plies: file.header.max_plies, bytes: file.len(), most_rebels })
    }
}

/// The value of a game that is over, for a side.
pub(super) fn over(outcome: Outcome, side: Side) -> Value {
    match outcome.winner() {
        Some(winner) if winner == side => Value::Win(0),
        Some(_) => Value::Loss(0),
        None => Value::Draw,
    }
}
