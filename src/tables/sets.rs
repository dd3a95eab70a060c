//! Sets of places as bits: how many there are, their ranks, and their bits in another order.
//!
//! A rank counts the sets of as many places with a lower binary number. This is the combinatorial number system (D. H.
//! Lehmer, 1964): the rank of a set of places p1 < p2 < ... is the sum of the binomials of p1 over 1, p2 over 2 and so
//! on.

/// Places whose part of a rank is looked up at once.
const CHUNK: u32 = 10;

/// The number of sets of `count` out of `places`; saturates.
pub fn binomial(places: u32, count: u32) -> u64 {
    let (places, count) = (u128::from(places), u128::from(count));
    let product = (0..count).fold(1, |product, taken| product * places.saturating_sub(taken) / (taken + 1));
    u64::try_from(product).unwrap_or(u64::MAX)
}

/// Ranks of sets of places among those of as many.
#[derive(Debug, Clone)]
pub(super) struct Ranks {
    /// By chunk, by number of members on lower places, by the bits of the chunk: their part of a rank.
    sums: Vec<[u32; 1 << CHUNK]>,
    /// By chunk, where its sums begin.
    chunks: Vec<u32>,
    /// By place and number, the binomial; where it is larger, the maximum, which no set reaches.
    binomials: Vec<Vec<u32>>,
}

impl Ranks {
    /// The ranks of sets of up to `most` of these places.
    pub(super) fn new(places: u32, most: u32) -> Ranks {
        let most = most.min(places);
        let binomials = |place| (0..=most).map(move |count| binomial(place, count).try_into().unwrap_or(u32::MAX));
        let binomials: Vec<Vec<u32>> = (0..places).map(|place| binomials(place).collect()).collect();
        let part = |chunk: u32, lower: u32, bits: usize| {
            let held = (0..CHUNK).filter(|bit| bits >> bit & 1 != 0).map(|bit| chunk * CHUNK + bit);
            // Sets with more members, or on places that do not exist, are never looked up.
            let of = |(place, count): (u32, u32)| binomials.get(place as usize)?.get(count as usize);
            held.zip(lower + 1..).filter_map(of).fold(0, |sum: u32, more| sum.wrapping_add(*more))
        };
        let (mut sums, mut chunks) = (Vec::new(), Vec::new());
        for chunk in 0..places.div_ceil(CHUNK) {
            chunks.push(sums.len() as u32);
            let lower = 0..=(chunk * CHUNK).min(most);
            sums.extend(
                lower.map(|lower| -> [u32; 1 << CHUNK] { std::array::from_fn(|bits| part(chunk, lower, bits)) }),
            );
        }
        Ranks { sums, chunks, binomials }
    }

    /// The rank of a set.
    #[inline(always)]
    pub(super) fn rank(&self, set: u64) -> u32 {
        let (mut rest, mut lower, mut rank) = (set, 0, 0u32);
        for chunk in &self.chunks {
            let bits = rest as usize & ((1 << CHUNK) - 1);
            rank = rank.wrapping_add(self.sums[*chunk as usize + lower][bits]);
            lower += bits.count_ones() as usize;
            rest >>= CHUNK;
        }
        rank
    }

    /// The set of `count` places with a rank.
    pub(super) fn set(&self, count: u32, rank: usize) -> u64 {
        let (mut rest, mut place, mut set) = (rank as u32, self.binomials.len(), 0);
        for count in (1..=count as usize).rev() {
            let is_next = |place: &usize| self.binomials[*place][count] <= rest;
            place = (0..place).rev().find(is_next).expect("0 is at most any rank");
            rest -= self.binomials[place][count];
            set |= 1 << place;
        }
        set
    }
}

/// A set and those of as many after it, in the order of their ranks; meaningless after the last.
pub(super) fn sets_from(first: u64) -> impl Iterator<Item = u64> {
    std::iter::successors(Some(first), |set| {
        // The next number with as many ones (R. W. Gosper, HAKMEM item 175).
        let lowest = set & set.wrapping_neg();
        let carried = set.wrapping_add(lowest);
        Some(if lowest == 0 { 0 } else { carried | (set ^ carried) >> 2 >> lowest.trailing_zeros() })
    })
}

/// By the number of a byte and its value, the union of what its bits are.
pub(super) fn by_bytes(bits: u32, of_bit: &dyn Fn(usize) -> Option<u64>) -> Vec<[u64; 256]> {
    let byte = |number: usize, value: usize| {
        let held = (0..8).filter(|bit| value >> bit & 1 != 0);
        held.filter_map(|bit| of_bit(8 * number + bit)).fold(0, |all, bits| all | bits)
    };
    (0..bits.div_ceil(8) as usize).map(|number| std::array::from_fn(|value| byte(number, value))).collect()
}

#[inline(always)]
pub(super) fn of_bytes(tables: &[[u64; 256]], bits: u64) -> u64 {
    let bytes = tables.iter().zip(bits.to_le_bytes());
    bytes.fold(0, |all, (table, byte)| all | table[usize::from(byte)])
}

/// In a word, the sets in which the place with that bit of the index holds a Rebel.
pub(super) const OCCUPIED: [u64; 6] = [
    0xaaaa_aaaa_aaaa_aaaa,
    0xcccc_cccc_cccc_cccc,
    0xf0f0_f0f0_f0f0_f0f0,
    0xff00_ff00_ff00_ff00,
    0xffff_0000_ffff_0000,
    0xffff_ffff_0000_0000,
];

/// A bit of a number left out: the bits below it are `low`.
#[inline(always)]
pub(super) fn without_bit(number: u64, low: u64) -> u64 {
    number & low | number >> 1 & !low
}

/// The same bit put back as 0.
#[inline(always)]
pub(super) fn with_bit(number: u64, low: u64) -> u64 {
    number & low | (number & !low) << 1
}
