//! Records as text.

use std::fmt::{self, Write as _};

use crate::message::is_unsafe;

use super::types::{Record, RecordedMove};

/// Lines of moves are not longer than this, unless a single move is.
const LINE_LENGTH: usize = 80;

/// Tags, an empty line, the moves, a line feed at the end. Between two records stands an empty line.
impl fmt::Display for Record {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (name, value) in self.known_tags().filter(|(_, value)| !value.is_empty()) {
            writeln!(f, "[{name} \"{}\"]", Escaped(&value))?;
        }
        for tag in &self.tags {
            writeln!(f, "[{} \"{}\"]", tag.name(), Escaped(tag.value()))?;
        }
        writeln!(f)?;
        let moves = self.moves.iter().enumerate().map(|(index, move_)| format!("{}. {move_}", index + 1));
        let mut room = LINE_LENGTH;
        for (index, text) in moves.chain([self.result.to_string()]).enumerate() {
            if index > 0 {
                let fits = text.len() < room;
                f.write_char(if fits { ' ' } else { '\n' })?;
                room = if fits { room - 1 } else { LINE_LENGTH };
            }
            f.write_str(&text)?;
            room = room.saturating_sub(text.len());
        }
        writeln!(f)
    }
}

/// The move, then in braces what is known of the search: `c3-b2 {+0.42/12 15ms 5120n}`.
impl fmt::Display for RecordedMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.text)?;
        let score = self.score.map(|score| score.to_string()).unwrap_or_default();
        let depth = self.depth.map(|depth| format!("/{depth}")).unwrap_or_default();
        let time = self.time_ms.map(|time| format!("{time}ms")).unwrap_or_default();
        let nodes = self.nodes.map(|nodes| format!("{nodes}n")).unwrap_or_default();
        let words: Vec<String> = [score + &depth, time, nodes].into_iter().filter(|word| !word.is_empty()).collect();
        if words.is_empty() { Ok(()) } else { write!(f, " {{{}}}", words.join(" ")) }
    }
}

/// The value of a tag, as it stands between quotes.
struct Escaped<'a>(&'a str);

impl fmt::Display for Escaped<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.chars().try_for_each(|c| match c {
            '"' | '\\' => write!(f, "\\{c}"),
            '\n' => f.write_str("\\n"),
            c if is_unsafe(c) => write!(f, "\\u{{{:x}}}", u32::from(c)),
            c => f.write_char(c),
        })
    }
}
