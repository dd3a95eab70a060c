//! Records from text.

use std::str::FromStr;

use crate::rules::MoveText;

use super::error::{RecordError, RecordFault};
use super::grammar::{Item, Note, item, notes};
use super::{GameResult, Record, RecordedMove, Tag};

/// Reads the records of a file one by one, each a text, or each a line of JSON. After one that can't be read comes the
/// next one.
///
/// ```
/// use privy::record::records;
///
/// let text = "[Variant \"kings-gonu\"]\n*\n\n[Variant \"kings-gonu\"]\n1. nonsense\n";
/// let read: Vec<_> = records(text).collect();
/// assert!(read[0].is_ok());
/// assert!(read[1].as_ref().unwrap_err().to_string().starts_with("line 5: moves: expected a move such as c3-b2"));
/// ```
pub fn records(text: &str) -> impl Iterator<Item = Result<Record, RecordError>> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let in_json = text.trim_start().starts_with('{');
    let mut line = 1;
    let mut rest = text;
    std::iter::from_fn(move || {
        loop {
            let length = if in_json { line_length(rest) } else { record_length(rest) };
            let (record, after) = rest.split_at_checked(length)?;
            let first_line = line;
            line += line_feeds(record);
            rest = after;
            match (record.trim().is_empty(), rest.is_empty()) {
                (false, _) if in_json => return Some(read_json(record.trim(), first_line)),
                (false, _) => return Some(read(record, first_line)),
                (true, true) => return None,
                (true, false) => {}
            }
        }
    })
}

/// A text with one record.
impl FromStr for Record {
    type Err = RecordError;

    fn from_str(text: &str) -> Result<Record, RecordError> {
        let mut found: Vec<Record> = records(text).collect::<Result<_, _>>()?;
        match (found.pop(), found.len()) {
            (Some(record), 0) => Ok(record),
            (last, others) => Err(RecordError {
                line: 1 + line_feeds(text.trim_end()),
                fault: RecordFault::NotOne(others + usize::from(last.is_some())),
            }),
        }
    }
}

fn line_feeds(text: &str) -> usize {
    text.bytes().filter(|byte| *byte == b'\n').count()
}

fn line_length(text: &str) -> usize {
    text.find('\n').map_or(text.len(), |at| at + 1)
}

/// The length of the first record: it goes to the first line with a tag behind a line of moves.
fn record_length(text: &str) -> usize {
    let mut length = 0;
    let mut moves_seen = false;
    for line in text.split_inclusive('\n') {
        let is_tag = line.trim_start().starts_with('[');
        if is_tag && moves_seen {
            break;
        }
        moves_seen |= !is_tag && !line.trim().is_empty();
        length += line.len();
    }
    length
}

fn read_json(text: &str, line: usize) -> Result<Record, RecordError> {
    serde_json::from_str(text).map_err(|error| {
        // It counts lines within what it was given.
        let reason = error.to_string().replace(" at line 1 column ", " at column ");
        RecordError { line, fault: RecordFault::Json(reason) }
    })
}

fn read(text: &str, first_line: usize) -> Result<Record, RecordError> {
    let mut reading = Reading::default();
    let mut rest = text.trim_start();
    while !rest.is_empty() {
        let here = |fault| {
            let before = text.get(..text.len() - rest.len()).unwrap_or_default();
            RecordError { line: first_line + line_feeds(before), fault }
        };
        let (after, item) = item(rest).map_err(|_| here(no_item(rest)))?;
        reading.take(item).map_err(here)?;
        rest = after.trim_start();
    }
    let last_line = first_line + line_feeds(text.trim_end());
    reading.end().map_err(|fault| RecordError { line: last_line, fault })
}

/// What is wrong where no item begins.
fn no_item(text: &str) -> RecordFault {
    let line = text.lines().next().unwrap_or_default().trim_end().to_owned();
    match text.chars().next() {
        Some('[') => RecordFault::Tag(line),
        Some('{') => RecordFault::Comment(line),
        _ => RecordFault::Word(line),
    }
}

