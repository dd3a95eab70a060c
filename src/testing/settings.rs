//! Settings from environment variables: sizes of measurements and of long runs.

/// A number, or its default.
///
/// # Panics
/// If the variable has another text.
pub fn number(name: &str, default: u64) -> u64 {
    std::env::var(name).map_or(default, |text| text.parse().unwrap_or_else(|_| panic!("{name} is not a number")))
}

/// How often a test tries what it samples: `usual` times, or `PRIVY_CASES` times as often, as `.ci/release` does.
///
/// # Panics
/// If `PRIVY_CASES` is no number, or far too large a one.
pub fn cases(usual: u32) -> u32 {
    usual * u32::try_from(number("PRIVY_CASES", 1)).unwrap()
}
