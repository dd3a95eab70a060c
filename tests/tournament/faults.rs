//! Faulty engines: each loses with the right reason, the match continues to its end, and no process remains.

use crate::support::{binary, matches};

use std::fs;
use std::path::Path;
use std::sync::Mutex;
use std::thread;

use serde_json::Value;

use binary::PRIVY;
use matches::{Tournament, state, wait_until};

const PANEL: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/bad_engines/bad_engine.py");

/// Faults that show when the patience of the referee ends, which is short for them.
const SILENT: [&str; 2] = ["hang", "half-answer"];

/// A match of two games between a good engine and a faulty one: the faults of the latter, and the match file.
#[track_caller]
fn play(fault: &str, more: &[&str]) -> (Tournament, Value, String) {
    let tournament = Tournament::new();
    let bad = tournament.engine("bad", &format!("python3 -S '{PANEL}' {fault}"));
    let good = tournament.privy("good");
    let file = tournament.home.join("match.jsonl");
    let mut arguments = vec!["--engine", &good, "--engine", &bad, "--file", file.to_str().unwrap(), "--json"];
    let patience = if SILENT.contains(&fault) { "3000" } else { "30000" };
    arguments.extend(["--games", "2", "--concurrency", "2", "--patience", patience, "--move-limit", "200"]);
    arguments.extend(if more.is_empty() { &["--nodes", "200"] } else { more });
    let ran = tournament.run(&arguments);
    assert_eq!(ran.status, Some(0), "{fault}: {ran:?}");
    let summary: Value = serde_json::from_str(&ran.output).unwrap();
    assert_eq!(summary["games"], 2, "{fault}: {summary}");
    let engines = summary["engines"].as_array().unwrap();
    let of = |name: &str| engines.iter().find(|engine| engine["name"] == name).unwrap()["faults"].clone();
    assert_eq!(of("good"), serde_json::json!({}), "{fault}: {ran:?}");
    let faults = of("bad");
    // What is written is read again.
    let merged = tournament.home.run(&["match", "merge", file.to_str().unwrap()]);
    assert_eq!(merged.status, ran.status, "{fault}: {merged:?}");
    let text = fs::read_to_string(file).unwrap();
    (tournament, faults, text)
}

/// Both games are lost for this reason, which the records name.
#[track_caller]
fn loses(fault: &str, kind: &str, words: &str) {
    let (_, faults, file) = play(fault, &[]);
    assert_eq!(faults, serde_json::json!({ kind: 2 }), "{fault}: {file}");
    for game in file.lines().skip(1) {
        let game: Value = serde_json::from_str(game).unwrap();
        let reason = game["record"]["termination"].as_str().unwrap();
        assert!(reason.contains(words), "{fault}: {reason}");
        let loser = if game["record"]["general"] == "bad" { "rebels" } else { "general" };
        assert_eq!(game["record"]["result"], loser, "{fault}");
    }
}

/// The same for several faults, two at a time, since a match with a faulty engine mostly waits.
fn all_lose(faults: &[(&str, &str, &str)]) {
    let left = Mutex::new(faults.iter());
    let next = || left.lock().unwrap().next();
    let work = || {
        while let Some((fault, kind, words)) = next() {
            loses(fault, kind, words);
        }
    };
    thread::scope(|scope| {
        scope.spawn(work);
        scope.spawn(work);
    });
}

/// An engine that is not ready for its first game is an error of the user: no game is played, and nothing is written.
#[test]
fn engines_that_are_not_ready_are_user_errors() {
    let weak = concat!("python3 '", env!("CARGO_MANIFEST_DIR"), "/protocol/examples/weak_engine.py'");
    let bad = |fault: &str| format!("python3 -S '{PANEL}' {fault}");
    let cases = [
        (bad("exit-at-start"), "", "exits at start: exit status: 3, before it answered \"name\""),
        (bad("hang-at-start"), "", "does not answer: nothing within 3000 ms to \"name\""),
        (bad("banner"), "", "prints garbage: "),
        (bad("never-flush"), "", "does not flush its output: nothing within 3000 ms to \"name\""),
        (bad("no-empty-line"), "", "does not answer: no end of an answer within 3000 ms to \"name\""),
        (bad("refuse-variant"), "", "refuses: \"variant sixteen-rebels\": ? unknown variant: sixteen-rebels"),
        (weak.to_owned(), ",option.level=3", "refuses: \"set_option level 3\": ? unknown command"),
        (format!("'{PRIVY}'"), ",option.hsah=4", "refuses: \"set_option hsah 4\": ? unknown option: "),
        (format!("'{PRIVY}'"), ",option.hash=x", "refuses: \"set_option hash x\": ? syntax error: "),
    ];
    let check = |(command, option, words): &(String, &str, &str)| {
        let tournament = Tournament::new();
        let engine = tournament.engine("bad", command) + option;
        let [file, records] = ["match.jsonl", "records.txt"].map(|name| tournament.home.join(name));
        let mut arguments = vec!["--engine", &engine, "--nodes", "9", "--patience", "3000", "--file"];
        let good = tournament.privy("good");
        arguments.extend([file.to_str().unwrap(), "--record", records.to_str().unwrap(), "--engine", &good]);
        let errors = tournament.run(&arguments).failure(1);
        let expected = format!("privy: engine bad is not ready for a game: {words}");
        assert!(errors.starts_with(&expected), "{command}: {errors}");
        assert!(!file.exists() && !records.exists(), "{command}");
    };
    thread::scope(|scope| {
        let (silent, others): (Vec<_>, Vec<_>) = cases.iter().partition(|(_, _, words)| words.contains("3000 ms"));
        scope.spawn(move || others.into_iter().for_each(check));
        silent.into_iter().for_each(|case| drop(scope.spawn(move || check(case))));
    });
}

