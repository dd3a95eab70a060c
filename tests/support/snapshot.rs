//! Texts that the program makes and the repository keeps: exact wording that is nobody's contract.
//!
//! `PRIVY_REGENERATE=1 cargo test --test all MODULE::` writes them anew, and a person reads the difference (`git
//! diff`).

use std::fs;
use std::path::Path;

use super::session::{REGENERATE, regenerates};

/// The text of a file of the repository.
pub fn read(path: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Compares a file of the repository with the text that it should have, or writes it.
#[track_caller]
pub fn check(path: &str, made: &str) {
    if regenerates() {
        return fs::write(Path::new(env!("CARGO_MANIFEST_DIR")).join(path), made).unwrap();
    }
    let kept = read(path);
    let differing = (1..).zip(kept.lines().zip(made.lines())).filter(|(_, (kept, made))| kept != made);
    let shown: Vec<String> =
        differing.map(|(line, (kept, made))| format!("{path}:{line}\n- {kept}\n+ {made}")).take(10).collect();
    assert!(kept == made, "{path} is stale; {REGENERATE}=1 writes it anew\n{}", shown.join("\n"));
}

/// Compares a part of a page, from the line `<!-- NAME -->` to the next `<!-- end -->`, with what it should be, or
/// writes it.
#[track_caller]
pub fn check_part(page: &str, name: &str, made: &str) {
    let (text, begin) = (read(page), format!("<!-- {name} -->\n"));
    let (before, rest) = text.split_once(&begin).unwrap_or_else(|| panic!("{page} has no {begin}"));
    let (_, after) = rest.split_once("<!-- end -->").unwrap();
    check(page, &format!("{before}{begin}{made}<!-- end -->{after}"));
}

/// A text in lines of the width of pages, with room for the indent of a list.
pub fn wrapped(text: &str) -> String {
    let mut lines = vec![String::new()];
    for word in text.split(' ') {
        let line = lines.last_mut().unwrap();
        if !line.is_empty() && line.chars().count() + word.chars().count() >= 118 {
            lines.push(word.to_owned());
        } else {
            *line += if line.is_empty() { "" } else { " " };
            *line += word;
        }
    }
    lines.join("\n")
}
