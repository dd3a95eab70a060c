//! The wording of messages: text from outside made safe to show or to type, plurals, and "did you mean …?".

use std::fmt;
use std::path::Path;

use strsim::damerau_levenshtein;

/// Longer words are no misspelt ids or keys.
const LONGEST_WORD: usize = 80;

/// Characters that affect the text around them: control characters move the cursor, change colours and ring bells; some format
/// characters change the direction of writing or are invisible.
pub fn is_unsafe(letter: char) -> bool {
    letter.is_control()
        || matches!(letter,
            '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}'
            | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
}

/// One line of at most `most` characters: unsafe ones are escaped (`\u{1b}`), and a longer text is cut.
pub fn sanitized(text: &str, most: usize) -> String {
    escaped(text, most, is_unsafe)
}

/// The same for a text of several lines.
pub fn sanitized_lines(text: &str, most: usize) -> String {
    escaped(text, most, |letter| is_unsafe(letter) && letter != '\n')
}

fn escaped(text: &str, most: usize, is_unsafe: impl Fn(char) -> bool) -> String {
    let mut shown = String::new();
    let mut length = 0;
    for letter in text.chars() {
        let before = shown.len();
        match letter {
            '\n' if is_unsafe(letter) => shown.push_str("\\n"),
            '\t' => shown.push_str("\\t"),
            letter if is_unsafe(letter) => shown.extend(letter.escape_unicode()),
            letter => shown.push(letter),
        }
        // What is escaped is ASCII.
        length += if shown.len() - before == letter.len_utf8() { 1 } else { shown.len() - before };
        if length > most {
            shown.truncate(before);
            shown.push('…');
            break;
        }
    }
    shown
}

/// A path quoted as one word for a shell.
pub fn shell_word(path: &Path) -> String {
    let text = path.display().to_string();
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

/// Returns the candidate with the fewest letters added, left out, changed or swapped with a neighbour (F. J. Damerau, 1964), `None` if
/// they are more than a third of the word. Case and the choice between `-` and `_` do not count.
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
    fn unsafe_characters_are_escaped() {
        let text = "a\u{1b}[31m\u{7}b\u{9b}2J\u{202e}c\u{200b}\n\u{2066}é↯";
        assert_eq!(sanitized(text, 100), r"a\u{1b}[31m\u{7}b\u{9b}2J\u{202e}c\u{200b}\n\u{2066}é↯");
        assert_eq!(sanitized_lines("a\r\nb\tc", 100), "a\\u{d}\nb\\tc");
    }

    #[test]
    fn long_texts_are_cut() {
        assert_eq!(sanitized("éééé", 4), "éééé");
        assert_eq!(sanitized("ééééé", 4), "éééé…");
        assert_eq!(sanitized("ab\u{1b}c", 7), "ab…", "nothing is cut in two");
        assert_eq!(sanitized(&"x".repeat(10_000_000), 60).chars().count(), 61);
        assert_eq!(sanitized("", 0), "");
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
