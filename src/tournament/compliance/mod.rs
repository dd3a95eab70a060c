//! An examination of an engine: does it keep to the protocol, and where not, what exactly does it do wrong?
//!
//! It is meant for authors of other engines. About eighty [`Step`]s are tried, each with a process of its own, so that one
//! fault does not hide another. A step is a line of a table and a small function. Steps about commands that the engine does
//! not have are skipped; what it has must be right. The rules of the games are those of [`rules`](crate::rules).

mod abilities;
mod analysis;
mod choosing;
mod clocks;
mod ending;
mod errors;
mod framing;
mod game;
mod lines;
mod report;
mod searching;
mod start;
mod state;
mod step;
mod stopping;
mod trial;

use std::sync::Arc;
use std::time::Duration;

use super::engine_spec::EngineSpec;
use crate::rules::{DEFAULT_VARIANT, Variant};

use abilities::Abilities;
use trial::Trial;

pub use report::{Report, StepReport, Verdict};
pub use step::{Failure, Step};

/// What is examined and how.
#[derive(Debug, Clone)]
pub struct Examination {
    /// How to start the engine.
    pub engine: EngineSpec,
    /// The variants to play; those that the engine names and that are built in when empty.
    pub variants: Vec<Arc<Variant>>,
    /// How long an answer may take that has no time of its own.
    pub patience: Duration,
    /// How much later than its time an answer may come.
    pub margin: Duration,
}

/// All steps, in the order in which they are tried.
pub fn steps() -> impl Iterator<Item = &'static Step> {
    [
        start::STEPS,
        framing::STEPS,
        lines::STEPS,
        errors::STEPS,
        state::STEPS,
        searching::STEPS,
        stopping::STEPS,
        choosing::STEPS,
        clocks::STEPS,
        analysis::STEPS,
        ending::STEPS,
    ]
    .into_iter()
    .flatten()
}

impl Examination {
    /// Tries steps one after another and tells about each as soon as it is known. Ends early when `go_on` says so.
    ///
    /// When the engine does not even say what it is and what it can do, that is told as a step of its own, and only those
    /// steps are tried that may show why.
    ///
    /// # Errors
    /// When the engine can't be started.
    pub fn run(
        &self,
        steps: &[&'static Step],
        mut tell: impl FnMut(&StepReport),
        go_on: impl Fn() -> bool,
    ) -> Result<Report, Failure> {
        let unknown = Abilities::unknown(self);
        Trial::start(self, &unknown)?;
        let (abilities, trouble) = match Abilities::of(self) {
            Ok(abilities) => (abilities, None),
            Err(failure) => (unknown, Some(failure)),
        };
        let mut reports = Vec::new();
        let mut add = |step: &Step, verdict| {
            let report = StepReport { step: step.name, title: step.title, verdict };
            tell(&report);
            reports.push(report);
        };
        let known = trouble.is_none();
        if let Some(failure) = trouble {
            add(&start::ANSWERS, Verdict::Failed(failure));
        }
        for step in steps.iter().filter(|step| known || start::FIRST_WORDS.contains(&step.name)) {
            if !go_on() {
                break;
            }
            let lack = abilities.lack(step.needs).map(|reason| Verdict::Skipped { reason });
            add(step, lack.unwrap_or_else(|| self.try_step(step, &abilities)));
        }
        Ok(Report::new(abilities.name, reports))
    }

    fn try_step(&self, step: &Step, abilities: &Abilities) -> Verdict {
        match Trial::start(self, abilities).and_then(|mut trial| (step.check)(&mut trial)) {
            Ok(()) => Verdict::Passed,
            Err(failure) => Verdict::Failed(failure),
        }
    }

    /// The variants to play with an engine that names those; none when nothing is known of them.
    fn variants_among(&self, named: &[String]) -> Vec<Arc<Variant>> {
        if !self.variants.is_empty() {
            return self.variants.clone();
        }
        let known: Vec<_> = named.iter().filter_map(|id| Variant::builtin(id)).collect();
        if known.is_empty() { Variant::builtin(DEFAULT_VARIANT).into_iter().collect() } else { known }
    }
}
