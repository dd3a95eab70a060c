//! `faulty-engine FAULT`: an engine with a fault, as a process.

use std::io;
use std::process::exit;

fn main() -> io::Result<()> {
    let fault = std::env::args().nth(1).unwrap_or_default();
    exit(privy_testing::faulty::run(&fault, io::stdin(), io::stdout())?)
}
