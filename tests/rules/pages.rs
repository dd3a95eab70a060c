//! The tables of HUNTS.md and GAMES.md, made from the files of games.

use std::fmt::Write as _;

use privy_rules::rule_set::JumpRule;
use privy_rules::{Variant, games};

use super::hunts;
use crate::support::snapshot;

/// The beginning of a note that says what differs from Ludii's game file of the same game.
const BESIDE: &str = "Beside Ludii's ";

/// The notes of a variant file.
fn notes(text: &str) -> Vec<String> {
    let file: toml::Table = text.parse().unwrap();
    let notes = file.get("notes").and_then(|notes| notes.as_array()).cloned().unwrap_or_default();
    notes.iter().filter_map(|note| note.as_str().map(str::to_owned)).collect()
}

#[test]
fn pages_have_what_the_files_of_hunts_say() {
    let built_in = games::all().iter().map(|game| (format!("built in: `{}`", game.id), notes(game.rules)));
    let others = hunts::names().into_iter().map(|name| (format!("`{name}`"), notes(&hunts::source(&name))));
    let mut rows: Vec<String> = Vec::new();
    for (file, notes) in built_in.chain(others) {
        for note in notes.iter().filter_map(|note| note.strip_prefix(BESIDE)) {
            let (game, difference) = note.split_once(": ").unwrap();
            rows.push(format!("| {game} | {file} | {} |\n", difference.trim_end_matches('.')));
        }
    }
    rows.sort();
    let head = "| game in Ludii | file | beside Ludii's game file |\n|---|---|---|\n";
    snapshot::check_part("docs/HUNTS.md", "hunts", &(head.to_owned() + &rows.concat()));
}

/// Every file is in a table of the page, or its board is.
#[test]
fn no_hunt_is_missing_from_its_page() {
    let page = snapshot::read("docs/HUNTS.md");
    for name in hunts::names() {
        assert!(page.contains(&format!("| `{name}` |")), "{name}");
    }
}

#[test]
fn pages_have_what_the_files_of_games_say() {
    let mut table = "| relative | Rebels | points | captures | end and result |\n|---|---|---|---|---|\n".to_owned();
    for game in games::all().iter().filter(|game| game.is_relative()) {
        let variant = Variant::builtin(game.id).unwrap();
        let captures = match variant.rule_set().jump {
            JumpRule::None => "never",
            JumpRule::Single => "one jump",
            JumpRule::Multi => "jumps, must",
            JumpRule::Free => "jumps, may stop",
        };
        let (opening, points) = (variant.opening(), variant.rules().all.len());
        let rebels = opening.rebels().len() + u32::from(opening.hand());
        let about: toml::Table = game.game.parse().unwrap();
        let end = about["end"].as_str().unwrap();
        writeln!(table, "| `{}` | {rebels} | {points} | {captures} | {end} |", game.id).unwrap();
    }
    snapshot::check_part("docs/GAMES.md", "relatives", &table);
}
