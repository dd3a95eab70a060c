//! `privy compliance`: this engine passes, and each fault fails the step made for it.
//!
//! A faulty engine is this one behind a script with one fault.

use std::sync::Mutex;
use std::thread;

use serde_json::Value;

use crate::support::binary;

use binary::{Home, PRIVY, Ran};

const SCRIPT: &str = "tests/support/faulty_engine.py";

/// Faults of the script, with the step that must find each.
const FAULTS: [(&str, &str); 78] = [
    ("banner", "start.silent"),
    ("nameless", "start.name"),
    ("minimal", "start.minimal-set"),
    ("lists-twice", "start.list-commands"),
    ("lists-too-much", "start.listed-commands-exist"),
    ("unsure", "start.known-command"),
    ("version-1", "start.protocol-version"),
    ("no-id", "framing.id"),
    ("no-id-of-failure", "framing.id-of-failure"),
    ("id-wraps", "framing.largest-id"),
    ("id-alone-ignored", "framing.id-alone"),
    ("twice", "framing.one-answer"),
    ("empty-line", "framing.no-empty-line"),
    ("one-at-a-time", "framing.ahead"),
    ("chunks", "framing.pieces"),
    ("carriage-return", "lines.carriage-return"),
    ("tab", "lines.spaces"),
    ("control", "lines.control-characters"),
    ("comment", "lines.comment"),
    ("blank", "lines.nothing"),
    ("any-case", "lines.case"),
    ("dies-of-bytes", "lines.encoding"),
    ("cuts-lines", "lines.too-long"),
    ("drops-last", "lines.last"),
    ("talkative", "errors.unknown-command"),
    ("own-words", "errors.variant"),
    ("half-applied", "errors.position"),
    ("illegal-accepted", "errors.play"),
    ("own-limits", "errors.go"),
    ("any-side", "errors.genmove"),
    ("undo-accepted", "errors.undo"),
    ("any-option", "errors.option"),
    ("clamps", "errors.option-range"),
    ("any-clock", "errors.clock"),
    ("any-size", "errors.boardsize"),
    ("wrong-variant", "state.variant"),
    ("board-stays", "state.clear-board"),
    ("drops-a-move", "state.position-moves"),
    ("unsorted", "state.position-moves"),
    ("no-flags", "state.position-fen"),
    ("wrong-fen", "state.fen-round-trip"),
    ("forgets", "state.play"),
    ("illegal-accepted", "state.illegal-moves"),
    ("one-form", "state.move-forms"),
    ("undo-one", "state.undo"),
    ("no-repetition", "state.repetition"),
    ("plays-on", "state.game-over"),
    ("illegal-bestmove", "search.bestmove"),
    ("two-bestmoves", "search.bestmove"),
    ("chats", "search.lines"),
    ("illegal-pv", "search.pv"),
    ("other-bestmove", "search.pv-of-best"),
    ("capitals", "search.canonical"),
    ("plays-bestmove", "search.does-not-play"),
    ("slow", "search.time"),
    ("no-bestmove", "search.depth"),
    ("slow", "search.clock"),
    ("never-answers-go", "search.no-limit"),
    ("any-searchmoves", "search.searchmoves"),
    ("out-of-turn", "search.in-turn"),
    ("deaf", "stop.running"),
    ("no-bestmove", "stop.at-once"),
    ("stop-says", "stop.nothing"),
    ("answers-interrupt", "stop.interrupt"),
    ("no-genmove-play", "genmove.plays"),
    ("short-sides", "genmove.sides"),
    ("plays-reg", "genmove.registers"),
    ("late-genmove", "clock.main-time"),
    ("own-time", "clock.time-left"),
    ("no-negative", "clock.forms"),
    ("no-fischer", "clock.kata"),
    ("illegal-analysis", "analysis.reports"),
    ("endless-analysis", "analysis.any-line"),
    ("quits-badly", "end.quit"),
    ("stays", "end.quit"),
    ("goes-on", "end.behind-quit"),
    ("lingers", "end.input"),
    ("drops-what-waits", "end.input-ahead"),
];

/// Faults that show during a search only.
const FAULTS_WHILE_SEARCHING: [(&str, &str); 3] =
    [("deaf", "stop.limited"), ("drops-what-waits", "end.input-searching"), ("deaf-to-quit", "end.quit-searching")];

/// Enough variants for a change of variant.
const VARIANTS: [&str; 4] = ["--variant", "sixteen-rebels", "--variant", "kings-gonu"];

/// Enough time for a sound engine on a busy machine.
const TIME: [&str; 4] = ["--patience", "120000", "--margin", "3000"];

fn examine(engine: &str, arguments: &[&str]) -> Ran {
    let spec = format!("cmd={engine}");
    Home::new().run(&[&["compliance", "--engine", &spec], arguments].concat())
}

