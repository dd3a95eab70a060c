//! A plane: a bit for each low part of a set of Rebels.
//!
//! The low part is the Rebels on the first 12 places or fewer. How many they are is known to be even or odd, so one
//! place, the first, is *implied*: the index of a low part has a bit for each other place, and the implied place holds
//! a Rebel where these bits alone do not have the parity. 11 bits make planes of 2,048, which four vectors of 512 bits
//! hold.
//!
//! ```text
//! index      10  9  8  7  6 │ 5  4  3  2  1  0
//! place      11 10  9  8  7 │ 6  5  4  3  2  1    0 is implied
//!            word of 32     │ bit of the word
//! ```
//!
//! A Rebel that steps changes the index by an exclusive or with a constant. Below 64 this is a shift within words, from
//! 64 on it exchanges whole words.

use std::fmt::Debug;
use std::hint::black_box;

use super::ones;

/// The most low places.
pub(super) const MOST_LOW: u32 = 12;
/// Bits of a plane.
pub(super) const BITS: usize = 1 << (MOST_LOW - 1);
/// Words of a vector.
const LANES: usize = 8;
const VECTORS: usize = BITS / 64 / LANES;
/// Bits of an index that choose the bit of a word.
const IN_WORD: u32 = 6;

/// One bit for each low part.
#[derive(Clone, Copy, PartialEq, Eq)]
#[repr(align(64))]
pub(super) struct Plane([[u64; LANES]; VECTORS]);

/// Even or odd.
pub(super) type Parity = usize;

/// The index of a low part, a bit for each place.
#[inline(always)]
pub(super) fn index_of_low(low: u64) -> usize {
    (low >> 1) as usize
}

/// The inverse of [`index_of_low`].
#[inline(always)]
pub(super) fn low_of_index(index: usize, parity: Parity) -> u64 {
    (index as u64) << 1 | (u64::from(index.count_ones()) ^ parity as u64) & 1
}

/// A vector. A function that makes an array is not inlined in builds for tests.
#[inline(always)]
fn made(word: impl Fn(usize) -> u64) -> [u64; LANES] {
    let mut words = [0; LANES];
    for (lane, made) in words.iter_mut().enumerate() {
        *made = word(lane);
    }
    words
}

/// Sets by their bits.
pub(super) trait BitSet: Copy + PartialEq + Debug + Send + Sync + 'static {
    const EMPTY: Self;

    fn words(&self) -> &[u64];
    fn words_mut(&mut self) -> &mut [u64];
    /// What `word` makes of the words of both.
    fn with(self, other: Self, word: impl Fn(u64, u64) -> u64) -> Self;

    /// The bits that `other` has not.
    #[inline(always)]
    fn minus(self, other: Self) -> Self {
        self.with(other, |word, other| word & !other)
    }

    #[inline(always)]
    fn is_empty(&self) -> bool {
        self.words().iter().fold(0, |all, word| all | word) == 0
    }

    #[inline(always)]
    fn count(&self) -> u32 {
        self.words().iter().map(|word| word.count_ones()).sum()
    }

    /// Calls `each` with the bits in ascending order.
    #[inline(always)]
    fn for_each(&self, mut each: impl FnMut(usize)) {
        for (number, word) in self.words().iter().enumerate() {
            for bit in ones(*word) {
                each(number * 64 + bit as usize);
            }
        }
    }

    /// Adds a bit.
    #[inline(always)]
    fn set(&mut self, bit: usize) {
        self.words_mut()[bit / 64] |= 1 << (bit % 64);
    }
}

/// The operators of sets.
macro_rules! bit_operators {
    ($sets:ty) => {
        impl std::ops::BitOr for $sets {
            type Output = Self;

            #[inline(always)]
            fn bitor(self, other: Self) -> Self {
                self.with(other, |word, other| word | other)
            }
        }

        impl std::ops::BitAnd for $sets {
            type Output = Self;

            #[inline(always)]
            fn bitand(self, other: Self) -> Self {
                self.with(other, |word, other| word & other)
            }
        }

        impl std::ops::BitOrAssign for $sets {
            #[inline(always)]
            fn bitor_assign(&mut self, other: Self) {
                *self = *self | other;
            }
        }
    };
}
pub(super) use bit_operators;

bit_operators!(Plane);

impl BitSet for Plane {
    const EMPTY: Plane = Plane([[0; LANES]; VECTORS]);

    #[inline(always)]
    fn words(&self) -> &[u64] {
        self.0.as_flattened()
    }

    #[inline(always)]
    fn words_mut(&mut self) -> &mut [u64] {
        self.0.as_flattened_mut()
    }

    #[inline(always)]
    fn with(self, other: Plane, word: impl Fn(u64, u64) -> u64) -> Plane {
        let [a, b, c, d] = self.0;
        let [e, f, g, h] = other.0;
        let join = |one: [u64; LANES], other: [u64; LANES]| made(|lane| word(one[lane], other[lane]));
        Plane([join(a, e), join(b, f), join(c, g), join(d, h)])
    }
}

impl Plane {
    /// The indices for which a condition holds.
    pub(super) fn of(mut holds: impl FnMut(usize) -> bool) -> Plane {
        let mut plane = Plane::EMPTY;
        (0..BITS).filter(|index| holds(*index)).for_each(|index| plane.set(index));
        plane
    }

    /// Each vector by itself: a loop over them would be compiled to vectors across them. `word` makes a lane.
    #[inline(always)]
    fn map(self, word: impl Fn(&[u64; LANES], usize) -> u64) -> Plane {
        let [a, b, c, d] = self.0;
        Plane([
            made(|lane| word(&a, lane)),
            made(|lane| word(&b, lane)),
            made(|lane| word(&c, lane)),
            made(|lane| word(&d, lane)),
        ])
    }

