//! A table of perfect play, ready to be probed.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use privy_base::threads::{map, on_all_cores};
use privy_protocol::Stop;
use privy_rules::family::Every;
use privy_rules::{Game, MovePath, Position, Side, Variant};

use super::coding::Layer;
use super::error::TableError;
use super::file::TableFile;
use super::numbering::Numbering;
use super::states::{GeneralState, layers};
use super::value::TableValue;

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
        Table::read(TableFile::open(path)?, variant)
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
        let foreign = |reason: String| TableError::unusable(&file.path, reason);
        let header = &file.header;
        if header.fingerprint != variant.fingerprint() {
            let (id, fingerprint) = (variant.id(), variant.fingerprint());
            let reason = format!("a table of {} {}, not of {id} {fingerprint}", header.variant, header.fingerprint);
            return Err(foreign(reason));
        }
        // A table of few Rebels lacks the upper layers.
        let mut layers = layers(variant, None)?;
        layers.retain(|rebels| *rebels <= header.most_rebels());
        let is_laid_out = |numbering: &Numbering| {
            header.layers.iter().map(|layer| layer.rebels).eq(numbering.layers.iter().copied())
                && header.sections.len() == numbering.sections()
        };
        let numbering = Numbering::new(variant, layers).filter(is_laid_out);
        let other_layout = || foreign("laid out by another version of the program; solve the variant again".to_owned());
        Ok(Table { numbering: numbering.ok_or_else(other_layout)?, file })
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
        self.file.header.bytes
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
        let most = self.numbering.most();
        (most < self.variant().opening().rebels_left()).then_some(most)
    }

    /// True if all positions with at most `rebels` Rebels are covered; `None`: all positions.
    ///
    /// # Errors
    /// When no game has that many Rebels, or continues with that few.
    pub fn covers(&self, rebels: Option<u32>) -> Result<bool, TableError> {
        Ok(layers(self.variant(), rebels)?.last() <= self.numbering.layers.last())
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
            Side::Rebels if self.is_before_first_move(position) => {
                let moves = self.variant().legal_moves(position);
                let values = moves.iter().map(|path| Ok(self.after(position, path)?.1));
                Ok(values.collect::<Result<Vec<_>, TableError>>()?.into_iter().max().unwrap_or(TableValue::Loss(0)))
            }
            Side::Rebels => self.look_up(position),
            Side::General => self.best_of_general(position),
        }
    }

    /// The legal moves of a position, in their order, and their values for the side that makes them, the move counted.
    ///
    /// # Errors
    /// When the table does not cover the position or its file is damaged.
    pub fn values(&self, position: &Game) -> Result<Vec<(MovePath, TableValue)>, TableError> {
        let valued = |move_: MovePath| {
            let value = self.probe(&position.after(&move_))?.before();
            Ok((move_, value))
        };
        position.legal_moves().into_iter().map(valued).collect()
    }

    /// The texts of the legal moves with their values for the side to move, best first, equal ones by text.
    ///
    /// # Errors
    /// As [`values`](Table::values).
    pub fn values_by_text(&self, position: &Game) -> Result<Vec<(String, TableValue)>, TableError> {
        let valued = self.values(position)?;
        let mut moves: Vec<_> = valued.iter().map(|(move_, value)| (position.move_text(move_), *value)).collect();
        moves.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
        Ok(moves)
    }

    /// The position after a legal move, and the value of the move for the side that makes it.
    ///
    /// # Errors
    /// As [`probe`](Table::probe).
    pub fn after(&self, position: &Position, path: &MovePath) -> Result<(Position, TableValue), TableError> {
        let (next, outcome) = self.variant().play_unchecked(position, path.action());
        let value = match outcome {
            Some(outcome) => TableValue::of_outcome(outcome, next.side()),
            None => self.probe_state(&next)?,
        };
        Ok((next, value.before()))
    }

    /// True if the General is in hand, or on the goal from which the game begins, and the table does not hold that: its
    /// moves have the value.
    fn is_before_first_move(&self, position: &Position) -> bool {
        let variant = self.variant();
        let is_on_goal = variant.rule_set().goal_on_return && position == variant.opening();
        let is_in_hand = !variant.board().has(position.general());
        is_in_hand && !GeneralState::has_general_in_hand(variant) || is_on_goal
    }

    /// The best value of the General's moves in a position that is not over.
    #[inline(always)]
    pub(super) fn best_of_general(&self, position: &Position) -> Result<TableValue, TableError> {
        let rules = self.variant().rules();
        // Without a move the game is over.
        let (mut best, mut failure) = (TableValue::Loss(0).rank(), None);
        rules.general_actions::<Every>(position, |action, _| {
            let (next, goal) = rules.play_general_move(position, &action);
            let won = |outcome| Ok(TableValue::of_outcome(outcome, Side::Rebels));
            match goal.map_or_else(|| self.look_up(&next), won) {
                Ok(value) => best = best.max(value.before().rank()),
                Err(error) => failure = Some(error),
            }
        });
        failure.map_or_else(|| Ok(TableValue::of_rank(best)), Err)
    }

    /// The stored value of a position with the Rebels to move.
    #[inline(always)]
    pub(super) fn look_up(&self, position: &Position) -> Result<TableValue, TableError> {
        let (section, rank) = self.numbering.find(position)?;
        Ok(match self.numbering.coding.value(self.file.code(section, rank)?) {
            // A draw may mean a repetition that wins.
            TableValue::Draw => match self.variant().rules().winner_by_repetition {
                None => TableValue::Draw,
                Some(Side::Rebels) => TableValue::WinByRepetition,
                Some(Side::General) => TableValue::LossByRepetition,
            },
            value => value,
        })
    }

    /// Folds over the positions with the Rebels to move that the file holds, mirror images left out, those in which the
    /// game is over included: an accumulator per state of the General, in parallel. `each` gets the accumulator, a
    /// position, and its weight: 2 where the mirror image is another position. Once `stop` is set the results mean
    /// nothing.
    pub fn fold<T: Send>(
        &self,
        stop: &Stop,
        new: impl Fn() -> T + Sync,
        each: impl Fn(&mut T, &Position, u64) + Sync,
    ) -> Vec<T> {
        let numbering = &self.numbering;
        let of_state = |state: &GeneralState| {
            let (mut sum, weight) = (new(), state.times(&numbering.variant));
            for rebels in &numbering.layers {
                let positions = numbering.positions_from((*state, *rebels), Side::Rebels, 0);
                positions.take_while(|_| !stop.is_set()).for_each(|position| each(&mut sum, &position, weight));
            }
            sum
        };
        on_all_cores(|| map(&numbering.states, of_state))
    }
}
