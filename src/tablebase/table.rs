//! A table of perfect play, ready to be probed.

use std::cell::Cell;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use rayon::prelude::*;

use crate::board::Point;
use crate::rules::family::for_family;
use crate::rules::{Family, Game, Position, Side, Variant};

use super::compression::{chunk_range, decompress, directory_range, value};
use super::error::{NotCovered, TableError};
use super::file::{ChecksummedFile, Header, LAYERED_FORMAT, LONG_FORMAT, SectionHeader, open_table};
use super::general_state::GeneralState;
use super::layout::{Coding, Coverage, Layer, Method, code_of};
use super::numbering::{Entries, Numbering};
use super::value::Value;

#[derive(Debug, Clone, Copy)]
struct SectionOfState {
    number: usize,
    entries: Entries,
    /// It holds the mirror images.
    mirrored: bool,
}

/// The way from a position to its entry in a file.
#[derive(Debug, Clone)]
pub(super) struct Directory {
    pub(super) variant: Arc<Variant>,
    pub(super) numbering: Numbering,
    pub(super) coding: Coding,
    pub(super) coverage: Coverage,
    sections: Vec<Option<SectionOfState>>,
    /// The value for the Rebels, to move, where no side can force an end. Codes call it a draw.
    without_end: Value,
}

impl Directory {
    fn new(path: &Path, header: &Header, variant: &Arc<Variant>) -> Result<Directory, TableError> {
        if header.fingerprint != variant.fingerprint() {
            let (id, fingerprint) = (variant.id(), variant.fingerprint());
            let reason = format!("a table of {} {}, not of {id} {fingerprint}", header.variant, header.fingerprint);
            return Err(TableError::foreign(path, reason));
        }
        let (coding, ground) = (header.coding, variant.rules().ground());
        // A table of few Rebels lacks the upper layers.
        let whole = Coverage::whole(variant);
        let coverage = whole.limited(most_rebels(header));
        let is_layered = [LAYERED_FORMAT, LONG_FORMAT].contains(&header.format);
        let method = if is_layered { Method::ByLayers } else { Method::WholeBoard };
        let numbering = Numbering::new(variant, method, coverage)
            .filter(|_| method == Method::ByLayers || Method::of(variant) == method)
            .filter(|_| (header.points, header.parity) == (ground.len(), whole.parity))
            .filter(|_| coding.form == Coding::of(variant).form);
        let Some(numbering) = numbering else {
            let reason = "laid out by another version of the program; solve the variant again";
            return Err(TableError::foreign(path, reason));
        };
        let mut sections = vec![None; GeneralState::slots(variant).count()];
        for (number, section) in header.sections.iter().enumerate() {
            let general = Point::new(section.general);
            let state = GeneralState { general, apex_visited: section.apex_visited, free_jumps: section.free_jumps };
            let slot = sections.get_mut(state.slot(variant));
            let slot = slot.ok_or_else(|| TableError::damaged(path, "a section of no place"))?;
            let entries = numbering.entries(general, ground.contains(general));
            *slot = Some(SectionOfState { number, entries, mirrored: false });
        }
        for (slot, state) in GeneralState::slots(variant).enumerate() {
            let image = state.image(variant).slot(variant);
            if let (None, Some(section)) = (sections[slot], sections[image]) {
                sections[slot] = Some(SectionOfState { mirrored: true, ..section });
            }
        }
        let without_end = Value::without_end(variant.rules().winner_by_repetition(), Side::Rebels);
        Ok(Directory { variant: Arc::clone(variant), numbering, coding, coverage, sections, without_end })
    }

    /// The states of the General that the file holds, each with the number of states that it stands for.
    pub(super) fn states(&self) -> impl Iterator<Item = (GeneralState, u64)> {
        GeneralState::slots(&self.variant).zip(&self.sections).filter_map(|(state, section)| {
            section.filter(|section| !section.mirrored)?;
            Some((state, state.times(&self.variant)))
        })
    }

