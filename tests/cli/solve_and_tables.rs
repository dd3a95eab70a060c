//! Tablebases on the command line: `privy solve`, `tables` and `probe`, with interrupts, damage, and limits of memory
//! and disk.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::support::binary;
use crate::support::session::option;

use binary::{Home, Ran, SMALL_VARIANT};

const FINGERPRINT: &str = "e5edd9f1ca3e508e";

/// A home folder whose tables folder holds the table of the small variant.
struct Solved {
    home: Home,
    folder: String,
    path: PathBuf,
}

impl Solved {
    fn new() -> Solved {
        let home = Home::new();
        let folder = home.join("my tables");
        let path = folder.join(format!("three-rows-{FINGERPRINT}.privy"));
        let folder = folder.to_str().unwrap().to_owned();
        let solved = Solved { home, folder, path };
        let line = solved.run(&["solve", SMALL_VARIANT]).success();
        assert!(line.starts_with("three-rows: ") && line.ends_with(", opening win 23 for the Rebels\n"), "{line}");
        assert!(solved.path.is_file());
        solved
    }

    /// Runs the binary with this folder.
    fn run(&self, arguments: &[&str]) -> Ran {
        self.home.run(&[arguments, &["--tables", &self.folder]].concat())
    }

    fn bytes(&self) -> Vec<u8> {
        fs::read(&self.path).unwrap()
    }

    /// Solves the small variant again in a shell with these limits.
    #[cfg(target_os = "linux")]
    fn solve_again_under(&self, limits: &str) -> Ran {
        let line = format!("{limits}; exec \"$0\" solve \"$1\" --force --tables \"$2\"");
        let mut command = std::process::Command::new("sh");
        command.args(["-c", &line, binary::PRIVY, SMALL_VARIANT, &self.folder]);
        binary::isolate(&mut command);
        binary::run(&mut command, &[])
    }

    /// The names of the files in the folder.
    fn files(&self) -> Vec<String> {
        files(Path::new(&self.folder))
    }
}

fn files(folder: &Path) -> Vec<String> {
    let names = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<String> = names.collect();
    names.sort();
    names
}

/// Runs `probe --batch -` with an input.
fn batch(mut command: std::process::Command, input: &[u8]) -> Ran {
    let command = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let input = input.to_vec();
    thread::spawn(move || drop(stdin.write_all(&input)));
    child.wait_with_output().unwrap().into()
}

