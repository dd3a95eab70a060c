//! The program `privy`: see [`privy::cli`].

use std::process::ExitCode;

fn main() -> ExitCode {
    privy::cli::main()
}
