//! A match as it goes on, on a terminal or elsewhere.

use std::io::{self, Write};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::game_report::GameReport;
use super::sprt::Sprt;
use super::standings::Standings;
use super::summary::Summary;

/// Shows a match: a table on standard error that is drawn anew after every game, when that is a terminal; otherwise a line
/// a game, to the writer that is handed over.
#[derive(Debug)]
pub struct Display {
    games: u64,
    sprt: Option<Sprt>,
    /// The table on the terminal.
    bar: Option<ProgressBar>,
}

impl Display {
    /// A display of a match of so many games. `live` chooses the table; whether standard error is a terminal is the
    /// caller's to know.
    #[must_use]
    pub fn new(games: u64, sprt: Option<Sprt>, live: bool) -> Display {
        let bar = live.then(|| {
            let bar = ProgressBar::with_draw_target(Some(games), ProgressDrawTarget::stderr());
            if let Ok(style) =
                ProgressStyle::with_template("{bar:40} game {pos} of {len} [{elapsed}, {eta} left]\n{msg}")
            {
                bar.set_style(style);
            }
            bar
        });
        Display { games, sprt, bar }
    }

    /// Shows the state after a game, which the standings contain already.
    ///
    /// # Errors
    /// When a line can't be written.
    pub fn game(&self, game: &GameReport, standings: &Standings, output: &mut impl Write) -> io::Result<()> {
        let Some(bar) = &self.bar else {
            let points = |name: &str| {
                let engine = standings.engines().iter().find(|engine| engine.name == name);
                engine.map_or(0.0, |engine| engine.tally().points())
            };
            writeln!(output, "{}", game.line(self.games, points))?;
            return output.flush();
        };
        let summary = Summary::new(standings, self.sprt.as_ref());
        let test = summary.sprt.map_or_else(String::new, |sprt| sprt.to_string());
        bar.set_message(format!("{}{test}", summary.engines_grid()));
        bar.set_position(summary.games);
        Ok(())
    }

    /// Takes the table off the terminal.
    pub fn end(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