#[test]
fn a_table_is_listed_described_probed_and_deleted() {
    let solved = Solved::new();
    let (path, size) = (solved.path.display(), solved.bytes().len());
    assert_eq!(solved.files(), [format!("three-rows-{FINGERPRINT}.privy")]);
    assert_eq!(solved.run(&["tables", "list"]).success(), format!("three-rows {FINGERPRINT} 33 {size} 9 {path}\n"));
    let again = solved.run(&["solve", SMALL_VARIANT]).success();
    assert_eq!(again, format!("three-rows: solved already, opening win 23 for the Rebels, {path}\n"));

    let statistics = solved.run(&["tables", "list", SMALL_VARIANT]).success();
    let lines: Vec<&str> = statistics.lines().collect();
    assert_eq!(lines[0], format!("three-rows {FINGERPRINT} {path}"));
    assert_eq!(
        lines[1],
        format!("opening win 23 for the Rebels, longest 33 plies with the Rebels to move, {size} bytes")
    );
    assert_eq!(lines[2].split_whitespace().collect::<Vec<_>>(), ["rebels", "to", "move", "won", "drawn", "lost"]);
    let rows: Vec<Vec<&str>> = lines[3..].iter().map(|line| line.split_whitespace().collect()).collect();
    let firsts: Vec<String> = rows.iter().map(|row| row[..2].join(" ")).collect();
    let layers = [3, 5, 7, 9].iter().flat_map(|rebels| [format!("{rebels} general"), format!("{rebels} rebels")]);
    assert_eq!(firsts, layers.collect::<Vec<_>>());
    assert_eq!(rows[7][2..], ["37103", "162", "7780"]);

    assert_eq!(solved.run(&["probe", SMALL_VARIANT]).success(), "win 23\n");
    // From the opening the plain solver takes seconds.
    let few = ["--fen", "1/3/2G2/5/r1r1r"];
    let why = solved.run(&[&["tables", "why", SMALL_VARIANT][..], &few].concat()).success();
    let lines: Vec<&str> = why.lines().collect();
    assert_eq!((lines[0], lines[lines.len() - 1]), ("table: loss 4", "plain solver: loss 4"));
    assert!(lines[1].starts_with("  ") && lines[1].ends_with(": loss 4"), "{why}");
    let moves = solved.run(&[&["probe", SMALL_VARIANT, "--moves"][..], &few].concat()).success();
    assert_eq!(lines.len() - 2, moves.lines().count());
    let over = ["tables", "why", SMALL_VARIANT, "--fen", "G/3/r4/1r1r1/r3r r"];
    assert_eq!(solved.run(&over).success(), "game over: general wins: apex\n");
    for (text, value) in [
        ("1/3/rrGrr/1r3/1rrrr g", "draw\n"),
        ("1/3/rrGrr/2r2/rr1rr g", "loss 22\n"),
        ("G/3/r4/1r1r1/r3r r", "game over: general wins: apex\n"),
    ] {
        assert_eq!(solved.run(&["probe", SMALL_VARIANT, "--fen", text]).success(), value, "{text}");
    }
    assert!(
        solved.run(&["probe", SMALL_VARIANT, "--fen", "rubbish"]).failure(1).starts_with("privy: illegal position: ")
    );
    solved.run(&["probe", SMALL_VARIANT, "--fen", "1/3/rrGrr/5/rrrrr r - 0 0 kings-gonu"]).failure(2);
    let even = solved.run(&["probe", SMALL_VARIANT, "--fen", "1/3/rrG1r/5/rrrrr"]).failure(1);
    assert_eq!(even, "privy: no table: even number of Rebels\n");

    let verified = solved.run(&["tables", "verify", SMALL_VARIANT]).success();
    assert!(verified.starts_with("three-rows: ") && verified.contains(" 0 wrong, "), "{verified}");
    let sampled = solved.run(&["tables", "verify", SMALL_VARIANT, "--sample", "1000"]).success();
    let expected = "three-rows: 1000 positions with the Rebels to move at random, 0 wrong, ";
    assert!(sampled.starts_with(expected), "{sampled}");
    solved.run(&["tables", "verify", SMALL_VARIANT, "--sample", "0"]).failure(2);
    solved.run(&["tables", "verify", SMALL_VARIANT, "--seed", "2"]).failure(2);

    // Leftovers of an interrupted solve are listed, and deleted with the table.
    fs::write(format!("{path}.resume"), "begun").unwrap();
    let listed = solved.run(&["tables", "list"]).success();
    assert!(listed.ends_with(&format!("begun: {path}.resume, 5 bytes\n")), "{listed}");
    let deleted = solved.run(&["tables", "delete", SMALL_VARIANT]).success();
    assert_eq!(deleted, format!("deleted {path}.resume\ndeleted {path}\n"));
    assert_eq!(solved.run(&["tables", "list"]).success(), "");
    let folder = &solved.folder;
    let solve = format!("privy solve {SMALL_VARIANT} --tables '{folder}'");
    let missing = format!("privy: no table of three-rows in {folder}; {solve} makes one\n");
    for tool in [["tables", "delete"].as_slice(), &["tables", "list"], &["probe"]] {
        assert_eq!(solved.run(&[tool, &[SMALL_VARIANT]].concat()).failure(1), missing);
    }
    assert!(solved.files().is_empty());
}

#[test]
fn tables_of_few_rebels_are_solved() {
    let home = Home::new();
    let folder = home.join("tables").to_str().unwrap().to_owned();
    let run = |arguments: &[&str]| home.run(&[arguments, &["--tables", &folder]].concat());
    let solve = |rebels: &str| run(&["solve", SMALL_VARIANT, "--rebels", rebels]);
    for wrong in ["2", "10"] {
        let complaint = solve(wrong).failure(1);
        let expected = format!("value out of range: rebels: expected 3 to 9 for three-rows, found {wrong}\n");
        assert_eq!(complaint, format!("privy: {expected}"));
    }
    assert!(run(&["tables", "list"]).success().is_empty());

    // Rebels fall in pairs here: up to 6 includes up to 5.
    assert!(solve("6").success().ends_with(", up to 5 Rebels\n"));
    assert!(run(&["tables", "list"]).success().contains(" 5 /"));
    let statistics = run(&["tables", "list", SMALL_VARIANT]).success();
    assert!(statistics.contains("\nup to 5 Rebels, longest ") && statistics.lines().count() == 3 + 4, "{statistics}");
    let verified = run(&["tables", "verify", SMALL_VARIANT]).success();
    assert!(verified.contains(" 0 wrong, counts as in the header up to 5 Rebels, "), "{verified}");
    let message = run(&["probe", SMALL_VARIANT]).failure(1);
    assert_eq!(message, "privy: no table: 9 Rebels; the table covers up to 5\n");

    // The engine searches outside the table and reaches its positions.
    let mut command = home.privy();
    command.args(["--tables", &folder, "--variant", SMALL_VARIANT]);
    let asked = b"go depth 2\nposition fen 1/3/1rGr1/1r3/1r1r1 g\ngo depth 2\n";
    let answers = batch(command, asked).success();
    assert!(!answers.contains(" tbhits 0 ") && answers.matches("bestmove ").count() == 2, "{answers}");
    assert!(answers.lines().any(|line| line.starts_with("info ") && line.contains(" nodes 0 ")), "{answers}");

    let again = |ran: Ran| ran.success().contains(": solved already, ");
    assert!(again(solve("6")) && again(solve("3")));
    assert!(solve("7").success().ends_with(", up to 7 Rebels\n"));
    assert!(again(solve("6")));
    assert!(run(&["solve", SMALL_VARIANT]).success().ends_with(", opening win 23 for the Rebels\n"));
    assert!(again(solve("3")));
    assert!(solve("2").failure(1).starts_with("privy: value out of range: "));
    assert_eq!(files(Path::new(&folder)), [format!("three-rows-{FINGERPRINT}.privy")]);
}

