//! Pseudorandom numbers, the same in every run.
//!
//! SplitMix64 (G. L. Steele, D. Lea, C. H. Flood, 2014): fast, of good quality, and with a state of one number, so that
//! every task can have its own sequence on any thread.

/// The increment of the state.
const STEP: u64 = 0x9e37_79b9_7f4a_7c15;

/// A hash of a number: the output function of SplitMix64.
#[must_use]
pub const fn mix(number: u64) -> u64 {
    let z = (number ^ (number >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// The SplitMix64 sequence of a seed.
#[derive(Debug, Clone)]
pub struct Random(u64);

impl Random {
    /// The sequence of a seed.
    #[must_use]
    pub const fn new(seed: u64) -> Random {
        Random(seed)
    }

    /// One of many sequences of a seed.
    #[must_use]
    pub const fn numbered(seed: u64, number: u64) -> Random {
        Random(mix(mix(seed).wrapping_add(number)))
    }

    /// The next number.
    #[must_use]
    pub const fn next_number(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(STEP);
        mix(self.0)
    }

    /// A number below a bound; 0 when the bound is 0.
    pub fn below(&mut self, bound: u64) -> u64 {
        ((u128::from(self.next_number()) * u128::from(bound)) >> 64) as u64
    }

    /// Returns one of some things, `None` of an empty slice.
    pub fn pick<'a, T>(&mut self, things: &'a [T]) -> Option<&'a T> {
        things.get(self.below(things.len() as u64) as usize)
    }

    /// A random order, all with the same probability (R. Durstenfeld, 1964).
    pub fn shuffle<T>(&mut self, things: &mut [T]) {
        for last in (1..things.len()).rev() {
            things.swap(last, self.below(last as u64 + 1) as usize);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The first numbers of the reference implementation (S. Vigna, splitmix64.c, 2015) for the seed 1234567.
    #[test]
    fn the_sequence_is_the_published_one() {
        let mut random = Random::new(1_234_567);
        let published = [
            6_457_827_717_110_365_317,
            3_203_168_211_198_807_973,
            9_817_491_932_198_370_423,
            4_593_380_528_125_082_431,
            16_408_922_859_458_223_821,
        ];
        assert_eq!([0; 5].map(|_| random.next_number()), published);
    }

    #[test]
    fn numbers_below_a_bound_are_uniform() {
        let mut random = Random::numbered(1, 2);
        let mut seen = [0; 7];
        for _ in 0..7_000 {
            seen[random.below(7) as usize] += 1;
        }
        assert!(seen.iter().all(|count| (800..1_200).contains(count)), "{seen:?}");
        assert_eq!(random.below(0), 0);
        assert_eq!(random.pick::<u8>(&[]), None);
    }

    #[test]
    fn sequences_of_a_seed_differ() {
        let firsts: std::collections::BTreeSet<u64> =
            (0..10).flat_map(|seed| (0..100).map(move |number| Random::numbered(seed, number).next_number())).collect();
        assert_eq!(firsts.len(), 1_000);
    }

    #[test]
    fn a_shuffle_keeps_all_and_every_order_occurs() {
        let mut random = Random::new(7);
        let mut orders = std::collections::BTreeSet::new();
        for _ in 0..200 {
            let mut things = [1, 2, 3, 4];
            random.shuffle(&mut things);
            let mut sorted = things;
            sorted.sort_unstable();
            assert_eq!(sorted, [1, 2, 3, 4]);
            orders.insert(things);
        }
        assert_eq!(orders.len(), 24);
    }
}
