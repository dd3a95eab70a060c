//! Reading of records.

use std::collections::HashSet;
use std::str::FromStr;

use nom::branch::alt;
use nom::bytes::complete::{is_not, tag, take_till1, take_while_m_n, take_while1};
use nom::character::complete::{char, multispace0, multispace1, space0, space1, u32 as number_u32, u64 as number};
use nom::combinator::{all_consuming, map_opt, map_res, opt, value};
use nom::multi::{fold_many0, separated_list0};
use nom::sequence::{delimited, preceded, terminated};
use nom::{IResult, Parser};
use privy_protocol::Score;

use crate::rules::MoveText;

use super::types::{GameResult, NotAResult, Record, RecordedMove, Tag, is_name_character};

/// An error in the text of a record.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {fault}")]
pub struct RecordError {
    /// The line, from 1.
    pub line: usize,
    /// The part of the record, the expectation, and the finding.
    pub fault: String,
}

/// An error without its line.
type Fault = String;

/// Reads the records of a file one by one, all as text, or each as a line of JSON. Reading continues after an error.
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
            let line_length = rest.find('\n').map_or(rest.len(), |at| at + 1);
            let length = if in_json { line_length } else { record_length(rest) };
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

impl FromStr for Record {
    type Err = RecordError;

    fn from_str(text: &str) -> Result<Record, RecordError> {
        let found: Vec<Record> = records(text).collect::<Result<_, _>>()?;
        let [record] = <[Record; 1]>::try_from(found).map_err(|found| RecordError {
            line: 1 + line_feeds(text.trim_end()),
            fault: format!("expected one record, found {}", found.len()),
        })?;
        Ok(record)
    }
}

fn line_feeds(text: &str) -> usize {
    text.bytes().filter(|byte| *byte == b'\n').count()
}

/// The length of the first record: up to the first tag after a line of moves.
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
        // The parser counts lines within this record.
        let reason = error.to_string().replace(" at line 1 column ", " at column ");
        RecordError { line, fault: format!("JSON: {reason}") }
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

/// The error at a text that is not an item.
fn no_item(text: &str) -> Fault {
    let line = text.lines().next().unwrap_or_default().trim_end().to_owned();
    match text.chars().next() {
        Some('[') => format!("tag: expected a form such as [Event \"club evening\"], found {line}"),
        Some('{') => wrong_comment(&line),
        _ => wrong_word(&line),
    }
}

fn wrong_word(found: &str) -> Fault {
    format!("moves: expected a move such as c3-b2, or the result (general, rebels, draw or *), found \"{found}\"")
}

fn wrong_comment(found: &str) -> Fault {
    format!("comment: expected score/depth, time, nodes such as {{+0.42/12 15ms 5120n}}, found {found}")
}

#[derive(Default)]
struct Reading {
    record: Record,
    tag_names: HashSet<String>,
    /// Whether the last move has a comment.
    is_commented: bool,
    /// The result after the moves.
    end: Option<GameResult>,
}

impl Reading {
    fn take(&mut self, item: Item<'_>) -> Result<(), Fault> {
        if self.end.is_some() {
            let found = match item {
                Item::Tag(name, _) => format!("[{name} …]"),
                Item::Number(number) => format!("{number}."),
                Item::Word(word) => word.to_owned(),
                Item::Comment(text) => format!("{{{text}}}"),
            };
            return Err(format!("result: expected the tags of the next game behind it, found {found}"));
        }
        match item {
            Item::Tag(name, _) if !self.record.moves.is_empty() => {
                Err(format!("tag {name}: expected before the first move"))
            }
            Item::Tag(name, value) => self.tag(name, value),
            Item::Number(found) => match self.record.moves.len() + 1 {
                expected if found == expected as u64 => Ok(()),
                expected => {
                    Err(format!("move number: expected {expected}. (moves are numbered by ply), found {found}."))
                }
            },
            Item::Word(word) => self.word(word),
            Item::Comment(text) => self.comment(text),
        }
    }

