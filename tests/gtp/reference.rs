//! The reference, `protocol/PROTOCOL.md`, agrees with the program: every example is played with a process of its own,
//! and the commands that are described are those that there are.
//!
//! `PRIVY_REGENERATE=1 cargo test --test gtp reference::` writes the answers that the engine gives into the examples.

use std::fs;
use std::path::PathBuf;

use privy_protocol::{ErrorPhrase, Form};

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
    /// A line that is no part of an example.
    Line(String),
    /// An example, and the number of its first line.
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

/// The sections of commands: heading, and the lines below it.
fn sections(text: &str) -> Vec<(String, Vec<String>)> {
    let mut sections: Vec<(String, Vec<String>)> = Vec::new();
    let mut inside = false;
    for line in text.lines() {
        if let Some(name) = line.strip_prefix("### `").and_then(|rest| rest.strip_suffix('`')) {
            sections.push((name.to_owned(), Vec::new()));
            inside = true;
        } else if line.starts_with("## ") || line.starts_with("### ") {
            inside = false;
        } else if let Some((_, lines)) = sections.last_mut().filter(|_| inside) {
            lines.push(line.to_owned());
        }
    }
    sections
}

#[test]
fn sections_and_commands_are_the_same() {
    let text = reference();
    let sections = sections(&text);
    let commands: Vec<_> = Form::WholeMoves.own_commands().chain(Form::HalfMoves.own_commands()).collect();
    let described: Vec<&str> = sections.iter().map(|(name, _)| name.as_str()).collect();
    let names: Vec<&str> = commands.iter().map(|command| command.name).collect();
    assert_eq!(described, names, "in the order of the table of commands");
    for ((name, lines), command) in sections.iter().zip(commands) {
        assert_eq!(lines[1], format!("    {}", command.synopsis()), "synopsis");
        for label in ["**Answer**", "**Failure**", OPENING_FENCE] {
            assert!(lines.iter().any(|line| line.starts_with(label)), "{name}: {label}");
        }
        let typed = lines.iter().filter_map(|line| line.strip_prefix("> "));
        assert!(typed.flat_map(str::split_whitespace).any(|word| word == name), "{name}: no example of it");
        let arguments = lines.iter().any(|line| line.starts_with("**Arguments**"));
        assert_eq!(arguments, !command.arguments.is_empty(), "{name}: arguments");
    }
}

#[test]
fn every_error_phrase_is_described() {
    let text = reference();
    for phrase in ErrorPhrase::ALL {
        assert!(text.contains(&format!("| `{phrase}` |")), "{phrase}");
    }
}

#[test]
fn commands_of_both_forms_are_listed() {
    let text = reference();
    let list = text.split("### Commands of both forms").nth(1).unwrap().split("## ").next().unwrap();
    let list = list.split(". Those about").next().unwrap();
    let listed: Vec<&str> = list.split('`').skip(1).step_by(2).collect();
    let shared: Vec<&str> = Form::HalfMoves.shared_commands().map(|command| command.name).collect();
    assert_eq!(listed, shared);
}
