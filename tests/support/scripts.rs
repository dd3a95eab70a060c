//! Scripts as commands: the examples for users of the protocol, and the bad engines.

use std::process::Command;

pub use super::binary;

/// The folder of the examples, relative to the package.
pub const EXAMPLES: &str = "protocol/examples";

/// A command line of the binary for a referee, quoted for a shell.
pub fn privy_line() -> String {
    format!("'{}'", binary::PRIVY)
}

/// A command line of the weak engine, with its arguments.
pub fn weak_line(arguments: &str) -> String {
    format!("python3 {EXAMPLES}/weak_engine.py {arguments}")
}

/// A command line of an engine with this fault.
pub fn bad_line(fault: &str) -> String {
    format!("python3 tests/bad_engines/bad_engine.py {fault}")
}

/// An example script with its interpreter. It works in the folder of the package and leaves nothing there.
pub fn example(program: &str, script: &str) -> Command {
    let mut command = Command::new(program);
    binary::isolate(&mut command);
    command.env("PYTHONDONTWRITEBYTECODE", "1").arg(format!("{EXAMPLES}/{script}"));
    command
}
