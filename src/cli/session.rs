//! The protocol session on standard input and output: whole moves, or half moves for GoGui.

use std::ffi::OsString;
use std::io::{self, IsTerminal, Write};

use clap::Args;
use privy_protocol::Command;

use privy_engine::Engine;
use privy_engine::session;
use privy_rules::Game;
use privy_rules::render::{self, Charset};

#[cfg(unix)]
use super::common::when_unread;
use super::common::{OptionArguments, TablesArgument, VariantWord, find_position, find_variant, option_number};
use super::error::CliError;
use super::terminal;

/// MiB for the transposition table of the half-move session: a client may start it several times over.
const GOGUI_HASH: u64 = 8;

#[derive(Args, Default, PartialEq)]
pub(super) struct SessionArguments {
    /// Begin with this variant instead of sixteen-rebels
    #[arg(long, value_name = "VARIANT", value_parser = VariantWord, hide_possible_values = true)]
    variant: Option<OsString>,
    /// Threads of a search
    #[arg(long, value_name = "N", value_parser = option_number("threads"))]
    threads: Option<u64>,
    #[command(flatten)]
    options: OptionArguments,
}

// The half-move loop takes a first position besides: its clients can't give one that their board shows.
#[derive(Args)]
pub(super) struct GoguiArguments {
    #[command(flatten)]
    session: SessionArguments,
    /// Begin each game with this position text instead of the opening
    #[arg(long, value_name = "TEXT")]
    fen: Option<String>,
}

impl SessionArguments {
    /// The session of whole moves; with `show_board` the board is drawn beside the answers.
    pub(super) fn run(&self, show_board: bool, tables: &TablesArgument) -> Result<(), CliError> {
        let commands = "showboard, legal_moves, play c3-b2, go time 1000, help, or quit";
        let engine = self.engine(None, None, tables, commands)?;
        let ended = match terminal::open(Command::all_help(), true) {
            Some((input, output)) => {
                let (printer, mut draw) = (output.clone(), draw_changes(show_board, output.clone()));
                session::run(engine, input, output, |engine| {
                    printer.complete_moves(engine.game());
                    draw(engine);
                })
            }
            None => session::run(engine, io::stdin(), io::stdout(), draw_changes(show_board, io::stderr())),
        };
        Ok(ended?)
    }

    /// The engine of a session, with this size of the transposition table unless another is named. At a terminal it is introduced with some commands.
    fn engine(
        &self,
        fen: Option<&str>,
        usual_hash: Option<u64>,
        tables: &TablesArgument,
        commands: &str,
    ) -> Result<Engine, CliError> {
        let mut engine = match (&self.variant, fen) {
            (Some(word), fen) => Engine::at(find_position(&find_variant(word)?, fen)?),
            (None, Some(text)) => Engine::at(Game::from_text(text, Some(Engine::new().variant()))?),
            (None, None) => Engine::new(),
        };
        self.options.apply(&mut engine, &[("threads", self.threads), ("hash", usual_hash)], tables)?;
        if io::stdin().is_terminal() {
            let (version, variant) = (env!("CARGO_PKG_VERSION"), engine.variant().id());
            let _ = writeln!(io::stderr(), "Privy {version}, variant {variant}. Type {commands}.");
        }
        #[cfg(unix)]
        when_unread(io::stdout(), || std::process::exit(0))?;
        Ok(engine)
    }
}

/// Draws the position after every change, if enabled.
fn draw_changes(is_enabled: bool, mut output: impl Write) -> impl FnMut(&Engine) {
    let mut drawn = String::new();
    move |engine| {
        let position = engine.game().to_string();
        if is_enabled && position != drawn {
            let drawing = render::text(engine.game(), Charset::Unicode);
            let _ = writeln!(output, "{}\n", drawing.trim_end()).and_then(|()| output.flush());
            drawn = position;
        }
    }
}

impl GoguiArguments {
    pub(super) fn run(&self, tables: &TablesArgument, output: &mut impl Write) -> Result<(), CliError> {
        let commands = "showboard, gogui-rules_legal_moves, play w c3, genmove b, help, or quit";
        let engine = self.session.engine(self.fen.as_deref(), Some(GOGUI_HASH), tables, commands)?;
        let ended = match terminal::open(privy_gogui::all_help(), false) {
            Some((input, output)) => privy_gogui::run(engine, input, output, io::stderr()),
            None => privy_gogui::run(engine, io::stdin(), output, io::stderr()),
        };
        Ok(ended?)
    }
}
