//! Matches that are killed or interrupted resume and end as if they had not been.

use crate::support::binary;
use crate::support::matches;

use std::fs;
use std::path::Path;
use std::process::{Child, Command};

use rustix::process::Signal;

use binary::Ran;
use matches::{Tournament, games_in, repeatable, send, state, table, wait_until};

const GAMES: usize = 8;

/// Arguments of a reproducible match.
fn arguments(tournament: &Tournament, file: &Path) -> Vec<String> {
    let words = ["--nodes", "300", "--games", "8", "--move-limit", "60", "--seed", "7", "--file"];
    let mut arguments: Vec<String> = words.map(str::to_owned).to_vec();
    arguments.push(file.to_str().unwrap().to_owned());
    for engine in [tournament.privy("a"), tournament.privy("b") + ",option.seed=5"] {
        arguments.extend(["--engine".to_owned(), engine]);
    }
    arguments
}

fn as_words(arguments: &[String]) -> Vec<&str> {
    arguments.iter().map(String::as_str).collect()
}

/// Waits for a match that [`Tournament::start`] began.
fn end(child: Child) -> Ran {
    Ran::from(child.wait_with_output().unwrap())
}

#[test]
fn a_killed_match_resumes_to_the_same_end() {
    let tournament = Tournament::new();
    let whole = tournament.home.join("whole.jsonl");
    let uninterrupted = tournament.run(&as_words(&arguments(&tournament, &whole))).success();
    assert_eq!(games_in(&whole), GAMES);
    let file = tournament.home.join("killed.jsonl");
    let mut child = tournament.start(&as_words(&arguments(&tournament, &file)));
    assert!(wait_until(|| games_in(&file) >= 3));
    child.kill().unwrap();
    child.wait().unwrap();
    // The engines see the end of their input.
    tournament.assert_empty();
    let played = games_in(&file);
    let records = tournament.home.join("records.txt");
    let resumed = ["--trust", "--resume", file.to_str().unwrap(), "--record", records.to_str().unwrap()];
    let output = tournament.run(&resumed).success();
    assert_eq!(table(&output), table(&uninterrupted));
    assert_eq!(repeatable(&file), repeatable(&whole));
    assert_eq!(output.matches("\ngame ").count() + usize::from(output.starts_with("game ")), GAMES - played);
    let replayed = tournament.home.run(&["replay", records.to_str().unwrap()]).success();
    assert_eq!(replayed.lines().count(), GAMES);
    // No game remains, and the table is the same.
    assert_eq!(
        table(&tournament.run(&["--trust", "--resume", file.to_str().unwrap()]).success()),
        table(&uninterrupted)
    );
}

#[test]
fn a_file_may_be_cut_anywhere_after_its_first_line() {
    let tournament = Tournament::new();
    let whole = tournament.home.join("whole.jsonl");
    let uninterrupted = tournament.run(&as_words(&arguments(&tournament, &whole))).success();
    let bytes = fs::read(&whole).unwrap();
    let head = bytes.iter().position(|byte| *byte == b'\n').unwrap() + 1;
    let file = tournament.home.join("torn.jsonl");
    for share in [0, 1, 500, 770, 998, 999, 1000] {
        let length = head + (bytes.len() - head) * share / 1000;
        fs::write(&file, &bytes[..length]).unwrap();
        let output = tournament.run(&["--trust", "--resume", file.to_str().unwrap()]).success();
        assert_eq!(table(&output), table(&uninterrupted), "{length} of {}", bytes.len());
        assert_eq!(repeatable(&file), repeatable(&whole));
    }
}

#[test]
fn an_invalid_match_file_is_refused() {
    let tournament = Tournament::new();
    let file = tournament.home.join("match.jsonl");
    let resume = ["--trust", "--resume", file.to_str().unwrap()];
    let refused = |text: &str| {
        fs::write(&file, text).unwrap();
        tournament.run(&resume).failure(1)
    };
    assert!(tournament.run(&resume).failure(1).contains("match.jsonl: No such file"));
    assert!(refused("").contains("line 1: expected the settings of a match: the file is empty"));
    assert!(refused("{\"privy_match\":2").contains("or its first line is torn"));
    assert!(refused("{\"privy_match\":2}\n").contains("line 1: expected the settings of a match: missing field"));
    fs::remove_file(&file).unwrap();
    tournament.run(&as_words(&arguments(&tournament, &file))).success();
    let text = fs::read_to_string(&file).unwrap();
    let (head, games) = text.split_once('\n').unwrap();
    let first = games.lines().next().unwrap();
    assert!(refused(&format!("{head}\nhello\n{games}")).contains("line 2: expected a finished game"));
    assert!(
        refused(&format!("{head}\n{first}\n{games}"))
            .contains("line 3: expected a finished game: game 1 is there twice")
    );
    assert!(
        refused(&text.replacen("\"privy_match\":2", "\"privy_match\":9", 1)).contains("expected version 2, found 9")
    );
    // A match file is never overwritten.
    let ran = tournament.run(&as_words(&arguments(&tournament, &file))).failure(1);
    assert!(ran.contains("there is such a file; --resume takes up the match in it"), "{ran}");
}

