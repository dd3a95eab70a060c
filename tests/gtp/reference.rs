//! The reference `protocol/PROTOCOL.md` agrees with the program: every example is played as written, with its own process. A test
//! of the protocol crate compares what it says of commands.
//!
//! `PRIVY_REGENERATE=1 cargo test --test all gtp::reference::` records the answers of the engine in the examples.

use std::fs;
use std::path::PathBuf;

use crate::support::session;

use session::Session;

const OPENING_FENCE: &str = "```session";

fn path() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("protocol/PROTOCOL.md")
}

fn reference() -> String {
    fs::read_to_string(path()).unwrap()
}

/// A part of the reference.
enum Part {
    /// A line outside the examples.
    Line(String),
    /// An example, with the number of its first line.
    Example(usize, String),
}

fn parts(text: &str) -> Vec<Part> {
    let mut parts = Vec::new();
    let mut lines = text.lines().enumerate();
    while let Some((number, line)) = lines.next() {
        parts.push(Part::Line(line.to_owned()));
        if line == OPENING_FENCE {
            let example: Vec<&str> = lines.by_ref().map(|(_, line)| line).take_while(|line| *line != "```").collect();
            parts.push(Part::Example(number + 2, example.join("\n")));
            parts.push(Part::Line("```".to_owned()));
        }
    }
    parts
}

#[test]
fn examples_are_answered_as_they_are_written() {
    let mut faults = Vec::new();
    let mut played = String::new();
    for part in parts(&reference()) {
        match part {
            Part::Line(line) => played += &(line + "\n"),
            Part::Example(number, example) => {
                let (text, result) = Session::parse(&example).play();
                played += &text;
                faults.extend(result.err().map(|fault| format!("line {number}:\n{fault}")));
            }
        }
    }
    if session::regenerates() {
        fs::write(path(), played).unwrap();
    } else {
        assert!(faults.is_empty(), "{}", faults.join("\n"));
    }
}

#[test]
fn examples_for_gui_authors_are_answered_as_they_are_written() {
    let text = fs::read_to_string(PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("docs/GUI_AUTHORS.md")).unwrap();
    for part in parts(&text) {
        if let Part::Example(number, example) = part {
            let (_, result) = Session::parse(&example).play();
            assert!(result.is_ok(), "line {number}: {result:?}");
        }
    }
}