    /// Does the file hold a state of the General, or its mirror image?
    pub(super) fn holds(&self, state: GeneralState) -> bool {
        self.sections[state.slot(&self.variant)].is_some()
    }

    /// The position of a state with the set of a number; none where it is not legal or not covered.
    #[inline(always)]
    pub(super) fn position(&self, state: GeneralState, number: usize, side: Side) -> Option<Position> {
        let rebels = self.numbering.set(state.general, number);
        let legal = self.variant.rules().ground().contains_all(rebels)
            && !rebels.contains(state.general)
            && self.coverage.range().contains(&rebels.len());
        legal.then(|| state.position(rebels, side))
    }

    #[inline(always)]
    fn locate(&self, position: &Position) -> Result<(usize, usize), NotCovered> {
        let Some(mut number) = self.numbering.number(position.general(), position.rebels()) else {
            return Err(if position.rebels().len().is_multiple_of(2) { NotCovered::Even } else { NotCovered::Odd });
        };
        let slot = GeneralState::of(position).slot(&self.variant);
        let section = self.sections.get(slot).copied().flatten().ok_or(NotCovered::GeneralState)?;
        if section.mirrored {
            let mirror = self.variant.board().mirror().expect("only mirrored variants have mirrored sections");
            let (general, rebels) = (mirror.point(position.general()), mirror.set(position.rebels()));
            number = self.numbering.number(general, rebels).expect("a mirror image has as many Rebels");
        }
        Ok((section.number, section.entries.of(number)))
    }

    #[inline(always)]
    fn check_rebels(&self, position: &Position) -> Result<(), NotCovered> {
        let (rebels, most) = (position.rebels().len(), self.coverage.most());
        if rebels > most { Err(NotCovered::Rebels { rebels, most }) } else { Ok(()) }
    }

    #[inline(always)]
    fn value(&self, code: u16) -> Value {
        self.settled(self.coding.value(code))
    }

    /// A value for the Rebels, to move, where a draw may mean a repetition that wins.
    #[inline(always)]
    pub(super) fn settled(&self, value: Value) -> Value {
        if value == Value::Draw { self.without_end } else { value }
    }

    /// The best value of the General's moves; `of_rebels` gives the values of their positions.
    #[inline(always)]
    fn best_of_general<F: Family, E>(
        &self,
        position: &Position,
        of_rebels: impl Fn(&Position) -> Result<Value, E>,
    ) -> Result<Value, E> {
        let rules = self.variant.rules();
        // Without a move the game is over.
        let mut best = Value::Loss(0);
        let mut failure = None;
        rules.general_actions::<F>(position, |action, _| {
            let (next, goal) = rules.play_general_move(position, &action);
            match goal.map_or_else(|| of_rebels(&next), |outcome| Ok(Value::of_outcome(outcome, Side::Rebels))) {
                Ok(value) => best = best.max(value.before()),
                Err(error) => failure = Some(error),
            }
        });
        failure.map_or(Ok(best), Err)
    }
}

/// The table of a variant. Several threads may probe it at once.
#[derive(Debug)]
pub struct Table {
    file: ChecksummedFile,
    header: Header,
    pub(super) directory: Directory,
}

impl Table {
    /// Opens a file as the table of a variant. Only header and checksums are read.
    ///
    /// # Errors
    /// When the file is damaged, or is not a table of these rules.
    pub fn open(path: &Path, variant: &Arc<Variant>) -> Result<Table, TableError> {
        let (file, header) = open_table(path)?;
        let directory = Directory::new(path, &header, variant)?;
        Ok(Table { file, header, directory })
    }

    /// The variant.
    #[must_use]
    pub fn variant(&self) -> &Arc<Variant> {
        &self.directory.variant
    }

