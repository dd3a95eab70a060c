//! What moves do to the low parts of a row: from set to set where there are few, else a word of sets at a time.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use privy_base::cpu::FastBits;

use super::split::{Shape, Split};
use super::word_moves::WordMove;

/// For each low part, by number, some others.
#[derive(Debug, Default)]
struct Lists {
    starts: Vec<u32>,
    numbers: Vec<u16>,
}

impl Lists {
    fn of(lists: impl Iterator<Item = Vec<u16>>) -> Lists {
        let mut all = Lists { starts: vec![0], numbers: Vec::new() };
        for list in lists {
            all.numbers.extend(list);
            all.starts.push(all.numbers.len() as u32);
        }
        all
    }

    #[inline(always)]
    fn of_number(&self, number: usize) -> &[u16] {
        &self.numbers[self.starts[number] as usize..self.starts[number + 1] as usize]
    }
}

/// Which moves of low parts, whatever the high part.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct KindOfLowMoves {
    /// The shapes before and after.
    pub(super) ends: [Shape; 2],
    /// The low part after a move is the mirror image.
    pub(super) mirrored: bool,
    /// For each move the places that hold Rebels, those that are empty, and those of them that change.
    pub(super) lows: Vec<[u32; 3]>,
}

/// The moves that have been compiled.
#[derive(Debug, Default)]
pub(super) struct KnownLowMoves(Mutex<HashMap<KindOfLowMoves, Arc<LowMoves>>>);

impl KnownLowMoves {
    /// Moves of a kind, for layers of `most` Rebels and fewer.
    pub(super) fn of(&self, split: &Split, most: u32, kind: KindOfLowMoves) -> Arc<LowMoves> {
        let known = |kind: &KindOfLowMoves| self.0.lock().unwrap_or_else(PoisonError::into_inner).get(kind).cloned();
        let kind = KindOfLowMoves { ends: kind.ends.map(|shape| shape.of_low_parts()), ..kind };
        known(&kind).unwrap_or_else(|| {
            let moves = Arc::new(LowMoves::compile(split, most, &kind));
            self.0.lock().unwrap_or_else(PoisonError::into_inner).entry(kind).or_insert(moves).clone()
        })
    }
}

/// Moves of low parts, by number of Rebels on low places before them.
#[derive(Debug)]
pub(super) struct LowMoves {
    /// From each low part to those after it, and back.
    onto: Vec<Lists>,
    back: Vec<Lists>,
    /// The same by words, one move after the other, where the processor is quick at it.
    by_words: Option<(FastBits, Vec<Vec<WordMove>>)>,
}

/// A set takes the time of so many moves of a word.
const MOVES_PER_SET: usize = 2;

impl LowMoves {
    fn compile(
        split: &Split,
        most: u32,
        KindOfLowMoves { ends: [from, to], mirrored, lows }: &KindOfLowMoves,
    ) -> LowMoves {
        // As many Rebels come onto low places as by any other of these moves.
        let [set, clear, flip] = lows[0];
        let count_after = |ones: u32| {
            let after = (ones + (flip & clear).count_ones()).checked_sub((flip & set).count_ones());
            after.filter(|after| *after <= to.places.low).map_or(0, |after| split.lows(to, after).count())
        };
        let after = |low: u32, [set, clear, flip]: [u32; 3]| {
            let moved = if *mirrored { split.mirrored_low(low ^ flip) } else { low ^ flip };
            (low & set == set && low & clear == 0).then(|| split.low_number(to, moved)).flatten()
        };
        let all_ones = 0..=from.places.low.min(most);
        let lists = |ones: u32| {
            let onto = |low: u32| lows.iter().filter_map(|move_| after(low, *move_)).collect();
            let lists: Vec<Vec<u16>> = split.lows(from, ones).map(onto).collect();
            let mut back = vec![Vec::new(); count_after(ones)];
            for (number, list) in (0..).zip(&lists) {
                list.iter().for_each(|moved| back[usize::from(*moved)].push(number));
            }
            (Lists::of(lists.into_iter()), Lists::of(back.into_iter()))
        };
        let words = |ones: u32| -> Vec<WordMove> {
            let onto = |move_: &[u32; 3]| split.lows(from, ones).map(|low| after(low, *move_)).collect();
            lows.iter().map(|move_| WordMove::new(onto(move_), count_after(ones))).collect()
        };
        // Mirror images stand in another order.
        let fast = FastBits::detect().filter(|_| !mirrored);
        let by_words = fast.map(|fast| (fast, all_ones.clone().map(words).collect()));
        let (onto, back) = all_ones.map(lists).unzip();
        LowMoves { onto, back, by_words }
    }

    /// The moves by words, if this takes less time for so many sets of a word.
    #[inline(always)]
    fn words(&self, ones: u32, sets: u64) -> Option<(FastBits, &[WordMove])> {
        let (fast, moves) = self.by_words.as_ref()?;
        let moves = &moves[ones as usize];
        (moves.len() <= MOVES_PER_SET * sets.count_ones() as usize).then_some((*fast, moves))
    }

    /// Adds to `into` the sets of a row from which a move leads to one of some sets of a word of the row after it.
    #[inline(always)]
    pub(super) fn add_before(&self, ones: u32, word: usize, mut sets: u64, into: &mut [u64]) {
        if let Some((fast, moves)) = self.words(ones, sets) {
            for move_ in moves {
                move_.before(fast, word, sets, |word, sets| into[word] |= sets);
            }
            return;
        }
        let back = &self.back[ones as usize];
        while sets != 0 {
            for before in back.of_number(word * 64 + sets.trailing_zeros() as usize) {
                into[usize::from(before / 64)] |= 1 << (before % 64);
            }
            sets &= sets - 1;
        }
    }

    /// Those of some sets of a word from which a move leads to one of a row.
    #[inline(always)]
    pub(super) fn leading_to(&self, ones: u32, row: &[u64], word: usize, sets: u64) -> u64 {
        let mut found = 0;
        if let Some((fast, moves)) = self.words(ones, sets) {
            for move_ in moves {
                found |= move_.leading_to(fast, row, word);
                if sets & !found == 0 {
                    break;
                }
            }
            return sets & found;
        }
        let (onto, mut rest) = (&self.onto[ones as usize], sets);
        while rest != 0 {
            for after in onto.of_number(word * 64 + rest.trailing_zeros() as usize) {
                if row[usize::from(after / 64)] >> (after % 64) & 1 != 0 {
                    found |= rest & rest.wrapping_neg();
                    break;
                }
            }
            rest &= rest - 1;
        }
        found
    }

    /// Calls `each` with low parts before and after the moves, by number.
    pub(super) fn for_each(&self, ones: u32, mut each: impl FnMut(usize, usize)) {
        let onto = &self.onto[ones as usize];
        for number in 0..onto.starts.len() - 1 {
            onto.of_number(number).iter().for_each(|moved| each(number, usize::from(*moved)));
        }
    }
}