#[test]
fn a_batch_is_answered_line_by_line() {
    let solved = Solved::new();
    let input = b"\n1/3/rrGrr/5/rrrrr\nrubbish\n1/3/rrGrr/5/rrrrr r - 0 0 kings-gonu\n1/3/rrG1r/5/rrrrr\r\n\
        G/3/r4/1r1r1/r3r r\n \xff\xfe\n  1/3/rrGrr/5/1r1rr   g  ";
    let expected = [
        "? illegal position: empty",
        "win 23",
        "? illegal position: rows: expected 5 rows joined by /, found 1",
        "? the position is one of kings-gonu, the command line names three-rows",
        "? no table: even number of Rebels",
        "game over: general wins: apex",
        "? illegal position: ",
        "win 3",
    ];
    let check = |ran: Ran, name: &str| {
        let output = &ran.output;
        assert_eq!(output.lines().count(), expected.len(), "{output}");
        assert!(output.lines().zip(expected).all(|(line, start)| line.starts_with(start)), "{output}");
        assert_eq!(ran.failure(1), format!("privy: {name}: 5 of 8 lines refused\n"));
    };
    let mut command = solved.home.privy();
    command.args(["probe", SMALL_VARIANT, "--batch", "-", "--tables", &solved.folder]);
    check(batch(command, input), "standard input");
    let file = solved.home.join("positions.txt");
    fs::write(&file, input).unwrap();
    check(solved.run(&["probe", SMALL_VARIANT, "--batch", file.to_str().unwrap()]), file.to_str().unwrap());
    assert!(solved.run(&["probe", SMALL_VARIANT, "--batch", "/no/such/file"]).failure(1).contains("/no/such/file"));
    // An endless line is not a position.
    let endless = solved.run(&["probe", SMALL_VARIANT, "--batch", "/dev/zero"]).failure(1);
    assert!(endless.contains("/dev/zero: line 1: expected at most 65536 bytes, found more"), "{endless}");
    fs::write(&file, "").unwrap();
    assert_eq!(solved.run(&["probe", SMALL_VARIANT, "--batch", file.to_str().unwrap()]).success(), "");

    // Long inputs are answered while they are read, and the reader may close its end.
    let mut command = solved.home.privy();
    command.args(["probe", SMALL_VARIANT, "--batch", "-", "--tables", &solved.folder]);
    let many = batch(command, "1/3/rrGrr/5/rrrrr\n".repeat(50_000).as_bytes()).success();
    assert_eq!(many, "win 23\n".repeat(50_000));
    let mut command = solved.home.privy();
    command.args(["probe", SMALL_VARIANT, "--batch", "/dev/stdin", "--tables", &solved.folder]);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    let mut stdin = child.stdin.take().unwrap();
    while stdin.write_all(b"1/3/rrGrr/5/rrrrr\n").is_ok() {}
    assert_eq!(Ran::from(child.wait_with_output().unwrap()).success(), "");
}

#[test]
fn moves_are_played_first_and_all_moves_have_their_values() {
    let solved = Solved::new();
    let probe = |words: &[&str]| solved.run(&[&["probe", SMALL_VARIANT], words].concat());
    let all = probe(&["--moves"]).success();
    let moves: Vec<(&str, &str)> = all.lines().map(|line| line.split_once(' ').unwrap()).collect();
    assert_eq!(moves[0].1, "win 23");
    for (text, value) in &moves {
        let after = probe(&["--moves", text]).success();
        let (word, plies) = after.trim_end().split_once(' ').unwrap_or(("draw", "1"));
        let plies: u32 = plies.parse().unwrap();
        let before = match word {
            "win" => format!("loss {}", plies + 1),
            "loss" => format!("win {}", plies + 1),
            _ => "draw".to_owned(),
        };
        assert_eq!(*value, before, "{text}");
    }
    let line = [moves[0].0, solved.home.run(&["go", SMALL_VARIANT, "--moves", moves[0].0]).output.trim_end()]
        .map(|text| text.rsplit(' ').next().unwrap().to_owned());
    let [one_word, two_words] = [&["--moves", &line.join(" ")][..], &["--moves", &line[0], &line[1]]].map(probe);
    assert_eq!(one_word.success(), two_words.success());
    assert!(probe(&["--moves", "a1-a1"]).failure(1).starts_with("privy: illegal move: a1-a1: "));
}

