//! What the tests share: a development dependency, optimised as the code under test is.
#![allow(clippy::unwrap_used)]

pub mod exactness;
pub mod examination;
pub mod faulty;
pub mod oracle;
pub mod proofs;
pub mod random;
pub mod replies;
pub mod retrograde;
pub mod settings;
pub mod small_boards;
pub mod tables;
pub mod variants;

pub use settings::cases;
