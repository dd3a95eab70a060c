//! A move on low places, a word of sets at a time.
//!
//! Low parts that admit a move and those after it stand in the same order in their rows: they differ from each other on places that the
//! move leaves alone. So the move takes the bits of some sets out of a row, and puts them in the same order onto other sets:
//!
//! ```text
//!   low parts        0011 0101 0110 1001 1010 1100
//!   from place 1          *         *              may step onto place 2
//!   onto place 2             *                *    come from place 1
//! ```

use privy_base::cpu::FastBits;

/// A move between the rows of two high parts: in order, the sets that admit it, and those after it.
#[derive(Debug)]
pub(super) struct WordMove {
    before: Vec<WordPart>,
    after: Vec<WordPart>,
}

/// The sets of a word that are among those of the move.
#[derive(Debug, Clone, Copy)]
struct WordPart {
    mask: u64,
    /// How many words before have.
    first: u16,
    /// The word on the other side that has the first of them.
    other: u16,
}

impl WordPart {
    /// Stands behind the last word.
    const END: WordPart = WordPart { mask: 0, first: u16::MAX, other: 0 };
}

/// Moves bits from the place of those of one word to the place of those of another.
#[inline(always)]
fn moved(bits: u64, from: u16, to: u16) -> u64 {
    if from >= to { bits << (from - to) } else { bits >> (to - from) }
}

impl WordMove {
    /// `onto` has for each low part, by number, that after the move; `after` low parts are in the row there.
    pub(super) fn new(onto: Vec<Option<u16>>, after: usize) -> WordMove {
        let pairs = || (0..).zip(&onto).filter_map(|(before, after)| after.map(|after| (before, after)));
        debug_assert!(pairs().is_sorted_by(|a, b| a.1 < b.1), "a move keeps the order");
        let words = |[sets, others]: [Vec<u16>; 2], count: usize| {
            let mut parts = vec![WordPart { mask: 0, first: 0, other: 0 }; count.div_ceil(64)];
            for set in &sets {
                parts[usize::from(set / 64)].mask |= 1 << (set % 64);
            }
            let mut first = 0;
            for part in &mut parts {
                part.first = first;
                part.other = others.get(usize::from(first)).map_or(0, |other| other / 64);
                first += part.mask.count_ones() as u16;
            }
            parts.push(WordPart::END);
            parts
        };
        let [sets_before, sets_after]: [Vec<u16>; 2] = pairs().unzip().into();
        WordMove {
            before: words([sets_before.clone(), sets_after.clone()], onto.len()),
            after: words([sets_after, sets_before], after),
        }
    }

    /// Calls `each` with words of the row before the move, and the sets in them from which it leads to one of a word behind it.
    #[inline(always)]
    pub(super) fn before(&self, fast: FastBits, word: usize, sets: u64, mut each: impl FnMut(usize, u64)) {
        let from = self.after[word];
        let bits = fast.extract(sets, from.mask);
        if bits == 0 {
            return;
        }
        let end = u32::from(from.first) + u64::BITS - bits.leading_zeros();
        let (mut other, mut to) = (usize::from(from.other), self.before[usize::from(from.other)]);
        loop {
            each(other, fast.deposit(moved(bits, from.first, to.first), to.mask));
            other += 1;
            to = self.before[other];
            if u32::from(to.first) >= end {
                return;
            }
        }
    }

    /// The sets of a word before the move from which it leads to one of a row.
    #[inline(always)]
    pub(super) fn leading_to(&self, fast: FastBits, row: &[u64], word: usize) -> u64 {
        let to = self.before[word];
        if to.mask == 0 {
            return 0;
        }
        let end = u32::from(to.first) + to.mask.count_ones();
        let (mut other, mut bits) = (usize::from(to.other), 0);
        loop {
            let from = self.after[other];
            if u32::from(from.first) >= end {
                return fast.deposit(bits, to.mask);
            }
            bits |= moved(fast.extract(row[other], from.mask), from.first, to.first);
            other += 1;
        }
    }
}
