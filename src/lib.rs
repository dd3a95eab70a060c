//! The command line of Privy, for the program `privy` and for `privy-lab`, which shares its arguments.

pub mod cli;
