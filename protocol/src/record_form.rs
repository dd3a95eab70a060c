//! The forms of game records.

use std::str::FromStr;

/// A form in which records are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RecordForm {
    /// Text in the manner of PGN.
    Text,
    /// A line of JSON for each game.
    Json,
    /// Half moves, for GoGui and other programs.
    Sgf,
}

impl FromStr for RecordForm {
    type Err = &'static str;

    /// Reads the name of a form, or the ending of a file of it.
    fn from_str(text: &str) -> Result<RecordForm, &'static str> {
        match text {
            "text" | "txt" => Ok(RecordForm::Text),
            "json" => Ok(RecordForm::Json),
            "sgf" => Ok(RecordForm::Sgf),
            _ => Err("expected text, json or sgf"),
        }
    }
}
