//! Distributed proofs: searches by worker processes, and by files of jobs and results, give the proof of one thread.
#![cfg(unix)]

use std::collections::HashSet;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::Stdio;

use rustix::process::Signal;

use crate::support::binary::{self, Home, PRIVY, Ran, SMALL_VARIANT};
use crate::support::matches::{Tournament, send, wait_until};

/// Five searches, each with a win.
const MURRAY: [&str; 4] = ["prove", "sixteen-rebels-murray", "--nodes", "2000"];

/// Some hundred searches, a quarter of them with a win.
const THREE_ROWS: [&str; 4] = ["prove", SMALL_VARIANT, "--nodes", "1000"];

/// A correct worker for built-in variants.
fn honest() -> String {
    format!("{PRIVY} go --batch")
}

/// A correct worker for variants from a file.
fn honest_for_three_rows() -> String {
    format!("{PRIVY} go {}/{SMALL_VARIANT} --batch", env!("CARGO_MANIFEST_DIR"))
}

/// A worker that is a shell script.
fn script(text: &str) -> String {
    assert!(!text.contains('\''));
    format!("sh -c '{text}'")
}

/// A folder for proofs.
struct Place(Tournament);

impl Place {
    fn new() -> Place {
        Place(Tournament::new())
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.home.join(name)
    }

    fn file(&self, name: &str) -> String {
        self.path(name).to_str().unwrap().to_owned()
    }

    /// A worker whose processes work in the folder of the engines, which identifies them.
    fn inside(&self, command: &str) -> String {
        format!("sh -c 'cd \"{}\"; {command}'", self.file("engines"))
    }

    fn words(&self, what: &[&str], proof: &str, more: &[&str]) -> Vec<String> {
        let output = self.file(proof);
        [what, &["--output", &output], more].concat().iter().map(|word| (*word).to_owned()).collect()
    }

    /// Proves a position and keeps the proof under a name. A proof is checked. No worker may remain.
    #[track_caller]
    fn prove(&self, what: &[&str], proof: &str, more: &[&str]) -> Ran {
        let words = self.words(what, proof, more);
        let ran = self.0.home.run(&words.iter().map(String::as_str).collect::<Vec<_>>());
        self.0.assert_empty();
        if ran.status == Some(0) && self.path(proof).exists() {
            let variant = ["--variant", what[1]];
            let named: &[&str] = if what[1].ends_with(".toml") { &variant } else { &[] };
            let checked = self.0.home.run(&[&["check-proof", &*self.file(proof)], named].concat()).success();
            assert!(checked.contains(": sound: "), "{checked}");
        }
        ran
    }

    fn proof(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }

    /// Answers of a batch to these lines.
    fn batch(&self, arguments: &[&str], input: &str) -> Ran {
        let words = [&["go"], arguments, &["--batch"]].concat();
        binary::run_with_input(&mut self.0.home.privy(), &words, input)
    }
}

#[test]
fn one_worker_gives_the_proof_of_one_thread() {
    let place = Place::new();
    place.prove(&THREE_ROWS, "thread", &["--threads", "1"]).success();
    place.prove(&THREE_ROWS, "worker", &["--worker", &honest_for_three_rows()]).success();
    assert_eq!(place.proof("worker"), place.proof("thread"));
    let hold = ["--for", "draw-for-rebels"];
    place.prove(&THREE_ROWS, "thread", &[&hold[..], &["--threads", "1"]].concat()).success();
    place.prove(&THREE_ROWS, "worker", &[&hold[..], &["--worker", &honest_for_three_rows()]].concat()).success();
    assert_eq!(place.proof("worker"), place.proof("thread"));
}

#[test]
fn several_workers_give_a_sound_proof_and_end_with_it() {
    let place = Place::new();
    let worker = place.inside(&format!("exec {}", honest_for_three_rows()));
    place.prove(&THREE_ROWS, "proof", &["--worker", &worker, "--worker", &worker, "--worker", &worker]).success();
    assert!(place.path("proof").exists());
}

