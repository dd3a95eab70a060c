//! Every file that a command or a session reads, as machines and people damage it. The rows follow from the manual
//! pages, so that no argument of the command line is left out.
//!
//! What a command does with its file, and what it prints of it, only a process shows; what the readers make of each
//! damage is tried in-process, by `readers.rs`. A byte order mark, line ends of Windows and a link change nothing. All
//! else ends in time, without a panic, with an error that names the file.
#![cfg(target_os = "linux")]

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs;
use std::io::{Read, Write};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::LazyLock;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use privy_base::message::is_unsafe;
use privy_rules::Variant;
use privy_search::eval::Weights;

use super::damage::{DAMAGES, Damage, Expected, Kind, Subject, damaged, feed};
use crate::support::binary::{Home, PRIVY, SMALL_VARIANT};
use crate::support::late::PATIENCE;

/// Limit of every run.
pub(super) const IN_TIME: Duration = Duration::from_secs(120);

/// A file that is read.
struct Row {
    /// The manual page and the argument, or the command of a session.
    reader: (&'static str, &'static str),
    kind: Kind,
    /// The name of the file below the home folder.
    name: String,
    /// The words of the command line; `@` is the path, `~` the home folder.
    words: &'static [&'static str],
    /// The input; `@` is the path.
    input: &'static str,
    /// An unusable file is left aside with a warning.
    is_optional: bool,
}

/// Arguments that name what is written, or no file.
const WRITTEN: [(&str, &str); 10] = [
    ("privy-prove", "output"),
    ("privy-match", "record"),
    ("privy-match-merge", "record"),
    ("privy-man", "FOLDER"),
    ("privy-variants-new", "FILE"),
    ("privy-review", "svg"),
    ("any", "log"),
    // Rows of their own have the files in it.
    ("any", "tables"),
    ("privy-match", "part"),
    ("privy-puzzles", "GAME"),
];

/// The variant file of all commands that take one, with the words of the command.
const OF_VARIANTS: [(&str, &str, &[&str], &str); 22] = [
    ("privy-play", "GAME", &["play", "@", "--terminal", "--seed", "1"], "quit\n"),
    ("privy", "variant", &["--variant", "@"], "variant\n"),
    ("privy-gogui", "variant", &["gogui", "--variant", "@"], "variant\n"),
    ("privy-board", "VARIANT", &["board", "@"], ""),
    ("privy-go", "VARIANT", &["go", "@", "--nodes", "10"], ""),
    ("privy-analyze", "variant", &["analyze", "--variant", "@", "--nodes", "10"], "{}\n"),
    ("privy-perft", "VARIANT", &["perft", "@", "1"], ""),
    ("privy-probe", "VARIANT", &["probe", "@"], ""),
    ("privy-tables-why", "VARIANT", &["tables", "why", "@", "--fen", "1/3/2G2/5/r1r1r"], ""),
    ("privy-prove", "VARIANT", &["prove", "@", "--nodes", "1000", "--hash", "1", "--output", "~/new.proof"], ""),
    ("privy-check-proof", "variant", &["check-proof", "~/good.proof", "--variant", "@"], ""),
    (
        "privy-compliance",
        "variant",
        &["compliance", "--engine", ENGINE_A, "--variant", "@", "--step", "start.name"],
        "",
    ),
    (
        "privy-match",
        "variant",
        &["match", "--variant", "@", "--engine", ENGINE_A, "--engine", ENGINE_B, "--nodes", "10"],
        "",
    ),
    ("privy-match-merge", "variant", &["match", "merge", "~/match.jsonl", "--variant", "@"], ""),
    ("privy-replay", "variant", &["replay", "~/good.record", "--variant", "@"], ""),
    ("privy-review", "variant", &["review", "~/good.record", "--game", "1", "--variant", "@"], ""),
    ("privy-solve", "VARIANTS", &["solve", "@"], ""),
    ("privy-tables-list", "VARIANT", &["tables", "list", "@"], ""),
    ("privy-tables-verify", "VARIANTS", &["tables", "verify", "@"], ""),
    ("privy-tables-delete", "VARIANT", &["tables", "delete", "@", "--tables", "~/none"], ""),
    ("privy-variants-check", "FILES", &["variants", "check", "@", "--games", "1"], ""),
    ("privy-variants-show", "VARIANT", &["variants", "show", "@"], ""),
];

