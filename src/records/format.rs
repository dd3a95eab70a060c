//! The forms of game records: which one a file has, reading and writing.

use std::io;
use std::path::Path;
use std::str::FromStr;
use std::sync::Arc;

use privy_base::message::safe_json;
use privy_rules::Variant;

use crate::reader::{RecordError, is_blank, records};
use crate::record::{Record, ReplayError};
use crate::sgf;

/// A form of game records.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RecordFormat {
    /// Text in the manner of PGN.
    Text,
    /// A line of JSON for each game.
    Json,
    /// Half moves, for GoGui and other programs.
    Sgf,
}

impl FromStr for RecordFormat {
    type Err = &'static str;

    /// Reads the name of a form, or the ending of a file of it.
    fn from_str(text: &str) -> Result<RecordFormat, &'static str> {
        match text {
            "text" | "txt" => Ok(RecordFormat::Text),
            "json" => Ok(RecordFormat::Json),
            "sgf" => Ok(RecordFormat::Sgf),
            _ => Err("expected text, json or sgf"),
        }
    }
}

impl RecordFormat {
    /// The form that the ending of a file's name means: `.txt`, `.json` or `.sgf`.
    pub fn of_path(path: &Path) -> Option<RecordFormat> {
        path.extension()?.to_str()?.parse().ok()
    }

    /// The form in which the contents of a file begin.
    pub fn of_bytes(contents: &[u8]) -> RecordFormat {
        match String::from_utf8_lossy(contents).trim_start_matches(is_blank).chars().next() {
            Some('(') => RecordFormat::Sgf,
            Some('{') => RecordFormat::Json,
            _ => RecordFormat::Text,
        }
    }

    /// Reads the records of a file in any form. The games of SGF are of the given variant if there is one; else `find`
    /// finds one by its id.
    ///
    /// # Errors
    /// When the bytes are not text. Each record has its own errors.
    pub fn read(
        contents: Vec<u8>,
        given: Option<&Arc<Variant>>,
        find: &dyn Fn(&str) -> Option<Arc<Variant>>,
    ) -> io::Result<Vec<Result<Record, RecordError>>> {
        let form = RecordFormat::of_bytes(&contents);
        let text = sgf::sgf_text(contents)?;
        Ok(if form == RecordFormat::Sgf { sgf::sgf_records(&text, given, find) } else { records(&text).collect() })
    }

    /// Writes a record, with a line feed at its end. `variant` is used as in [`Record::replay`].
    ///
    /// # Errors
    /// As [`write_sgf`](sgf::write_sgf).
    pub fn write(self, record: &Record, variant: Option<&Arc<Variant>>) -> Result<String, ReplayError> {
        Ok(match self {
            RecordFormat::Text => record.to_string(),
            RecordFormat::Json => {
                let json = serde_json::to_string(record).map_err(|error| ReplayError(error.to_string()))?;
                safe_json(&json).into_owned() + "\n"
            }
            RecordFormat::Sgf => sgf::write_sgf(record, variant, &[])? + "\n",
        })
    }

    /// What stands between two records.
    pub fn between(self) -> &'static str {
        if self == RecordFormat::Text { "\n" } else { "" }
    }
}

/// True if a file with these contents may be replaced by a record: it is empty, SGF of any game, or has a record.
#[must_use]
pub fn may_replace(contents: &[u8]) -> bool {
    let contents = contents.trim_ascii_start();
    let is_sgf = contents.strip_prefix(b"(").is_some_and(|tree| tree.trim_ascii_start().starts_with(b";"));
    let has_record = || str::from_utf8(contents).is_ok_and(|text| records(text).any(|record| record.is_ok()));
    contents.is_empty() || is_sgf || has_record()
}