    /// The file.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.file.path
    }

    /// Bytes of the file.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.file.length
    }

    /// How many times a part of the file has been read into memory.
    #[must_use]
    pub fn reads(&self) -> u64 {
        self.file.reads.load(Ordering::Relaxed)
    }

    /// The most plies to the end of any position with the Rebels to move.
    #[must_use]
    pub fn max_plies(&self) -> u32 {
        self.header.max_plies
    }

    /// Won, drawn and lost positions by number of Rebels.
    #[must_use]
    pub fn layers(&self) -> &[Layer] {
        &self.header.layers
    }

    /// The most Rebels of a position that is covered, where games have more; none when all positions are covered.
    #[must_use]
    pub fn limit(&self) -> Option<u32> {
        self.directory.coverage.limit()
    }

    /// Are all positions with at most `rebels` Rebels covered? None: all positions.
    ///
    /// # Errors
    /// When no game has that many Rebels, or goes on with that few.
    pub fn covers(&self, rebels: Option<u32>) -> Result<bool, TableError> {
        Ok(Coverage::up_to(self.variant(), rebels)?.most() <= self.directory.coverage.most())
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
    pub fn probe(&self, game: &Game) -> Result<Value, TableError> {
        if let Some(outcome) = game.outcome() {
            return Ok(Value::of_outcome(outcome, game.side()));
        }
        self.probe_state(game.position())
    }

    /// The value of a position that is not over. Refusing too many Rebels costs next to nothing.
    ///
    /// # Errors
    /// As [`probe`](Table::probe).
    pub fn probe_state(&self, position: &Position) -> Result<Value, TableError> {
        self.directory.check_rebels(position)?;
        match position.side() {
            Side::Rebels => self.look_up(position),
            Side::General => for_family!(self.variant().family(), F => {
                self.directory.best_of_general::<F, _>(position, |next| self.look_up(next))
            }),
        }
    }

    /// Is this the value of a position? Cheaper than the value itself where it is not.
    pub(super) fn has_value(&self, game: &Game, value: Value) -> Result<bool, TableError> {
        if game.outcome().is_some() || game.side() == Side::Rebels {
            return Ok(self.probe(game)? == value);
        }
        // After a move better than that, the others do not matter.
        let is_better = Cell::new(false);
        let of_rebels = |next: &Position| {
            let found = if is_better.get() { Value::Win(0) } else { self.look_up(next)? };
            is_better.set(is_better.get() || found.before() > value);
            Ok(found)
        };
        for_family!(self.variant().family(), F => {
            self.directory.best_of_general::<F, TableError>(game.position(), of_rebels).map(|best| best == value)
        })
    }

    fn look_up(&self, position: &Position) -> Result<Value, TableError> {
        let (section, entry) = self.directory.locate(position)?;
        let SectionHeader { offset, laps, .. } = self.header.sections[section];
        let byte = self.byte(offset, entry)?;
        let laps = laps.map_or(Ok(0), |laps| self.byte(offset.saturating_add(laps), entry))?;
        Ok(self.directory.value(code_of(byte, laps)))
    }

    /// The byte of an entry of the values or laps that begin `offset` bytes after the header.
    fn byte(&self, offset: u64, entry: usize) -> Result<u8, TableError> {
        let range = chunk_range(&self.file.section(offset, directory_range(entry))?).ok_or_else(|| self.damaged())?;
        value(&self.file.section(offset, range)?, entry).ok_or_else(|| self.damaged())
    }

    #[cold]
    fn damaged(&self) -> TableError {
        TableError::damaged(self.path(), "a chunk is no chunk")
    }
}

/// Every value of a table in memory, one or two bytes each, for work on every position.
#[derive(Debug)]
pub struct Decompressed {
    directory: Directory,
    pub(super) values: Vec<Vec<u8>>,
    /// By section and entry; empty in a section without laps.
    pub(super) laps: Vec<Vec<u8>>,
}

