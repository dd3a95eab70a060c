//! What an answer that begins with `?` says: a stable phrase that programs may compare, then a detail for people.
//!
//! ```
//! use privy_protocol::{ErrorCode, ProtocolError};
//!
//! let error = ProtocolError::new(ErrorCode::IllegalMove, "rebels to move");
//! assert_eq!(error.to_string(), "illegal move: rebels to move");
//! assert_eq!("illegal move: rebels to move".parse(), Ok(error));
//! ```

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

/// Declares the codes, each with its text and meaning.
macro_rules! codes {
    ($($Code:ident = $text:literal: $meaning:literal,)+) => {
        /// The beginnings that error texts can have. They never change, so that clients can tell the errors apart.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum ErrorCode {
            $(#[doc = concat!("`", $text, "`: ", $meaning)] $Code,)+
        }

        impl ErrorCode {
            /// All codes, in the order of their declaration.
            pub const ALL: &[Self] = &[$(Self::$Code,)+];

            /// The words of the code, as they stand in an answer.
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$Code => $text,)+
                }
            }
        }
    };
}

codes! {
    UnknownCommand = "unknown command": "no command has this name. Never followed by a detail.",
    SyntaxError = "syntax error": "the line, or one of the arguments, does not have the form that the command asks for.",
    IllegalMove = "illegal move": "the move cannot be played now. A text that is no move at all is a `syntax error`.",
    IllegalPosition = "illegal position": "the position text describes nothing that the rules of the variant allow.",
    UnknownVariant = "unknown variant": "no variant has this id.",
    UnknownOption = "unknown option": "no option has this name.",
    ValueOutOfRange = "value out of range": "the argument has the right form, but is too small or too large.",
    CannotUndo = "cannot undo": "fewer moves have been played than are to be taken back.",
    CannotScore = "cannot score": "the game is not over.",
    CannotLoadFile = "cannot load file": "a file cannot be read, or does not contain what it should.",
    CannotSaveFile = "cannot save file": "a file cannot be written.",
    GameOver = "game over": "the command needs a legal move, and there is none left to make.",
    UnacceptableSize = "unacceptable size": "the board of the current variant has another size.",
    NoTable = "no table": "perfect play was asked for, and no table of the current variant has been found.",
    Interrupted = "interrupted": "`stop` or `# interrupt` has ended work that has no result before its end.",
}

impl fmt::Display for ErrorCode {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.as_str())
    }
}

/// Why a request failed: a stable phrase, and unless that says it all, a detail that names the argument, what was
/// found, and what would be right.
///
/// Written as `phrase: detail`, or as the phrase alone when the detail is empty.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{code}{}{detail}", if detail.is_empty() { "" } else { ": " })]
pub struct ProtocolError {
    code: ErrorCode,
    detail: String,
}

impl ProtocolError {
    /// An error with a detail. An empty detail gives the phrase alone.
    ///
    /// The detail of [`ErrorCode::UnknownCommand`] is dropped: clients compare that text as a whole.
    pub fn new(code: ErrorCode, detail: impl Into<String>) -> Self {
        let detail = match code {
            ErrorCode::UnknownCommand => String::new(),
            _ => detail.into(),
        };
        Self { code, detail }
    }

    /// An error whose phrase says it all.
    pub const fn bare(code: ErrorCode) -> Self {
        Self { code, detail: String::new() }
    }

    /// A `syntax error` with its detail.
    pub fn syntax(detail: impl Into<String>) -> Self {
        Self::new(ErrorCode::SyntaxError, detail)
    }

    /// The stable beginning.
    pub const fn code(&self) -> ErrorCode {
        self.code
    }

    /// What follows the phrase and the colon; empty when nothing does.
    pub fn detail(&self) -> &str {
        &self.detail
    }
}

impl From<ErrorCode> for ProtocolError {
    fn from(code: ErrorCode) -> Self {
        Self::bare(code)
    }
}

/// An error text that begins with none of the stable phrases: it comes from another program.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("the error text {0:?} begins with no known phrase")]
pub struct UnknownPhrase(
    /// The text that was to be read.
    pub String,
);

impl FromStr for ProtocolError {
    type Err = UnknownPhrase;

    /// Reads the text of a failure answer.
    ///
    /// # Errors
    /// [`UnknownPhrase`] when the text begins with no phrase of [`ErrorCode::ALL`].
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let read = ErrorCode::ALL.iter().find_map(|code| {
            let behind = text.strip_prefix(code.as_str())?;
            let detail = if behind.is_empty() { "" } else { behind.strip_prefix(": ")? };
            Some(Self::new(*code, detail))
        });
        read.ok_or_else(|| UnknownPhrase(text.to_owned()))
    }
}

/// A line that cannot be carried out: the id to answer with, and the error to answer.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{error}")]
pub struct Rejection {
    /// The id of the request, where the line still gave a valid one.
    pub id: Option<u32>,
    /// What was wrong.
    pub error: ProtocolError,
}

/// A piece of input, in quotation marks, as an error message shows it: at most 40 characters of it.
pub(crate) struct Quoted<'a>(pub(crate) Option<&'a str>);

impl fmt::Display for Quoted<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        const SHOWN: usize = 40;
        let Some(text) = self.0 else {
            return formatter.write_str("nothing");
        };
        match text.char_indices().nth(SHOWN) {
            None => write!(formatter, "\"{text}\""),
            Some((end, _)) => {
                let (start, _) = text.split_at(end);
                write!(formatter, "\"{start}…\"")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unknown_command_stands_alone() {
        let error = ProtocolError::new(ErrorCode::UnknownCommand, "foo");
        assert_eq!(error.to_string(), "unknown command");
    }

    #[test]
    fn phrases_read_back() {
        for &phrase in ErrorCode::ALL {
            assert_eq!(phrase.as_str().parse(), Ok(ProtocolError::bare(phrase)), "{phrase}");
        }
        assert!("out of memory".parse::<ProtocolError>().is_err());
        assert!("syntax errors".parse::<ProtocolError>().is_err());
    }

    #[test]
    fn long_findings_are_shortened() {
        let long = "ä".repeat(41);
        let shown = Quoted(Some(&long)).to_string();
        assert_eq!(shown, format!("\"{}…\"", "ä".repeat(40)));
    }
}
