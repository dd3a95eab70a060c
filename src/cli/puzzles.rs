//! `privy puzzles`: the puzzles of the page, to hand out.

use std::ffi::OsString;
use std::io::{self, Write};

use clap::Args;
use privy_program::{CliError, VariantWord, within};
use privy_rules::render::{self, Charset};
use privy_rules::{Game, Side, Variant};
use privy_web::Puzzle;

/// Print puzzles of a game: positions in which one move alone wins or saves a draw
///
/// They are those of the page, from the easiest, grade 1, to the hardest, grade 10.
#[derive(Args)]
pub(super) struct PuzzlesArguments {
    /// Id of the game
    #[arg(value_parser = VariantWord, hide_possible_values = true)]
    game: OsString,
    /// How many puzzles; all without it
    #[arg(long, value_name = "N", value_parser = within(1_usize..=1_000))]
    count: Option<usize>,
    /// The side that solves them: general or rebels
    #[arg(long)]
    side: Option<Side>,
    /// Print the solutions, too
    #[arg(long)]
    solutions: bool,
}

impl PuzzlesArguments {
    pub(super) fn run(&self, output: &mut impl Write) -> Result<(), CliError> {
        let id = self.game.to_string_lossy();
        let variant = Variant::builtin(&id).ok_or_else(|| CliError::UnknownVariant(id.clone().into_owned()))?;
        let shipped = Puzzle::shipped().map_err(io::Error::from)?;
        let mut games: Vec<&str> = shipped.iter().map(|puzzle| &*puzzle.game).collect();
        games.dedup();
        if !games.contains(&&*id) {
            return Err(CliError::Failed(format!("no puzzles of {id}; there are some of {}", games.join(", "))));
        }
        let is_asked = |puzzle: &&Puzzle| puzzle.game == id && self.side.is_none_or(|side| side == puzzle.side);
        let asked = shipped.iter().filter(is_asked).take(self.count.unwrap_or(usize::MAX));
        for (number, puzzle) in (1..).zip(asked) {
            let drawing = render::text(&Game::from_text(&puzzle.position, Some(&variant))?, Charset::Unicode);
            writeln!(output, "{number}. {puzzle}; grade {}.\n{}\n", puzzle.grade, puzzle.position)?;
            writeln!(output, "{}\n", drawing.trim_end())?;
            if self.solutions {
                writeln!(output, "Solution: {}\n", puzzle.line.join(" "))?;
            }
        }
        Ok(())
    }
}
