//! The text of records, read: the file into records, a record into its elements.

use std::collections::HashSet;
use std::str::FromStr;

use nom::branch::alt;
use nom::bytes::complete::{is_not, tag, take_till1, take_while_m_n, take_while1};
use nom::character::complete::{char, one_of, space0, space1, u64 as number};
use nom::combinator::{all_consuming, map_opt, recognize, value};
use nom::multi::{fold_many0, many0_count};
use nom::sequence::{delimited, preceded, terminated};
use nom::{IResult, Parser};

use privy_base::json::fault;
use privy_protocol::Score;
use privy_rules::MoveText;
use serde::Deserialize;

use crate::record::{
    FIELDS, GameResult, MOST_NESTED, Record, RecordedMove, is_name_character, is_tag_name, is_well_nested,
};

/// An error in the text of a record.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {fault}")]
pub struct RecordError {
    /// The line, from 1.
    pub line: usize,
    /// The part of the record, the expectation, and the finding.
    pub fault: String,
}

/// Reads the records of a file one by one, all as text, or each as a line of JSON, alone or in a line of a match file.
/// Reading continues after an error.
///
/// ```
/// use privy_records::records;
///
/// let text = "[Variant \"kings-gonu\"]\n*\n\n[Variant \"kings-gonu\"]\n1. nonsense\n";
/// let read: Vec<_> = records(text).collect();
/// assert!(read[0].is_ok());
/// assert!(read[1].as_ref().unwrap_err().to_string().starts_with("line 5: moves: expected a move such as c3-b2"));
/// ```
pub fn records(text: &str) -> impl Iterator<Item = Result<Record, RecordError>> {
    let in_json = text.trim_start_matches(is_blank).starts_with('{');
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
            let contents = record.trim_matches(is_blank);
            match (contents.is_empty(), rest.is_empty()) {
                (false, false) if contents.starts_with(MATCH_HEAD) => {}
                (false, _) if in_json => return Some(read_json(contents, first_line)),
                (false, _) => return Some(read(record, first_line)),
                (true, true) => return None,
                (true, false) => {}
            }
        }
    })
}

/// The beginning of the first line of a match file, and of the lines of its games, in which records follow reports.
const MATCH_HEAD: &str = "{\"privy_match\":";
const MATCH_GAME: &str = "{\"report\":";

