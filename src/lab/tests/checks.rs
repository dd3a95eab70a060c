//! `check`: the engine against simple players, small runs of the checks of the search and of tables.

use std::fs;

use privy_base::random::Random;
use privy_rules::Game;

use super::super::movers::Mover;
use super::{SMALL_VARIANT, TestFolder, run, solve};

fn game(text: &str) -> Game {
    Game::from_text(text, None).unwrap()
}

#[test]
fn the_greedy_player_takes_most_and_loses_least() {
    // On d4 the General takes c4 and e4. On b2 it takes two pairs: a1 c3 and a3 c1.
    let two_pairs = game("1/3/5/2r1r/r1r2/2G2/r1r2 g - 0 0 sixteen-rebels-murray");
    // Only c4 closes the privy.
    let closing = game("1/G2/rr1rr/2r2/5/5/5 r - 0 0 sixteen-rebels");
    // A Rebel on b3 would fall with that on b1 when the General steps onto b2.
    let in_danger = game("1/3/rr1rr/5/r3r/2G2/1r3 r - 0 0 sixteen-rebels");
    let mistake = in_danger.parse_move(None, "a3-b3").unwrap();
    assert_eq!(in_danger.after(&mistake).threatened().len(), 2);
    for seed in 0..20 {
        let mut random = Random::new(seed);
        let mut choose = |game: &Game| Mover::Greedy.choose(game, &mut random);
        assert_eq!(two_pairs.move_text(&choose(&two_pairs)), "c2-b2");
        assert_eq!(closing.move_text(&choose(&closing)), "c4-c5");
        let next = in_danger.after(&choose(&in_danger));
        assert!(next.threatened().is_empty(), "{next}");
    }
}

#[test]
fn the_engine_beats_random_moves_with_few_nodes() {
    let words = ["check", "movers", "--opponents", "random", "--all-won"];
    let few = ["--games", "2", "--nodes", "3000", "subjugatio-intervention", "yeung-luk"];
    let message = run(&[&words[..], &few].concat()).unwrap();
    assert_eq!(message.matches(": 2 won, 0 drawn, 0 lost, ").count(), 4, "both sides of two games: {message}");
    let more = ["--games", "4", "--random-plies", "0", "--nodes", "20000", "--plies", "2000"];
    let message = run(&[&words[..], &more, &["sixteen-rebels", "monk-and-water"]].concat()).unwrap();
    assert_eq!(message.matches(": 4 won, 0 drawn, 0 lost, ").count(), 4, "{message}");
    // Two plies are too few to win.
    let drawn = run(&[&words[..], &["--games", "2", "--plies", "2", "yeung-luk"]].concat()).unwrap_err();
    assert!(drawn.to_string().starts_with("below the bar: yeung-luk against random moves"), "{drawn}");
}

#[test]
fn the_search_and_proofs_agree_with_a_table() {
    let folder = TestFolder::new("checks");
    solve(&folder, SMALL_VARIANT);
    let tables = folder.path("");
    let small = [SMALL_VARIANT, "--positions", "10", "--tables", &tables];
    for (words, expected) in [
        (vec!["check", "keeps", "--nodes", "20000", "--bar", "50"], " %, bar 50 %"),
        (vec!["check", "short-wins", "--nodes", "20000", "--bar", "50"], "three-rows "),
        (vec!["check", "proofs", "--time", "1000"], " wins proved, "),
    ] {
        let message = run(&[&words[..], &small].concat()).unwrap();
        assert!(message.contains(expected), "{message}");
    }
}

#[test]
fn the_puzzles_of_the_page_are_those_of_the_table() {
    let folder = TestFolder::new("puzzles");
    let game = "hare-and-hounds";
    solve(&folder, game);
    let tables = folder.path("");
    let check = |file: &str| run(&["check", "puzzles", file, "--game", game, "--tables", &tables]);
    let shipped = concat!(env!("CARGO_MANIFEST_DIR"), "/../web/puzzles.jsonl");
    let message = check(shipped).unwrap();
    assert!(message.starts_with("hare-and-hounds: ") && message.lines().count() == 1, "{message}");
    let text = fs::read_to_string(shipped).unwrap();
    let first = text.lines().find(|line| line.contains(game)).unwrap();
    let plies = first.split("\"plies\":").nth(1).unwrap().split(',').next().unwrap();
    for (wrong, expected) in [
        (first.replace(&format!("\"plies\":{plies}"), "\"plies\":33"), "below the bar: 1 faults"),
        (first.replace("\"line\":[", "\"line\":[\"b1-b2\",\"b1-b2\","), "below the bar: 1 faults"),
        (format!("{first}\n{first}"), "below the bar: 1 faults"),
        (first.replace("hare-and-hounds", "kings-gonu"), "below the bar: 0 faults of puzzles of 0 games"),
        (first.replace("\"goal\"", "\"aim\""), "cannot load file: "),
        (format!("{}\n{first}", first.replace("\"grade\":1", "\"grade\":5")), "cannot load file: "),
    ] {
        let file = folder.path("wrong.jsonl");
        fs::write(&file, &wrong).unwrap();
        let error = check(&file).unwrap_err().to_string();
        assert!(error.starts_with(expected), "{wrong}: {error}");
    }
}
