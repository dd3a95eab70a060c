//! Fault injection: the n-th call fails, for every n. Files that cannot be opened, written, synced, truncated, renamed
//! or read, a disk that becomes full, refused memory, a clock that jumps. `faults.c` injects the faults.
//!
//! After any fault the program reports an error and ends in order, each old file is intact or completely replaced, and
//! the same command succeeds without the fault. A library that is loaded before a process makes its calls fail, so each
//! try is a process.
#![cfg(all(target_os = "linux", target_env = "gnu"))]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::support::binary::{Home, PRIVY, Ran, SMALL_VARIANT, run, words};
use crate::support::matches::{Tournament, table};
use privy_testing::settings;

/// The calls on files that may fail.
const OF_FILES: [&str; 7] = ["open", "write", "full", "sync", "truncate", "rename", "read"];

/// The number of calls of each kind that fail in turn; `PRIVY_FAULTS` changes it.
const CALLS: u64 = 12;

/// The library with the faults, compiled once per process.
fn library() -> &'static Path {
    static LIBRARY: std::sync::OnceLock<PathBuf> = std::sync::OnceLock::new();
    LIBRARY.get_or_init(|| {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
        // A concurrent run may be using the library of that name.
        let (own, library) = (folder.join(format!("faults-{}.so", std::process::id())), folder.join("faults.so"));
        let source = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/reliability/faults.c");
        let compiled = Command::new("cc").args(["-O1", "-shared", "-fPIC", "-o"]).arg(&own).arg(source).status();
        assert!(compiled.expect("the compiler that links Rust programs").success());
        fs::rename(own, &library).unwrap();
        library
    })
}

/// A folder for commands with faults.
struct Place {
    tournament: Tournament,
    folder: PathBuf,
}

impl Place {
    fn new() -> Place {
        let tournament = Tournament::new();
        let folder = tournament.home.join("files");
        fs::create_dir_all(&folder).unwrap();
        let folder = folder.canonicalize().unwrap();
        Place { tournament, folder }
    }

    fn home(&self) -> &Home {
        &self.tournament.home
    }

    fn file(&self, name: &str) -> String {
        self.folder.join(name).to_str().unwrap().to_owned()
    }

    /// Runs the binary with a fault; `None` if the call never came.
    fn run_with(&self, fault: &str, words: &[String], input: &str) -> Option<Ran> {
        let came = self.home().join("came");
        let mut command = self.home().privy();
        command.env("LD_PRELOAD", library()).env("PRIVY_FAULT", fault);
        command.env("PRIVY_FAULT_FOLDER", &self.folder).env("PRIVY_FAULT_CAME", &came);
        command.args(words).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        std::io::Write::write_all(&mut child.stdin.take().unwrap(), input.as_bytes()).unwrap();
        let ran = Ran::from(child.wait_with_output().unwrap());
        fs::remove_file(came).is_ok().then_some(ran)
    }

    fn run(&self, words: &[String]) -> Ran {
        run(&mut self.home().privy(), &words.iter().map(String::as_str).collect::<Vec<_>>())
    }

    /// The contents of the files, by name.
    fn files(&self) -> BTreeMap<String, Vec<u8>> {
        let entries = fs::read_dir(&self.folder).unwrap().map(|entry| entry.unwrap());
        entries.map(|entry| (entry.file_name().into_string().unwrap(), fs::read(entry.path()).unwrap())).collect()
    }
}

/// Makes each of the first calls of some kinds fail, every time in a new folder. Returns the number of failed calls.
fn each_call(kinds: &[&str], mut with: impl FnMut(&Place, &str) -> bool) -> usize {
    let most = settings::number("PRIVY_FAULTS", CALLS);
    let calls_of = |kind| (1..=most).take_while(|call| with(&Place::new(), &format!("{kind}:{call}"))).count();
    kinds.iter().map(calls_of).sum()
}

