//! The protocol loops on standard input and output.

use std::io::{self, IsTerminal, Write};

use crate::engine::Engine;
use crate::gtp;

use super::arguments::LoopArguments;
use super::error::{CliError, find_variant};

/// The engine of a protocol loop.
fn loop_engine(arguments: &LoopArguments, tables: Option<&str>) -> Result<Engine, CliError> {
    let mut engine = match &arguments.variant {
        Some(word) => Engine::at(find_variant(word)?.start()),
        None => Engine::new(),
    };
    let numbers = [("threads", arguments.threads), ("hash", arguments.hash)];
    let numbers = numbers.into_iter().filter_map(|(name, value)| Some((name, value?.to_string())));
    for (name, value) in numbers.chain(tables.map(|choice| ("tables", choice.to_owned()))) {
        engine.set_option(name, &value).map_err(|error| CliError::Usage(format!("--{error}")))?;
    }
    Ok(engine)
}

/// The loop of whole moves.
pub(super) fn run_loop(arguments: &LoopArguments, tables: Option<&str>) -> Result<(), CliError> {
    let engine = loop_engine(arguments, tables)?;
    greet(&engine, "showboard, legal_moves, play c3-b2, go time 1000, help, or quit");
    #[cfg(unix)]
    gtp::when_unread(io::stdout(), || std::process::exit(0))?;
    Ok(gtp::run(engine, io::stdin(), io::stdout())?)
}

/// The half-move loop. A client may start it several times over, so that it takes little memory unless told otherwise.
pub(super) fn run_gogui(
    arguments: LoopArguments,
    tables: Option<&str>,
    output: &mut impl Write,
) -> Result<(), CliError> {
    const HASH: u64 = 8;
    let arguments = LoopArguments { hash: arguments.hash.or(Some(HASH)), ..arguments };
    let engine = loop_engine(&arguments, tables)?;
    greet(&engine, "showboard, gogui-rules_legal_moves, play w c3, genmove b, help, or quit");
    #[cfg(unix)]
    gtp::when_unread(io::stdout(), || std::process::exit(0))?;
    Ok(gtp::gogui::run(engine, io::stdin(), output, io::stderr())?)
}

/// Tells a person at a terminal what to type.
fn greet(engine: &Engine, commands: &str) {
    if io::stdin().is_terminal() {
        let (version, variant) = (env!("CARGO_PKG_VERSION"), engine.variant().id());
        let _ = writeln!(io::stderr(), "Privy {version}, variant {variant}. Type {commands}.");
    }
}
