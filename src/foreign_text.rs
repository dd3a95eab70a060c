//! Text that comes from outside (engines, files) made fit to be shown on a terminal and kept in records.

/// Can a character make something else of what stands beside it? Control characters move the cursor, change colours and ring
/// bells; some characters of formatting turn the direction of writing or are not seen at all.
pub(crate) fn is_unsafe(letter: char) -> bool {
    letter.is_control()
        || matches!(letter,
            '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}'
            | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
}

/// A text as one line of at most so many characters: what is unsafe in it is written as its number, `\u{1b}`, and of what is
/// too long only the beginning stays.
pub(crate) fn shown(text: &str, most: usize) -> String {
    escaped(text, most, is_unsafe)
}

/// The same for a text that may have several lines.
pub(crate) fn shown_lines(text: &str, most: usize) -> String {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_unsafe_is_written_as_its_number() {
        let text = "a\u{1b}[31m\u{7}b\u{9b}2J\u{202e}c\u{200b}\n\u{2066}é↯";
        assert_eq!(shown(text, 100), r"a\u{1b}[31m\u{7}b\u{9b}2J\u{202e}c\u{200b}\n\u{2066}é↯");
        assert_eq!(shown_lines("a\r\nb\tc", 100), "a\\u{d}\nb\\tc");
    }

    #[test]
    fn of_what_is_too_long_the_beginning_stays() {
        assert_eq!(shown("éééé", 4), "éééé");
        assert_eq!(shown("ééééé", 4), "éééé…");
        assert_eq!(shown("ab\u{1b}c", 7), "ab…", "nothing is cut in two");
        assert_eq!(shown(&"x".repeat(10_000_000), 60).chars().count(), 61);
        assert_eq!(shown("", 0), "");
    }
}
