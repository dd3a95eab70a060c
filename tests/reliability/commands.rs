//! Every subcommand, as clap lists them: with numbers of any size, with resources that the system refuses, and
//! interrupted.
//!
//! The numbers that clap refuses are tried in-process. What a command does with a number, a limit or a signal only a
//! process shows.

use std::any::TypeId;
use std::fmt::{self, Write as _};
use std::fs;
use std::ops::RangeInclusive;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::thread;
use std::time::{Duration, Instant};

use clap::error::ErrorKind;
use privy_rules::Variant;
use rustix::process::{Pid, Signal, geteuid, kill_process};

use crate::support::binary::{Home, PRIVY, SMALL_VARIANT, run_with_input};
use crate::support::late::{PATIENCE, Taken, Watch, retried};

/// Subcommands with words that let them do something short; `HOME` is a folder of their own, which holds the table of
/// the small variant.
const SHORT: [(&str, &str); 27] = [
    ("", ""),
    ("gogui", ""),
    ("play", "SMALL --terminal"),
    ("go", "SMALL --time 50"),
    ("analyze", "--variant SMALL --nodes 9"),
    ("perft", "SMALL 3"),
    ("solve", "SMALL --force"),
    ("tables list", "SMALL"),
    ("tables why", "SMALL --fen 1/3/2G2/5/r1r1r"),
    ("tables verify", "SMALL"),
    ("tables delete", "SMALL"),
    ("probe", "SMALL"),
    ("prove", "sixteen-rebels-neeley --output HOME/found.proof"),
    ("check-proof", "docs/proofs/subjugatio-free.proof.zst"),
    ("bench", "--depth 1"),
    ("variants list", ""),
    ("variants show", "SMALL"),
    ("variants new", "HOME/new.toml"),
    ("variants check", "SMALL --games 20"),
    ("board", "SMALL"),
    ("replay", "HOME/records.txt"),
    ("review", "HOME/records.txt --time 5"),
    ("puzzles", "hare-and-hounds --count 1"),
    ("match", "--engine name=a,cmd=PRIVY --engine name=b,cmd=PRIVY --variant SMALL --games 2 --each nodes=20"),
    ("match merge", "HOME/match.jsonl"),
    ("compliance", "--engine cmd=PRIVY --step framing.id"),
    ("completions", "bash"),
];
/// Subcommands whose work has a bound.
const BOUNDED: [&str; 14] = [
    "",
    "gogui",
    "tables list",
    "tables why",
    "tables delete",
    "probe",
    "variants list",
    "variants show",
    "variants new",
    "board",
    "replay",
    "puzzles",
    "match merge",
    "completions",
];
/// The others, at work for a long time.
const LONG: [(&str, &str); 15] = [
    ("go", "yeung-luk --time 1000000"),
    ("go", "yeung-luk --depth 100 --threads 2 --hash 1024"),
    ("analyze", "HOME/long.jsonl"),
    ("perft", "yeung-luk 14"),
    ("solve", "sixteen-rebels"),
    ("solve", "adugo"),
    ("tables verify", "SMALL --sample 1000000000000"),
    ("review", "protocol/transcripts/game.sgf --time 1000000"),
    ("prove", "yeung-luk --output HOME/found.proof"),
    ("check-proof", "HOME/long.proof"),
    ("play", "SMALL --no-browser"),
    ("bench", "--depth 40"),
    ("variants check", "yeung-luk --games 1000000"),
    ("match", "--engine name=a,cmd=PRIVY --engine name=b,cmd=PRIVY --variant SMALL --games 1000 --each time=1000"),
    ("compliance", "--engine cmd=PRIVY"),
];

const NUMBERS: [&str; 6] = ["0", "1", "2147483648", "9223372036854775808", "-1", "1000000000"];

/// The subcommands without further ones, by their words, with their arguments.
fn leaves(command: &clap::Command, words: &str, found: &mut Vec<(String, Vec<clap::Arg>)>) {
    // `privy` and `match` work alone, too.
    if !command.is_subcommand_required_set() {
        found.push((words.to_owned(), command.get_arguments().cloned().collect()));
    }
    for subcommand in command.get_subcommands().filter(|subcommand| subcommand.get_name() != "help") {
        leaves(subcommand, format!("{words} {}", subcommand.get_name()).trim(), found);
    }
}

