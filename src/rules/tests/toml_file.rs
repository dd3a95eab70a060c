//! Faults and their lines.

use privy_rules::toml_file::{Entry, FileFault, Key, check_keys};

const KEYS: &[Key] = &[Key::optional::<Vec<String>>("words", "[]")];

fn checked(text: &str) -> Vec<FileFault> {
    check_keys(KEYS, &[], &Entry::parse(None, None, text).unwrap())
}

#[test]
fn every_value_has_its_line() {
    let faults = checked("words = [\n  \"a\",\n  7,\n\n  true]\nworts = 1\n");
    let faults: Vec<String> = faults.iter().map(FileFault::to_string).collect();
    assert_eq!(
        faults,
        [
            "line 3: words: found 7; expected a text in quotes",
            "line 5: words: found true; expected a text in quotes",
            "line 6: worts: there is no such key; did you mean words?",
        ]
    );
    let error = Entry::parse(Some("a.toml".to_owned()), None, "a = 1\n\nb = x").unwrap_err();
    assert!(error[0].to_string().starts_with("a.toml:3: found x; expected \"x\" in straight quotes"), "{error:?}");
    let letters = checked("\"a\\nb\\u001b\" = 1");
    assert!(letters[0].to_string().starts_with("line 1: a\\nb\\u{1b}: there is no such key"), "{}", letters[0]);
}

/// As many wrong values as the largest file holds are said one by one, without reading the text for each.
#[test]
fn a_large_file_has_many_lines() {
    let text = format!("words = [\n{}]\n", "7,\n".repeat(300_000));
    let faults = checked(&text);
    assert_eq!((faults.len(), faults.last().map(|fault| fault.line)), (300_000, Some(300_001)));
}
