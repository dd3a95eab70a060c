//! The moves of a side from a state of the General, compiled for rows, and the two questions about them: from which sets some move leads
//! to a fresh one, and from which of some sets every move leads to a won one.

use std::sync::Arc;

use privy_base::huge_pages::zeros;
use privy_base::threads::map;

use crate::numbering::word_sets;

use super::low_moves::{KindOfLowMoves, KnownLowMoves, LowMoves};
use super::split::{Layout, Shape, Split};

/// A move of all sets that meet its conditions, by the places of the ground.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct SetMove {
    /// The state after it, by number.
    pub(super) target: usize,
    /// The set after it is the mirror image of that of the target.
    pub(super) mirrored: bool,
    /// Places that must hold Rebels, and that must be empty; and those of them that change.
    pub(super) set: u64,
    pub(super) clear: u64,
    pub(super) flip: u64,
}

/// The high part of a move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct HighMove {
    target: usize,
    mirrored: bool,
    set: u32,
    clear: u32,
    flip: u32,
}

impl HighMove {
    #[inline(always)]
    fn admits(&self, high: u32) -> bool {
        high & self.set == self.set && high & self.clear == 0
    }

    /// The state and the high part after the move, if a high part admits it.
    #[inline(always)]
    pub(super) fn after(&self, split: &Split, high: u32) -> Option<(usize, u32)> {
        if !self.admits(high) {
            return None;
        }
        let moved = high ^ self.flip;
        Some((self.target, if self.mirrored { split.mirrored_high(moved) } else { moved }))
    }

    /// Adds the high parts from which the move leads to one of `after`, a bit for each set: the places up to the sixth choose the bit of a
    /// word, the others the word.
    fn add_before(&self, after: &[u64], before: &mut [u64]) {
        let [set, clear, flip] = [self.set, self.clear, self.flip].map(|places| places as usize);
        let admitted = word_sets(set, clear);
        // A place set here is empty after the move, whose set has a lower number: its bit moves up.
        let [left, right] = [flip & set & 63, flip & clear & 63];
        let [set, clear, flip] = [set, clear, flip].map(|places| places / 64);
        for (number, before) in before.iter_mut().enumerate() {
            if number & set == set && number & clear == 0 {
                *before |= after[number ^ flip] << left >> right & admitted;
            }
        }
    }
}

/// The moves from a state of the General.
#[derive(Debug)]
pub(super) struct Moves {
    /// Steps of Rebels on high places: by place, those to which they lead.
    steps: Vec<u32>,
    /// Other moves on high places.
    rows: Vec<HighMove>,
    /// Moves with one high part that change the low part, or the places that it is made of.
    pub(super) low: Vec<(HighMove, Arc<LowMoves>)>,
}

impl Moves {
    /// For layers of `most` Rebels and fewer. States share what moves do to low parts.
    pub(super) fn compile(
        split: &Split,
        shapes: &[Shape],
        from: usize,
        most: u32,
        moves: &[SetMove],
        known: &KnownLowMoves,
    ) -> Moves {
        let shape = &shapes[from];
        let (mut steps, mut rows) = (Vec::new(), Vec::new());
        let mut groups: Vec<(HighMove, Vec<[u32; 3]>)> = Vec::new();
        for SetMove { target, mirrored, set, clear, flip } in moves.iter().copied() {
            let [[high, low], [high_clear, low_clear], [high_flip, low_flip]] =
                [set, clear, flip].map(|set| split.places.parts(set));
            let high = HighMove { target, mirrored, set: high, clear: high_clear, flip: high_flip };
            if mirrored || low | low_clear != 0 || !shape.has_rows_of(&shapes[target]) {
                let low = [low, low_clear, low_flip];
                match groups.iter_mut().find(|(other, _)| *other == high) {
                    Some((_, lows)) => lows.push(low),
                    None => groups.push((high, vec![low])),
                }
            } else if target == from && high.flip == high.set | high.clear && high.clear != 0 {
                steps.resize(split.places.high as usize, 0);
                steps[high.set.trailing_zeros() as usize] |= high.clear;
            } else {
                rows.push(high);
            }
        }
        let low = groups.into_iter().map(|(high, lows)| {
            let ends = [*shape, shapes[high.target]];
            (high, known.of(split, most, KindOfLowMoves { ends, mirrored: high.mirrored, lows }))
        });
        Moves { steps, rows, low: low.collect() }
    }