    fn tag(&mut self, name: &str, value: String) -> Result<(), Fault> {
        if !self.tag_names.insert(name.to_owned()) {
            return Err(format!("tag {name}: expected once in a record, found twice"));
        }
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
            "Result" => record.result = value.parse().map_err(|error: NotAResult| format!("tag Result: {error}"))?,
            "Termination" => record.termination = value,
            _ => record.tags.push(Tag::new(name, &value).map_err(|error| error.to_string())?),
        }
        Ok(())
    }

    fn word(&mut self, word: &str) -> Result<(), Fault> {
        if let Ok(result) = word.parse() {
            self.end = Some(result);
            return Ok(());
        }
        let text: MoveText = word.parse().map_err(|_| wrong_word(word))?;
        self.record.moves.push(RecordedMove::from(text));
        self.is_commented = false;
        Ok(())
    }

    fn comment(&mut self, text: &str) -> Result<(), Fault> {
        let wrong = || wrong_comment(&format!("{{{text}}}"));
        let move_ = match self.record.moves.last_mut() {
            Some(move_) if !self.is_commented => move_,
            _ => return Err(format!("comment: expected one behind a move, found {{{text}}}")),
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

    fn end(self) -> Result<Record, Fault> {
        let end =
            self.end.ok_or("moves: expected the result (general, rebels, draw or *) at the end, found nothing")?;
        let tag = self.record.result;
        if self.tag_names.contains("Result") && tag != end {
            return Err(format!("result: expected {tag} as in the tag Result, found {end}"));
        }
        Ok(Record { result: end, ..self.record })
    }
}

fn whole_number<T: FromStr>(name: &str, text: String) -> Result<T, Fault> {
    text.parse().map_err(|_| format!("tag {name}: expected a whole number, found \"{text}\""))
}

/// An element of the text of a record.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Item<'a> {
    /// `[Name "value"]`.
    Tag(&'a str, String),
    /// `12.`.
    Number(u64),
    Word(&'a str),
    /// The text between braces.
    Comment(&'a str),
}

/// A part of a comment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Note {
    /// `+0.42/12`, `+0.42`, `/12`.
    Search(Option<Score>, Option<u32>),
    /// Milliseconds: `15ms`.
    Time(u64),
    /// Nodes: `5120n`.
    Nodes(u64),
}

fn item(text: &str) -> IResult<&str, Item<'_>> {
    let number = terminated(number, char('.')).map(Item::Number);
    let comment = delimited(char('{'), opt(is_not("{}")), char('}')).map(|text| Item::Comment(text.unwrap_or("")));
    let word = take_till1(|c: char| c.is_whitespace() || "[]{}".contains(c)).map(Item::Word);
    alt((tag_pair, number, comment, word)).parse(text)
}

fn tag_pair(text: &str) -> IResult<&str, Item<'_>> {
    let name = take_while1(is_name_character);
    let pair = (name, preceded(space1, quoted)).map(|(name, value)| Item::Tag(name, value));
    delimited((char('['), space0), pair, (space0, char(']'))).parse(text)
}

fn quoted(text: &str) -> IResult<&str, String> {
    let digits = take_while_m_n(1, 6, |c: char| c.is_ascii_hexdigit());
    let code = map_opt(digits, |digits| u32::from_str_radix(digits, 16).ok().and_then(char::from_u32));
    let named = alt((char('"'), char('\\'), value('\n', char('n')), delimited(tag("u{"), code, char('}'))));
    let plain = is_not("\"\\\r\n").map(str::to_owned);
    let part = alt((plain, preceded(char('\\'), named).map(String::from)));
    let parts = fold_many0(part, String::new, |value, part| value + &part);
    delimited(char('"'), parts, char('"')).parse(text)
}

fn notes(text: &str) -> Option<Vec<Note>> {
    let word = take_till1(|c: char| c.is_whitespace() || c == '/');
    let score = map_res(word, str::parse);
    let depth = || preceded(char('/'), number_u32);
    let time = terminated(number, tag("ms")).map(Note::Time);
    let nodes = terminated(number, char('n')).map(Note::Nodes);
    let search = (score, opt(depth())).map(|(score, depth)| Note::Search(Some(score), depth));
    let depth = depth().map(|depth| Note::Search(None, Some(depth)));
    let notes = separated_list0(multispace1, alt((time, nodes, depth, search)));
    let parsed: IResult<&str, Vec<Note>> = all_consuming(delimited(multispace0, notes, multispace0)).parse(text);
    parsed.ok().map(|(_, notes)| notes)
}
