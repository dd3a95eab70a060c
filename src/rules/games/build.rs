//! Build script: lists the folders of the built-in games for `mod.rs`, so that adding a folder adds a game.
#![allow(clippy::print_stdout)]

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

/// Files that every game has.
const REQUIRED: [&str; 3] = ["game.toml", "rules.toml", "perft.txt"];

/// Files that a game may have.
const OPTIONAL: [&str; 6] =
    ["board.toml", "weights.toml", "skill_levels.toml", "win_rates.toml", "table_counts.toml", "bench.txt"];

/// The boards that several games share.
const BOARDS: &str = "boards";

/// The games of other families.
const RELATIVES: &str = "relatives";

fn main() {
    let root = PathBuf::from(std::env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets it")).join("games");
    println!("cargo::rerun-if-changed=games");
    let games = [games(&root), games(&root.join(RELATIVES))].concat();
    let mut text = String::from("static GAMES: &[GameFiles] = &[\n");
    for folder in &games {
        game(&mut text, folder);
    }
    text.push_str("];\nstatic BOARDS: &[(&str, &str)] = &[\n");
    let own = games.iter().map(|folder| folder.join("board.toml")).filter(|board| board.exists());
    for board in entries(&root.join(BOARDS)).into_iter().chain(own) {
        writeln!(text, "({}, {}),", value(&board, "id"), include(&board)).expect("a string takes all");
    }
    text.push_str("];\n");
    let out = PathBuf::from(std::env::var_os("OUT_DIR").expect("cargo sets it")).join("games.rs");
    fs::write(out, text).expect("the folder of the build can be written");
}

/// The folders of games in a folder, in their order.
fn games(root: &Path) -> Vec<PathBuf> {
    let is_game = |path: &PathBuf| path.is_dir() && !path.ends_with(BOARDS) && !path.ends_with(RELATIVES);
    let mut games: Vec<PathBuf> = entries(root).into_iter().filter(is_game).collect();
    let order = |folder: &Path| value(&folder.join("game.toml"), "order").parse::<u32>();
    games.sort_by_key(|folder| order(folder).unwrap_or_else(|error| panic!("{}: order: {error}", folder.display())));
    games
}

/// What is in a folder, by name.
fn entries(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("a readable folder").path()).collect();
    paths.sort();
    paths
}

/// A value of a file, as it stands there.
fn value(path: &Path, key: &str) -> String {
    let text = fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let value = text.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix(" = "));
    value.unwrap_or_else(|| panic!("{}: expected a line \"{key} = …\"", path.display())).to_owned()
}

/// The family of a game, in quotes: that of the folder of relatives, or the one that its file names.
fn family(folder: &Path) -> String {
    let is_relative = folder.parent().is_some_and(|parent| parent.ends_with(RELATIVES));
    if is_relative { format!("{RELATIVES:?}") } else { value(&folder.join("game.toml"), "family") }
}

/// The entry of a game: its id, and each file as text.
fn game(text: &mut String, folder: &Path) {
    for path in entries(folder) {
        let known = REQUIRED.iter().chain(&OPTIONAL).any(|file| path.ends_with(file));
        assert!(known, "{}: expected one of {REQUIRED:?} {OPTIONAL:?}", path.display());
    }
    let id = folder.file_name().and_then(|name| name.to_str()).expect("a folder named by the id of its game");
    write!(text, "GameFiles {{ id: {id:?}, family: {}, ", family(folder)).expect("a string takes all");
    for file in REQUIRED.iter().chain(&OPTIONAL) {
        let (path, field) = (folder.join(file), file.split('.').next().unwrap_or_default());
        let value = match (REQUIRED.contains(file), path.exists()) {
            (true, _) => include(&path),
            (false, true) => format!("Some({})", include(&path)),
            (false, false) => "None".to_owned(),
        };
        write!(text, "{field}: {value}, ").expect("a string takes all");
    }
    text.push_str("},\n");
}

fn include(path: &Path) -> String {
    format!("include_str!({:?})", path.display().to_string())
}
