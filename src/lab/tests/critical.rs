//! Critical positions: the files, finding more, measuring errors, and a fit of the constants of the search.

use std::fs;

use super::super::critical::{FILES, Half, of_half};
use super::{TestFolder, run, solve};

const GAME: &str = "hare-and-hounds";

#[test]
fn the_files_hold_critical_positions() {
    for file in FILES {
        let halves = [Half::Tuning, Half::Judging].map(|half| of_half(file, half).unwrap());
        assert!(halves.iter().all(|half| half.len() == 2_000), "{}", halves[0].len());
        for critical in halves.iter().flatten() {
            let (moves, keeping) = (critical.game.legal_moves().len(), critical.keeping.len());
            assert!((1..=(moves / 6).max(1)).contains(&keeping) && keeping < moves, "{}", critical.game);
        }
    }
}

#[test]
fn found_positions_are_measured_and_fitted_to() {
    let folder = TestFolder::new("critical");
    solve(&folder, GAME);
    let words = ["critical", GAME, "--positions", "12", "--tables", &folder.path("")];
    let found = run(&words).unwrap();
    assert_eq!((found.lines().count(), run(&words).unwrap()), (12, found.clone()), "{found}");
    let file = folder.path("critical.txt");
    fs::write(&file, &found).unwrap();
    let measured = run(&["measure", "critical", &file, "--nodes", "200"]).unwrap();
    assert!(measured.contains(" errors in      6 positions, ") && measured.lines().count() == 2, "{measured}");
    let words = ["fit", "search", &file, "--steps", "2", "--positions", "4", "--nodes", "100", "--fixed", "aspiration"];
    let fitted = run(&words).unwrap();
    assert!(fitted.starts_with("# 2 steps, loss ") && fitted.contains("\nfutility_margin = "), "{fitted}");
    assert_eq!((run(&words).unwrap(), fitted.contains("aspiration")), (fitted, false));
    fs::write(&file, "no position\n").unwrap();
    let refused = run(&["measure", "critical", &file, "--half", "tuning"]).unwrap_err().to_string();
    assert!(refused.contains("invalid line: \"no position\"; expected a position, a tab, and its moves"), "{refused}");
}
