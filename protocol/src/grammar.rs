//! The grammar of a line, `[id] command arguments`: `nom` parsers of words, numbers, headers of answers, and the arguments of commands.
//!
//! The input of a parser of arguments is the rest of the line. Every error names the place, what was found, and what was expected.

use std::fmt::Display;
use std::num::ParseIntError;
use std::ops::RangeInclusive;

use nom::branch::alt;
use nom::bytes::complete::{tag, take_while, take_while1};
use nom::character::complete::{char, digit1};
use nom::combinator::{all_consuming, eof, map_opt, opt, peek, recognize, rest, value as constant};
use nom::error::{ErrorKind, ParseError};
use nom::number::complete::recognize_float;
use nom::sequence::{preceded, terminated};
use nom::{IResult, Parser};

use crate::error::{ErrorCode, ProtocolError, quoted};
use crate::side::Side;

/// The largest id that a request may have: 2^31-1.
pub const LARGEST_ID: u32 = i32::MAX.unsigned_abs();

/// The words of a text, separated by any number of spaces.
pub(crate) fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(' ').filter(|word| !word.is_empty())
}

/// The first word of a text, and the rest.
pub(crate) fn next_word(text: &str) -> Option<(&str, &str)> {
    let word: IResult<&str, &str> = preceded(spaces, take_while1(|letter| letter != ' ')).parse(text);
    word.ok().map(|(behind, word)| (word, behind))
}

/// The id of a line whose rest cannot be read. A space shows that the id is complete.
pub(crate) fn leading_id(text: &str) -> Option<u32> {
    let id: IResult<&str, &str> = terminated(id_word, char(' ')).parse(text);
    id.ok().and_then(|(_, digits)| id_value(digits))
}

fn spaces(text: &str) -> IResult<&str, &str> {
    take_while(|letter| letter == ' ').parse(text)
}

/// A first word of digits only. A word that merely begins with digits is a command.
pub(crate) fn id_word(text: &str) -> IResult<&str, &str> {
    preceded(spaces, terminated(digit1, peek(alt((tag(" "), eof))))).parse(text)
}

pub(crate) fn id_value(digits: &str) -> Option<u32> {
    digits.parse().ok().filter(|id| *id <= LARGEST_ID)
}

/// Reads a whole number; an error when it is negative or has more than 64 bits, [`None`] when the word is no number.
pub(crate) fn whole_number(word: &str) -> Option<Result<u64, ParseIntError>> {
    let number: IResult<&str, &str> = all_consuming(recognize((opt(char('-')), digit1))).parse(word);
    number.ok().map(|(_, digits)| digits.parse())
}

/// Reads a decimal number such as `6`, `-0.5`, `.5`, `1e3`, but not `inf` or `nan`. A number beyond the range of a float is
/// infinite.
pub(crate) fn decimal_number(word: &str) -> Option<f64> {
    let number: IResult<&str, f64> =
        all_consuming(map_opt(recognize_float, |digits: &str| digits.parse().ok())).parse(word);
    number.ok().map(|(_, value)| value)
}

/// Reads the first line of an answer, `=[id] text` or `?[id] text`: success, id and text.
pub(crate) fn reply_header(line: &str) -> Option<(bool, Option<u32>, &str)> {
    // Some systems begin every output with a byte order mark.
    let line = line.strip_prefix('\u{feff}').unwrap_or(line);
    let header: IResult<&str, (bool, Option<u32>, Option<&str>)> = all_consuming((
        alt((constant(true, char('=')), constant(false, char('?')))),
        opt(map_opt(digit1, id_value)),
        opt(preceded(char(' '), rest)),
    ))
    .parse(line);
    let (_, (success, id, text)) = header.ok()?;
    Some((success, id, text.unwrap_or_default()))
}

/// The arguments of a command that have not been read: the input of the parsers.
#[derive(Debug, Clone, Copy)]
pub struct Arguments<'a> {
    pub(crate) command: &'a str,
    left: &'a str,
    /// The number of arguments taken so far.
    taken: usize,
}

/// What a parser of arguments returns.
pub type Parsed<'a, T> = IResult<Arguments<'a>, T, ProtocolError>;

/// The name of an argument in error messages; none where a command has a single argument.
pub(crate) type Label = Option<&'static str>;

impl<'a> Arguments<'a> {
    pub(crate) fn new(command: &'a str, text: &'a str) -> Self {
        Self { command, left: text.trim_matches(' '), taken: 0 }
    }

    /// Takes the next word, if there is one.
    pub fn word(self) -> (Self, Option<&'a str>) {
        match next_word(self.left) {
            None => (self, None),
            Some((word, left)) => {
                (Self { left: left.trim_start_matches(' '), taken: self.taken + 1, ..self }, Some(word))
            }
        }
    }

