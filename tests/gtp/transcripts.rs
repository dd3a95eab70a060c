//! The golden transcripts in `protocol/transcripts`: each is played with its own process.
//!
//! `PRIVY_REGENERATE=1 cargo test --test all gtp::transcripts::` records the answers of the engine. Answers that agree
//! with the file stay as they are; answers of searches keep their placeholders. Read the difference before you commit
//! it.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use privy_protocol::{Command, ErrorCode};

use crate::support::session;

use session::Session;

fn transcripts() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("protocol/transcripts");
    let mut paths: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "txt"));
    paths.sort();
    paths
}

#[test]
fn transcripts_are_played_as_they_are_written() {
    let mut faults = Vec::new();
    for path in transcripts() {
        let text = fs::read_to_string(&path).unwrap();
        let (played, result) = Session::parse(&text).play();
        if session::regenerates() {
            fs::write(&path, played).unwrap();
        } else if let Err(fault) = result {
            faults.push(format!("{}\n{fault}", path.display()));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn every_error_phrase_and_every_command_occurs() {
    let text: String = transcripts().into_iter().map(|path| fs::read_to_string(path).unwrap()).collect();
    let phrases = text.lines().filter_map(|line| line.strip_prefix('?')?.split_once(' '));
    let phrases: BTreeSet<&str> = phrases.map(|(_, text)| text.split(':').next().unwrap()).collect();
    for phrase in ErrorCode::ALL.iter().map(|code| code.as_str()) {
        assert!(phrases.contains(phrase), "{phrase}");
    }
    let typed: BTreeSet<&str> =
        text.lines().filter_map(|line| line.strip_prefix("> ")).flat_map(str::split_whitespace).collect();
    for name in Command::names() {
        assert!(typed.contains(name), "{name}");
    }
}