#[test]
fn workers_end_with_a_proof_that_is_killed_or_interrupted() {
    // An interrupt ends searches. A worker whose prover was killed finishes its search, which is short here.
    for (signal, nodes) in [(Signal::INT, "10000000000"), (Signal::KILL, "10000")] {
        let place = Place::new();
        let worker = place.inside(&format!("exec {}", honest()));
        let what = ["prove", "monk-and-water", "--for", "general", "--nodes", nodes, "--store", &place.file("store")];
        let words = place.words(&what, "proof", &["--worker", &worker, "--worker", &worker]);
        let mut child = place.0.home.privy().args(&words).stdin(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
        wait_until(|| place.0.processes().len() == 2);
        send(&child, signal);
        let status = child.wait().unwrap();
        assert!(signal == Signal::KILL || status.code() == Some(130), "{status}");
        place.0.assert_empty();
    }
}

/// Faulty workers, with a part of the message about each.
fn bad_workers() -> Vec<(String, &'static str)> {
    let honest = honest();
    vec![
        ("no-such-program --at all".to_owned(), "cannot start \"no-such-program\""),
        (script("exit 3"), "it ended (exit status: 3)"),
        (script("echo no key >&2; exit 255"), "its last words: no key"),
        (script("read job; exit 0"), "it ended (exit status: 0)"),
        (script("read job; kill -9 $$"), "it ended (signal: 9"),
        ("cat".to_owned(), "expected a result of the job"),
        ("yes".to_owned(), "found \"y\""),
        (script("while read job; do echo; done"), "found \"\""),
        (script("while read job; do echo error: I have had enough; done"), "found \"error: I have had enough\""),
        (script("while read job; do printf \"\\033[2J\\n\"; done"), "expected a result"),
        (script("while read job; do printf \"\\377\\n\"; done"), "expected UTF-8"),
        (script("while read job; do echo \"$job -> a1-a1 fails\"; done"), "a1-a1 fails"),
        ("cat /dev/zero".to_owned(), "larger than"),
        // False wins, and the result of another job.
        (script("HONEST | sed -u s/wins.*/wins\\ 1/").replace("HONEST", &honest), "finds no such win here: "),
        (script("HONEST | sed -u s/nodes.2000/nodes\\ 1999/").replace("HONEST", &honest), "nodes 1999"),
    ]
}

#[test]
fn a_failing_worker_is_dropped_and_another_does_its_job() {
    for (worker, words) in bad_workers() {
        let place = Place::new();
        let store = place.file("store");
        let ran = place.prove(&MURRAY, "alone", &["--store", &store, "--worker", &worker]);
        let message = ran.failure(1);
        assert!(message.contains("is let go, 0 left: ") && message.contains(words), "{worker}: {message}");
        assert!(message.contains("not proved: no worker is left: "), "{worker}: {message}");
        assert!(message.contains("the same command goes on from here"), "{worker}: {message}");
        assert!(
            !message.contains('\u{1b}') && message.lines().all(|line| line.chars().count() < 2_000),
            "{worker}: {message}"
        );
        assert!(!place.path("alone").exists());
        // Results of a faulty worker do no harm.
        let ran = place.prove(&MURRAY, "proof", &["--store", &store, "--worker", &worker, "--worker", &honest()]);
        assert_eq!(ran.status, Some(0), "{worker}: {ran:?}");
        assert!(place.path("proof").exists(), "{worker}");
    }
}

#[test]
fn a_hanging_worker_is_killed_with_its_processes() {
    let place = Place::new();
    let hangs = place.inside("sleep 1000 & while read job; do sleep 1000; done");
    let ran = place.prove(&MURRAY, "proof", &["--worker", &hangs, "--patience", "300"]);
    assert!(ran.failure(1).contains("no worker is left: no answer within 300 ms"));
    // A proof that other workers have finished does not wait for a silent one.
    let deaf = place.inside("sleep 1000");
    let words = ["--worker", &honest(), "--worker", &deaf, "--plies", "3"];
    let hopeless = place.prove(&MURRAY, "proof", &words).failure(1);
    assert!(hopeless.contains("no line of the engine's moves wins"), "{hopeless}");
}

#[test]
fn a_batch_answers_each_line_at_once_and_in_order() {
    let place = Place::new();
    let store = place.file("store");
    let jobs = place.file("jobs");
    place.prove(&MURRAY, "proof", &["--store", &store, "--export-jobs", &jobs]).success();
    let jobs = fs::read_to_string(jobs).unwrap();
    let [first, second, ..] = jobs.lines().collect::<Vec<_>>()[..] else { panic!("{jobs}") };
    let mut child = place.0.home.privy();
    let mut child = child.args(["go", "--batch"]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    let mut output = BufReader::new(child.stdout.take().unwrap()).lines();
    let mut ask = |line: &str| {
        writeln!(input, "{line}").unwrap();
        output.next().unwrap().unwrap()
    };
    let answer = ask(first);
    assert!(answer.starts_with(&format!("{first} -> ")), "{answer}");
    assert!(ask(second).starts_with(&format!("{second} -> ")));
    assert_eq!(ask(first), answer, "a result depends on its job alone");
    let wrong = |line: &str, from: &str, to: &str| {
        assert!(line.contains(from), "{line}");
        line.replacen(from, to, 1)
    };
    let mut number = 3;
    let mut refused = |line: String, words: &str| {
        number += 1;
        let message = ask(&line);
        assert!(message.starts_with(&format!("error: line {number}: ")) && message.contains(words), "{message}");
    };
    refused("hello".to_owned(), "job: expected judge, found \"hello\"");
    refused("\u{1b}[2J".to_owned(), "expected judge");
    refused("x".repeat(70_000), "at most 65536 bytes");
    refused(wrong(first, "nodes 2000", "nodes 0"), "nodes: expected a number from 1");
    refused(wrong(first, "hash 64", "hash 0"), "hash: expected MiB from 1");
    refused(wrong(first, "-murray ", "-murray 0"), "fingerprint: expected ");
    refused(wrong(first, "sixteen-rebels-murray", "no-game"), "unknown variant: \"no-game\"");
    refused(wrong(first, "rrrrr", "rrrr"), "illegal position: ");
    refused(format!("{first} without a1-a1"), "illegal move: a1-a1: ");
    refused(format!("{first} without"), "move: expected a move");
    assert_eq!(ask(first), answer, "the batch goes on");
    drop(input);
    assert!(output.next().is_none());
    assert!(child.wait().unwrap().success());
    // Jobs from a file, and from `-`.
    fs::write(place.path("one"), format!("# a comment\n\n{first}")).unwrap();
    let from_file = place.0.home.run(&["go", "--batch", &place.file("one")]).success();
    assert_eq!(from_file, format!("{answer}\n"));
    assert!(place.0.home.run(&["go", "--batch", "/dev/zero"]).failure(1).contains("expected a file"));
    assert!(place.0.home.run(&["go", "--batch", "--nodes", "9"]).failure(2).contains("cannot be used with"));
    assert!(place.0.home.run(&["go"]).failure(2).contains("VARIANT"));
}

/// Exports jobs, does them and imports the results until no job remains. Returns the number of rounds.
fn prove_by_files(place: &Place, what: &[&str], batch: &[&str], jobs_at_a_time: &str) -> usize {
    let (store, jobs) = (place.file("store"), place.file("jobs"));
    for round in 0.. {
        let export = ["--store", &store, "--export-jobs", &jobs, "--jobs", jobs_at_a_time];
        place.prove(what, "by-files", &export).success();
        let text = fs::read_to_string(&jobs).unwrap();
        if text.is_empty() {
            return round;
        }
        let lines: Vec<&str> = text.lines().collect();
        assert!(lines.len() <= jobs_at_a_time.parse().unwrap());
        assert_eq!(lines.iter().collect::<HashSet<_>>().len(), lines.len());
        // Two halves, as on two machines.
        let mut results = Vec::new();
        for (at, half) in lines.chunks(lines.len().div_ceil(2)).enumerate() {
            let result = place.path(&format!("result-{at}"));
            fs::write(&result, place.batch(batch, &half.join("\n")).success()).unwrap();
            results.push(result.to_str().unwrap().to_owned());
        }
        let results: Vec<&str> = results.iter().map(String::as_str).collect();
        let import = [what, &["--store", &store, "--import"], &results].concat();
        let message = place.0.home.run(&import).success();
        assert!(message.ends_with(&format!(": {} results taken, 0 known already\n", lines.len())), "{message}");
        let again = place.0.home.run(&import).success();
        assert!(again.ends_with(&format!(": 0 results taken, {} known already\n", lines.len())), "{again}");
    }
    unreachable!("the loop ends with a proof")
}

/// Whatever the number of jobs in a round, the final store also holds what one thread needs.
#[test]
fn rounds_of_exported_jobs_give_the_proof_of_one_thread() {
    let hold = [&THREE_ROWS[..], &["--for", "draw-for-rebels"]].concat();
    let in_small_steps: (&[&str], &[&str], &str) = (&MURRAY, &[], "1");
    let others = [(&MURRAY[..], &[][..], "2"), (&THREE_ROWS, &[SMALL_VARIANT], "1000"), (&hold, &[SMALL_VARIANT], "7")];
    for (what, batch, jobs_at_a_time) in [&[in_small_steps], &others[..]].concat() {
        let place = Place::new();
        assert!(prove_by_files(&place, what, batch, jobs_at_a_time) > 1);
        place.prove(what, "thread", &["--threads", "1"]).success();
        assert_eq!(place.proof("by-files"), place.proof("thread"), "{what:?}");
    }
}

/// The content of a store: it determines the next jobs.
fn next_jobs(place: &Place, store: &str) -> String {
    let jobs = place.file("next");
    place.prove(&MURRAY, "proof", &["--store", store, "--export-jobs", &jobs]).success();
    fs::read_to_string(jobs).unwrap()
}

#[test]
fn wrong_results_are_refused_and_change_nothing() {
    let place = Place::new();
    let store = place.file("store");
    let jobs = next_jobs(&place, &store);
    let results = place.batch(&[], &jobs).success();
    let lines: Vec<&str> = results.lines().collect();
    assert_eq!(lines.len(), jobs.lines().count());
    let file = place.file("results");
    let import = [&MURRAY[..], &["--store", &store, "--import", &file]].concat();
    let refused = |text: &str, words: &str| {
        fs::write(&file, text).unwrap();
        let before = fs::read(&store).unwrap();
        let message = place.0.home.run(&import).failure(1);
        assert!(message.contains(words), "{message}");
        assert_eq!(fs::read(&store).unwrap(), before, "{words}");
    };
    let last = lines.last().unwrap();
    let with_last = |line: &str| results.replace(last, line);
    let place_of_last = |words: &str| format!("cannot load file: {file}: line {}: {words}", lines.len());
    let (job, judgement) = last.split_once(" -> ").unwrap();
    let move_ = judgement.split(' ').next().unwrap();
    refused(&with_last("error: line 3: job: expected judge"), &place_of_last("job: expected judge, found \"error:\""));
    refused(&with_last(job), &place_of_last("result: expected ->, found the end of the line"));
    refused(&with_last(&format!("{last} {last}")), &place_of_last("line: expected its end, found \"judge\""));
    refused(&with_last(&format!("{job} -> a1-a1 fails")), &place_of_last("illegal move: a1-a1: "));
    refused(
        &with_last(&format!("{job} -> {move_} wins 1")),
        &place_of_last("verdict: expected a win that the same search"),
    );
    refused(&with_last(&last.replace("sixteen-rebels-murray", "monk-and-water")), &place_of_last("variant: expected "));
    refused(&with_last(&last.replace("-murray ", "-murray 0")), &place_of_last("fingerprint: expected "));
    refused(&with_last(&last.replace(" r - ", " r a9 ")), &place_of_last("illegal position: flags"));
    // A result for the second-best move depends on one for the best move, which is missing.
    let open = format!("{job} without {move_}");
    let second = place.batch(&[], &open).success();
    fs::write(&file, format!("{results}{second}").replace(last, "")).unwrap();
    let message = place.0.home.run(&import).failure(1);
    let words = "without: expected the moves that the store has judgements of, found others";
    assert!(message.contains(&format!("line {}: {words}", lines.len() + 1)), "{message}");
    // All results were refused, the correct ones too.
    assert_eq!(next_jobs(&place, &store), jobs);
    // In any order, with a comment and a file without results. Then all are imported.
    fs::write(&file, format!("# two of one position\n{second}\n{results}")).unwrap();
    fs::write(place.path("empty"), "").unwrap();
    let message = place.0.home.run(&[&import[..], &[&place.file("empty")]].concat()).success();
    assert!(message.contains(&format!(": {} results taken, 0 known already", lines.len() + 1)), "{message}");
    assert_ne!(next_jobs(&place, &store), jobs);
    let missing = [&MURRAY[..], &["--store", &store, "--import", "/no such file"]].concat();
    assert!(place.0.home.run(&missing).failure(1).contains("/no such file: "));
    let no_store = [&MURRAY[..], &["--import", &file]].concat();
    assert!(place.0.home.run(&no_store).failure(2).contains("--store"));
}

#[test]
fn wrong_arguments_are_named() {
    let home = Home::new();
    let path = |name: &str| home.join(name).to_str().unwrap().to_owned();
    let (store, jobs) = (path("store"), path("jobs"));
    let draw = ["prove", SMALL_VARIANT, "--for", "draw", "--store", &store, "--export-jobs", &jobs];
    assert!(home.run(&draw).failure(2).contains("--export-jobs: a draw takes two proofs"));
    let folder = path("");
    let export = ["prove", SMALL_VARIANT, "--store", &store, "--output", &path("proof"), "--export-jobs", &folder];
    assert!(home.run(&export).failure(1).contains("cannot save file: "));
    assert!(!Path::new(&jobs).exists());
    let words = ["prove", SMALL_VARIANT, "--worker", "x 'y"];
    assert!(home.run(&words).failure(2).contains("a quotation mark is not closed"));
    assert!(home.run(&["prove", SMALL_VARIANT, "--worker", " "]).failure(2).contains("expected a program"));
}
