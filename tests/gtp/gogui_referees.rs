//! Matches with strict alternation, as the twogtp scripts of GNU Go and GoGui play them: each colour generates a move
//! in turn, the other program plays it, two passes in a row end the game, then both programs give the score.

use std::collections::BTreeSet;
use std::process::Stdio;

use privy_protocol::Client;
use privy_rules::Variant;
use privy_testing::cases;

use crate::support::binary;
use crate::support::gogui;
use crate::support::late::PATIENCE;

use gogui::Copy;

/// Plays one game; gives the answers to genmove and the score.
fn play(variant: &str, first: &str, boards: [&str; 2]) -> (Vec<String>, String) {
    let mut programs = [Copy::start(variant), Copy::start(variant)];
    for program in &mut programs {
        let size = program.succeed("gogui-rules_board_size");
        program.succeed(&format!("boardsize {size}"));
        program.succeed("clear_board");
        program.succeed("komi 6.5");
        program.succeed("set_option move_limit 60");
        program.succeed("kata-time_settings absolute 0.001");
        assert_eq!(program.ask("final_score").is_success(), variant == "twenty-six-murray");
    }
    let mut answers: Vec<String> = Vec::new();
    let mut colours = if first == "b" { ["b", "w"] } else { ["w", "b"] };
    loop {
        let [mover, other] = if colours[0] == boards[0] { [0, 1] } else { [1, 0] };
        let answer = programs[mover].succeed(&format!("genmove {}", colours[0]));
        programs[other].succeed(&format!("play {} {answer}", colours[0]));
        assert_eq!(programs[0].seen(), programs[1].seen(), "{answers:?}");
        let over = programs[0].legal().is_empty();
        answers.push(answer);
        colours.swap(0, 1);
        if answers.iter().rev().take(2).filter(|answer| *answer == "pass").count() == 2 {
            assert!(over, "two passes in a row before the end: {answers:?}");
            break;
        }
    }
    let [mut one, mut two] = programs;
    let score = one.succeed("final_score");
    assert_eq!(two.succeed("final_score"), score);
    one.quit();
    two.quit();
    (answers, score)
}

#[test]
fn matches_finish_in_all_variants_with_either_side_first() {
    for (number, id) in Variant::builtin_ids().enumerate() {
        // Programs alternate colours. A referee lets Black begin, unless it does not know Go.
        let orders = [("b", ["b", "w"]), ("w", ["w", "b"]), ("b", ["w", "b"])];
        for (first, boards) in orders.into_iter().cycle().skip(number % 3).take(3.min(cases(1) as usize)) {
            let (answers, score) = play(id, first, boards);
            assert!(["W+R", "B+R", "0"].contains(&score.as_str()), "{score}");
            assert!(answers.ends_with(&["pass".to_owned(), "pass".to_owned()]));
        }
    }
}

#[test]
fn the_side_not_to_move_passes() {
    let mut program = Copy::start("sixteen-rebels");
    program.succeed("time_settings 1 0 0");
    // White begins, so Black passes first, once.
    assert_eq!(program.succeed("genmove b"), "pass");
    assert_eq!(program.fail("genmove b"), "illegal move: two passes in a row");
    assert_eq!(program.fail("play b pass"), "illegal move: two passes in a row");
    assert_eq!(program.fail("play w pass"), "illegal move: general to move, who may not pass");
    program.succeed("play w C3");
    program.succeed("play b pass");
    assert_eq!(program.fail("play b PASS"), "illegal move: two passes in a row");
    assert_eq!(program.fail("play w pass"), "illegal move: general to move, who may not pass");
    program.succeed("play w B2");
    assert_eq!(program.fail("genmove w"), "illegal move: rebels to move");
    assert_eq!(program.fail("play w pass"), "illegal move: rebels to move");
    // Passes are entries of the history and change nothing else.
    assert_eq!(program.fail("gg-undo 5"), "cannot undo: asked for 5, half moves played: 4");
    program.succeed("gg-undo 2");
    assert_eq!(program.succeed("gogui-rules_legal_moves"), "B2 C2 D2 B3 D3 B4 C4 D4");
    program.succeed("gg-undo 2");
    assert_eq!(program.succeed("gogui-rules_legal_moves"), "C3");
    assert_eq!(program.fail("final_score"), "cannot score: the game is not over");
    program.quit();
}

#[test]
fn after_the_end_both_sides_pass() {
    let mut program = Copy::start("twenty-six-murray");
    assert_eq!(program.succeed("gogui-rules_legal_moves"), "");
    assert_eq!(program.succeed("gogui-rules_final_result"), "Black wins: the General has no legal move.");
    assert_eq!(program.succeed("genmove b"), "pass");
    program.succeed("play w pass");
    assert_eq!(program.fail("play w pass"), "illegal move: two passes in a row");
    assert_eq!(program.succeed("genmove w"), "pass");
    assert_eq!(program.succeed("genmove b"), "pass");
    assert_eq!(program.succeed("final_score"), "B+R");
    program.quit();
}

/// A seed makes the games of a match differ, also with a table. The same match gives the same games.
#[test]
fn games_of_a_match_differ_with_a_seed() {
    let home = binary::Home::new();
    home.run(&["solve", binary::SMALL_VARIANT]).success();
    let games = |seed: &str| {
        let mut command = home.privy();
        command.args(["gogui", "--variant", binary::SMALL_VARIANT, "--seed", seed, "--set", "play_style=longest"]);
        let mut engine = Client::spawn(command.stderr(Stdio::null())).unwrap();
        let mut ask = |line: &str| engine.request(line, PATIENCE).unwrap().text().to_owned();
        let mut game = || {
            ask("boardsize 5");
            ask("clear_board");
            let mut points = Vec::new();
            while !ask("gogui-rules_legal_moves").is_empty() {
                let side = ask("gogui-rules_side_to_move");
                points.push(ask(&format!("genmove {side}")));
            }
            points.join(" ")
        };
        [(); 6].map(|()| game())
    };
    let distinct = |games: &[String]| games.iter().collect::<BTreeSet<_>>().len();
    assert_eq!(distinct(&games("0")), 1);
    let seeded = games("3");
    assert!(distinct(&seeded) > 3, "{seeded:?}");
    assert_eq!(games("3"), seeded);
}
