//! What the command line meets outside itself: full devices, terminals, readers that read nothing, limits of the
//! system.
#![cfg(target_os = "linux")]

use std::fs;
use std::io::{Read, Write};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use privy_base::message::is_unsafe;
use rustix::process::{Pid, Signal, kill_process};

use crate::support::binary::{Home, PRIVY, Ran, run};
use crate::support::late::PATIENCE;

#[test]
fn what_a_full_device_cannot_take_is_a_failure() {
    let home = Home::new();
    for words in ["--help", "-h", "--version", "go --help", "help variants new", "man", "completions bash"] {
        let full = fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        let mut command = home.privy();
        command.args(words.split(' ')).stdin(Stdio::null()).stdout(full).stderr(Stdio::piped());
        let ran = Ran::from(command.spawn().unwrap().wait_with_output().unwrap());
        assert!(ran.failure(1).contains("No space left on device"), "{words}");
    }
}

/// Arguments come from scripts, which take them from files: they may ring, hide and begin lines.
#[test]
fn errors_are_one_line_that_a_terminal_can_show() {
    let home = Home::new();
    let evil = "\u{1b}]0;title\u{7}\u{202e}\nprivy: all is well/";
    for words in [
        vec![evil],
        vec!["--variant", evil],
        vec!["--threads", evil],
        vec!["--log", evil],
        vec!["solve", evil],
        vec!["go", "kings-gonu", evil],
        vec!["go", "kings-gonu", "--time", evil],
        vec!["go", "kings-gonu", "--moves", evil],
        vec!["go", "kings-gonu", "--fen", evil],
        vec!["go", "kings-gonu", "--set", evil],
        vec!["replay", evil],
        vec!["replay", evil, "--to", evil],
        vec!["match", "--engine", evil, "--engine", evil],
        vec!["match", "--resume", evil],
        vec!["completions", evil],
        vec!["analyze", evil],
        vec!["tables", "delete", evil],
    ] {
        let ran = home.run(&words);
        assert!(matches!(ran.status, Some(1 | 2)), "{words:?}: {ran:?}");
        let errors = &ran.errors;
        assert!(!errors.contains(|letter: char| is_unsafe(letter) && letter != '\n'), "{words:?}: {errors:?}");
        assert!(!errors.lines().any(|line| line.starts_with("privy: all is well")), "{words:?}: {errors}");
    }
}

/// A pipe that is full and whose reader waits. Each signal alone ends the work.
#[test]
fn the_first_signal_ends_work_whose_output_nobody_reads() {
    let lines = "{\"id\":\"0123456789012345678901234567890123456789\",\"level\":0}\n".repeat(4_000);
    let mut children = [Signal::INT, Signal::TERM, Signal::HUP].map(|signal| {
        let mut command = Command::new("env");
        // Children of a background shell ignore some of them.
        command.args(["--default-signal=INT,TERM,HUP", PRIVY, "analyze", "--threads", "2", "--tables", "off"]);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let (mut input, lines) = (child.stdin.take().unwrap(), lines.clone());
        // The input stays open: the work is not at its end.
        let feeder = std::thread::spawn(move || {
            let _ = input.write_all(lines.as_bytes());
            std::thread::sleep(Duration::from_secs(5));
        });
        (child, signal, feeder)
    });
    let waiting = |id: u32| fs::read_to_string(format!("/proc/{id}/io")).unwrap_or_default();
    for (child, signal, _) in &mut children {
        // Until no more is written.
        let (mut before, start) = (String::new(), Instant::now());
        loop {
            std::thread::sleep(Duration::from_millis(300));
            let now = waiting(child.id());
            let written = |io: &str| io.lines().find_map(|line| line.strip_prefix("wchar: ")?.parse::<u64>().ok());
            if written(&now) >= Some(20_000) && written(&now) == written(&before) || start.elapsed() > PATIENCE {
                break;
            }
            before = now;
        }
        kill_process(Pid::from_child(child), *signal).unwrap();
        let sent = Instant::now();
        let status = loop {
            match child.try_wait().unwrap() {
                Some(status) => break status,
                _ if sent.elapsed() > PATIENCE => panic!("{signal:?} is not heard"),
                _ => std::thread::sleep(Duration::from_millis(10)),
            }
        };
        assert_eq!(status.code(), Some(130), "{signal:?}");
        let mut errors = String::new();
        child.stderr.take().unwrap().read_to_string(&mut errors).unwrap();
        assert!(errors.starts_with("privy: interrupted"), "{errors}");
    }
}

#[test]
fn a_limit_of_file_sizes_leaves_no_half_manual_page() {
    let home = Home::new();
    let (whole, limited) = (home.join("whole"), home.join("limited"));
    home.run(&["man", whole.to_str().unwrap()]).success();
    let mut command = Command::new("sh");
    command.args(["-c", "ulimit -f 2; exec \"$0\" man \"$1\"", PRIVY, limited.to_str().unwrap()]);
    let ran = run(&mut command, &[]);
    assert!(ran.failure(1).contains("cannot save file: "));
    for entry in fs::read_dir(&limited).unwrap() {
        let page = entry.unwrap();
        assert_eq!(fs::read(page.path()).unwrap(), fs::read(whole.join(page.file_name().to_str().unwrap())).unwrap());
    }
}

#[test]
fn no_folder_of_tables_has_an_empty_name() {
    for words in
        ["", "go kings-gonu", "solve kings-gonu", "probe kings-gonu", "tables list", "analyze", "play", "variants list"]
    {
        let words = ["privy"].into_iter().chain(words.split_whitespace());
        for value in [vec!["--tables", ""], vec!["--tables="]] {
            let error = crate::program::command_line().try_get_matches_from(words.clone().chain(value)).unwrap_err();
            assert!(error.to_string().contains("expected a folder, auto or off"), "{error}");
        }
    }
}

#[test]
fn a_refused_match_leaves_no_file() {
    let home = Home::new();
    let (file, record) = (home.join("match.jsonl"), home.join("games.txt"));
    fs::write(&record, "kept").unwrap();
    let engine = |name| format!("name={name},cmd=\"'{PRIVY}' --tables off\"");
    let (one, two) = (engine("one"), engine("two"));
    for record in [&file, &record] {
        let words = ["match", "--engine", &one, "--engine", &two, "--nodes", "1", "--games", "2", "--tables", "off"];
        let files = ["--file", file.to_str().unwrap(), "--record", record.to_str().unwrap()];
        home.run(&[&words[..], &files].concat()).failure(1);
        assert!(!file.exists(), "{record:?}");
    }
    assert_eq!(fs::read_to_string(record).unwrap(), "kept");
}

/// A comment of many short words took 32 times its size.
#[test]
#[ignore = "release: a record of 20 MiB"]
fn a_long_comment_takes_memory_of_its_size() {
    let home = Home::new();
    let file = home.join("long.txt");
    fs::write(&file, format!("[Variant \"kings-gonu\"]\n[Result \"*\"]\n\n{{{}}} *\n", "a ".repeat(10 << 20))).unwrap();
    let mut command = Command::new("sh");
    command.args(["-c", "ulimit -v 400000; exec \"$0\" replay \"$1\" --to text", PRIVY, file.to_str().unwrap()]);
    assert!(run(&mut command, &[]).success().len() > 20 << 20);
}
