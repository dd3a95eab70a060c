//! The references `protocol/PROTOCOL.md` and `docs/GUIS.md` agree with the program: `help` tells what they say of a
//! command, and every example is played as written, with its own process. `examples.txt` has more examples.
//!
//! `PRIVY_REGENERATE=1 cargo test --test all gtp::reference::` records the answers of the engine in the examples.

use std::fs;
use std::path::PathBuf;

use privy_protocol::{Command, ErrorCode};

use crate::support::{session, snapshot};

use session::Session;
use snapshot::{read, wrapped};

const OPENING_FENCE: &str = "```session";

const PROTOCOL: &str = "protocol/PROTOCOL.md";
const GUIS: &str = "docs/GUIS.md";
const MORE_EXAMPLES: &str = "tests/gtp/examples.txt";

fn path(page: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(page)
}

/// A part of a page.
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

fn play_examples(page: &str) {
    let mut faults = Vec::new();
    let mut played = String::new();
    for part in parts(&read(page)) {
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
        fs::write(path(page), played).unwrap();
    } else {
        assert!(faults.is_empty(), "{page}: {}", faults.join("\n"));
    }
}

#[test]
fn examples_of_the_protocol_are_answered_as_they_are_written() {
    play_examples(PROTOCOL);
}

#[test]
fn examples_of_guis_are_answered_as_they_are_written() {
    play_examples(GUIS);
}

#[test]
fn more_examples_are_answered_as_they_are_written() {
    play_examples(MORE_EXAMPLES);
}

/// What a page says of a command is its help; nothing is said of others.
#[test]
fn pages_tell_of_commands_alone() {
    let shared: Vec<String> = privy_gogui::shared_names().map(|name| format!("`{name}`")).collect();
    snapshot::check_part(GUIS, "shared commands", &format!("{}\n", wrapped(&(shared.join(", ") + "."))));
    for line in read(PROTOCOL).lines().filter(|line| line.contains("**: ") && line.starts_with("- **`")) {
        let name = line.split(['`', ' ']).nth(2).unwrap();
        assert!(Command::help(name).is_some(), "{line}");
    }
}

#[test]
fn every_command_has_an_example() {
    let text = [PROTOCOL, GUIS, MORE_EXAMPLES].map(read).concat();
    for name in Command::names().chain(privy_gogui::own_names()) {
        assert!(has_typed(&text, name), "{name}");
    }
}

fn has_typed(text: &str, name: &str) -> bool {
    text.lines().filter_map(|line| line.strip_prefix("> ")).flat_map(str::split_whitespace).any(|word| word == name)
}

#[test]
fn every_error_phrase_is_described() {
    let text = read(PROTOCOL);
    for phrase in ErrorCode::ALL.iter().map(|code| code.as_str()) {
        assert!(text.contains(&format!("| `{phrase}` |")), "{phrase}");
    }
}
