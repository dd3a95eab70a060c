//! The arguments of a command, read word by word. Every error names the place, what was found, and what was expected.

use std::fmt::Display;
use std::ops::RangeInclusive;

use crate::error::{ErrorCode, ProtocolError, quoted};
use crate::grammar::{decimal_number, next_word, whole_number};
use crate::side::Side;

/// A cursor over the arguments of a command. What cannot be read is not taken.
#[derive(Debug, Clone, Copy)]
pub struct Arguments<'a> {
    pub(crate) command: &'a str,
    left: &'a str,
    /// The number of arguments taken so far.
    taken: usize,
}

/// The name of an argument in error messages; [`None`] where a command has a single argument.
pub(crate) type Label = Option<&'static str>;

impl<'a> Arguments<'a> {
    pub(crate) fn new(command: &'a str, text: &'a str) -> Self {
        Self { command, left: text.trim_matches(' '), taken: 0 }
    }

    /// True at the end of the line.
    pub const fn is_empty(&self) -> bool {
        self.left.is_empty()
    }

    /// Returns the next word, if there is one.
    pub fn peek(&self) -> Option<&'a str> {
        next_word(self.left).map(|(word, _)| word)
    }

    /// Takes the next word, if there is one.
    pub fn take(&mut self) -> Option<&'a str> {
        let (word, left) = next_word(self.left)?;
        (self.left, self.taken) = (left.trim_start_matches(' '), self.taken + 1);
        Some(word)
    }

    /// Takes the next word if it is this one. True if it was.
    pub(crate) fn take_if(&mut self, expected: &str) -> bool {
        self.peek() == Some(expected) && self.take().is_some()
    }

    /// Takes the rest of the line, which may be empty.
    pub fn rest(&mut self) -> String {
        self.taken += usize::from(!self.left.is_empty());
        std::mem::take(&mut self.left).to_owned()
    }

    fn fault(&self, code: ErrorCode, label: Label, expected: impl Display) -> ProtocolError {
        let (command, found) = (self.command, quoted(self.peek()));
        let place = label.map(|label| format!("argument {} ({label}): ", self.taken + 1)).unwrap_or_default();
        ProtocolError::new(code, format!("{command}: {place}expected {expected}, found {found}"))
    }

    /// Returns the `syntax error` that the next argument, or the lack of one, is.
    pub fn refused(&self, label: Label, expected: impl Display) -> ProtocolError {
        self.fault(ErrorCode::SyntaxError, label, expected)
    }

    /// Returns the `value out of range` that the next argument is.
    pub(crate) fn out_of_range(&self, label: Label, expected: impl Display) -> ProtocolError {
        self.fault(ErrorCode::ValueOutOfRange, label, expected)
    }

    /// Checks that all arguments have been taken.
    ///
    /// # Errors
    /// `syntax error` for an argument too many.
    pub(crate) fn end(&self) -> Result<(), ProtocolError> {
        let (command, found) = (self.command, quoted(self.peek()));
        match self.taken {
            _ if self.is_empty() => Ok(()),
            0 => Err(ProtocolError::syntax(format!("{command} takes no arguments, found {found}"))),
            _ => {
                let place = format!("{command}: argument {}", self.taken + 1);
                Err(ProtocolError::syntax(format!("{place}: expected the end of the line, found {found}")))
            }
        }
    }

    /// Takes a word.
    ///
    /// # Errors
    /// `syntax error` at the end of the line.
    pub fn word(&mut self, label: Label, expected: &str) -> Result<String, ProtocolError> {
        self.take().map(str::to_owned).ok_or_else(|| self.refused(label, expected))
    }

    /// Takes the rest of the line, which must not be empty.
    ///
    /// # Errors
    /// `syntax error` at the end of the line.
    pub fn value(&mut self) -> Result<String, ProtocolError> {
        if self.is_empty() { Err(self.refused(Some("value"), "a value")) } else { Ok(self.rest()) }
    }

    /// Takes a path, which may contain spaces, and a whole number from 1 if that is the last word.
    ///
    /// # Errors
    /// `syntax error` at the end of the line, `value out of range` for the number.
    pub fn path_and_count(&mut self, noun: &str) -> Result<(String, Option<u32>), ProtocolError> {
        if self.is_empty() {
            return Err(self.refused(Some("file"), "a path"));
        }
        let Some((path, last)) = self.left.rsplit_once(' ').filter(|(_, last)| whole_number(last).is_some()) else {
            return Ok((self.rest(), None));
        };
        (self.left, self.taken) = (last, self.taken + 1);
        let number = self.count(Some("number"), noun, 1)?;
        Ok((path.trim_end_matches(' ').to_owned(), Some(number)))
    }

    /// Takes one word or more, up to one that ends them.
    pub(crate) fn words_until(
        &mut self,
        label: Label,
        expected: &str,
        ends: impl Fn(&str) -> bool,
    ) -> Result<Vec<String>, ProtocolError> {
        let mut words = Vec::new();
        while let Some(word) = self.peek().filter(|word| !ends(word)) {
            words.push(word.to_owned());
            self.take();
        }
        if words.is_empty() { Err(self.refused(label, expected)) } else { Ok(words) }
    }

    /// Takes a word that may be left out. True if it is there.
    pub(crate) fn flag(&mut self, name: &str) -> Result<bool, ProtocolError> {
        let is_there = self.take_if(name);
        if is_there || self.is_empty() {
            Ok(is_there)
        } else {
            Err(self.refused(None, format_args!("{name} or nothing")))
        }
    }

    /// Takes a whole number in a range; `noun` says what it counts.
    pub(crate) fn number<N>(&mut self, label: Label, noun: &str, range: RangeInclusive<N>) -> Result<N, ProtocolError>
    where
        N: TryFrom<u64> + PartialOrd + Display + Default,
    {
        let (start, end) = (range.start(), range.end());
        let Some(number) = self.peek().and_then(whole_number) else {
            let from = if *start == N::default() { String::new() } else { format!(" from {start}") };
            return Err(self.refused(label, format_args!("{noun}{from}")));
        };
        let number = number.ok().and_then(|number| N::try_from(number).ok()).filter(|number| range.contains(number));
        let number = number.ok_or_else(|| self.out_of_range(label, format_args!("{noun} from {start} to {end}")))?;
        self.take();
        Ok(number)
    }

    /// Takes a whole number of up to 32 bits that is at least `least`.
    ///
    /// # Errors
    /// `syntax error`, `value out of range`.
    pub fn count(&mut self, label: Label, noun: &str, least: u32) -> Result<u32, ProtocolError> {
        self.number(label, noun, least..=u32::MAX)
    }

    /// Takes a whole number from 1, which may be left out: then it is 1.
    ///
    /// # Errors
    /// `syntax error`, `value out of range`.
    pub fn count_or_one(&mut self, noun: &str) -> Result<u32, ProtocolError> {
        if self.is_empty() { Ok(1) } else { self.count(None, noun, 1) }
    }

    /// Takes a finite decimal number.
    pub(crate) fn decimal(&mut self) -> Result<f64, ProtocolError> {
        let value = self.peek().and_then(decimal_number).ok_or_else(|| self.refused(None, "a number"))?;
        if !value.is_finite() {
            return Err(self.out_of_range(None, format_args!("a number of at most {:e}", f64::MAX)));
        }
        self.take();
        Ok(value)
    }

    /// Takes a side.
    ///
    /// # Errors
    /// `syntax error`.
    pub fn side(&mut self, label: Label) -> Result<Side, ProtocolError> {
        let side = self.peek().and_then(|word| word.parse().ok());
        let side = side.ok_or_else(|| self.refused(label, "a side (general or rebels)"))?;
        self.take();
        Ok(side)
    }
}
