//! The wording of messages: text from outside made safe to show or to type, plurals, and "did you mean …?".

use std::borrow::Cow;
use std::fmt;
use std::path::Path;

use strsim::damerau_levenshtein;

pub use privy_protocol::{is_unsafe, sanitized, sanitized_lines};

/// Longer words are no misspelt ids or keys.
const LONGEST_WORD: usize = 80;
/// Characters of a path; those of Linux have at most 4,096 bytes.
const LONGEST_PATH: usize = 4096;

/// A path as one line.
pub fn shown(path: &Path) -> String {
    sanitized(&path.display().to_string(), LONGEST_PATH)
}

/// JSON with unsafe characters escaped; they stand in its strings alone.
pub fn safe_json(text: &str) -> Cow<'_, str> {
    // Most has letters alone that are in no table.
    if text.bytes().fold(true, |is_plain, byte| is_plain & (b' '..=b'~').contains(&byte)) {
        return text.into();
    }
    let mut safe = String::with_capacity(text.len());
    for letter in text.chars() {
        if is_unsafe(letter) && letter != '\n' {
            letter.encode_utf16(&mut [0; 2]).iter().for_each(|unit| safe += &format!("\\u{unit:04x}"));
        } else {
            safe.push(letter);
        }
    }
    safe.into()
}

/// Says instead of a fault that would quote a file: what is expected.
pub fn withheld(expected: &str, extension: &str) -> String {
    format!("expected {expected}; what is wrong is said only of a file whose name ends in .{extension}")
}

/// True if an error may quote what it has read in a file: the name says that it is of the right kind. Another may hold
/// secrets of the user, and who sends the commands of a session is not always the user.
pub fn is_quotable(path: &Path, extension: &str) -> bool {
    path.extension().is_some_and(|found| found == extension)
}

/// A path quoted as one word for a shell.
pub fn shell_word(path: &Path) -> String {
    let text = shown(path);
    let text = if text.starts_with('-') { format!("./{text}") } else { text };
    let is_plain = |letter: char| letter.is_alphanumeric() || "/._-+~".contains(letter);
    if text.chars().all(is_plain) { text } else { format!("'{}'", text.replace('\'', "'\\''")) }
}

/// A noun after a number: `Rebel` or `Rebels`, `ply` or `plies`, `leaf` or `leaves`, `search` or `searches`.
pub fn plural(count: u64, one: &str) -> String {
    let endings = [("y", "ies"), ("f", "ves"), ("ch", "ches")];
    let irregular = endings.into_iter().find_map(|(end, many)| Some(format!("{}{many}", one.strip_suffix(end)?)));
    if count == 1 { one.to_owned() } else { irregular.unwrap_or_else(|| format!("{one}s")) }
}

/// A number and its noun: `1 ply`, `2 plies`.
pub fn counted(count: impl TryInto<u64> + fmt::Display, one: &str) -> String {
    let shown = count.to_string();
    format!("{shown} {}", plural(count.try_into().unwrap_or(u64::MAX), one))
}

/// Returns the candidate with the fewest letters added, left out, changed or swapped with a neighbour (F. J. Damerau,
/// 1964), `None` if they are more than a third of the word. Case and the choice between `-` and `_` do not count.
pub fn closest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let plain = |text: &str| text.to_lowercase().replace('-', "_");
    let word = plain(word);
    let letters = word.chars().count();
    let allowed = letters.div_ceil(3);
    let scored = candidates.into_iter().map(|candidate| (damerau_levenshtein(&word, &plain(candidate)), candidate));
    let close = |(distance, _): &(usize, &str)| *distance <= allowed;
    let closest =
        if letters > LONGEST_WORD { None } else { scored.filter(close).min_by_key(|(distance, _)| *distance) };
    closest.map(|(_, candidate)| candidate)
}

/// `; did you mean …?` for a word close to a candidate, else nothing.
pub fn did_you_mean<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> String {
    closest(word, candidates).map_or_else(String::new, |candidate| format!("; did you mean {candidate}?"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_stays_the_same_value() {
        let text = "\u{202e}\u{9b}é\u{e0001}\u{1b}\n";
        let json = serde_json::to_string(text).unwrap();
        let json = safe_json(&json);
        assert!(!json.contains(is_unsafe), "{json}");
        assert_eq!(serde_json::from_str::<String>(&json).unwrap(), text);
    }

    #[test]
    fn only_one_has_no_plural() {
        let nouns = |count| ["Rebel", "ply", "leaf", "search"].map(|one| counted(count, one));
        assert_eq!(nouns(1), ["1 Rebel", "1 ply", "1 leaf", "1 search"]);
        assert_eq!(nouns(0), ["0 Rebels", "0 plies", "0 leaves", "0 searches"]);
        assert_eq!(nouns(2), ["2 Rebels", "2 plies", "2 leaves", "2 searches"]);
    }

    #[test]
    fn misspelt_words_get_suggestions_and_others_do_not() {
        let candidates = ["sixteen-rebels", "kings-gonu", "title", "first"];
        let meant = |word| closest(word, candidates);
        assert_eq!(meant("sixten-rebels"), Some("sixteen-rebels"));
        assert_eq!(meant("Sixteen_Rebels"), Some("sixteen-rebels"));
        assert_eq!(meant("king-gonu"), Some("kings-gonu"));
        assert_eq!(meant("titel"), Some("title"));
        assert_eq!(meant("chess"), None);
        assert_eq!(meant(""), None);
        assert_eq!(meant(&"first".repeat(100)), None);
        assert_eq!(did_you_mean("frist", candidates), "; did you mean first?");
        assert_eq!(did_you_mean("colour", candidates), "");
    }
}
