//! Games with a hand whose sides pass where they find no point for a piece, by hand and by the plain solver.

use std::sync::Arc;

use super::{Folder, solved};
use privy_rules::board::Board;
use privy_rules::{Game, Variant};
use privy_tables::{TableValue, effort};
use privy_testing::tables::{Reference, compare_all};

/// Six points in no symmetry; their order is not that of their coordinates.
const SKEW: &str = r#"id = "skew"
title = "Six points"
lines = ["a1-a9-b3", "b3-b4-c2", "a1-d7", "d7-c2", "a9-b4"]
edges = ["a1-c2-b3-a1"]
[points]
a1 = [1, 4]
a9 = [2, 3]
b3 = [3, 2]
b4 = [4, 2]
c2 = [5, 2]
d7 = [1, 1]
"#;

/// A game on a built-in board or on the skew one.
fn hand_game(board: &str, opening: &str, words: &str) -> Arc<Variant> {
    let folder = Folder::new();
    std::fs::write(folder.file("skew.toml"), SKEW).unwrap();
    let board = if Board::builtin(board).is_some() { board.to_owned() } else { format!("{board}.toml") };
    let text = format!(
        "id = \"hand\"\ntitle = \"\"\nboard = \"{board}\"\nopening = \"{opening}\"\nfirst = \"rebels\"\n{words}"
    );
    Arc::new(Variant::from_toml(&text, Some(&folder.file(""))).unwrap())
}

/// Compares every position of the table, and gives the values of some: of the opening, and of texts.
#[track_caller]
fn values<const N: usize>(variant: &Arc<Variant>, texts: [&str; N]) -> (String, [String; N]) {
    let folder = Folder::new();
    assert!(effort(variant).is_ok());
    let table = solved(variant, &folder.file("hand.privy"));
    compare_all(&table, variant, &Reference::of(variant)).unwrap();
    let probed = |game: &Game| table.probe(game).unwrap().to_string();
    (probed(&variant.start()), texts.map(|text| probed(&Game::from_text(text, Some(variant)).unwrap())))
}

/// The General stands on a point for drops, so that the Rebels find none and pass.
#[test]
fn rebels_that_find_no_point_for_a_drop_pass_in_the_same_layer() {
    let words = "jump = \"single\"\nno_move = { rebels = \"pass\" }\n";
    let most = |most: u32, points: &str| format!("{words}rebels_at_most = {most}\nrebels_drop_on = {points}");
    let game = hand_game("skew", "1/1/1/1/1/G[r3]", &most(0, "[\"a1\", \"b3\", \"c2\"]"));
    assert_eq!(values(&game, []).0, "win 9");
    let game = hand_game("mysore-tiger-game", "G/3/2[r3]", &most(0, "[\"a1\", \"b3\", \"c1\"]"));
    assert_eq!(values(&game, ["1/rr1/1G[r1] r -"]).1, ["draw"]);
    let game = hand_game("skew", "1/1/1/1/1/G[r3]", &most(1, "[\"a1\", \"b3\"]"));
    values(&game, []);
}

/// Three Rebels in hand and two points, so that both sides pass forever.
#[test]
fn a_general_that_waits_and_rebels_without_a_point_draw() {
    let words =
        "general_waits = true\nrebels_drop_on = [\"a1\", \"c1\"]\nno_move = { general = \"win\", rebels = \"pass\" }";
    let game = hand_game("mysore-tiger-game", "G/3/2[r3]", words);
    assert_eq!(values(&game, ["1/3/G1[r3] g -"]).1, ["draw"]);
}

/// A Rebel stands on the one point for the General, which passes until it goes: the positions with the General in hand
/// come again.
#[test]
fn a_general_in_hand_that_has_to_pass_is_in_the_table() {
    let words = "jump = \"single\"\ngeneral_drops_on = [\"b3\"]\nno_move = { general = \"pass\" }\nrebels_at_most = 1";
    let game = hand_game("mysore-tiger-game", "1/3/2[Gr3]", words);
    let (opening, [waiting]) = values(&game, ["r/3/2[Gr2] g -"]);
    assert_eq!((opening.as_str(), waiting.as_str()), ("draw", "draw"));
}

/// Five Rebels and five points, of which the General holds one in most states.
#[test]
fn as_many_rebels_as_points_are_solved() {
    let words = "rebels_never_on = [\"b3\"]\nrebels_at_most = 4";
    values(&hand_game("mysore-tiger-game", "G/3/2[r5]", words), []);
    let more = "rebels_at_most = 4\nno_move = { rebels = \"draw\" }";
    values(&hand_game("mysore-tiger-game", "G/3/2[r9]", more), []);
}

/// Wherever the General is dropped it has won, so that no position with the Rebels to move continues.
#[test]
fn a_game_without_a_position_that_continues_has_a_table() {
    let words = "id = \"won\"\ntitle = \"\"\nboard = \"hare-11\"\nopening = \"1/3/3/r1r/r[G]\"\nfirst = \"general\"\n";
    let goal = "goal = [\"b1\", \"a2\", \"b2\", \"c2\", \"a3\", \"b3\", \"c3\", \"a4\", \"b4\", \"c4\", \"b5\"]";
    let variant = Arc::new(Variant::from_toml(&format!("{words}{goal}"), None).unwrap());
    let table = solved(&variant, &Folder::new().file("won.privy"));
    assert_eq!(table.probe(&variant.start()).unwrap(), TableValue::Win(1));
}