#[derive(Deserialize)]
struct MatchGame {
    record: Record,
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

/// True for what may stand before a record: spaces, and the byte order mark of a file that another one has been put
/// before.
pub(crate) fn is_blank(letter: char) -> bool {
    letter.is_whitespace() || letter == '\u{feff}'
}

/// The length of the first record: up to the first tag after a line of moves. A comment may have a line that looks like
/// a tag, but no empty line, so that one without an end does not hide the next record.
fn record_length(text: &str) -> usize {
    let mut length = 0;
    let (mut moves_seen, mut in_comment) = (false, false);
    for line in text.split_inclusive('\n') {
        let is_empty = line.trim_matches(is_blank).is_empty();
        let is_tag = !in_comment && line.trim_start_matches(is_blank).starts_with('[');
        if is_tag && moves_seen {
            break;
        }
        moves_seen |= !is_tag && !is_empty;
        in_comment &= !is_empty;
        if !is_tag {
            let mut letters = line.chars();
            while let Some(letter) = letters.next() {
                match letter {
                    // Not the braces of a code.
                    '\\' if in_comment && letters.next() == Some('u') => drop(letters.find(|letter| *letter == '}')),
                    '{' => in_comment = true,
                    '}' => in_comment = false,
                    _ => {}
                }
            }
        }
        length += line.len();
    }
    length
}

fn read_json(text: &str, line: usize) -> Result<Record, RecordError> {
    let wrong = |reason: String| RecordError { line, fault: format!("JSON: {reason}") };
    // The parser counts lines within this record.
    let read = if text.starts_with(MATCH_GAME) {
        serde_json::from_str(text).map(|MatchGame { record }| record)
    } else {
        serde_json::from_str(text)
    };
    let record = read.map_err(|error| wrong(fault(&error).replace(" at line 1 column ", " at column ")))?;
    if let Some((name, _)) = record.tags.iter().find(|(name, _)| !is_tag_name(name)) {
        let expected = "names of ASCII letters, digits and _ that no field of a record has";
        return Err(wrong(format!("tags: expected {expected}, found \"{name}\"")));
    }
    if is_well_nested(&record.moves, 0) {
        Ok(record)
    } else {
        let expected = "a move in each, none of its own at its first move";
        Err(wrong(format!("variations: expected {expected}, at most {MOST_NESTED} within each other")))
    }
}

fn read(text: &str, first_line: usize) -> Result<Record, RecordError> {
    let mut reading = RecordReader::default();
    let mut rest = text.trim_start_matches(is_blank);
    while !rest.is_empty() {
        let here = |fault| {
            let before = text.get(..text.len() - rest.len()).unwrap_or_default();
            RecordError { line: first_line + line_feeds(before), fault }
        };
        let (after, item) = item(rest).map_err(|_| here(no_item(rest)))?;
        if reading.end.is_some() {
            let found = rest.strip_suffix(after).unwrap_or(rest);
            return Err(here(format!("result: expected the tags of the next game after it, found {found}")));
        }
        reading.take(item).map_err(here)?;
        rest = after.trim_start_matches(is_blank);
    }
    let last_line = first_line + line_feeds(text.trim_end());
    reading.end().map_err(|fault| RecordError { line: last_line, fault })
}

/// The error at a text that is not an item.
fn no_item(text: &str) -> String {
    let line = text.lines().next().unwrap_or_default().trim_end().to_owned();
    match text.chars().next() {
        Some('[') => format!("tag: expected a form such as [Event \"club evening\"], found {line}"),
        Some('{') => {
            format!("comment: expected a form such as {{a bold start}}, with \\ before \\, {{ and }}, found {line}")
        }
        _ => wrong_word(&line),
    }
}

fn wrong_word(found: &str) -> String {
    format!("moves: expected a move such as c3-b2, or the result (general, rebels, draw or *), found \"{found}\"")
}

/// A record that is being read; its moves are the main line.
#[derive(Default)]
struct RecordReader {
    record: Record,
    tag_names: HashSet<String>,
    /// The variations that have begun, each within the one before it.
    variations: Vec<Vec<RecordedMove>>,
    /// The result after the moves.
    end: Option<GameResult>,
}

impl RecordReader {
    /// The line that is being read.
    fn line(&mut self) -> &mut Vec<RecordedMove> {
        self.variations.last_mut().unwrap_or(&mut self.record.moves)
    }

    fn take(&mut self, item: RecordItem<'_>) -> Result<(), String> {
        // The first move of a variation replaces one.
        let lines = [&self.record.moves].into_iter().chain(&self.variations);
        let plies = lines.map(Vec::len).sum::<usize>() - self.variations.len();
        match item {
            RecordItem::Tag(name, _) if plies > 0 || !self.record.comment.is_empty() => {
                Err(format!("tag {name}: expected before the first move"))
            }
            RecordItem::Tag(name, _) if !self.tag_names.insert(name.to_owned()) => {
                Err(format!("tag {name}: expected once in a record, found twice"))
            }
            RecordItem::Tag(name, value) => set_tag(&mut self.record, name, value),
            RecordItem::Number(found) => match plies + 1 {
                expected if found == expected as u64 => Ok(()),
                expected => {
                    Err(format!("move number: expected {expected}. (moves are numbered by ply), found {found}."))
                }
            },
            RecordItem::Word(word) => self.word(word),
            RecordItem::Comment(text) => self.comment(text),
            RecordItem::Begin if self.line().is_empty() => {
                Err("variation: expected after the move that it replaces, found (".to_owned())
            }
            RecordItem::Begin if self.variations.len() >= MOST_NESTED => {
                Err(format!("variation: expected at most {MOST_NESTED} within each other, found another one"))
            }
            RecordItem::Begin => {
                self.variations.push(Vec::new());
                Ok(())
            }
            RecordItem::End => {
                let mut variation = self.variations.pop_if(|line| !line.is_empty()).unwrap_or_default();
                match self.line().last_mut().filter(|_| !variation.is_empty()) {
                    Some(move_) => {
                        // Another first move of the variation is another variation.
                        let others = variation.first_mut().map(|first| std::mem::take(&mut first.variations));
                        move_.variations.push(variation);
                        move_.variations.extend(others.into_iter().flatten());
                        Ok(())
                    }
                    None => Err("variation: expected ( and a move before its end, found )".to_owned()),
                }
            }
        }
    }

