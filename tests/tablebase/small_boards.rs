//! Games on 25 field points with few Rebels: complete tables against the naive generator, as [`small_boards`] says.

use std::path::Path;
use std::sync::Arc;

use privy_rules::Variant;
use privy_rules::board::{Board, Point};
use privy_testing::{cases, oracle, small_boards};

use crate::support::tables;

/// Keys of a small game: the General on c3, the Rebels on the first points of the board.
fn keys(board: &Board, rebels: usize, changes: &str) -> String {
    let middle = board.point("c3".parse().unwrap()).unwrap();
    let letter = |point: Point| match point {
        point if point == middle => 'G',
        point if point.index() < rebels => 'r',
        _ => '1',
    };
    let rows: Vec<String> = board.rows.iter().map(|row| row.iter().copied().map(letter).collect()).collect();
    format!("board = \"{}\"\nopening = \"{}\"\nfirst = \"general\"\n{changes}", board.id, rows.join("/"))
}

/// Solves a built-in game with few Rebels and some changed keys, and compares every position.
fn check(id: &str, board: Option<&str>, changes: &str, rebels: usize) {
    let builtin = Variant::builtin(id).unwrap();
    let board = board.map_or_else(|| Arc::clone(builtin.board()), |board| Board::builtin(board).unwrap());
    let keys = keys(&board, rebels, changes);
    let file = format!("id = \"few\"\ntitle = \"\"\nextends = \"{id}\"\n{keys}");
    let variant = Arc::new(Variant::from_toml(&file, None).unwrap());
    let naive = Arc::new(oracle::changed(id, &keys, Some(&board.source)));
    let names = board.all().into_iter().map(|p| board.name(p).to_string());
    assert!(names.eq(naive.board.points.iter().map(|point| point.name.clone())), "points are numbered alike");
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("tables-oracle-{}", std::process::id()));
    let path = folder.join(format!("{id}.privy"));
    let table = tables::solved(&path, &variant);
    // An odd stride meets both sides to move.
    let stride = if cases(1) > 1 { 1 } else { 7 };
    let values @ [lost, drawn, won] = small_boards::compare(&table, &naive, rebels, stride);
    println!("{id}: {lost} lost, {drawn} drawn, {won} won positions");
    assert!(values.iter().sum::<u64>() > 5_000 / stride as u64 && lost > 0 && won > 0, "{id}: {values:?}");
    drop(table);
    std::fs::remove_file(&path).unwrap();
    let _ = std::fs::remove_dir(&folder);
}

#[test]
fn sixteen_rebels_with_three() {
    check("sixteen-rebels", None, "rebels_at_most = 1", 3);
}

#[test]
fn shap_luk_kon_with_three() {
    check("shap-luk-kon-2", None, "", 3);
}

#[test]
fn neeley_with_two() {
    check("sixteen-rebels-neeley", None, "", 2);
}

#[test]
fn juroku_musashi_with_three() {
    check("juroku-musashi", None, "", 3);
}

#[test]
fn kings_gonu_with_two_and_a_free_jump() {
    check("kings-gonu", None, "free_jumps = 1\ncustodial = true", 2);
}

/// The rules of the double board on a field of 25 points.
#[test]
fn subjugatio_with_three() {
    check("subjugatio", Some("cloister"), "enter_privy = false", 3);
}

#[test]
fn subjugatio_with_compulsory_intervention() {
    let changes = "rebels_at_most = 1\ncustodial = true";
    check("subjugatio-intervention", Some("triangle-crossed"), changes, 3);
}

/// Chains that may stop on any landing.
#[test]
fn catch_the_hare_with_three() {
    check("catch-the-hare-12", None, "rebels_at_most = 0\ncustodial = true", 3);
}

/// Such chains with a privy that can be closed and exits that the General cannot jump over.
#[test]
fn komikan_with_three() {
    check("komikan", Some("privy-open"), "enter_privy = false\nclose_privy = true\nrebels_at_most = 1", 3);
}

/// A goal on one wing: the game has no mirror. Tables count repetition as a draw.
#[test]
fn hare_and_hounds_with_three() {
    check("hare-and-hounds", Some("alquerque"), "goal = [\"a2\", \"b1\"]\nrepetition = \"draw\"", 3);
}