/// The program has ended in order: with success or with an error message.
#[track_caller]
fn ended_in_order(ran: &Ran, fault: &str) -> bool {
    let is_done = ran.status == Some(0);
    let complains = ran.status == Some(1) && ran.errors.lines().any(|line| line.starts_with("privy: "));
    assert!((is_done || complains) && !ran.errors.contains("panicked"), "{fault}: {ran:?}");
    is_done
}

/// A command whose files are the same in every run.
fn makes_the_same_files(old: &[&str], words: impl Fn(&Place) -> Vec<String>) {
    let sound = Place::new();
    sound.run(&words(&sound)).success();
    let expected = sound.files();
    assert!(!expected.is_empty());
    let faults = each_call(&OF_FILES, |place, fault| {
        for name in old {
            fs::write(place.folder.join(name), "# old\n").unwrap();
        }
        let before = place.files();
        let Some(ran) = place.run_with(fault, &words(place), "") else { return false };
        let is_done = ended_in_order(&ran, fault);
        for (name, bytes) in place.files() {
            let is_whole = expected.get(&name) == Some(&bytes) || before.get(&name) == Some(&bytes);
            assert!(is_whole, "{fault}: {name}: {ran:?}");
        }
        assert!(!is_done || place.files() == expected, "{fault}: {ran:?}");
        assert_eq!(place.run(&words(place)).status, Some(0), "{fault}");
        assert_eq!(place.files(), expected, "{fault}");
        true
    });
    assert!(faults >= 8, "{faults}");
}

#[test]
fn a_solve_leaves_a_complete_table_or_none() {
    makes_the_same_files(&[], |place| words(&["solve", SMALL_VARIANT, "--tables", &place.file("")]));
}

#[test]
fn a_proof_is_complete_or_not_there() {
    let prove = |place: &Place| {
        let proof = place.file("murray.proof");
        let what = ["prove", "sixteen-rebels-murray", "--nodes", "2000", "--threads", "1"];
        words(&[&what[..], &["--output", &proof]].concat())
    };
    let sound = Place::new();
    sound.run(&prove(&sound)).success();
    let expected = sound.files()["murray.proof"].clone();
    let faults = each_call(&OF_FILES, |place, fault| {
        let Some(ran) = place.run_with(fault, &prove(place), "") else { return false };
        let is_done = ended_in_order(&ran, fault);
        let found = place.files().get("murray.proof").cloned();
        assert!(found.as_ref() == Some(&expected) || found.is_none() && !is_done, "{fault}: {ran:?}");
        place.run(&prove(place)).success();
        assert_eq!(place.files()["murray.proof"], expected, "{fault}");
        true
    });
    assert!(faults >= 8, "{faults}");
}

/// Games in the file stay there, and the match resumes to the same end.
#[test]
fn a_match_resumes_with_its_recorded_games() {
    let play = |place: &Place| {
        let mut all = words(&["match", "--tables", "off", "--nodes", "5", "--games", "4", "--move-limit", "8"]);
        for (option, value) in [
            ("--engine", place.tournament.privy("a")),
            ("--engine", place.tournament.privy("b") + ",option.seed=5"),
            ("--file", place.file("match.jsonl")),
        ] {
            all.extend([option.to_owned(), value]);
        }
        all
    };
    let sound = Place::new();
    let expected = table(&sound.run(&play(&sound)).success()).to_owned();
    let faults = each_call(&OF_FILES, |place, fault| {
        let Some(ran) = place.run_with(fault, &play(place), "") else { return false };
        ended_in_order(&ran, fault);
        place.tournament.assert_empty();
        let file = place.folder.join("match.jsonl");
        let again = if fs::metadata(&file).is_ok_and(|file| file.len() > 0) {
            words(&["match", "--tables", "off", "--trust", "--resume", file.to_str().unwrap()])
        } else {
            play(place)
        };
        assert_eq!(table(&place.run(&again).success()), expected, "{fault}");
        true
    });
    assert!(faults >= 4, "{faults}");
}

