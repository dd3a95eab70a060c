//! The arguments of a command, taken one by one. Every error names the place, what was found, and what would be right.

use std::fmt;
use std::ops::RangeInclusive;

use crate::clock::Seconds;
use crate::error::{ErrorPhrase, ProtocolError, Quoted};
use crate::grammar::{self, WholeNumber};
use crate::side::Side;

/// What an argument is called in error messages. A command with a single argument need not name it.
pub(crate) type Label = Option<&'static str>;

/// The kind of number that an argument must be: what it counts, and between which bounds.
pub(crate) struct Amount {
    noun: &'static str,
    range: RangeInclusive<u64>,
}

impl Amount {
    pub(crate) const fn new(noun: &'static str, range: RangeInclusive<u64>) -> Self {
        Self { noun, range }
    }
}

impl fmt::Display for Amount {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self.range.start() {
            0 => formatter.write_str(self.noun),
            start => write!(formatter, "{} from {start}", self.noun),
        }
    }
}

/// The longest time that a command accepts in milliseconds: as many as [`Seconds::MAX`].
pub(crate) const MILLISECONDS: Amount = Amount::new("milliseconds", 0..=Seconds::MAX.milliseconds());

/// What is left of the arguments of a command.
pub(crate) struct Arguments<'a> {
    command: &'a str,
    left: &'a str,
    /// The number of words taken so far.
    taken: usize,
}

impl<'a> Arguments<'a> {
    pub(crate) fn new(command: &'a str, text: &'a str) -> Self {
        Self { command, left: text.trim_matches(' '), taken: 0 }
    }

