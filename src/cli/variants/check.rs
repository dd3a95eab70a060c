//! `privy variants check`: the faults of a file, with their lines and corrections; and random games.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;
use privy_oracle::{Oracle, Rules};
use privy_program::{CliError, is_path, within};

use privy_base::message::{counted, sanitized};
use privy_rules::board::Board;
use privy_rules::render::{self, Charset};
use privy_rules::toml_file::FileFault;
use privy_rules::{BoardFile, Variant, VariantError, VariantFile};
use privy_tables::effort;

use super::super::effort::{in_words, seconds};
use super::random_games::RandomGames;

/// Characters of a line about a fault.
const LONGEST_LINE: usize = 2000;

/// Find what is wrong with your own game, print its rules in words, and try it out
///
/// Every error has its file and line, what was found there, and what would be right; so has a board file that the
/// variant names, or that is checked by itself. A game without errors is played at random, each position by two
/// generators of moves that must agree: the fast one that all else uses, and a naive one that reads the board and the
/// rules alone. Exit status 1 for errors, 0 with warnings.
#[derive(Args)]
pub(in super::super) struct CheckArguments {
    /// Variant files, or board files; or the id of a built-in game, to print its rules
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// How many random games to play
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = within(0_u64..=1_000_000))]
    games: u64,
    /// Random seed of the games
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = within(0..=u64::MAX))]
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
                Err(error @ (CliError::Variant(_) | CliError::UnknownVariant(_))) if self.files.len() > 1 => {
                    writeln!(output, "{}", sanitized(&error.to_string(), LONGEST_LINE))?;
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
            return self.describe_game(&variant, &[&variant.heading.source], output);
        }
        if let Some(word) = path.to_str().filter(|word| !path.exists() && !is_path(word)) {
            return Err(CliError::UnknownVariant(word.to_owned()));
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
            CheckedFile::Variant(file) => self.describe_game(&file.variant, &file.texts(), output)?,
            CheckedFile::Board(board) => describe_board(&board.board, output).map(|()| None)?,
        };
        write_lines(&warnings, output)?;
        Ok(fault)
    }

    /// Describes a game and tries it out. `files` are the text of its variant file and of those that it extends.
    fn describe_game(
        &self,
        variant: &Arc<Variant>,
        files: &[&str],
        output: &mut impl Write,
    ) -> Result<Option<String>, CliError> {
        let game = variant.start();
        writeln!(output, "{}: {}", variant.id(), &variant.heading.title)?;
        writeln!(output, "fingerprint {}", variant.fingerprint())?;
        for other in Variant::all_ids().filter(|id| *id != variant.id()).filter_map(Variant::builtin) {
            if other.fingerprint() == variant.fingerprint() {
                writeln!(output, "The rules are those of {} ({}).", other.heading.title, other.id())?;
            }
        }
        writeln!(output, "{}", board_line(variant.board()))?;
        let rebels = counted(u64::from(variant.opening().rebels_left()), "Rebel");
        writeln!(output, "opening {game}: {}", variant.heading.names.in_names(&rebels))?;
        writeln!(output, "{}", render::position_text(&game, Charset::Unicode))?;
        for sentence in variant.rules_in_words() {
            writeln!(output, "{sentence}")?;
        }
        match effort(variant) {
            Ok(effort) => {
                let seconds = seconds(&effort, 2);
                writeln!(output, "It can be solved: {}.", in_words(&effort, seconds, "on two cores"))?;
            }
            Err(error) => writeln!(output, "{error}.")?,
        }
        if self.games == 0 {
            return Ok(None);
        }
        let played = match Rules::read(files, &variant.board().source) {
            Ok(rules) => RandomGames::play(variant, &Oracle::opening(&Arc::new(rules)), self.games, self.seed),
            Err(error) => return Err(CliError::Unsound(format!("{}: {error}", variant.id()))),
        };
        if let Some(text) = played.disagreement {
            let found = "The two generators of moves differ. That is a fault of this program, not of the file";
            writeln!(output, "{found}; please report it: {}", sanitized(&text, LONGEST_LINE))?;
            return Ok(Some("the generators differ".to_owned()));
        }
        output.write_all(variant.heading.names.in_names(&played.in_words()).as_bytes())?;
        Ok(None)
    }
}

fn write_lines(faults: &[FileFault], output: &mut impl Write) -> Result<(), CliError> {
    for fault in faults {
        writeln!(output, "{}", sanitized(&fault.to_string(), LONGEST_LINE))?;
    }
    Ok(())
}

fn describe_board(board: &Board, output: &mut impl Write) -> Result<(), CliError> {
    writeln!(output, "{}: {}", board.id, board.title)?;
    writeln!(output, "{}", board_line(board))?;
    Ok(writeln!(output, "{}", render::board_text(board, Charset::Unicode))?)
}

/// A board in a line: points, lines, exits, apex, mirror.
fn board_line(board: &Board) -> String {
    let named = |what: &str, points| match board.names(points) {
        names if names.is_empty() => format!("no {what}"),
        names => format!("{what} {names}"),
    };
    let (exits, apex) = (named("exits", board.exits), named("apex", board.apex));
    let mirror = match board.mirror() {
        Some(mirror) if mirror.is_left_right => "left and right mirror each other",
        Some(_) => "top and bottom mirror each other",
        None => "no mirror",
    };
    let (points, mut lines) = (board.len(), counted(board.lines.len() as u64, "line"));
    if !board.edges.is_empty() {
        lines += &format!(", {}", counted(board.edges.len() as u64, "edge"));
    }
    let privy = match board.privy.len() {
        0 => "none".to_owned(),
        count => count.to_string(),
    };
    format!("board {}: {points} points, {privy} of them the privy, {lines}; {exits}; {apex}; {mirror}", board.id)
}
