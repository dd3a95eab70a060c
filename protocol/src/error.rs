//! Errors: a stable phrase that programs may compare, then a detail for people.
//!
//! ```
//! use privy_protocol::{ErrorCode, ProtocolError};
//!
//! let error = ProtocolError::new(ErrorCode::IllegalMove, "rebels to move");
//! assert_eq!(error.to_string(), "illegal move: rebels to move");
//! assert_eq!(ErrorCode::of("illegal move: rebels to move"), Some(ErrorCode::IllegalMove));
//! ```

use thiserror::Error;

use crate::safe_text::{sanitized, sanitized_lines};

/// Declares the codes, each with its text and meaning.
macro_rules! codes {
    ($($Code:ident = $text:literal: $meaning:literal,)+) => {
        /// The phrases that error texts begin with. They never change, so that clients can distinguish the errors.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum ErrorCode {
            $(#[doc = concat!("`", $text, "`: ", $meaning)] $Code,)+
        }

        impl ErrorCode {
            /// All codes, in the order of their declaration.
            pub const ALL: &[Self] = &[$(Self::$Code,)+];

            /// The phrase.
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$Code => $text,)+
                }
            }

            /// Returns the code whose phrase the text of an error begins with.
            pub fn of(text: &str) -> Option<Self> {
                let is_phrase = |phrase: &str| phrase == text || text.starts_with(&format!("{phrase}: "));
                Self::ALL.iter().copied().find(|code| is_phrase(code.as_str()))
            }
        }
    };
}

codes! {
    UnknownCommand = "unknown command": "no command has this name. Never followed by a detail.",
    SyntaxError = "syntax error": "the line, or one of the arguments, does not have the form that the command asks \
                                   for.",
    IllegalMove = "illegal move": "the move cannot be played now. A text that is no move at all is a `syntax error`.",
    IllegalPosition = "illegal position": "the position text describes nothing that the rules of the variant allow.",
    UnknownVariant = "unknown variant": "no variant has this id.",
    UnknownOption = "unknown option": "no option has this name.",
    ValueOutOfRange = "value out of range": "the argument has the right form, but is too small or too large.",
    CannotUndo = "cannot undo": "fewer moves have been played than are to be taken back.",
    CannotScore = "cannot score": "the game is not over, or there is no move to judge.",
    CannotLoadFile = "cannot load file": "a file cannot be read, or does not contain what it should.",
    CannotSaveFile = "cannot save file": "a file cannot be written.",
    GameOver = "game over": "the command needs a legal move, and there is none left to make.",
    UnacceptableSize = "unacceptable size": "the board of the current variant has another size.",
    NoTable = "no table": "perfect play was asked for, and no table of the current variant has been found.",
    Interrupted = "interrupted": "`stop` or `# interrupt` has ended work that has no result before its end.",
}

/// Characters of a detail, which may quote lines and files.
const LONGEST_DETAIL: usize = 4_000;

/// Why a request failed: a phrase, and a detail that names the argument, what was found, and what was expected.
///
/// Written as `phrase: detail`, or as the phrase alone when the detail is empty.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{}{}{detail}", code.as_str(), if detail.is_empty() { "" } else { ": " })]
pub struct ProtocolError {
    code: ErrorCode,
    detail: String,
}

impl ProtocolError {
    /// An error with a detail, whose unsafe characters are escaped, except for [`ErrorCode::UnknownCommand`]: clients
    /// compare that text as a whole.
    pub fn new(code: ErrorCode, detail: impl Into<String>) -> Self {
        let detail = match code {
            ErrorCode::UnknownCommand => String::new(),
            _ => sanitized_lines(&detail.into(), LONGEST_DETAIL),
        };
        Self { code, detail }
    }

    /// An error without detail.
    pub const fn bare(code: ErrorCode) -> Self {
        Self { code, detail: String::new() }
    }

    /// A `syntax error` with its detail.
    pub fn syntax(detail: impl Into<String>) -> Self {
        Self::new(ErrorCode::SyntaxError, detail)
    }

    /// The phrase.
    pub const fn code(&self) -> ErrorCode {
        self.code
    }

    /// The text after the phrase and the colon; empty without detail.
    pub fn detail(&self) -> &str {
        &self.detail
    }
}

/// Why a text does not have the form that it should have.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct Unexpected(pub(crate) String);

impl Unexpected {
    /// Another form was expected than that of a text, which is empty when there is none.
    pub fn new(expected: &str, found: &str) -> Self {
        Self(format!("expected {expected}, found {found:?}"))
    }
}

/// A line that makes no request: the id and the error of the answer.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{error}")]
pub struct Rejection {
    /// The id of the line, if it has a valid one.
    pub id: Option<u32>,
    /// The error.
    pub error: ProtocolError,
}

/// A piece of input as an error message quotes it: at most 40 characters of it.
pub(crate) fn quoted(text: Option<&str>) -> String {
    text.map_or_else(|| "nothing".to_owned(), |text| format!("\"{}\"", sanitized(text, 40)))
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
    fn a_detail_quotes_no_megabyte() {
        let error = ProtocolError::new(ErrorCode::CannotLoadFile, "x".repeat(1 << 20));
        assert_eq!(error.to_string().chars().count(), "cannot load file: ".len() + LONGEST_DETAIL + 1);
    }

    #[test]
    fn phrases_read_back() {
        for &phrase in ErrorCode::ALL {
            assert_eq!(ErrorCode::of(phrase.as_str()), Some(phrase));
            assert_eq!(ErrorCode::of(&ProtocolError::new(phrase, "x").to_string()), Some(phrase));
        }
        assert_eq!(["out of memory", "syntax errors"].map(ErrorCode::of), [None, None]);
    }

    #[test]
    fn long_quotations_are_cut() {
        let long = "ä".repeat(41);
        assert_eq!(quoted(Some(&long)), format!("\"{}…\"", "ä".repeat(40)));
    }
}
