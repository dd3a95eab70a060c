//! The terminal: the loop answers all lines, those of a person are edited. A pipe gets the same answers with and
//! without a terminal.

use std::io::Write;
use std::process::{Command, Stdio};

use crate::support::binary;

use binary::{Home, PRIVY};

/// A script types in a pseudo-terminal.
#[cfg(target_os = "linux")]
#[test]
fn the_loop_answers_every_line_and_a_person_edits_them() {
    let home = Home::new();
    let mut command = Command::new("python3");
    command.args(["tests/support/terminal_session.py", PRIVY]).current_dir(env!("CARGO_MANIFEST_DIR"));
    let output = command.env("HOME", home.join("")).env("XDG_CACHE_HOME", home.join("cache")).output().unwrap();
    assert!(output.status.success(), "{output:?}");
}

/// The board is drawn on the terminal; the answers in the pipe stay the same.
#[test]
fn a_pipe_gets_only_the_answers() {
    let session = |arguments: &[&str]| {
        let mut command = binary::privy();
        command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        child.stdin.take().unwrap().write_all(b"play c3-b2\n7 fen\nundo\nquit\n").unwrap();
        let output = child.wait_with_output().unwrap();
        (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap())
    };
    let (plain, nothing) = session(&[]);
    assert_eq!(
        plain,
        "= \n\n=7 1/3/rrrrr/r3r/r3r/1G2r/rr1rr r - 0 1 sixteen-rebels\n\n= \n\n= \n\n".replace("r3r/1G2r", "4r/rG2r")
    );
    assert_eq!(nothing, "");
    let (same, boards) = session(&["--show-board"]);
    assert_eq!(same, plain);
    assert_eq!(boards.matches("to move, ply ").count(), 3, "{boards}");
}

#[test]
fn manual_pages_are_written() {
    let home = Home::new();
    let page = home.run(&["man"]).success();
    assert!(page.starts_with(".ie") && page.contains(".TH privy 1") && page.contains("privy\\-gogui(1)"), "{page}");
    let folder = home.join("man/man1");
    assert_eq!(home.run(&["man", folder.to_str().unwrap()]).success(), "");
    for name in ["privy.1", "privy-gogui.1", "privy-tables-list.1"] {
        assert!(folder.join(name).exists(), "{name}");
    }
}
