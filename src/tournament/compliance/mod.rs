//! An examination of an engine: whether it keeps to the protocol, and exactly where not.
//!
//! It is meant for authors of other engines. About eighty [`Step`]s are tried, each in a process of its own, so that one
//! fault does not hide another. A step is a short script in `steps.txt` of lines to send and answers to expect. Steps about
//! commands that the engine lacks are skipped. The rules of the games are those of [`rules`](crate::rules).

mod hand_written;
mod report;
mod script;
mod trial;

use std::sync::LazyLock;

use report::{Failure, Report, StepReport};
use trial::{Abilities, Trial};

pub(crate) use report::Verdict;
pub(crate) use trial::Examination;

#[derive(Debug)]
pub(crate) struct Step {
    /// `GROUP.NAME`.
    pub(crate) name: &'static str,
    /// What the engine must do, in a sentence.
    pub(crate) title: &'static str,
    /// The commands that the step needs: at least one of each list.
    needs: Vec<Vec<&'static str>>,
    script: Vec<&'static str>,
}

/// All steps, in order.
pub(crate) static STEPS: LazyLock<Vec<Step>> = LazyLock::new(|| read(include_str!("steps.txt")));

fn read(text: &'static str) -> Vec<Step> {
    let mut steps: Vec<Step> = Vec::new();
    for line in text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let script = line.trim_start();
        if script.len() == line.len() {
            let (name, title) = line.split_once(": ").unwrap_or((line, ""));
            steps.push(Step { name, title, needs: Vec::new(), script: Vec::new() });
        } else if let Some(step) = steps.last_mut() {
            match script.strip_prefix("needs ") {
                Some(needs) => step.needs.extend(needs.split(", ").map(|any| any.split('|').collect())),
                None => step.script.push(script),
            }
        }
    }
    steps
}

/// The steps to try if the engine does not answer questions about its commands.
const FIRST_WORDS: [&str; 2] = ["start.silent", "start.name"];

impl Examination {
    /// Tries steps in order, reports each at once, and stops early when `go_on` is false. Fails when the engine cannot be
    /// started.
    ///
    /// If the engine does not answer questions about its commands, the first step fails, and only steps that may show why are
    /// tried.
    pub(crate) fn run(
        &self,
        chosen: &[&'static Step],
        mut report_step: impl FnMut(&StepReport),
        go_on: impl Fn() -> bool,
    ) -> Result<Report, Failure> {
        let unknown = self.unknown_abilities();
        Trial::start(self, &unknown)?;
        let asked = Trial::start(self, &unknown).and_then(|mut trial| hand_written::ask_abilities(&mut trial));
        let has_answered = asked.is_ok();
        let mut reports = Vec::new();
        let mut add = |step: &Step, verdict| {
            let report = StepReport::new(step.name, step.title, verdict);
            report_step(&report);
            reports.push(report);
        };
        let abilities = match asked {
            Ok(abilities) => abilities,
            Err(failure) => {
                STEPS.iter().take(1).for_each(|step| add(step, Verdict::Failed(failure.clone())));
                unknown
            }
        };
        for step in chosen.iter().filter(|step| has_answered || FIRST_WORDS.contains(&step.name)) {
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