const ENGINE_A: &str = concat!("name=a,cmd=\"'", env!("CARGO_BIN_EXE_privy"), "' --tables off\"");
const ENGINE_B: &str = concat!("name=b,cmd=\"'", env!("CARGO_BIN_EXE_privy"), "' --tables off\"");

fn small_board() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("protocol/transcripts/three-rows-board.toml")
}

/// The small variant as a file that may lie anywhere.
fn small_variant() -> String {
    let text = fs::read_to_string(SMALL_VARIANT).unwrap();
    text.replace("three-rows-board.toml", small_board().to_str().unwrap())
}

/// The name of the proof of the small variant in a folder of tables.
fn proof_name() -> String {
    let variant = Variant::from_file(SMALL_VARIANT.as_ref()).unwrap();
    format!("{}-{}.proof.zst", variant.id(), variant.fingerprint())
}

/// A home folder with a good file of every kind, made by the program itself.
pub(super) struct Place {
    home: Home,
    pub(super) folder: PathBuf,
}

/// The files of a place, by their names below its folder. They are made once.
static GOOD_FILES: LazyLock<Vec<(PathBuf, Vec<u8>)>> = LazyLock::new(|| {
    let place = Place::made();
    let (mut folders, mut files) = (vec![place.folder.clone()], Vec::new());
    while let Some(folder) = folders.pop() {
        for path in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
            if path.is_dir() {
                folders.push(path);
            } else {
                files.push((path.strip_prefix(&place.folder).unwrap().to_owned(), fs::read(path).unwrap()));
            }
        }
    }
    files
});

impl Place {
    fn empty() -> Place {
        let home = Home::new();
        let folder = home.join("").canonicalize().unwrap();
        Place { home, folder }
    }

