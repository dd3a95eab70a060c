//! An independent client and an independent reader of SGF: the npm libraries `@sabaki/gtp` and `@sabaki/sgf` of the GUI
//! Sabaki, which `.ci/node` fetches.

use std::fs;
use std::path::Path;
use std::process::Command;

use privy_records::Record;
use privy_records::sgf::write_sgf;

use crate::support::{binary, tools};

/// Comments that try to leave their place, glyphs, variations in variations, a first position with free jumps, a move
/// that no points mean.
const RECORDS: [&str; 2] = [
    "[Variant \"sixteen-rebels\"]\n[General \"]\\\\;W[aa]\"]\n\n{be]fore} 1. c3-b4! {-0.31/8 12ms} {]\\\\);W[aa]C[} (1. c3-c4 $6 {two\\nlines} \
     2. d5-d4 (2. e4-d4?? {deep}) 3. c4-c3) (1. c3-b3) 2. d5-c5!! *",
    "[Variant \"kings-gonu\"]\n[Opening \"5/1r1r1/2G3/1r1r1/5 g 1 0 0 kings-gonu\"]\n\n1. c3~c4 {free} (1. c3-c4? {a slide}) *",
];

/// The scripts of `tests/sabaki`.
const SCRIPTS: [&str; 2] = ["session.js", "records.js"];

/// Every day transcripts and records of the engine's own readers stand for it.
#[test]
#[ignore = "release: needs node and npm packages"]
fn sabaki_plays_syncs_and_undoes_and_reads_records() {
    let home = binary::Home::new();
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/sabaki");
    let Some(modules) = tools::node_modules("sabaki") else {
        return tools::skip("the packages of Sabaki are not there; .ci/node fetches them");
    };
    for script in SCRIPTS {
        fs::copy(source.join(script), home.join(script)).unwrap();
    }
    std::os::unix::fs::symlink(modules, home.join("node_modules")).unwrap();
    let mut session = Command::new("node");
    session.arg(home.join("session.js")).arg(binary::PRIVY);
    binary::isolate(&mut session);
    let output = session.output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert!(output.status.success(), "{}{}", text(&output.stdout), text(&output.stderr));
    assert_eq!(text(&output.stdout).lines().filter(|line| line.ends_with(": ok")).count(), 5);

    let (mut sgf, mut json) = (String::new(), String::new());
    for record in RECORDS {
        let record: Record = record.parse().unwrap();
        sgf += &(write_sgf(&record, None, &[]).unwrap() + "\n");
        json += &(serde_json::to_string(&record).unwrap() + "\n");
    }
    assert!(sgf.contains("MOVE[c3~c4]"), "{sgf}");
    let [game, expected] = [("game.sgf", sgf), ("game.json", json)].map(|(name, text)| {
        fs::write(home.join(name), text).unwrap();
        home.join(name)
    });
    let output = Command::new("node").arg(home.join("records.js")).args([game, expected]).output().unwrap();
    assert_eq!(text(&output.stdout), "2 records: ok\n", "{}", text(&output.stderr));
}

#[test]
fn lock_files_name_no_host() {
    for folder in ["sabaki", "browser"] {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(folder).join("package-lock.json");
        let lock = fs::read_to_string(path).unwrap();
        assert!(lock.contains("\"integrity\"") && !lock.contains("://"), "{folder}: {lock}");
    }
}
