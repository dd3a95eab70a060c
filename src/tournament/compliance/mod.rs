//! An examination of an engine: does it keep to the protocol, and where not, what exactly does it do wrong?
//!
//! It is meant for authors of other engines. About eighty [`Step`]s are tried, each with a process of its own, so that one
//! fault does not hide another. A step is a short script of what is sent and what must come: all of them stand in
//! `steps.txt`. Steps about commands that the engine does not have are skipped; what it has must be right. The rules of the
//! games are those of [`rules`](crate::rules).

mod hand_written;
mod report;
mod script;
mod trial;

use once_cell::sync::Lazy;

use report::{Failure, Report, StepReport};
use trial::{Abilities, Trial};

pub(crate) use report::Verdict;
pub(crate) use trial::Examination;

/// One thing that an engine must do right.
#[derive(Debug)]
pub(crate) struct Step {
    /// Its group and its name, with a point between.
    pub(crate) name: &'static str,
    /// What the engine must do, as a sentence about it.
    pub(crate) title: &'static str,
    /// The commands without which the step makes no sense: of each list at least one.
    needs: Vec<Vec<&'static str>>,
    script: Vec<&'static str>,
}

static STEPS: Lazy<Vec<Step>> = Lazy::new(|| read(include_str!("steps.txt")));

/// All steps, in the order in which they are tried.
pub(crate) fn steps() -> impl Iterator<Item = &'static Step> {
    STEPS.iter()
}

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
            let report = StepReport::new(step.name, step.title, verdict);
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