/// An unreadable table is reported and never gives a wrong value.
#[test]
fn a_table_that_cannot_be_read_gives_no_wrong_value() {
    let probe = |place: &Place| words(&["probe", SMALL_VARIANT, "--tables", &place.file("")]);
    let solve = |place: &Place| words(&["solve", SMALL_VARIANT, "--tables", &place.file("")]);
    let sound = Place::new();
    sound.run(&solve(&sound)).success();
    let expected = sound.run(&probe(&sound)).success();
    let faults = each_call(&["open", "read"], |place, fault| {
        place.run(&solve(place)).success();
        let Some(ran) = place.run_with(fault, &probe(place), "") else { return false };
        assert!(!ended_in_order(&ran, fault) || ran.output == expected, "{fault}: {ran:?}");
        assert_eq!(place.run(&probe(place)).success(), expected, "{fault}");
        true
    });
    assert!(faults >= 3, "{faults}");
}

/// A game saved over another one replaces it completely.
#[test]
fn a_saved_game_replaces_the_old_file_completely() {
    let save = |place: &Place| format!("1 play b c3\nprintsgf {}\nshowboard\nquit\n", place.file("game.sgf"));
    let session = words(&["gogui", "--tables", "off"]);
    let sound = Place::new();
    sound.run_with("write:1000000", &session, &save(&sound));
    let expected = sound.files();
    assert_eq!(expected.len(), 1);
    each_call(&OF_FILES, |place, fault| {
        fs::write(place.folder.join("game.sgf"), "old").unwrap();
        let before = place.files();
        let Some(ran) = place.run_with(fault, &session, &save(place)) else { return false };
        assert!(ran.status == Some(0), "{fault}: {ran:?}");
        assert!([&before, &expected].contains(&&place.files()), "{fault}: {:?}", place.files());
        true
    });
}

/// For each answer of a session, true if it is a success.
fn answers(output: &str) -> Vec<bool> {
    let first = |line: &&str| line.starts_with('=') || line.starts_with('?');
    output.lines().filter(first).map(|line| line.starts_with('=')).collect()
}

/// Refused memory is an error of the command that asked for it, unless the command manages with less.
#[test]
fn memory_that_is_refused_is_an_error_of_its_command() {
    let input = "1 set_option hash 8\n2 go nodes 500\n3 set_option hash 16\n4 go nodes 500\n5 quit\n";
    // A game without weights: for larger files the parser allocates more than a MiB, and ends the program if it is
    // refused.
    let session = words(&["--tables", "off", "--variant", "coyote"]);
    let faults = each_call(&["memory"], |place, fault| {
        let Some(ran) = place.run_with(fault, &session, input) else { return false };
        assert!(ran.status == Some(0) && !ran.errors.contains("panicked"), "{fault}: {ran:?}");
        assert_eq!(answers(&ran.output).len(), 5, "{fault}: {ran:?}");
        true
    });
    assert!(faults >= 2, "{faults}");
}

/// A clock that jumps by an hour may end a search too early. No limit depends on the wall clock.
#[test]
fn a_clock_that_jumps_keeps_no_command_waiting() {
    let input = "1 go time 60\n2 go clock 3000\n3 analyze 10\n4 stop\n5 go nodes 2000\n6 quit\n";
    for (kind, calls) in [("later", [1, 3, 8, 40]), ("earlier", [2, 5, 13, 200])] {
        for call in calls {
            let place = Place::new();
            let ran = place.run_with(&format!("{kind}:{call}"), &words(&["--tables", "off"]), input);
            let Some(ran) = ran else { continue };
            assert!(ran.status == Some(0) && !ran.errors.contains("panicked"), "{kind}:{call}: {ran:?}");
            assert_eq!(answers(&ran.output).len(), 6, "{kind}:{call}: {ran:?}");
        }
    }
}

#[test]
fn the_library_makes_calls_of_the_program_fail() {
    assert!(Path::new(PRIVY).exists());
    let place = Place::new();
    let ran = place.run_with("open:1", &words(&["solve", SMALL_VARIANT, "--tables", &place.file("")]), "");
    assert_eq!(ran.expect("the first file is opened").status, Some(1));
}