/// A record of which a part is read.
#[derive(Default)]
struct Reading {
    record: Record,
    /// The names of the tags so far.
    names: Vec<String>,
    /// Has the last move a comment?
    is_commented: bool,
    /// The result behind the moves.
    end: Option<GameResult>,
}

impl Reading {
    fn take(&mut self, item: Item<'_>) -> Result<(), RecordFault> {
        if self.end.is_some() {
            return Err(RecordFault::AfterResult(match item {
                Item::Tag(name, _) => format!("[{name} …]"),
                Item::Number(number) => format!("{number}."),
                Item::Word(word) => word.to_owned(),
                Item::Comment(text) => format!("{{{text}}}"),
            }));
        }
        match item {
            Item::Tag(name, _) if !self.record.moves.is_empty() => Err(RecordFault::LateTag(name.to_owned())),
            Item::Tag(name, value) => self.tag(name, value),
            Item::Number(number) => self.number(number),
            Item::Word(word) => self.word(word),
            Item::Comment(text) => self.comment(text),
        }
    }

    fn tag(&mut self, name: &str, value: String) -> Result<(), RecordFault> {
        if self.names.iter().any(|known| known == name) {
            return Err(RecordFault::RepeatedTag(name.to_owned()));
        }
        self.names.push(name.to_owned());
        let record = &mut self.record;
        match name {
            "Event" => record.event = value,
            "Site" => record.site = value,
            "Date" => record.date = value,
            "Round" => record.round = value,
            "General" => record.general = value,
            "Rebels" => record.rebels = value,
            "Variant" => record.variant = value,
            "Fingerprint" => record.fingerprint = value,
            "Opening" => record.opening = value,
            "TimeControl" => record.time_control = value,
            "MoveLimit" => record.move_limit = Some(whole_number("MoveLimit", value)?),
            "Seed" => record.seed = Some(whole_number("Seed", value)?),
            "Result" => record.result = value.parse()?,
            "Termination" => record.termination = value,
            _ => record.tags.push(Tag::new(name, &value)?),
        }
        Ok(())
    }

    fn number(&self, found: u64) -> Result<(), RecordFault> {
        let expected = self.record.moves.len() + 1;
        if found == expected as u64 { Ok(()) } else { Err(RecordFault::MoveNumber { expected, found }) }
    }

    fn word(&mut self, word: &str) -> Result<(), RecordFault> {
        if let Ok(result) = word.parse() {
            self.end = Some(result);
            return Ok(());
        }
        let text: MoveText = word.parse().map_err(|_| RecordFault::Word(word.to_owned()))?;
        self.record.moves.push(RecordedMove::from(text));
        self.is_commented = false;
        Ok(())
    }

    fn comment(&mut self, text: &str) -> Result<(), RecordFault> {
        let wrong = || RecordFault::Comment(format!("{{{text}}}"));
        let move_ = match self.record.moves.last_mut() {
            Some(move_) if !self.is_commented => move_,
            _ => return Err(RecordFault::LooseComment(format!("{{{text}}}"))),
        };
        let mut kinds = Vec::new();
        for note in notes(text).ok_or_else(wrong)? {
            let kind = std::mem::discriminant(&note);
            if kinds.contains(&kind) {
                return Err(wrong());
            }
            kinds.push(kind);
            match note {
                Note::Search(score, depth) => (move_.score, move_.depth) = (score, depth),
                Note::Time(time) => move_.time_ms = Some(time),
                Note::Nodes(nodes) => move_.nodes = Some(nodes),
            }
        }
        self.is_commented = true;
        Ok(())
    }

    fn end(self) -> Result<Record, RecordFault> {
        let end = self.end.ok_or(RecordFault::NoResult)?;
        let tag = self.record.result;
        let is_tagged = self.names.iter().any(|name| name == "Result");
        if is_tagged && tag != end {
            return Err(RecordFault::Results { tag: tag.to_string(), end: end.to_string() });
        }
        Ok(Record { result: end, ..self.record })
    }
}

fn whole_number<T: FromStr>(name: &'static str, text: String) -> Result<T, RecordFault> {
    text.parse().map_err(|_| RecordFault::Number { name, found: text })
}