#[test]
fn every_command_takes_the_folder() {
    let solved = Solved::new();
    for arguments in [
        ["--tables", &solved.folder, "probe", SMALL_VARIANT],
        ["probe", "--tables", &solved.folder, SMALL_VARIANT],
        ["probe", SMALL_VARIANT, "--tables", &solved.folder],
    ] {
        assert_eq!(solved.home.run(&arguments).success(), "win 23\n");
    }
    for arguments in [
        ["--tables", &solved.folder, "tables", "list"],
        ["tables", "--tables", &solved.folder, "list"],
        ["tables", "list", "--tables", &solved.folder],
    ] {
        assert!(solved.home.run(&arguments).success().starts_with("three-rows "));
    }
    let go = solved.run(&["go", SMALL_VARIANT, "--depth", "1"]).success();
    assert!(go.contains(" score +W23 ") && go.ends_with("bestmove c1-c2\n"), "{go}");
    let json: serde_json::Value =
        serde_json::from_str(&solved.run(&["go", SMALL_VARIANT, "--json"]).success()).unwrap();
    assert_eq!((&json["lines"][0]["win_in"], &json["lines"][0]["cut"]), (&23.into(), &false.into()));
    assert!(json["lines"][0]["proven_depth"].as_u64() >= Some(23), "{json}");
    assert!(json["tbhits"].as_u64() >= Some(15), "each move at least: {json}");
    let draw = ["go", SMALL_VARIANT, "--fen", "1/3/rrGrr/1r3/1rrrr g", "--json"];
    let draw: serde_json::Value = serde_json::from_str(&solved.run(&draw).success()).unwrap();
    assert_eq!((&draw["lines"][0]["score"], &draw["lines"][0]["proved_draw"]), (&"=".into(), &true.into()));
    let off = solved.home.run(&["go", SMALL_VARIANT, "--depth", "2", "--tables", "off"]);
    assert!(off.output.contains(" tbhits 0 ") && off.errors.is_empty(), "{off:?}");
    // The protocol loop.
    let mut command = solved.home.privy();
    command.args(["--tables", &solved.folder, "--variant", SMALL_VARIANT]);
    let answers = batch(command, b"probe\nlist_options\n").success();
    let (value, listed) = answers.split_once("\n\n").unwrap();
    assert_eq!((value, option(listed, "tables")), ("= win 23", solved.folder.as_str()));
}

/// Without `--tables`, tables are in the cache folder of the user.
#[test]
fn the_folder_of_the_user_is_found() {
    let home = Home::new();
    assert_eq!(home.run(&["tables", "list"]).success(), "", "nothing is there, and that is no fault");
    let without = home.run(&["go", SMALL_VARIANT, "--depth", "1"]);
    assert_eq!((without.status, without.errors.lines().count()), (Some(0), 1), "{without:?}");
    assert!(without.errors.starts_with("privy: no table of three-rows in "), "{without:?}");
    home.run(&["solve", SMALL_VARIANT]).success();
    let list = home.run(&["tables", "list", "--tables", "auto"]).success();
    let path = list.trim_end().splitn(6, ' ').last().unwrap();
    assert!(Path::new(path).starts_with(home.join("")) && path.contains("privy"), "{list}");
    let with = home.run(&["go", SMALL_VARIANT, "--depth", "1"]);
    assert!(with.output.contains("score +W23") && with.errors.is_empty(), "{with:?}");
    assert_eq!(home.run(&["probe", SMALL_VARIANT]).success(), "win 23\n");
    home.run(&["tables", "delete", SMALL_VARIANT]).success();
    assert!(!Path::new(path).exists());
}

#[test]
fn the_file_is_the_same_for_any_number_of_threads() {
    let solved = Solved::new();
    let bytes = solved.bytes();
    for threads in ["1", "2", "3"] {
        let line = solved.run(&["solve", SMALL_VARIANT, "--force", "--threads", threads]).success();
        assert!(line.ends_with(", opening win 23 for the Rebels\n"), "{line}");
        assert!(solved.bytes() == bytes, "{threads} threads");
    }
}

/// Every kind of damage is reported, no wrong value is given, and `solve` repairs the table.
#[test]
fn damaged_files_are_named_and_solved_again() {
    let solved = Solved::new();
    let bytes = solved.bytes();
    let path = solved.path.to_str().unwrap();
    let flipped = |at: usize| {
        let mut copy = bytes.clone();
        copy[at] ^= 0x10;
        copy
    };
    let damages = [0, 9, 100, 1500, bytes.len() / 2, bytes.len() - 30, bytes.len() - 1].map(flipped);
    let others = [Vec::new(), b"no table".to_vec(), bytes[..bytes.len() / 2].to_vec(), [&bytes[..], b"x"].concat()];
    for damaged in damages.into_iter().chain(others) {
        fs::write(&solved.path, &damaged).unwrap();
        for tool in [["probe"].as_slice(), &["tables", "list"]] {
            // Either the value is read from an undamaged part, or the damage is reported.
            let ran = solved.run(&[tool, &[SMALL_VARIANT]].concat());
            let named = format!("{}{}", ran.output, ran.errors).contains(path);
            let right = ran.output == "win 23\n" || ran.output.contains("\nopening win 23 for the Rebels, ");
            assert!(right || named, "{ran:?}");
        }
        let go = solved.run(&["go", SMALL_VARIANT, "--depth", "2"]);
        assert_eq!(go.status, Some(0), "{go:?}");
        assert!(go.output.contains("score +W23") || go.errors.contains(path), "{go:?}");
        let check = solved.run(&["tables", "verify", SMALL_VARIANT]);
        assert!(check.status == Some(1) && check.output.contains(path), "{check:?}");
        solved.run(&["tables", "list"]).success();
        let mended = solved.run(&["solve", SMALL_VARIANT]).success();
        let (first, rest) = mended.split_once('\n').unwrap();
        assert!(first.starts_with(&format!("three-rows: {path}: ")) && first.ends_with("; solving again"), "{mended}");
        assert!(rest.ends_with(", opening win 23 for the Rebels\n"), "{mended}");
        assert!(solved.bytes() == bytes);
    }
}

