//! `measure`: conversion of won positions, defence of lost ones, movers, calibration of win rates.

use std::fs;

use privy_program::CliError;
use privy_protocol::Stop;
use privy_referee::statistics::Tally;
use privy_rules::{Game, Side, Variant};
use serde_json::Value;

use super::super::movers::{Mover, MoverArguments, MoverResult};
use super::super::win_rates::{ScoredGames, ScoredPosition};
use super::super::{MeasureArguments, MeasureCommand};
use super::{LabCommand, SMALL_VARIANT, TestFolder, parsed, run, solve};

/// The lines of a measure in JSON, with no keys but those that docs/FORMATS.md has.
fn figures(words: &[&str]) -> Vec<Value> {
    let page = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/FORMATS.md")).unwrap();
    let (_, section) = page.split_once("\n### `privy-lab measure`\n").unwrap();
    let rows = section.lines().take_while(|line| !line.starts_with('#')).filter(|line| line.starts_with("| `"));
    let keys: Vec<&str> = rows.flat_map(|row| row.split(" | ").next().unwrap().split('`').skip(1).step_by(2)).collect();
    let json = run(&[words, &["--json"]].concat()).unwrap();
    let lines: Vec<Value> = json.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    for key in lines.iter().flat_map(|line| line.as_object().unwrap().keys()) {
        assert!(keys.contains(&key.as_str()), "{key} is not documented: {json}");
    }
    lines
}

#[test]
fn simple_movers_are_beaten() {
    let words = ["measure", "movers", "wolf-and-sheep", "--games", "2", "--nodes", "1000"];
    let message = run(&words).unwrap();
    let lines: Vec<&str> = message.lines().collect();
    assert_eq!(lines.len(), 4, "both sides against both: {message}");
    assert!(lines[0].starts_with("wolf-and-sheep: general against random moves: 2 won, 0 drawn, 0 lost"), "{message}");
    assert!(lines[3].starts_with("wolf-and-sheep: rebels against greedy moves: 2 won"), "{message}");
    assert_eq!(run(&words).unwrap(), message);
    let told = figures(&words);
    assert_eq!((told.len(), &told[0]["won"], &told[0]["against"]), (4, &2.into(), &"random".into()), "{told:?}");
}

fn endgame_words<'a>(what: &'a str, folder: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    let all = ["measure", what, SMALL_VARIANT, "--from", "5", "--to", "15", "--positions", "8", "--nodes", "20000"];
    [&all[..], &["--tables", folder], more].concat()
}

#[test]
fn won_and_lost_positions_are_played_against_the_table() {
    let folder = TestFolder::new("endgames");
    let tables = folder.path("");
    let words = |what, more| endgame_words(what, &tables, more);
    let none = run(&words("conversion", &[])).unwrap_err();
    assert!(none.to_string().contains("no table"), "{none}");
    solve(&folder, SMALL_VARIANT);
    let message = run(&words("conversion", &["--side", "rebels", "--games"])).unwrap();
    assert!(message.starts_with("three-rows: rebels: ") && message.contains(" of 8 won ("), "{message}");
    assert_eq!(message.lines().count(), 9, "a line for each game: {message}");
    assert_eq!(run(&words("conversion", &["--side", "rebels", "--games"])).unwrap(), message);
    let defence = run(&words("defence", &[])).unwrap();
    assert_eq!(defence.lines().count(), 2, "a line for each side: {defence}");
    assert!(defence.contains("not lost ("), "{defence}");
    let told = figures(&words("conversion", &["--side", "rebels", "--games"]));
    assert_eq!((&told[0]["side"], &told[0]["games"], told.len()), (&"rebels".into(), &8.into(), 9), "{told:?}");
    let won = format!("{} of 8 won", told[0]["won"]);
    assert!(message.contains(&won) && told[0]["median_length"].is_f64(), "{message} {told:?}");
}

/// An error about the file of the table, or about the folder that has none.
#[test]
fn a_damaged_or_missing_table_is_named() {
    let folder = TestFolder::new("damaged");
    let tables = folder.path("");
    let path = solve(&folder, SMALL_VARIANT);
    let whole = fs::read(&path).unwrap();
    for begin in [0, whole.len() / 2, whole.len() - 40] {
        let mut bytes = whole.clone();
        bytes[begin..].iter_mut().for_each(|byte| *byte = !*byte);
        fs::write(&path, bytes).unwrap();
        let damaged = run(&endgame_words("conversion", &tables, &[])).unwrap_err();
        assert!(damaged.to_string().contains(path.to_str().unwrap()), "{damaged}");
    }
    let none = ["measure", "conversion", "sixteen-rebels", "--positions", "1", "--tables", &tables];
    let missing = run(&none).unwrap_err();
    assert!(missing.to_string().starts_with("no table of sixteen-rebels in "), "{missing}");
    let weights = folder.path("none.toml");
    let unread = run(&["measure", "movers", "sixteen-rebels", "--weights", &weights]).unwrap_err();
    assert!(matches!(&unread, CliError::File(text) if text.contains("none.toml")), "{unread}");
}