/// The steps by the beginnings of their names: as many examinations at a time, since an examination mostly waits. Steps that measure time
/// are in one of them.
const GROUPS: [&[&str]; 3] =
    [&["start", "framing", "lines", "errors"], &["state"], &["search", "stop", "genmove", "clock", "analysis", "end"]];

/// Margins of the tries, in milliseconds: on a machine that is busy for a moment any engine is late, and gets more time. Clocks are as long as some of
/// them, and searched through.
const MARGINS: [&str; 4] = ["700", "3000", "6000", "12000"];

/// Examines an engine with all steps, which must pass; returns the reports in the order of the steps.
fn examine_fully(engine: &str, arguments: &[&str]) -> String {
    thread::scope(|scope| {
        let examinations = GROUPS.map(|names| {
            let steps = names.iter().flat_map(|name| ["--step", name]).chain(arguments.iter().copied());
            let steps: Vec<&str> = steps.chain(["--patience", "120000", "--margin"]).collect();
            scope.spawn(move || {
                let mut failures = Vec::new();
                for margin in MARGINS {
                    let ran = examine(engine, &[&steps[..], &[margin]].concat());
                    if ran.status == Some(0) {
                        return ran.success();
                    }
                    failures.push(ran);
                }
                panic!("{failures:?}")
            })
        });
        examinations.map(|examination| examination.join().unwrap()).concat()
    })
}

/// Without the site module, which costs as much as all else that Python does at its start.
fn faulty(fault: &str) -> String {
    format!("python3 -S {SCRIPT} {fault} {PRIVY} --tables off")
}

#[test]
fn this_engine_passes() {
    let output = examine_fully(&format!("{PRIVY} --tables off"), &[]);
    assert!(!output.contains("FAIL"), "{output}");
    for step in ["start.silent", "framing.ahead", "state.undo", "search.pv", "clock.kata", "end.quit-searching"] {
        assert!(output.contains(&format!("ok    {step} ")), "{step}: {output}");
    }
    assert!(output.lines().last().unwrap().starts_with("Privy: "), "{output}");
}

#[test]
fn a_game_of_the_user_is_named_by_its_file() {
    let variants = ["--variant", "protocol/transcripts/three-rows.toml", "--variant", "kings-gonu"];
    let arguments = [&variants[..], &["--step", "state", "--step", "search.bestmove"], &TIME].concat();
    // An engine in another folder finds it, too.
    let output = examine(&format!("{PRIVY} --tables off,dir=/"), &arguments).success();
    assert!(output.contains("ok    state.variant ") && output.contains("ok    state.undo "), "{output}");
}

/// A game whose opening is over can be examined beside others alone.
#[test]
fn a_game_that_is_over_is_no_game_to_play() {
    let over = ["--variant", "twenty-six-murray"];
    let arguments = [&over[..], &["--variant", "kings-gonu", "--step", "errors", "--step", "genmove"], &TIME].concat();
    examine(&format!("{PRIVY} --tables off"), &arguments).success();
    let refused = examine(PRIVY, &over).failure(2);
    let expected = "privy: --variant: the opening of twenty-six-murray is over; expected a game that can be played\n";
    assert_eq!(refused, expected);
}

#[test]
fn the_script_without_a_fault_passes() {
    let output = examine_fully(&faulty("none"), &VARIANTS);
    // It has all commands.
    assert!(!output.contains("FAIL") && !output.contains("skip  "), "{output}");
}

#[test]
fn the_example_for_engine_authors_passes() {
    let engine = concat!("python3 ", env!("CARGO_MANIFEST_DIR"), "/protocol/examples/weak_engine.py");
    examine_fully(engine, &["--variant", "sixteen-rebels"]);
}

#[test]
fn engines_with_the_fewest_commands_pass() {
    thread::scope(|scope| {
        for (commands, skipped) in [("minimal-position", "state.play"), ("minimal-genmove", "search.bestmove")] {
            scope.spawn(move || {
                let output = examine(&faulty(commands), &[VARIANTS, TIME].concat()).success();
                assert!(output.contains(&format!("skip  {skipped}")), "{output}");
            });
        }
    });
}

/// What ENGINE_AUTHORS.md lets an engine do with limits: ignore those that it does not understand, or refuse all but `time`.
#[test]
fn an_engine_may_ignore_limits_or_refuse_them() {
    let lenient = ["--step", "errors.go", "--step", "search.depth"];
    let strict = [
        "errors.go",
        "search.lines",
        "search.time",
        "search.depth",
        "search.clock",
        "search.searchmoves",
        "stop",
        "end",
    ];
    let strict = strict.map(|step| ["--step", step]).concat();
    thread::scope(|scope| {
        for (fault, steps) in [("lenient", &lenient[..]), ("strict", &strict)] {
            scope.spawn(move || examine(&faulty(fault), &[steps, &VARIANTS, &TIME].concat()).success());
        }
    });
}

