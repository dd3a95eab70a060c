//! `privy compliance`: this engine passes, and each fault fails the step made for it.
//!
//! The faulty engines run in threads of this program. `src/testing/processes.rs` has them as processes.

use privy_testing::examination::FaultyEngines;
use privy_testing::faulty::{faults, in_thread};
use serde_json::Value;

use crate::support::{binary, snapshot};

use binary::{Home, PRIVY, Ran};

const IN_THREADS: FaultyEngines = FaultyEngines { program: "faulty-engine", launch: in_thread };

/// Enough time for a sound engine on a busy machine.
const TIME: [&str; 4] = ["--patience", "120000", "--margin", "20000"];

/// Enough variants for a change of variant. The engine solves the first one in a moment: however long a clock is, no
/// search works for long.
const VARIANTS: [&str; 4] = ["--variant", "hare-and-hounds", "--variant", "kings-gonu"];

fn examine(engine: &str, arguments: &[&str]) -> Ran {
    let spec = format!("cmd={engine}");
    Home::new().run(&[&["compliance", "--engine", &spec], arguments].concat())
}

#[test]
fn this_engine_passes() {
    let output =
        examine(&format!("{PRIVY} --tables off --variant hare-and-hounds"), &[VARIANTS, TIME].concat()).success();
    assert!(!output.contains("FAIL") && !output.contains("skip  "), "{output}");
    for step in ["start.silent", "framing.ahead", "state.undo", "search.pv", "clock.forms", "end.quit-searching"] {
        assert!(output.contains(&format!("ok    {step} ")), "{step}: {output}");
    }
    assert!(output.lines().last().unwrap().starts_with("Privy: "), "{output}");
}

/// Clocks are searched through, each as long as three margins.
#[test]
#[ignore = "release: all variants and full clocks, a minute"]
fn this_engine_passes_in_every_variant() {
    let output = examine(&format!("{PRIVY} --tables off"), &["--patience", "120000", "--margin", "6000"]).success();
    assert!(!output.contains("FAIL") && !output.contains("skip  "), "{output}");
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
fn an_engine_without_a_fault_passes() {
    // It has all commands.
    assert!(IN_THREADS.pass("none", &[]).is_empty());
}

const EXAMPLE: &str = concat!("python3 ", env!("CARGO_MANIFEST_DIR"), "/protocol/examples/weak_engine.py");

/// Steps of each group. Each starts Python, which is most of the work.
#[test]
fn the_example_for_engine_authors_passes() {
    let steps = "start.minimal-set framing.largest-id lines.encoding lines.last errors.position errors.play errors.go \
                 state.play state.position-fen state.game-over search.bestmove search.searchmoves stop.nothing \
                 genmove.plays genmove.sides end";
    let steps = steps.split_ascii_whitespace().flat_map(|step| ["--step", step]);
    let steps: Vec<&str> = steps.chain(["--variant", "sixteen-rebels"]).chain(TIME).collect();
    examine(EXAMPLE, &steps).success();
}

#[test]
#[ignore = "release: eighty processes of Python"]
fn the_example_for_engine_authors_passes_every_step() {
    examine(EXAMPLE, &[&["--variant", "sixteen-rebels"][..], &TIME].concat()).success();
}

#[test]
fn engines_with_the_fewest_commands_pass() {
    for (commands, skipped) in [("minimal-position", "state.play"), ("minimal-genmove", "search.bestmove")] {
        assert!(IN_THREADS.pass(commands, &[]).contains(&skipped), "{commands}");
    }
}

/// What ENGINE_AUTHORS.md lets an engine do with limits: ignore those that it does not understand, or refuse all but
/// `time`.
#[test]
fn an_engine_may_ignore_limits_or_refuse_them() {
    IN_THREADS.pass("lenient", &["errors.go", "search.depth"]);
    let strict = ["errors.go", "search.lines", "search.time", "search.depth", "search.clock", "search.searchmoves"];
    IN_THREADS.pass("strict", &[&strict[..], &["stop", "end"]].concat());
}

#[test]
fn every_fault_is_found_by_its_step() {
    // A session in a thread has no exit status.
    let chosen: Vec<_> = faults().filter(|(fault, _)| *fault != "quits-badly").collect();
    assert!(chosen.len() >= 80);
    IN_THREADS.are_found(&chosen);
}

/// Each step has an engine that fails it.
#[test]
fn every_step_has_a_fault() {
    let list = Home::new().run(&["compliance", "--list"]).success();
    let names: Vec<&str> = list.lines().map(|line| line.split(' ').next().unwrap()).collect();
    assert!(names.len() >= 40);
    for name in names {
        assert!(faults().any(|(_, step)| step == name), "{name}");
    }
}

#[test]
fn pages_have_what_the_steps_say() {
    let list = Home::new().run(&["compliance", "--list"]).success();
    let mut items: Vec<String> = Vec::new();
    for (step, title) in list.lines().map(|line| line.split_once(' ').unwrap()) {
        let (group, name) = step.split_once('.').unwrap();
        let begin = format!("- **`{group}`**: ");
        match items.last_mut().filter(|item| item.starts_with(&begin)) {
            Some(item) => *item += &format!("; `{name}` {}", title.trim()),
            None => items.push(format!("{begin}`{name}` {}", title.trim())),
        }
    }
    let items: String =
        items.iter().map(|item| snapshot::wrapped(&format!("{item}.")).replace('\n', "\n  ") + "\n").collect();
    snapshot::check_part("docs/ENGINE_AUTHORS.md", "steps", &items);
}

/// This engine without the ids of its answers.
const WITHOUT_IDS: &str = concat!("sh -c '", env!("CARGO_BIN_EXE_privy"), " --tables off | sed -u s/^=17/=/'");

#[test]
fn a_failure_shows_the_lines_sent_the_answer_and_the_expectation() {
    let ran = examine(WITHOUT_IDS, &["--json", "--step", "framing.id"]);
    assert_eq!(ran.status, Some(1), "{ran:?}");
    let report: Value = serde_json::from_str(&ran.output).unwrap();
    let failure = &report["steps"][0];
    assert_eq!(failure["step"], "framing.id");
    assert_eq!(failure["verdict"], "failed");
    assert_eq!(failure["sent"], serde_json::json!(["name", "17 name"]));
    assert_eq!(failure["came"], "= Privy");
    assert_eq!(failure["expected"], "an answer that begins with =17 or ?17, and a space");
    let ran = examine(WITHOUT_IDS, &["--step", "framing.id"]);
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
    for (engine, patience, came) in [
        ("true", "10000", "the process has ended: exit status: 0"),
        ("sleep 30", "300", "nothing within 300 ms"),
        ("sh -c 'exec >&-; sleep 30'", "10000", "the output is closed, and the process still runs"),
        ("echo hello", "10000", "bad framing: expected = or ? and an answer, found \"hello\""),
    ] {
        let ran = examine(engine, &["--patience", patience]);
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
