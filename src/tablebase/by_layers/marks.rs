//! A bit for each position of a layer and state of the General, and how another process is told which are set.

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::board::{Point, PointSet};
use crate::huge_pages::vec_of;
use crate::tablebase::exchange::take_first;
use crate::tablebase::ranking::Ranking;

/// The sets of a layer and state that are marked, by rank.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(super) struct Marks(Vec<u64>);

/// So many words with marks take a thread some milliseconds.
const WORDS_BETWEEN_LOOKS: u32 = 1 << 10;

/// Words with more marks than this are sent whole.
const MOST_SINGLE: u32 = 7;
/// The mark is not the last of its word.
const MORE: u8 = 0x80;

impl Marks {
    /// None of so many positions is marked.
    pub(super) fn new(positions: usize) -> Marks {
        Marks(vec_of(0, positions.div_ceil(64)))
    }

    #[inline(always)]
    pub(super) fn set(&mut self, rank: usize) {
        self.0[rank / 64] |= 1 << (rank % 64);
    }

    pub(super) fn clear(&mut self) {
        self.0.fill(0);
    }

    pub(super) fn count(&self) -> u64 {
        self.0.iter().map(|word| u64::from(word.count_ones())).sum()
    }

    /// Calls `each` with every set that is marked, until `stop` is set.
    #[inline(always)]
    pub(super) fn for_each(
        &self,
        ranking: &Ranking,
        general: Point,
        rebels: u32,
        stop: &AtomicBool,
        mut each: impl FnMut(PointSet),
    ) {
        let mut visited = 0u32;
        for (number, word) in self.0.iter().enumerate().filter(|(_, word)| **word != 0) {
            visited += 1;
            if visited.is_multiple_of(WORDS_BETWEEN_LOOKS) && stop.load(Ordering::Relaxed) {
                return;
            }
            let first = number * 64 + word.trailing_zeros() as usize;
            let mut rest = word >> word.trailing_zeros();
            for set in ranking.sets_from(general, ranking.set_of_rank(general, rebels, first)) {
                if rest & 1 != 0 {
                    each(set);
                }
                rest >>= 1;
                if rest == 0 {
                    break;
                }
            }
        }
    }

    /// Appends the marks to a message: for each word with marks, how many without went before it, and the word itself or, where
    /// they are few, the number of each mark in it.
    pub(super) fn write(&self, message: &mut Vec<u8>) {
        let with_marks = self.0.iter().enumerate().filter(|(_, word)| **word != 0);
        message.extend((with_marks.clone().count() as u64).to_le_bytes());
        let mut next = 0;
        for (number, word) in with_marks {
            let is_whole = word.count_ones() > MOST_SINGLE;
            write_short((number - next) as u64 * 2 + u64::from(is_whole), message);
            next = number + 1;
            if is_whole {
                message.extend(word.to_le_bytes());
                continue;
            }
            let mut rest = *word;
            while rest != 0 {
                let mark = rest.trailing_zeros() as u8;
                rest &= rest - 1;
                message.push(if rest == 0 { mark } else { mark | MORE });
            }
        }
    }

    /// Takes marks off a message, in place of those that are here.
    pub(super) fn read(&mut self, message: &mut &[u8]) -> io::Result<()> {
        self.clear();
        let mut next = 0usize;
        for _ in 0..u64::from_le_bytes(*take_first(message)?) {
            let head = read_short(message)?;
            let number = next.saturating_add((head / 2) as usize);
            let word = self.0.get_mut(number).ok_or(io::ErrorKind::InvalidData)?;
            next = number + 1;
            if head % 2 == 1 {
                *word = u64::from_le_bytes(*take_first(message)?);
                continue;
            }
            loop {
                let [mark] = *take_first(message)?;
                *word |= 1 << (mark & 63);
                if mark & MORE == 0 {
                    break;
                }
            }
        }
        Ok(())
    }
}

/// Seven bits a byte, the lowest first.
fn write_short(mut number: u64, message: &mut Vec<u8>) {
    while number >= 0x80 {
        message.push(number as u8 | 0x80);
        number >>= 7;
    }
    message.push(number as u8);
}

fn read_short(message: &mut &[u8]) -> io::Result<u64> {
    let mut number = 0;
    for shift in (0..64).step_by(7) {
        let [byte] = *take_first(message)?;
        number |= u64::from(byte & 0x7f) << shift;
        if byte & 0x80 == 0 {
            return Ok(number);
        }
    }
    Err(io::ErrorKind::InvalidData.into())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn any_marks() -> impl Strategy<Value = Marks> {
        let word = prop_oneof![3 => Just(0), 1 => any::<u64>(), 1 => (0..64u32).prop_map(|bit| 1 << bit)];
        proptest::collection::vec(word, 0..300).prop_map(Marks)
    }

    proptest! {
        #[test]
        fn marks_come_back(first in any_marks(), second in any_marks()) {
            let mut message = Vec::new();
            first.write(&mut message);
            second.write(&mut message);
            let mut rest = message.as_slice();
            for marks in [first, second] {
                let mut read = Marks(vec![u64::MAX; marks.0.len()]);
                read.read(&mut rest).unwrap();
                prop_assert_eq!(read, marks);
            }
            prop_assert!(rest.is_empty());
        }

        #[test]
        fn rubbish_is_refused_or_read(rubbish in proptest::collection::vec(any::<u8>(), 0..100), words in 0usize..50) {
            let _ = Marks(vec![0; words]).read(&mut rubbish.as_slice());
        }
    }
}