    /// Every word shifted: up by a negative number of bits, else down.
    #[cfg(not(target_feature = "simd128"))]
    #[inline(always)]
    fn shifted(self, bits: i64) -> Plane {
        if bits < 0 {
            self.map(|words, lane| words[lane] << -bits)
        } else {
            self.map(|words, lane| words[lane] >> bits)
        }
    }

    /// The same by pairs of words: of single ones the compiler makes no vectors for WebAssembly.
    #[cfg(target_feature = "simd128")]
    #[inline(always)]
    fn shifted(mut self, bits: i64) -> Plane {
        use std::arch::wasm32::{u64x2, u64x2_extract_lane, u64x2_shl, u64x2_shr};

        for words in self.0.as_flattened_mut().chunks_exact_mut(2) {
            let pair = u64x2(words[0], words[1]);
            let pair = if bits < 0 { u64x2_shl(pair, -bits as u32) } else { u64x2_shr(pair, bits as u32) };
            (words[0], words[1]) = (u64x2_extract_lane::<0>(pair), u64x2_extract_lane::<1>(pair));
        }
        self
    }

    /// The words with their numbers changed by an exclusive or with a constant.
    #[inline(always)]
    fn exchanged<const BY: usize>(self) -> Plane {
        let by = BY % LANES;
        let vectors = |number: usize| self.0[number ^ (BY / LANES)];
        Plane([vectors(0), vectors(1), vectors(2), vectors(3)]).map(|words, lane| words[lane ^ by])
    }

    /// The words with their numbers changed by an exclusive or with up to two bits.
    #[inline(always)]
    fn with_words_exchanged(self, by: u32) -> Plane {
        macro_rules! exchanged {
            ($($by:literal)*) => {
                match by {
                    $($by => self.exchanged::<$by>(),)*
                    _ => unreachable!("a move changes at most two places"),
                }
            };
        }
        exchanged!(0 1 2 3 4 5 6 8 9 10 12 16 17 18 20 24)
    }
}

/// Moves that change the low part alone, by what they change of its index.
#[derive(Debug, Default)]
pub(super) struct LowMoves(Vec<LowMove>);

/// A move, or several that change indices alike.
#[derive(Debug)]
struct LowMove {
    /// The words that it exchanges.
    words: u32,
    /// What it adds to the bit of a word.
    bits: i64,
    /// The indices from which it begins.
    begins: Plane,
}

impl LowMoves {
    /// Adds a move that flips low places, from the low parts of a parity in which the places of `held` hold Rebels and
    /// the other flipped ones none.
    pub(super) fn add(&mut self, parity: Parity, flip: u64, held: u64) {
        self.add_from(flip, held, Plane::of(|index| low_of_index(index, parity) & flip == held));
    }

    /// The exchanges of pairs of places, in low parts of a parity, that make the mirror image: by the image of each.
    pub(super) fn mirror(parity: Parity, images: &[u32]) -> Vec<LowMoves> {
        let pairs = (0..).zip(images.iter().copied()).filter(|(place, image)| place < image);
        pairs.map(|(place, image)| LowMoves::exchange(parity, [place, image])).collect()
    }

    /// The exchange of two places, in low parts of a parity.
    fn exchange(parity: Parity, places: [u32; 2]) -> LowMoves {
        let (mut moves, both) = (LowMoves::default(), 1 << places[0] | 1 << places[1]);
        let is_same = |index| [0, both].contains(&(low_of_index(index, parity) & both));
        moves.add_from(0, 0, Plane::of(is_same));
        places.into_iter().for_each(|held| moves.add(parity, both, 1 << held));
        moves
    }

    /// Adds a move from some indices, in all of which the places of `held` hold Rebels and the other flipped ones none.
    fn add_from(&mut self, flip: u64, held: u64, begins: Plane) {
        let by = index_of_low(flip) as u32;
        let (words, bits) = (by >> IN_WORD, i64::from(by & 63));
        // What the bits below 64 lose and win.
        let lost = i64::from(index_of_low(held) as u32 & 63);
        let bits = bits - 2 * lost;
        match self.0.iter_mut().find(|known| (known.words, known.bits) == (words, bits)) {
            Some(known) => known.begins |= begins,
            None => self.0.push(LowMove { words, bits, begins }),
        }
        self.0.sort_by_key(|known| (known.words, known.bits));
    }

    /// The indices from which a move leads into a plane.
    #[inline(always)]
    pub(super) fn before(&self, plane: &Plane) -> Plane {
        before(self, plane)
    }

    #[inline(always)]
    fn all_before(&self, plane: &Plane) -> Plane {
        let (mut all, mut words, mut exchanged) = (Plane::EMPTY, 0, *plane);
        for step in &self.0 {
            if step.words != words {
                (words, exchanged) = (step.words, plane.with_words_exchanged(step.words));
            }
            // Without a barrier it would be compiled to eight moves at once, a word of each, and gather them.
            all |= exchanged.shifted(black_box(step.bits)) & step.begins;
        }
        all
    }
}

// Separate functions: compiled into all their callers, these are four times as large.
privy_base::widest_instructions! {
    fn before(moves: &LowMoves, plane: &Plane) -> Plane {
        moves.all_before(plane)
    }
}

privy_base::widest_instructions! {
    /// The plane after exchanges of places, one after the other.
    pub(super) fn after_exchanges(exchanges: &[LowMoves], plane: &Plane) -> Plane {
        let mut all = *plane;
        for exchange in exchanges {
            all = exchange.all_before(&all);
        }
        all
    }
}

impl std::fmt::Debug for Plane {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} of {BITS}", self.count())
    }
}