fn subcommands() -> Vec<(String, Vec<clap::Arg>)> {
    let mut command = crate::program::command_line();
    command.build();
    let mut found = Vec::new();
    leaves(&command, "", &mut found);
    // Pages into a folder are tested elsewhere.
    found.retain(|(words, _)| words != "man");
    assert!(found.len() > 20);
    found
}

fn short_words(subcommand: &str) -> &'static str {
    let row = SHORT.iter().find(|(words, _)| *words == subcommand);
    row.unwrap_or_else(|| panic!("a new subcommand needs a row here: {subcommand}")).1
}

/// A home with the table of the small variant.
fn prepared_home() -> Home {
    static TABLE: Mutex<Option<(String, Vec<u8>)>> = Mutex::new(None);
    let home = Home::new();
    let folder = home.join("cache/privy/tables");
    let mut table = TABLE.lock().unwrap();
    if table.is_none() {
        home.run(&["solve", SMALL_VARIANT]).success();
        let path = fs::read_dir(&folder).unwrap().next().unwrap().unwrap().path();
        *table = Some((path.file_name().unwrap().to_str().unwrap().to_owned(), fs::read(path).unwrap()));
    } else if let Some((name, bytes)) = &*table {
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join(name), bytes).unwrap();
    }
    home
}

/// A proof of so many positions that a check takes most of a second.
fn long_proof() -> String {
    const LINES: usize = 200_000;
    let variant = Variant::builtin("yeung-luk").unwrap();
    let mut proof = format!("# privy proof 1 yeung-luk {} rebels\n", variant.fingerprint());
    for number in 0..LINES {
        // Each number has Rebels on other points of the upper four rows.
        let mut rows = String::new();
        for row in 0..4 {
            let is_held = |file: usize| number >> (row * 5 + file) & 1 != 0;
            let mut free = 0;
            for file in 0..5 {
                match (is_held(file), free) {
                    (false, _) => free += 1,
                    (true, 0) => rows.push('r'),
                    (true, _) => {
                        let _ = write!(rows, "{free}r");
                        free = 0;
                    }
                }
            }
            let _ = if free > 0 { write!(rows, "{free}/") } else { write!(rows, "/") };
        }
        let position = format!("1/3/{rows}2G2/5/5/5/1r3 r -");
        let _ = if number == 0 { writeln!(proof, "root {position}") } else { Ok(()) };
        let _ = writeln!(proof, "{position} b1-a1 100");
    }
    proof
}

fn filled_in(words: &str, home: &Home) -> Vec<String> {
    let folder = home.join("");
    let fill = |word: &str| {
        word.replace("SMALL", SMALL_VARIANT).replace("HOME/", folder.to_str().unwrap()).replace("PRIVY", PRIVY)
    };
    words.split_whitespace().map(fill).collect()
}

/// What became of a command.
#[derive(Debug)]
struct Ended {
    status: Option<i32>,
    signal: Option<i32>,
    output: String,
    errors: String,
    /// The time from the interrupt to the end, if there was one.
    late: Option<Taken>,
}

/// Runs a command, and interrupts it after a time.
fn run_for(mut command: Command, time: Duration, signal: Signal) -> Ended {
    let (output, errors) = (tempfile(), tempfile());
    command.stdin(Stdio::null()).stdout(output.try_clone().unwrap()).stderr(errors.try_clone().unwrap());
    let mut child = command.spawn().unwrap();
    let (start, mut interrupted) = (Instant::now(), None::<Watch>);
    let (status, late) = loop {
        // The system forgets a process once its end is heard of.
        let late = interrupted.as_ref().map(Watch::taken);
        if let Some(status) = child.try_wait().unwrap() {
            break (status, late);
        }
        if interrupted.is_none() && start.elapsed() > time {
            kill_process(Pid::from_child(&child), signal).unwrap();
            interrupted = Some(Watch::start(child.id()));
        }
        if start.elapsed() > time + PATIENCE {
            child.kill().unwrap();
        }
        thread::sleep(Duration::from_millis(2));
    };
    Ended { status: status.code(), signal: status.signal(), output: contents(output), errors: contents(errors), late }
}

