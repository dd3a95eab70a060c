//! Invalid variant and board files: each is refused with file, line, the value found and the value expected.
//!
//! The cases are in `tests/data/wrong`: edits of two valid files, `game.toml` and `board.toml`, and the messages.
//!
//! | line | meaning |
//! |---|---|
//! | `== WHAT` | a case begins |
//! | `-- FILE START` | in this file, the line with this start is replaced by the lines below; `*` means the whole file |
//! | `>> MESSAGE` | an expected line of `privy variants check game.toml` |
//!
//! `PRIVY_REGENERATE=1 cargo test --test all cli::wrong_files::` writes the messages anew. They are read in-process;
//! processes show that the command, the others and the engine print the same.

use std::fs;
use std::path::Path;

use privy_base::message::sanitized;
use privy_rules::{BoardFile, VariantError, VariantFile};

use crate::support::binary::{Home, Ran, run, run_with_input};
use crate::support::snapshot;

const GAME: &str = include_str!("../data/wrong/game.toml");
const BOARD: &str = include_str!("../data/wrong/board.toml");

/// The files of cases, with their number at least.
const CASES: [(&str, usize); 4] = [("files", 130), ("points", 20), ("rules", 36), ("hands", 30)];

/// A case: its lines without the messages, and the files that they make of the valid ones.
struct Case {
    lines: Vec<String>,
    game: String,
    board: String,
}

impl Case {
    fn new(lines: Vec<String>) -> Case {
        let (mut game, mut board) = (GAME.to_owned(), BOARD.to_owned());
        let edits = lines.join("\n");
        for edit in edits.split("\n-- ").skip(1) {
            let (head, new) = edit.split_once('\n').unwrap_or((edit, ""));
            let (file, start) = head.split_once(' ').unwrap();
            let text = if file == "game" { &mut game } else { &mut board };
            *text = edited(text, start, new);
        }
        Case { lines, game, board }
    }

    fn all(text: &str) -> Vec<Case> {
        let lines = text.lines().filter(|line| !line.starts_with(">> ")).map(str::to_owned).collect::<Vec<_>>();
        let cases = lines.chunk_by(|_, next| !next.starts_with("== "));
        cases.map(|lines| Case::new(lines.to_vec())).collect()
    }

    fn write(&self, folder: &Path) {
        fs::write(folder.join("game.toml"), &self.game).unwrap();
        fs::write(folder.join("board.toml"), &self.board).unwrap();
    }
}

/// The text with one line replaced.
fn edited(text: &str, start: &str, new: &str) -> String {
    if start == "*" {
        return if new.is_empty() { String::new() } else { format!("{new}\n") };
    }
    let is_key = start.chars().all(|c| c.is_ascii_lowercase() || c == '_');
    let starts = |line: &&str| line.starts_with(start) && (!is_key || line[start.len()..].starts_with(' '));
    assert_eq!(text.lines().filter(starts).count(), 1, "{start}: {new}");
    text.lines().map(|line| if starts(&line) { new } else { line }).fold(String::new(), |text, line| text + line + "\n")
}

/// The faults of a variant file as `privy variants check` prints them, with paths from its folder.
fn faults(path: &Path) -> Vec<String> {
    assert!(BoardFile::read(path).unwrap().is_none());
    let faults = match VariantFile::read(path) {
        Ok(file) => file.probable_mistakes(),
        Err(VariantError::Wrong(faults)) => faults.iter().cloned().collect(),
        Err(error) => panic!("{error}"),
    };
    let folder = format!("{}/", path.parent().unwrap().display());
    faults.iter().map(|fault| sanitized(&fault.to_string(), usize::MAX).replace(&folder, "")).collect()
}

fn checked(home: &Home, game: &str, board: &str, words: &[&str]) -> Ran {
    let folder = home.join("");
    fs::write(folder.join("game.toml"), game).unwrap();
    fs::write(folder.join("board.toml"), board).unwrap();
    run(home.privy().current_dir(&folder), words)
}

#[test]
fn the_files_are_valid_without_edits() {
    let home = Home::new();
    let words = ["variants", "check", "game.toml", "board.toml", "--games", "20"];
    let checked = checked(&home, GAME, BOARD, &words).success();
    assert!(checked.starts_with("own: Own\n") && checked.contains("\nsmall: Small\n"), "{checked}");
    assert!(!checked.contains("warning"), "{checked}");
}

#[test]
fn every_wrong_file_is_refused_with_its_line_and_a_cure() {
    let home = Home::new();
    let game = home.join("game.toml");
    for (name, least) in CASES {
        let path = format!("tests/data/wrong/{name}.txt");
        let cases = Case::all(&snapshot::read(&path));
        assert!(cases.len() >= least, "{path}: {}", cases.len());
        let mut made = String::new();
        for case in cases {
            case.write(&home.join(""));
            let faults = faults(&game);
            let what = case.lines.join("\n");
            assert!(!faults.is_empty(), "{path}: {what}");
            for fault in &faults {
                let has_place = fault.starts_with("game.toml:") || fault.starts_with("board.toml:");
                let cures = ["expected ", "did you mean ", "from the top they have "];
                assert!(has_place && cures.iter().any(|cure| fault.contains(cure)), "{path}: {what}\n{fault}");
            }
            made.extend(case.lines.iter().map(|line| format!("{line}\n")));
            made.extend(faults.iter().map(|fault| format!(">> {fault}\n")));
        }
        snapshot::check(&path, &made);
    }
}

/// The command prints the faults that are found in-process, and counts them; so does each other command, and the engine
/// shows the first.
#[test]
fn commands_and_the_engine_report_the_same_errors() {
    let home = Home::new();
    let cases = Case::all(&snapshot::read("tests/data/wrong/files.txt"));
    for (what, count) in [("== a word without quotes", "1 error"), ("== 1 for true, and no side", "5 errors")] {
        let case = cases.iter().find(|case| case.lines[0] == what).unwrap();
        let ran = checked(&home, &case.game, &case.board, &["variants", "check", "game.toml"]);
        assert_eq!(ran.output.lines().collect::<Vec<_>>(), faults(&home.join("game.toml")), "{what}");
        assert_eq!(ran.failure(1), format!("privy: not sound: game.toml: {count}\n"), "{what}");
    }
    let game = GAME.replace("true", "1");
    let first = "game.toml:6: intervention: found 1; expected true or false";
    let second = "game.toml:9: close_privy: found 1; expected true or false";
    let complaint = checked(&home, &game, BOARD, &["perft", "game.toml", "1"]).failure(1);
    assert_eq!(complaint, format!("privy: cannot load file: {first}\n{second}\n"));
    let mut engine = home.privy();
    engine.current_dir(home.join(""));
    let answered = run_with_input(&mut engine, &[], "variant game.toml\nvariant\n").success();
    let expected =
        format!("? cannot load file: {first} (and 1 more: privy variants check names them)\n\n= sixteen-rebels\n\n");
    assert_eq!(answered, expected);
}
