//! The reference `protocol/PROTOCOL.md` agrees with the program: the sections of commands begin with what the commands say of
//! themselves, and every example is played as written, with its own process.
//!
//! `PRIVY_REGENERATE=1 cargo test --test all gtp::reference::` writes the beginnings of the sections anew, and records the answers of the
//! engine in the examples. The notes are written by hand.

use std::fs;
use std::path::PathBuf;

use privy_protocol::{Command, CommandHelp, ErrorCode};

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

#[test]
fn sections_begin_with_what_the_commands_say() {
    let written = reference();
    let generated = with_generated_parts(&written);
    if session::regenerates() {
        fs::write(path(), &generated).unwrap();
    } else {
        assert!(written == generated, "PROTOCOL.md is stale: run this test with PRIVY_REGENERATE=1");
    }
}

/// All commands that have a section, in the order of the sections.
fn commands() -> impl Iterator<Item = CommandHelp> {
    Command::all_help().chain(privy_gogui::own_help())
}

/// A text in lines of the usual length.
fn wrapped(text: &str) -> String {
    let mut lines = vec![String::new()];
    for word in text.split(' ') {
        let line = lines.last_mut().unwrap();
        if !line.is_empty() && line.chars().count() + word.chars().count() >= 130 {
            lines.push(word.to_owned());
        } else {
            *line += if line.is_empty() { "" } else { " " };
            *line += word;
        }
    }
    lines.join("\n")
}

/// What a section says before the notes and the example: synopsis, purpose, answer, failure.
fn beginning(command: CommandHelp) -> String {
    let (first, others) = command.summary.split_at(1);
    let summary = format!("{}{others}.", first.to_uppercase());
    let answer = wrapped(&format!("**Answer**: {}", command.answer));
    let failure = wrapped(&format!("**Failure**: {}", command.failure));
    format!("### `{}`\n\n    {}\n\n{summary}\n\n{answer}\n\n{failure}\n", command.name, command.synopsis())
}

/// The page with the beginnings of its sections, and the list of the commands of both loops, as they are now.
fn with_generated_parts(text: &str) -> String {
    let mut page = String::new();
    let mut commands = commands();
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        if line.starts_with("### `") {
            let command = commands.next().unwrap_or_else(|| panic!("no command for {line}"));
            assert_eq!(line, format!("### `{}`", command.name), "in the order of the commands");
            page += &beginning(command);
            let failure = lines.by_ref().find(|line| line.starts_with("**Failure**")).expect("a line on failure");
            let rest = lines.by_ref().take_while(|line| !line.is_empty());
            assert!(!failure.is_empty() && rest.count() < 10);
            page.push('\n');
        } else if line == SHARED_BEGIN {
            let shared: Vec<String> = privy_gogui::shared_help().map(|help| format!("`{}`", help.name)).collect();
            page += &format!("{SHARED_BEGIN}\n{}\n{SHARED_END}\n", wrapped(&(shared.join(", ") + ".")));
            lines.by_ref().take_while(|line| *line != SHARED_END).for_each(drop);
        } else {
            page += &format!("{line}\n");
        }
    }
    let left: Vec<&str> = commands.map(|command| command.name).collect();
    assert!(left.is_empty(), "no section of {left:?}");
    page
}

/// What encloses the list of the commands that both loops have.
const SHARED_BEGIN: &str = "<!-- shared commands -->";
const SHARED_END: &str = "<!-- end -->";

#[test]
fn every_command_has_an_example() {
    let text = reference();
    let mut sections = text.split("\n### `").skip(1);
    for command in commands() {
        let section = sections.next().unwrap();
        assert!(section.starts_with(&format!("{}`", command.name)));
        assert!(section.contains("```session"), "{}", command.name);
        let typed = section.lines().filter_map(|line| line.strip_prefix("> "));
        assert!(typed.flat_map(str::split_whitespace).any(|word| word == command.name), "{}", command.name);
    }
}

#[test]
fn every_error_phrase_is_described() {
    let text = reference();
    for phrase in ErrorCode::ALL.iter().map(|code| code.as_str()) {
        assert!(text.contains(&format!("| `{phrase}` |")), "{phrase}");
    }
}
