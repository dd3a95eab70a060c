//! `privy play` in the terminal. The page is played by clicks in `web`.

use crate::support::binary::{Home, run_with_input};

/// Plays with these lines, and returns what is shown.
fn play(home: &Home, options: &str, lines: &str) -> String {
    let mut words: Vec<&str> = ["play", "--terminal"].into_iter().chain(options.split_whitespace()).collect();
    if !words.contains(&"--time") {
        words.extend(["--time", "20"]);
    }
    run_with_input(&mut home.privy(), &words, lines).success()
}

/// The drawings of the board without their captions.
fn boards(shown: &str) -> Vec<String> {
    let is_row = |line: &&str| line.starts_with(' ') && line.contains(['·', '●', 'G', '○']);
    shown
        .split("\n\n")
        .map(|part| part.lines().filter(is_row).collect::<Vec<_>>().join("\n"))
        .filter(|board| !board.is_empty())
        .collect()
}

#[test]
fn a_whole_game_is_played_by_the_numbers_of_moves() {
    let home = Home::new();
    for side in ["general", "rebels"] {
        // Input ends with the game, or long after it.
        let shown = play(&home, &format!("hare-and-hounds --level 1 --seed 0 --side {side}"), &"1\n".repeat(300));
        let ends = ["You win: Hare wins: ", "You win: Hounds win: ", "You lose: Hare wins: ", "You lose: Hounds win: "];
        assert!(ends.iter().any(|end| shown.contains(end)), "{shown}");
        assert!(shown.contains("The game is over."), "moves after the end are refused: {shown}");
        assert!(shown.contains(" to move, ply 0, 3 Hounds") || shown.contains(" to move, ply 1, 3 Hounds"), "{shown}");
        assert!(!shown.to_lowercase().contains("general") && !shown.to_lowercase().contains("rebel"), "{shown}");
    }
}

#[test]
fn each_game_has_its_own_seed_and_a_given_one_repeats_it() {
    let home = Home::new();
    let two_games = |options: &str| {
        let options = format!("sixteen-rebels --side rebels --time 5000 {options}");
        play(&home, &options, "1\n1\n1\n1\n1\n1\nnew\n1\n1\n1\n1\n1\n1\nquit\n")
    };
    assert_eq!(two_games("--seed 7"), two_games("--seed 7"));
    assert_ne!(two_games("--seed 7"), two_games("--seed 70"));
    assert_ne!(two_games(""), two_games(""));
}

#[test]
fn taking_back_shows_the_position_before_the_own_move() {
    let home = Home::new();
    for side in ["general", "rebels", "both"] {
        let shown = play(&home, &format!("monk-and-water --side {side}"), "1\nundo\nundo\nquit\n");
        let boards = boards(&shown);
        assert_eq!(boards.len(), 3, "{shown}");
        assert!(boards[0] == boards[2] && boards[0] != boards[1], "{side}: {shown}");
        assert!(shown.contains("no move of yours to take back"), "{shown}");
    }
}

#[test]
fn what_is_no_move_changes_nothing_and_says_what_would_be_right() {
    let home = Home::new();
    let lines = "c3-a1\nundoo\n0\n999\nlevel 11\nlevel\nside black-and-white\nsave\nhint\nwhy\nrules\n?\n\n\u{feff}moves\nquit\n1\n";
    let shown = play(&home, "sixteen-rebels", lines);
    assert_eq!(boards(&shown).len(), 2, "{shown}");
    for answer in [
        "expected c3-b2, ",
        "did you mean undo?",
        "numbers 1 to 8",
        "expected 1 to 10",
        "expected general, rebels or both",
        "Which file?",
        "Best is ",
        "The General steps along a line",
        "save FILE",
    ] {
        assert!(shown.contains(answer), "{answer}: {shown}");
    }
}

#[test]
fn a_saved_game_is_a_sound_record_and_no_file_is_written_over() {
    let home = Home::new();
    let path = home.join("game.txt");
    let file = path.to_str().unwrap();
    let shown =
        play(&home, "kings-gonu --side rebels", &format!("1\n1\nsave {file}\nsave {file}\nsave {file}/x\nquit\n"));
    assert!(shown.contains("Saved as ") && shown.matches("Not saved: ").count() == 2, "{shown}");
    let replayed = home.run(&["replay", file]).success();
    assert!(replayed.starts_with("game 1: Privy, level 3 - you, kings-gonu, 5 plies"), "{replayed}");
}

#[test]
fn a_saved_game_is_loaded_and_continued() {
    let home = Home::new();
    let path = home.join("game.txt");
    let file = path.to_str().unwrap();
    let before = play(&home, "kings-gonu --side both", &format!("1\n1\n1\nsave {file}\nquit\n"));
    let after = play(&home, "sixteen-rebels --side both", &format!("load\nload {file}x\nload {file}\nundo\nquit\n"));
    assert!(after.contains("Type load and its name") && after.matches("Not loaded: ").count() == 1, "{after}");
    let (before, after) = (boards(&before), boards(&after));
    assert_eq!((after.len(), &after[1], &after[2]), (3, &before[3], &before[2]));
}

#[test]
fn games_and_options_are_checked_before_the_first_board() {
    let home = Home::new();
    for words in [
        vec!["play", "--terminal", "nope"],
        vec!["play", "--terminal", "--side", "white-ish"],
        vec!["play", "--terminal", "--level", "11"],
        vec!["play", "--terminal", "--port", "80"],
        vec!["play", "--no-browser", "nope"],
    ] {
        let ran = home.run(&words);
        assert_eq!((ran.status, ran.output.as_str()), (Some(2), ""), "{words:?}: {}", ran.errors);
    }
}
