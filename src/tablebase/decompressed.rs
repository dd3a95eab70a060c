//! A whole table in memory, for work that looks at every position.

use std::sync::Arc;

use rayon::prelude::*;

use crate::board::Point;
use crate::rules::family::for_family;
use crate::rules::{Family, Position, Side, Variant};

use super::TableError;
use super::compression::{CHUNK, Compression, chunk_range, chunks, directory_range, unpack_all};
use super::coverage::Coverage;
use super::header::Coding;
use super::index::Index;
use super::table::{Table, over};
use super::value::Value;

/// Every value of a table, a byte each.
#[derive(Debug)]
pub struct Decompressed {
    variant: Arc<Variant>,
    space: Index,
    coding: Coding,
    coverage: Coverage,
    /// By free jumps, flag and point; empty where the mirror image is asked, or there is no such place.
    places: Vec<Vec<u8>>,
}

impl Decompressed {
    /// Unpacks a table. Takes as many bytes as it has positions with the Rebels to move, and as many again for those that
    /// are not legal.
    ///
    /// # Errors
    /// When the file is damaged.
    pub fn of(table: &Table) -> Result<Decompressed, TableError> {
        let variant = Arc::clone(table.variant());
        let space = *table.space();
        let places = (0..Table::slots(&variant)).into_par_iter().map(|slot| unpack_place(table, &space, slot));
        let places: Result<Vec<Vec<u8>>, TableError> = places.collect();
        Ok(Decompressed { places: places?, coding: table.coding(), coverage: table.coverage(), variant, space })
    }

    /// The variant.
    #[must_use]
    pub fn variant(&self) -> &Arc<Variant> {
        &self.variant
    }

    /// The bytes of a slot, as the file codes values; none where the file has no such section.
    pub(super) fn values(&self, slot: usize) -> &[u8] {
        self.places.get(slot).map_or(&[], Vec::as_slice)
    }

    /// The value of a position with the Rebels to move; none when the table does not cover it.
    #[inline]
    #[must_use]
    pub fn of_rebels(&self, state: &Position) -> Option<Value> {
        if state.rebels().len() > self.coverage.most() {
            return None;
        }
        let slot =
            |state: &Position| Table::slot(&self.variant, state.general(), state.apex_visited(), state.free_jumps());
        let values = self.places.get(slot(state))?;
        let byte = if values.is_empty() {
            let mirrored = self.variant.mirror(state);
            *self.places.get(slot(&mirrored))?.get(self.space.index(mirrored.rebels())?)?
        } else {
            *values.get(self.space.index(state.rebels())?)?
        };
        Some(self.coding.value(byte))
    }

    /// The value of a position that is not over, from its moves; none when the table does not cover it.
    #[inline]
    #[must_use]
    pub fn of_general<F: Family>(&self, state: &Position) -> Option<Value> {
        if state.rebels().len() > self.coverage.most() {
            return None;
        }
        let rules = self.variant.rules();
        let mut best = None;
        rules.general_actions::<F>(state, |action, _| {
            let (next, _) = rules.play_general_move(state, &action);
            let value = match rules.goal_after_general(&next) {
                Some(outcome) => Some(over(outcome, Side::Rebels)),
                None => self.of_rebels(&next),
            };
            best = best.max(value.map(Value::before));
        });
        best
    }

    /// The value of a position that is not over; none when the table does not cover it.
    #[must_use]
    pub fn value(&self, state: &Position) -> Option<Value> {
        match state.side() {
            Side::Rebels => self.of_rebels(state),
            Side::General => for_family!(self.variant.family(), F => self.of_general::<F>(state)),
        }
    }

    /// The states with the Rebels to move that the file holds, mirror images left out: general, flags and number of Rebels
    /// as the file covers them, whether the game is over or not. `weight` is 2 where the mirror image is another state.
    ///
    /// Work is spread over places: `each` is called with an accumulator of its own per place, and these are returned.
    pub fn fold<T: Send>(&self, new: impl Fn() -> T + Sync, each: impl Fn(&mut T, &Position, u64) + Sync) -> Vec<T> {
        let points = self.variant.board().len();
        let ground = self.variant.rules().ground;
        let covered = self.coverage.range();
        (0..self.places.len())
            .into_par_iter()
            .filter(|slot| self.places.get(*slot).is_some_and(|values| !values.is_empty()))
            .map(|slot| {
                let mut sum = new();
                let general = Point::new(slot % points);
                let flags = slot / points;
                for index in 0..self.space.sets() {
                    let rebels = self.space.set(index);
                    let legal =
                        ground.contains_all(rebels) && !rebels.contains(general) && covered.contains(&rebels.len());
                    if legal {
                        let (apex_visited, free_jumps) = (flags % 2 == 1, (flags / 2) as u8);
                        let state = Position::new(rebels, general, Side::Rebels, apex_visited, free_jumps);
                        let twice = self.variant.mirror(&state).general() != general;
                        each(&mut sum, &state, if twice { 2 } else { 1 });
                    }
                }
                sum
            })
            .collect()
    }
}

fn unpack_place(table: &Table, space: &Index, slot: usize) -> Result<Vec<u8>, TableError> {
    let Some((offset, compression)) = table.section(slot) else { return Ok(Vec::new()) };
    let compression: Compression = compression;
    let mut values = vec![0; space.sets()];
    let mut chunk_values = [0; CHUNK];
    for number in 0..chunks(compression.entries()) {
        let first = number * CHUNK;
        let damaged = || TableError::damaged(table.path(), "a chunk is no chunk");
        let directory = table.bytes_of(offset, directory_range(first))?;
        let chunk = table.bytes_of(offset, chunk_range(directory).ok_or_else(damaged)?)?;
        unpack_all(chunk, &mut chunk_values).ok_or_else(damaged)?;
        for (place, value) in chunk_values.iter().enumerate() {
            if let Some(slot) = values.get_mut(compression.index(first + place)) {
                *slot = *value;
            }
        }
    }
    Ok(values)
}
