//! Random numbers that are the same in every run.

/// The sequence of the library, with what tests need.
pub struct Random(privy::random::Random);

impl Random {
    /// A sequence of its own for every seed.
    pub fn new(seed: u64) -> Random {
        let first = privy::random::Random::new(seed).next_number();
        Random(privy::random::Random::new(first))
    }

    fn next(&mut self) -> u64 {
        self.0.next_number()
    }

    /// A number below `bound`, which is not 0.
    pub fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }

    /// True one time in `bound`.
    pub fn one_in(&mut self, bound: usize) -> bool {
        self.below(bound) == 0
    }

    /// One of the items, of which there is one at least.
    pub fn choose<T: Clone>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())].clone()
    }

    /// Puts the items in random order.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last + 1));
        }
    }
}
