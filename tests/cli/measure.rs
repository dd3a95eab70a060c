//! `privy measure`: conversion of won positions, defence of lost ones, calibration of win rates.

use crate::support::binary;

use binary::{Home, SMALL_VARIANT};

#[test]
fn simple_movers_are_beaten() {
    let home = Home::new();
    let words = ["measure", "movers", "wolf-and-sheep", "--games", "2", "--nodes", "1000"];
    let message = home.run(&words).success();
    let lines: Vec<&str> = message.lines().collect();
    assert_eq!(lines.len(), 4, "both sides against both: {message}");
    assert!(lines[0].starts_with("wolf-and-sheep: general against random moves: 2 won, 0 drawn, 0 lost"), "{message}");
    assert!(lines[3].starts_with("wolf-and-sheep: rebels against greedy moves: 2 won"), "{message}");
    assert_eq!(home.run(&words).success(), message);
}

#[test]
fn won_and_lost_positions_are_played_against_the_table() {
    let home = Home::new();
    let folder = home.join("tables");
    let folder = folder.to_str().unwrap();
    let words = |what, more: &[&'static str]| {
        let all = ["measure", what, SMALL_VARIANT, "--from", "5", "--to", "15", "--positions", "8", "--nodes", "20000"];
        [&all[..], &["--tables", folder], more].concat().into_iter().map(str::to_owned).collect::<Vec<_>>()
    };
    let run = |words: Vec<String>| home.run(&words.iter().map(String::as_str).collect::<Vec<_>>());
    let none = run(words("conversion", &[])).failure(1);
    assert!(none.contains("no table"), "{none}");
    home.run(&["solve", SMALL_VARIANT, "--tables", folder]).success();
    let message = run(words("conversion", &["--side", "rebels", "--games"])).success();
    assert!(message.starts_with("three-rows: rebels: ") && message.contains(" of 8 won ("), "{message}");
    assert_eq!(message.lines().count(), 9, "a line for each game: {message}");
    assert_eq!(run(words("conversion", &["--side", "rebels", "--games"])).success(), message);
    let defence = run(words("defence", &[])).success();
    assert_eq!(defence.lines().count(), 2, "a line for each side: {defence}");
    assert!(defence.contains("not lost ("), "{defence}");
}

/// The predicted win rate beside the result, for each variant and in a diagram.
#[test]
fn win_rates_are_compared_with_results() {
    let home = Home::new();
    let diagram = home.join("calibration.svg");
    let words = ["measure", "calibration", "yeung-luk", "adugo", "--games", "4", "--nodes", "50", "--diagram"];
    let all = [&words[..], &[diagram.to_str().unwrap()]].concat();
    let printed = home.run(&all).success();
    for id in ["yeung-luk", "adugo"] {
        assert!(printed.contains(&format!("{id}: 4 games, told wrong by ")), "{printed}");
    }
    let (mut positions, mut tenths) = (0, 0);
    for line in printed.lines().filter(|line| line.contains('-') && line.ends_with(" %")) {
        let numbers: Vec<f64> = line.split_whitespace().filter_map(|word| word.parse().ok()).collect();
        let [all, predicted, won] = numbers[..] else { panic!("{line}") };
        let range = line.split(" %").next().unwrap().trim().split_once('-').unwrap();
        assert!(predicted >= range.0.parse().unwrap() && predicted <= range.1.parse().unwrap(), "{line}");
        assert!((0.0..=100.0).contains(&won), "{line}");
        (positions, tenths) = (positions + all as u32, tenths + 1);
    }
    assert!(tenths >= 2 && positions > 8, "{printed}");
    let drawn = std::fs::read_to_string(&diagram).unwrap();
    assert!(drawn.contains(">as told</text>") && drawn.contains(">adugo</text>"), "{drawn}");
    assert_eq!(home.run(&words[..words.len() - 1]).success(), printed, "the same games each time");
}