/// An engine that has been ready, and dies later, loses its games.
#[test]
fn an_engine_that_starts_no_more_loses() {
    let tournament = Tournament::new();
    let script = tournament.home.join("once.sh");
    let text = format!("test -e ran && exit 3\ntouch ran\nexec '{PRIVY}' --tables off\n");
    fs::write(&script, text).unwrap();
    let bad = tournament.engine("bad", &format!("sh '{}'", script.display()));
    let ran = tournament.run(&["--engine", &bad, "--engine", &tournament.privy("good"), "--nodes", "9"]);
    assert_eq!(ran.status, Some(0), "{ran:?}");
    assert_eq!(ran.output.matches("exits at start: exit status: 3").count(), 2, "{ran:?}");
}

/// Five commands are enough, though the engine tells none of them and refuses a bare `variant`.
#[test]
fn an_engine_with_the_fewest_commands_plays_every_game() {
    for variant in ["monk-and-water", "sixteen-rebels"] {
        let (_, faults, file) = play("minimal", &["--variant", variant, "--nodes", "100"]);
        assert_eq!(faults, serde_json::json!({}), "{file}");
    }
    let tournament = Tournament::new();
    let spec = tournament.engine("bad", &format!("python3 -S '{PANEL}' minimal"));
    tournament.home.run(&["compliance", "--engine", &spec, "--variant", "monk-and-water", "--step", "start"]).success();
}

#[test]
fn engines_that_exit_in_a_game_lose() {
    all_lose(&[
        ("exit", "exits-in-game", "exits in the game: exit status: 3, before it answered \"go nodes 200\""),
        ("crash", "exits-in-game", "exits in the game: signal: 6 (SIGABRT)"),
        ("close-output", "closes-output", "closes its output: it still runs, and has not answered \"go nodes 200\""),
    ]);
}

#[test]
fn engines_that_hang_lose() {
    all_lose(&[
        ("hang", "does-not-answer", "does not answer: nothing within 3000 ms to \"go nodes 200\""),
        ("half-answer", "does-not-answer", "does not answer: no end of an answer within 3000 ms"),
    ]);
    let (_, faults, file) = play("slow --seconds 2.5", &["--time", "50", "--margin", "1500"]);
    assert_eq!(faults, serde_json::json!({ "time": 2 }), "{file}");
    assert!(file.contains("ms for a move, and 50 were left"), "{file}");
}

#[test]
fn engines_with_unreadable_answers_lose() {
    all_lose(&[
        ("garbage", "prints-garbage", "prints garbage: bad framing: "),
        ("not-utf8", "prints-garbage", "prints garbage: bad framing: a line of the answer is not UTF-8"),
        ("no-move", "unreadable-answer", "unreadable answer: 42: \"42\" is not a move"),
        ("no-bestmove", "unreadable-answer", "unreadable answer: to \"go nodes 200\": expected one line bestmove MOVE"),
        ("pass", "illegal-move", "illegal move: pass: expected "),
        ("wrong-id", "unreadable-answer", "unreadable answer: expected the id none, found 1000"),
        ("twice", "answers-twice", "answers twice: "),
    ]);
}

/// Output of an engine is shortened and escaped wherever it is shown or stored.
#[test]
fn engines_that_write_to_the_terminal() {
    for (fault, kind) in
        [("controls", "unreadable answer"), ("long-move", "unreadable answer"), ("long-error", "refuses")]
    {
        let tournament = Tournament::new();
        let (good, bad) =
            (tournament.privy("good"), tournament.engine("bad", &format!("python3 -S '{PANEL}' {fault}")));
        let [file, records] = ["match.jsonl", "records.txt"].map(|name| tournament.home.join(name));
        let (file, records) = (file.to_str().unwrap(), records.to_str().unwrap());
        let kept = ["--file", file, "--record", records];
        let mut arguments = vec!["--engine", &good, "--engine", &bad, "--nodes", "200", "--games", "2"];
        arguments.extend(kept);
        let ran = tournament.run(&arguments);
        assert!(ran.status == Some(0) && ran.output.contains(kind), "{fault}: {ran:?}");
        for text in [ran.output, ran.errors, fs::read_to_string(file).unwrap(), fs::read_to_string(records).unwrap()] {
            assert!(text.len() < 20_000, "{fault}: {}", text.len());
            let is_plain = |letter: char| letter == '\n' || !(letter.is_control() || letter == '\u{202e}');
            assert!(text.chars().all(is_plain), "{fault}: {text:?}");
        }
    }
}

