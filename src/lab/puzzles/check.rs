//! The puzzles that the page has, against the tables.

use std::collections::BTreeMap;
use std::path::PathBuf;

use clap::Args;
use privy_base::bounded_read::read_file;
use privy_program::{CliError, find_variants};
use privy_tables::Tables;
use privy_web::Puzzle;

use super::puzzle::{are_alike, check};
use crate::play::check_stop;
use crate::{Lab, meets_the_bar};

/// Bytes of a file of puzzles.
const LARGEST: u64 = 16 << 20;
/// Bytes of the puzzles of a game: the page loads them all.
const LARGEST_GAME: usize = 40 << 10;

/// Puzzles are what the tables say, and no two are alike
///
/// Each move of a solution is the only one that wins or draws, each reply the best; the file is sorted by game and
/// grade, and no game takes more than 40 KiB. Every game needs its table.
#[derive(Args)]
pub(crate) struct ShippedPuzzlesArguments {
    /// Lines of `privy-lab puzzles`
    #[arg(default_value = "src/web/puzzles.jsonl")]
    file: PathBuf,
    /// Check the puzzles of this game alone
    #[arg(long, value_name = "VARIANT")]
    game: Option<String>,
}

impl ShippedPuzzlesArguments {
    pub(crate) fn run(&self, lab: &mut Lab<'_>) -> Result<(), CliError> {
        let in_file = |fault: String| CliError::File(format!("{}: {fault}", self.file.display()));
        let text = read_file(&self.file, LARGEST).map_err(|error| in_file(error.to_string()))?;
        let mut games: BTreeMap<String, Vec<(usize, &str, Puzzle)>> = BTreeMap::new();
        let mut last = (String::new(), 0);
        for (number, line) in (1..).zip(text.lines()) {
            let puzzle: Puzzle =
                serde_json::from_str(line).map_err(|error| in_file(format!("line {number}: {error}")))?;
            let place = (puzzle.game.clone(), puzzle.grade);
            if place < last {
                return Err(in_file(format!("line {number}: expected lines sorted by game and grade")));
            }
            last = place;
            games.entry(puzzle.game.clone()).or_default().push((number, line, puzzle));
        }
        games.retain(|game, _| self.game.as_ref().is_none_or(|only| only == game));
        let tables = Tables::new(lab.tables.choice());
        let mut wrong = 0;
        for (game, puzzles) in &games {
            let variant = &find_variants(std::slice::from_ref(game))?[0];
            let table = tables.find(variant)?;
            for (place, (number, _, puzzle)) in puzzles.iter().enumerate() {
                check_stop(lab.stop)?;
                let is_like = |(_, _, other): &&(usize, &str, Puzzle)| are_alike(puzzle, other, variant);
                let twin = puzzles[..place].iter().find(is_like).map(|(twin, ..)| format!("like that of line {twin}"));
                if let Some(fault) = check(puzzle, &table).err().or(twin) {
                    wrong += 1;
                    writeln!(lab.output, "line {number}: {fault}")?;
                }
            }
            let bytes: usize = puzzles.iter().map(|(_, line, _)| line.len() + 1).sum();
            let grades = puzzles.first().zip(puzzles.last()).map_or((0, 0), |(one, last)| (one.2.grade, last.2.grade));
            writeln!(
                lab.output,
                "{game}: {} puzzles of grades {} to {}, {bytes} bytes",
                puzzles.len(),
                grades.0,
                grades.1
            )?;
            wrong += usize::from(bytes > LARGEST_GAME);
        }
        meets_the_bar(wrong == 0 && !games.is_empty(), || format!("{wrong} faults of puzzles of {} games", games.len()))
    }
}