    /// An error about the next argument, or the lack of one.
    pub(crate) fn fault(self, code: ErrorCode, label: Label, expected: impl Display) -> ProtocolError {
        let (command, found) = (self.command, quoted(self.word().1));
        let place = label.map(|label| format!("argument {} ({label}): ", self.taken + 1)).unwrap_or_default();
        ProtocolError::new(code, format!("{command}: {place}expected {expected}, found {found}"))
    }

    /// A `syntax error` about the next argument.
    pub fn refused<T>(self, label: Label, expected: impl Display) -> Parsed<'a, T> {
        Err(nom::Err::Error(self.fault(ErrorCode::SyntaxError, label, expected)))
    }

    /// `value out of range` about the next argument.
    pub(crate) fn out_of_range<T>(self, label: Label, expected: impl Display) -> Parsed<'a, T> {
        Err(nom::Err::Error(self.fault(ErrorCode::ValueOutOfRange, label, expected)))
    }

    /// Reads all arguments.
    pub(crate) fn read<T>(
        self,
        mut parser: impl Parser<Self, Output = T, Error = ProtocolError>,
    ) -> Result<T, ProtocolError> {
        let (rest, value) = match parser.parse(self) {
            Ok(read) => read,
            Err(nom::Err::Error(error) | nom::Err::Failure(error)) => return Err(error),
            Err(nom::Err::Incomplete(_)) => return Err(ProtocolError::bare(ErrorCode::SyntaxError)),
        };
        let (command, extra) = (self.command, rest.word().1);
        let found = quoted(extra);
        match (extra, rest.taken) {
            (None, _) => Ok(value),
            (_, 0) => Err(ProtocolError::syntax(format!("{command} takes no arguments, found {found}"))),
            (_, taken) => Err(ProtocolError::syntax(format!(
                "{command}: argument {}: expected the end of the line, found {found}",
                taken + 1
            ))),
        }
    }
}

/// Only the combinators of nom need this; the parsers here make their own errors.
impl ParseError<Arguments<'_>> for ProtocolError {
    fn from_error_kind(input: Arguments<'_>, _: ErrorKind) -> Self {
        input.fault(ErrorCode::SyntaxError, None, "another argument")
    }

    fn append(_: Arguments<'_>, _: ErrorKind, other: Self) -> Self {
        other
    }
}

