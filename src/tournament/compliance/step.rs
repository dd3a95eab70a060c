//! The steps of the examination, as `steps.txt` has them.

use once_cell::sync::Lazy;

/// One thing that an engine must do right.
#[derive(Debug)]
pub(crate) struct Step {
    /// Its group and its name, with a point between.
    pub(crate) name: &'static str,
    /// What the engine must do, as a sentence about it.
    pub(crate) title: &'static str,
    /// The commands without which the step makes no sense: of each list at least one.
    pub(super) needs: Vec<Vec<&'static str>>,
    pub(super) script: Vec<&'static str>,
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
