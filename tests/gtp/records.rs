//! `load` and `save`: games of sessions in files.

use std::fs;
use std::io::Cursor;

use privy_engine::Engine;
use privy_testing::replies::replies;

use crate::support::binary::{Home, SMALL_VARIANT};

/// Runs a session in this process; gives its answers, errors with `? `.
fn ask(lines: &[String]) -> Vec<String> {
    let (mut engine, mut output) = (Engine::new(), Vec::new());
    engine.set_option("tables", "off").unwrap();
    privy_engine::session::run(engine, Cursor::new(lines.join("\n")), &mut output, |_| {}).unwrap();
    replies(&output)
        .into_iter()
        .map(|reply| if reply.is_success() { reply.text().to_owned() } else { format!("? {}", reply.text()) })
        .collect()
}

fn lines(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|text| (*text).to_owned()).collect()
}

/// In every form, under names with spaces; free jumps, counters, a move that no points mean, rules of a file.
#[test]
fn a_saved_game_is_loaded_as_it_was() {
    let home = Home::new();
    for (begin, moves) in [
        ("position fen 1/3/rrrrr/r3r/r1G1r/r3r/rrrrr g - 0 0 sixteen-rebels moves c3-b4 d5-d4", "c3-b4 d5-d4"),
        ("position fen 5/1r1r1/2G3/1r1r1/5 g 1 7 12 kings-gonu moves c3~c4", "c3~c4"),
        ("position fen 1/3/rrGrr/5/rrrrr r - 0 0 three-rows", ""),
    ] {
        for name in ["a game.txt", "a game.json", "a game 2.sgf"] {
            let file = home.join(name);
            let file = file.display();
            let [save, load, other] = [format!("save {file}"), format!("load {file}"), format!("load {file} 1")];
            let own = format!("variant {SMALL_VARIANT}");
            let replies = ask(&[
                &lines(&[&own, begin, "history"])[..],
                &[save],
                &lines(&["variant adugo"]),
                &[load],
                &lines(&["history", "undo", "variant coyote"]),
                &[other],
                &lines(&["history"]),
            ]
            .concat());
            assert_eq!((replies[3].as_str(), replies[5].as_str(), replies[9].as_str()), ("", "", ""), "{replies:?}");
            assert_eq!([&replies[6], &replies[10]], [&replies[2]; 2], "{name}");
            assert!(replies[2].ends_with(moves) && replies[7].starts_with("? cannot undo") == moves.is_empty());
        }
    }
}

/// No record, one of several, an illegal game, other rules, a folder: the game stays, and so does the file that is
/// there.
#[test]
fn what_fails_changes_nothing() {
    let home = Home::new();
    let write = |name: &str, text: &str| fs::write(home.join(name), text).unwrap();
    write("two.txt", "[Variant \"coyote\"]\n\n*\n\n[Variant \"adugo\"]\n\n*\n");
    write("empty.txt", "");
    write("secret", "root:hunter2");
    write("go.sgf", " ( ;GM[1]SZ[19];B[aa])");
    write("notes.txt", "(milk, bread)");
    write("package.json", "{\"name\": \"page\", \"moves\": []}");
    write("illegal.txt", "[Variant \"sixteen-rebels\"]\n\n1. c3-c9 *\n");
    write("beside.txt", "[Variant \"sixteen-rebels\"]\n\n1. c3-c4 (1. c3-c9) *\n");
    write("other.txt", "[Variant \"sixteen-rebels\"]\n[Fingerprint \"0123456789abcdef\"]\n\n*\n");
    write("own.txt", "[Variant \"three-rows\"]\n\n*\n");
    let before = "position startpos moves c3-b4";
    for (command, reason) in [
        ("load two.txt", "? cannot load file: @/two.txt: it has 2 games; say which one"),
        ("load two.txt 3", "? cannot load file: @/two.txt: expected a game record, found 2 games"),
        ("load empty.txt", "? cannot load file: @/empty.txt: expected a game record, found 0 games"),
        (
            "load secret",
            "? cannot load file: @/secret: line 1: expected a game record; privy replay says what is wrong",
        ),
        ("load illegal.txt", "? cannot load file: @/illegal.txt: ply 1: c3-c9: there is no point c9 on the board"),
        ("load beside.txt", "? cannot load file: @/beside.txt: ply 1: c3-c9: there is no point c9 on the board"),
        ("load other.txt", "? cannot load file: @/other.txt: fingerprint 0123456789abcdef: expected "),
        (
            "load own.txt",
            "? cannot load file: @/own.txt: variant \"three-rows\": expected the id of a built-in variant",
        ),
        ("load .", "? cannot load file: @/.: expected a file"),
        ("save no/where.sgf", "? cannot save file: @/no/where.sgf: "),
        ("save notes.txt", "? cannot save file: @/notes.txt: expected a new name or a file of game records"),
        ("save package.json", "? cannot save file: @/package.json: expected a new name or a file of game records"),
        ("save secret", "? cannot save file: @/secret: expected a name that ends in .txt, .json or .sgf"),
    ] {
        let (name, file) = command.split_once(' ').unwrap();
        let folder = home.join("").display().to_string();
        let folder = folder.trim_end_matches('/');
        let replies = ask(&lines(&[before, "history", &format!("{name} {folder}/{file}"), "history"]));
        let found = replies[2].replace(folder, "@");
        assert!(found.starts_with(reason), "{command}: {found}");
        assert_eq!(replies[3], replies[1]);
    }
    assert!(!home.join("no").exists() && fs::read(home.join("secret")).unwrap() == b"root:hunter2");
    assert_eq!(fs::read_to_string(home.join("notes.txt")).unwrap(), "(milk, bread)");
    for name in ["go.sgf", "empty.txt", "illegal.txt"] {
        assert_eq!(ask(&[format!("save {}", home.join(name).display())]), [""], "{name}");
    }
    let two = format!("load {} 2", home.join("two.txt").display());
    assert_eq!(ask(&[two, "variant".to_owned()]), ["", "adugo"]);
}
