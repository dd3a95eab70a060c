//! The one printer of text from outside: from clients, engines and files.

/// Characters that affect the text around them: control characters move the cursor, change colours and ring bells; some
/// format characters change the direction of writing or are invisible.
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
}
