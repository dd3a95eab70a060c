//! Requests and answers: ids, order, exactly one answer each.

use std::time::Duration;

use super::step::{Failure, Step};
use super::trial::Trial;

/// How many commands are sent ahead.
const AHEAD: u32 = 1000;

/// Commands with long answers.
const LONG: &[&str] =
    &["list_commands", "help", "showboard", "show_variant", "geometry", "list_options", "list_variants"];

pub(super) const STEPS: &[Step] = &[
    Step::new("framing.id", "repeats the id of a command, and answers without one where none was given", &[], id),
    Step::new("framing.id-of-failure", "repeats the id of a command that fails", &[], id_of_failure),
    Step::new(
        "framing.largest-id",
        "takes ids up to 2147483647, and answers a larger one with a syntax error without id",
        &[],
        largest_id,
    ),
    Step::new("framing.id-alone", "answers an id without a command with a syntax error", &[], id_alone),
    Step::new("framing.one-answer", "gives one answer to a command, not two", &[], one_answer),
    Step::new("framing.no-empty-line", "has no empty line within an answer", &[LONG], no_empty_line),
    Step::new("framing.ahead", "answers 1,000 commands that were sent at once, in order", &[], ahead),
    Step::new("framing.pieces", "waits for the end of a line that comes in pieces", &[], pieces),
];

/// Sends a line; its answer must have this id.
fn answered_with(trial: &mut Trial<'_>, line: &str, id: Option<u32>) -> Result<bool, Failure> {
    let reply = trial.ask(line)?;
    let id_text = id.map(|id| id.to_string()).unwrap_or_default();
    trial.ensure(reply.id() == id, &format!("an answer that begins with ={id_text} or ?{id_text}, and a space"))?;
    Ok(reply.is_success())
}

fn id(trial: &mut Trial<'_>) -> Result<(), Failure> {
    for (line, id) in
        [("name", None), ("17 name", Some(17)), ("0 name", Some(0)), ("name", None), ("17 name", Some(17))]
    {
        let success = answered_with(trial, line, id)?;
        trial.ensure(success, "a success")?;
    }
    Ok(())
}

fn id_of_failure(trial: &mut Trial<'_>) -> Result<(), Failure> {
    let success = answered_with(trial, "18 no_such_command", Some(18))?;
    trial.ensure(!success, "a failure: an answer that begins with ?18")
}

fn largest_id(trial: &mut Trial<'_>) -> Result<(), Failure> {
    let success = answered_with(trial, "2147483647 name", Some(2_147_483_647))?;
    trial.ensure(success, "a success")?;
    for line in ["2147483648 name", "99999999999999999999 name"] {
        trial.send(line)?;
        trial.failure(&["syntax error"])?;
        answered_with(trial, line, None)?;
    }
    Ok(())
}

fn id_alone(trial: &mut Trial<'_>) -> Result<(), Failure> {
    trial.refusal("9", &["syntax error"])?;
    answered_with(trial, "9", Some(9)).map(drop)
}

fn one_answer(trial: &mut Trial<'_>) -> Result<(), Failure> {
    for line in ["name", "no_such_command", "1 name"] {
        trial.ask(line)?;
        trial.quiet()?;
    }
    Ok(())
}

fn no_empty_line(trial: &mut Trial<'_>) -> Result<(), Failure> {
    for (number, command) in (1..).zip(LONG) {
        if trial.has(command) {
            answered_with(trial, &format!("{number} {command}"), Some(number))?;
            trial.quiet()?;
        }
    }
    Ok(())
}

fn ahead(trial: &mut Trial<'_>) -> Result<(), Failure> {
    let lines: String = (1..=AHEAD).map(|id| format!("{id} name\n")).collect();
    trial.send_bytes(lines.as_bytes(), AHEAD as usize)?;
    for id in 1..=AHEAD {
        let reply = trial.answer()?;
        trial.ensure(reply.is_success() && reply.id() == Some(id), &format!("={id} and the name"))?;
    }
    trial.quiet()
}

fn pieces(trial: &mut Trial<'_>) -> Result<(), Failure> {
    for (piece, answers) in [("12 na", 0), ("me\n13", 1), (" name\n", 1)] {
        trial.send_bytes(piece.as_bytes(), answers)?;
        if answers == 0 {
            trial.quiet()?;
        } else {
            let reply = trial.answer()?;
            trial.ensure(reply.is_success(), "a success")?;
            std::thread::sleep(Duration::from_millis(50));
        }
    }
    Ok(())
}
