//! What the documentation of `privy-engine` says of the packages: its examples run, and each package needs the number
//! of crates that it gives.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use privy_tables::TableValue;

use crate::support::late::PATIENCE;

#[path = "../src/engine/examples/analyze.rs"]
mod analyze;
#[path = "../src/engine/examples/play_game.rs"]
mod play_game;
#[path = "../src/tables/examples/solve.rs"]
mod solve;

#[test]
fn a_game_is_played_to_its_end() {
    play_game::main().unwrap();
    let game = play_game::play_game("hare-and-hounds", 300, 1).unwrap();
    assert!(game.outcome().is_some() && game.moves().len() > 0);
}

#[test]
fn an_analysis_is_stopped() {
    analyze::main().unwrap();
    let opening = "1/3/rrrrr/r3r/r1G1r/r3r/rrrrr";
    let lines = analyze::analyze(opening, 2, 2, PATIENCE).unwrap();
    assert!(lines.len() == 2 && lines.iter().all(|(line, _)| line.depth >= 2), "{lines:?}");
    // Without time it still ends.
    analyze::analyze(opening, 2, u32::MAX, Duration::ZERO).unwrap();
}

#[test]
fn a_small_game_is_solved() {
    solve::main().unwrap();
    let (value, game) = solve::solve("id = \"plain\"\ntitle = \"Plain\"\nextends = \"hare-and-hounds\"\n").unwrap();
    assert_eq!(value, TableValue::Win(u32::try_from(game.moves().len()).unwrap()));
}

/// The packages of the documentation, in the order of the house, with their folders.
const PACKAGES: [(&str, &str); 7] = [
    ("privy-protocol", "protocol"),
    ("privy-base", "src/base"),
    ("privy-rules", "src/rules"),
    ("privy-records", "src/records"),
    ("privy-tables", "src/tables"),
    ("privy-search", "src/search"),
    ("privy-engine", "src/engine"),
];

/// The dependencies that a manifest names, for whatever system.
fn dependencies(folder: &str) -> BTreeSet<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder).join("Cargo.toml");
    let manifest: toml::Table = fs::read_to_string(path).unwrap().parse().unwrap();
    let targets = manifest.get("target").and_then(toml::Value::as_table).into_iter().flat_map(toml::Table::values);
    let tables = targets.chain([&toml::Value::Table(manifest.clone())]).cloned().collect::<Vec<_>>();
    tables
        .iter()
        .filter_map(|table| table.get("dependencies")?.as_table())
        .flat_map(toml::Table::keys)
        .cloned()
        .collect()
}

/// The texts of the Rust files in a folder, one behind the other.
fn sources(folder: &Path) -> String {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let texts = entries.map(|path| match path.extension() {
        None if path.is_dir() => sources(&path),
        Some(extension) if extension == "rs" => fs::read_to_string(path).unwrap(),
        _ => String::new(),
    });
    texts.collect()
}

#[test]
fn each_package_uses_the_crates_that_its_manifest_names() {
    for (name, folder) in PACKAGES {
        let sources = sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join(folder));
        for needed in dependencies(folder) {
            let path = needed.replace('-', "_") + "::";
            let is_used = sources.match_indices(&path).any(|(place, _)| {
                let before = sources[..place].chars().next_back();
                before.is_none_or(|before| !before.is_alphanumeric() && before != '_')
            });
            assert!(is_used, "{name}: {needed}");
        }
    }
}

#[test]
fn the_documentation_counts_the_crates_of_each_package() {
    let page = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/src/engine/lib.rs")).unwrap();
    for (name, _) in PACKAGES {
        let row = page.lines().find(|line| line.starts_with(&format!("//! | `{name}` |"))).unwrap();
        // With all that these need in turn. Without cargo there is nothing to ask.
        let Ok(cargo) = std::env::var("CARGO") else { continue };
        let target = ["--target", "x86_64-unknown-linux-gnu", "--edges", "normal", "--prefix", "none"];
        let mut tree = Command::new(cargo);
        tree.args(["tree", "--locked", "--offline", "--package", name]).args(target);
        let tree = tree.current_dir(env!("CARGO_MANIFEST_DIR")).output().unwrap();
        let text = String::from_utf8(tree.stdout).unwrap();
        let all: BTreeSet<&str> = text.lines().filter_map(|line| line.split(' ').next()).collect();
        let foreign = all.iter().filter(|name| !name.is_empty() && !name.starts_with("privy-")).count();
        assert!(row.ends_with(&format!("| {foreign} |")), "{name}: {text}");
    }
}

/// Packages whose library is not compiled as a test program: their tests are modules of this one.
#[test]
fn a_package_without_a_test_program_has_no_tests_in_its_library() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let manifest: toml::Table = fs::read_to_string(root.join("Cargo.toml")).unwrap().parse().unwrap();
    let mut without = 0;
    for member in manifest["workspace"]["members"].as_array().unwrap() {
        let folder = root.join(member.as_str().unwrap());
        let manifest: toml::Table = fs::read_to_string(folder.join("Cargo.toml")).unwrap().parse().unwrap();
        let library = manifest.get("lib").and_then(|library| library.get("test"));
        if library.and_then(toml::Value::as_bool) == Some(false) {
            assert!(!sources(&folder).contains("#[cfg(test)]"), "{member}: cargo would not run these tests");
            without += 1;
        }
    }
    assert!(without > 1);
}