    fn word(&mut self, word: &str) -> Result<(), String> {
        if let Ok(result) = word.parse() {
            if !self.variations.is_empty() {
                return Err(format!("variation: expected ) at its end, found {result}"));
            }
            self.end = Some(result);
            return Ok(());
        }
        let (text, glyph) = word.split_at(word.find(['!', '?', '$']).unwrap_or(word.len()));
        if !text.is_empty() {
            let text: MoveText = text.parse().map_err(|_| wrong_word(word))?;
            self.line().push(RecordedMove::from(text));
        }
        if glyph.is_empty() {
            return Ok(());
        }
        match self.line().last_mut().filter(|move_| move_.glyph.is_none()) {
            Some(move_) => move_.glyph = Some(glyph.parse()?),
            None => return Err(format!("glyph: expected one after a move, found {glyph}")),
        }
        Ok(())
    }

    fn comment(&mut self, text: &str) -> Result<(), String> {
        let is_main = self.variations.is_empty();
        let line = self.variations.last_mut().unwrap_or(&mut self.record.moves);
        let place = match (line.last_mut(), read_report(text)) {
            (Some(move_), Some(_)) if move_.is_searched() => {
                return Err(format!("report: expected one after a move, found another one after {}", move_.text));
            }
            (Some(move_), Some(report)) => {
                (move_.score, move_.depth, move_.time_ms, move_.nodes) = report;
                return Ok(());
            }
            (Some(move_), None) => &mut move_.comment,
            (None, _) if is_main => &mut self.record.comment,
            (None, _) => return Err(format!("comment: expected after a move of the variation, found {{{text}}}")),
        };
        let (_, words) = comment_words(text.trim_matches(SPACES)).map_err(|_| no_item(&format!("{{{text}}}")))?;
        if place.is_empty() {
            *place = words;
        } else if !words.is_empty() {
            place.extend([" ", &words]);
        }
        Ok(())
    }

