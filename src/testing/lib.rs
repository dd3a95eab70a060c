//! What the tests share: a development dependency, optimised as the code under test is.
#![allow(clippy::unwrap_used)]

pub mod exactness;
pub mod examination;
pub mod faulty;
pub mod oracle;
pub mod proofs;
pub mod random;
pub mod retrograde;
pub mod small_boards;
pub mod tables;
pub mod variants;

/// How often a test tries what it samples: `usual` times, or `PRIVY_CASES` times as often, as `.ci/release` does.
///
/// # Panics
/// If `PRIVY_CASES` is not a number.
pub fn cases(usual: u32) -> u32 {
    usual * std::env::var("PRIVY_CASES").map_or(1, |text| text.parse::<u32>().expect("PRIVY_CASES is a number"))
}
