//! `fit` and `ladder`: levels of skill and win rates.

use privy_engine::LEVELS;
use privy_protocol::Stop;
use privy_rules::{Game, Variant};

use super::super::levels::{FittedLevels, LevelCandidate, LevelEngine, MeetingResults, Rung, interpolated, smoothed};
use super::super::win_rates::ScoredGames;
use super::{TestFolder, run};

#[test]
fn levels_and_win_rates_have_their_own_commands() {
    let win_rates = run(&["fit", "win-rates", "yeung-luk", "kings-gonu", "--games", "2", "--nodes", "20"]).unwrap();
    assert!(
        ["# yeung-luk", "# all"].map(|line| win_rates.lines().any(|found| found == line)) == [true; 2],
        "{win_rates}"
    );
    assert_eq!(win_rates.matches("\nscale = ").count(), 3, "{win_rates}");
    let ladder = ["ladder", "yeung-luk", "--pairs", "1", "--to", "1", "--tables", "off"];
    assert!(run(&ladder).unwrap().starts_with("yeung-luk: 1 against 0: "));
    assert!(run(&["ladder", "chess"]).unwrap_err().to_string().starts_with("unknown variant: \"chess\""));
}

/// Random games that end within the random moves of every opening: an error, and no endless search for an opening.
#[test]
fn a_game_without_random_openings_is_refused() {
    let folder = TestFolder::new("short");
    let path = folder.short_game();
    for words in [
        vec!["fit", "win-rates", &path],
        vec!["fit", "levels", &path],
        vec!["ladder", &path, "--to", "1", "--tables", "off"],
        vec!["measure", "calibration", &path],
    ] {
        let refused = run(&words).unwrap_err().to_string();
        assert!(refused.starts_with("game over: every game of short that begins with "), "{words:?}: {refused}");
    }
}

/// Results of players of known strength: each error costs, and each node gains.
#[test]
fn levels_of_players_of_known_strength_go_down_in_steps() {
    let strength = |player: &LevelCandidate| (player.nodes as f64).ln() / 4.0 - 3.0 * player.rate;
    let row = |general: &LevelCandidate| -> Vec<f64> {
        let result = |rebels: &LevelCandidate| 1.0 / (1.0 + (strength(rebels) - strength(general)).exp());
        LevelCandidate::all().iter().map(result).collect()
    };
    let results: MeetingResults = LevelCandidate::all().iter().map(row).collect();
    let fitted = FittedLevels::choose(&interpolated(&smoothed(&results)));
    assert_eq!(fitted.levels.len(), LEVELS);
    assert!(fitted.least_score > 0.6, "{fitted}");
    assert!(fitted.levels.windows(2).all(|two| two[0].is_weaker(two[1])));
    let file: toml::Table = fitted.to_string().parse().unwrap();
    assert_eq!(file.keys().collect::<Vec<_>>(), ["general", "nodes", "rebels"]);
}

#[test]
fn a_rung_counts_all_its_games() {
    let variant = Variant::builtin("yeung-luk").unwrap();
    let rung = Rung::measure(&variant, [1, 0], 2, "off", &Stop::default()).unwrap();
    let results = &rung.results;
    let games = (results.pairs.count(), results.as_general.games(), results.as_rebels.games());
    assert_eq!(games, (2, 2, 2));
    assert!(rung.to_string().starts_with("1 against 0: "), "{rung}");
}

#[test]
fn the_beginner_sees_a_win_in_one() {
    for (position, win) in [
        ("1/1G1/3r1/r2r1/5/2rr1/4r g - 3 20 sixteen-rebels", "c6-c7"),
        ("1/3/5/2rrr/r2r1/1r1r1/Gr3 r - 48 63 sixteen-rebels", "a3-a2"),
    ] {
        let game = Game::from_text(position, None).unwrap();
        let chosen = LevelEngine::new(0, &game, "off", 1).choose(&Stop::default());
        assert_eq!(game.move_text(&chosen), win);
    }
}

#[test]
fn the_same_games_give_the_same_file() {
    let variant = Variant::builtin("yeung-luk").unwrap();
    let play = || ScoredGames::play(&variant, 0, 4, 100, &Stop::default()).unwrap().to_string();
    let text = play();
    assert_eq!(play(), text);
    let file: toml::Table = text.parse().unwrap();
    assert_eq!(file.keys().collect::<Vec<_>>(), ["doubt", "even", "scale"]);
    assert!(file["scale"].as_float().unwrap() > 0.0, "{text}");
}