    pub(super) fn new() -> Place {
        let place = Place::empty();
        for (name, bytes) in GOOD_FILES.iter() {
            let path = place.folder.join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, bytes).unwrap();
        }
        place
    }

    fn made() -> Place {
        let place = Place::empty();
        fs::write(place.folder.join("small.toml"), small_variant()).unwrap();
        fs::copy(small_board(), place.folder.join("board.toml")).unwrap();
        let done = |words: &[&str], input: &str| {
            let ran = place.run(words, input, &place.folder.join("good.sgf"));
            assert!(ran.status == Some(0) && !ran.is_failure(), "{words:?}: {}", ran.told);
            ran.output
        };
        done(&["solve", SMALL_VARIANT], "");
        let proved = ["prove", SMALL_VARIANT, "--nodes", "1000", "--hash", "1", "--output"];
        done(&[&proved[..], &["~/good.proof"]].concat(), "");
        done(&[&proved[..], &["~/good.proof.zst"]].concat(), "");
        let engines = ["--engine", ENGINE_A, "--engine", ENGINE_B, "--nodes", "10"];
        let played = ["match", "--variant", SMALL_VARIANT, "--file", "~/match.jsonl", "--record", "~/good.record"];
        done(&[&played[..], &engines[..]].concat(), "");
        let variant = Variant::from_file(SMALL_VARIANT.as_ref()).unwrap();
        fs::write(place.folder.join("good.weights"), Weights::of(&variant).to_toml(&variant)).unwrap();
        done(&["gogui", "--variant", SMALL_VARIANT], "genmove b\ngenmove b\nprintsgf @\n");
        fs::copy(place.folder.join("good.proof.zst"), place.folder.join(proof_name())).unwrap();
        let json = done(&["replay", "~/good.record", "--variant", SMALL_VARIANT, "--to", "json"], "");
        fs::write(place.folder.join("good.json"), json).unwrap();
        let position = done(&["--variant", SMALL_VARIANT], "fen\n");
        fs::write(place.folder.join("good.positions"), position.trim_start_matches("= ").replace("\n\n", "\n"))
            .unwrap();
        let lines = "{\"id\":\"café\",\"limits\":{\"nodes\":10}}\n".repeat(3);
        fs::write(place.folder.join("good.jsonl"), lines).unwrap();
        place
    }

    /// The files, each with what reads it.
    fn rows(&self) -> Vec<Row> {
        let row = |reader, kind, name: &str, words, input| Row {
            reader,
            kind,
            name: name.to_owned(),
            words,
            input,
            is_optional: false,
        };
        const TOML: Kind = Kind::Text("#");
        let of_variant = |(page, argument, words, input)| row((page, argument), TOML, "small.toml", words, input);
        let mut rows: Vec<Row> = OF_VARIANTS.into_iter().map(of_variant).collect();
        let replay: &[&str] = &["replay", "@", "--variant", SMALL_VARIANT];
        let replayed = ["good.record", "good.json", "good.sgf"];
        rows.extend(replayed.map(|name| row(("privy-replay", "FILE"), Kind::Stream(""), name, replay, "")));
        let drawn: &[&str] = &["board", SMALL_VARIANT, "--game", "@", "--number", "1"];
        rows.push(row(("privy-board", "game"), Kind::Stream(""), "good.record", drawn, ""));
        let review: &[&str] = &["review", "@", "--game", "1", "--variant", SMALL_VARIANT];
        rows.push(row(("privy-review", "FILE"), Kind::Stream(""), "good.record", review, ""));
        rows.extend([
            row(
                ("privy-probe", "batch"),
                Kind::Stream("#"),
                "good.positions",
                &["probe", SMALL_VARIANT, "--batch", "@"],
                "",
            ),
            row(("privy-analyze", "FILE"), Kind::Stream(""), "good.jsonl", &["analyze", "@"], ""),
            row(
                ("privy-check-proof", "FILE"),
                TOML,
                "good.proof",
                &["check-proof", "@", "--variant", SMALL_VARIANT],
                "",
            ),
            row(
                ("privy-check-proof", "FILE"),
                Kind::Binary,
                "good.proof.zst",
                &["check-proof", "@", "--variant", SMALL_VARIANT],
                "",
            ),
            row(("privy-match-merge", "FILES"), Kind::Lines, "match.jsonl", &["match", "merge", "@"], ""),
            row(("privy-match", "resume"), Kind::Lines, "match.jsonl", &["match", "--trust", "--resume", "@"], ""),
            row(
                ("privy-match", "file"),
                Kind::Lines,
                "part.jsonl",
                &[
                    "match",
                    "--part",
                    "1-9",
                    "--file",
                    "@",
                    "--variant",
                    SMALL_VARIANT,
                    "--engine",
                    ENGINE_A,
                    "--engine",
                    ENGINE_B,
                    "--nodes",
                    "10",
                ],
                "",
            ),
            row(
                ("privy-match", "openings"),
                Kind::Stream("#"),
                "good.positions",
                &[
                    "match",
                    "--openings",
                    "@",
                    "--variant",
                    SMALL_VARIANT,
                    "--engine",
                    ENGINE_A,
                    "--engine",
                    ENGINE_B,
                    "--nodes",
                    "10",
                ],
                "",
            ),
            row(("privy-variants-check", "FILES"), TOML, "board.toml", &["variants", "check", "@"], ""),
            row(("privy-variants-show", "VARIANT"), TOML, "board.toml", &["variants", "show", "@"], ""),
            row(("session", "variant"), TOML, "small.toml", &[], "variant @\nvariant\n"),
            row(("session", "weights"), TOML, "good.weights", &["--variant", SMALL_VARIANT], "set_option weights @\n"),
            row(
                ("session", "loadsgf"),
                Kind::Text(""),
                "good.sgf",
                &["gogui", "--variant", SMALL_VARIANT],
                "loadsgf @\nfen\n",
            ),
        ]);
        let kept = fs::read_dir(self.folder.join("cache/privy/tables")).unwrap().map(|entry| entry.unwrap().path());
        let table = kept.map(|path| path.strip_prefix(&self.folder).unwrap().to_str().unwrap().to_owned());
        for table in table {
            let probe = row(("tables", "probe"), Kind::Binary, &table, &["probe", SMALL_VARIANT], "");
            let list = row(("tables", "list"), Kind::Binary, &table, &["tables", "list"], "");
            rows.extend([probe, Row { is_optional: true, ..list }]);
        }
        let play = row(("tables", "go"), Kind::Binary, &proof_name(), &["go", SMALL_VARIANT, "--nodes", "10"], "");
        rows.push(Row { is_optional: true, ..play });
        rows
    }

    fn filled(&self, word: &str, path: &Path) -> String {
        word.replace('@', path.to_str().unwrap()).replace("~/", &format!("{}/", self.folder.display()))
    }

    /// Runs a command to its end, which must come in time and without a panic.
    fn run(&self, words: &[&str], input: &str, path: &Path) -> Ran {
        let arguments = words.iter().map(|word| self.filled(word, path));
        let mut command = self.home.privy();
        command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let mut pipe = child.stdin.take().unwrap();
        let _ = pipe.write_all(input.replace('@', path.to_str().unwrap()).as_bytes());
        drop(pipe);
        let (mut output, mut errors) = (child.stdout.take().unwrap(), child.stderr.take().unwrap());
        thread::scope(|scope| {
            let errors = scope.spawn(move || read_all(&mut errors));
            let output = scope.spawn(move || read_all(&mut output));
            let begun = Instant::now();
            let status = loop {
                match child.try_wait().unwrap() {
                    Some(status) => break status,
                    None if begun.elapsed() > IN_TIME => {
                        child.kill().unwrap();
                        panic!("{words:?} {} does not end", path.display());
                    }
                    None => thread::sleep(Duration::from_millis(2)),
                }
            };
            let (output, errors) = (output.join().unwrap(), errors.join().unwrap());
            Ran { status: status.code(), told: output.clone() + &errors, output, errors }
        })
    }
}

