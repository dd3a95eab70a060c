//! Where diagnostics go.

use std::fs::OpenOptions;
use std::io::{self, Write};
use std::path::PathBuf;

/// Diagnostics go to standard error, warnings only and in the form of all that this program says there; or with time and
/// place to a file. `RUST_LOG` chooses otherwise.
pub(super) fn start_log(file: Option<&PathBuf>) -> io::Result<()> {
    let level = if file.is_some() { "debug" } else { "warn" };
    let mut builder = env_logger::Builder::from_env(env_logger::Env::default().default_filter_or(level));
    let opened = file.map(|path| {
        let opened = OpenOptions::new().create(true).append(true).open(path);
        opened.map_err(|error| io::Error::new(error.kind(), format!("{}: {error}", path.display())))
    });
    let result = match opened.transpose() {
        Ok(Some(file)) => {
            builder.target(env_logger::Target::Pipe(Box::new(file)));
            Ok(())
        }
        on_standard_error => {
            builder.format(|line, record| match record.level() {
                log::Level::Error | log::Level::Warn => writeln!(line, "privy: {}", record.args()),
                level => writeln!(line, "privy: {level} {}: {}", record.target(), record.args()),
            });
            on_standard_error.map(drop)
        }
    };
    builder.init();
    result
}