#[test]
fn a_table_of_other_rules_is_not_used() {
    let solved = Solved::new();
    let other = fs::read_to_string(SMALL_VARIANT).unwrap().replace("rebels_at_most = 2", "rebels_at_most = 4");
    let file = solved.home.join("other.toml");
    fs::write(&file, &other).unwrap();
    fs::copy("protocol/transcripts/three-rows-board.toml", solved.home.join("three-rows-board.toml")).unwrap();
    let file = file.to_str().unwrap();
    solved.run(&["probe", file]).failure(1);
    solved.run(&["solve", file]).success();
    let names = solved.files();
    assert_eq!(names.len(), 2);
    let own = names.iter().find(|name| !name.contains(FINGERPRINT)).unwrap();
    fs::copy(Path::new(&solved.folder).join(own), &solved.path).unwrap();
    let complaint = solved.run(&["probe", SMALL_VARIANT]).failure(1);
    assert!(complaint.contains(solved.path.to_str().unwrap()) && complaint.contains("a table of three-rows "));
    let again = solved.run(&["solve", SMALL_VARIANT]).success();
    assert!(again.contains("; solving again\n") && again.ends_with(", opening win 23 for the Rebels\n"), "{again}");
    assert_eq!(solved.run(&["probe", SMALL_VARIANT]).success(), "win 23\n");
}

/// The table of a game serves another with the same rules; only its own can be deleted by its name.
#[test]
fn a_game_with_another_id_has_the_same_table() {
    let solved = Solved::new();
    let text = fs::read_to_string(SMALL_VARIANT).unwrap().replacen("\"three-rows\"", "\"renamed\"", 1);
    let file = solved.home.join("renamed.toml");
    fs::write(&file, text).unwrap();
    fs::copy("protocol/transcripts/three-rows-board.toml", solved.home.join("three-rows-board.toml")).unwrap();
    let file = file.to_str().unwrap();
    assert_eq!(solved.run(&["probe", file]).success(), "win 23\n");
    let again = solved.run(&["solve", file]).success();
    assert_eq!(again, format!("renamed: solved already, opening win 23 for the Rebels, {}\n", solved.path.display()));
    let refused = solved.run(&["tables", "delete", file]).failure(1);
    let serves = "that of another game with its rules serves it";
    assert_eq!(refused, format!("privy: no table of renamed of its own; {serves}: {}\n", solved.path.display()));
    assert_eq!(solved.files().len(), 1);
    // Of two tables that with more Rebels is used, and a damaged one is not.
    solved.run(&["solve", file, "--force", "--rebels", "5"]).success();
    assert_eq!(solved.files().len(), 2);
    assert_eq!(solved.run(&["probe", file]).success(), "win 23\n");
    let own = solved.files().into_iter().find(|name| name.starts_with("renamed")).unwrap();
    fs::write(Path::new(&solved.folder).join(own), "damaged").unwrap();
    assert_eq!(solved.run(&["probe", file]).success(), "win 23\n");
    solved.run(&["solve", file, "--force"]).success();
    solved.run(&["tables", "delete", file]).success();
    assert_eq!(solved.run(&["probe", SMALL_VARIANT]).success(), "win 23\n");
}

