//! Ending a search before its time.

use std::thread;
use std::time::Duration;

use super::searching::in_time;
use super::step::{Failure, Step};
use super::trial::Trial;

/// How long a search runs before it is stopped.
const RUNNING: Duration = Duration::from_millis(200);

pub(super) const STEPS: &[Step] = &[
    Step::new(
        "stop.running",
        "ends an unlimited search at once on stop, and answers the search first, then stop",
        &[&["go"], &["stop"]],
        running,
    ),
    Step::new("stop.limited", "ends a limited search on stop before its limit", &[&["go"], &["stop"]], limited),
    Step::new("stop.at-once", "finds a move even when stop comes right behind go", &[&["go"], &["stop"]], at_once),
    Step::new(
        "stop.nothing",
        "answers stop with an empty success when there is nothing to stop",
        &[&["stop"]],
        nothing,
    ),
    Step::new(
        "stop.interrupt",
        "ends a search on the comment # interrupt, which has no answer of its own",
        &[&["go"], &["gogui-interrupt"]],
        interrupt,
    ),
];

/// Stops the search that has been sent, and receives both answers.
fn stop(trial: &mut Trial<'_>) -> Result<(), Failure> {
    trial.send("stop")?;
    let answer = trial.found()?;
    in_time(trial, trial.margin())?;
    trial.ensure(answer.best.len() == 1, "the answer of the search, with a line bestmove MOVE")?;
    stopped(trial)
}

/// Receives the answer to `stop` itself.
fn stopped(trial: &mut Trial<'_>) -> Result<(), Failure> {
    let text = trial.success()?;
    trial.ensure(text.is_empty(), "an empty success, to stop")?;
    trial.quiet()
}

fn running(trial: &mut Trial<'_>) -> Result<(), Failure> {
    trial.send("go infinite")?;
    thread::sleep(RUNNING);
    stop(trial)
}

fn limited(trial: &mut Trial<'_>) -> Result<(), Failure> {
    let length = 2 * trial.margin() + 2 * RUNNING;
    trial.send(&format!("go time {}", length.as_millis()))?;
    thread::sleep(RUNNING);
    stop(trial)
}

fn at_once(trial: &mut Trial<'_>) -> Result<(), Failure> {
    trial.send_bytes(b"go infinite\nstop\n", 2)?;
    let answer = trial.found()?;
    trial.ensure(answer.best.len() == 1, "the answer of the search, with a line bestmove MOVE")?;
    in_time(trial, trial.margin())?;
    stopped(trial)
}

fn nothing(trial: &mut Trial<'_>) -> Result<(), Failure> {
    trial.send("stop")?;
    stopped(trial)?;
    trial.send("name")?;
    trial.success().map(drop)
}

fn interrupt(trial: &mut Trial<'_>) -> Result<(), Failure> {
    trial.send_unanswered("# interrupt")?;
    trial.quiet()?;
    trial.send("go infinite")?;
    thread::sleep(RUNNING);
    trial.send_unanswered("# interrupt")?;
    let answer = trial.found()?;
    in_time(trial, trial.margin())?;
    trial.ensure(answer.best.len() == 1, "the answer of the search, with a line bestmove MOVE")?;
    trial.quiet()
}
