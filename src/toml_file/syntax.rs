//! What is no TOML, in words of people who write a file of keys and values.

use toml::de::Error;

use crate::foreign_text::shown;

/// The longest piece of a file that is quoted.
const LONGEST: usize = 60;

/// Of the errors of a text the first, with what was found there, and what would be right. Most of the others follow from it; but
/// a list or braces that are not right name themselves only behind it.
pub(super) fn first_in_words(errors: &[Error], text: &str) -> Option<(usize, String)> {
    let start = |error: &Error| error.span().map_or(0, |span| span.start);
    let first = errors.iter().min_by_key(|error| start(error))?;
    let line_end =
        text.get(start(first)..).and_then(|rest| rest.find('\n')).map_or(text.len(), |end| start(first) + end);
    let is_structure = |error: &&Error| {
        let on_line = start(error) <= line_end && IN_BRACES.iter().any(|phrase| error.message().starts_with(phrase));
        on_line || error.message().starts_with("unclosed array")
    };
    let telling = errors.iter().find(is_structure).unwrap_or(first);
    Some((start(first), in_words(telling, start(first), text)))
}

/// How the parser says that braces are not right.
const IN_BRACES: [&str; 3] = ["extra assignment", "missing comma between key-value pairs", "unclosed inline table"];

/// An error with what was found at a byte of the text.
pub(super) fn in_words(error: &Error, start: usize, text: &str) -> String {
    let span = error.span().unwrap_or_default();
    let at = text.get(span.clone()).unwrap_or_default().trim();
    let line_start = text.get(..start).and_then(|before| before.rfind('\n')).map_or(0, |end| end + 1);
    let line = text.get(line_start..).and_then(|rest| rest.lines().next()).unwrap_or_default();
    let (at, line) = (shown(at, LONGEST), shown(line.trim(), LONGEST));
    let says = |phrase: &str| error.message().starts_with(phrase);
    if says("string values must be quoted") && at.is_empty() {
        format!("found {line} without a value; expected one behind =")
    } else if says("string values must be quoted") {
        let word = at.trim_matches(|c| matches!(c, '“' | '”' | '„' | '‘' | '’' | '"' | '\''));
        format!("found {at}; expected \"{word}\" in straight quotes, or a number, true, false, a list")
    } else if says("key with no value") || says("invalid unquoted key") || says("unquoted keys cannot be empty") {
        format!("found {line}; expected key = value")
    } else if says("invalid basic string") || says("invalid literal string") {
        format!("found {line}; expected a quote at the end of the text")
    } else if says("missing comma between array elements") || says("unclosed array") {
        format!("found {line} in a list that begins before; expected a comma between two items, and ] at the end")
    } else if IN_BRACES.iter().any(|phrase| says(phrase)) {
        format!("found {line}; expected a comma between two entries of braces, and }} at the end")
    } else if says("unclosed table") {
        format!("found {line}; expected ] at the end")
    } else if says("duplicate key") {
        format!("{at}: a second time; expected each key once")
    } else if says("invalid boolean") {
        format!("found {at}; expected true or false, in small letters")
    } else if says("unexpected leading zero") {
        format!("found {line}; expected a number without zeros in front")
    } else if says("missing escaped value") {
        format!("found {line}; expected \\\\ for a \\ in a text")
    } else {
        format!("found {line}; expected TOML: {}", error.message())
    }
}
