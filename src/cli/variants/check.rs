//! `privy variants check`: the faults of a file, with their lines and cures; and random games.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;

use crate::board::Board;
use crate::message::{plural, sanitized};
use crate::render::{self, Charset};
use crate::rules::{BoardFile, Outcome, RandomGames, Side, Variant, VariantError, VariantFile};
use crate::tablebase::effort;
use crate::toml_file::Fault;

use super::super::common::grouped;
use super::super::effort::in_words;
use super::super::error::CliError;

/// Characters of a line about a fault.
const LONGEST_LINE: usize = 2000;

/// Find what is wrong with a game of your own, tell its rules in words, and try it out
///
/// Every error has its file and line, what was found there, and what would be right; so has a board file that the variant
/// names, or that is checked by itself. A game without errors is played at random, each position by two generators of moves that
/// must agree: the fast one that all else uses, and a naive one that reads the board and the rules alone. Exit status 1 for
/// errors, 0 with warnings.
#[derive(Args)]
pub(in crate::cli) struct CheckArguments {
    /// Variant files, or board files; or the id of a built-in game, to be told its rules
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// How many random games to play
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u64).range(0..=1_000_000))]
    games: u64,
    /// Other numbers give other games
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
}

enum CheckedFile {
    Board(BoardFile),
    Variant(VariantFile),
}

impl CheckArguments {
    /// Checks all files, after faults too; the error names the faulty ones.
    pub(super) fn run(&self, output: &mut impl Write) -> Result<(), CliError> {
        let mut unsound = Vec::new();
        for path in &self.files {
            let fault = match self.check(path, output) {
                Ok(None) => continue,
                Ok(Some(fault)) => fault,
                Err(CliError::Variant(error)) if self.files.len() > 1 => {
                    writeln!(output, "cannot load file: {}", sanitized(&error.to_string(), LONGEST_LINE))?;
                    "cannot be read".to_owned()
                }
                Err(error) => return Err(error),
            };
            unsound.push(format!("{}: {fault}", path.display()));
        }
        if unsound.is_empty() { Ok(()) } else { Err(CliError::Unsound(unsound.join(", "))) }
    }

    /// Checks a file and describes the game or board in it, or its faults. Gives a summary of faults, if there are any.
    fn check(&self, path: &Path, output: &mut impl Write) -> Result<Option<String>, CliError> {
        if let Some(variant) = path.to_str().filter(|_| !path.exists()).and_then(Variant::builtin) {
            return self.describe_game(&variant, output);
        }
        let read = match BoardFile::read(path) {
            Ok(Some(board)) => Ok(CheckedFile::Board(board)),
            Ok(None) => VariantFile::read(path).map(CheckedFile::Variant),
            Err(error) => Err(error),
        };
        let (faults, warnings) = match &read {
            Ok(CheckedFile::Variant(file)) => (file.probable_mistakes(), file.warnings()),
            Ok(CheckedFile::Board(board)) => (board.probable_mistakes(), board.warnings()),
            Err(VariantError::Wrong(faults)) => (faults.iter().cloned().collect(), Vec::new()),
            Err(_) => (Vec::new(), Vec::new()),
        };
        if !faults.is_empty() {
            write_lines(&faults, output)?;
            return Ok(Some(counted(faults.len() as u64, "error")));
        }
        let fault = match read? {
            CheckedFile::Variant(file) => self.describe_game(file.variant(), output)?,
            CheckedFile::Board(board) => describe_board(board.board(), output).map(|()| None)?,
        };
        write_lines(&warnings, output)?;
        Ok(fault)
    }

    fn describe_game(&self, variant: &Arc<Variant>, output: &mut impl Write) -> Result<Option<String>, CliError> {
        let game = variant.start();
        writeln!(output, "{}: {}", variant.id(), sanitized(variant.title(), 200))?;
        writeln!(output, "fingerprint {}", variant.fingerprint())?;
        for other in Variant::all_ids().filter(|id| *id != variant.id()).filter_map(Variant::builtin) {
            if other.fingerprint() == variant.fingerprint() {
                writeln!(output, "The rules are those of {} ({}).", other.title(), other.id())?;
            }
        }
        writeln!(output, "{}", board_line(variant.board()))?;
        writeln!(output, "opening {game}: {}", counted(u64::from(variant.opening().rebels().len()), "Rebel"))?;
        for sentence in variant.rules_in_words() {
            writeln!(output, "{sentence}")?;
        }
        match effort(variant) {
            Ok(effort) => writeln!(output, "It can be solved: {}.", in_words(&effort))?,
            Err(error) => writeln!(output, "{error}.")?,
        }
        if self.games == 0 {
            return Ok(None);
        }
        let games = RandomGames::play(variant, self.games, self.seed);
        if let Some(text) = games.disagreement {
            let found = "The two generators of moves differ. That is a fault of this program, not of the file";
            writeln!(output, "{found}; please report it: {}", sanitized(&text, LONGEST_LINE))?;
            return Ok(Some("the generators differ".to_owned()));
        }
        describe_random_games(&games, output)?;
        Ok(None)
    }
}

