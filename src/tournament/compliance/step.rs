//! A step of the examination.

use std::fmt;

use serde::Serialize;

use super::trial::Trial;

/// One thing that an engine must do right.
#[derive(Debug)]
pub struct Step {
    /// Its group and its name, with a point between.
    pub name: &'static str,
    /// What the engine must do, as a sentence about it.
    pub title: &'static str,
    /// The commands without which the step makes no sense: of each list at least one.
    pub needs: &'static [&'static [&'static str]],
    /// Tries it.
    pub(super) check: fn(&mut Trial<'_>) -> Result<(), Failure>,
}

impl Step {
    pub(super) const fn new(
        name: &'static str,
        title: &'static str,
        needs: &'static [&'static [&'static str]],
        check: fn(&mut Trial<'_>) -> Result<(), Failure>,
    ) -> Step {
        Step { name, title, needs, check }
    }
}

/// What an engine has done wrong.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, thiserror::Error)]
pub struct Failure {
    /// The lines that it was sent, the last of them last; bytes that can't be shown are escaped.
    pub sent: Vec<String>,
    /// What it did then.
    pub came: String,
    /// What it should have done.
    pub expected: String,
}

/// How much of what was sent is shown.
const LINES_SHOWN: usize = 6;

/// Three parts, each of them indented where it has several lines.
impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let hidden = self.sent.len().saturating_sub(LINES_SHOWN);
        let mut sent = if hidden > 0 { format!("({hidden} lines before)\n") } else { String::new() };
        sent += &self.sent.get(hidden..).unwrap_or_default().join("\n");
        for (label, text) in [("sent", &sent), ("came", &self.came), ("expected", &self.expected)] {
            for (number, line) in text.lines().enumerate() {
                writeln!(f, "{:<10}{line}", if number == 0 { label } else { "" })?;
            }
        }
        Ok(())
    }
}
