//! Tags that the library gives no meaning.

use serde::{Deserialize, Serialize};

use super::Record;

/// A name that can't be the name of a tag without a meaning.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BadTagName {
    /// No name at all.
    #[error("tag name \"{0}\": expected ASCII letters, digits and _")]
    Form(String),
    /// The record has a field for it.
    #[error("tag name \"{0}\": the record has a field of this meaning")]
    Known(String),
}

/// A tag that the library gives no meaning: it is kept as it is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "(String, String)", into = "(String, String)")]
pub struct Tag {
    name: String,
    value: String,
}

impl Tag {
    /// A tag; any text may be its value.
    ///
    /// # Errors
    /// When the name is no name, or one that a [`Record`] has a field for.
    pub fn new(name: &str, value: &str) -> Result<Tag, BadTagName> {
        if name.is_empty() || !name.chars().all(is_name_character) {
            return Err(BadTagName::Form(name.to_owned()));
        }
        if Record::default().known_tags().iter().any(|(known, _)| *known == name) {
            return Err(BadTagName::Known(name.to_owned()));
        }
        Ok(Tag { name: name.to_owned(), value: value.to_owned() })
    }

    /// The name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The value.
    #[must_use]
    pub fn value(&self) -> &str {
        &self.value
    }
}

/// May the character stand in the name of a tag?
pub(super) fn is_name_character(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

impl TryFrom<(String, String)> for Tag {
    type Error = BadTagName;

    fn try_from((name, value): (String, String)) -> Result<Tag, BadTagName> {
        Tag::new(&name, &value)
    }
}

impl From<Tag> for (String, String) {
    fn from(tag: Tag) -> (String, String) {
        (tag.name, tag.value)
    }
}
