//! `fit weights`: weights of the evaluation are repeatable, and kept only if they win.

use std::fs;
use std::process::Command;
use std::sync::Arc;

use privy_program::CliError;
use privy_protocol::Stop;
use privy_rules::Variant;
use privy_search::eval::{SideWeights, Weights};

use super::super::fit::{FitRequest, fit_weights};
use super::{SMALL_VARIANT, TestFolder, parsed, run, solve};

/// Arguments of a run of about a second.
fn tiny<'a>(variant: &'a str, file: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    let mut words = vec!["fit", "weights", variant, "--games", "60", "--nodes", "40", "--tables", "off"];
    words.extend(["--output", file]);
    words.extend(more);
    words
}

/// The error of a fit.
fn failed(words: &[&str]) -> String {
    run(words).unwrap_err().to_string()
}

/// Writes a copy of a game under another path, with more words; returns the path.
fn own_game(folder: &TestFolder, more: &str) -> String {
    let path = folder.path("own.toml");
    fs::write(&path, privy_rules::games::get("sixteen-rebels").unwrap().rules.to_owned() + more).unwrap();
    path
}

#[test]
fn the_weights_do_not_depend_on_the_number_of_threads() {
    let variant = Variant::builtin("sixteen-rebels").unwrap();
    let fitted = |threads, seed| {
        let variant = Arc::clone(&variant);
        let request = FitRequest { variant, games: 30, nodes: 40, seed, positions: 600_000, threads, table: None };
        fit_weights(&request, &|_| {}, &Stop::default()).unwrap().weights.to_toml(&request.variant)
    };
    let one = fitted(1, 1);
    assert_eq!(one, fitted(2, 1));
    assert_ne!(one, fitted(2, 2));
    let weights = Weights::from_toml(&one, &variant).unwrap();
    assert_eq!(Weights::from_toml(&weights.to_toml(&variant), &variant), Ok(weights));
}

#[test]
fn an_impossible_fit_fails_and_leaves_no_file() {
    let folder = TestFolder::new("impossible");
    let file = folder.path("weights.toml");
    assert!(matches!(run(&tiny("chess", &file, &[])), Err(CliError::UnknownVariant(id)) if id == "chess"));
    for wrong in ["--games 9", "--nodes 0", "--threads 0"] {
        let words = ["fit weights kings-gonu", wrong].join(" ");
        assert!(parsed(&words.split(' ').collect::<Vec<_>>()).is_err(), "{wrong}");
    }
    assert!(parsed(&["fit", "weights"]).is_err());
    let over = failed(&tiny("twenty-six-murray", &file, &[]));
    assert!(over.starts_with("game over: "), "{over}");
    let few = failed(&tiny("sixteen-rebels", &file, &["--positions", "50"]));
    assert!(few.contains("too few positions"), "{few}");
    let damaged = folder.path("damaged.toml");
    fs::write(&damaged, "id = 1").unwrap();
    let unread = failed(&tiny(&damaged, &file, &[]));
    assert!(unread.starts_with("cannot load file: "), "{unread}");
    fs::remove_file(damaged).unwrap();
    assert_eq!(fs::read_dir(folder.path("")).unwrap().count(), 0);
    let nowhere = folder.path("nowhere/weights.toml");
    for unwritable in [nowhere, folder.path("")] {
        assert!(failed(&tiny("sixteen-rebels", &unwritable, &[])).contains("cannot write"));
    }
}

/// These games would take a day: a full disk must be reported before the first one. The test runs itself within a limit
/// of file sizes.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_seen_before_the_first_game() {
    const FILE: &str = "PRIVY_LAB_FULL_DISK";
    if let Some(file) = std::env::var_os(FILE) {
        let file = file.to_str().unwrap();
        let words = ["fit", "weights", "sixteen-rebels", "--games", "10000000", "--tables", "off", "--output", file];
        let full = failed(&words);
        assert!(full.contains("cannot write") && full.contains("File too large"), "{full}");
        return;
    }
    let folder = TestFolder::new("full-disk");
    let mut command = Command::new("sh");
    command.args(["-c", "trap '' XFSZ; ulimit -f 8; exec \"$0\" \"$@\""]).arg(std::env::current_exe().unwrap());
    command.arg("a_full_disk_is_seen_before_the_first_game").env(FILE, folder.path("weights.toml"));
    let ran = command.output().unwrap();
    let told = String::from_utf8_lossy(&ran.stdout);
    assert!(ran.status.success() && told.contains("1 passed"), "{told}");
    assert_eq!(fs::read_dir(folder.path("")).unwrap().count(), 0);
}

#[test]
fn weights_are_kept_only_if_they_win() {
    let folder = TestFolder::new("kept");
    let (own, weights) = (own_game(&folder, ""), folder.path("own.weights.toml"));
    let builtin = fs::read_to_string(&own).unwrap();
    let fit =
        |trial| run(&["fit", "weights", &own, "--games", "60", "--nodes", "40", "--tables", "off", "--trial", trial]);
    // The built-in weights for the same rules are far better than a fit to sixty games.
    let lost = fit("4").unwrap_err().to_string();
    assert!(lost.contains("own.weights.toml: not written, the weights do not play better"), "{lost}");
    assert!(!fs::exists(&weights).unwrap());
    let variant = Arc::new(Variant::from_file(own.as_ref()).unwrap());
    let nothing = Weights { general_to_move: SideWeights::none(), rebels_to_move: SideWeights::none() };
    fs::write(&weights, nothing.to_toml(&variant)).unwrap();
    let won = fit("200").unwrap();
    assert!(won.contains("of 60 games, labelled by searches and their results"), "{won}");
    assert!(won.contains("before: loss ") && won.contains("after: loss "), "{won}");
    assert!(won.contains("against the weights before: ") && won.contains("H1 accepted"), "{won}");
    assert_eq!(won.lines().last(), Some(&*weights), "{won}");
    assert_eq!(fs::read_to_string(&own).unwrap(), builtin, "the variant is left as it is");
    let text = fs::read_to_string(&weights).unwrap();
    let origin = "# Origin: privy-lab fit weights sixteen-rebels --games 60 --nodes 40 --seed 1 --positions 600000\n";
    assert!(text.contains(origin) && text.contains("\n# Against these, 2000 nodes a move: "), "{text}");
    // Weights that do not win leave the old ones.
    fit("1").unwrap_err();
    assert_eq!(fs::read_to_string(&weights).unwrap(), text);
}

#[test]
fn a_damaged_table_is_named() {
    let folder = TestFolder::new("damaged-table");
    let table = solve(&folder, SMALL_VARIANT);
    let mut bytes = fs::read(&table).unwrap();
    let last = bytes.len() - 1;
    bytes[last / 2..last].iter_mut().for_each(|byte| *byte = !*byte);
    fs::write(&table, bytes).unwrap();
    let (output, tables) = (folder.path("weights.toml"), folder.path(""));
    let words = ["fit", "weights", "--games", "60", "--nodes", "40", SMALL_VARIANT, "--tables", &tables];
    let damaged = failed(&[&words[..], &["--output", &output]].concat());
    assert!(damaged.contains(table.to_str().unwrap()), "{damaged}");
    assert!(!fs::exists(&output).unwrap());
}

/// All of its games end within the random moves of an opening.
#[test]
fn a_game_of_one_ply_is_refused() {
    let folder = TestFolder::new("one-ply");
    let own = own_game(&folder, "move_limit = { plies = 1 }\n");
    let few = failed(&["fit", "weights", &own, "--games", "10", "--tables", "off"]);
    assert!(few.contains("too few positions: "), "{few}");
}