fn tempfile() -> fs::File {
    use std::sync::atomic::{AtomicU32, Ordering};
    static FILES: AtomicU32 = AtomicU32::new(0);
    let name = format!("output-{}-{}", std::process::id(), FILES.fetch_add(1, Ordering::Relaxed));
    let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let file = fs::File::options().read(true).write(true).create_new(true).open(&path).unwrap();
    fs::remove_file(path).unwrap();
    file
}

fn contents(mut file: fs::File) -> String {
    use std::io::{Read, Seek};
    let mut bytes = Vec::new();
    file.rewind().unwrap();
    file.read_to_end(&mut bytes).unwrap();
    String::from_utf8_lossy(&bytes).into_owned()
}

impl Ended {
    /// Done, refused, or ended by the interrupt: no panic, no abort, no hang.
    fn is_orderly(&self) -> bool {
        let by_interrupt = self.signal == Some(Signal::INT.as_raw()) && self.late.is_some();
        (matches!(self.status, Some(0 | 1 | 2 | 130)) || by_interrupt) && !self.errors.contains("panicked")
    }
}

/// Tries rows, several at a time, and fails with those of which `check` says something.
fn try_all<T: Sync>(rows: &[T], at_a_time: usize, check: impl Fn(&T) -> Option<String> + Sync) {
    let next = Mutex::new(rows.iter());
    let faults = Mutex::new(Vec::new());
    thread::scope(|scope| {
        for _ in 0..at_a_time {
            scope.spawn(|| {
                loop {
                    let Some(row) = next.lock().unwrap().next() else { break };
                    faults.lock().unwrap().extend(check(row));
                }
            });
        }
    });
    let faults = faults.into_inner().unwrap();
    assert!(faults.is_empty(), "{} of {}:\n{}", faults.len(), rows.len(), faults.join("\n"));
}

/// A number of a subcommand, with its range.
struct NumberArgument {
    subcommand: String,
    /// The words of the command line, `NUMBER` in the place of the number.
    words: String,
    range: RangeInclusive<i128>,
}

impl NumberArgument {
    fn line(&self, number: impl fmt::Display) -> String {
        format!("{} {}", self.subcommand, self.words.replace("NUMBER", &number.to_string()))
    }
}

/// The words of a command line, the name of the program first.
fn privy_words(line: &str, home: &Home) -> Vec<String> {
    std::iter::once("privy".to_owned()).chain(filled_in(line, home)).collect()
}

/// The numbers that clap reads, of all subcommands.
fn number_arguments() -> Vec<NumberArgument> {
    let types =
        [TypeId::of::<u16>(), TypeId::of::<u32>(), TypeId::of::<u64>(), TypeId::of::<usize>(), TypeId::of::<i64>()];
    let (mut command, home) = (crate::program::command_line(), Home::new());
    let mut found = Vec::new();
    for (subcommand, arguments) in subcommands() {
        for argument in arguments {
            let value = argument.get_value_parser().type_id();
            // Where nothing else gives the bounds of a range a type, they are of this one, and reading the argument
            // would panic.
            assert!(value != TypeId::of::<i32>(), "{subcommand} {}: write 1_u64..=9", argument.get_id());
            if !types.iter().any(|number| value == *number) {
                continue;
            }
            let words = match argument.get_long() {
                None => short_words(&subcommand).replace(" 3", " NUMBER"),
                Some(long) => {
                    // Some numbers stand beside other words alone.
                    let short = match (subcommand.as_str(), long) {
                        ("play", "port") => "SMALL --no-browser",
                        ("board", "size") => "SMALL --svg",
                        ("board", "number" | "ply") => "--game HOME/records.txt",
                        ("tables verify", "seed") => "SMALL --sample 9",
                        _ => short_words(&subcommand),
                    };
                    let mut short: Vec<&str> = short.split(' ').collect();
                    // An option stands once.
                    if let Some(place) = short.iter().position(|word| *word == format!("--{long}")) {
                        short.drain(place..place + 2);
                    }
                    format!("{} --{long}=NUMBER", short.join(" "))
                }
            };
            // The error of what is no number has the range; the places of a record are known when it is read.
            let line = format!("{subcommand} {}", words.replace("NUMBER", "none"));
            let told = command.try_get_matches_from_mut(privy_words(&line, &home)).unwrap_err().to_string();
            let range = told.split_once(": expected ").and_then(|(_, range)| range.lines().next()?.split_once(" to "));
            assert_eq!(range.is_none(), argument.get_id() == "ply", "{subcommand} {told}");
            let range = range.map_or((i128::from(i64::MIN), i128::from(i64::MAX)), |(low, high)| {
                (low.parse().unwrap(), high.parse().unwrap())
            });
            found.push(NumberArgument { subcommand: subcommand.clone(), words, range: range.0..=range.1 });
        }
    }
    assert!(found.len() > 50, "{}", found.len());
    found
}

