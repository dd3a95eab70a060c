//! Concurrent processes at the same task in the same folder, some of them killed or interrupted: no work is lost, no
//! incomplete file has the final name, and the same command completes the task. `PRIVY_RIVALS` is the total number of
//! processes.
#![cfg(unix)]

use std::fs;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::Duration;

use rustix::process::Signal;

use crate::support::binary::{Home, Ran, SMALL_VARIANT, words};
use crate::support::matches::{Tournament, games_in, repeatable, send, table};
use crate::support::random::Random;
use privy_testing::settings;

/// Concurrent processes.
const AT_A_TIME: usize = 4;

/// A task that makes a file.
struct Work {
    tournament: Tournament,
    folder: PathBuf,
    /// The command that begins, and the one that resumes from the file.
    begin: Vec<String>,
    go_on: Vec<String>,
    /// The prefix of the name of the file.
    file: &'static str,
}

impl Work {
    /// A task in its own folder.
    fn new(kind: &str) -> Work {
        let tournament = Tournament::new();
        let folder = tournament.home.join("files");
        fs::create_dir_all(&folder).unwrap();
        let file = |name: &str| folder.join(name).to_str().unwrap().to_owned();
        let (begin, go_on, name) = match kind {
            "solve" => {
                let solve = words(&["solve", SMALL_VARIANT, "--threads", "1", "--tables", &file("")]);
                (solve.clone(), solve, "three-rows")
            }
            "prove" => {
                let prove = ["prove", "sixteen-rebels-neeley", "--threads", "1", "--nodes", "1000"];
                let places = ["--output", &file("neeley.proof")];
                let prove = [words(&prove), words(&places)].concat();
                (prove.clone(), prove, "neeley.proof")
            }
            "match" => {
                let play = ["match", "--tables", "off", "--nodes", "50", "--games", "4", "--move-limit", "20"];
                let engines = [tournament.privy("a"), tournament.privy("b") + ",option.seed=5"];
                let places = ["--engine", &engines[0], "--engine", &engines[1], "--file", &file("match.jsonl")];
                let resume = ["match", "--tables", "off", "--trust", "--resume", &file("match.jsonl")];
                ([words(&play), words(&places)].concat(), words(&resume), "match.jsonl")
            }
            other => unreachable!("{other}"),
        };
        Work { tournament, folder, begin, go_on, file: name }
    }

    fn home(&self) -> &Home {
        &self.tournament.home
    }

    /// The file under its final name.
    fn found(&self) -> Option<PathBuf> {
        let is_final = |path: &PathBuf| {
            let name = path.file_name().unwrap().to_str().unwrap();
            let is_beside = name.contains(".privy.") || [".lock", ".unfinished"].iter().any(|end| name.ends_with(end));
            name.starts_with(self.file) && !is_beside
        };
        fs::read_dir(&self.folder).unwrap().map(|entry| entry.unwrap().path()).find(is_final)
    }

    fn command(&self) -> Command {
        let goes_on = self.found().is_some_and(|file| fs::metadata(file).is_ok_and(|file| file.len() > 0));
        let mut command = self.home().privy();
        command.args(if goes_on { &self.go_on } else { &self.begin });
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    /// The reproducible part of the file: all of it, or of a match the moves, and the table that it prints.
    fn result(&self, output: &str) -> Vec<u8> {
        let file = self.found().unwrap();
        match self.file {
            "match.jsonl" => format!("{:#?}\n{}", repeatable(&file), table(output)).into_bytes(),
            _ => fs::read(file).unwrap(),
        }
    }
}

/// A file under its final name is complete. A match file has complete lines, except the last.
fn check_file(work: &Work, expected: &[u8]) {
    let Some(content) = work.found().and_then(|file| fs::read(file).ok()) else { return };
    if work.file == "match.jsonl" {
        let lines = content.split_inclusive(|byte| *byte == b'\n').filter(|line| line.ends_with(b"\n"));
        lines.for_each(|line| assert!(serde_json::from_slice::<serde_json::Value>(line).is_ok(), "{line:?}"));
    } else {
        assert!(content == expected, "a file of {} bytes instead of {}", content.len(), expected.len());
    }
}

/// Starts processes, disturbs some of them and checks the end. Returns the numbers of processes and of those that
/// completed the task.
fn compete(kind: &str, expected: &[u8], random: &mut Random) -> (usize, usize) {
    let work = Work::new(kind);
    let mut rivals: Vec<(Child, Option<Signal>)> = Vec::new();
    for _ in 0..AT_A_TIME {
        rivals.push((work.command().spawn().unwrap(), None));
        thread::sleep(Duration::from_micros(random.below(20_000) as u64));
        check_file(&work, expected);
        if random.one_in(2) {
            let at = random.below(rivals.len());
            let (rival, hurt) = &mut rivals[at];
            let signal = if random.one_in(2) { Signal::KILL } else { Signal::INT };
            if hurt.is_none() && rival.try_wait().unwrap().is_none() {
                send(rival, signal);
                *hurt = Some(signal);
            }
        }
    }
    let mut done = 0;
    for (rival, hurt) in rivals {
        let ran = Ran::from(rival.wait_with_output().unwrap());
        check_file(&work, expected);
        match (ran.status, hurt) {
            (Some(0), _) => done += 1,
            (None, Some(Signal::KILL)) | (Some(130), Some(Signal::INT)) => {}
            // The signal came before the program handled it.
            (None, Some(Signal::INT)) => {}
            _ => {
                let complaint = ran.failure(1);
                let is_orderly = ["in use by ", "there is such a file"].iter().any(|text| complaint.contains(text));
                assert!(is_orderly, "{kind}: {complaint}");
            }
        }
    }
    let last = Ran::from(work.command().output().unwrap());
    let output = last.success();
    let result = work.result(&output);
    let text = String::from_utf8_lossy;
    assert!(result == expected, "{kind}: {output}\nexpected {}\nfound {}", text(expected), text(&result));
    work.tournament.assert_empty();
    if kind == "match" {
        assert_eq!(games_in(&work.found().unwrap()), 4);
    }
    (AT_A_TIME + 1, done)
}

/// Starts this number of processes, or that of the setting.
fn compete_in_all_kinds(processes: u64) {
    let total = settings::number("PRIVY_RIVALS", processes) as usize;
    let mut random = Random::new(settings::number("PRIVY_RIVALS_SEED", 1));
    let kinds = ["solve", "match", "prove"];
    let expected = kinds.map(|kind| {
        let work = Work::new(kind);
        let output = Ran::from(work.command().output().unwrap()).success();
        work.result(&output)
    });
    let (mut processes, mut done, mut at) = (0, 0, 0);
    while processes < total {
        let (started, ended) = compete(kinds[at % 3], &expected[at % 3], &mut random);
        processes += started;
        done += ended;
        at += 1;
    }
    println!("{processes} processes in {at} places; of those that met others {done} did the work to its end");
    assert!(done > 0);
}

#[test]
fn concurrent_processes_lose_no_work() {
    compete_in_all_kinds(45);
}

#[test]
#[ignore = "release: ten times the processes"]
fn many_concurrent_processes_lose_no_work() {
    compete_in_all_kinds(450);
}
