//! The words of a rules file, each in positions that are counted by hand.

use std::sync::Arc;

use privy_oracle::{Oracle, Rules};

/// Three by three points with both diagonals: eight neighbours of b2, three of a corner, three of the middle of a side.
const SQUARE: &str = r#"field = { files = 3, rows = 3 }
lines = ["a1-b1-c1", "a2-b2-c2", "a3-b3-c3", "a1-a2-a3", "b1-b2-b3", "c1-c2-c3", "a1-b2-c3", "a3-b2-c1"]"#;

/// Seven points in a row.
const ROW: &str = "field = { files = 7, rows = 1 }\nlines = [\"a1-b1-c1-d1-e1-f1-g1\"]";

fn rules(board: &str, opening: &str, words: &str) -> Arc<Rules> {
    let first = if words.contains("first") { "" } else { "first = \"general\"\n" };
    let file = format!("id = \"x\"\nopening = \"{opening}\"\n{first}{words}");
    Arc::new(Rules::read(&[&file], board).unwrap())
}

fn opening(board: &str, opening: &str, words: &str) -> Oracle {
    Oracle::opening(&rules(board, opening, words))
}

/// A game from the opening on.
fn played(board: &str, start: &str, words: &str, moves: &str) -> Oracle {
    let mut game = opening(board, start, words);
    moves.split_whitespace().for_each(|text| game.play(text));
    game
}

fn moves(game: &Oracle) -> String {
    game.legal_moves().join(" ")
}

#[test]
fn pieces_in_hand_are_dropped_first() {
    let empty = opening(SQUARE, "3/3/3[Gr2]", "first = \"rebels\"");
    assert_eq!([1, 2, 3].map(|depth| empty.perft(depth)), [9, 9 * 8, 9 * 8 * 7]);
    let game = played(SQUARE, "3/3/3[Gr2]", "first = \"rebels\"", "@b2 @c3");
    assert_eq!(game.text(), "2G/1r1/3[r1] r - 2 2 x");
    assert_eq!(moves(&game), "@a1 @a2 @a3 @b1 @b3 @c1 @c2");
    // Of the Rebels' 7 drops, those on b3 and c2 leave the General on c3 one of its three steps, the others two: b2
    // holds a Rebel.
    assert_eq!([game.perft(1), game.perft(2)], [7, 2 + 5 * 2]);
    let listed = "first = \"rebels\"\nrebels_drop_on = [\"a1\", \"B2\"]\ngeneral_drops_on = [\"b2\", \"c3\"]";
    let listed = opening(SQUARE, "3/3/3[Gr2]", listed);
    // a1, then b2 or c3; b2, then c3. The second Rebel: after a1 b2 nowhere, after a1 c3 on b2, after b2 c3 on a1.
    assert_eq!([1, 2, 3].map(|depth| listed.perft(depth)), [2, 3, 2]);
}

#[test]
fn a_hand_has_a_text_with_limits() {
    let read = |text| Oracle::from_text(&rules(SQUARE, "r2/3/3[Gr2]", ""), text).map(|game| game.text());
    for text in ["3/3/3[Gr2] g - 0 0 x", "3/1G1/3[r1] r - 4 7 x", "3/3/rrr[G] r - 0 3 x", "2G/3/rrr r - 0 9 x"] {
        assert_eq!(read(text).as_deref(), Ok(text));
    }
    for wrong in ["3/1G1/3[Gr2]", "3/3/3[r2]", "3/3/3[Gr3]", "3/rrr/r2[G]", "3/rr1/3[Gr2]", "3/1G1/3[]", "3/1G1/3[r0]"]
    {
        assert!(read(wrong).is_err(), "{wrong}");
    }
    let read = |text| Oracle::from_text(&rules(SQUARE, "rr1/1G1/3[r2]", ""), text).map(|game| game.text());
    assert!(read("3/3/3[Gr2]").is_err() && read("rrr/1G1/3[r1] g").is_ok());
}

#[test]
fn a_drop_takes_nothing_and_may_be_a_custodial_capture() {
    let words = "first = \"general\"\nintervention = true\ncustodial = true\nrebels_at_most = 2";
    let game = played(SQUARE, "3/r1r/3[Gr1]", words, "@b2");
    // The hand counts: three Rebels are left.
    assert_eq!((game.text().as_str(), game.result()), ("3/rGr/3[r1] r - 1 1 x", None));
    let game = played(SQUARE, "3/1Gr/3[r1]", "first = \"rebels\"\ncustodial = true", "@a2");
    assert_eq!(game.result().as_deref(), Some("rebels win: custodial capture"));
}

#[test]
fn a_general_that_waits_passes_until_the_rebels_are_placed() {
    let words = "first = \"rebels\"\ngeneral_waits = true";
    assert_eq!(moves(&played(SQUARE, "3/1G1/3[r2]", words, "@a1")), "pass");
    assert_eq!(played(SQUARE, "3/1G1/3[r2]", words, "@a1 pass @a2").legal_moves().len(), 6);
    // In hand it is dropped, whatever the Rebels have in hand.
    assert_eq!(played(SQUARE, "3/3/3[Gr2]", words, "@a1").legal_moves().len(), 8);
}

