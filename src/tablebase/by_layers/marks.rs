//! A bit for each position of a layer and state of the General, and how another process is told which are set.

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::board::{Point, PointSet};
use crate::huge_pages::advise;
use crate::tablebase::exchange::take_first;
use crate::tablebase::ranking::Ranking;

/// The sets of a layer and state that are marked, by rank. They take memory while there are any.
#[derive(Debug, Default, Clone)]
pub(super) struct Marks {
    /// A bit for each set, or nothing at all.
    words: Vec<u64>,
    /// How many words are enough for all.
    enough: usize,
}

/// So many words with marks take a thread some milliseconds.
const WORDS_BETWEEN_LOOKS: u32 = 1 << 10;

/// Words with more marks than this are sent whole.
const MOST_SINGLE: u32 = 7;
/// The mark is not the last of its word.
const MORE: u8 = 0x80;

impl Marks {
    /// None of so many positions is marked.
    pub(super) fn new(positions: usize) -> Marks {
        Marks { words: Vec::new(), enough: positions.div_ceil(64) }
    }

    #[inline(always)]
    pub(super) fn contains(&self, rank: usize) -> bool {
        self.words.get(rank / 64).is_some_and(|word| word >> (rank % 64) & 1 != 0)
    }

    #[inline(always)]
    pub(super) fn set(&mut self, rank: usize) {
        if self.words.is_empty() {
            self.make_room();
        }
        self.words[rank / 64] |= 1 << (rank % 64);
    }

    #[cold]
    fn make_room(&mut self) {
        self.words = vec![0; self.enough];
        advise(&mut self.words);
    }

    pub(super) fn clear(&mut self) {
        self.words = Vec::new();
    }

    pub(super) fn count(&self) -> u64 {
        self.words.iter().map(|word| u64::from(word.count_ones())).sum()
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
        for (number, word) in self.words.iter().enumerate().filter(|(_, word)| **word != 0) {
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
        let with_marks = self.words.iter().enumerate().filter(|(_, word)| **word != 0);
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
            if number >= self.enough {
                return Err(io::ErrorKind::InvalidData.into());
            }
            if self.words.is_empty() {
                self.make_room();
            }
            let word = &mut self.words[number];
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
        proptest::collection::vec(word, 0..300).prop_map(|words| Marks { enough: words.len(), words })
    }

    fn marked(marks: &Marks) -> Vec<usize> {
        (0..64 * marks.enough).filter(|rank| marks.contains(*rank)).collect()
    }

    proptest! {
        #[test]
        fn marks_come_back(first in any_marks(), second in any_marks()) {
            let mut message = Vec::new();
            first.write(&mut message);
            second.write(&mut message);
            let mut rest = message.as_slice();
            for marks in [first, second] {
                let mut read = Marks { words: vec![u64::MAX; marks.enough], enough: marks.enough };
                read.read(&mut rest).unwrap();
                prop_assert_eq!(marked(&read), marked(&marks));
            }
            prop_assert!(rest.is_empty());
        }

        #[test]
        fn rubbish_is_refused_or_read(rubbish in proptest::collection::vec(any::<u8>(), 0..100), words in 0usize..50) {
            let _ = Marks::new(64 * words).read(&mut rubbish.as_slice());
        }
    }
}
