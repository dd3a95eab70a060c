//! What an examination has found.

use std::fmt;

use serde::Serialize;

use super::step::Failure;

/// The result of a step.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "verdict", rename_all = "lowercase")]
pub enum Verdict {
    /// The engine did it right.
    Passed,
    /// The engine did it wrong.
    Failed(
        /// How.
        Failure,
    ),
    /// The engine need not do it.
    Skipped {
        /// What it lacks.
        reason: String,
    },
}

/// A step and its result.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct StepReport {
    /// The name of the step.
    pub step: &'static str,
    /// What the engine must do.
    pub title: &'static str,
    /// Whether it does.
    #[serde(flatten)]
    pub verdict: Verdict,
}

/// The results of all steps that were tried.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Report {
    /// What the engine calls itself.
    pub engine: String,
    /// Steps that went right.
    pub passed: usize,
    /// Steps that went wrong.
    pub failed: usize,
    /// Steps about what the engine does not have.
    pub skipped: usize,
    /// The steps, in order.
    pub steps: Vec<StepReport>,
}

impl Report {
    pub(super) fn new(engine: String, steps: Vec<StepReport>) -> Report {
        let count = |is: fn(&Verdict) -> bool| steps.iter().filter(|step| is(&step.verdict)).count();
        Report {
            engine,
            passed: count(|verdict| *verdict == Verdict::Passed),
            failed: count(|verdict| matches!(verdict, Verdict::Failed(_))),
            skipped: count(|verdict| matches!(verdict, Verdict::Skipped { .. })),
            steps,
        }
    }
}

/// A line, and under it what went wrong.
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

/// `50 steps: 40 passed, 2 failed, 8 skipped`.
impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Report { engine, passed, failed, skipped, steps } = self;
        write!(f, "{engine}: {} steps, {passed} passed, {failed} failed, {skipped} skipped", steps.len())
    }
}
