//! `privy play`: a game against the engine, on a page in the browser or in the terminal.

mod in_browser;
mod in_terminal;
mod line_editor;

use std::ffi::OsString;
use std::io::{self, IsTerminal, Write};
use std::path;
use std::str::FromStr;
use std::time::Duration;

use clap::Args;
use privy_engine::Engine;
use privy_program::{CliError, MOST_MS, TablesArgument, VariantWord, find_variant, is_path, within};
use privy_rules::{DEFAULT_VARIANT, Side};
use privy_search::Limits;
use privy_web::Begin;

use super::common::{option_number, set_tables};
use in_terminal::TerminalGame;
use line_editor::PlayerLines;

/// The level that a beginner can beat.
const EASY: u64 = 3;

/// The page counts in numbers with 53 bits.
const MOST_SEED: u64 = (1 << 53) - 1;

/// Play against the engine, on a page in the browser or in the terminal
///
/// The page needs nothing but a browser on this machine: the program serves it to this machine alone, at an address
/// with a random token, until Ctrl-C. In the terminal the board is drawn, and a line is a move, its number, or a word
/// such as undo, hint, why or quit; Tab completes it.
#[derive(Args)]
pub(super) struct PlayArguments {
    /// Id or file of the game; sixteen-rebels without one
    #[arg(value_parser = VariantWord, hide_possible_values = true)]
    game: Option<OsString>,
    /// Play in this terminal
    #[arg(long, conflicts_with_all = ["port", "no_browser"])]
    terminal: bool,
    /// Your side: general, rebels, or both [default: general]
    #[arg(long)]
    side: Option<Seats>,
    /// Strength of the engine, 1 for a beginner, 10 for all there is [default: 3]
    #[arg(long, value_name = "N", value_parser = option_number("level"))]
    level: Option<u64>,
    /// The engine's time for a move in milliseconds
    #[arg(long, value_name = "MS", default_value_t = 1_000, value_parser = within(1_u64..=MOST_MS))]
    time: u64,
    /// Random seed of the engine's choices; other games have the next ones [default: a random one for each game]
    #[arg(long, value_name = "N", value_parser = within(0..=MOST_SEED))]
    seed: Option<u64>,
    /// Port of the page [default: 7716, or any free one where that is taken]
    #[arg(long, value_name = "N", value_parser = within(1_u16..=u16::MAX))]
    port: Option<u16>,
    /// Print the address of the page, and open no browser
    #[arg(long)]
    no_browser: bool,
}

/// The sides that a person plays.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Seats {
    General,
    Rebels,
    Both,
}

impl Seats {
    fn plays(self, side: Side) -> bool {
        match self {
            Seats::Both => true,
            Seats::General => side == Side::General,
            Seats::Rebels => side == Side::Rebels,
        }
    }
}

impl std::fmt::Display for Seats {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Seats::General => "general",
            Seats::Rebels => "rebels",
            Seats::Both => "both",
        })
    }
}

impl FromStr for Seats {
    type Err = &'static str;

    fn from_str(word: &str) -> Result<Seats, &'static str> {
        match word.parse() {
            Ok(Side::General) => Ok(Seats::General),
            Ok(Side::Rebels) => Ok(Seats::Rebels),
            Err(_) if word.eq_ignore_ascii_case("both") => Ok(Seats::Both),
            Err(_) => Err("expected general, rebels or both"),
        }
    }
}

impl PlayArguments {
    pub(super) fn run(self, tables: &TablesArgument, output: &mut impl Write) -> Result<(), CliError> {
        let word = self.game.as_deref().unwrap_or(DEFAULT_VARIANT.as_ref());
        let variant = find_variant(word)?;
        let new_engine = || {
            let mut engine = Engine::at(variant.start());
            let configured = engine.configure(|options| {
                if self.terminal {
                    options.level = self.level.unwrap_or(EASY);
                }
                set_tables(options, tables);
            });
            configured.map_err(|error| CliError::Usage(error.to_string()))?;
            Ok::<Engine, CliError>(engine)
        };
        if self.terminal {
            let limits = Limits::of_time(Duration::from_millis(self.time));
            let lines = PlayerLines::open();
            return TerminalGame {
                engine: new_engine()?,
                seed: self.seed,
                you: self.side.unwrap_or(Seats::General),
                limits,
                interrupted: lines.interrupts(),
                lines,
                output,
            }
            .play();
        }
        let begin = Begin {
            // The page keeps a path for a program that may be started in another folder.
            variant: self.game.map(|word| match path::absolute(&word) {
                Ok(path) if is_path(&word) => path.to_string_lossy().into_owned(),
                _ => word.to_string_lossy().into_owned(),
            }),
            side: self.side.map(|side| side.to_string()),
            level: self.level,
            time: Some(self.time),
            seed: self.seed,
        };
        let opens_browser = !self.no_browser && io::stdout().is_terminal();
        in_browser::serve(self.port, &begin, opens_browser, &new_engine, output)
    }
}
