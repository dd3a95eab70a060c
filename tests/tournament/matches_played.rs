//! Matches from the command line: pairings, clocks, adjudication, options, records and results.

use crate::support::binary;
use crate::support::matches;

use std::collections::BTreeSet;
use std::fs;

use privy_rules::Variant;
use privy_search::eval::Weights;
use serde_json::Value;

use binary::SMALL_VARIANT;
use matches::{Tournament, games, moves, repeatable, table};

const WEAK: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/protocol/examples/weak_engine.py");

#[test]
fn a_round_robin_uses_the_same_openings_for_all_pairs() {
    let tournament = Tournament::new();
    let file = tournament.home.join("match.jsonl");
    let engines = [tournament.privy("a"), tournament.privy("b"), tournament.privy("c") + ",depth=1"];
    let mut arguments =
        vec!["--nodes", "100", "--games", "4", "--openings", "random:5", "--file", file.to_str().unwrap()];
    arguments.extend(engines.iter().flat_map(|engine| ["--engine", engine]));
    let output = tournament.run(&arguments).success();
    assert!(table(&output).starts_with("12 games: "), "{output}");
    let games = games(&file);
    let met: BTreeSet<(String, String)> =
        games.iter().map(moves).map(|(general, rebels, _)| (general, rebels)).collect();
    assert_eq!(met.len(), 6);
    let opening = |number: usize| moves(&games[number]).2[..5].to_vec();
    assert!((0..6).all(|number| opening(number) == opening(0) && opening(number + 6) == opening(6)));
    assert_ne!(opening(0), opening(6));
    let seeds = |number: usize| games[number]["record"]["seed"].as_u64().unwrap();
    assert!(seeds(0) == seeds(1) && seeds(0) != seeds(2));
    assert_eq!(games[2]["record"]["time_control"], "nodes 100 against depth 1");
    // Reports of the engines are recorded, with none for the moves of the opening.
    assert!(games[0]["record"]["moves"][4].get("score").is_none());
    assert!(games[0]["record"]["moves"][5].get("score").is_some());
}

#[test]
fn concurrent_games_are_the_same_games() {
    let tournament = Tournament::new();
    let (one, two) = (tournament.privy("a"), tournament.privy("b") + ",nodes=150");
    let play = |name: &str, concurrency: &str| {
        let file = tournament.home.join(name);
        let arguments =
            ["--engine", &one, "--engine", &two, "--nodes", "100", "--games", "8", "--concurrency", concurrency];
        let output = tournament.run(&[&arguments[..], &["--file", file.to_str().unwrap()]].concat()).success();
        (table(&output).to_owned(), repeatable(&file))
    };
    assert_eq!(play("alone.jsonl", "1"), play("together.jsonl", "3"));
}

#[test]
fn a_gauntlet_with_an_engine_in_another_language() {
    let tournament = Tournament::new();
    let (first, second) = (tournament.privy("first"), tournament.privy("second"));
    let weak = tournament.engine("weak", &format!("python3 '{WEAK}'"));
    let of_its_own = tournament.engine("weak board", &format!("python3 '{WEAK}'")) + ",proto=genmove";
    let mut arguments = vec!["--gauntlet", "--depth", "2", "--json", "--variant", "monk-and-water"];
    arguments.extend([&first, &second, &weak, &of_its_own].into_iter().flat_map(|engine| ["--engine", engine]));
    let output = tournament.run(&arguments).success();
    let summary: Value = serde_json::from_str(&output).unwrap();
    assert_eq!(summary["games"], 6);
    for engine in summary["engines"].as_array().unwrap() {
        assert_eq!(engine["faults"], serde_json::json!({}), "{engine}");
        let games = if engine["name"] == "first" { 6 } else { 2 };
        let tally = &engine["tally"];
        assert_eq!(["wins", "draws", "losses"].map(|key| tally[key].as_u64().unwrap()).iter().sum::<u64>(), games);
    }
}

#[test]
fn clocks_of_every_kind() {
    for limit in [["--tc", "0.3+0.01"], ["--tc", "8/0.3"], ["--time", "20"]] {
        let tournament = Tournament::new();
        let (one, own_board) = (tournament.privy("one"), tournament.privy("own board") + ",proto=genmove");
        let arguments = ["--engine", &one, "--engine", &own_board, "--margin", "5000", "--move-limit", "20"];
        let output = tournament.run(&[&arguments[..], &limit].concat()).success();
        assert!(table(&output).contains("\none        "), "{output}");
        assert_eq!(table(&output).matches("0        0  none").count(), 2, "{output}");
    }
}

