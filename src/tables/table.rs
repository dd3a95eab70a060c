//! A table of perfect play, ready to be probed.

use std::cell::Cell;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use privy_base::threads::{map, on_all_cores, try_map};
use privy_protocol::Stop;
use privy_rules::family::Every;
use privy_rules::{Game, MovePath, Position, Side, Variant};

use super::coding::Layer;
use super::error::{NotCovered, TableError};
use super::file::{Header, TABLE_MAGIC, TableFile};
use super::numbering::Numbering;
use super::states::{Coverage, GeneralState};
use super::value::TableValue;

/// The way from a position to its code is a numbering; what follows is the way from the code to its value.
impl Numbering {
    /// The numbering of a table's file.
    fn of_file(path: &Path, header: &Header, variant: &Arc<Variant>) -> Result<Numbering, TableError> {
        if header.fingerprint != variant.fingerprint() {
            let (id, fingerprint) = (variant.id(), variant.fingerprint());
            let reason = format!("a table of {} {}, not of {id} {fingerprint}", header.variant, header.fingerprint);
            return Err(TableError::foreign(path, reason));
        }
        // A table of few Rebels lacks the upper layers.
        let coverage = Coverage::whole(variant).limited(header.most_rebels());
        let is_laid_out = |numbering: &Numbering| {
            header.layers.iter().map(|layer| layer.rebels).eq(numbering.layers.iter().copied())
                && header.sections.len() == numbering.sections()
        };
        Numbering::new(variant, coverage).filter(is_laid_out).ok_or_else(|| {
            let reason = "laid out by another version of the program; solve the variant again";
            TableError::foreign(path, reason)
        })
    }

    #[inline(always)]
    fn value(&self, code: u16) -> TableValue {
        self.settled(self.coding.value(code))
    }

    /// A value for the Rebels, to move, where a draw may mean a repetition that wins.
    #[inline(always)]
    pub(super) fn settled(&self, value: TableValue) -> TableValue {
        match value {
            TableValue::Draw => TableValue::without_end(self.variant.rules().winner_by_repetition, Side::Rebels),
            value => value,
        }
    }

    /// True if the General is in hand, or on the goal from which the game begins, and the table does not hold that: its
    /// moves have the value.
    fn is_before_first_move(&self, position: &Position) -> bool {
        let variant = &self.variant;
        let is_on_goal = variant.rule_set().goal_on_return && position == variant.opening();
        let is_in_hand = !variant.board().has(position.general());
        is_in_hand && !GeneralState::has_general_in_hand(variant) || is_on_goal
    }

