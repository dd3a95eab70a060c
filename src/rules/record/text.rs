//! The text of a record, written and read: tags, moves with comments on their searches, the result.

use std::collections::HashSet;
use std::fmt::{self, Display, Write as _};
use std::str::FromStr;

use nom::branch::alt;
use nom::bytes::complete::{is_not, tag, take_till1, take_while_m_n, take_while1};
use nom::character::complete::{char, space0, space1, u64 as number};
use nom::combinator::{map_opt, opt, value};
use nom::multi::fold_many0;
use nom::sequence::{delimited, preceded, terminated};
use nom::{IResult, Parser};

use crate::MoveText;
use privy_base::message::is_unsafe;

use super::{GameResult, Record, RecordedMove, Tag};

/// A tag that is a field of a record: its name, its value as text, and the field set from a text.
type TagField = (&'static str, fn(&Record) -> String, fn(&mut Record, String) -> Result<(), String>);

/// In the order of the text. Empty values are not written.
const FIELDS: [TagField; 14] = [
    ("Event", |record| record.event.clone(), |record, text| set(&mut record.event, text)),
    ("Site", |record| record.site.clone(), |record, text| set(&mut record.site, text)),
    ("Date", |record| record.date.clone(), |record, text| set(&mut record.date, text)),
    ("Round", |record| record.round.clone(), |record, text| set(&mut record.round, text)),
    ("General", |record| record.general.clone(), |record, text| set(&mut record.general, text)),
    ("Rebels", |record| record.rebels.clone(), |record, text| set(&mut record.rebels, text)),
    ("Variant", |record| record.variant.clone(), |record, text| set(&mut record.variant, text)),
    ("Fingerprint", |record| record.fingerprint.clone(), |record, text| set(&mut record.fingerprint, text)),
    ("Opening", |record| record.opening.clone(), |record, text| set(&mut record.opening, text)),
    ("TimeControl", |record| record.time_control.clone(), |record, text| set(&mut record.time_control, text)),
    ("MoveLimit", |record| number_text(record.move_limit), |record, text| set_number(&mut record.move_limit, &text)),
    ("Seed", |record| number_text(record.seed), |record, text| set_number(&mut record.seed, &text)),
    ("Result", |record| record.result.to_string(), |record, text| set(&mut record.result, text.parse()?)),
    ("Termination", |record| record.termination.clone(), |record, text| set(&mut record.termination, text)),
];

fn set<T>(field: &mut T, value: T) -> Result<(), String> {
    *field = value;
    Ok(())
}

fn set_number<T: FromStr>(field: &mut Option<T>, text: &str) -> Result<(), String> {
    set(field, Some(text.parse().map_err(|_| format!("expected a whole number, found \"{text}\""))?))
}

fn number_text(number: Option<impl Display>) -> String {
    number.map(|number| number.to_string()).unwrap_or_default()
}

/// True if a tag is a field of a record.
pub(super) fn is_field(name: &str) -> bool {
    FIELDS.iter().any(|(field, ..)| *field == name)
}

pub(super) fn is_name_character(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

/// The longest line of moves, unless a single move is longer.
const LINE_LENGTH: usize = 80;

/// Tags, an empty line, the moves, a line feed at the end. An empty line separates two records.
impl Display for Record {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let fields = FIELDS.iter().map(|(name, value, _)| (*name, value(self))).filter(|(_, value)| !value.is_empty());
        let tags = self.tags.iter().map(|tag| (tag.name(), tag.value().to_owned()));
        for (name, value) in fields.chain(tags) {
            writeln!(f, "[{name} \"{}\"]", escaped(&value))?;
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

/// The move, then its search in braces: `c3-b2 {+0.42/12 15ms 5120n}`.
impl Display for RecordedMove {
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

/// The value of a tag between its quotes.
fn escaped(value: &str) -> String {
    value.chars().fold(String::new(), |text, c| match c {
        '"' | '\\' => text + "\\" + c.encode_utf8(&mut [0; 4]),
        '\n' => text + "\\n",
        c if is_unsafe(c) => text + &format!("\\u{{{:x}}}", u32::from(c)),
        c => text + c.encode_utf8(&mut [0; 4]),
    })
}

/// An error in the text of a record.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {fault}")]
pub struct RecordError {
    /// The line, from 1.
    pub line: usize,
    /// The part of the record, the expectation, and the finding.
    pub fault: String,
}

/// Reads the records of a file one by one, all as text, or each as a line of JSON. Reading continues after an error.
///
/// ```
/// use privy_rules::record::records;
///
/// let text = "[Variant \"kings-gonu\"]\n*\n\n[Variant \"kings-gonu\"]\n1. nonsense\n";
/// let read: Vec<_> = records(text).collect();
/// assert!(read[0].is_ok());
/// assert!(read[1].as_ref().unwrap_err().to_string().starts_with("line 5: moves: expected a move such as c3-b2"));
/// ```
pub fn records(text: &str) -> impl Iterator<Item = Result<Record, RecordError>> {
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
    let mut reading = RecordReader::default();
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
fn no_item(text: &str) -> String {
    let line = text.lines().next().unwrap_or_default().trim_end().to_owned();
    match text.chars().next() {
        Some('[') => format!("tag: expected a form such as [Event \"club evening\"], found {line}"),
        Some('{') => wrong_comment(&line),
        _ => wrong_word(&line),
    }
}

fn wrong_word(found: &str) -> String {
    format!("moves: expected a move such as c3-b2, or the result (general, rebels, draw or *), found \"{found}\"")
}

fn wrong_comment(found: &str) -> String {
    format!("comment: expected score/depth, time, nodes such as {{+0.42/12 15ms 5120n}}, found {found}")
}

#[derive(Default)]
struct RecordReader {
    record: Record,
    tag_names: HashSet<String>,
    /// The last move has a comment.
    is_commented: bool,
    /// The result after the moves.
    end: Option<GameResult>,
}

impl RecordReader {
    fn take(&mut self, item: RecordItem<'_>) -> Result<(), String> {
        if self.end.is_some() {
            let found = match item {
                RecordItem::Tag(name, _) => format!("[{name} …]"),
                RecordItem::Number(number) => format!("{number}."),
                RecordItem::Word(word) => word.to_owned(),
                RecordItem::Comment(text) => format!("{{{text}}}"),
            };
            return Err(format!("result: expected the tags of the next game behind it, found {found}"));
        }
        match item {
            RecordItem::Tag(name, _) if !self.record.moves.is_empty() => {
                Err(format!("tag {name}: expected before the first move"))
            }
            RecordItem::Tag(name, value) => self.tag(name, value),
            RecordItem::Number(found) => match self.record.moves.len() + 1 {
                expected if found == expected as u64 => Ok(()),
                expected => {
                    Err(format!("move number: expected {expected}. (moves are numbered by ply), found {found}."))
                }
            },
            RecordItem::Word(word) => self.word(word),
            RecordItem::Comment(text) => self.comment(text),
        }
    }

    fn tag(&mut self, name: &str, value: String) -> Result<(), String> {
        if !self.tag_names.insert(name.to_owned()) {
            return Err(format!("tag {name}: expected once in a record, found twice"));
        }
        match FIELDS.iter().find(|(field, ..)| *field == name) {
            Some((.., set)) => set(&mut self.record, value).map_err(|error| format!("tag {name}: {error}")),
            None => Tag::new(name, &value).map(|tag| self.record.tags.push(tag)),
        }
    }

    fn word(&mut self, word: &str) -> Result<(), String> {
        if let Ok(result) = word.parse() {
            self.end = Some(result);
            return Ok(());
        }
        let text: MoveText = word.parse().map_err(|_| wrong_word(word))?;
        self.record.moves.push(RecordedMove::from(text));
        self.is_commented = false;
        Ok(())
    }

    fn comment(&mut self, text: &str) -> Result<(), String> {
        let wrong = || wrong_comment(&format!("{{{text}}}"));
        let move_ = match self.record.moves.last_mut() {
            Some(move_) if !self.is_commented => move_,
            _ => return Err(format!("comment: expected one behind a move, found {{{text}}}")),
        };
        for word in text.split_ascii_whitespace() {
            let is_first = if let Some(time) = word.strip_suffix("ms").and_then(digits) {
                move_.time_ms.replace(time).is_none()
            } else if let Some(nodes) = word.strip_suffix('n').and_then(digits) {
                move_.nodes.replace(nodes).is_none()
            } else {
                let is_first = move_.score.is_none() && move_.depth.is_none();
                let (score, depth) = word.split_once('/').map_or((word, None), |(score, depth)| (score, Some(depth)));
                if !score.is_empty() {
                    move_.score = Some(score.parse().map_err(|_| wrong())?);
                }
                move_.depth = depth.map(|depth| digits(depth).ok_or_else(wrong)).transpose()?;
                is_first
            };
            if !is_first {
                return Err(wrong());
            }
        }
        self.is_commented = true;
        Ok(())
    }

    fn end(self) -> Result<Record, String> {
        let end =
            self.end.ok_or("moves: expected the result (general, rebels, draw or *) at the end, found nothing")?;
        let tag = self.record.result;
        if self.tag_names.contains("Result") && tag != end {
            return Err(format!("result: expected {tag} as in the tag Result, found {end}"));
        }
        Ok(Record { result: end, ..self.record })
    }
}

/// An element of the text of a record.
#[derive(Debug, Clone, PartialEq, Eq)]
enum RecordItem<'a> {
    /// `[Name "value"]`.
    Tag(&'a str, String),
    /// `12.`.
    Number(u64),
    Word(&'a str),
    /// The text between braces.
    Comment(&'a str),
}

/// A number without a sign.
fn digits<T: FromStr>(text: &str) -> Option<T> {
    text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse().ok())?
}

fn item(text: &str) -> IResult<&str, RecordItem<'_>> {
    let number = terminated(number, char('.')).map(RecordItem::Number);
    let comment =
        delimited(char('{'), opt(is_not("{}")), char('}')).map(|text| RecordItem::Comment(text.unwrap_or("")));
    let word = take_till1(|c: char| c.is_whitespace() || "[]{}".contains(c)).map(RecordItem::Word);
    alt((tag_pair, number, comment, word)).parse(text)
}

fn tag_pair(text: &str) -> IResult<&str, RecordItem<'_>> {
    let name = take_while1(is_name_character);
    let pair = (name, preceded(space1, quoted)).map(|(name, value)| RecordItem::Tag(name, value));
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
