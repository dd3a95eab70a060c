//! Reproducible random numbers.

/// The engine's generator, with methods for tests.
#[derive(Debug)]
pub struct Random(privy_base::random::Random);

impl Random {
    /// A generator with its own sequence for every seed.
    pub fn new(seed: u64) -> Random {
        let first = privy_base::random::Random::new(seed).next_number();
        Random(privy_base::random::Random::new(first))
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

    /// One of the items. There must be at least one.
    pub fn choose<T: Clone>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())].clone()
    }

    /// Shuffles the items.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last + 1));
        }
    }
}
