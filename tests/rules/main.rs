//! The rules: generated moves against a naive generator, published perft counts, fingerprints of the variants.
#![allow(clippy::print_stdout, clippy::print_stderr, clippy::unwrap_used)]

mod fingerprints;
mod oracle;
mod perft;
#[path = "../support/mod.rs"]
mod support;
