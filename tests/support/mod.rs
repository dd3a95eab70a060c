//! Shared by the integration tests.
#![allow(unreachable_pub)]

pub mod analyze;
pub mod binary;
pub mod gogui;
pub mod half_moves;
pub mod late;
pub mod lines;
pub mod matches;
pub use privy_testing::{oracle, random};
pub mod report;
pub mod scripts;
pub mod session;
pub mod snapshot;
pub mod tables;
pub mod tools;
