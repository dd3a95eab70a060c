//! Examinations of the faulty engines.

use std::sync::Mutex;
use std::thread;
use std::time::Duration;

use privy_protocol::Stop;
use privy_referee::EngineSpec;
use privy_referee::compliance::{ComplianceStep, Examination, Launcher, STEPS, StepReport, StepResult};
use privy_rules::Variant;

/// A way to start the faulty engines.
#[derive(Debug, Clone, Copy)]
pub struct FaultyEngines {
    /// The program, which takes the name of a fault.
    pub program: &'static str,
    /// How it is started.
    pub launch: Launcher,
}

/// The number of parallel examinations, which mostly wait.
const AT_ONCE: usize = 16;

/// Two games, for a change of variant. The engine solves the first in a moment.
const VARIANTS: [&str; 2] = ["hare-and-hounds", "kings-gonu"];

/// The milliseconds after which an engine that does not answer is found. On a busy machine a fault may be found for being
/// late, never missed.
const PATIENCE: u64 = 3_000;

/// The margin in milliseconds. A fault that depends on time is later by more.
const MARGIN: u64 = 500;

impl FaultyEngines {
    /// The reports of the steps with these names, or the names of groups; of all steps without any.
    fn examine(self, fault: &str, steps: &[&str], patience: u64, margin: u64) -> Vec<StepReport> {
        let mut engine = EngineSpec::default();
        engine.command = vec![self.program.to_owned(), fault.to_owned()];
        let variants = VARIANTS.map(|id| Variant::builtin(id).unwrap()).to_vec();
        let [patience, margin] = [patience, margin].map(Duration::from_millis);
        let is_chosen = |step: &&ComplianceStep| steps.is_empty() || steps.iter().any(|name| step.is_of(name));
        let chosen: Vec<_> = STEPS.iter().filter(is_chosen).collect();
        let examination = Examination { engine, launch: self.launch, variants, patience, margin };
        examination.run(&chosen, |_| {}, &Stop::default()).unwrap().steps
    }

    /// Examines an engine without a fault, in any time that it takes. Returns the steps that were skipped.
    #[track_caller]
    pub fn pass(self, fault: &str, steps: &[&str]) -> Vec<&'static str> {
        let reports = self.examine(fault, steps, 120_000, 20_000);
        let failed = |report: &&StepReport| matches!(report.result, StepResult::Failed(_));
        let failed: Vec<String> = reports.iter().filter(failed).map(ToString::to_string).collect();
        assert!(!reports.is_empty() && failed.is_empty(), "{fault}: {failed:?}");
        let skipped = reports.iter().filter(|report| matches!(report.result, StepResult::Skipped { .. }));
        skipped.map(|report| report.step).collect()
    }

    /// Examines engines with faults, each with the step that must find it.
    pub fn are_found(self, faults: &[(&str, &str)]) {
        let left = Mutex::new(faults.iter());
        let next = || left.lock().unwrap().next();
        thread::scope(|scope| {
            for _ in 0..AT_ONCE {
                scope.spawn(|| {
                    while let Some((fault, step)) = next() {
                        self.is_found(fault, step);
                    }
                });
            }
        });
    }

    fn is_found(self, fault: &str, step: &str) {
        let reports = self.examine(fault, &[step], PATIENCE, MARGIN);
        let found = reports.iter().find(|report| report.step == step).map(|report| &report.result);
        let Some(StepResult::Failed(failure)) = found else {
            panic!("{fault} is not found by {step}: {reports:?}");
        };
        assert!(!failure.came.is_empty() && !failure.expected.is_empty(), "{fault}, {step}: {failure}");
    }
}
