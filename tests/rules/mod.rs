//! The rules: generated moves against a naive generator, published perft counts, fingerprints of the variants.

mod fingerprints;
mod hunts;
mod illegal_moves;
mod ludii;
mod oracle;
mod pages;
mod perft;