struct Ran {
    status: Option<i32>,
    output: String,
    errors: String,
    told: String,
}

impl Ran {
    /// True if nothing that is shown moves the cursor or changes the direction of writing.
    fn is_safe(&self) -> bool {
        !self.told.contains(|letter| is_unsafe(letter) && letter != '\n')
    }

    /// Says that something has failed, by its status or in an answer of a session.
    fn is_failure(&self) -> bool {
        matches!(self.status, Some(1 | 2)) || self.output.starts_with('?') || self.output.contains("\n?")
    }
}

/// The text of an output.
fn read_all(source: &mut impl Read) -> String {
    let mut bytes = Vec::new();
    source.read_to_end(&mut bytes).unwrap();
    String::from_utf8(bytes).unwrap()
}

impl Row {
    fn subject(&self) -> Subject {
        let is_lenient = self.name.ends_with(".sgf") || self.reader.1 == "batch";
        Subject { kind: self.kind, is_lenient, is_begun: self.reader.1 == "file" }
    }

    /// True if a kind of damage is tried daily, by its number and that of the row. The error of a missing file and of
    /// wrong contents names the file, and a byte order mark shows that the one reader of all texts reads it; of the
    /// other kinds each row has one in turn. Lines are answered by the command line alone: no reader in-process is
    /// tried with each kind.
    fn is_tried_daily(&self, row: usize, damage: usize) -> bool {
        let is_of_lines = [("privy-probe", "batch"), ("privy-analyze", "FILE")].contains(&self.reader);
        let is_text = self.kind != Kind::Binary && !self.subject().is_lenient;
        let wrong = if is_text { Damage::Latin1 } else { Damage::Cut(1) };
        let is_usual = [Damage::Mark, wrong, Damage::Missing].contains(&DAMAGES[damage]);
        // The first is the mark, the last a missing file.
        is_of_lines || is_usual || damage == 1 + row % (DAMAGES.len() - 2)
    }

    /// Runs the command with a damaged file, in a folder of this number.
    fn run(&self, place: &Place, damage: Damage, number: usize) -> Ran {
        let bytes = fs::read(place.folder.join(&self.name)).unwrap();
        let folder = place.folder.join(format!("row-{number}"));
        fs::create_dir_all(&folder).unwrap();
        let path = folder.join(self.file_name());
        damaged(&bytes, damage, self.kind, &path);
        // A table is found by its name alone.
        let mut words = self.words.to_vec();
        if self.reader.0 == "tables" {
            words.extend(["--tables", folder.to_str().unwrap()]);
        }
        let is_ended = &AtomicBool::new(false);
        let ran = thread::scope(|scope| {
            if damage == Damage::Pipe {
                let (path, bytes) = (&path, &bytes);
                scope.spawn(move || feed(path, bytes, is_ended));
            }
            let ran = place.run(&words, self.input, &path);
            is_ended.store(true, Ordering::Relaxed);
            ran
        });
        fs::remove_dir_all(&folder).unwrap();
        ran
    }

