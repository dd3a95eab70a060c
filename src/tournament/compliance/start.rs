//! How an engine presents itself.

use std::collections::BTreeSet;

use privy_protocol::CommandSet;

use super::abilities::Abilities;
use super::step::{Failure, Step};
use super::trial::Trial;

/// The step without which no other makes sense.
pub(super) const ANSWERS: Step =
    Step::new("start.answers", "answers, and says or shows which commands it has", &[], |trial| {
        Abilities::ask(trial).map(drop)
    });

/// The steps that are tried when not even that goes right.
pub(super) const FIRST_WORDS: [&str; 2] = ["start.silent", "start.name"];

pub(super) const STEPS: &[Step] = &[
    ANSWERS,
    Step::new("start.silent", "writes nothing before it is asked", &[], silent),
    Step::new("start.name", "says its name in one line", &[], name),
    Step::new("start.minimal-set", "has variant, position and go, or clear_board, play and genmove", &[], minimal_set),
    Step::new("start.list-commands", "lists its commands, one a line, each once", &[&["list_commands"]], list_commands),
    Step::new(
        "start.listed-commands-exist",
        "knows the commands that it lists",
        &[&["list_commands"]],
        listed_commands_exist,
    ),
    Step::new(
        "start.known-command",
        "tells which commands it knows, and never fails to",
        &[&["known_command"]],
        known_command,
    ),
    Step::new("start.protocol-version", "speaks version 2 of the framing", &[&["protocol_version"]], protocol_version),
];

fn silent(trial: &mut Trial<'_>) -> Result<(), Failure> {
    trial.quiet()?;
    trial.text_of("name")?;
    trial.quiet()
}

fn name(trial: &mut Trial<'_>) -> Result<(), Failure> {
    let name = trial.text_of("name")?;
    trial.ensure(!name.is_empty() && name.lines().count() == 1, "= and a name, in one line")
}

fn minimal_set(trial: &mut Trial<'_>) -> Result<(), Failure> {
    let sets = [["variant", "position", "go"], ["clear_board", "play", "genmove"]];
    let missing = sets.map(|set| set.into_iter().filter(|command| !trial.has(command)).collect::<Vec<_>>().join(", "));
    if missing.iter().any(String::is_empty) {
        return Ok(());
    }
    let [first, second] = missing;
    let came = format!("it lacks {first} of the first set, and {second} of the second");
    Err(trial.fail_with(came, "variant, position and go, or clear_board, play and genmove"))
}

fn list_commands(trial: &mut Trial<'_>) -> Result<(), Failure> {
    let list = trial.text_of("list_commands")?;
    let names: Vec<&str> = list.lines().collect();
    trial.ensure(names.iter().all(|name| !name.contains(' ')), "lines with a single word each")?;
    trial.ensure(names.iter().collect::<BTreeSet<_>>().len() == names.len(), "no name twice")?;
    trial.ensure(["name", "quit"].iter().all(|name| names.contains(name)), "name and quit among the commands")
}

/// `quit` is left out: it is known from other steps.
fn listed_commands_exist(trial: &mut Trial<'_>) -> Result<(), Failure> {
    let listed = trial.abilities().listed.clone().unwrap_or_default();
    // An argument that no command of the protocol takes, so that none of them does anything. Other commands are the
    // engine's own, and nobody knows what they do.
    let takes_any = ["echo", "help", "known_command"];
    for name in listed.iter().filter(|name| CommandSet::WholeMoves.find(name).is_some() && *name != "quit") {
        if !takes_any.contains(&name.as_str()) {
            let reply = trial.ask(&format!("{name} - - - - - - - -"))?;
            trial.ensure(reply.text() != "unknown command", "another answer than unknown command")?;
        }
    }
    Ok(())
}

fn known_command(trial: &mut Trial<'_>) -> Result<(), Failure> {
    for (line, answer) in [
        ("known_command name", "true"),
        ("known_command quit", "true"),
        ("known_command no_such_command", "false"),
        ("known_command NAME", "false"),
        ("known_command", "false"),
    ] {
        let text = trial.text_of(line)?;
        trial.ensure(text == answer, &format!("= {answer}"))?;
    }
    for name in trial.abilities().listed.clone().unwrap_or_default() {
        let text = trial.text_of(&format!("known_command {name}"))?;
        trial.ensure(text == "true", "= true, since list_commands has it")?;
    }
    Ok(())
}

fn protocol_version(trial: &mut Trial<'_>) -> Result<(), Failure> {
    let version = trial.text_of("protocol_version")?;
    trial.ensure(version == "2", "= 2")
}
