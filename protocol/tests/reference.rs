//! The reference, PROTOCOL.md: the sections of commands begin with what the commands say of themselves.
//!
//! `PRIVY_REGENERATE=1 cargo test -p privy-protocol --test reference` writes these beginnings anew. The notes and examples behind
//! them are written by hand; the tests of the engine play the examples.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test may fail where it stands")]

use std::{env, fs};

use privy_protocol::{Command, CommandSet, ErrorCode};

const PATH: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/PROTOCOL.md");

fn reference() -> String {
    fs::read_to_string(PATH).unwrap()
}

#[test]
fn sections_begin_with_what_the_commands_say() {
    let written = reference();
    let generated = with_generated_parts(&written);
    if env::var_os("PRIVY_REGENERATE").is_some() {
        fs::write(PATH, &generated).unwrap();
    } else {
        assert!(written == generated, "PROTOCOL.md is stale: run this test with PRIVY_REGENERATE=1");
    }
}

/// All commands that have a section, in the order of the sections.
fn commands() -> Vec<Command> {
    let mut commands = CommandSet::WholeMoves.commands();
    commands.extend(CommandSet::HalfMoves.own());
    commands
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
fn beginning(command: Command) -> String {
    let (first, others) = command.summary.split_at(1);
    let summary = format!("{}{others}.", first.to_uppercase());
    let answer = wrapped(&format!("**Answer**: {}", command.answer));
    let failure = wrapped(&format!("**Failure**: {}", command.failure()));
    format!("### `{}`\n\n    {}\n\n{summary}\n\n{answer}\n\n{failure}\n", command.name, command.synopsis())
}

/// The page with the beginnings of its sections, and the list of the commands of both loops, as they are now.
fn with_generated_parts(text: &str) -> String {
    let mut page = String::new();
    let mut commands = commands().into_iter();
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
            let shared: Vec<String> = CommandSet::shared().map(|command| format!("`{}`", command.name)).collect();
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