    fn file_name(&self) -> &str {
        Path::new(&self.name).file_name().unwrap().to_str().unwrap()
    }

    /// Runs the command with a damaged file, and gives what is wrong.
    fn fault(&self, place: &Place, good: &Ran, damage: Damage, number: usize) -> Option<String> {
        let ran = self.run(place, damage, number);
        let is_named = ran.told.contains(self.file_name());
        // A file that is shown is shown as it is.
        let is_safe = ran.is_safe() || self.reader.0 == "privy-variants-show";
        let is_clean = ran.status.is_some_and(|status| status <= 2) && !ran.told.contains("panicked") && is_safe;
        let is_right = match self.subject().expected(damage) {
            Expected::Same => {
                let is_timed = [" s", "time"].iter().any(|word| good.output.contains(word));
                ran.status == good.status && (is_timed || without_digits(&good.output) == without_digits(&ran.output))
            }
            Expected::Refused if self.is_optional => is_named || damage == Damage::Missing,
            // Its folder and the command that makes it are named.
            Expected::Refused if self.reader.0 == "tables" && damage == Damage::Missing => ran.is_failure(),
            Expected::Refused => ran.is_failure() && is_named,
            // A line that cannot be read is answered with its fault.
            Expected::Either => !ran.is_failure() || is_named || self.reader.1 == "batch",
        };
        let Ran { status, output, errors, .. } = &ran;
        let short = |text: &str| text.chars().take(600).collect::<String>();
        let told =
            || format!("{:?} {damage:?} {:?}: {status:?}\n{}{}", self.reader, self.name, short(output), short(errors));
        (!is_clean || !is_right).then(told)
    }
}

/// A text without the numbers of rows and times.
fn without_digits(text: &str) -> String {
    text.chars().filter(|letter| !letter.is_ascii_digit() && *letter != '\r').collect()
}

/// The arguments of the command line that name a file: the manual page, and the name of the option or of the value.
fn file_arguments(place: &Place) -> BTreeSet<(String, String)> {
    let pages = place.folder.join("man");
    assert_eq!(place.run(&["man", "~/man"], "", Path::new("@")).status, Some(0));
    let mut found = BTreeSet::new();
    for entry in fs::read_dir(pages).unwrap().flatten() {
        let page = entry.file_name().to_str().unwrap().trim_end_matches(".1").to_owned();
        let text = fs::read_to_string(entry.path()).unwrap().replace("\\-", "-");
        for line in text.lines() {
            let value = line.split("\\fI").nth(1).and_then(|rest| rest.split("\\fR").next()).unwrap_or_default();
            let value = value.trim_matches(['<', '>', '[', ']', '.']);
            let option = line.strip_prefix("\\fB--").and_then(|rest| rest.split("\\fR").next());
            let is_argument = option.is_some() || line.starts_with(['<', '[']);
            let is_file = ["FILE", "FILES", "VARIANT", "VARIANTS", "DIR", "FOLDER", "CHOICE", "GAME"].contains(&value);
            if is_argument && is_file {
                let page = if ["log", "tables"].contains(&option.unwrap_or_default()) { "any" } else { &page };
                found.insert((page.to_owned(), option.unwrap_or(value).to_owned()));
            }
        }
    }
    found
}

#[test]
fn every_file_of_the_command_line_has_a_row() {
    let place = Place::new();
    let rows = place.rows();
    let known: BTreeSet<(String, String)> = rows
        .iter()
        .map(|row| row.reader)
        .chain(WRITTEN)
        .map(|(page, name)| (page.to_owned(), name.to_owned()))
        .collect();
    let missing: Vec<_> = file_arguments(&place).difference(&known).cloned().collect();
    assert!(missing.is_empty() && rows.len() > OF_VARIANTS.len(), "{missing:?}");
}