#[test]
fn a_match_whose_file_is_lost_fails() {
    type Change = (fn(&Path), &'static str);
    let changes: [Change; 2] = [
        (|file| fs::remove_file(file).unwrap(), "match.jsonl: No such file"),
        (|file| fs::write(file, "").unwrap(), "match.jsonl: another program has changed it: expected "),
    ];
    for (change, fault) in changes {
        let tournament = Tournament::new();
        let file = tournament.home.join("match.jsonl");
        let child = tournament.start(&as_words(&arguments(&tournament, &file)));
        assert!(wait_until(|| games_in(&file) >= 1));
        change(&file);
        let errors = end(child).failure(1);
        assert!(errors.contains(fault), "{errors}");
    }
}

/// Two matches cannot write into one file: it would become unreadable.
#[test]
fn a_match_file_is_written_by_one_match_at_a_time() {
    let tournament = Tournament::new();
    let file = tournament.home.join("match.jsonl");
    let child = tournament.start(&as_words(&arguments(&tournament, &file)));
    assert!(wait_until(|| games_in(&file) >= 1));
    // It does not end meanwhile.
    send(&child, Signal::STOP);
    for _ in 0..3 {
        let ran = tournament.home.run(&["match", "--tables", "off", "--resume", file.to_str().unwrap()]).failure(1);
        assert!(ran.contains("match.jsonl: in use by another process"), "{ran}");
    }
    send(&child, Signal::CONT);
    let uninterrupted = end(child).success();
    assert_eq!(games_in(&file), GAMES);
    assert_eq!(
        table(&tournament.run(&["--trust", "--resume", file.to_str().unwrap()]).success()),
        table(&uninterrupted)
    );
}

/// A match file may come from a stranger: its programs are shown, and started only with `--trust`.
#[test]
fn the_programs_of_a_match_file_are_not_started_unasked() {
    let tournament = Tournament::new();
    let file = tournament.home.join("match.jsonl");
    tournament.run(&as_words(&arguments(&tournament, &file))).success();
    let text = fs::read_to_string(&file).unwrap();
    let foreign = text.replacen("\"command\":[", "\"command\":[\"/bin/\u{202e}evil\",", 1);
    assert_ne!(foreign, text);
    fs::write(&file, foreign.split_inclusive('\n').next().unwrap()).unwrap();
    let before = fs::read(&file).unwrap();
    let message = tournament.run(&["--resume", file.to_str().unwrap()]).failure(2);
    assert!(message.contains("match.jsonl starts these programs; --trust lets it:\n  a: [\"/bin/"), "{message}");
    assert!(message.contains("\n  b: [") && message.contains("--tables") && !message.contains('\u{202e}'), "{message}");
    assert_eq!(fs::read(&file).unwrap(), before);
}

/// A match file must be a regular file. An empty one, left by a match that could not begin, is overwritten.
#[test]
fn a_match_file_is_a_regular_file_with_its_settings_first() {
    let tournament = Tournament::new();
    assert!(tournament.run(&["--resume", "/dev/zero"]).failure(1).contains("/dev/zero: expected a file"));
    let pipe = tournament.home.join("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    assert!(tournament.run(&["--resume", pipe.to_str().unwrap()]).failure(1).contains("pipe: expected a file"));
    assert!(tournament.run(&as_words(&arguments(&tournament, &pipe))).failure(1).contains("there is such a file"));
    let file = tournament.home.join("match.jsonl");
    // A limit on the size of files acts as a full disk.
    let mut full = Command::new("sh");
    full.args(["-c", "ulimit -f 0; trap '' XFSZ; exec \"$@\"", "sh", binary::PRIVY, "match", "--tables", "off"]);
    binary::isolate(&mut full);
    let ran = Ran::from(full.args(arguments(&tournament, &file)).output().unwrap()).failure(1);
    assert!(ran.contains("match.jsonl: File too large"), "{ran}");
    assert!(!file.exists());
    fs::write(&file, "").unwrap();
    tournament.run(&as_words(&arguments(&tournament, &file))).success();
    assert_eq!(games_in(&file), GAMES);
}

#[test]
fn an_interrupt_ends_the_match_in_order() {
    let tournament = Tournament::new();
    let file = tournament.home.join("match.jsonl");
    let child = tournament.start(&as_words(&arguments(&tournament, &file)));
    assert!(wait_until(|| games_in(&file) >= 2));
    send(&child, Signal::INT);
    let ran = end(child);
    tournament.assert_empty();
    assert_eq!(ran.status, Some(130), "{ran:?}");
    let expected = format!(
        "privy: interrupted: {} of {GAMES} games have been played; resume with privy match --resume ",
        games_in(&file)
    );
    assert!(ran.errors.contains(&expected) && table(&ran.output).contains("engine"), "{ran:?}");
    let whole = tournament.home.join("whole.jsonl");
    let uninterrupted = tournament.run(&as_words(&arguments(&tournament, &whole))).success();
    assert_eq!(
        table(&tournament.run(&["--trust", "--resume", file.to_str().unwrap()]).success()),
        table(&uninterrupted)
    );
}

/// Openings may come from a pipe. A match that waits for its other end can be interrupted.
#[test]
fn a_match_that_waits_for_its_openings_can_be_interrupted() {
    let tournament = Tournament::new();
    let pipe = tournament.home.join("openings");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let (one, other) = (tournament.privy("a"), tournament.privy("b"));
    let words = ["--engine", &one, "--engine", &other, "--nodes", "50", "--openings", pipe.to_str().unwrap()];
    let mut child = tournament.start(&words);
    // This waits until the match has opened the other end.
    let writer = fs::File::options().write(true).open(&pipe).unwrap();
    send(&child, Signal::INT);
    let id = child.id();
    assert!(wait_until(|| state(id) == Some('Z')));
    // Otherwise it would never end.
    let _ = child.kill();
    let ran = end(child);
    assert!(ran.status == Some(130) && ran.errors.contains("interrupted: no game has been played"), "{ran:?}");
    drop(writer);

    // With a writer the match is played.
    let begun = tournament.start(&[words.as_slice(), &["--games", "2"]].concat());
    fs::write(&pipe, "1/3/rrrrr/r3r/r1G1r/r3r/rrrrr g\n").unwrap();
    let ran = end(begun);
    assert!(ran.status == Some(0) && ran.output.contains("engine"), "{ran:?}");
}
