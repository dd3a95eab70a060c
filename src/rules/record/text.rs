//! The text of a record, written: tags, moves with reports of their searches, comments and variations, the result.

use std::fmt::{self, Display, Write as _};

use privy_base::message::is_unsafe;

use super::fields::FIELDS;
use super::reader::Report;
use super::{Record, RecordedMove};

/// The longest line of moves, unless a single move is longer.
const LINE_LENGTH: usize = 80;

/// Tags, an empty line, the moves, a line feed at the end. An empty line separates two records.
impl Display for Record {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let fields = FIELDS.iter().map(|(name, value, _)| (*name, value(self))).filter(|(_, value)| !value.is_empty());
        let tags = self.tags.iter().map(|tag| (tag.name(), tag.value().to_owned()));
        for (name, value) in fields.chain(tags) {
            writeln!(f, "{}", tag_text(name, &value))?;
        }
        writeln!(f)?;
        let mut words = comment_words(&self.comment);
        add_line(&mut words, &self.moves, 1);
        words.push(self.result.to_string());
        let mut room = LINE_LENGTH;
        for (index, text) in words.iter().enumerate() {
            if index > 0 {
                let fits = text.len() < room;
                f.write_char(if fits { ' ' } else { '\n' })?;
                room = if fits { room - 1 } else { LINE_LENGTH };
            }
            f.write_str(text)?;
            room = room.saturating_sub(text.len());
        }
        writeln!(f)
    }
}

/// Adds the moves of a line, each with its comment and the variations from it. Lines break between these texts.
fn add_line(words: &mut Vec<String>, line: &[RecordedMove], first: usize) {
    for (ply, move_) in (first..).zip(line) {
        words.push(format!("{ply}. {move_}"));
        words.extend(comment_words(&move_.comment));
        for variation in move_.variations.iter().filter(|variation| !variation.is_empty()) {
            let begin = words.len();
            add_line(words, variation, ply);
            words[begin].insert(0, '(');
            words.last_mut().into_iter().for_each(|last| last.push(')'));
        }
    }
}

/// The words of a comment in braces; none of an empty one.
fn comment_words(comment: &str) -> Vec<String> {
    if comment.is_empty() {
        return Vec::new();
    }
    let mut before = ' ';
    let mut text = String::new();
    for (place, letter) in comment.char_indices() {
        let is_last = place + letter.len_utf8() == comment.len();
        match letter {
            '{' | '}' | '\\' => text.extend(['\\', letter]),
            '\n' => text += "\\n",
            // Where a reader would drop it.
            ' ' if before == ' ' || is_last => text += &code(letter),
            letter if is_unsafe(letter) => text += &code(letter),
            letter => text.push(letter),
        }
        before = letter;
    }
    // Words that a report of a search could have.
    if Report::read(&text).is_some()
        && let Some(first) = text.chars().next()
    {
        text.replace_range(..first.len_utf8(), &code(first));
    }
    format!("{{{text}}}").split(' ').map(str::to_owned).collect()
}

/// The move, what a person thinks of it, then the report of its search: `c3-b2! {+0.42/12 15ms 5120n}`.
impl Display for RecordedMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.text)?;
        if let Some(glyph) = self.glyph {
            write!(f, "{glyph}")?;
        }
        if self.is_searched() { write!(f, " {{{}}}", report_text(self)) } else { Ok(()) }
    }
}

/// The report of the search of a move: `+0.42/12 15ms 5120n`; empty without one.
pub(super) fn report_text(move_: &RecordedMove) -> String {
    let score = move_.score.map(|score| score.to_string()).unwrap_or_default();
    let depth = move_.depth.map(|depth| format!("/{depth}")).unwrap_or_default();
    let time = move_.time_ms.map(|time| format!("{time}ms")).unwrap_or_default();
    let nodes = move_.nodes.map(|nodes| format!("{nodes}n")).unwrap_or_default();
    let words: Vec<String> = [score + &depth, time, nodes].into_iter().filter(|word| !word.is_empty()).collect();
    words.join(" ")
}

/// A tag and its value, in one line.
pub(super) fn tag_text(name: &str, value: &str) -> String {
    let value = value.chars().fold(String::new(), |text, c| match c {
        '"' | '\\' => text + "\\" + c.encode_utf8(&mut [0; 4]),
        '\n' => text + "\\n",
        c if is_unsafe(c) => text + &code(c),
        c => text + c.encode_utf8(&mut [0; 4]),
    });
    format!("[{name} \"{value}\"]")
}

/// A character by its code: `\u{7f}`.
fn code(letter: char) -> String {
    format!("\\u{{{:x}}}", u32::from(letter))
}