/// Runs the command of each row with damaged files, of the kinds that are chosen by the row and the numbers of both.
fn damage_files(is_tried: impl Fn(&Row, usize, usize) -> bool + Sync) {
    let place = Place::new();
    fs::copy(place.folder.join("match.jsonl"), place.folder.join("part.jsonl")).unwrap();
    let part = fs::read_to_string(place.folder.join("part.jsonl")).unwrap();
    fs::write(place.folder.join("part.jsonl"), part.replacen("\"recover\":", "\"part\":\"1-9\",\"recover\":", 1))
        .unwrap();
    let rows = place.rows();
    let faults = std::sync::Mutex::new(Vec::new());
    let next = AtomicUsize::new(0);
    thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                loop {
                    let at = next.fetch_add(1, Ordering::Relaxed);
                    let Some(row) = rows.get(at) else { break };
                    let number = |damage| 100 * (at + 1) + damage;
                    let good = row.run(&place, Damage::None, number(0));
                    // There is no table to be deleted.
                    if good.is_failure() && row.reader.0 != "privy-tables-delete" {
                        faults.lock().unwrap().push(format!("{:?}: {}", row.reader, good.told));
                        continue;
                    }
                    for (kind, damage) in DAMAGES.into_iter().enumerate().filter(|(kind, _)| is_tried(row, at, *kind)) {
                        let fault = row.fault(&place, &good, damage, number(kind + 1));
                        faults.lock().unwrap().extend(fault);
                    }
                }
            });
        }
    });
    let faults = faults.into_inner().unwrap();
    assert!(faults.is_empty(), "{} faults\n{}", faults.len(), faults.join("\n"));
}

/// Every damage is tried with each reader in `readers.rs`.
#[test]
fn no_file_hangs_or_crashes_its_reader_and_every_error_names_it() {
    damage_files(Row::is_tried_daily);
}

#[test]
#[ignore = "release: every file with every kind of damage, a thousand processes"]
fn no_damage_of_any_file_hangs_or_crashes_its_command() {
    damage_files(|_, _, _| true);
}

/// A name of a file need not be text.
#[test]
fn names_that_are_not_utf8_are_read_or_refused() {
    let place = Place::new();
    for (name, words) in
        [("good.record", &["replay"][..]), ("good.proof", &["check-proof"]), ("match.jsonl", &["match", "merge"])]
    {
        let path = place.folder.join(OsStr::from_bytes(b"caf\xe9\x1b[31m"));
        fs::copy(place.folder.join(name), &path).unwrap();
        let ran = place.home.privy().args(words).arg(&path).args(["--variant", SMALL_VARIANT]).output().unwrap();
        assert!(ran.status.success(), "{name}: {ran:?}");
        fs::write(&path, "x").unwrap();
        let ran = place.home.privy().args(words).arg(&path).args(["--variant", SMALL_VARIANT]).output().unwrap();
        let told = String::from_utf8(ran.stderr).unwrap();
        assert!(ran.status.code() == Some(1) && told.contains("caf\u{fffd}\\u{1b}[31m"), "{name}: {told}");
        fs::remove_file(path).unwrap();
    }
    let mut command = Command::new(PRIVY);
    let ran = command.args(["board"]).arg(OsStr::from_bytes(b"caf\xe9.toml")).output().unwrap();
    let told = String::from_utf8(ran.stderr).unwrap();
    assert!(ran.status.code() == Some(1) && told.starts_with("privy: cannot load file: caf\u{fffd}.toml: "), "{told}");
}

/// A frame of zstd (RFC 8878): a text, then six billion line feeds in blocks that repeat a byte.
fn bomb(text: &str) -> Vec<u8> {
    const BLOCK: u32 = 1 << 17;
    let block = |kind: u32, size: u32| ((size << 3) | (kind << 1)).to_le_bytes()[..3].to_vec();
    let mut bytes = b"\x28\xb5\x2f\xfd\x00\x40".to_vec();
    bytes.extend([block(0, text.len() as u32), text.as_bytes().to_vec()].concat());
    for _ in 0..6_000_000_000_u64 / u64::from(BLOCK) {
        bytes.extend(block(1, BLOCK));
        bytes.push(b'\n');
    }
    bytes
}