#[test]
fn engines_that_flood_lose() {
    loses("flood", "floods", "floods: more than 16777216 bytes in answer to \"go nodes 200\"");
    loses("flood-line", "floods", "floods: more than 16777216 bytes in answer to \"go nodes 200\"");
    let (_, faults, _) = play("flood-errors", &[]);
    assert_eq!(faults, serde_json::json!({}));
}

#[test]
fn engines_that_break_the_rules_lose() {
    all_lose(&[
        ("illegal-move", "illegal-move", "illegal move: a1-e5: "),
        ("wrong-status", "wrong-status", "wrong status: expected "),
        ("early-status", "wrong-status", "wrong status: expected "),
        ("refuse-move", "refuses", "? illegal move: I do not believe it"),
        ("error", "refuses", "refuses: \"go nodes 200\": ? out of ideas"),
        ("resign", "resigns", "resigns"),
    ]);
}

#[test]
fn harmless_faults_lose_no_game() {
    for fault in ["none", "carriage-returns"] {
        let (_, faults, file) = play(fault, &[]);
        assert_eq!(faults, serde_json::json!({}), "{fault}: {file}");
        assert!(!file.contains("remarks"), "{fault}: {file}");
    }
    let (_, faults, file) = play("ignore-quit", &[]);
    assert_eq!(faults, serde_json::json!({}));
    assert_eq!(file.matches("\"kind\":\"ignores-quit\"").count(), 2, "{file}");
}

#[test]
fn processes_that_engines_start_end_with_them() {
    let none = || serde_json::json!({});
    for (fault, faults) in [
        ("child", none()),
        ("child-of-its-own", none()),
        ("exit-with-child", serde_json::json!({ "exits-in-game": 2 })),
    ] {
        let (tournament, found, file) = play(&format!("{fault} --note"), &[]);
        assert_eq!(found, faults, "{file}");
        let children = tournament.files().into_iter().filter_map(|name| name.strip_prefix("child-")?.parse().ok());
        let children: Vec<u32> = children.collect();
        assert_eq!(children.len(), 2, "{fault}");
        assert_eq!(file.matches("; its last words: child ").count() > 0, fault == "exit-with-child", "{file}");
        for child in children {
            assert!(wait_until(|| state(child).is_none_or(|state| state == 'Z')), "{fault}: {child} lives");
        }
    }
}

/// Faults of engines that play by `genmove`.
#[test]
fn faults_of_genmove_engines_are_named() {
    let tournament = Tournament::new();
    let good = tournament.privy("good");
    for (fault, kind) in [
        ("none", ""),
        ("exit", "exits-in-game"),
        ("twice", "answers-twice"),
        ("illegal-move", "illegal-move"),
        ("no-move", "unreadable-answer"),
        ("error", "refuses"),
        ("refuse-move", "refuses"),
        ("wrong-status", "wrong-status"),
    ] {
        let bad = tournament.engine("bad", &format!("python3 -S '{PANEL}' {fault}")) + ",proto=genmove";
        // The limit is the referee's alone: only the rules make a status wrong.
        let limit = if fault == "wrong-status" { "200" } else { "30" };
        let arguments = ["--engine", &good, "--engine", &bad, "--nodes", "20", "--move-limit", limit, "--json"];
        let ran = tournament.run(&arguments);
        assert_eq!(ran.status, Some(0), "{fault}: {ran:?}");
        let is_named = ran.output.contains(&format!("\"{kind}\": 2"));
        assert!(if kind.is_empty() { ran.output.contains("\"faults\": {}") } else { is_named }, "{fault}: {ran:?}");
    }
}

#[test]
fn a_missing_engine_is_a_user_error() {
    let tournament = Tournament::new();
    let (good, missing) = (tournament.privy("good"), "cmd=/no/such/engine,name=gone");
    let file = tournament.home.join("match.jsonl");
    let ran =
        tournament.run(&["--engine", &good, "--engine", missing, "--nodes", "9", "--file", file.to_str().unwrap()]);
    assert!(ran.errors.contains("privy: engine gone: cannot start \"/no/such/engine\": "), "{ran:?}");
    assert_eq!(ran.status, Some(1));
    assert!(!Path::new(&file).exists());
}

#[test]
fn a_match_may_end_with_the_first_failure() {
    let tournament = Tournament::new();
    let bad = tournament.engine("bad", &format!("python3 -S '{PANEL}' exit"));
    let ran = tournament.run(&[
        "--engine",
        &tournament.privy("good"),
        "--engine",
        &bad,
        "--nodes",
        "9",
        "--games",
        "50",
        "--recover",
        "off",
    ]);
    assert_eq!(ran.status, Some(1), "{ran:?}");
    assert!(ran.errors.contains("game 1: exits in the game, and --recover is off"), "{ran:?}");
    assert!(ran.output.contains("1 game: "), "{ran:?}");
}
