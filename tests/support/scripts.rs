//! The scripts beside the sources, as commands: the examples for users of the protocol, and the bad engines.

use std::process::Command;

pub use super::binary;

/// Where the examples are, from the folder of the package.
pub const EXAMPLES: &str = "protocol/examples";

/// A command line of the binary for a referee, which takes it apart as a shell does.
pub fn privy_line() -> String {
    format!("'{}'", binary::PRIVY)
}

/// A command line of the weak engine, with its arguments.
pub fn weak_line(arguments: &str) -> String {
    format!("python3 {EXAMPLES}/weak_engine.py {arguments}")
}

/// A command line of an engine with a fault.
pub fn bad_line(fault: &str) -> String {
    format!("python3 tests/bad_engines/bad_engine.py {fault}")
}

/// A script of the examples, run by a program. It works in the folder of the package and leaves nothing there.
pub fn example(program: &str, script: &str) -> Command {
    let mut command = Command::new(program);
    binary::isolate(&mut command);
    command.env("PYTHONDONTWRITEBYTECODE", "1").arg(format!("{EXAMPLES}/{script}"));
    command
}