    /// The next word.
    pub(crate) fn word(&mut self) -> Option<&'a str> {
        let (word, behind) = grammar::next_word(self.left)?;
        self.left = behind.trim_start_matches(' ');
        self.taken += 1;
        Some(word)
    }

    /// The next word, left where it is.
    pub(crate) fn peek(&self) -> Option<&'a str> {
        grammar::next_word(self.left).map(|(word, _)| word)
    }

    /// Everything that is left, left where it is.
    pub(crate) const fn peek_rest(&self) -> &'a str {
        self.left
    }

    /// Everything that is left, with the spaces within; empty when nothing is.
    pub(crate) fn rest(&mut self) -> &'a str {
        if !self.left.is_empty() {
            self.taken += 1;
        }
        std::mem::take(&mut self.left)
    }

    /// The next words, up to one that `ends` holds for; that one is left.
    pub(crate) fn words_until(&mut self, ends: impl Fn(&str) -> bool) -> Vec<&'a str> {
        let mut words = Vec::new();
        while let Some(word) = self.peek().filter(|word| !ends(word)) {
            words.push(word);
            self.word();
        }
        words
    }

    /// The place of the argument taken last, or of the missing one when `found` is nothing.
    pub(crate) fn complaint(
        &self,
        phrase: ErrorPhrase,
        label: Label,
        expected: impl fmt::Display,
        found: Option<&str>,
    ) -> ProtocolError {
        let number = self.taken + usize::from(found.is_none());
        self.complaint_at(number, phrase, label, expected, found)
    }

    /// An error about the argument with the given number, counted from 1.
    pub(crate) fn complaint_at(
        &self,
        number: usize,
        phrase: ErrorPhrase,
        label: Label,
        expected: impl fmt::Display,
        found: Option<&str>,
    ) -> ProtocolError {
        let place = match label {
            Some(label) => format!("argument {number} ({label}): "),
            None => String::new(),
        };
        let (command, found) = (self.command, Quoted(found));
        ProtocolError::new(phrase, format!("{command}: {place}expected {expected}, found {found}"))
    }

    /// The number of words taken so far.
    pub(crate) const fn taken(&self) -> usize {
        self.taken
    }

    /// The next word, which must be there.
    pub(crate) fn required(&mut self, label: Label, expected: &str) -> Result<&'a str, ProtocolError> {
        self.word().ok_or_else(|| self.complaint(ErrorPhrase::SyntaxError, label, expected, None))
    }

    /// Whether the next word is the one that may stand there; nothing else may.
    pub(crate) fn flag(&mut self, word: &str) -> Result<bool, ProtocolError> {
        match self.word() {
            None => Ok(false),
            Some(found) if found == word => Ok(true),
            found => {
                let expected = format!("{word} or nothing");
                Err(self.complaint(ErrorPhrase::SyntaxError, None, &expected, found))
            }
        }
    }

    /// The next word as a whole number.
    pub(crate) fn number(&mut self, label: Label, amount: &Amount) -> Result<u64, ProtocolError> {
        let found = self.word();
        let Some(number) = found.and_then(grammar::whole_number) else {
            return Err(self.complaint(ErrorPhrase::SyntaxError, label, amount, found));
        };
        match number {
            WholeNumber::Value(value) if amount.range.contains(&value) => Ok(value),
            _ => {
                let (start, end) = (amount.range.start(), amount.range.end());
                let expected = format!("{} from {start} to {end}", amount.noun);
                Err(self.complaint(ErrorPhrase::ValueOutOfRange, label, expected, found))
            }
        }
    }

    /// The next word as a number of up to 32 bits: at least `least`.
    pub(crate) fn small_number(&mut self, label: Label, noun: &'static str, least: u32) -> Result<u32, ProtocolError> {
        let amount = Amount::new(noun, u64::from(least)..=u64::from(u32::MAX));
        let number = self.number(label, &amount)?;
        Ok(u32::try_from(number).unwrap_or(u32::MAX))
    }

    /// The next word as a finite decimal number.
    pub(crate) fn decimal(&mut self, label: Label, noun: &str) -> Result<f64, ProtocolError> {
        let found = self.word();
        match found.and_then(grammar::decimal_number) {
            Some(value) if value.is_finite() => Ok(value),
            Some(_) => {
                let expected = format!("{noun} of at most {:e}", f64::MAX);
                Err(self.complaint(ErrorPhrase::ValueOutOfRange, label, expected, found))
            }
            None => Err(self.complaint(ErrorPhrase::SyntaxError, label, noun, found)),
        }
    }

    /// The next word as a time in seconds. A negative time is out of range, unless `clamp` makes it zero.
    pub(crate) fn seconds(&mut self, label: Label, clamp: bool) -> Result<Seconds, ProtocolError> {
        let found = self.word();
        let Some(value) = found.and_then(grammar::decimal_number) else {
            return Err(self.complaint(ErrorPhrase::SyntaxError, label, "seconds", found));
        };
        Seconds::from_seconds(value).filter(|_| clamp || value >= 0.0).ok_or_else(|| {
            let expected = format!("seconds from 0 to {}", Seconds::MAX);
            self.complaint(ErrorPhrase::ValueOutOfRange, label, expected, found)
        })
    }

    /// The next word as a side.
    pub(crate) fn side(&mut self, label: Label) -> Result<Side, ProtocolError> {
        let found = self.word();
        found.and_then(|word| word.parse().ok()).ok_or_else(|| {
            let expected = "a side (general or rebels)";
            self.complaint(ErrorPhrase::SyntaxError, label, expected, found)
        })
    }

    /// Makes sure that nothing is left.
    pub(crate) fn finish(&self) -> Result<(), ProtocolError> {
        let Some(extra) = self.peek() else {
            return Ok(());
        };
        let (command, number, found) = (self.command, self.taken + 1, Quoted(Some(extra)));
        Err(ProtocolError::syntax(if self.taken == 0 {
            format!("{command} takes no arguments, found {found}")
        } else {
            format!("{command}: argument {number}: expected the end of the line, found {found}")
        }))
    }

    /// The value, if nothing is left.
    pub(crate) fn finished<T>(&self, value: T) -> Result<T, ProtocolError> {
        self.finish().map(|()| value)
    }
}
