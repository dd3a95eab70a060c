//! How an engine ends.

use super::step::{Failure, Step};
use super::trial::Trial;

pub(super) const STEPS: &[Step] = &[
    Step::new("end.quit", "answers quit, then ends with status 0", &[], quit),
    Step::new("end.behind-quit", "carries out nothing that stands behind quit", &[], behind_quit),
    Step::new("end.input", "ends with status 0 when its input ends", &[], input),
    Step::new("end.input-ahead", "answers all that was asked before its input ended", &[], input_ahead),
    Step::new("end.input-searching", "finishes a limited search when its input ends", &[&["go"]], input_searching),
    Step::new("end.quit-searching", "ends an unlimited search on quit", &[&["go"]], quit_searching),
];

fn quit(trial: &mut Trial<'_>) -> Result<(), Failure> {
    trial.send("19 quit")?;
    let reply = trial.answer()?;
    trial.ensure(reply.is_success() && reply.id() == Some(19), "=19")?;
    trial.ended()
}

fn behind_quit(trial: &mut Trial<'_>) -> Result<(), Failure> {
    trial.send_bytes(b"quit\nname\n", 1)?;
    trial.success()?;
    trial.ended()
}

fn input(trial: &mut Trial<'_>) -> Result<(), Failure> {
    trial.text_of("name")?;
    trial.close_input();
    trial.ended()
}

fn input_ahead(trial: &mut Trial<'_>) -> Result<(), Failure> {
    trial.send_bytes(&b"name\n".repeat(100), 100)?;
    trial.close_input();
    for _ in 0..100 {
        trial.success()?;
    }
    trial.ended()
}

fn input_searching(trial: &mut Trial<'_>) -> Result<(), Failure> {
    trial.send("go time 300")?;
    trial.close_input();
    let answer = trial.found()?;
    trial.ensure(answer.best.len() == 1, "a line bestmove MOVE")?;
    trial.ended()
}

fn quit_searching(trial: &mut Trial<'_>) -> Result<(), Failure> {
    trial.send_bytes(b"go infinite\nquit\n", 2)?;
    let answer = trial.found()?;
    trial.ensure(answer.best.len() == 1, "the answer of the search, with a line bestmove MOVE")?;
    trial.success()?;
    trial.ended()
}
