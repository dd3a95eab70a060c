//! What the tests share: a development dependency, optimised as the code under test is.
#![allow(clippy::unwrap_used)]

pub mod examination;
pub mod faulty;
pub mod random;