#[test]
fn a_compressed_proof_is_bounded_and_whole() {
    let place = Place::new();
    let path = place.folder.join(proof_name());
    let good = fs::read(&path).unwrap();
    let words = ["check-proof", "@", "--variant", SMALL_VARIANT];
    let refused = |bytes: &[u8], expected: &str| {
        fs::write(&path, bytes).unwrap();
        let begun = Instant::now();
        let ran = place.run(&words, "", &path);
        assert!(ran.status == Some(1) && ran.errors.contains(expected), "{expected}: {}", ran.told);
        assert!(begun.elapsed() < PATIENCE);
    };
    refused(&[&good[..], b"garbage"].concat(), "damaged zstd file: expected its end after the compressed text");
    let mut wrong = good.clone();
    *wrong.last_mut().unwrap() ^= 1;
    refused(&wrong, "damaged zstd file: its contents do not have its checksum");
    let text = place.run(&["check-proof", "~/good.proof", "--variant", SMALL_VARIANT], "", Path::new("@"));
    assert_eq!(text.status, Some(0));
    let heading = fs::read_to_string(place.folder.join("good.proof")).unwrap().lines().next().unwrap().to_owned();
    let bomb = bomb(&(heading + "\n"));
    refused(&bomb, "line 1002: expected at most 1000 comments and blank lines");
    // Beside tables it does not keep a move.
    let begun = Instant::now();
    let tables = place.folder.to_str().unwrap();
    let ran = place.run(&["go", SMALL_VARIANT, "--time", "100", "--tables", tables], "", Path::new("@"));
    assert!(
        ran.status == Some(0) && ran.output.contains("bestmove ") && ran.errors.contains(&proof_name()),
        "{}",
        ran.told
    );
    assert!(begun.elapsed() < PATIENCE);
}

/// ESC, BEL, CSI, a change of the direction of writing, a line separator, an invisible character.
const UNSAFE: &str = "\u{1b}[31m\u{7}\u{9b}\u{202e}\u{2028}\u{200b}";

/// What files say is shown escaped, whatever shows it.
#[test]
fn text_of_files_is_shown_escaped() {
    let place = Place::new();
    let in_toml: String = UNSAFE.chars().map(|letter| format!("\\u{:04x}", u32::from(letter))).collect();
    let game = small_variant();
    let titled = |line: &str| match line.split_once(" = ") {
        Some(("title", _)) => format!("title = \"T{in_toml}\"\n"),
        _ => format!("{line}\n"),
    };
    let titled: String = game.lines().map(titled).collect();
    let record = |general: &str| format!("[General \"{general}\"]\n[Variant \"kings-gonu\"]\n\n*\n");
    let sgf = format!("(;SZ[6]RU[kings-gonu]PW[{UNSAFE}])");
    let json = format!("{{\"general\":\"{UNSAFE}\",\"variant\":\"kings-gonu\",\"result\":\"*\",\"moves\":[]}}")
        .replace(['\u{1b}', '\u{7}'], "");
    let variant = ["--variant", SMALL_VARIANT];
    let files: [(&str, String, &[&[&str]], &str); 8] = [
        (
            "t.toml",
            titled,
            &[
                &["board", "@"],
                &["board", "@", "--svg"],
                &["variants", "check", "@", "--games", "0"],
                &["gogui", "--variant", "@"],
            ],
            "gogui-title\nshowboard\nexplain\n",
        ),
        ("wrong.toml", format!("id = \"{in_toml}\"\n"), &[&["board", "@"], &["variants", "check", "@"]], ""),
        (
            "r.record",
            record(UNSAFE),
            &[&["replay", "@"], &["replay", "@", "--to", "json"], &["board", "--game", "@"]],
            "",
        ),
        (
            "r.sgf",
            sgf,
            &[&["replay", "@"], &["replay", "@", "--to", "json"], &["board", "--game", "@"], &["gogui"]],
            "loadsgf @\nprintsgf\n",
        ),
        ("r.json", json, &[&["replay", "@"], &["replay", "@", "--to", "json"], &["board", "--game", "@"]], ""),
        ("lines", format!("{UNSAFE}\n"), &[&["probe", SMALL_VARIANT, "--batch", "@"]], ""),
        ("x.proof", UNSAFE.to_owned(), &[&["check-proof", "@"], &["match", "merge", "@"]], ""),
        (
            "none",
            String::new(),
            &[&["replay", "~/none\u{202e}\u{1b}"], &["tables", "list", "--tables", "~/\u{202e}"]],
            "",
        ),
    ];
    for (name, text, commands, input) in files {
        let path = place.folder.join(name);
        fs::write(&path, text).unwrap();
        for words in commands {
            let ran = place.run(words, input, &path);
            assert!(ran.status.is_some_and(|status| status <= 2) && ran.is_safe(), "{words:?}: {:?}", ran.told);
        }
    }
    // A failure of any command quotes what it was given.
    for words in [&variant[..], &[&["gogui"][..], &variant].concat()] {
        let listed = place.run(words, "list_commands\n", Path::new("@")).output;
        let commands = listed.trim_start_matches("= ").lines().filter(|line| !["", "quit", "printsgf"].contains(line));
        let quoted: String =
            commands.map(|command| format!("{command} \u{202e}x \u{2028}\n{command} w \u{202e}\n")).collect();
        let ran = place.run(words, &quoted, Path::new("@"));
        assert!(
            ran.status == Some(0) && ran.output.matches("\\u{202e}").count() > 20 && ran.is_safe(),
            "{:?}",
            ran.told
        );
    }
}

