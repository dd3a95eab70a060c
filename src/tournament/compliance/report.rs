//! What an examination has found.

use std::fmt;

use serde::Serialize;

use crate::message::{sanitized, sanitized_lines};

/// What an engine has done wrong.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, thiserror::Error)]
pub(crate) struct Failure {
    /// The lines that it was sent, the last of them last; bytes that can't be shown are escaped.
    pub(crate) sent: Vec<String>,
    /// What it did then.
    pub(crate) came: String,
    /// What it should have done.
    pub(crate) expected: String,
}

/// The most characters that are shown of what was sent, and of what came.
const MOST_SHOWN: usize = 2000;

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

impl Failure {
    /// The same without what an engine could do to a terminal by its words.
    fn shown(&self) -> Failure {
        let lines = |text: &str| sanitized_lines(text, MOST_SHOWN);
        let sent = self.sent.iter().map(|line| sanitized(line, MOST_SHOWN)).collect();
        Failure { sent, came: lines(&self.came), expected: lines(&self.expected) }
    }
}

/// The result of a step.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "verdict", rename_all = "lowercase")]
pub(crate) enum Verdict {
    /// The engine did it right.
    Passed,
    /// The engine did it wrong.
    Failed(Failure),
    /// The engine need not do it.
    Skipped { reason: String },
}

/// A step and its result: a line, and under it what went wrong.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct StepReport {
    pub(crate) step: &'static str,
    pub(crate) title: &'static str,
    #[serde(flatten)]
    pub(crate) verdict: Verdict,
}

impl StepReport {
    /// The report of a step; what the engine has said may stand in the verdict as it came.
    pub(super) fn new(step: &'static str, title: &'static str, verdict: Verdict) -> StepReport {
        let verdict = match verdict {
            Verdict::Passed => Verdict::Passed,
            Verdict::Failed(failure) => Verdict::Failed(failure.shown()),
            Verdict::Skipped { reason } => Verdict::Skipped { reason: sanitized(&reason, MOST_SHOWN) },
        };
        StepReport { step, title, verdict }
    }
}

impl fmt::Display for StepReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let StepReport { step, title, verdict } = self;
        match verdict {
            Verdict::Passed => writeln!(f, "ok    {step:<28}{title}"),
            Verdict::Skipped { reason } => writeln!(f, "skip  {step:<28}{title}: {reason}"),
            Verdict::Failed(failure) => {
                writeln!(f, "FAIL  {step:<28}{title}")?;
                failure.to_string().lines().try_for_each(|line| writeln!(f, "      {line}"))
            }
        }
    }
}

/// The results of all steps that were tried: `50 steps, 40 passed, 2 failed, 8 skipped`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct Report {
    /// What the engine calls itself.
    pub(crate) engine: String,
    pub(crate) passed: usize,
    pub(crate) failed: usize,
    /// Steps about what the engine does not have.
    pub(crate) skipped: usize,
    pub(crate) steps: Vec<StepReport>,
}

impl Report {
    pub(super) fn new(engine: String, steps: Vec<StepReport>) -> Report {
        let count = |kind: fn(&Verdict) -> bool| steps.iter().filter(|step| kind(&step.verdict)).count();
        let passed = count(|verdict| matches!(verdict, Verdict::Passed));
        let failed = count(|verdict| matches!(verdict, Verdict::Failed(_)));
        let skipped = steps.len() - passed - failed;
        Report { engine: sanitized(&engine, 200), passed, failed, skipped, steps }
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Report { engine, passed, failed, skipped, steps } = self;
        write!(f, "{engine}: {} steps, {passed} passed, {failed} failed, {skipped} skipped", steps.len())
    }
}
