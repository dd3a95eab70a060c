//! Perft (RULES §7): the oracle gives the figures of the games' tables.

mod solver;
mod words;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use privy_oracle::{Oracle, Rules};

/// The largest tree that is visited, in leaves.
const MOST_LEAVES: u64 = 80_000;

fn entries(folder: &Path) -> Vec<PathBuf> {
    let mut paths: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths
}

/// Every game: its rules, and the lines of `perft.txt`.
fn games() -> Vec<(Arc<Rules>, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/rules/games");
    let folders = [entries(&root), entries(&root.join("relatives"))].concat();
    let boards =
        entries(&root.join("boards")).into_iter().chain(folders.iter().map(|folder| folder.join("board.toml")));
    let boards: Vec<String> = boards.filter_map(|path| fs::read_to_string(path).ok()).collect();
    let read = |folder: &PathBuf| {
        let rules = fs::read_to_string(folder.join("rules.toml")).ok()?;
        let word = rules.lines().find(|line| line.starts_with("board = ")).unwrap().replacen("board", "id", 1);
        let board = boards.iter().find(|board| board.lines().any(|line| line == word)).unwrap();
        let perft = fs::read_to_string(folder.join("perft.txt")).unwrap();
        Some((Arc::new(Rules::read(&[&rules], board).unwrap()), perft))
    };
    folders.iter().filter_map(read).collect()
}

#[test]
fn the_figures_of_all_games_are_found() {
    let (mut trees, mut over) = (0, 0);
    for (rules, perft) in games() {
        for line in perft.lines().filter(|line| !line.starts_with('#')) {
            let (position, expected) = line.split_once(" | ").unwrap();
            let game = match position {
                "startpos" => Oracle::opening(&rules),
                text => Oracle::from_text(&rules, text).unwrap(),
            };
            if let Some(result) = expected.strip_prefix("over: ") {
                assert_eq!((game.result().as_deref(), game.perft(1)), (Some(result), 0), "{line}");
                over += 1;
                continue;
            }
            let counts = expected.split_whitespace().map(|count| count.parse::<u64>().unwrap());
            for (depth, count) in (1..).zip(counts).filter(|(_, count)| *count <= MOST_LEAVES) {
                assert_eq!(game.perft(depth), count, "depth {depth} of {}: {line}", rules.id);
                trees += 1;
            }
        }
    }
    assert!(trees > 100 && over >= 3, "{trees} trees, {over} finished games");
}
