//! `privy compliance`: an engine examined.

use std::ffi::OsString;
use std::io::Write;
use std::slice;
use std::time::Duration;

use privy_program::{CliError, VariantWord, find_variants, interrupt_stop, within};
use privy_referee::compliance::{ComplianceStep, Examination, STEPS, StepResult, start_process};
use privy_referee::{EngineSpec, LONGEST_WAIT_MS, name_engines};

use super::common::adopt_orphans;

/// Examine an engine: each place where it does not follow the protocol
///
/// Tries about eighty steps, each with a separate process, and writes one line for each: ok, skip when the engine does
/// not have the command, or FAIL with what was sent, what came and what was expected. Ends with status 1 when a step
/// fails.
#[derive(clap::Args)]
pub(super) struct ComplianceArguments {
    /// The engine: cmd=PROGRAM, with arguments as in a shell, and what else match takes: dir=FOLDER, option.NAME=VALUE
    #[arg(long, value_name = "SPEC", required_unless_present = "list")]
    engine: Option<String>,
    /// Id or file of a variant to play, repeatable; without it all built-in ones that the engine names
    #[arg(long = "variant", value_name = "VARIANT", value_parser = VariantWord, hide_possible_values = true)]
    variants: Vec<OsString>,
    /// Only steps with this name, or whose names begin with it: framing, framing.id; repeatable
    #[arg(long = "step", value_name = "NAME")]
    steps: Vec<String>,
    /// How long an answer may take that has no time limit: milliseconds
    #[arg(long, value_name = "MS", default_value_t = 10_000, value_parser = within(1..=LONGEST_WAIT_MS))]
    patience: u64,
    /// How much later than its time an answer may come: milliseconds
    #[arg(long, value_name = "MS", default_value_t = 1000, value_parser = within(0..=LONGEST_WAIT_MS))]
    margin: u64,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
    /// List the steps, without trying any
    #[arg(long, conflicts_with_all = ["engine", "json"])]
    list: bool,
}

impl ComplianceArguments {
    pub(super) fn run(&self, output: &mut impl Write) -> Result<(), CliError> {
        let stop = interrupt_stop();
        let steps = chosen(&self.steps)?;
        let Some(engine) = self.engine.as_deref().filter(|_| !self.list) else {
            return steps.iter().try_for_each(|step| Ok(writeln!(output, "{:<28}{}", step.name, step.title)?));
        };
        let mut engine: EngineSpec = engine.parse().map_err(|error| CliError::Usage(format!("--{error}")))?;
        name_engines(slice::from_mut(&mut engine)).map_err(|error| CliError::Usage(format!("--{error}")))?;
        let variants = find_variants(&self.variants)?;
        if !variants.is_empty() && variants.iter().all(|variant| variant.start().outcome().is_some()) {
            let ids: Vec<&str> = variants.iter().map(|variant| variant.id()).collect();
            let found = format!("the opening of {} is over", ids.join(" and that of "));
            return Err(CliError::Usage(format!("--variant: {found}; expected a game that can be played")));
        }
        let [patience, margin] = [self.patience, self.margin].map(Duration::from_millis);
        adopt_orphans("what the engine starts may outlive it");
        let mut written = Ok(());
        let report = Examination { engine, launch: start_process, variants, patience, margin }.run(
            &steps,
            |step| {
                if !self.json && written.is_ok() {
                    written = write!(output, "{step}").and_then(|()| output.flush());
                }
            },
            &stop,
        );
        written?;
        let report =
            report.map_err(|failure| CliError::Unexamined(format!("the engine can't be examined:\n{failure}")))?;
        if self.json {
            let json = serde_json::to_string_pretty(&report).map_err(std::io::Error::from)?;
            writeln!(output, "{}", privy_base::message::safe_json(&json))?;
        } else {
            writeln!(output, "{report}")?;
        }
        if stop.is_set() {
            return Err(CliError::Interrupted(format!("{} of {} steps were tried", report.steps.len(), steps.len())));
        }
        let failed = report.steps.iter().filter(|step| matches!(step.result, StepResult::Failed(_)));
        let failed: Vec<&str> = failed.map(|step| step.step).collect();
        if failed.is_empty() { Ok(()) } else { Err(CliError::Unsound(failed.join(", "))) }
    }
}

/// The steps with these names or beginnings of names; all without any.
fn chosen(names: &[String]) -> Result<Vec<&'static ComplianceStep>, CliError> {
    if let Some(unknown) = names.iter().find(|name| !STEPS.iter().any(|step| step.is_of(name))) {
        return Err(CliError::Usage(format!("--step: no step is named \"{unknown}\"; --list names them all")));
    }
    Ok(STEPS.iter().filter(|step| names.is_empty() || names.iter().any(|name| step.is_of(name))).collect())
}
