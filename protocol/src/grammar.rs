//! The grammar of a line, `[id] command arguments`: `nom` parsers of words, numbers, and headers of answers.

use std::num::ParseIntError;

use nom::branch::alt;
use nom::bytes::complete::{tag, take_while, take_while1};
use nom::character::complete::{char, digit1};
use nom::combinator::{all_consuming, eof, map_opt, opt, peek, recognize, rest, value};
use nom::number::complete::recognize_float;
use nom::sequence::{preceded, terminated};
use nom::{IResult, Parser};

use crate::error::{ProtocolError, Rejection};

/// The largest id that a request may have: 2^31-1.
pub const LARGEST_ID: u32 = i32::MAX.unsigned_abs();

/// A line cut into its parts. The arguments are not read yet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Line<'a> {
    /// The id, which the answer repeats: 0 to [`LARGEST_ID`].
    pub id: Option<u32>,
    /// The name of the command. Case matters.
    pub command: &'a str,
    /// The text behind the command, without the spaces around it.
    pub arguments: &'a str,
}

impl<'a> Line<'a> {
    /// Cuts a line into its parts.
    ///
    /// # Errors
    /// `syntax error: id` when the id is larger than [`LARGEST_ID`]; `syntax error: no command`.
    pub fn parse(text: &'a str) -> Result<Self, Rejection> {
        let (text, digits) = opt(id_word).parse(text).unwrap_or((text, None));
        let id = digits.and_then(id_value);
        if digits.is_some() && id.is_none() {
            return Err(Rejection { id, error: ProtocolError::syntax("id") });
        }
        match next_word(text) {
            Some((command, arguments)) => Ok(Self { id, command, arguments: arguments.trim_matches(' ') }),
            None => Err(Rejection { id, error: ProtocolError::syntax("no command") }),
        }
    }
}

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
fn id_word(text: &str) -> IResult<&str, &str> {
    preceded(spaces, terminated(digit1, peek(alt((tag(" "), eof))))).parse(text)
}

fn id_value(digits: &str) -> Option<u32> {
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
    let header: IResult<&str, (bool, Option<u32>, Option<&str>)> = all_consuming((
        alt((value(true, char('=')), value(false, char('?')))),
        opt(map_opt(digit1, id_value)),
        opt(preceded(char(' '), rest)),
    ))
    .parse(line);
    let (_, (success, id, text)) = header.ok()?;
    Some((success, id, text.unwrap_or_default()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rejected(text: &str) -> (Option<u32>, String) {
        let rejection = Line::parse(text).unwrap_err();
        (rejection.id, rejection.error.to_string())
    }

    #[test]
    fn a_line_has_three_parts() {
        let line = Line::parse("  12   echo  two  words ").unwrap();
        assert_eq!((line.id, line.command), (Some(12), "echo"));
        assert_eq!(line.arguments, "two  words");
        assert_eq!(words(line.arguments).collect::<Vec<_>>(), ["two", "words"]);
        assert_eq!(Line::parse("fen").unwrap().id, None);
        assert_eq!(Line::parse("007 fen").unwrap().id, Some(7));
        assert_eq!(Line::parse("0 fen").unwrap().id, Some(0));
    }

    #[test]
    fn ids_have_a_limit() {
        assert_eq!(Line::parse("2147483647 fen").unwrap().id, Some(LARGEST_ID));
        assert_eq!(rejected("2147483648 fen"), (None, "syntax error: id".into()));
        assert_eq!(rejected("99999999999999999999"), (None, "syntax error: id".into()));
        assert_eq!(rejected(" 5 "), (Some(5), "syntax error: no command".into()));
        assert_eq!(rejected(""), (None, "syntax error: no command".into()));
    }

    #[test]
    fn only_digits_make_an_id() {
        assert_eq!(Line::parse("5name").unwrap().command, "5name");
        assert_eq!(Line::parse("-5 name").unwrap().command, "-5");
    }

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
        assert_eq!(reply_header("= 5"), Some((true, None, "5")));
        assert!(reply_header("info depth 1").is_none());
    }
}
