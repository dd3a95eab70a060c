//! Programs and packages that not every machine has. A test without its tools says so on standard error and asserts
//! nothing.

use std::io::Write;
use std::path::{Path, PathBuf};

/// Says that the running test is skipped, past the capture of the output of tests that succeed.
pub fn skip(reason: &str) {
    let name = std::thread::current().name().unwrap_or_default().to_owned();
    let _ = writeln!(std::io::stderr(), "skipped: {name}: {reason}");
}

/// The npm packages of a folder of `tests`, where `.ci/node` has put them. No test downloads anything.
pub fn node_modules(folder: &str) -> Option<PathBuf> {
    let modules = Path::new(env!("CARGO_TARGET_TMPDIR")).parent()?.join("node").join(folder).join("node_modules");
    modules.is_dir().then_some(modules)
}
