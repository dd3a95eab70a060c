//! The text of a record, written: tags, moves with reports of their searches, comments and variations, the result.

use std::fmt::{self, Display};

use privy_base::message::is_unsafe;

use crate::reader::read_report;
use crate::record::{FIELDS, Record, RecordedMove};

/// The longest line of moves, unless a single move is longer.
const LINE_LENGTH: usize = 80;

/// Tags, an empty line, the moves, a line feed at the end. An empty line separates two records.
impl Display for Record {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let fields = FIELDS.iter().map(|(name, value, _)| (*name, value(self))).filter(|(_, value)| !value.is_empty());
        let tags = self.tags.iter().map(|(name, value)| (name.as_str(), value.clone()));
        for (name, value) in fields.chain(tags) {
            writeln!(f, "{}", tag_text(name, &value))?;
        }
        writeln!(f)?;
        let mut parts = Vec::from_iter(comment_part(&self.comment));
        add_line(&self.moves, 1, &mut parts);
        parts.push(self.result.to_string());
        let mut length = 0;
        // Of these only a comment may be broken.
        for word in parts.iter().flat_map(|part| part.split(if part.starts_with('{') { ' ' } else { '\n' })) {
            let before = match length {
                0 => "",
                length if length + 1 + word.len() <= LINE_LENGTH => " ",
                _ => "\n",
            };
            length = if before == " " { length + 1 + word.len() } else { word.len() };
            write!(f, "{before}{word}")?;
        }
        writeln!(f)
    }
}

/// Adds the moves of a line, each with its comment and the variations from it, in brackets.
fn add_line(line: &[RecordedMove], first: usize, parts: &mut Vec<String>) {
    for (ply, move_) in (first..).zip(line) {
        parts.push(format!("{ply}. {move_}"));
        parts.extend(comment_part(&move_.comment));
        for variation in move_.variations.iter().filter(|variation| !variation.is_empty()) {
            let begin = parts.len();
            add_line(variation, ply, parts);
            parts[begin].insert(0, '(');
            parts.last_mut().into_iter().for_each(|last| last.push(')'));
        }
    }
}

fn comment_part(comment: &str) -> Option<String> {
    (!comment.is_empty()).then(|| escaped(comment))
}

/// A comment in braces.
fn escaped(comment: &str) -> String {
    let mut before = ' ';
    let mut text = String::with_capacity(comment.len() + 2);
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
    if read_report(&text).is_some()
        && let Some(first) = text.chars().next()
    {
        text.replace_range(..first.len_utf8(), &code(first));
    }
    text.insert(0, '{');
    text.push('}');
    text
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
fn report_text(move_: &RecordedMove) -> String {
    let score = move_.score.map(|score| score.to_string()).unwrap_or_default();
    let depth = move_.depth.map(|depth| format!("/{depth}")).unwrap_or_default();
    let time = move_.time_ms.map(|time| format!("{time}ms")).unwrap_or_default();
    let nodes = move_.nodes.map(|nodes| format!("{nodes}n")).unwrap_or_default();
    let words: Vec<String> = [score + &depth, time, nodes].into_iter().filter(|word| !word.is_empty()).collect();
    words.join(" ")
}

/// A tag and its value, in one line.
pub(crate) fn tag_text(name: &str, value: &str) -> String {
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
