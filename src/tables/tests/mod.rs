//! Tests of the tables.

mod files;
mod hands;
mod kernel;
mod layers;
mod numbers;
mod small_games;
mod verification;
mod wrong_values;

use privy_protocol::Stop;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use privy_rules::board::{Board, Point, PointSet};
use privy_rules::rule_set::RuleSet;
use privy_rules::{Side, Variant};

use privy_tables::file::{Header, Writer};
use privy_tables::{Progress, SolveOptions, Solved, Table, TableError, solve};

/// A folder that goes when the test ends.
pub(crate) struct Folder(tempfile::TempDir);

impl Folder {
    pub(crate) fn new() -> Folder {
        Folder(tempfile::tempdir().unwrap())
    }

    pub(crate) fn file(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }
}

/// Writes a table with some sections.
fn write_table(path: &Path, header: &Header, sections: impl Iterator<Item = Vec<u8>>) {
    let mut writer = Writer::begin(Some(std::fs::File::create(path).unwrap())).unwrap();
    let mut header = Header { sections: Vec::new(), ..header.clone() };
    for section in sections {
        writer.add(&section).unwrap();
        header.sections.push(section.len() as u64);
    }
    writer.end(&header).unwrap();
}

/// Rules that add nothing: pieces step, and that is all.
fn plain() -> RuleSet {
    RuleSet::bare(Side::General)
}

/// The rows of a position text.
fn rows(board: &Board, general: Point, rebels: PointSet) -> String {
    let row = |row: &Vec<Point>| -> String {
        let letter = |point: Point| match point {
            point if point == general => 'G',
            point if rebels.contains(point) => 'r',
            _ => '1',
        };
        row.iter().copied().map(letter).collect()
    };
    board.rows.iter().map(row).collect::<Vec<_>>().join("/")
}

/// A game on a built-in board or on one of the boards beside this file; none where the rule words have no meaning
/// there. The Rebels stand on the first points of the field.
pub(crate) fn game(board: &str, words: &RuleSet, general: &str, rebels: u32) -> Option<Arc<Variant>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/tables/tests/boards");
    let (file, known) = match Board::builtin(board) {
        Some(known) => (board.to_owned(), known),
        None => {
            let text = std::fs::read_to_string(folder.join(format!("{board}.toml"))).unwrap();
            (format!("{board}.toml"), Arc::new(Board::from_toml(&text).unwrap()))
        }
    };
    let general = known.point(general.parse().unwrap()).unwrap();
    let rebels: PointSet = known.field.without(general).into_iter().take(rebels as usize).collect();
    let opening = rows(&known, general, rebels);
    let words = words.canonical_text();
    let text = format!("id = \"small\"\ntitle = \"\"\nboard = \"{file}\"\nopening = \"{opening}\"\n{words}");
    Variant::from_toml(&text, Some(&folder)).ok().map(Arc::new)
}

fn solve_with(variant: &Arc<Variant>, path: &Path, threads: usize) -> Result<Solved, TableError> {
    solve_up_to(variant, path, threads, None)
}

/// Solves the positions with at most `rebels` Rebels; none: all.
fn solve_up_to(variant: &Arc<Variant>, path: &Path, threads: usize, rebels: Option<u32>) -> Result<Solved, TableError> {
    let options = SolveOptions { threads: Some(threads), rebels, ..SolveOptions::default() };
    solve(variant, path, &options, &mut |_| {}, &Stop::default())
}

/// The table of a game, solved on one thread.
fn solved(variant: &Arc<Variant>, path: &Path) -> Table {
    solve_with(variant, path, 1).unwrap();
    Table::open(path, variant).unwrap()
}

/// The table of the positions with at most `rebels` Rebels, solved on two threads; none: all.
fn solved_up_to(variant: &Arc<Variant>, path: &Path, rebels: Option<u32>) -> Table {
    solve_up_to(variant, path, 2, rebels).unwrap();
    Table::open(path, variant).unwrap()
}

/// Solves until a layer has completed a ply, then stops.
fn interrupted(variant: &Arc<Variant>, path: &Path, until: (u32, u32)) -> Result<(), TableError> {
    interrupted_up_to(variant, path, until, None)
}

/// The same for the positions with at most `rebels` Rebels.
fn interrupted_up_to(
    variant: &Arc<Variant>,
    path: &Path,
    until: (u32, u32),
    rebels: Option<u32>,
) -> Result<(), TableError> {
    let stop = Stop::default();
    let options = SolveOptions { threads: Some(2), rebels, ..SolveOptions::default() };
    let mut progress = |progress: &Progress| {
        if (progress.rebels, progress.ply) == until {
            stop.set();
        }
    };
    solve(variant, path, &options, &mut progress, &stop).map(|_| ())
}
