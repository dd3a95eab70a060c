//! An examination of an engine: each place where it does not follow the protocol.
//!
//! It is meant for authors of other engines. About eighty [`ComplianceStep`]s are tried, each on an engine started for
//! it, so that one fault does not hide another. A [`Launcher`] starts it: as a process, or in tests as a session in a
//! thread. A step is a name, a title, the commands that it needs, and a function that sends lines and checks answers
//! through a `Trial`. Steps about commands that the engine lacks are skipped. The rules of the games are those of
//! [`rules`](privy_rules).

mod report;
mod steps;
mod trial;

use std::collections::BTreeSet;

use privy_protocol::Stop;

use report::{ExaminationReport, Failure};
use trial::{Abilities, Trial};

pub use report::{StepReport, StepResult};
pub use steps::{ComplianceStep, STEPS};
pub use trial::{Examination, Launcher, start_process};

/// The steps to try if the engine does not answer questions about its commands.
const FIRST_WORDS: [&str; 2] = ["start.silent", "start.name"];

impl Examination {
    /// Tries the steps one by one, reports each at once, and ends early on `stop`. Fails when the engine cannot be
    /// started.
    ///
    /// If the engine does not answer questions about its commands, the first step fails, and only steps that may show
    /// why are tried.
    pub fn run(
        &self,
        chosen: &[&'static ComplianceStep],
        mut report_step: impl FnMut(&StepReport),
        stop: &Stop,
    ) -> Result<ExaminationReport, Failure> {
        let unknown = Abilities {
            name: self.engine.title().to_owned(),
            variants: self.variants_among(&[]),
            commands: BTreeSet::new(),
            listed: Vec::new(),
            tells_variant: false,
        };
        let asked = Abilities::ask(&mut Trial::start(self, &unknown)?);
        let has_answered = asked.is_ok();
        let mut reports = Vec::new();
        let mut add = |step: &ComplianceStep, result| {
            let report = StepReport::new(step.name, step.title, result);
            report_step(&report);
            reports.push(report);
        };
        let abilities = asked.unwrap_or_else(|failure| {
            STEPS.iter().take(1).for_each(|step| add(step, StepResult::Failed(failure.clone())));
            unknown.clone()
        });
        for step in chosen.iter().filter(|step| has_answered || FIRST_WORDS.contains(&step.name)) {
            if stop.is_set() {
                break;
            }
            let result = match abilities.lack(step.needs) {
                Some(reason) => StepResult::Skipped { reason },
                None => match self.try_step(step, &abilities) {
                    Ok(()) => StepResult::Passed,
                    Err(failure) => StepResult::Failed(failure),
                },
            };
            add(step, result);
        }
        Ok(ExaminationReport::new(abilities.name, reports))
    }

    fn try_step(&self, step: &ComplianceStep, abilities: &Abilities) -> Result<(), Failure> {
        let mut engine = Trial::start(self, abilities)?;
        // There is a variant to play.
        engine.variant()?;
        (step.check)(&mut engine).map(drop)
    }
}