    fn end(self) -> Result<Record, String> {
        if !self.variations.is_empty() {
            return Err("variation: expected ) at its end, found nothing".to_owned());
        }
        let end =
            self.end.ok_or("moves: expected the result (general, rebels, draw or *) at the end, found nothing")?;
        let tag = self.record.result;
        if self.tag_names.contains("Result") && tag != end {
            return Err(format!("result: expected {tag} as in the tag Result, found {end}"));
        }
        Ok(Record { result: end, ..self.record })
    }
}

/// Sets a field of a record, or adds a tag.
fn set_tag(record: &mut Record, name: &str, value: String) -> Result<(), String> {
    let Some((.., set)) = FIELDS.iter().find(|(field, ..)| *field == name) else {
        record.tags.push((name.to_owned(), value));
        return Ok(());
    };
    set(record, value).map_err(|error| format!("tag {name}: {error}"))
}

/// What a search reports of its move: score, depth, time in milliseconds, nodes.
type Report = (Option<Score>, Option<u32>, Option<u64>, Option<u64>);

/// Reads a report; `None` if the text has other words, or one twice.
pub(crate) fn read_report(text: &str) -> Option<Report> {
    let (mut score, mut depth, mut time, mut nodes) = Report::default();
    for word in text.split_ascii_whitespace() {
        let is_first = if let Some(found) = word.strip_suffix("ms").and_then(digits) {
            time.replace(found).is_none()
        } else if let Some(found) = word.strip_suffix('n').and_then(digits) {
            nodes.replace(found).is_none()
        } else {
            let is_first = score.is_none() && depth.is_none();
            let (begin, end) = word.split_once('/').map_or((word, None), |(begin, end)| (begin, Some(end)));
            score = if begin.is_empty() { None } else { Some(begin.parse().ok()?) };
            depth = end.map(|depth| digits(depth).ok_or(())).transpose().ok()?;
            is_first
        };
        if !is_first {
            return None;
        }
    }
    let report = (score, depth, time, nodes);
    (report != Report::default()).then_some(report)
}

/// An element of the text of a record.
#[derive(Debug, Clone, PartialEq, Eq)]
enum RecordItem<'a> {
    /// `[Name "value"]`.
    Tag(&'a str, String),
    /// `12.`.
    Number(u64),
    Word(&'a str),
    /// The text between braces, as it is written.
    Comment(&'a str),
    /// `(`: a variation begins.
    Begin,
    /// `)`: it ends.
    End,
}

/// A number without a sign.
fn digits<T: FromStr>(text: &str) -> Option<T> {
    text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse().ok())?
}

/// What may stand between the words of a comment.
const SPACES: [char; 4] = [' ', '\t', '\r', '\n'];

fn item(text: &str) -> IResult<&str, RecordItem<'_>> {
    let number = terminated(number, take_while1(|c| c == '.')).map(RecordItem::Number);
    let letters = alt((is_not("{}\\"), recognize(escape)));
    let comment = delimited(char('{'), recognize(many0_count(letters)), char('}')).map(RecordItem::Comment);
    let word = take_till1(|c: char| c.is_whitespace() || "[]{}()".contains(c)).map(RecordItem::Word);
    let bracket = alt((value(RecordItem::Begin, char('(')), value(RecordItem::End, char(')'))));
    alt((tag_pair, number, comment, bracket, word)).parse(text)
}

/// A comment as it is meant: lines and runs of spaces are spaces.
fn comment_words(text: &str) -> IResult<&str, String> {
    let plain = is_not("\\ \t\r\n").map(str::to_owned);
    let spaces = take_while1(|c| SPACES.contains(&c)).map(|_| " ".to_owned());
    let part = alt((plain, spaces, escape.map(String::from)));
    all_consuming(fold_many0(part, String::new, |text, part| text + &part)).parse(text)
}

fn tag_pair(text: &str) -> IResult<&str, RecordItem<'_>> {
    let name = take_while1(is_name_character);
    let pair = (name, preceded(space1, quoted)).map(|(name, value)| RecordItem::Tag(name, value));
    delimited((char('['), space0), pair, (space0, char(']'))).parse(text)
}

fn quoted(text: &str) -> IResult<&str, String> {
    let plain = is_not("\"\\\r\n").map(str::to_owned);
    let part = alt((plain, escape.map(String::from)));
    let parts = fold_many0(part, String::new, |value, part| value + &part);
    delimited(char('"'), parts, char('"')).parse(text)
}

/// A character after a backslash, or its code.
fn escape(text: &str) -> IResult<&str, char> {
    let digits = take_while_m_n(1, 6, |c: char| c.is_ascii_hexdigit());
    let code = map_opt(digits, |digits| u32::from_str_radix(digits, 16).ok().and_then(char::from_u32));
    let coded = delimited(tag("u{"), code, char('}'));
    preceded(char('\\'), alt((one_of("\"\\{}"), value('\n', char('n')), coded))).parse(text)
}