    /// The high parts of rows from which some move leads to a row with fresh sets, a bit for each set. Of many plies few rows are such.
    pub(super) fn highs_to(&self, split: &Split, from: usize, fresh: &[Fresh]) -> Vec<u64> {
        let mut highs = vec![0; fresh[from].highs.len()];
        let steps = self.steps.iter().enumerate().flat_map(|(place, onto)| {
            let onto = (0..u32::BITS).map(|to| 1 << to).filter(move |to| onto & to != 0);
            onto.map(move |to| HighMove {
                target: from,
                mirrored: false,
                set: 1 << place,
                clear: to,
                flip: 1 << place | to,
            })
        });
        for move_ in steps.chain(self.rows.iter().copied()).chain(self.low.iter().map(|(high, _)| *high)) {
            let to = &fresh[move_.target];
            if move_.mirrored {
                for high in to.all_highs() {
                    let before = split.mirrored_high(high) ^ move_.flip;
                    highs[before as usize / 64] |= u64::from(move_.admits(before)) << (before % 64);
                }
            } else if to.has_any {
                move_.add_before(&to.highs, &mut highs);
            }
        }
        highs
    }

    /// The rows to which moves of whole rows lead, by state and high part.
    #[inline(always)]
    pub(super) fn whole_rows(&self, from: usize, high: u32) -> WholeRows<'_> {
        let rest = if self.steps.is_empty() { 0 } else { high };
        WholeRows { moves: self.rows.iter(), steps: &self.steps, from, high, rest, moved: 0, onto: 0 }
    }
}

/// See [`Moves::whole_rows`].
pub(super) struct WholeRows<'a> {
    moves: std::slice::Iter<'a, HighMove>,
    steps: &'a [u32],
    from: usize,
    high: u32,
    /// The Rebels that have not stepped yet.
    rest: u32,
    /// The high part without the Rebel that steps, and the places onto which it does.
    moved: u32,
    onto: u32,
}

impl Iterator for WholeRows<'_> {
    type Item = (usize, u32);

    #[inline(always)]
    fn next(&mut self) -> Option<(usize, u32)> {
        for move_ in self.moves.by_ref() {
            if move_.admits(self.high) {
                return Some((move_.target, self.high ^ move_.flip));
            }
        }
        while self.onto == 0 {
            if self.rest == 0 {
                return None;
            }
            self.onto = self.steps[self.rest.trailing_zeros() as usize] & !self.high;
            self.moved = self.high & !(self.rest & self.rest.wrapping_neg());
            self.rest &= self.rest - 1;
        }
        let to = self.onto & self.onto.wrapping_neg();
        self.onto &= self.onto - 1;
        Some((self.from, self.moved | to))
    }
}

/// The sets of a layer, by state of the General.
#[derive(Debug)]
pub(super) struct Geometry<'a> {
    pub(super) split: &'a Split,
    pub(super) shapes: &'a [Shape],
    /// By state, whether this process solves it.
    pub(super) is_own: &'a [bool],
    pub(super) layouts: Vec<Layout>,
    pub(super) rebels: u32,
}

/// Words of a row, a bit for each.
pub(super) type WordSet = u128;

#[inline(always)]
pub(super) fn take_word(words: &mut WordSet) -> Option<usize> {
    let word = (*words != 0).then(|| words.trailing_zeros() as usize);
    *words &= words.wrapping_sub(1);
    word
}

/// As it is kept: of words 64 apart both count as nonempty if one is.
#[inline(always)]
pub(super) fn folded(words: WordSet) -> u64 {
    (words | words >> 64) as u64
}

/// The words of a row of so many that may be nonempty.
#[inline(always)]
fn unfolded(words: u64, width: usize) -> WordSet {
    (WordSet::from(words) | WordSet::from(words) << 64) & ((1 << width) - 1)
}