/// Runs commands that end by themselves, or by an interrupt after a time.
fn all_end_in_order(lines: &[String], time: Duration) {
    try_all(lines, 6, |line| {
        let home = prepared_home();
        let mut command = home.privy();
        command.args(filled_in(line, &home));
        let ended = run_for(command, time, Signal::INT);
        (!ended.is_orderly()).then(|| format!("{line}: {ended:?}"))
    });
}

/// What is read here is what a process would read; see `the_ends_of_every_range_end_in_order` for what is done with it.
#[test]
fn every_number_beyond_its_range_is_refused() {
    let home = Home::new();
    let mut command = crate::program::command_line();
    let (mut refused, mut accepted) = (0, 0);
    for argument in number_arguments() {
        let (low, high) = (*argument.range.start(), *argument.range.end());
        let numbers = NUMBERS.map(|number| number.parse().unwrap());
        for number in numbers.into_iter().chain([low - 1, low, high, high + 1]) {
            let line = argument.line(number);
            match command.try_get_matches_from_mut(privy_words(&line, &home)) {
                Ok(_) => {
                    assert!(argument.range.contains(&number), "{line} is read, of {low} to {high}");
                    accepted += 1;
                }
                Err(error) => {
                    assert!(!argument.range.contains(&number), "{line}: {error}");
                    let told = error.to_string();
                    // A place without an option takes no number below zero for one.
                    let is_right = told.contains(&format!("'{number}' for '"))
                        && told.contains(&format!(": expected {low} to {high}\n"))
                        || error.kind() == ErrorKind::UnknownArgument && number < 0
                        || argument.words.contains("--ply") && told.contains(&number.to_string());
                    assert!(error.exit_code() == 2 && is_right, "{line}: {told}");
                    refused += 1;
                }
            }
        }
    }
    println!("{refused} numbers are refused, {accepted} read");
    assert!(refused > 300 && accepted > 200, "{refused} {accepted}");
}

#[test]
fn the_ends_of_every_range_end_in_order() {
    let ends = |argument: &NumberArgument| [argument.range.start(), argument.range.end()].map(|end| argument.line(end));
    let lines: Vec<String> = number_arguments().iter().flat_map(ends).collect();
    all_end_in_order(&lines, Duration::from_millis(40));
}

#[test]
#[ignore = "release: some hundred processes, a third of a second each"]
fn no_number_makes_a_command_panic_or_abort() {
    let lines: Vec<String> =
        number_arguments().iter().flat_map(|argument| NUMBERS.map(|number| argument.line(number))).collect();
    assert!(lines.len() > 300, "{}", lines.len());
    all_end_in_order(&lines, Duration::from_millis(300));
}

