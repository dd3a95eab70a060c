//! The grammar of records: tags, move numbers, words, comments.

use nom::branch::alt;
use nom::bytes::complete::{is_not, tag, take_till1, take_while_m_n, take_while1};
use nom::character::complete::{char, multispace0, multispace1, space0, space1, u32 as number_u32, u64 as number};
use nom::combinator::{all_consuming, map_opt, map_res, opt, value};
use nom::multi::{fold_many0, separated_list0};
use nom::sequence::{delimited, preceded, terminated};
use nom::{IResult, Parser};
use privy_protocol::Score;

use super::tag::is_name_character;

/// What the text of a record is made of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Item<'a> {
    /// `[Name "value"]`.
    Tag(&'a str, String),
    /// `12.`.
    Number(u64),
    /// A move or a result.
    Word(&'a str),
    /// What stands between braces.
    Comment(&'a str),
}

/// What a comment says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Note {
    /// `+0.42/12`, `+0.42`, `/12`.
    Search(Option<Score>, Option<u32>),
    /// Milliseconds: `15ms`.
    Time(u64),
    /// Nodes: `5120n`.
    Nodes(u64),
}

/// Reads an item at the beginning of a text.
pub(super) fn item(text: &str) -> IResult<&str, Item<'_>> {
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

/// Reads the inside of a comment.
pub(super) fn notes(text: &str) -> Option<Vec<Note>> {
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