#[test]
fn an_unsolvable_variant_is_refused() {
    let solved = Solved::new();
    let refused = solved.run(&["solve", "yeung-luk"]).failure(1);
    assert!(refused.starts_with("privy: yeung-luk can't be solved: 26 Rebels on 45 points make "), "{refused}");
    let limited = solved.home.join("limited.toml");
    let text = "extends = \"sixteen-rebels\"\nid = \"limited\"\ntitle = \"Limited\"\nmove_limit = { plies = 80 }\n";
    fs::write(&limited, text).unwrap();
    let why = "a table knows no history, and plies without capture are counted";
    for tool in [["solve"].as_slice(), &["probe"], &["tables", "list"]] {
        let refused = solved.run(&[tool, &[limited.to_str().unwrap()]].concat()).failure(1);
        assert_eq!(refused, format!("privy: limited can't be solved: {why}\n"), "{tool:?}");
    }
    let verified = solved.run(&["tables", "verify", limited.to_str().unwrap()]);
    assert!(verified.output.starts_with(&format!("limited: limited can't be solved: {why}\n")), "{verified:?}");
    let memory = solved.run(&["solve", "sixteen-rebels", "--memory", "1"]).failure(1);
    assert!(memory.starts_with("privy: sixteen-rebels needs ") && memory.contains("MiB"), "{memory}");
    assert_eq!(solved.files().len(), 1);
    // The other variants are solved.
    solved.run(&["tables", "delete", SMALL_VARIANT]).success();
    let all = solved.run(&["solve", limited.to_str().unwrap(), SMALL_VARIANT, "yeung-luk"]);
    assert!(all.status == Some(1) && all.output.ends_with(", opening win 23 for the Rebels\n"), "{all:?}");
    let lines: Vec<&str> = all.errors.lines().collect();
    let starts = [
        "privy: limited can't be solved: ",
        "privy: yeung-luk can't be solved: ",
        "privy: not solved: limited, yeung-luk",
    ];
    assert!(lines.len() == 3 && lines.iter().zip(starts).all(|(line, start)| line.starts_with(start)), "{all:?}");
    for folder in ["/dev/null", "/dev/null/tables"] {
        let ran = solved.home.run(&["solve", SMALL_VARIANT, "--tables", folder]);
        assert!(ran.status == Some(1) && ran.errors.contains("/dev/null"), "{ran:?}");
    }
}

/// A variant whose solve takes seconds.
fn slow_variant(home: &Home) -> String {
    variant_of_files(home, &["a", "b", "c", "d", "e", "f", "g"])
}

/// A variant with three rows and the given files. Each file multiplies the positions by eight.
fn variant_of_files(home: &Home, files: &[&str]) -> String {
    let count = files.len();
    let row = |row: u32| files.iter().map(|file| format!("{file}{row}")).collect::<Vec<_>>().join("-");
    let column = |file: &str| [1, 2, 3].map(|row| format!("{file}{row}")).join("-");
    let lines: Vec<String> = [1, 2, 3].map(row).into_iter().chain(files.iter().map(|file| column(file))).collect();
    let board =
        format!("id = \"long\"\ntitle = \"Long\"\nfield = {{ files = {count}, rows = 3 }}\nlines = {lines:?}\n");
    fs::write(home.join("long-board.toml"), board).unwrap();
    let path = home.join("long.toml");
    let (rebels, right) = ("r".repeat(count), count - 5);
    let variant = format!(
        "id = \"long\"\ntitle = \"Long\"\nboard = \"long-board.toml\"\nopening = \"{rebels}/r2G{right}r/{rebels}\"\n\
        first = \"general\"\nintervention = true\nfree_jumps = 3\nrebels_at_most = 3\n"
    );
    fs::write(&path, variant).unwrap();
    path.to_str().unwrap().to_owned()
}

#[cfg(unix)]
fn interrupt(child: &Child) {
    let sent = std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(sent.success());
}

/// The old file stays, no other file counts as a table, and the next run resumes and gives the same file.
#[cfg(unix)]
#[test]
fn an_interrupted_solve_leaves_no_trace_but_its_progress() {
    let home = Home::new();
    // Its layers take milliseconds: also on a busy machine one ends before the interrupt, and is kept in the time that
    // it leaves.
    let variant = variant_of_files(&home, &["a", "b", "c", "d", "e", "f"]);
    let [whole, broken] = ["whole", "broken"].map(|name| home.join(name));
    let solve = |folder: &Path| {
        let mut command = home.privy();
        command.args(["solve", &variant, "--force", "--tables", folder.to_str().unwrap()]);
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
    };
    let ended = |child: Child| Ran::from(child.wait_with_output().unwrap());
    let begun = Instant::now();
    let line = ended(solve(&whole)).success();
    let time = begun.elapsed();
    let name = files(&whole).concat();
    let table = fs::read(whole.join(&name)).unwrap();

    fs::create_dir(&broken).unwrap();
    fs::write(broken.join(&name), b"what was there before").unwrap();
    // The progress of a solve within a time depends on the other work of the machine at that moment.
    let hundredths = [50, 30, 70, 20, 85, 10, 40, 60, 100, 150, 5];
    let interrupted = hundredths.into_iter().cycle().take(20 * hundredths.len()).find_map(|part| {
        let child = solve(&broken);
        thread::sleep(time * part / 100);
        interrupt(&child);
        let ran = ended(child);
        let done = ran.status == Some(0);
        if done {
            fs::write(broken.join(&name), b"what was there before").unwrap();
        }
        // Beside other work there may be no time to keep anything.
        (ran.status == Some(130) && ran.errors.contains("the same command resumes")).then_some(ran)
    });
    let interrupted = interrupted.expect("an interrupt in time");
    assert_eq!(interrupted.output, "");
    assert!(interrupted.errors.starts_with("privy: interrupted") && interrupted.errors.lines().count() == 1);
    assert_eq!(fs::read(broken.join(&name)).unwrap(), b"what was there before");
    fs::remove_file(broken.join(&name)).unwrap();
    let folder = broken.to_str().unwrap();
    let list = home.run(&["tables", "list", "--tables", folder]).success();
    assert!(list.lines().all(|line| line.starts_with(&format!("begun: {folder}/{name}."))), "{list}");
    home.run(&["probe", &variant, "--tables", folder]).failure(1);

    let resumed = home.run(&["solve", &variant, "--tables", folder]).success();
    let last = |text: &str| text.lines().last().unwrap().rsplit(", ").next().unwrap().to_owned();
    assert_eq!(last(&resumed), last(&line));
    assert!(resumed.contains("long: resumed from "), "{resumed}");
    assert_eq!(files(&broken).concat(), name);
    assert!(fs::read(broken.join(&name)).unwrap() == table, "the same file");
}

