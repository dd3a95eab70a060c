//! Why a text is no record.

use super::{BadTagName, NotAResult};

/// What is wrong with the text of a record, and where.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {fault}")]
pub struct RecordError {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong in it.
    pub fault: RecordFault,
}

/// What is wrong with the text of a record.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RecordFault {
    /// A bracket that opens no tag.
    #[error("tag: expected a form such as [Event \"club evening\"], found {0}")]
    Tag(String),
    /// A tag for the second time.
    #[error("tag {0}: expected once in a record, found twice")]
    RepeatedTag(String),
    /// A tag whose value has to be a number.
    #[error("tag {name}: expected a whole number, found \"{found}\"")]
    Number {
        /// The tag.
        name: &'static str,
        /// Its value.
        found: String,
    },
    /// The value of the tag Result.
    #[error("tag Result: {0}")]
    Result(#[from] NotAResult),
    /// A tag that has no name.
    #[error(transparent)]
    TagName(#[from] BadTagName),
    /// A tag among the moves.
    #[error("tag {0}: expected before the first move")]
    LateTag(String),
    /// The number before a move.
    #[error("move number: expected {expected}. (moves are numbered by ply), found {found}.")]
    MoveNumber {
        /// The number of the move to come.
        expected: usize,
        /// What was there.
        found: u64,
    },
    /// Neither a move nor a result.
    #[error("moves: expected a move such as c3-b2, or the result (general, rebels, draw or *), found \"{0}\"")]
    Word(String),
    /// A comment that says nothing about a search.
    #[error("comment: expected score/depth, time, nodes such as {{+0.42/12 15ms 5120n}}, found {0}")]
    Comment(String),
    /// A comment behind no move, or behind another comment.
    #[error("comment: expected one behind a move, found {0}")]
    LooseComment(String),
    /// The moves end with another result than the tag says.
    #[error("result: expected {tag} as in the tag Result, found {end}")]
    Results {
        /// The result of the tag.
        tag: String,
        /// The result behind the moves.
        end: String,
    },
    /// Something behind the result.
    #[error("result: expected the tags of the next game behind it, found {0}")]
    AfterResult(String),
    /// The text ends before the result.
    #[error("moves: expected the result (general, rebels, draw or *) at the end, found nothing")]
    NoResult,
    /// More than one record, or none.
    #[error("expected one record, found {0}")]
    NotOne(usize),
    /// Not a record in JSON.
    #[error("JSON: {0}")]
    Json(String),
}
