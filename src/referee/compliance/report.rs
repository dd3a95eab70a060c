//! The results of an examination.

use std::fmt;

use serde::Serialize;

use privy_base::message::{sanitized, sanitized_lines};

#[derive(Debug, Clone, PartialEq, Eq, Serialize, thiserror::Error)]
pub struct Failure {
    /// The lines to the engine; bytes that are not printable are escaped.
    pub sent: Vec<String>,
    /// The answer or event after them.
    pub came: String,
    pub expected: String,
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

/// The result of a step.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "verdict", rename_all = "lowercase")]
pub enum StepResult {
    /// The engine did what the step demands.
    Passed,
    /// It did not.
    Failed(Failure),
    /// The engine lacks a command of the step.
    Skipped {
        /// What the engine lacks.
        reason: String,
    },
}

/// A step and its result: a line, and below it the failure.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct StepReport {
    /// The name of the step.
    pub step: &'static str,
    /// Its title.
    pub title: &'static str,
    /// Its result.
    #[serde(flatten)]
    pub result: StepResult,
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
pub struct ExaminationReport {
    pub engine: String,
    pub passed: usize,
    pub failed: usize,
    pub skipped: usize,
    pub steps: Vec<StepReport>,
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