#[test]
fn a_side_without_a_move_has_what_the_word_says() {
    let blocked = |words: &str, side: &str| {
        let rules = rules(ROW, "rrrrrGr[r1]", words);
        Oracle::from_text(&rules, &format!("rrrrrGr[r1] {side}")).map(|game| (game.result(), moves(&game))).unwrap()
    };
    let over = |text: &str| (Some(text.to_owned()), String::new());
    assert_eq!(blocked("", "g"), over("rebels win: no move"));
    assert_eq!(blocked("", "r"), over("general wins: no move"));
    assert_eq!(blocked("no_move = { general = \"draw\" }", "g"), over("draw: no move"));
    assert_eq!(blocked("no_move = { general = \"draw\" }", "r"), over("general wins: no move"));
    assert_eq!(blocked("no_move = { general = \"win\" }", "g"), over("general wins: no move"));
    assert_eq!(blocked("no_move = { rebels = \"win\" }", "r"), over("rebels win: no move"));
    for side in ["g", "r"] {
        let passes = "no_move = { general = \"pass\", rebels = \"pass\" }";
        assert_eq!(blocked(passes, side), (None, "pass".to_owned()));
    }
    let game = played(ROW, "rG5", "forward = \"only\"\nno_move = { rebels = \"pass\" }", "b1-c1 pass");
    assert_eq!(game.text(), "r1G4 g - 2 2 x");
}

#[test]
fn rebels_step_forward_in_three_ways() {
    for (word, steps) in [
        ("false", "b2-a1 b2-a2 b2-a3 b2-b1 b2-b3 b2-c2 b2-c3"),
        ("true", "b2-a2 b2-a3 b2-b3 b2-c2 b2-c3"),
        ("\"only\"", "b2-a3 b2-b3 b2-c3"),
        ("\"straight\"", "b2-b3"),
    ] {
        let words = format!("first = \"rebels\"\nforward = {word}");
        assert_eq!(moves(&opening(SQUARE, "3/1r1/2G", &words)), steps);
    }
}

/// The General on b2 has eight steps, four of them orthogonal; the Rebel on a1 the steps to a2 and b1.
#[test]
fn steps_may_be_orthogonal_for_a_side() {
    for (word, counts) in [("none", (8, 3)), ("general", (4, 3)), ("rebels", (8, 2)), ("both", (4, 2))] {
        let words = format!("orthogonal_steps = \"{word}\"\nslide = true");
        let general = opening(SQUARE, "3/1G1/3", &words).legal_moves().len();
        let rebels = opening(SQUARE, "2G/3/r2", &format!("first = \"rebels\"\n{words}")).legal_moves().len();
        assert_eq!((general, rebels), counts, "{word}");
    }
    assert_eq!(
        moves(&opening(SQUARE, "3/1r1/G2", "orthogonal_steps = \"both\"\njump = \"single\"")),
        "a1-a2 a1-b1 a1xc3"
    );
}

#[test]
fn points_are_closed_to_rebels() {
    let closed = "first = \"rebels\"\nrebels_never_on = [\"c1\"]";
    assert_eq!(moves(&opening(ROW, "1r3G1", closed)), "b1-a1");
    assert_eq!(opening(ROW, "5G1[r1]", closed).legal_moves().len(), 5);
    assert!(Oracle::from_text(&rules(ROW, "1r3G1", closed), "2r2G1").is_err());
}

#[test]
fn a_jump_goes_over_a_row_of_an_odd_number() {
    let jumps = |rows: &str, word: &str| {
        let game = opening(ROW, rows, &format!("jump = \"{word}\"\njump_rows = \"odd\""));
        game.moves_with_captures().into_iter().map(|(text, taken)| text + ":" + &taken.concat()).collect::<Vec<_>>()
    };
    assert_eq!(jumps("Grrr3", "single"), ["a1xe1:b1c1d1"]);
    assert_eq!(jumps("Gr5", "single"), ["a1xc1:b1"]);
    assert_eq!(jumps("Grr4", "single"), [""; 0]);
    assert_eq!(jumps("Grrrrrr", "single"), [""; 0]);
    assert_eq!(jumps("Grrr1r1", "free"), ["a1xe1:b1c1d1", "a1xe1xg1:b1c1d1f1"]);
    assert_eq!(jumps("Grrr1r1", "multi"), ["a1xe1xg1:b1c1d1f1"]);
    assert_eq!(moves(&opening(ROW, "Grrr3", "jump = \"single\"")), "");
}