/// Leftovers of a killed run do no harm.
#[test]
fn leftovers_are_removed_or_ignored() {
    let solved = Solved::new();
    let bytes = solved.bytes();
    for (ending, printed) in [(".unfinished", true), (".resume", false)] {
        let mut leftover = solved.path.clone().into_os_string();
        leftover.push(ending);
        fs::write(&leftover, &bytes[..1000]).unwrap();
        let list = solved.run(&["tables", "list"]).success();
        assert_eq!(
            (list.lines().count(), list.contains("\nbegun: ")),
            if printed { (1, false) } else { (2, true) },
            "{list}"
        );
        let again = solved.run(&["solve", SMALL_VARIANT, "--force"]).success();
        assert_eq!(again.contains("an interrupted run had left unfinished"), printed, "{again}");
        assert!(!again.contains("resumed"), "{again}");
        assert_eq!(solved.files().len(), 1);
        assert!(solved.bytes() == bytes);
    }
}

/// The solve is killed without a chance to clean up.
#[cfg(unix)]
#[test]
fn a_killed_solve_does_no_harm() {
    let home = Home::new();
    let variant = slow_variant(&home);
    let folder = home.join("tables");
    let tables = folder.to_str().unwrap();
    for ms in [0, 30, 300] {
        let mut command = home.privy();
        command.args(["solve", &variant, "--tables", tables]).stdin(Stdio::null()).stdout(Stdio::null());
        let mut child = command.stderr(Stdio::null()).spawn().unwrap();
        thread::sleep(Duration::from_millis(ms));
        child.kill().unwrap();
        if !child.wait().unwrap().success() {
            assert_eq!(home.run(&["tables", "list", "--tables", tables]).success(), "");
            home.run(&["probe", &variant, "--tables", tables]).failure(1);
        }
    }
    home.run(&["solve", SMALL_VARIANT, "--tables", tables]).success();
    assert_eq!(home.run(&["probe", SMALL_VARIANT, "--tables", tables]).success(), "win 23\n");
}

/// The solve is killed while it writes, by the limit on the size of files.
#[cfg(target_os = "linux")]
#[test]
fn a_solve_that_is_killed_while_it_writes_is_repeated() {
    let solved = Solved::new();
    let bytes = solved.bytes();
    let killed = solved.solve_again_under("ulimit -c 0; ulimit -f 8");
    assert_ne!(killed.status, Some(0), "{killed:?}");
    assert!(solved.bytes() == bytes, "the old table is as it was");
    assert_eq!(solved.run(&["probe", SMALL_VARIANT]).success(), "win 23\n");
    let leftovers = solved.files().len() - 1;
    let again = solved.run(&["solve", SMALL_VARIANT, "--force"]).success();
    assert_eq!(again.lines().count(), 1 + leftovers, "{again}");
    assert!(leftovers == 0 || again.contains("an interrupted run had left unfinished"), "{again}");
    assert!(solved.bytes() == bytes && solved.files().len() == 1);
}

/// Without this check, too large an allocation would end the program during the solve.
#[cfg(target_os = "linux")]
#[test]
fn too_little_memory_is_reported_before_the_work() {
    let home = Home::new();
    let folder = home.join("tables");
    let solve = |command: &mut std::process::Command| {
        binary::isolate(command);
        binary::run(command, &["solve", "sixteen-rebels", "--tables", folder.to_str().unwrap(), "--threads", "1"])
    };
    let mut limited = std::process::Command::new("sh");
    limited.args(["-c", "ulimit -v 220000; exec \"$0\" \"$@\"", binary::PRIVY]);
    let message = solve(&mut limited).failure(1);
    assert!(message.contains(" MiB of memory, which the system does not give"), "{message}");
    let refused = home.run(&["solve", "sixteen-rebels", "--memory", "100"]).failure(1);
    assert!(refused.contains("sixteen-rebels needs ") && refused.contains(" MiB, allowed are 100"), "{refused}");
}