/// A command with a limit as `ulimit` takes it.
fn limited(limit: &str, words: &str, home: &Home) -> Command {
    let command = home.privy();
    let mut bash = Command::new("bash");
    bash.args(["-c", &format!("ulimit {limit} && exec \"$0\" \"$@\"")]).arg(command.get_program());
    bash.args(filled_in(words, home)).current_dir(env!("CARGO_MANIFEST_DIR"));
    bash.envs(command.get_envs().filter_map(|(key, value)| Some((key, value?)))).env("RUST_BACKTRACE", "0");
    // The system gives root any number of threads.
    if limit.starts_with("-u") && geteuid().is_root() {
        bash.uid(65_534).gid(65_534);
        fs::set_permissions(home.join(""), fs::Permissions::from_mode(0o777)).unwrap();
    }
    bash
}

/// The folder of the program may be closed to others.
fn cannot_start(ended: &Ended) -> bool {
    matches!(ended.status, Some(126 | 127))
}

/// Threads, descriptors, blocks of a file, KiB of memory: as `ulimit` takes them.
const LIMITS: [&str; 7] = ["-u 1", "-u 3", "-n 5", "-n 9", "-f 0", "-v 100000", "-v 400000"];

/// Runs every subcommand with the limits that are chosen for its number.
fn no_refused_resource_makes_a_panic(is_tried: impl Fn(usize, usize) -> bool) {
    let subcommands = subcommands();
    let mut rows: Vec<(&str, String)> = Vec::new();
    for (row, (subcommand, _)) in subcommands.iter().enumerate() {
        let limits = LIMITS.iter().enumerate().filter(|(limit, _)| is_tried(row, *limit));
        rows.extend(limits.map(|(_, limit)| (*limit, format!("{subcommand} {}", short_words(subcommand)))));
    }
    try_all(&rows, 4, |(limit, words)| {
        let home = prepared_home();
        let ended = run_for(limited(limit, words, &home), PATIENCE, Signal::INT);
        (!ended.is_orderly() && !cannot_start(&ended)).then(|| format!("{limit}: {words}: {ended:?}"))
    });
}

/// Each subcommand without threads, and with one of the other limits.
#[test]
fn no_refused_resource_makes_a_command_panic() {
    no_refused_resource_makes_a_panic(|row, limit| limit == 0 || limit == 1 + row % (LIMITS.len() - 1));
}

#[test]
#[ignore = "release: each of the seven limits for every subcommand"]
fn no_limit_makes_a_command_panic() {
    no_refused_resource_makes_a_panic(|_, _| true);
}

/// Signals are heard on a thread of their own: without it they end the program at once.
#[test]
fn an_interrupt_is_heard_where_no_thread_can_be_had() {
    try_all(&[Signal::INT, Signal::TERM, Signal::HUP], 3, |signal| {
        let home = prepared_home();
        let run = |time| run_for(limited("-u 1", "perft yeung-luk 14", &home), Duration::from_millis(time), *signal);
        let mut ended = run(300);
        if ended.signal == Some(signal.as_raw()) {
            retried(&format!("{signal:?} came before the program heard any"));
            ended = run(3000);
        }
        (ended.status != Some(130) && !cannot_start(&ended)).then(|| format!("{signal:?}: {ended:?}"))
    });
}

