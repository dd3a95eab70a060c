//! `nom` parsers of what lines are made of: words, ids, numbers, headers of answers.

use std::num::ParseIntError;

use nom::branch::alt;
use nom::bytes::complete::{tag, take_while, take_while1};
use nom::character::complete::{char, digit1};
use nom::combinator::{all_consuming, eof, map_opt, opt, peek, recognize, rest, value as constant};
use nom::number::complete::recognize_float;
use nom::sequence::{preceded, terminated};
use nom::{IResult, Parser};

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

/// Reads a decimal number such as `6`, `-0.5`, `.5`, `1e3`, but not `inf` or `nan`. A number beyond the range of a
/// float is infinite.
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
