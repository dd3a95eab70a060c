//! The references `protocol/PROTOCOL.md` and `docs/GUIS.md` agree with the program: sections and tables of commands
//! have what the commands say of themselves, and every example is played as written, with its own process.
//! `examples.txt` has more examples.
//!
//! `PRIVY_REGENERATE=1 cargo test --test all gtp::reference::` writes these parts anew, and records the answers of the
//! engine in the examples. The notes are written by hand.

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

use privy_protocol::{Command, CommandHelp, ErrorCode};

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

#[test]
fn pages_have_what_the_commands_say() {
    snapshot::check(PROTOCOL, &with_sections(&read(PROTOCOL)));
    let shared: Vec<String> = privy_gogui::shared_help().map(|help| format!("`{}`", help.name)).collect();
    snapshot::check_part(GUIS, "shared commands", &format!("{}\n", wrapped(&(shared.join(", ") + "."))));
    snapshot::check_part(GUIS, "half-move commands", &own_commands());
}

/// The failure of a command that is no other's; every command may fail by wrong arguments.
fn failure(command: CommandHelp) -> Option<&'static str> {
    Some(command.failure).filter(|failure| !failure.starts_with("only when its arguments are wrong"))
}

/// The purpose as a sentence.
fn purpose(command: CommandHelp) -> String {
    let (first, others) = command.summary.split_at(1);
    format!("{}{others}.", first.to_uppercase())
}

/// What a command says of itself: as an item of a list, or as the beginning of a section with notes.
fn described(command: CommandHelp, item: bool) -> String {
    let (name, synopsis) = (command.name, command.synopsis());
    let end = if item { " " } else { "\n" };
    let mut text = match (item, synopsis == name) {
        (true, _) => format!("- **`{synopsis}`**: {}.", command.summary),
        (false, true) => purpose(command),
        (false, false) => format!("`{synopsis}`: {}.", command.summary),
    };
    text += &format!("{end}**Answer**: {}", command.answer);
    if let Some(failure) = failure(command) {
        text += &format!("{end}**Failure**: {failure}");
    }
    if item {
        format!("{}\n", wrapped(&text).replace('\n', "\n  "))
    } else {
        format!("### `{name}`\n\n{}\n\n", text.lines().map(wrapped).collect::<Vec<_>>().join("\n"))
    }
}

/// A page with its items and sections of commands as they are now.
fn with_sections(text: &str) -> String {
    let mut page = String::new();
    let mut left: BTreeSet<&str> = Command::all_help().map(|command| command.name).collect();
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        let item = line.starts_with("- **`");
        let name = line.split('`').nth(1).filter(|_| item || line.starts_with("### `"));
        let Some(command) = name.and_then(|name| Command::help(name.split(' ').next().unwrap())) else {
            page += &format!("{line}\n");
            continue;
        };
        assert!(left.remove(command.name), "a second time: {line}");
        page += &described(command, item);
        if item {
            while lines.next_if(|line| line.starts_with("  ")).is_some() {}
        } else {
            assert_eq!(lines.next(), Some(""));
            // The paragraph ends with an empty line.
            assert!(lines.by_ref().take_while(|line| !line.is_empty()).count() < 10);
        }
    }
    assert!(left.is_empty(), "missing: {left:?}");
    page
}

/// The commands of half moves as a table, but those of analysis, which the page describes in a paragraph.
fn own_commands() -> String {
    let rows = privy_gogui::own_help().filter(|command| !command.name.ends_with("analyze")).map(|command| {
        let synopsis = command.synopsis().replace('|', "\\|");
        let answer = format!("{} **Answer**: {}", purpose(command), command.answer);
        format!("| `{synopsis}` | {answer} | {} |\n", failure(command).unwrap_or_default())
    });
    format!("| command | answer | failure |\n|---|---|---|\n{}", rows.collect::<String>())
}

#[test]
fn every_command_has_an_example() {
    let text = [PROTOCOL, GUIS, MORE_EXAMPLES].map(read).concat();
    for command in Command::all_help().chain(privy_gogui::own_help()) {
        assert!(has_typed(&text, command.name), "{}", command.name);
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