impl Decompressed {
    /// Decompresses a table. Takes a byte, or two where values have laps, for each legal and illegal position with the Rebels to move.
    ///
    /// # Errors
    /// When the file is damaged.
    pub fn of(table: &Table) -> Result<Decompressed, TableError> {
        let directory = table.directory.clone();
        let sections = table.header.sections.par_iter().map(|section| {
            let general = Point::new(section.general);
            let on_ground = table.variant().rules().ground().contains(general);
            let entries = directory.numbering.entries(general, on_ground);
            let bytes = table.file.whole_section(section.offset, section.length)?;
            let from = |first: usize| decompress(bytes.get(first..)?, entries.len);
            let laps = section.laps.map_or(Some(Vec::new()), |first| from(usize::try_from(first).ok()?));
            from(0).zip(laps).ok_or_else(|| table.damaged())
        });
        let (values, laps) = sections.collect::<Result<Vec<_>, TableError>>()?.into_iter().unzip();
        Ok(Decompressed { values, laps, directory })
    }

    /// The variant.
    #[must_use]
    pub fn variant(&self) -> &Arc<Variant> {
        &self.directory.variant
    }

    #[inline(always)]
    pub(super) fn code(&self, position: &Position) -> Result<u16, NotCovered> {
        let (section, entry) = self.directory.locate(position)?;
        let laps = self.laps[section].get(entry).copied().unwrap_or(0);
        Ok(code_of(self.values[section][entry], laps))
    }

    /// The value of a position with the Rebels to move; none when the table does not cover it.
    #[inline]
    #[must_use]
    pub fn of_rebels(&self, position: &Position) -> Option<Value> {
        self.directory.check_rebels(position).ok()?;
        self.code(position).map(|code| self.directory.value(code)).ok()
    }

    /// The value of a position that is not over, from its moves; none when the table does not cover it.
    #[inline]
    #[must_use]
    pub fn of_general<F: Family>(&self, position: &Position) -> Option<Value> {
        self.directory.check_rebels(position).ok()?;
        let of_rebels = |next: &Position| self.code(next).map(|code| self.directory.value(code));
        self.directory.best_of_general::<F, _>(position, of_rebels).ok()
    }

    /// The value of a position that is not over; none when the table does not cover it.
    #[must_use]
    pub fn value(&self, position: &Position) -> Option<Value> {
        match position.side() {
            Side::Rebels => self.of_rebels(position),
            Side::General => for_family!(self.variant().family(), F => self.of_general::<F>(position)),
        }
    }

    /// Folds over the positions with the Rebels to move that the file holds, mirror images left out, those in which the game is over
    /// included: an accumulator per state of the General, in parallel. `each` gets the accumulator, a position, and its weight: 2 where
    /// the mirror image is another position.
    pub fn fold<T: Send>(&self, new: impl Fn() -> T + Sync, each: impl Fn(&mut T, &Position, u64) + Sync) -> Vec<T> {
        let directory = &self.directory;
        let states: Vec<(GeneralState, u64)> = directory.states().collect();
        let sums = states.into_par_iter().map(|(state, weight)| {
            let mut sum = new();
            let numbers = 0..directory.numbering.len(state.general);
            for position in numbers.filter_map(|number| directory.position(state, number, Side::Rebels)) {
                each(&mut sum, &position, weight);
            }
            sum
        });
        sums.collect()
    }
}

/// The header of a table file.
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
    /// Reads the header of a table of any variant.
    ///
    /// # Errors
    /// When the file is not a table, or damaged.
    pub fn read(path: &Path) -> Result<TableFileInfo, TableError> {
        let (file, header) = open_table(path)?;
        let most_rebels = most_rebels(&header);
        let Header { variant, fingerprint, max_plies, .. } = header;
        Ok(TableFileInfo { variant, fingerprint, max_plies, bytes: file.length, most_rebels })
    }
}

fn most_rebels(header: &Header) -> u32 {
    header.layers.last().map_or(0, |layer| layer.rebels)
}