/// The predicted win rate beside the result, for each variant and in a diagram.
#[test]
fn win_rates_are_compared_with_results() {
    let folder = TestFolder::new("calibration");
    let diagram = folder.path("calibration.svg");
    let words = ["measure", "calibration", "yeung-luk", "adugo", "--games", "4", "--nodes", "50", "--diagram"];
    let printed = run(&[&words[..], &[diagram.as_str()]].concat()).unwrap();
    for id in ["yeung-luk", "adugo"] {
        assert!(printed.contains(&format!("{id}: 4 games, off by ")), "{printed}");
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
    let drawn = fs::read_to_string(&diagram).unwrap();
    assert!(drawn.contains(">as told</text>") && drawn.contains(">adugo</text>"), "{drawn}");
    assert_eq!(run(&words[..words.len() - 1]).unwrap(), printed, "the same games each time");
    assert_eq!(figures(&words[..words.len() - 1])[1]["variant"], "adugo");
}

#[test]
fn the_greedy_mover_takes_most_and_wins_at_once() {
    let mut random = privy_base::random::Random::numbered(1, 1);
    let game = Game::from_text("1/3/rrrrr/r3r/r1G1r/r3r/rrrrr g - 0 0 sixteen-rebels", None).unwrap();
    let taken = |move_: &privy_rules::MovePath| move_.action().captured.len();
    let mut greedy = |game: &Game| Mover::Greedy.choose(game, &mut random);
    let most = game.legal_moves().iter().map(taken).max().unwrap();
    assert!(most > 0 && taken(&greedy(&game)) == most);
    // One step closes the ring.
    let last = Game::from_text("1/1G1/1rr2/3r1/5/5/rr3 r - 0 0 sixteen-rebels", None).unwrap();
    assert_eq!(last.move_text(&greedy(&last)), "d4-d5");
}

/// Results of the engine, drawn after `plies`.
fn against(id: &str, engine: Side, mover: Mover, games: &str, plies: &str) -> MoverResult {
    let words = ["measure", "movers", id, "--games", games, "--plies", plies];
    let arguments: MoverArguments = match parsed(&words).unwrap().command {
        LabCommand::Measure(MeasureArguments { measure: MeasureCommand::Movers(arguments), .. }) => arguments,
        _ => panic!("another command"),
    };
    let played = arguments.play(&Variant::builtin(id).unwrap(), engine, mover, &Stop::default()).unwrap();
    MoverResult::of(engine, &played)
}

/// Deferred captures can be parried: without the hunt these games take some 300 plies.
#[test]
fn the_general_hunts_rebels_that_move_at_random() {
    assert_eq!(against("subjugatio-free", Side::General, Mover::Random, "8", "200").games.wins, 8);
}

/// The evaluation does not put the Rebels ahead here: without contempt most of these games were drawn by repetition.
#[test]
fn rebels_of_games_without_fitted_weights_make_progress() {
    for (id, mover) in [("adugo", Mover::Greedy), ("yaguarete-kora", Mover::Random)] {
        let result = against(id, Side::Rebels, mover, "8", "200");
        assert!(result.games.wins >= 7, "{id}: {result}");
    }
}

/// The evaluation puts the General behind here: without contempt half of these games were drawn by repetition.
#[test]
fn the_general_avoids_repetition_against_rebels_that_go_in_circles() {
    for id in ["adugo", "catch-the-hare-12"] {
        let result = against(id, Side::General, Mover::Greedy, "8", "200");
        assert!(result.games.wins >= 7, "{id}: {result}");
    }
}

/// Geese that never step back hold out in an arm of the board: without traps three of these games were not won.
#[test]
fn the_general_sets_traps_for_rebels_that_go_in_circles() {
    let result = against("fox-and-geese-17", Side::General, Mover::Greedy, "12", "500");
    assert!(result.games.wins >= 11, "{result}");
}

#[test]
fn the_median_is_that_of_games_won() {
    let text = |played: &[(Option<Side>, usize)]| MoverResult::of(Side::General, played).to_string();
    let (general, rebels) = (Some(Side::General), Some(Side::Rebels));
    let played = [(None, 200), (general, 31), (rebels, 90), (general, 9), (general, 50), (None, 300)];
    assert_eq!(text(&played), "3 won, 2 drawn, 1 lost, median 31 plies");
    assert_eq!(text(&[(None, 200), (rebels, 40)]), "0 won, 1 drawn, 1 lost");
}

#[test]
fn the_engine_beats_both_movers_with_repeatable_results() {
    for mover in [Mover::Random, Mover::Greedy] {
        let play = || against("monk-and-water", Side::Rebels, mover, "4", "200");
        let result = play();
        assert_eq!(result.games, Tally { wins: 4, draws: 0, losses: 0 }, "{mover}");
        assert_eq!(play(), result, "{mover}");
    }
}

#[test]
fn predictions_that_match_the_results_have_no_error() {
    let position = |score, result| ScoredPosition { score, result, weight: 0.25 };
    let games = ScoredGames {
        games: 2,
        positions: vec![position(0.75, 1.0), position(0.75, 1.0), position(0.75, 1.0), position(0.75, 0.0)],
        ..ScoredGames::default()
    };
    let right = games.reliability(|score| score);
    assert!(right.error() < 1e-12);
    assert_eq!(right.points(), [(75.0, 75.0)]);
    let wrong = games.reliability(|_| 0.25);
    assert!((wrong.error() - 0.5).abs() < 1e-12);
    assert_eq!(wrong.points(), [(25.0, 75.0)]);
    assert!(wrong.to_string().ends_with("  20-30 %         4    25.0 %    75.0 %"), "{wrong}");
}