#[test]
fn the_general_ends_the_game_by_its_point() {
    let after = |words: &str| played(SQUARE, "1r1/r1G/3", words, "c2-c1").result();
    assert_eq!(after(""), None);
    assert_eq!(after("general_loses_on = [\"c1\"]\nbottom = \"general\"").as_deref(), Some("rebels win: trap"));
    assert_eq!(after("bottom = \"general\"\ngoal = [\"c1\"]").as_deref(), Some("general wins: bottom"));
    assert_eq!(after("goal = [\"c1\"]\npast_rebels = true").as_deref(), Some("general wins: goal"));
    assert_eq!(after("past_rebels = true\nrebels_at_most = 1").as_deref(), Some("general wins: past"));
    assert!(Oracle::from_text(&rules(SQUARE, "r2/2G/3", "general_loses_on = [\"c1\"]"), "r2/3/2G g").is_err());
}

#[test]
fn the_general_is_past_rebels_on_higher_rows_alone() {
    let result = |rows: &str, side: &str| {
        let rules = rules(SQUARE, "rr1/3/2G[r1]", "past_rebels = true\nfirst = \"rebels\"");
        Oracle::from_text(&rules, &format!("{rows} {side}")).unwrap().result()
    };
    assert_eq!(result("r2/rG1/3", "r"), None);
    assert_eq!(result("rr1/2G/3[r1]", "r"), None);
    assert_eq!(result("rr1/2G/3", "r").as_deref(), Some("general wins: past"));
    // A Rebel has just risen.
    assert_eq!(result("rr1/2G/3", "g").as_deref(), Some("general wins: past"));
}

#[test]
fn rebels_win_on_their_goal() {
    let start = |words: &str| played(SQUARE, "2G/r2/r2", words, "c3-c2 a2-a3");
    assert_eq!(start("rebels_goal = [\"a3\", \"b3\"]").result(), None);
    assert_eq!(start("rebels_goal = [\"a3\", \"a1\"]").result().as_deref(), Some("rebels win: goal"));
}

#[test]
fn a_goal_of_the_opening_counts_once_the_general_has_moved() {
    let words = "first = \"rebels\"\ngoal = [\"a1\"]\nforward = true\nno_move = { general = \"pass\" }";
    assert!(opening(ROW, "G3r1r", words).is_no_opening());
    let words = &format!("{words}\ngoal_on_return = true");
    let away = played(ROW, "G3r1r", words, "e1-d1 a1-b1 d1-e1");
    assert_eq!(away.result(), None);
    let back = played(ROW, "G3r1r", words, "e1-d1 a1-b1 g1-f1 b1-a1");
    assert_eq!(back.result().as_deref(), Some("general wins: goal"));
    // The opening, which the General has left and come back to.
    let words_back = "first = \"rebels\"\ngoal = [\"a1\"]\ngoal_on_return = true";
    let recurs = played(ROW, "G3r1r", words_back, "e1-d1 a1-b1 d1-e1 b1-a1");
    assert_eq!(recurs.text(), "G3r1r r - 4 4 x");
    assert_eq!(recurs.result().as_deref(), Some("general wins: goal"));
    let passed = played(ROW, "G1r3r", words, "c1-b1 pass");
    assert_eq!(passed.result().as_deref(), Some("general wins: goal"));
    let rules = rules(ROW, "G1r3r", words);
    assert_eq!(Oracle::from_text(&rules, "G1r3r r").unwrap().result(), None);
    assert_eq!(Oracle::from_text(&rules, "G2r2r r").unwrap().result().as_deref(), Some("general wins: goal"));
    assert!(Oracle::from_text(&rules, "Gr4r g").is_ok());
}

/// Points of a bent row, without a rectangle: row 1 is that of the names, wherever its points stand.
#[test]
fn a_board_may_have_points_with_coordinates_alone() {
    let board =
        "lines = [\"a1-b2-a3\", \"a3-c3\"]\n[points]\na1 = [1, 0.5]\nb2 = [1, 1]\na3 = [1, 1.5]\nc3 = [2, 2.25]";
    let game = opening(
        board,
        "r1/1/G",
        "bottom = \"general\"\nfree_jumps = 1\njump = \"single\"\nfirst = \"rebels\"\nforward = \"straight\"",
    );
    assert_eq!(game.text(), "r1/1/G r 1 0 0 x");
    assert_eq!(game.result().as_deref(), Some("general wins: bottom"));
    assert_eq!(opening(board, "r1/G/1", "bottom = \"general\"\nfirst = \"rebels\"").result(), None);
    let game = opening(board, "1r/1/G", "free_jumps = 1\nbottom = \"general\"");
    assert_eq!(moves(&game), "a1-b2 a1~a3 a1~b2");
    let game = opening(board, "r1/G/1", "first = \"rebels\"\nforward = \"only\"");
    assert_eq!(moves(&game), "a3-c3");
    let game = opening(board, "r1/G/1", "first = \"rebels\"\nforward = \"straight\"");
    assert_eq!(game.result().as_deref(), Some("general wins: no move"));
}