/// The words of the commands that write a file, `@`.
const WRITERS: [(&str, &str, &[&str], &str); 8] = [
    // The game is too large to be proved in the time of a test: the file is tried before.
    ("privy-prove", "output", &["prove", "sixteen-rebels", "--hash", "1", "--output", "@"], ""),
    (
        "privy-match",
        "file",
        &["match", "--engine", ENGINE_A, "--engine", ENGINE_B, "--time", "60000", "--file", "@"],
        "",
    ),
    (
        "privy-match",
        "record",
        &["match", "--engine", ENGINE_A, "--engine", ENGINE_B, "--time", "60000", "--record", "@"],
        "",
    ),
    (
        "privy-match-merge",
        "record",
        &["match", "merge", "~/match.jsonl", "--variant", SMALL_VARIANT, "--record", "@"],
        "",
    ),
    ("privy-man", "FOLDER", &["man", "@"], ""),
    ("privy-variants-new", "FILE", &["variants", "new", "@"], ""),
    ("any", "log", &["board", "sixteen-rebels", "--log", "@"], ""),
    ("session", "printsgf", &["gogui"], "printsgf @\n"),
];

/// What cannot be written is refused at once, before the work, and stays as it was.
#[test]
fn writers_refuse_what_is_no_file_before_their_work() {
    let place = Place::new();
    for (page, name, words, input) in WRITERS {
        for damage in [Damage::Folder, Damage::Pipe, Damage::Endless, Damage::Missing] {
            // Pages are written into a folder; a log may go to a device, or to a program that reads it from a pipe.
            if matches!((name, damage), ("FOLDER", Damage::Folder) | ("log", Damage::Pipe | Damage::Endless)) {
                continue;
            }
            let folder = place.folder.join("writers");
            fs::create_dir_all(&folder).unwrap();
            let path = folder.join("subject.toml");
            damaged(b"", damage, Kind::Binary, &path);
            // Below what is no folder.
            let path = if damage == Damage::Missing { place.folder.join("match.jsonl/subject.toml") } else { path };
            let begun = Instant::now();
            let ran = place.run(words, input, &path);
            let is_right = ran.is_failure() && ran.told.contains("subject.toml") && !ran.told.contains("panicked");
            assert!(is_right && begun.elapsed() < PATIENCE, "{page} {name} {damage:?}: {}", ran.told);
            let is_kept =
                damage != Damage::Folder || fs::read_dir(&path).is_ok_and(|mut entries| entries.next().is_none());
            assert!(is_kept, "{page} {name}");
            fs::remove_dir_all(&folder).unwrap();
        }
    }
}