/// The memory of a solve is known before it, and checked at once.
#[test]
fn memory_is_checked_before_the_work() {
    let home = Home::new();
    let variant = variant_of_files(&home, &["a", "b", "c", "d", "e", "f"]);
    let folder = |name: &str| home.join(name).to_str().unwrap().to_owned();
    let [whole, small] = ["whole", "small"].map(folder);
    home.run(&["solve", &variant, "--tables", &whole]).success();
    let with = |memory: u64| home.run(&["solve", &variant, "--tables", &small, "--memory", &memory.to_string()]);
    let refused = with(1).failure(1);
    let number = refused
        .strip_prefix("privy: long needs ")
        .and_then(|rest| rest.strip_suffix(" MiB, allowed are 1; --memory sets the limit\n"));
    let needed: u64 = number.unwrap_or_else(|| panic!("{refused}")).parse().unwrap();
    assert!(with(needed - 1).failure(1).contains(&format!("long needs {needed} MiB, allowed are ")));
    assert!(!Path::new(&small).exists(), "refused before anything is done");
    with(needed).success();
    let name = files(Path::new(&whole)).concat();
    assert_eq!(files(Path::new(&small)), [name.as_str()]);
    let [whole, small] = [whole, small].map(|folder| fs::read(Path::new(&folder).join(&name)).unwrap());
    assert!(whole == small, "the same file");
}

/// A pipe beside a table is not read: it is not a leftover.
#[cfg(unix)]
#[test]
fn pipes_beside_a_table_are_not_waited_for() {
    let solved = Solved::new();
    for ending in [".unfinished", ".resume"] {
        let mut pipe = solved.path.clone().into_os_string();
        pipe.push(ending);
        let _ = fs::remove_file(&pipe);
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        let mut command = std::process::Command::new("timeout");
        command.args(["-k", "1", "60", binary::PRIVY, "solve", SMALL_VARIANT, "--force", "--tables", &solved.folder]);
        binary::isolate(&mut command);
        assert!(binary::run(&mut command, &[]).success().ends_with(", opening win 23 for the Rebels\n"), "{ending}");
        assert_eq!(solved.files().len(), 1, "{ending}");
    }
    let pipe = solved.path.to_str().unwrap();
    fs::remove_file(pipe).unwrap();
    assert!(std::process::Command::new("mkfifo").arg(pipe).status().unwrap().success());
    let message = solved.run(&["solve", SMALL_VARIANT, "--force"]).failure(1);
    assert!(message.ends_with(".privy: expected a file or a new name, found a device or a pipe\n"), "{message}");
    for tool in [["probe"].as_slice(), &["tables", "list"]] {
        let message = solved.run(&[tool, &[SMALL_VARIANT]].concat()).failure(1);
        assert!(message.contains(".privy: expected a file"), "{message}");
    }
}

/// A full disk: no file may grow beyond a few KiB.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_leaves_the_old_file() {
    let solved = Solved::new();
    let bytes = solved.bytes();
    let failed = solved.solve_again_under("trap '' XFSZ; ulimit -f 8");
    assert_eq!(failed.status, Some(1), "{failed:?}");
    assert!(failed.errors.contains(".privy: File too large"), "{failed:?}");
    assert!(solved.bytes() == bytes && solved.files().len() == 1);
    solved.run(&["solve", SMALL_VARIANT, "--force"]).success();
}

/// Play from the table never enters a third occurrence by mistake, although the table knows no history.
#[test]
fn a_third_occurrence_counts_in_play_by_a_table() {
    let home = Home::new();
    let (board, game) = (home.join("five.toml"), home.join("five-points.toml"));
    let field = "field = { files = 2, rows = 3 }\nwithout = [\"b3\"]";
    let lines = "lines = [\"a1-b1\", \"a2-b2\", \"a1-a2-a3\", \"b1-b2\", \"a2-b1\"]";
    fs::write(&board, format!("id = \"five\"\ntitle = \"Five\"\n{field}\n{lines}\n")).unwrap();
    let rules = "opening = \"1/rr/G1\"\nfirst = \"general\"\nstatic = \"any\"\nrebels_at_most = 0";
    fs::write(&game, format!("id = \"five-points\"\ntitle = \"Five\"\nboard = \"five.toml\"\n{rules}\n")).unwrap();
    let (game, tables) = (game.to_str().unwrap(), home.join("tables"));
    home.run(&["solve", game, "--tables", tables.to_str().unwrap()]).success();
    // By the table all moves lose. But after b2-a2 the only reply of the Rebels makes a third occurrence.
    let moves = "a1-b1 a2-a3 b1-a2 b2-b1 a2-b2 b1-a1 b2-a2 a1-b1 a2-b2 b1-a1";
    let input = format!("probe moves\nposition startpos moves {moves}\nprobe moves\ngo depth 1\nquit\n");
    let mut command = home.privy();
    let ran = binary::run_with_input(&mut command, &["--variant", game, "--tables", tables.to_str().unwrap()], &input);
    let message = ran.success();
    assert!(message.contains("bestmove b2-a2") && message.contains(" score = "), "{message}");
}