#[test]
fn games_are_adjudicated_by_table_and_compared_with_it() {
    let tournament = Tournament::new();
    let tables = tournament.home.join("tables");
    tournament.home.run(&["--tables", tables.to_str().unwrap(), "solve", SMALL_VARIANT]).success();
    let (one, two) = (tournament.privy("a"), tournament.privy("b"));
    let file = tournament.home.join("match.jsonl");
    let mut command = tournament.home.privy();
    command.args(["--tables", tables.to_str().unwrap(), "match", "--variant", SMALL_VARIANT, "--nodes", "50"]);
    command.args(["--engine", &one, "--engine", &two, "--openings", "opening", "--adjudicate-table", "3"]);
    command.args(["--file", file.to_str().unwrap()]);
    binary::run(&mut command, &[]).success();
    for game in games(&file) {
        assert_eq!(game["report"]["plies"], 3);
        assert_eq!(game["report"]["perfect"]["win"]["side"], "rebels", "{game}");
        assert!(game["record"]["termination"].as_str().unwrap().starts_with("adjudicated by table: "), "{game}");
    }
    // Without --openings the table chooses them. The report says so, and who is stronger.
    let mut command = tournament.home.privy();
    command.args(["--tables", tables.to_str().unwrap(), "match", "--variant", SMALL_VARIANT, "--nodes", "50"]);
    let output = binary::run(command.args(["--engine", &one, "--engine", &two]), &[]).success();
    assert!(output.contains("\nOpenings: 1, table: "), "{output}");
    assert!(output.contains("\nToo few games to tell: "), "{output}");
    assert!(output.contains("\nbeside the table "), "{output}");
    let report = table(&output);
    assert!(report.lines().all(|line| line.chars().count() <= 80), "{report}");
    // Without the table there is no adjudication.
    let ran =
        tournament.run(&["--engine", &one, "--engine", &two, "--variant", SMALL_VARIANT, "--adjudicate-table", "3"]);
    assert!(ran.failure(1).contains("tables are switched off"));
}

/// A game of no plies would measure nothing.
#[test]
fn a_move_limit_leaves_something_to_play() {
    let tournament = Tournament::new();
    let (one, two) = (tournament.privy("a"), tournament.privy("b"));
    for limit in ["6", "5"] {
        let errors = tournament.run(&["--engine", &one, "--engine", &two, "--move-limit", limit]).failure(2);
        assert_eq!(errors, format!("privy: opening: 6 plies; expected fewer than the move limit, {limit}\n"));
    }
}

/// A file of weights belongs to one game, which need not be the first game of the engine.
#[test]
fn options_are_set_after_the_variant() {
    let tournament = Tournament::new();
    let variant = Variant::builtin("coyote").unwrap();
    let weights = tournament.home.join("coyote.weights.toml");
    fs::write(&weights, Weights::of_family(&variant).to_toml(&variant)).unwrap();
    let with_weights = format!("{},option.weights=\"{}\"", tournament.privy("a"), weights.display());
    let without = tournament.privy("b");
    let words =
        ["--engine", &with_weights, "--engine", &without, "--variant", "coyote", "--nodes", "50", "--games", "2"];
    let output = tournament.run(&words).success();
    assert!(output.contains("2 games: ") && !output.contains("refuses"), "{output}");
}

#[test]
fn games_are_adjudicated_by_score() {
    let tournament = Tournament::new();
    let (one, two) = (tournament.privy("a"), tournament.privy("b"));
    let rule = ["--adjudicate-draw", "score=999,plies=2,from=4", "--variant", "monk-and-water"];
    let output =
        tournament.run(&[&["--engine", &one, "--engine", &two, "--nodes", "50"][..], &rule].concat()).success();
    assert!(output.contains("draw: adjudicated by score: both engines agree, 4 plies"), "{output}");
    let rule = ["--adjudicate-win", "score=0.01,plies=2", "--variant", "monk-and-water"];
    let output =
        tournament.run(&[&["--engine", &one, "--engine", &two, "--nodes", "2000"][..], &rule].concat()).success();
    assert!(output.contains("adjudicated by score"), "{output}");
}

/// The count is that of the table, by the positions in which the games have ended.
#[test]
fn adjudications_are_held_against_the_table() {
    let tournament = Tournament::new();
    let folder = tournament.home.join("solved");
    let tables = folder.to_str().unwrap();
    tournament.home.run(&["solve", SMALL_VARIANT, "--tables", tables]).success();
    let file = tournament.home.join("match.jsonl");
    let (one, two) = (tournament.privy("a"), tournament.privy("b"));
    let mut command = tournament.home.privy();
    command.args(["--tables", tables, "match", "--variant", SMALL_VARIANT, "--nodes", "50", "--games", "12"]);
    command.args(["--engine", &one, "--engine", &two, "--openings", "random:1", "--file", file.to_str().unwrap()]);
    let output = binary::run(&mut command, &["--adjudicate-draw", "score=999,plies=2,from=2"]).success();
    let (mut adjudged, mut against) = (0, 0);
    for game in games(&file).iter().filter(|game| game["report"]["reason"].as_str().unwrap().contains("by score")) {
        let texts: Vec<&str> =
            game["record"]["moves"].as_array().unwrap().iter().map(|move_| move_["move"].as_str().unwrap()).collect();
        let start = match game["record"]["opening"].as_str() {
            Some(text) => format!("fen {text}"),
            None => "startpos".to_owned(),
        };
        let lines = format!("position {start} moves {}\nprobe\nquit\n", texts.join(" "));
        let arguments = ["--variant", SMALL_VARIANT, "--tables", tables];
        let answered = binary::run_with_input(&mut tournament.home.privy(), &arguments, &lines).success();
        adjudged += 1;
        against += usize::from(!answered.contains("= draw"));
    }
    assert!(against > 0, "{against} of {adjudged}");
    let told = format!("{adjudged} games adjudicated in positions of the table, {against} against it");
    assert!(output.contains(&told), "{told}: {output}");
}

