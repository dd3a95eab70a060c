//! The text of a record, written: tags, moves with reports of their searches, comments and variations, the result.

use std::fmt::{self, Display, Write as _};

use privy_base::message::is_unsafe;

use crate::reader::read_report;
use crate::record::{FIELDS, Record, RecordedMove};

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
        let mut writer = WordWriter { f, room: None, begun: String::new() };
        writer.comment(&self.comment)?;
        writer.line(&self.moves, 1)?;
        writer.word(&self.result.to_string())?;
        writer.end()?;
        writeln!(f)
    }
}

/// Writes words into lines that break between them.
struct WordWriter<'a, 'f> {
    f: &'a mut fmt::Formatter<'f>,
    /// The room in the current line; none before the first word.
    room: Option<usize>,
    /// The last word, which a bracket may end, or a bracket that begins the next one.
    begun: String,
}

impl WordWriter<'_, '_> {
    /// The moves of a line, each with its comment and the variations from it.
    fn line(&mut self, line: &[RecordedMove], first: usize) -> fmt::Result {
        for (ply, move_) in (first..).zip(line) {
            self.word(&format!("{ply}. {move_}"))?;
            self.comment(&move_.comment)?;
            for variation in move_.variations.iter().filter(|variation| !variation.is_empty()) {
                self.end()?;
                self.begun.push('(');
                self.line(variation, ply)?;
                self.begun.push(')');
            }
        }
        Ok(())
    }

    fn comment(&mut self, comment: &str) -> fmt::Result {
        if comment.is_empty() { Ok(()) } else { escaped(comment).split(' ').try_for_each(|word| self.word(word)) }
    }

    fn word(&mut self, word: &str) -> fmt::Result {
        if self.begun != "(" {
            self.end()?;
        }
        self.begun += word;
        Ok(())
    }

    /// Writes the last word.
    fn end(&mut self) -> fmt::Result {
        if self.begun.is_empty() {
            return Ok(());
        }
        let length = self.begun.len();
        let room = match self.room {
            None => LINE_LENGTH,
            Some(room) if length < room => {
                self.f.write_char(' ')?;
                room - 1
            }
            Some(_) => {
                self.f.write_char('\n')?;
                LINE_LENGTH
            }
        };
        self.f.write_str(&self.begun)?;
        self.begun.clear();
        self.room = Some(room.saturating_sub(length));
        Ok(())
    }
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
