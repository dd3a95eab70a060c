//! Settings from environment variables: sizes of measurements and of long runs.

/// A number, or its default. Any other text is a panic.
pub fn number(name: &str, default: u64) -> u64 {
    std::env::var(name).map_or(default, |text| text.parse().unwrap_or_else(|_| panic!("{name} is not a number")))
}

/// A count, or its default. Any other text is a panic.
pub fn count(name: &str, default: usize) -> usize {
    std::env::var(name).map_or(default, |text| text.parse().unwrap_or_else(|_| panic!("{name} is not a number")))
}