/// An engine that reports only that its side does not lose claims no draw.
#[test]
fn a_lower_bound_of_a_draw_is_not_a_draw() {
    let tournament = Tournament::new();
    let (script, file) = (tournament.home.join("holding.sh"), tournament.home.join("match.jsonl"));
    let bound = "s/ score [^ ]* / score = bound lower /";
    fs::write(&script, format!("'{}' --tables off | sed -u '{bound}'\n", binary::PRIVY)).unwrap();
    let command = format!("sh '{}'", script.display());
    let (one, two) = (tournament.engine("a", &command), tournament.engine("b", &command));
    let rule = ["--adjudicate-draw", "score=999,plies=2,from=4", "--variant", "monk-and-water"];
    let match_ = ["--engine", &one, "--engine", &two, "--nodes", "50", "--file", file.to_str().unwrap()];
    let output = tournament.run(&[&match_[..], &rule].concat()).success();
    assert!(!output.contains("adjudicated"), "{output}");
    for game in games(&file) {
        let moves = game["record"]["moves"].as_array().unwrap();
        assert!(moves.len() > 4 && moves.iter().all(|move_| move_.get("score").is_none()), "{game}");
        assert!(moves.iter().any(|move_| move_.get("depth").is_some()), "{game}");
    }
}

#[test]
fn a_sequential_test_ends_the_match_early() {
    let tournament = Tournament::new();
    let strong = tournament.privy("strong") + ",nodes=2000";
    let weak = tournament.engine("weak", &format!("python3 '{WEAK}'"));
    let arguments =
        ["--engine", &strong, "--engine", &weak, "--nodes", "1", "--games", "400", "--openings", "random:2"];
    let output =
        tournament.run(&[&arguments[..], &["--sprt", "elo0=-100,elo1=0,alpha=0.1,beta=0.1"]].concat()).success();
    assert!(output.contains("H1 accepted") && !output.contains("\n400 games: "), "{output}");
}

#[test]
fn usage_errors_are_explained() {
    let tournament = Tournament::new();
    let one = tournament.privy("one");
    let complaint = |arguments: &[&str]| tournament.run(arguments).failure(2);
    let with = |more: &[&str]| complaint(&[&["--engine", &one, "--engine", "cmd=privy"], more].concat());
    assert!(complaint(&[]).contains("--engine <SPEC>"));
    assert!(complaint(&["--engine", &one]).contains("--engine: expected at least two engines, found 1"));
    assert!(complaint(&["--engine", &one, "--engine", "privy"]).contains("--engine privy: engine: expected KEY=VALUE"));
    assert!(with(&["--games", "3"]).contains("--games: expected an even number from 2 to 10000000, found 3"));
    assert!(with(&["--each", "hash=3"]).contains("--each: engine: unknown key \"hash\""));
    for (option, number) in [
        ("--time", "86400001"),
        ("--nodes", "1000000000001"),
        ("--depth", "1001"),
        ("--margin", "86400001"),
        ("--patience", "0"),
        ("--move-limit", "1000001"),
        ("--adjudicate-table", "1000001"),
        ("--concurrency", "1025"),
    ] {
        let found = with(&[option, number]);
        assert!(found.contains(&format!("'{number}' for '{option} ")) && found.contains("': expected "), "{found}");
    }
    assert!(with(&["--each", "depth=1001"]).contains("depth: expected plies from 1 to 1000, found"));
    assert!(with(&["--adjudicate-win", "score=1,plies=1000001"]).contains("expected score=SCORE,plies=N"));
    assert!(with(&["--tc", "x"]).contains("expected [MOVES/]SECONDS[+SECONDS]"));
    assert!(with(&["--sprt", "elo0=5"]).contains("--sprt: expected elo0 and elo1"));
    assert!(with(&["--sprt", "elo0=5,elo1=1"]).contains("--sprt: value out of range: elo0 must be less"));
    assert!(with(&["--openings", "random:0"]).contains("expected plies from 1 to"));
    assert!(with(&["--adjudicate-win", "x"]).contains("expected score=SCORE,plies=N"));
    assert!(with(&["--resume", "x"]).contains("cannot be used with"));
    assert!(
        with(&["--variant", "twenty-six-murray"]).contains("expected an unfinished game, found rebels win: no move")
    );
}
