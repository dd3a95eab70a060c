//! The positions of a proof in the making, by number: each once, and one of two mirror images.

use std::collections::HashMap;
use std::ops::{Index, IndexMut};

use crate::rules::Position;

/// What is known of positions, by number.
#[derive(Debug)]
pub(super) struct Places<P> {
    all: Vec<P>,
    by_position: HashMap<Position, u32>,
}

impl<P> Places<P> {
    pub(super) fn new() -> Places<P> {
        Places { all: Vec::new(), by_position: HashMap::new() }
    }

    /// The number of a position, which is given the next one if it has none.
    pub(super) fn number(&mut self, position: &Position, new: impl FnOnce() -> P) -> u32 {
        *self.by_position.entry(*position).or_insert_with(|| {
            self.all.push(new());
            self.all.len() as u32 - 1
        })
    }

    pub(super) fn find(&self, position: &Position) -> Option<&P> {
        self.by_position.get(position).map(|place| &self[*place])
    }

    pub(super) fn len(&self) -> usize {
        self.all.len()
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &P> {
        self.all.iter()
    }
}

impl<P> Index<u32> for Places<P> {
    type Output = P;

    fn index(&self, place: u32) -> &P {
        &self.all[place as usize]
    }
}

impl<P> IndexMut<u32> for Places<P> {
    fn index_mut(&mut self, place: u32) -> &mut P {
        &mut self.all[place as usize]
    }
}