/// Reads a word.
pub fn word<'a>(label: Label, expected: &'static str) -> impl Fn(Arguments<'a>) -> Parsed<'a, String> {
    move |input| match input.word() {
        (rest, Some(word)) => Ok((rest, word.to_owned())),
        _ => input.refused(label, expected),
    }
}

/// A word, or nothing at the end of the line.
pub(crate) fn any_word(input: Arguments<'_>) -> Parsed<'_, Option<String>> {
    let (rest, word) = input.word();
    Ok((rest, word.map(str::to_owned)))
}

/// The rest of the line, which may be empty.
pub fn text(input: Arguments<'_>) -> Parsed<'_, String> {
    let taken = input.taken + usize::from(!input.left.is_empty());
    Ok((Arguments { left: "", taken, ..input }, input.left.to_owned()))
}

/// The rest of the line, which must not be empty.
pub fn value(input: Arguments<'_>) -> Parsed<'_, String> {
    if input.left.is_empty() { input.refused(Some("value"), "a value") } else { text(input) }
}

/// A path, which may contain spaces, and behind it a whole number from 1, which is the last word, or nothing.
pub fn path_and_count<'a>(noun: &'static str) -> impl Fn(Arguments<'a>) -> Parsed<'a, (String, Option<u32>)> {
    move |input| {
        if input.left.is_empty() {
            return input.refused(Some("file"), "a path");
        }
        let (behind, path) = text(input)?;
        match input.left.rsplit_once(' ').filter(|(_, last)| whole_number(last).is_some()) {
            None => Ok((behind, (path, None))),
            Some((path, last)) => {
                let last = Arguments { left: last, taken: input.taken + 1, ..input };
                let (behind, number) = count(Some("number"), noun, 1)(last)?;
                Ok((behind, (path.trim_end_matches(' ').to_owned(), Some(number))))
            }
        }
    }
}

/// One word or more, up to one that ends them.
pub(crate) fn words_until<'a>(
    label: Label,
    expected: &'static str,
    ends: impl Fn(&str) -> bool,
) -> impl Fn(Arguments<'a>) -> Parsed<'a, Vec<String>> {
    move |mut input| {
        let mut words = Vec::new();
        while let (rest, Some(word)) = input.word() {
            if ends(word) {
                break;
            }
            words.push(word.to_owned());
            input = rest;
        }
        if words.is_empty() { input.refused(label, expected) } else { Ok((input, words)) }
    }
}

/// All arguments that are left, each with the same parser.
pub fn repeated<'a, T>(
    mut parser: impl Parser<Arguments<'a>, Output = T, Error = ProtocolError>,
) -> impl FnMut(Arguments<'a>) -> Parsed<'a, Vec<T>> {
    move |mut input| {
        let mut values = Vec::new();
        while !input.left.is_empty() {
            let (rest, value) = parser.parse(input)?;
            values.push(value);
            input = rest;
        }
        Ok((input, values))
    }
}

/// An argument that may be left out at the end of the line.
pub fn optional<'a, T: Clone>(
    mut parser: impl Parser<Arguments<'a>, Output = T, Error = ProtocolError>,
    default: T,
) -> impl FnMut(Arguments<'a>) -> Parsed<'a, T> {
    move |input| if input.left.is_empty() { Ok((input, default.clone())) } else { parser.parse(input) }
}

/// A word that may be left out.
pub(crate) fn flag<'a>(name: &'static str) -> impl Fn(Arguments<'a>) -> Parsed<'a, bool> {
    move |input| match input.word() {
        (rest, None) => Ok((rest, false)),
        (rest, Some(found)) if found == name => Ok((rest, true)),
        _ => input.refused(None, format_args!("{name} or nothing")),
    }
}

/// A whole number in a range; `noun` says what it counts.
pub(crate) fn number<'a, N>(
    label: Label,
    noun: &'static str,
    range: RangeInclusive<N>,
) -> impl Fn(Arguments<'a>) -> Parsed<'a, N>
where
    N: TryFrom<u64> + PartialOrd + Display + Default,
{
    move |input| {
        let (start, end) = (range.start(), range.end());
        let (rest, found) = input.word();
        let number = match found.and_then(whole_number) {
            Some(number) => number.ok().and_then(|number| N::try_from(number).ok()),
            None if *start == N::default() => return input.refused(label, noun),
            None => return input.refused(label, format_args!("{noun} from {start}")),
        };
        match number.filter(|number| range.contains(number)) {
            Some(number) => Ok((rest, number)),
            None => input.out_of_range(label, format_args!("{noun} from {start} to {end}")),
        }
    }
}

/// A whole number of up to 32 bits that is at least `least`.
pub fn count<'a>(label: Label, noun: &'static str, least: u32) -> impl Fn(Arguments<'a>) -> Parsed<'a, u32> {
    number(label, noun, least..=u32::MAX)
}

/// A finite decimal number.
pub(crate) fn decimal(input: Arguments<'_>) -> Parsed<'_, f64> {
    let (rest, found) = input.word();
    match found.and_then(decimal_number) {
        Some(value) if value.is_finite() => Ok((rest, value)),
        Some(_) => input.out_of_range(None, format_args!("a number of at most {:e}", f64::MAX)),
        None => input.refused(None, "a number"),
    }
}

/// Reads a side.
pub fn side<'a>(label: Label) -> impl Fn(Arguments<'a>) -> Parsed<'a, Side> {
    move |input| {
        let (rest, found) = input.word();
        match found.and_then(|word| word.parse().ok()) {
            Some(side) => Ok((rest, side)),
            None => input.refused(label, "a side (general or rebels)"),
        }
    }
}

/// Reads an argument into a place, and gives the rest.
pub(crate) fn put<'a, T>(
    place: &mut Option<T>,
    mut parser: impl Parser<Arguments<'a>, Output = T, Error = ProtocolError>,
    input: Arguments<'a>,
) -> Result<Arguments<'a>, nom::Err<ProtocolError>> {
    let (rest, value) = parser.parse(input)?;
    *place = Some(value);
    Ok(rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_incomplete_id_is_not_read() {
        assert_eq!(leading_id("5 name"), Some(5));
        assert_eq!(leading_id("5"), None);
        assert_eq!(leading_id("5x "), None);
        assert_eq!(leading_id("2147483648 "), None);
    }

    #[test]
    fn words_that_are_not_numbers_are_refused() {
        for word in ["nan", "inf", "infinity", "-inf", "", "1,5", "0x10", "1e", "--1"] {
            assert!(decimal_number(word).is_none(), "{word}");
        }
        for word in ["", "-", "1.5", "1e3", "+1", "x"] {
            assert!(whole_number(word).is_none(), "{word}");
        }
    }

    #[test]
    fn headers() {
        assert_eq!(reply_header("=12 name"), Some((true, Some(12), "name")));
        assert_eq!(reply_header("? no"), Some((false, None, "no")));
        assert_eq!(reply_header("="), Some((true, None, "")));
        assert!(reply_header("=name").is_none());
        assert_eq!(reply_header("\u{feff}= 5"), Some((true, None, "5")));
        assert_eq!(reply_header("= 5"), Some((true, None, "5")));
        assert!(reply_header("info depth 1").is_none());
    }
}