/// The sets that a ply decided, for one side to move in a state.
#[derive(Debug, Default)]
pub(super) struct Fresh {
    pub(super) words: Vec<u64>,
    /// By row, its nonempty words, [`folded`]; other words of a row with any are 0, and a row without any is not written.
    pub(super) nonempty: Vec<u64>,
    /// The high parts of rows with any, a bit for each set; false if there are none.
    highs: Vec<u64>,
    has_any: bool,
}

impl Fresh {
    /// Of all states, without memory for those that are not held.
    pub(super) fn of_states(geometry: &Geometry<'_>, is_held: &[bool]) -> Vec<Fresh> {
        let fresh = |(layout, is_held): (&Layout, &bool)| match is_held {
            true => Fresh {
                words: zeros(layout.words),
                nonempty: vec![0; layout.rows],
                highs: vec![0; (1usize << geometry.split.places.high).div_ceil(64)],
                has_any: false,
            },
            false => Fresh::default(),
        };
        map(geometry.layouts.iter().zip(is_held), fresh)
    }

    /// Notes the rows that have been written.
    pub(super) fn note_rows(&mut self, split: &Split, shape: &Shape, layout: &Layout) {
        self.highs.fill(0);
        self.has_any = false;
        for class in &layout.classes {
            for number in 0..class.rows {
                if self.nonempty[class.place(number).0] != 0 {
                    let high = split.high(shape, class, number) as usize;
                    self.highs[high / 64] |= 1 << (high % 64);
                    self.has_any = true;
                }
            }
        }
    }

    /// The high parts of rows with any.
    fn all_highs(&self) -> impl Iterator<Item = u32> {
        let words = (0..).step_by(64).zip(&self.highs).filter(|(_, bits)| self.has_any && **bits != 0);
        words.flat_map(|(first, bits)| (0..64).filter(move |bit| bits >> bit & 1 != 0).map(move |bit| first + bit))
    }

    /// True if the row of a high part has any. Few look-ups find one, so this is the cheapest way to ask.
    #[inline(always)]
    fn has_row(&self, high: u32) -> bool {
        self.highs[high as usize / 64] >> (high % 64) & 1 != 0
    }
}

/// Above this share of nonempty words a row is read as a whole.
const DENSE: u32 = 6;

/// From a row of sets to others, by moves.
#[derive(Clone, Copy)]
pub(super) struct From<'a> {
    pub(super) geometry: &'a Geometry<'a>,
    pub(super) moves: &'a Moves,
    pub(super) state: usize,
    pub(super) high: u32,
}

