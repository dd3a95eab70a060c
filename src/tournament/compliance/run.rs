//! The examination itself: step after step, each with a process of its own.

use super::examination::{Abilities, Examination};
use super::hand_written;
use super::report::{Failure, Report, StepReport, Verdict};
use super::script;
use super::step::{Step, steps};
use super::trial::Trial;

/// The steps that are tried when the engine does not even say what it can do.
const FIRST_WORDS: [&str; 2] = ["start.silent", "start.name"];

impl Examination {
    /// Tries steps one after another and tells about each as soon as it is known. Ends early when `go_on` says so.
    ///
    /// When the engine does not even say what it is and what it can do, that is told as a step of its own, and only those
    /// steps are tried that may show why.
    ///
    /// # Errors
    /// When the engine can't be started.
    pub(crate) fn run(
        &self,
        chosen: &[&'static Step],
        mut tell: impl FnMut(&StepReport),
        go_on: impl Fn() -> bool,
    ) -> Result<Report, Failure> {
        let unknown = self.unknown_abilities();
        Trial::start(self, &unknown)?;
        let asked = Trial::start(self, &unknown).and_then(|mut trial| hand_written::ask_abilities(&mut trial));
        let known = asked.is_ok();
        let mut reports = Vec::new();
        let mut add = |step: &Step, verdict| {
            let report = StepReport { step: step.name, title: step.title, verdict };
            tell(&report);
            reports.push(report);
        };
        let abilities = match asked {
            Ok(abilities) => abilities,
            Err(failure) => {
                steps().take(1).for_each(|step| add(step, Verdict::Failed(failure.clone())));
                unknown
            }
        };
        for step in chosen.iter().filter(|step| known || FIRST_WORDS.contains(&step.name)) {
            if !go_on() {
                break;
            }
            let lack = abilities.lack(&step.needs).map(|reason| Verdict::Skipped { reason });
            add(step, lack.unwrap_or_else(|| self.try_step(step, &abilities)));
        }
        Ok(Report::new(abilities.name, reports))
    }

    fn try_step(&self, step: &Step, abilities: &Abilities) -> Verdict {
        match Trial::start(self, abilities).and_then(|mut trial| script::run(&mut trial, &step.script)) {
            Ok(()) => Verdict::Passed,
            Err(failure) => Verdict::Failed(failure),
        }
    }
}