    /// The best value of the General's moves; `of_rebels` gives the values of their positions.
    #[inline(always)]
    fn best_of_general<E>(
        &self,
        position: &Position,
        of_rebels: impl Fn(&Position) -> Result<TableValue, E>,
    ) -> Result<TableValue, E> {
        let rules = self.variant.rules();
        // Without a move the game is over.
        let mut best = TableValue::Loss(0);
        let mut failure = None;
        rules.general_actions::<Every>(position, |action, _| {
            let (next, goal) = rules.play_general_move(position, &action);
            match goal.map_or_else(|| of_rebels(&next), |outcome| Ok(TableValue::of_outcome(outcome, Side::Rebels))) {
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
    pub(super) file: TableFile,
    pub(super) numbering: Numbering,
}

impl Table {
    /// Opens a file as the table of a variant. Only header and checksums are read.
    ///
    /// # Errors
    /// When the file is damaged, or is not a table of these rules.
    pub fn open(path: &Path, variant: &Arc<Variant>) -> Result<Table, TableError> {
        Table::read(TableFile::open(path, TABLE_MAGIC)?, variant)
    }

    /// Reads the contents of a file as the table of a variant, as [`Table::open`] does.
    ///
    /// # Errors
    /// When they are damaged, or are not a table of these rules.
    pub fn from_memory(bytes: Vec<u8>, variant: &Arc<Variant>) -> Result<Table, TableError> {
        Table::read(TableFile::in_memory(bytes, Path::new("memory"))?, variant)
    }

    /// The contents of the file.
    ///
    /// # Errors
    /// Those of the system.
    pub fn contents(&self) -> Result<Vec<u8>, TableError> {
        self.file.contents()
    }

    /// Reads a file as the table of a variant.
    pub(super) fn read(file: TableFile, variant: &Arc<Variant>) -> Result<Table, TableError> {
        let numbering = Numbering::of_file(&file.path, &file.header, variant)?;
        Ok(Table { file, numbering })
    }

    /// The variant.
    #[must_use]
    pub fn variant(&self) -> &Arc<Variant> {
        &self.numbering.variant
    }

    /// The file; `memory` for a table of [`solve_in_memory`](crate::solve_in_memory).
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
        self.file.header.max_plies
    }

    /// Won, drawn and lost positions by number of Rebels.
    #[must_use]
    pub fn layers(&self) -> &[Layer] {
        &self.file.header.layers
    }

    /// The most Rebels of a position that is covered, where games have more; `None` when all positions are covered.
    #[must_use]
    pub fn limit(&self) -> Option<u32> {
        self.numbering.coverage.limit()
    }

    /// True if all positions with at most `rebels` Rebels are covered; `None`: all positions.
    ///
    /// # Errors
    /// When no game has that many Rebels, or continues with that few.
    pub fn covers(&self, rebels: Option<u32>) -> Result<bool, TableError> {
        Ok(Coverage::up_to(self.variant(), rebels)?.most() <= self.numbering.coverage.most())
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
    pub fn probe(&self, game: &Game) -> Result<TableValue, TableError> {
        if let Some(outcome) = game.outcome() {
            return Ok(TableValue::of_outcome(outcome, game.side()));
        }
        self.probe_state(game.position())
    }

    /// The value of a position that is not over. Refusing too many Rebels costs next to nothing.
    ///
    /// # Errors
    /// As [`probe`](Table::probe).
    pub fn probe_state(&self, position: &Position) -> Result<TableValue, TableError> {
        self.numbering.check_rebels(position)?;
        match position.side() {
            Side::Rebels if self.numbering.is_before_first_move(position) => {
                let variant = self.variant();
                let value = |path: &MovePath| {
                    let (next, outcome) = variant.play_unchecked(position, path.action());
                    let ended = |outcome| Ok(TableValue::of_outcome(outcome, Side::General));
                    outcome.map_or_else(|| self.probe_state(&next), ended).map(TableValue::before)
                };
                let values = variant.legal_moves(position).iter().map(value).collect::<Result<Vec<_>, TableError>>()?;
                Ok(values.into_iter().max().unwrap_or(TableValue::Loss(0)))
            }
            Side::Rebels => self.look_up(position),
            Side::General => self.numbering.best_of_general(position, |next| self.look_up(next)),
        }
    }

    /// True if this is the value of a position. Cheaper than the value itself where it is not.
    pub(super) fn has_value(&self, game: &Game, value: TableValue) -> Result<bool, TableError> {
        if game.outcome().is_some() || game.side() == Side::Rebels {
            return Ok(self.probe(game)? == value);
        }
        // After a move better than that, the others do not matter.
        let is_better = Cell::new(false);
        let of_rebels = |next: &Position| {
            let found = if is_better.get() { TableValue::Win(0) } else { self.look_up(next)? };
            is_better.set(is_better.get() || found.before() > value);
            Ok(found)
        };
        self.numbering.best_of_general(game.position(), of_rebels).map(|best| best == value)
    }

    fn look_up(&self, position: &Position) -> Result<TableValue, TableError> {
        let (section, rank) = self.numbering.find(position)?;
        Ok(self.numbering.value(self.file.code(section, rank)?))
    }
}

/// Every value of a table in memory, one or two bytes each, for work on every position.
#[derive(Debug)]
pub struct Decompressed {
    numbering: Numbering,
    /// By section and rank, the low and the high bytes of the codes; no high ones in a section where all are 0.
    pub sections: Vec<[Vec<u8>; 2]>,
    stop: Stop,
}

impl Decompressed {
    /// Decompresses a table. Takes a byte, or two where wins are long, for each position with the Rebels to move.
    ///
    /// # Errors
    /// When the file is damaged.
    pub fn of(table: &Table) -> Result<Decompressed, TableError> {
        let numbering = table.numbering.clone();
        let decompressed = |(section, (state, rebels))| {
            let codes = table.file.decompressed(section, numbering.positions(state, rebels))?;
            let is_long = codes.iter().any(|code| *code > u8::MAX.into());
            let high = codes.iter().filter(|_| is_long).map(|code| (code >> 8) as u8).collect();
            Ok::<_, TableError>([codes.iter().map(|code| *code as u8).collect(), high])
        };
        let sections = on_all_cores(|| try_map(numbering.all_sections().enumerate(), decompressed))?;
        Ok(Decompressed { numbering, sections, stop: Stop::default() })
    }

    /// The same values for work that ends once `stop` is set; its results then mean nothing.
    #[must_use]
    pub fn until(self, stop: &Stop) -> Decompressed {
        Decompressed { stop: stop.clone(), ..self }
    }

    /// True once the work has been asked to end.
    #[must_use]
    pub fn is_stopped(&self) -> bool {
        self.stop.is_set()
    }

    /// The variant.
    #[must_use]
    pub fn variant(&self) -> &Arc<Variant> {
        &self.numbering.variant
    }

    #[inline(always)]
    pub(super) fn code(&self, position: &Position) -> Result<u16, NotCovered> {
        let (section, rank) = self.numbering.find(position)?;
        let [low, high] = &self.sections[section];
        Ok(u16::from_le_bytes([low[rank], high.get(rank).copied().unwrap_or(0)]))
    }

    /// The value of a position with the Rebels to move; `None` when the table does not cover it.
    #[inline]
    #[must_use]
    pub fn of_rebels(&self, position: &Position) -> Option<TableValue> {
        self.code(position).map(|code| self.numbering.value(code)).ok()
    }

    /// The value of a position that is not over, from its moves; `None` when the table does not cover it.
    #[inline]
    #[must_use]
    pub fn of_general(&self, position: &Position) -> Option<TableValue> {
        self.numbering.check_rebels(position).ok()?;
        let of_rebels = |next: &Position| self.code(next).map(|code| self.numbering.value(code));
        self.numbering.best_of_general(position, of_rebels).ok()
    }

    /// The value of a position that is not over; `None` when the table does not cover it.
    #[must_use]
    pub fn value(&self, position: &Position) -> Option<TableValue> {
        match position.side() {
            Side::Rebels => self.of_rebels(position),
            Side::General => self.of_general(position),
        }
    }

    /// Folds over the positions with the Rebels to move that the file holds, mirror images left out, those in which the
    /// game is over included: an accumulator per state of the General, in parallel. `each` gets the accumulator, a
    /// position, and its weight: 2 where the mirror image is another position.
    pub fn fold<T: Send>(&self, new: impl Fn() -> T + Sync, each: impl Fn(&mut T, &Position, u64) + Sync) -> Vec<T> {
        let numbering = &self.numbering;
        let of_state = |state: &GeneralState| {
            let (mut sum, weight) = (new(), state.times(&numbering.variant));
            for rebels in &numbering.layers {
                let positions = numbering.positions_from((*state, *rebels), Side::Rebels, 0);
                for position in positions.take_while(|_| !self.is_stopped()) {
                    each(&mut sum, &position, weight);
                }
            }
            sum
        };
        on_all_cores(|| map(&numbering.states.solved, of_state))
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
        let TableFile { header, length: bytes, .. } = TableFile::open(path, TABLE_MAGIC)?;
        let most_rebels = header.most_rebels();
        let Header { variant, fingerprint, max_plies, .. } = header;
        Ok(TableFileInfo { variant, fingerprint, max_plies, bytes, most_rebels })
    }
}
