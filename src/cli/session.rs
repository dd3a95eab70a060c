//! The protocol session on standard input and output: whole moves, or half moves for GoGui.

use std::io::{self, IsTerminal, Write};

use clap::Args;

use crate::engine::Engine;
use crate::gtp;

use super::common::{TablesArgument, find_variant, set_options};
use super::error::CliError;

/// MiB for the transposition table of the half-move session: a client may start it several times over.
const GOGUI_HASH: u64 = 8;

#[derive(Args)]
pub(super) struct SessionArguments {
    /// Begin with this variant instead of sixteen-rebels
    #[arg(long, value_name = "VARIANT")]
    variant: Option<String>,
    /// Threads of a search
    #[arg(long, value_name = "N")]
    threads: Option<u64>,
    /// Size of the transposition table
    #[arg(long, value_name = "MIB")]
    hash: Option<u64>,
}

impl SessionArguments {
    /// Has the user said anything to it?
    pub(super) fn is_given(&self) -> bool {
        self.variant.is_some() || self.threads.is_some() || self.hash.is_some()
    }

    /// The session of whole moves.
    pub(super) fn run(&self, tables: &TablesArgument) -> Result<(), CliError> {
        let engine =
            self.engine(self.hash, tables, "showboard, legal_moves, play c3-b2, go time 1000, help, or quit")?;
        Ok(gtp::run(engine, io::stdin(), io::stdout())?)
    }

    /// The session of half moves.
    pub(super) fn run_gogui(&self, tables: &TablesArgument, output: &mut impl Write) -> Result<(), CliError> {
        let commands = "showboard, gogui-rules_legal_moves, play w c3, genmove b, help, or quit";
        let engine = self.engine(self.hash.or(Some(GOGUI_HASH)), tables, commands)?;
        Ok(gtp::gogui::run(engine, io::stdin(), output, io::stderr())?)
    }

    /// The engine of a session. A person at a terminal is told what to type.
    fn engine(&self, hash: Option<u64>, tables: &TablesArgument, commands: &str) -> Result<Engine, CliError> {
        let mut engine = match &self.variant {
            Some(word) => Engine::at(find_variant(word)?.start()),
            None => Engine::new(),
        };
        set_options(&mut engine, &[("threads", self.threads), ("hash", hash)], tables)
            .map_err(|error| CliError::Usage(format!("--{error}")))?;
        if io::stdin().is_terminal() {
            let (version, variant) = (env!("CARGO_PKG_VERSION"), engine.variant().id());
            let _ = writeln!(io::stderr(), "Privy {version}, variant {variant}. Type {commands}.");
        }
        #[cfg(unix)]
        gtp::when_unread(io::stdout(), || std::process::exit(0))?;
        Ok(engine)
    }
}