/// Runs one step on a faulty engine and returns its report. Faults of time are as long as the margin allows. An engine that does not end is searching
/// for all of the patience; where that was too short for the start beside seven others, there is more.
fn found(fault: &str, step: &str) -> Value {
    let examine = |patience| {
        let steps = ["--json", "--step", step, "--margin", "500", "--patience", patience];
        examine(&faulty(fault), &[&steps[..], &VARIANTS].concat())
    };
    let is_found = |ran: &Ran| ran.errors.ends_with(&format!(": {step}\n"));
    let ran = Some(examine("3000")).filter(is_found).unwrap_or_else(|| examine("15000"));
    assert_eq!(ran.status, Some(1), "{fault} is not found by {step}: {ran:?}");
    assert!(ran.errors.starts_with("privy: not sound: "), "{ran:?}");
    let report: Value = serde_json::from_str(&ran.output).unwrap();
    let steps = report["steps"].as_array().unwrap();
    let found = steps.iter().find(|entry| entry["step"] == step).unwrap_or_else(|| panic!("{fault}, {step}: {report}"));
    assert_eq!(found["verdict"], "failed", "{fault}, {step}: {report}");
    for part in ["came", "expected"] {
        assert!(!found[part].as_str().unwrap().is_empty(), "{fault}, {step}: {report}");
    }
    found.clone()
}

fn all_are_found(faults: &[(&str, &str)]) {
    let left = Mutex::new(faults.iter());
    let next = || left.lock().unwrap().next();
    thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                while let Some((fault, step)) = next() {
                    found(fault, step);
                }
            });
        }
    });
}

#[test]
fn every_fault_is_found_by_its_step() {
    all_are_found(&FAULTS);
}

#[test]
fn faults_during_a_search_are_found_by_their_steps() {
    all_are_found(&FAULTS_WHILE_SEARCHING);
}

/// Each step has an engine that fails it.
#[test]
fn every_step_has_a_fault() {
    let list = Home::new().run(&["compliance", "--list"]).success();
    let names: Vec<&str> = list.lines().map(|line| line.split(' ').next().unwrap()).collect();
    assert!(names.len() >= 40);
    for name in names {
        let known = FAULTS.iter().chain(&FAULTS_WHILE_SEARCHING).any(|(_, step)| *step == name);
        // Every engine that does not answer fails this step.
        assert!(known || name == "start.answers", "{name}");
    }
}

/// The table of the document lists the steps.
#[test]
fn every_step_is_documented() {
    let document = include_str!("../../docs/COMPLIANCE.md");
    let table: Vec<&str> = document.lines().filter(|line| line.starts_with("| `") && line.contains(".")).collect();
    let list = Home::new().run(&["compliance", "--list"]).success();
    let steps = list.lines().map(|line| line.split_once(' ').unwrap());
    let rows: Vec<String> = steps.map(|(name, title)| format!("| `{name}` | {} |", title.trim())).collect();
    let documented: Vec<&str> = table.into_iter().filter(|row| !row.starts_with("| `--")).collect();
    assert_eq!(documented, rows);
}

#[test]
fn a_failure_shows_the_lines_sent_the_answer_and_the_expectation() {
    let failure = found("no-id", "framing.id");
    assert_eq!(failure["sent"], serde_json::json!(["name", "17 name"]));
    assert_eq!(failure["came"], "= Privy");
    assert_eq!(failure["expected"], "an answer that begins with =17 or ?17, and a space");
    let ran = examine(&faulty("no-id"), &["--step", "framing.id"]);
    assert_eq!(
        ran.output,
        "FAIL  framing.id                  repeats the id of a command, and answers without one where none was given\n\
         \x20     sent      name\n\
         \x20               17 name\n\
         \x20     came      = Privy\n\
         \x20     expected  an answer that begins with =17 or ?17, and a space\n\
         Privy: 1 steps, 0 passed, 1 failed, 0 skipped\n"
    );
    assert_eq!(ran.errors, "privy: not sound: framing.id\n");
}

#[test]
fn engines_without_output_fail() {
    for (engine, came) in [
        ("true", "the process has ended: exit status: 0"),
        ("sleep 30", "nothing within 300 ms"),
        ("echo hello", "bad framing: expected = or ? and an answer, found \"hello\""),
    ] {
        let ran = examine(engine, &["--patience", "300"]);
        assert_eq!(ran.status, Some(1), "{ran:?}");
        assert!(ran.output.starts_with("FAIL  start.answers") && ran.output.contains(came), "{ran:?}");
    }
    let complaint = examine("/no/such/engine", &[]).failure(1);
    assert!(complaint.contains("cannot start \"/no/such/engine\""), "{complaint}");
}

#[test]
fn the_command_line_is_checked() {
    let complaint = examine(PRIVY, &["--step", "framing.nothing-such"]).failure(2);
    assert!(complaint.contains("no step is named"), "{complaint}");
    let complaint = Home::new().run(&["compliance", "--engine", "privy"]).failure(2);
    assert!(complaint.contains("expected KEY=VALUE"), "{complaint}");
}