/// Interrupts long commands. One that is late on a busy machine is tried again, and said to be.
fn an_interrupt_is_heard(rows: &[(&(&str, &str), Signal)]) {
    let proof = long_proof();
    try_all(rows, 2, |((subcommand, words), signal)| {
        let run = |milliseconds| {
            let home = prepared_home();
            match *subcommand {
                "check-proof" => fs::write(home.join("long.proof"), &proof).unwrap(),
                "analyze" => fs::write(home.join("long.jsonl"), "{\"limits\":{\"time\":1000000}}\n").unwrap(),
                _ => {}
            }
            let mut command = home.privy();
            command.args(subcommand.split(' ')).args(filled_in(words, &home));
            let ended = run_for(command, Duration::from_millis(milliseconds), *signal);
            let tables = home.join("cache/privy/tables");
            let is_kept =
                fs::read_dir(tables).unwrap().any(|file| file.unwrap().path().to_string_lossy().contains(".resume"));
            (ended, is_kept)
        };
        // Other tests may keep all cores busy for a moment.
        let mut late = Vec::new();
        let first = if *signal == Signal::INT { 300 } else { 100 };
        for milliseconds in [first, 900, 1300] {
            if let Some(time) = late.last() {
                retried(&format!("{subcommand} {words}: an end after {time:?}"));
            }
            let mut after = milliseconds;
            let (mut ended, mut is_kept) = run(after);
            // The faster the machine, the earlier the interrupt.
            while ended.late.is_none() && after > 1 {
                retried(&format!("{subcommand} {words}: done in {after} ms"));
                after /= 2;
                (ended, is_kept) = run(after);
            }
            let Some(time) = ended.late else {
                return Some(format!("{subcommand} {words}: ended too early: {ended:?}"));
            };
            let by_signal = ended.signal == Some(signal.as_raw());
            let is_told = ended.errors.contains("privy: interrupted: ");
            if !by_signal && (ended.status != Some(130) || !is_told) {
                return Some(format!("{subcommand} {words}: {ended:?}"));
            }
            // Interrupted before it was there to hear it.
            if *subcommand == "go" && by_signal {
                late.push(time);
                continue;
            }
            if *subcommand == "go" && !ended.output.lines().last().is_some_and(|line| line.starts_with("bestmove ")) {
                return Some(format!("no move: {ended:?}"));
            }
            if *subcommand == "solve" && ended.errors.contains("the same command resumes") != is_kept {
                return Some(format!("progress is reported wrongly: {is_kept}, {ended:?}"));
            }
            if *subcommand == "tables verify" && !ended.errors.contains("no progress saved") {
                return Some(format!("progress of a verification: {ended:?}"));
            }
            if time.is_within(Duration::from_secs(1), Duration::from_secs(1)) {
                return None;
            }
            late.push(time);
        }
        Some(format!("{subcommand} {words}: {late:?}"))
    });
}

#[test]
fn an_interrupt_is_heard_within_a_second() {
    for (subcommand, _) in subcommands() {
        let is_known = BOUNDED.contains(&subcommand.as_str()) || LONG.iter().any(|(long, _)| *long == subcommand);
        assert!(is_known, "a new subcommand needs a row here: {subcommand}");
    }
    let signals = [Signal::TERM, Signal::INT].into_iter().cycle();
    an_interrupt_is_heard(&LONG.iter().zip(signals).collect::<Vec<_>>());
}

#[test]
#[ignore = "release: every long command by both signals"]
fn both_signals_are_heard_within_a_second() {
    let rows = LONG.iter().flat_map(|row| [Signal::INT, Signal::TERM].map(|signal| (row, signal)));
    an_interrupt_is_heard(&rows.collect::<Vec<_>>());
}

/// The commands and options as the program lists them.
#[test]
fn no_number_makes_a_session_panic_or_hang() {
    let home = Home::new();
    let listed = |command: &str| {
        let ran = run_with_input(&mut home.privy(), &[], &format!("{command}\nquit\n"));
        ran.success().trim_start_matches("= ").split("\n\n").next().unwrap().to_owned()
    };
    let (commands, options) = (listed("list_commands"), listed("list_options"));
    let mut lines = Vec::new();
    for number in NUMBERS {
        for option in options.lines() {
            lines.push(format!("set_option {} {number}", option.split(' ').next().unwrap()));
        }
        for command in commands.lines().filter(|command| *command != "quit") {
            for arguments in [
                "N",
                "N N",
                "N N N",
                "general N",
                "general N N",
                "time N",
                "depth N",
                "nodes N",
                "clock N inc N moves N",
            ] {
                lines.push(format!("{command} {}", arguments.replace('N', number)));
            }
        }
    }
    assert!(lines.len() > 2_000, "{}", lines.len());
    let input: String = lines.iter().map(|line| format!("{line}\nstop\n")).collect();
    let start = Instant::now();
    let ran = run_with_input(&mut home.privy(), &["--tables", "off"], &format!("{input}quit\n"));
    assert!(ran.status == Some(0) && !ran.errors.contains("panicked"), "{:?} {}", ran.status, ran.errors);
    assert_eq!(ran.output.matches("\n\n").count(), 2 * lines.len() + 1);
    assert!(start.elapsed() < PATIENCE, "{:?}", start.elapsed());
}
