//! The results of an examination.

use std::fmt;

use serde::Serialize;

use crate::message::{sanitized, sanitized_lines};

#[derive(Debug, Clone, PartialEq, Eq, Serialize, thiserror::Error)]
pub(crate) struct Failure {
    /// The lines to the engine; bytes that are not printable are escaped.
    pub(crate) sent: Vec<String>,
    /// The answer or event after them.
    pub(crate) came: String,
    pub(crate) expected: String,
}

/// The most characters of each text.
const MOST_SHOWN: usize = 2000;

/// The most lines of `sent`.
const LINES_SHOWN: usize = 6;

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

impl Failure {
    /// The same with control characters escaped.
    fn shown(&self) -> Failure {
        let lines = |text: &str| sanitized_lines(text, MOST_SHOWN);
        let sent = self.sent.iter().map(|line| sanitized(line, MOST_SHOWN)).collect();
        Failure { sent, came: lines(&self.came), expected: lines(&self.expected) }
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "verdict", rename_all = "lowercase")]
pub(crate) enum StepResult {
    Passed,
    Failed(Failure),
    /// The engine lacks a command of the step.
    Skipped {
        reason: String,
    },
}

/// A step and its result: a line, and below it the failure.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct StepReport {
    pub(crate) step: &'static str,
    pub(crate) title: &'static str,
    #[serde(flatten)]
    pub(crate) result: StepResult,
}

impl StepReport {
    pub(super) fn new(step: &'static str, title: &'static str, result: StepResult) -> StepReport {
        let result = match result {
            StepResult::Failed(failure) => StepResult::Failed(failure.shown()),
            StepResult::Skipped { reason } => StepResult::Skipped { reason: sanitized(&reason, MOST_SHOWN) },
            StepResult::Passed => StepResult::Passed,
        };
        StepReport { step, title, result }
    }
}

impl fmt::Display for StepReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let StepReport { step, title, result } = self;
        match result {
            StepResult::Passed => writeln!(f, "ok    {step:<28}{title}"),
            StepResult::Skipped { reason } => writeln!(f, "skip  {step:<28}{title}: {reason}"),
            StepResult::Failed(failure) => {
                writeln!(f, "FAIL  {step:<28}{title}")?;
                failure.to_string().lines().try_for_each(|line| writeln!(f, "      {line}"))
            }
        }
    }
}

/// The results of all steps: `50 steps, 40 passed, 2 failed, 8 skipped`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct ExaminationReport {
    pub(crate) engine: String,
    pub(crate) passed: usize,
    pub(crate) failed: usize,
    pub(crate) skipped: usize,
    pub(crate) steps: Vec<StepReport>,
}

impl ExaminationReport {
    pub(super) fn new(engine: String, steps: Vec<StepReport>) -> ExaminationReport {
        let count = |kind: fn(&StepResult) -> bool| steps.iter().filter(|step| kind(&step.result)).count();
        let passed = count(|result| matches!(result, StepResult::Passed));
        let failed = count(|result| matches!(result, StepResult::Failed(_)));
        let skipped = steps.len() - passed - failed;
        ExaminationReport { engine: sanitized(&engine, 200), passed, failed, skipped, steps }
    }
}

impl fmt::Display for ExaminationReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ExaminationReport { engine, passed, failed, skipped, steps } = self;
        write!(f, "{engine}: {} steps, {passed} passed, {failed} failed, {skipped} skipped", steps.len())
    }
}