impl From<'_> {
    /// Adds to `into` the sets of the row from which a move leads to a fresh one; returns the words that may have any.
    #[inline(always)]
    pub(super) fn reach(&self, fresh: &[Fresh], into: &mut [u64]) -> WordSet {
        let Geometry { split, shapes, layouts, rebels, .. } = self.geometry;
        let mut reached: WordSet = 0;
        for (target, high) in self.moves.whole_rows(self.state, self.high) {
            if !fresh[target].has_row(high) {
                continue;
            }
            let Some((class, number)) = split.row(&shapes[target], &layouts[target], high) else { continue };
            let (row, words) = class.place(number);
            let mut nonempty = unfolded(fresh[target].nonempty[row], class.words);
            reached |= nonempty;
            let words = &fresh[target].words[words];
            if nonempty.count_ones() * DENSE > words.len() as u32 {
                into.iter_mut().zip(words).for_each(|(into, word)| *into |= word);
            } else {
                while let Some(word) = take_word(&mut nonempty) {
                    into[word] |= words[word];
                }
            }
        }
        let mut is_by_low = false;
        for (move_, low) in &self.moves.low {
            let Some((target, high)) = move_.after(split, self.high) else { continue };
            if !fresh[target].has_row(high) {
                continue;
            }
            let Some((class, number)) = split.row(&shapes[target], &layouts[target], high) else { continue };
            let (row, words) = class.place(number);
            let mut nonempty = unfolded(fresh[target].nonempty[row], class.words);
            let words = &fresh[target].words[words];
            let ones = rebels - self.high.count_ones();
            while let Some(word) = take_word(&mut nonempty) {
                low.add_before(ones, word, words[word], into);
            }
            is_by_low = true;
        }
        if is_by_low { nonempty(into) } else { reached }
    }

    /// Leaves in `sets`, whose words outside `words` are empty, those from which no move leads to a set that is `not_won`; returns the
    /// nonempty words.
    #[inline(always)]
    pub(super) fn keep_lost(&self, not_won: &[Vec<u64>], sets: &mut [u64], mut words: WordSet) -> WordSet {
        let Geometry { split, shapes, layouts, rebels, .. } = self.geometry;
        for (target, high) in self.moves.whole_rows(self.state, self.high) {
            let Some((class, number)) = split.row(&shapes[target], &layouts[target], high) else { continue };
            let saved = &not_won[target][class.place(number).1];
            if words.count_ones() * DENSE > saved.len() as u32 {
                let mut any = 0;
                sets.iter_mut().zip(saved).for_each(|(sets, saved)| {
                    *sets &= !saved;
                    any |= *sets;
                });
                // The empty words are found below, where few are left.
                words = if any == 0 { 0 } else { words };
            } else {
                let mut rest = words;
                while let Some(word) = take_word(&mut rest) {
                    sets[word] &= !saved[word];
                    if sets[word] == 0 {
                        words &= !(1 << word);
                    }
                }
            }
            if words == 0 {
                return 0;
            }
        }
        for (move_, low) in &self.moves.low {
            if words == 0 {
                break;
            }
            let Some((target, high)) = move_.after(split, self.high) else { continue };
            let Some((class, number)) = split.row(&shapes[target], &layouts[target], high) else { continue };
            let saved = &not_won[target][class.place(number).1];
            let ones = rebels - self.high.count_ones();
            let mut rest = words;
            while let Some(word) = take_word(&mut rest) {
                sets[word] &= !low.leading_to(ones, saved, word, sets[word]);
                if sets[word] == 0 {
                    words &= !(1 << word);
                }
            }
        }
        words
    }

    /// Leaves in `sets`, whose words outside `words` are empty, those from which a move leads to a fresh one; returns the nonempty words.
    #[inline(always)]
    pub(super) fn keep_reaching(&self, fresh: &[Fresh], sets: &mut [u64], words: WordSet) -> WordSet {
        let Geometry { split, shapes, layouts, rebels, .. } = self.geometry;
        let mut reaching = [0; WordSet::BITS as usize];
        let row = |target: usize, high: u32| -> Option<&[u64]> {
            let (class, number) = split.row(&shapes[target], &layouts[target], high)?;
            fresh[target].has_row(high).then(|| &fresh[target].words[class.place(number).1])
        };
        for row in self.moves.whole_rows(self.state, self.high).filter_map(|(target, high)| row(target, high)) {
            reaching.iter_mut().zip(row).for_each(|(reaching, word)| *reaching |= word);
        }
        for (move_, low) in &self.moves.low {
            let Some((target, high)) = move_.after(split, self.high) else { continue };
            let Some(row) = row(target, high) else { continue };
            let ones = rebels - self.high.count_ones();
            let mut rest = words;
            while let Some(word) = take_word(&mut rest) {
                reaching[word] |= low.leading_to(ones, row, word, sets[word] & !reaching[word]);
            }
        }
        keep(sets, words, |word, sets| sets & reaching[word])
    }
}

/// The nonempty words of a row. To note each as it is written would take longer.
#[inline(always)]
fn nonempty(row: &[u64]) -> WordSet {
    let mut halves = [0u64; 2];
    for (half, row) in halves.iter_mut().zip(row.chunks(64)) {
        for (number, word) in row.iter().enumerate() {
            *half |= u64::from(*word != 0) << number;
        }
    }
    WordSet::from(halves[0]) | WordSet::from(halves[1]) << 64
}

/// Leaves in each word what `kept` says of it; returns the nonempty words.
#[inline(always)]
pub(super) fn keep(sets: &mut [u64], mut words: WordSet, kept: impl Fn(usize, u64) -> u64) -> WordSet {
    let mut nonempty = 0;
    while let Some(word) = take_word(&mut words) {
        sets[word] = kept(word, sets[word]);
        nonempty |= WordSet::from(sets[word] != 0) << word;
    }
    nonempty
}