fn write_lines(faults: &[Fault], output: &mut impl Write) -> Result<(), CliError> {
    for fault in faults {
        writeln!(output, "{}", sanitized(&fault.to_string(), LONGEST_LINE))?;
    }
    Ok(())
}

fn describe_board(board: &Board, output: &mut impl Write) -> Result<(), CliError> {
    writeln!(output, "{}: {}", board.id(), sanitized(board.title(), 200))?;
    writeln!(output, "{}", board_line(board))?;
    Ok(writeln!(output, "{}", render::board_text(board, Charset::Unicode))?)
}

/// A board in a line: points, lines, exits, apex, mirror.
fn board_line(board: &Board) -> String {
    let named = |what: &str, points| match board.names(points) {
        names if names.is_empty() => format!("no {what}"),
        names => format!("{what} {names}"),
    };
    let (exits, apex) = (named("exits", board.exits()), named("apex", board.apex()));
    let mirror = match board.mirror() {
        Some(mirror) if mirror.is_left_right() => "left and right mirror each other",
        Some(_) => "top and bottom mirror each other",
        None => "no mirror",
    };
    let (points, lines) = (board.len(), counted(board.lines().len() as u64, "line"));
    let privy = match board.privy().len() {
        0 => "none".to_owned(),
        count => count.to_string(),
    };
    format!("board {}: {points} points, {privy} of them the privy, {lines}; {exits}; {apex}; {mirror}", board.id())
}

fn describe_random_games(played: &RandomGames, output: &mut impl Write) -> Result<(), CliError> {
    let games = played.lengths.len();
    let (games_text, positions) = (counted(games as u64, "random game"), grouped(played.positions()));
    writeln!(
        output,
        "{games_text}, {positions} positions: the fast generator and the naive one agree in all of them."
    )?;
    let ends = |is_counted: &dyn Fn(Option<Outcome>) -> bool| -> (u64, String) {
        let ends: Vec<_> = played.endings.iter().filter(|(ending, _)| is_counted(*ending)).collect();
        let reasons = ends
            .iter()
            .filter_map(|(ending, count)| Some(format!("{} {}", ending.as_ref()?.reason(), grouped(*count))));
        (ends.iter().map(|(_, count)| count).sum(), reasons.collect::<Vec<String>>().join(", "))
    };
    let won = |side: Side| ends(&|ending| ending.and_then(Outcome::winner) == Some(side));
    let with_reasons = |(count, reasons): (u64, String)| match count {
        0 => "none".to_owned(),
        count => format!("{} ({reasons})", grouped(count)),
    };
    let [general, rebels] = [Side::General, Side::Rebels].map(|side| with_reasons(won(side)));
    let mut line = format!("The General wins {general}, the Rebels {rebels}");
    let (drawn, reasons) = ends(&|ending| ending.is_some_and(|ending| ending.winner().is_none()));
    if drawn > 0 {
        line += &format!("; drawn {} ({reasons})", grouped(drawn));
    }
    let (unfinished, _) = ends(&|ending| ending.is_none());
    if unfinished > 0 {
        line += &format!("; broken off after {} plies {}", grouped(RandomGames::LONGEST.into()), grouped(unfinished));
    }
    writeln!(output, "{line}.")?;
    if let (Some(shortest), Some(median), Some(longest)) =
        (played.lengths.first(), played.lengths.get(games / 2), played.lengths.last())
    {
        let left = played.rebels_left as f64 / games as f64;
        writeln!(
            output,
            "They last {shortest} to {longest} plies, half of them {median} or fewer; {left:.1} Rebels are left at the end."
        )?;
    }
    let mean = |(positions, moves): (u64, u64)| moves as f64 / positions.max(1) as f64;
    let [general, rebels] = played.choices.map(mean);
    writeln!(output, "The General has {general:.1} moves to choose from, the Rebels {rebels:.1}.")?;
    if !played.idle.is_empty() {
        writeln!(output, "Rules that never made a difference in these games: {}.", played.idle.join(", "))?;
    }
    Ok(())
}

fn counted(count: u64, one: &str) -> String {
    format!("{} {}", grouped(count), plural(count, one))
}
